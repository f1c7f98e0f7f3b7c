package translate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pingcap/tidb/pkg/parser/ast"
	parsertypes "github.com/pingcap/tidb/pkg/parser/types"

	"nl2sql/sqlcheck/syntax"

	"nl2sql/runner/embedded/types"
)

// with translates a WITH clause into sc and returns its text, with a blank behind it.
func (d *draft) with(w *ast.WithClause, sc *scope) string {
	if w == nil {
		return ""
	}
	sc.ctes = map[string]*cte{}
	parts := syntax.Map(w.CTEs,
		func(c *ast.CommonTableExpression) string { return d.commonTable(c, w.IsRecursive, sc) })
	return map[bool]string{false: "WITH ", true: "WITH RECURSIVE "}[w.IsRecursive] + strings.Join(parts, ", ") + " "
}

func (d *draft) commonTable(c *ast.CommonTableExpression, recursive bool, sc *scope) string {
	out := &cte{sql: d.name("w")}
	inner := sc.inside(new(block))
	var text string
	var loose []string
	if set, ok := c.Query.Query.(*ast.SetOprStmt); ok && recursive && refersTo(set, c.Name.L) {
		text = d.recursive(set, c, out, inner)
	} else {
		q := d.query(c.Query.Query, inner, wanted{place: asTable})
		out.cols = renamed(q.cols, c)
		text, loose = q.sql, q.loose
	}
	sc.ctes[c.Name.L] = out
	names := append(syntax.Map(out.cols, func(c sourceColumn) string { return c.val.sql }), loose...)
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
	rename(out, c.ColNameList)
	return out
}

// recursive translates a recursive common table expression. Its types are those of the first operand, as in MySQL,
// and it ends with MySQL's error after 1,000 iterations, if it is a UNION ALL.
func (d *draft) recursive(set *ast.SetOprStmt, c *ast.CommonTableExpression, out *cte, sc *scope) string {
	selects := set.SelectList.Selects
	refuseIf(set.OrderBy != nil || set.With != nil, "ORDER BY or WITH inside a recursive common table expression")
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
		refuseIf(!ok || sel.With != nil, "parentheses or WITH inside a recursive common table expression")
		if i > 0 {
			parts = append(parts, setWords[*operator(s)])
		}
		if !self {
			q := d.selectStmt(sel, sc, wanted{})
			if i == 0 {
				out.cols = renamed(q.cols, c)
				for _, f := range sel.Fields.Fields {
					if len(sel.Fields.Fields) == len(q.cols) && refersTo(selects[1], c.Name.L) {
						out.widths = append(out.widths, d.textWidth(f.Expr, q.sc))
					}
				}
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
		parts = append(parts, d.recursiveOperand(sel, out, sc, counted))
	}
	text := strings.Join(parts, " ") + d.limit(set.Limit)
	if counted {
		return depthMark + text
	}
	return text
}

// recursiveOperand writes the operand that refers to the expression itself, which SQLite wants in its FROM clause
// directly.
func (d *draft) recursiveOperand(sel *ast.SelectStmt, out *cte, outer *scope, counted bool) string {
	refuseIf(sel.GroupBy != nil || sel.Having != nil || sel.OrderBy != nil || sel.Limit != nil || sel.From == nil,
		"GROUP BY, HAVING, ORDER BY or LIMIT in the recursive part of a common table expression")
	sc := outer.inside(new(block))
	from := d.from(sel.From.TableRefs, sc)
	items := d.fields(sel.Fields, sc)
	refuseIf(sc.aggs > 0, "aggregate functions in the recursive part of a common table expression")
	failIf(len(items) != len(out.cols), 1222, "The used SELECT statements have a different number of columns")
	var cells []string
	for i, it := range items {
		to := out.cols[i].val.typ
		v := it.val
		refuseIf(to.Kind == types.Int && (v.typ.Kind == types.Decimal || v.typ.Kind == types.Double),
			"a recursive common table expression whose column changes from INT to %s", v.typ)
		refuseIf(to.Kind == types.Null,
			"a recursive common table expression that starts with NULL: give it a type with CAST")
		cell := settle(d.convert(v, to))
		if to.Kind == types.String && i < len(out.widths) && out.widths[i] >= 0 {
			cell = fmt.Sprintf("my_within(%s, %d, %s)", cell, out.widths[i], quoteText(out.cols[i].name))
		}
		cells = append(cells, cell)
	}
	if counted {
		_, self, ok := strings.Cut(from, out.sql+" AS ")
		refuseIf(!ok, "this recursive common table expression")
		self = self[:len(self)-len(strings.TrimLeft(self, "t0123456789"))]
		cells = append(cells, "my_depth("+self+".depth + 1)")
	}
	refuseIf(sel.Distinct, "SELECT DISTINCT in the recursive part of a common table expression")
	text := "SELECT " + strings.Join(cells, ", ") + " FROM " + from
	if sel.Where != nil {
		text += " WHERE " + d.cond(d.expr(sel.Where, sc))
	}
	return text
}

// textWidth is how many characters MySQL gives a column of texts that begins with this expression, which is v; -1 if
// that is not known. What the recursive part of a common table expression adds has to fit in.
func (d *draft) textWidth(e ast.ExprNode, sc *scope) (n int) {
	sum := func(args []ast.ExprNode) (n int) {
		for _, a := range args {
			width := d.textWidth(a, sc)
			if width < 0 {
				return -1
			}
			n += width
		}
		return n
	}
	switch e := syntax.Unparen(e).(type) {
	case ast.ValueExpr:
		switch value := e.GetValue().(type) {
		case string:
			return utf8.RuneCountInString(value)
		case int64:
			return len(strconv.FormatInt(value, 10))
		}
	case *ast.FuncCastExpr:
		if width := e.Tp.GetFlen(); e.Tp.EvalType() == parsertypes.ETString && width > 0 {
			return width
		} else if e.Tp.EvalType() == parsertypes.ETString {
			return sum([]ast.ExprNode{e.Expr})
		}
	case *ast.ColumnNameExpr:
		v := d.scalar(e, sc)
		for _, member := range v.typ.Enum {
			n = max(n, utf8.RuneCountInString(member))
		}
		if name, size, ok := strings.Cut(v.declared, "("); ok && (name == "varchar" || name == "char") {
			n, _ = strconv.Atoi(strings.TrimSuffix(size, ")"))
		}
		if n == 0 {
			n = cmp.Or(numberWidths[v.declared], -1)
		}
		return n
	case *ast.FuncCallExpr:
		if name := e.FnName.L; name == "concat" || name == "upper" || name == "lower" || name == "trim" {
			return sum(e.Args)
		}
	}
	return -1
}

// numberWidths are the characters of a whole number as a text.
var numberWidths = map[string]int{"tinyint": 4, "smallint": 6, "mediumint": 9, "int": 11, "int(11)": 11, "bigint": 20,
	"bigint(20)": 20, "int unsigned": 10, "int(10) unsigned": 10}

// refersTo says that a table of this name occurs below a node.
func refersTo(n ast.Node, name string) bool {
	named := func(t *ast.TableName) bool { return t.Name.L == name }
	return slices.ContainsFunc(syntax.All[*ast.TableName](n), named)
}
