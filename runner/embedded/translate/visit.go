package translate

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
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

// joinsOuter says that a FROM clause has an outer join outside of subqueries.
func joinsOuter(n ast.Node) (found bool) {
	visitBlock(n, func(n ast.Node) {
		join, ok := n.(*ast.Join)
		found = found || ok && (join.Tp == ast.LeftJoin || join.Tp == ast.RightJoin)
	})
	return found
}

// hasColumn says that a column is named in n or below.
func hasColumn(n ast.Node) (found bool) {
	syntax.Visit(n, func(n ast.Node) bool {
		if _, ok := n.(*ast.ColumnNameExpr); ok {
			found = true
		}
		return !found
	})
	return found
}
