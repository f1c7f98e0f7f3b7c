package embedded

import "github.com/pingcap/tidb/pkg/parser/ast"

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
