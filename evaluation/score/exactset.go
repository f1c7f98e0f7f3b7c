package score

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// ExactSet writes a query as the sets of its clauses' parts: two queries have the same text if they are the same up to
// what Spider's exact set match leaves out (Yu et al. 2018, "Spider: A Large-Scale Human-Labeled Dataset", §5):
// aliases, literals, DISTINCT, the conditions of joins, and the order of parts wherever it has no meaning. Columns that
// a join along a foreign key makes equal are one column; those that only refer to the same table are not. q was
// checked against s.
func ExactSet(q sqlcheck.Query, s *schema.Schema) string {
	bound, ok := sqlcheck.Tree(q, s)
	if !ok {
		return ""
	}
	w := &exactSet{bound: bound, same: map[string]string{}}
	for _, block := range bound.Blocks {
		conds := syntax.Conjuncts(block.Select.Where)
		if from := block.Select.From; from != nil {
			conds = append(conds, joins(from.TableRefs)...)
		}
		w.equal(conds)
	}
	bound.Stmt.Accept(w)
	return w.query(bound.Stmt)
}

// exactSet is the visitor that strips a tree down. Subqueries become names that are their own text.
type exactSet struct {
	bound *bind.Bound
	same  map[string]string // a column to the one that stands for it
}

// joins are the conditions of joins.
func joins(n ast.ResultSetNode) []ast.ExprNode {
	j, ok := n.(*ast.Join)
	if !ok {
		return nil
	}
	conds := append(joins(j.Left), joins(j.Right)...)
	if j.On != nil {
		conds = append(conds, syntax.Conjuncts(j.On.Expr)...)
	}
	return conds
}

// equal notes the foreign keys that conditions follow.
func (w *exactSet) equal(conds []ast.ExprNode) {
	for _, cond := range conds {
		eq, ok := cond.(*ast.BinaryOperationExpr)
		if !ok || eq.Op != opcode.EQ {
			continue
		}
		left, lt, lc := w.column(eq.L)
		right, rt, rc := w.column(eq.R)
		switch {
		case lt == nil || rt == nil:
		case refers(lt, lc, rt, rc):
			w.same[left] = right
		case refers(rt, rc, lt, lc):
			w.same[right] = left
		}
	}
}

func (w *exactSet) column(e ast.ExprNode) (string, *schema.Table, *schema.Column) {
	t, c := w.bound.RefOf(e).Column()
	if t == nil || c == nil {
		return "", nil, nil
	}
	return strings.ToLower(t.Name + "." + c.Name), t, c
}

// refers says that a foreign key of t makes column c point at column rc of rt.
func refers(t *schema.Table, c *schema.Column, rt *schema.Table, rc *schema.Column) bool {
	return slices.ContainsFunc(t.ForeignKeys, func(fk schema.ForeignKey) bool {
		if fk.Inferred {
			return false
		}
		i := slices.IndexFunc(fk.Columns, func(name string) bool { return strings.EqualFold(name, c.Name) })
		return i >= 0 && i < len(fk.RefColumns) && strings.EqualFold(fk.RefTable, rt.Name) &&
			strings.EqualFold(fk.RefColumns[i], rc.Name)
	})
}

// Enter implements ast.Visitor. The query of a common table expression cannot become a name: the parser's tree has no
// place for one there.
func (w *exactSet) Enter(n ast.Node) (ast.Node, bool) {
	if cte, ok := n.(*ast.CommonTableExpression); ok {
		cte.Query.Query.Accept(w)
		return n, true
	}
	return n, false
}

// Leave implements ast.Visitor.
func (w *exactSet) Leave(n ast.Node) (ast.Node, bool) {
	switch e := n.(type) {
	case *test_driver.ValueExpr:
		return ast.NewValueExpr("value", "", ""), true
	case *ast.ColumnNameExpr:
		if ref := w.bound.Ref(e.Name); ref != nil && ref.Source == nil && ref.Output >= 0 {
			return syntax.ColumnExpr("", fmt.Sprintf("#%d", ref.Output)), true
		}
		text, _, _ := w.column(e)
		for i := 0; i < len(w.same) && w.same[text] != ""; i++ {
			text = w.same[text]
		}
		return syntax.ColumnExpr("", cmp.Or(text, strings.ToLower(e.Name.Name.O))), true
	case *ast.AggregateFuncExpr:
		e.Distinct = false
	case *ast.SubqueryExpr:
		return syntax.ColumnExpr("", "("+w.query(e.Query)+")"), true
	case *ast.ParenthesesExpr:
		return e.Expr, true
	}
	return n, true
}

