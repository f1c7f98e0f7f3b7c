package embedded

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

// operator is the set operator in front of an operand; nil for the first.
func operator(n ast.Node) *ast.SetOprType {
	switch n := n.(type) {
	case *ast.SelectStmt:
		return n.AfterSetOperator
	case *ast.SetOprSelectList:
		return n.AfterSetOperator
	}
	return nil
}

var setWords = map[ast.SetOprType]string{
	ast.Union: "UNION", ast.UnionAll: "UNION ALL", ast.Except: "EXCEPT", ast.Intersect: "INTERSECT",
}

func (d *dialect) setOperation(w *ast.WithClause, selects []ast.Node, order *ast.OrderByClause, limit *ast.Limit, outer *scope) query {
	sc := &scope{parent: outer, aggs: new(int), windowed: new(bool)}
	derived := d.derived
	d.derived = false
	with := d.with(w, sc)
	if len(selects) == 1 && order == nil && limit == nil {
		d.derived = derived
		q := d.query(selects[0], sc)
		if with != "" {
			q.sql = with + "SELECT * FROM (" + q.sql + ")"
		}
		return q
	}
	var operands []query
	var words []string
	for i, s := range selects {
		operands = append(operands, d.query(s, sc))
		if i == 0 {
			continue
		}
		op := operator(s)
		if op == nil {
			refuse("this set operation")
		}
		word, ok := setWords[*op]
		if !ok {
			refuse("%s", op.String())
		}
		words = append(words, word)
	}
	if slices.Contains(words, "INTERSECT") && len(slices.Compact(slices.Clone(words))) > 1 {
		refuse("INTERSECT mixed with other set operators without parentheses")
	}
	cols := d.unify(operands)
	for i, s := range selects {
		if d.stored = storedAs(operands[i], cols); d.stored != nil {
			operands[i] = d.query(s, sc)
		}
		d.stored = nil
	}
	var texts []string
	for _, q := range operands {
		texts = append(texts, d.operand(q, cols))
	}
	text := compound(texts, words, cols)
	alias := d.name("t")
	q := query{cols: cols, limit: limit != nil, one: limitsToOne(limit)}
	var names []string
	for _, c := range cols {
		names = append(names, c.val.sql)
	}
	list := strings.Join(names, ", ")
	inner := &scope{parent: outer, sources: []*source{{cols: requalify(cols, alias)}}, aggs: new(int), windowed: new(bool)}
	q.sql = fmt.Sprintf("%sSELECT %s FROM (%s) AS %s%s%s", with, list, text, alias,
		d.orderBy(order, inner, requalify(cols, alias)), d.limit(limit))
	return q
}

// compound joins the operands of set operations, from left to right. UNION is written as DISTINCT over UNION ALL: of rows that are
// equal in their collation it keeps the first, as MySQL does.
func compound(texts, words []string, cols []sourceColumn) string {
	var distinct []string
	for _, c := range cols {
		v := c.val
		v.col = false
		distinct = append(distinct, settle(v)+" AS "+c.val.sql)
	}
	all := texts[0] // the operands so far, with what UNION takes away again
	out := all
	for i, word := range words {
		switch text := texts[i+1]; word {
		case "UNION":
			all += " UNION ALL " + text
			out = "SELECT DISTINCT " + strings.Join(distinct, ", ") + " FROM (" + all + ")"
		case "UNION ALL":
			all += " UNION ALL " + text
			out += " UNION ALL " + text
		default:
			out += " " + word + " " + text
			all = out
		}
	}
	return out
}

// storedAs are the columns of an operand that are numbers where the set operation has texts, or wide DECIMALs where it has doubles.
func storedAs(q query, cols []sourceColumn) map[int]kind {
	var kinds map[int]kind
	for i, c := range q.cols {
		t, to := c.val.typ, cols[i].val.typ.k
		if to == kString && (t.k == kDecimal || t.k == kDouble) || to == kDouble && t.isWide() {
			if kinds == nil {
				kinds = map[int]kind{}
			}
			kinds[i] = to
		}
	}
	return kinds
}

// storedDouble is the double that MySQL stores of a wide DECIMAL: of a quotient all the places that it has computed.
func (d *dialect) storedDouble(v val, n *ast.SelectStmt, sc *scope) val {
	if v.places == 0 && !d.wide || v.places > 0 && (v.real != "" || v.mixed || n.Distinct || n.GroupBy != nil || *sc.aggs > 0 || *sc.windowed) {
		refuse("a set operation of a quotient with a DOUBLE")
	}
	return val{sql: d.narrow(v).sql, typ: tDouble}
}

