package suite

import (
	"slices"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// neighboursOf are the queries that one small mistake makes of q, which was checked against s: another literal,
// operator, aggregate, column or join kind, a condition, key or DISTINCT more or less (Zhong et al. 2020, "Semantic
// Evaluation for Text-to-SQL with Distilled Test Suites", §3.2). All of them pass [sqlcheck.Check], none is the same
// text as q, and their order is always the same. Some mean what q means.
func neighboursOf(q sqlcheck.Query, s *schema.Schema) []string {
	var out []string
	seen := map[string]bool{q.SQL(): true}
	for n := 0; ; n++ {
		bound, ok := sqlcheck.Tree(q, s)
		if !ok {
			return nil
		}
		m := &mutator{bound: bound, target: n, partner: map[ast.Node]*schema.Column{}, keep: map[ast.Node]bool{}}
		bound.Stmt.Accept(m)
		if !m.done {
			return out
		}
		text, err := syntax.Restore(bound.Stmt)
		if err != nil {
			continue
		}
		near, v, err := sqlcheck.Check(text, s)
		if err == nil && v.OK && !seen[near.SQL()] {
			seen[near.SQL()] = true
			out = append(out, near.SQL())
		}
	}
}

// mutator is the visitor that makes one mistake: the one that it meets as number target.
type mutator struct {
	bound      *bind.Bound
	target, at int
	done       bool
	partner    map[ast.Node]*schema.Column // the column that a literal is compared with
	keep       map[ast.Node]bool           // literals that are no values
}

// hit counts a possible mistake and says whether it is the one to make.
func (m *mutator) hit() bool {
	m.at++
	if m.done || m.at-1 != m.target {
		return false
	}
	m.done = true
	return true
}

// Enter implements ast.Visitor. It notes what the literals further down are.
func (m *mutator) Enter(n ast.Node) (ast.Node, bool) {
	switch e := n.(type) {
	case *ast.BinaryOperationExpr:
		m.compared(e.L, e.R)
		m.compared(e.R, e.L)
	case *ast.PatternInExpr:
		for _, v := range e.List {
			m.compared(e.Expr, v)
		}
	case *ast.PatternLikeOrIlikeExpr:
		m.keep[e.Pattern] = true
	case *ast.Limit:
		m.keep[e.Count], m.keep[e.Offset] = true, true
	case *ast.AggregateFuncExpr:
		for _, arg := range e.Args {
			m.keep[arg] = true
		}
	case *ast.SelectField:
		m.keep[e.Expr] = true
	}
	return n, false
}

func (m *mutator) compared(column, value ast.ExprNode) {
	if ref := m.bound.RefOf(column); ref != nil {
		_, m.partner[value] = ref.Column()
	}
}

// Leave implements ast.Visitor.
func (m *mutator) Leave(n ast.Node) (ast.Node, bool) {
	if m.done {
		return n, true
	}
	switch e := n.(type) {
	case *ast.BinaryOperationExpr:
		return m.operation(e), true
	case *ast.UnaryOperationExpr:
		if (e.Op == opcode.Not || e.Op == opcode.Not2) && m.hit() {
			return e.V, true
		}
	case *ast.BetweenExpr:
		return m.between(e), true
	case *ast.PatternLikeOrIlikeExpr:
		m.like(e)
	case *ast.PatternInExpr:
		if m.hit() {
			e.Not = !e.Not
		}
		e.List = shortened(m, e.List)
	case *ast.IsNullExpr:
		if m.hit() {
			e.Not = !e.Not
		}
	case *ast.ExistsSubqueryExpr:
		if m.hit() {
			e.Not = !e.Not
		}
	case *ast.AggregateFuncExpr:
		m.aggregate(e)
	case *ast.FuncCallExpr:
		return m.call(e), true
	case *ast.ColumnNameExpr:
		m.column(e)
	case *test_driver.ValueExpr:
		return m.literal(e), true
	case *ast.SelectStmt:
		m.selection(e)
	case *ast.Limit:
		m.limit(e)
	case *ast.OrderByClause:
		for _, item := range e.Items {
			if m.hit() {
				item.Desc = !item.Desc
			}
		}
		e.Items = shortened(m, e.Items)
	case *ast.GroupByClause:
		e.Items = shortened(m, e.Items)
	case *ast.Join:
		m.join(e)
	case *ast.SetOprStmt:
		m.setOperation(e)
	}
	return n, true
}

// shortened leaves out one of several.
func shortened[T any](m *mutator, list []T) []T {
	for i := 0; i < len(list) && len(list) > 1; i++ {
		if m.hit() {
			list = slices.Delete(slices.Clone(list), i, i+1)
		}
	}
	return list
}
