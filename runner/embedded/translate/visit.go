package translate

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
)

// has says that is holds for n or a node below it that does not stand in a subquery.
func has(n ast.Node, is func(ast.Node) bool) (found bool) {
	visitBlock(n, func(n ast.Node) { found = found || is(n) })
	return found
}

func isWindow(n ast.Node) bool { _, ok := n.(*ast.WindowFuncExpr); return ok }

func isAggregate(n ast.Node) bool { _, ok := n.(*ast.AggregateFuncExpr); return ok }

// hasSorted says that there is an aggregate outside of subqueries that MySQL computes only of sorted groups.
func hasSorted(n *ast.SelectStmt) bool {
	is := func(n ast.Node) bool {
		a, ok := n.(*ast.AggregateFuncExpr)
		return ok && (a.Distinct || slices.Contains([]string{ast.AggFuncGroupConcat, ast.AggFuncJsonArrayagg,
			ast.AggFuncJsonObjectAgg}, strings.ToLower(a.F)))
	}
	return has(n.Fields, is) || n.Having != nil && has(n.Having.Expr, is)
}

// isRandom says that n is RAND or UUID.
func isRandom(n ast.Node) bool {
	f, ok := n.(*ast.FuncCallExpr)
	return ok && (f.FnName.L == "rand" || f.FnName.L == "uuid")
}

// visitBlock calls f with n and the nodes below it that do not stand in a subquery.
func visitBlock(n ast.Node, f func(n ast.Node)) {
	syntax.Visit(n, func(n ast.Node) bool {
		if _, sub := n.(*ast.SubqueryExpr); sub {
			return false
		}
		f(n)
		return true
	})
}

// isOuter says that n is an outer join.
func isOuter(n ast.Node) bool {
	join, ok := n.(*ast.Join)
	return ok && (join.Tp == ast.LeftJoin || join.Tp == ast.RightJoin)
}

// hasColumn says that a column is named in n or below.
func hasColumn(n ast.Node) (found bool) {
	syntax.Visit(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ColumnNameExpr, *ast.AggregateFuncExpr, *ast.WindowFuncExpr:
			found = true
		}
		return !found
	})
	return found
}