// storedText is the text that MySQL stores of a number: a double with the places that it needs. Those of a computed DECIMAL
// depend on its value, and on the width of the other operand.
func (d *dialect) storedText(v val) val {
	switch {
	case v.typ.k == kDecimal && v.loose == "" && !v.col && !isConstant(v) && !strings.HasPrefix(v.sql, "x'"):
		refuse("a set operation of a computed DECIMAL with a text")
	case v.typ.k == kDouble:
		return d.text(val{sql: v.sql, typ: tDouble})
	}
	return d.text(v)
}

// unify finds the columns that the operands have together: the first one's names, types that hold both.
func (d *dialect) unify(operands []query) []sourceColumn {
	cols := slices.Clone(operands[0].cols)
	for _, q := range operands[1:] {
		if len(q.cols) != len(cols) {
			fail(1222, "The used SELECT statements have a different number of columns")
		}
		for i := range cols {
			a, b := cols[i].val.typ, q.cols[i].val.typ
			cols[i].val.typ, cols[i].val.loose = merge(a, b), "" // a set operation is never merged
		}
	}
	return cols
}

// operand is one operand with its values converted to the common columns.
func (d *dialect) operand(q query, cols []sourceColumn) string {
	var items []string
	for i, c := range cols {
		v := q.cols[i].val
		v = d.convert(v, c.val.typ)
		v.col = false // write the collation out: the operands' may differ
		items = append(items, settle(v)+" AS "+c.val.sql)
	}
	return "SELECT " + strings.Join(items, ", ") + " FROM (" + q.sql + ")"
}

// with translates a WITH clause into sc and returns its text, with a blank behind it.
func (d *dialect) with(w *ast.WithClause, sc *scope) string {
	if w == nil {
		return ""
	}
	sc.ctes = map[string]*cte{}
	var parts []string
	for _, c := range w.CTEs {
		parts = append(parts, d.commonTable(c, w.IsRecursive, sc))
	}
	word := "WITH "
	if w.IsRecursive {
		word = "WITH RECURSIVE "
	}
	return word + strings.Join(parts, ", ") + " "
}

func (d *dialect) commonTable(c *ast.CommonTableExpression, recursive bool, sc *scope) string {
	out := &cte{sql: d.name("w")}
	inner := &scope{parent: sc, aggs: new(int), windowed: new(bool)}
	var text string
	var loose []string
	if set, ok := c.Query.Query.(*ast.SetOprStmt); ok && recursive && refersTo(set, c.Name.L) {
		text = d.recursive(set, c, out, inner)
	} else {
		d.derived = true
		q := d.query(c.Query.Query, inner)
		out.cols = renamed(q.cols, c)
		text, loose = q.sql, q.loose
	}
	sc.ctes[c.Name.L] = out
	var names []string
	for _, col := range out.cols {
		names = append(names, col.val.sql)
	}
	names = append(names, loose...)
	if strings.HasPrefix(text, depthMark) {
		text = strings.TrimPrefix(text, depthMark)
		names = append(names, "depth")
	}
	return fmt.Sprintf("%s(%s) AS (%s)", out.sql, strings.Join(names, ", "), text)
}

// depthMark says that a recursive query counts its iterations in a column more.
const depthMark = "/*depth*/"

func renamed(cols []sourceColumn, c *ast.CommonTableExpression) []sourceColumn {
	out := slices.Clone(cols)
	if len(c.ColNameList) > 0 && len(c.ColNameList) != len(out) {
		fail(1353, "In definition of view, derived table or common table expression, SELECT list and column names list have different column counts")
	}
	for i := range c.ColNameList {
		out[i].name = c.ColNameList[i].O
	}
	return out
}

