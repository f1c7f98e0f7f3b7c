package edit

import "github.com/pingcap/tidb/pkg/parser/ast"

// Replace walks over an expression outside of its subqueries, and puts what f returns on the way out in the place of
// what it was given.
func Replace(e ast.ExprNode, f func(n ast.ExprNode, enters bool) ast.ExprNode) ast.ExprNode {
	out, _ := e.Accept(replacer(f))
	return out.(ast.ExprNode)
}

// Rewrite walks over the expressions of a statement, subqueries and all, and puts what f returns in the place of what
// it was given, the innermost first.
func Rewrite(stmt ast.Node, f func(n ast.ExprNode) ast.ExprNode) { stmt.Accept(rewriter(f)) }

// rewriter makes a function a visitor of the parser.
type rewriter func(n ast.ExprNode) ast.ExprNode

// Enter implements [ast.Visitor].
func (rewriter) Enter(n ast.Node) (ast.Node, bool) { return n, false }

// Leave implements [ast.Visitor].
func (f rewriter) Leave(n ast.Node) (ast.Node, bool) {
	if e, is := n.(ast.ExprNode); is {
		return f(e), true
	}
	return n, true
}

// replacer makes a function a visitor of the parser.
type replacer func(n ast.ExprNode, enters bool) ast.ExprNode

// Enter implements [ast.Visitor].
func (f replacer) Enter(n ast.Node) (ast.Node, bool) {
	if e, is := n.(ast.ExprNode); is {
		_, sub := e.(*ast.SubqueryExpr)
		f(e, true)
		return n, sub
	}
	return n, false
}

// Leave implements [ast.Visitor].
func (f replacer) Leave(n ast.Node) (ast.Node, bool) {
	if e, is := n.(ast.ExprNode); is {
		return f(e, false), true
	}
	return n, true
}
