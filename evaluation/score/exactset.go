package score

import (
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
		w.joined(block.Select.From)
		w.equal(syntax.Conjuncts(block.Select.Where))
	}
	bound.Stmt.Accept(w)
	return w.query(bound.Stmt)
}

// exactSet is the visitor that strips a tree down. Subqueries become names that are their own text.
type exactSet struct {
	bound *bind.Bound
	same  map[string]string // a column to the one that stands for it
}

// joined notes the foreign keys that joins follow.
func (w *exactSet) joined(from *ast.TableRefsClause) {
	if from == nil {
		return
	}
	var walk func(n ast.ResultSetNode)
	walk = func(n ast.ResultSetNode) {
		if j, ok := n.(*ast.Join); ok {
			walk(j.Left)
			walk(j.Right)
			if j.On != nil {
				w.equal(syntax.Conjuncts(j.On.Expr))
			}
		}
	}
	walk(from.TableRefs)
}

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
		if text == "" {
			text = strings.ToLower(e.Name.Name.O)
		}
		return syntax.ColumnExpr("", text), true
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
	var out []string
	add := func(clause string, parts []string) {
		if len(parts) > 0 {
			out = append(out, clause+" "+strings.Join(parts, ", "))
		}
	}
	switch q := n.(type) {
	case *ast.SetOprStmt:
		add("with", w.with(q.With))
		var shown []string
		for i, sel := range q.SelectList.Selects {
			if first, is := sel.(*ast.SelectStmt); is && i == 0 {
				shown = fields(first)
			}
			text := w.query(sel)
			if s, is := sel.(*ast.SelectStmt); is && s.AfterSetOperator != nil {
				text = s.AfterSetOperator.String() + " " + text
			}
			out = append(out, "("+text+")")
		}
		add("order", named(w.order(q.OrderBy), shown))
		if q.Limit != nil {
			out = append(out, "limit")
		}
	case *ast.SetOprSelectList:
		for _, sel := range q.Selects {
			out = append(out, "("+w.query(sel)+")")
		}
	case *ast.SelectStmt:
		add("with", w.with(q.With))
		shown := fields(q)
		add("select", sorted(slices.Clone(shown)))
		if q.From != nil {
			add("from", sorted(w.tables(q.From.TableRefs)))
		}
		add("where", conditions(q.Where))
		if q.GroupBy != nil {
			var keys []string
			for _, item := range q.GroupBy.Items {
				keys = append(keys, stripped(item.Expr))
			}
			add("group", sorted(named(keys, shown)))
		}
		if q.Having != nil {
			add("having", named(conditions(q.Having.Expr), shown))
		}
		add("order", named(w.order(q.OrderBy), shown))
		if q.Limit != nil {
			out = append(out, "limit")
		}
	}
	return strings.Join(out, " ")
}

// with are the common table expressions and their names.
func (w *exactSet) with(clause *ast.WithClause) []string {
	if clause == nil {
		return nil
	}
	var out []string
	for _, cte := range clause.CTEs {
		out = append(out, cte.Name.L+" ("+w.query(cte.Query.Query)+")")
	}
	return sorted(out)
}

func fields(q *ast.SelectStmt) []string {
	var out []string
	for _, f := range q.Fields.Fields {
		if f.WildCard != nil {
			out = append(out, "*")
		} else {
			out = append(out, stripped(f.Expr))
		}
	}
	return out
}

// named puts what is shown in the place of its alias.
func named(texts, shown []string) []string {
	for i := range texts {
		for k, field := range shown {
			texts[i] = strings.ReplaceAll(texts[i], fmt.Sprintf("`#%d`", k), field)
		}
	}
	return texts
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

func (w *exactSet) order(by *ast.OrderByClause) []string {
	if by == nil {
		return nil
	}
	var keys []string
	for _, item := range by.Items {
		key := stripped(item.Expr)
		if item.Desc {
			key += " desc"
		}
		keys = append(keys, key)
	}
	return keys
}

// conditions are the parts of an AND and OR tree as a set, and which of the two joins them.
func conditions(e ast.ExprNode) []string {
	var out []string
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
	out = sorted(out)
	for _, op := range []string{"and", "or"} {
		if joins[op] {
			out = append(out, op)
		}
	}
	return out
}

// stripped restores an expression; the two sides of a symmetric operator in one order.
func stripped(e ast.ExprNode) string {
	e = syntax.Unparen(e)
	if op, ok := e.(*ast.BinaryOperationExpr); ok {
		l, r := stripped(op.L), stripped(op.R)
		switch op.Op {
		case opcode.EQ, opcode.NE, opcode.Plus, opcode.Mul:
			if r < l {
				l, r = r, l
			}
		}
		return l + " " + op.Op.String() + " " + r
	}
	text, err := syntax.Restore(e)
	if err != nil {
		return ""
	}
	return text
}

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}