// recursive translates a recursive common table expression. Its types are those of the first operand, as in MySQL,
// and it ends with MySQL's error after 1,000 iterations, if it is a UNION ALL.
func (d *dialect) recursive(set *ast.SetOprStmt, c *ast.CommonTableExpression, out *cte, sc *scope) string {
	selects := set.SelectList.Selects
	if set.OrderBy != nil || set.With != nil {
		refuse("ORDER BY or WITH inside a recursive common table expression")
	}
	counted := true
	for _, s := range selects[1:] {
		counted = counted && *operator(s) == ast.UnionAll
	}
	var parts []string
	for i, s := range selects {
		self := refersTo(s, c.Name.L)
		if i == 0 && self {
			fail(3574, "Recursive Common Table Expression '%s' should have one or more non-recursive query blocks followed by one or more recursive ones", c.Name.O)
		}
		sel, ok := s.(*ast.SelectStmt)
		if !ok || sel.With != nil {
			refuse("parentheses or WITH inside a recursive common table expression")
		}
		if i > 0 {
			parts = append(parts, setWords[*operator(s)])
		}
		if !self {
			q := d.selectStmt(sel, sc)
			if i == 0 {
				out.cols = renamed(q.cols, c)
				sc.parent.ctes[c.Name.L] = out
			} else if len(q.cols) != len(out.cols) {
				fail(1222, "The used SELECT statements have a different number of columns")
			}
			text := d.operand(q, out.cols)
			if counted {
				text = strings.Replace(text, " FROM (", ", 0 AS depth FROM (", 1)
			}
			parts = append(parts, text)
			continue
		}
		parts = append(parts, d.recursiveOperand(sel, c, out, sc, counted))
	}
	text := strings.Join(parts, " ") + d.limit(set.Limit)
	if counted {
		return depthMark + text
	}
	return text
}

// recursiveOperand writes the operand that refers to the expression itself, which SQLite wants in its FROM clause directly.
func (d *dialect) recursiveOperand(sel *ast.SelectStmt, c *ast.CommonTableExpression, out *cte, outer *scope, counted bool) string {
	if sel.GroupBy != nil || sel.Having != nil || sel.OrderBy != nil || sel.Limit != nil || sel.From == nil {
		refuse("GROUP BY, HAVING, ORDER BY or LIMIT in the recursive part of a common table expression")
	}
	sc := &scope{parent: outer, aggs: new(int), windowed: new(bool)}
	from := d.from(sel.From.TableRefs, sc)
	items := d.fields(sel.Fields, sc)
	if *sc.aggs > 0 {
		refuse("aggregate functions in the recursive part of a common table expression")
	}
	if len(items) != len(out.cols) {
		fail(1222, "The used SELECT statements have a different number of columns")
	}
	var cells []string
	for i, it := range items {
		to := out.cols[i].val.typ
		v := it.val
		if to.k == kInt && (v.typ.k == kDecimal || v.typ.k == kDouble) {
			refuse("a recursive common table expression whose column changes from INT to %s", v.typ)
		}
		if to.k == kNull {
			refuse("a recursive common table expression that starts with NULL: give it a type with CAST")
		}
		cells = append(cells, settle(d.convert(v, to)))
	}
	if counted {
		self := ""
		for _, s := range sc.sources {
			if len(s.cols) > 0 && strings.EqualFold(s.name, selfName(sel.From.TableRefs, c.Name.L)) {
				self, _, _ = strings.Cut(s.cols[0].val.sql, ".")
			}
		}
		if self == "" {
			refuse("this recursive common table expression")
		}
		cells = append(cells, "my_depth("+self+".depth + 1)")
	}
	text := "SELECT "
	if sel.Distinct {
		refuse("SELECT DISTINCT in the recursive part of a common table expression")
	}
	text += strings.Join(cells, ", ") + " FROM " + from
	if sel.Where != nil {
		text += " WHERE " + d.cond(d.expr(sel.Where, sc))
	}
	return text
}

// selfName is how a FROM clause calls the common table expression with this name.
func selfName(n ast.ResultSetNode, name string) string {
	switch n := n.(type) {
	case *ast.Join:
		if s := selfName(n.Left, name); s != "" {
			return s
		}
		if n.Right != nil {
			return selfName(n.Right, name)
		}
	case *ast.TableSource:
		if t, ok := n.Source.(*ast.TableName); ok && t.Name.L == name {
			return firstOf(n.AsName.O, t.Name.O)
		}
	}
	return ""
}

// refersTo says that a table of this name occurs below a node.
func refersTo(n ast.Node, name string) (found bool) {
	visit(n, func(n ast.Node) bool {
		if t, ok := n.(*ast.TableName); ok && t.Name.L == name {
			found = true
		}
		return !found
	})
	return found
}
