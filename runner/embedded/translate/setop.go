package translate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/syntax"
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

func (d *draft) setOperation(w *ast.WithClause, selects []ast.Node, order *ast.OrderByClause, limit *ast.Limit,
	outer *scope, want wanted) query {
	sc := outer.inside(new(block))
	with := d.with(w, sc)
	if len(selects) == 1 && order == nil && limit == nil {
		if want.place != asTable {
			want.place = inQuery
		}
		q := d.query(selects[0], sc, want)
		if with != "" {
			q.sql = with + "SELECT * FROM (" + q.sql + ")"
		}
		return q
	}
	var operands []query
	var words []string
	for i, s := range selects {
		operands = append(operands, d.query(s, sc, wanted{}))
		if i == 0 {
			continue
		}
		op := operator(s)
		refuseIf(op == nil, "this set operation")
		word, ok := setWords[*op]
		refuseIf(!ok, "%s", op.String())
		words = append(words, word)
	}
	refuseIf(slices.Contains(words, "INTERSECT") && len(slices.Compact(slices.Clone(words))) > 1,
		"INTERSECT mixed with other set operators without parentheses")
	cols := d.unify(operands, slices.Contains(words, "UNION"))
	for i, s := range selects {
		if stored := storedAs(operands[i], cols); stored != nil {
			operands[i] = d.query(s, sc, wanted{stored: stored})
		}
	}
	text := compound(syntax.Map(operands, func(q query) string { return d.operand(q, cols) }), words, cols)
	alias := d.name("t")
	q := query{cols: cols, limit: limit != nil, one: limitsToOne(limit)}
	for i := range q.cols {
		q.cols[i].val.typ.Short = want.place == atTop && q.cols[i].val.typ.Kind == types.Float
	}
	list := strings.Join(syntax.Map(cols, func(c sourceColumn) string { return c.val.sql }), ", ")
	inner := outer.inside(&block{sources: []*source{{cols: requalify(cols, alias)}}})
	q.sql = fmt.Sprintf("%sSELECT %s FROM (%s) AS %s%s%s", with, list, text, alias,
		d.orderBy(order, inner, requalify(cols, alias)), d.limit(limit))
	return q
}

// compound joins the operands of set operations, from left to right. UNION is written as DISTINCT over UNION ALL: of
// rows that are equal in their collation it keeps the first, as MySQL does.
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

// storedAs are the columns of an operand that are numbers where the set operation has texts, wide DECIMALs where it has
// doubles, or quotients where it has more decimal places, to which MySQL rounds them.
func storedAs(q query, cols []sourceColumn) (kinds map[int]types.Kind) {
	for i, c := range q.cols {
		t, to := c.val.typ, cols[i].val.typ.Kind
		if to == types.String && (t.Kind == types.Decimal || t.Real()) || to == types.Double && t.IsWide() ||
			to == types.Decimal && t.Kind == to && t.Scale < cols[i].val.typ.Scale {
			if kinds == nil {
				kinds = map[int]types.Kind{}
			}
			kinds[i] = to
		}
	}
	return kinds
}

// storedDouble is the double that MySQL stores of a wide DECIMAL: of a quotient all the places that it has computed.
func (d *draft) storedDouble(v val, n *ast.SelectStmt, sc *scope) val {
	refuseIf(v.places == 0 && !d.Wide || v.places > 0 && (v.real != "" || v.mixed || n.Distinct || n.GroupBy != nil ||
		sc.aggs > 0 || sc.windowed), "a set operation of a quotient with a DOUBLE")
	return val{sql: d.narrow(v).sql, typ: types.DoubleType}
}

// storedText is the text that MySQL stores of a number: a double with the places that it needs. Those of a computed
// DECIMAL depend on its value, and on the width of the other operand.
func (d *draft) storedText(v val) val {
	switch {
	case v.typ.Kind == types.Decimal && v.loose == "" && !v.col && !isConstant(v) && !strings.HasPrefix(v.sql, "x'"):
		refuse("a set operation of a computed DECIMAL with a text")
	case v.typ.Kind == types.Double, v.typ.Kind == types.Float:
		return d.text(val{sql: v.sql, typ: types.DoubleType})
	}
	return d.text(v)
}

// unify finds the columns that the operands have together: the first one's names, types that hold both.
func (d *draft) unify(operands []query, distinct bool) []sourceColumn {
	cols := slices.Clone(operands[0].cols)
	for _, q := range operands[1:] {
		failIf(len(q.cols) != len(cols), 1222, "The used SELECT statements have a different number of columns")
		for i := range cols {
			a, b := cols[i].val.typ, q.cols[i].val.typ
			none := a.Kind == types.Null || b.Kind == types.Null
			of := func(k types.Kind) bool { return !none && (a.Kind == k) != (b.Kind == k) }
			year := a.Year != b.Year && !a.Long && !b.Long && !none
			refuseIf(of(types.JSON) || distinct && (of(types.Float) || of(types.Blob) || year),
				"a set operation of a %s with a %s", a, b)
			cols[i].val.typ, cols[i].val.loose = merge(a, b), "" // a set operation is never merged
			compared(cols[i].val.typ, cols[i].val.typ)
		}
	}
	return cols
}

// operand is one operand with its values converted to the common columns.
func (d *draft) operand(q query, cols []sourceColumn) string {
	var items []string
	for i, c := range cols {
		v := q.cols[i].val
		v.typ.Year = v.typ.Year && c.val.typ.Year // as a text it has no zeros here
		v = d.convert(v, c.val.typ)
		v.col = false // write the collation out: the operands' may differ
		items = append(items, settle(v)+" AS "+c.val.sql)
	}
	return "SELECT " + strings.Join(items, ", ") + " FROM (" + q.sql + ")"
}
