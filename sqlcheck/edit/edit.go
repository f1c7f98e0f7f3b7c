// Package edit is the one kit for syntax trees whose names are bound: joins, query blocks, conditions and
// expressions, read and changed. It knows no rule, no question and no policy: guards, doubts and suites say what they
// want, edit says how a tree is made so. Begin with the file of what is to be changed. It imports bind, schema and
// syntax.
package edit

import "github.com/pingcap/tidb/pkg/parser/ast"

// Replace walks over an expression outside of its subqueries, and puts what f returns on the way out in the place of
// what it was given.
func Replace(e ast.ExprNode, f func(n ast.ExprNode, enters bool) ast.ExprNode) ast.ExprNode {
	out, _ := e.Accept(replacer{f: f})
	return out.(ast.ExprNode)
}

// Rewrite walks over the expressions of a statement, subqueries and all, and puts what f returns in the place of what
// it was given, the innermost first.
func Rewrite(stmt ast.Node, f func(n ast.ExprNode) ast.ExprNode) {
	stmt.Accept(replacer{true, func(n ast.ExprNode, enters bool) ast.ExprNode {
		if enters {
			return n
		}
		return f(n)
	}})
}

// replacer makes a function a visitor of the parser, of subqueries too if it is deep.
type replacer struct {
	deep bool
	f    func(n ast.ExprNode, enters bool) ast.ExprNode
}

// Enter implements [ast.Visitor].
func (r replacer) Enter(n ast.Node) (ast.Node, bool) {
	if e, is := n.(ast.ExprNode); is {
		r.f(e, true)
	}
	_, sub := n.(*ast.SubqueryExpr)
	return n, sub && !r.deep
}

// Leave implements [ast.Visitor].
func (r replacer) Leave(n ast.Node) (ast.Node, bool) {
	if e, is := n.(ast.ExprNode); is {
		return r.f(e, false), true
	}
	return n, true
}
