package translate

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

// hasWindow says that there is a window function outside of subqueries.
func hasWindow(n ast.Node) (found bool) {
	visitBlock(n, func(n ast.Node) {
		_, ok := n.(*ast.WindowFuncExpr)
		found = found || ok
	})
	return found
}

// hasAggregate says that there is an aggregate outside of subqueries.
func hasAggregate(n *ast.SelectStmt) (found bool) {
	look := func(n ast.Node) {
		_, ok := n.(*ast.AggregateFuncExpr)
		found = found || ok
	}
	visitBlock(n.Fields, look)
	if n.OrderBy != nil {
		visitBlock(n.OrderBy, look)
	}
	return found
}

// hasSorted says that there is an aggregate outside of subqueries that MySQL computes only of sorted groups.
func hasSorted(n *ast.SelectStmt) (found bool) {
	look := func(n ast.Node) {
		if a, ok := n.(*ast.AggregateFuncExpr); ok {
			switch strings.ToLower(a.F) {
			case ast.AggFuncGroupConcat, ast.AggFuncJsonArrayagg, ast.AggFuncJsonObjectAgg:
				found = true
			default:
				found = found || a.Distinct
			}
		}
	}
	visitBlock(n.Fields, look)
	if n.Having != nil {
		visitBlock(n.Having.Expr, look)
	}
	return found
}

// hasRandom says that RAND or UUID stands in e.
func hasRandom(e ast.Node) (found bool) {
	visitBlock(e, func(n ast.Node) {
		f, ok := n.(*ast.FuncCallExpr)
		found = found || ok && (f.FnName.L == "rand" || f.FnName.L == "uuid")
	})
	return found
}

// visit calls f with n and the nodes below it; where f returns false it goes no deeper.
func visit(n ast.Node, f func(n ast.Node) (deeper bool)) { n.Accept(visitor(f)) }

// visitBlock calls f with n and the nodes below it that do not stand in a subquery.
func visitBlock(n ast.Node, f func(n ast.Node)) {
	visit(n, func(n ast.Node) bool {
		if _, sub := n.(*ast.SubqueryExpr); sub {
			return false
		}
		f(n)
		return true
	})
}

// visitor makes a function a visitor of the parser.
type visitor func(n ast.Node) (deeper bool)

func (f visitor) Enter(n ast.Node) (ast.Node, bool) { return n, !f(n) }
func (f visitor) Leave(n ast.Node) (ast.Node, bool) { return n, true }

// hasColumn says that a column is named in n or below.
func hasColumn(n ast.Node) (found bool) {
	visit(n, func(n ast.Node) bool {
		if _, ok := n.(*ast.ColumnNameExpr); ok {
			found = true
		}
		return !found
	})
	return found
}