// query is the text of a stripped query.
func (w *exactSet) query(n ast.Node) string {
	var out, shown []string
	add := func(clause string, asSet bool, parts []string) {
		for i := range parts {
			for k, field := range shown { // what is shown stands for its alias
				parts[i] = strings.ReplaceAll(parts[i], fmt.Sprintf("`#%d`", k), field)
			}
		}
		if asSet {
			slices.Sort(parts)
		}
		if len(parts) > 0 {
			out = append(out, clause+" "+strings.Join(parts, ", "))
		}
	}
	with := func(clause *ast.WithClause) {
		if clause != nil {
			add("with", true, syntax.Map(clause.CTEs, func(cte *ast.CommonTableExpression) string {
				return cte.Name.L + " (" + w.query(cte.Query.Query) + ")"
			}))
		}
	}
	tail := func(by *ast.OrderByClause, limit *ast.Limit) string {
		if by != nil {
			add("order", false, syntax.Map(by.Items, func(item *ast.ByItem) string {
				return stripped(item.Expr) + map[bool]string{true: " desc"}[item.Desc]
			}))
		}
		if limit != nil {
			out = append(out, "limit")
		}
		return strings.Join(out, " ")
	}
	switch q := n.(type) {
	case *ast.SetOprStmt:
		with(q.With)
		for i, sel := range q.SelectList.Selects {
			text := w.query(sel)
			if s, is := sel.(*ast.SelectStmt); is {
				if i == 0 {
					shown = fields(s)
				}
				if s.AfterSetOperator != nil {
					text = s.AfterSetOperator.String() + " " + text
				}
			}
			out = append(out, "("+text+")")
		}
		return tail(q.OrderBy, q.Limit)
	case *ast.SetOprSelectList:
		return strings.Join(syntax.Map(q.Selects, func(sel ast.Node) string { return "(" + w.query(sel) + ")" }), " ")
	case *ast.SelectStmt:
		with(q.With)
		add("select", true, fields(q))
		shown = fields(q)
		if q.From != nil {
			add("from", true, w.tables(q.From.TableRefs))
		}
		add("where", false, conditions(q.Where))
		if q.GroupBy != nil {
			add("group", true, syntax.Map(q.GroupBy.Items,
				func(item *ast.ByItem) string { return stripped(item.Expr) }))
		}
		if q.Having != nil {
			add("having", false, conditions(q.Having.Expr))
		}
		return tail(q.OrderBy, q.Limit)
	}
	return ""
}

func fields(q *ast.SelectStmt) []string {
	return syntax.Map(q.Fields.Fields, func(f *ast.SelectField) string {
		if f.WildCard != nil {
			return "*"
		}
		return stripped(f.Expr)
	})
}

// tables are the names of what FROM reads; derived tables are their queries.
func (w *exactSet) tables(n ast.ResultSetNode) []string {
	switch t := n.(type) {
	case *ast.Join:
		if t.Right == nil {
			return w.tables(t.Left)
		}
		return append(w.tables(t.Left), w.tables(t.Right)...)
	case *ast.TableSource:
		if name, ok := t.Source.(*ast.TableName); ok {
			return []string{strings.ToLower(name.Name.O)}
		}
		return []string{"(" + w.query(t.Source) + ")"}
	}
	return nil
}

// conditions are the parts of an AND and OR tree as a set, and which of the two joins them.
func conditions(e ast.ExprNode) (out []string) {
	joins := map[string]bool{}
	var walk func(e ast.ExprNode)
	walk = func(e ast.ExprNode) {
		if op, ok := syntax.Unparen(e).(*ast.BinaryOperationExpr); ok && (op.Op == opcode.LogicAnd ||
			op.Op == opcode.LogicOr) {
			joins[op.Op.String()] = true
			walk(op.L)
			walk(op.R)
			return
		}
		out = append(out, stripped(e))
	}
	if e == nil {
		return nil
	}
	walk(e)
	slices.Sort(out)
	return append(out, syntax.Filter([]string{"and", "or"}, func(op string) bool { return joins[op] })...)
}

// stripped restores an expression; the two sides of a symmetric operator in one order.
func stripped(e ast.ExprNode) string {
	e = syntax.Unparen(e)
	if op, ok := e.(*ast.BinaryOperationExpr); ok {
		l, r := stripped(op.L), stripped(op.R)
		if r < l && slices.Contains([]opcode.Op{opcode.EQ, opcode.NE, opcode.Plus, opcode.Mul}, op.Op) {
			l, r = r, l
		}
		return l + " " + op.Op.String() + " " + r
	}
	text, err := syntax.Restore(e)
	if err != nil {
		return ""
	}
	return text
}
