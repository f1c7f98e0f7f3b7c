package sqlcheck

import (
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/syntax"
)

// guardEmpty gives REGEXP_REPLACE no empty text, which ends a MySQL 8.0.15 with signal 6 behind a row in which
// something was replaced:
//
//	REGEXP_REPLACE(x, 'a', 'b') → IF(LENGTH(x) = 0, x, REGEXP_REPLACE(x, 'a', 'b'))
//
// It is false where more than maxReplaced calls stand in each other, which would triple the text for each.
func guardEmpty(stmt ast.StmtNode) bool {
	g := &emptyGuard{guarded: map[*ast.FuncCallExpr]bool{}}
	stmt.Accept(g)
	return !g.tooDeep
}

const maxReplaced = 5

type emptyGuard struct {
	guarded map[*ast.FuncCallExpr]bool
	depth   int
	tooDeep bool
}

// Enter implements ast.Visitor. What is guarded already stays as it is.
func (g *emptyGuard) Enter(n ast.Node) (ast.Node, bool) {
	if call, ok := n.(*ast.FuncCallExpr); ok && call.FnName.L == "if" && len(call.Args) == 3 {
		inner, ok := call.Args[2].(*ast.FuncCallExpr)
		if ok && inner.FnName.L == "regexp_replace" {
			is, _ := syntax.Print(call.Args[0])
			want, _ := syntax.Print(isEmpty(inner.Args[0]))
			g.guarded[inner] = is == want
		}
	}
	if g.replaces(n) {
		g.depth++
		g.tooDeep = g.tooDeep || g.depth > maxReplaced
	}
	return n, g.tooDeep
}

func (g *emptyGuard) replaces(n ast.Node) bool {
	call, ok := n.(*ast.FuncCallExpr)
	return ok && call.FnName.L == "regexp_replace" && !g.guarded[call]
}

// Leave implements ast.Visitor.
func (g *emptyGuard) Leave(n ast.Node) (ast.Node, bool) {
	if !g.replaces(n) {
		return n, true
	}
	g.depth--
	call := n.(*ast.FuncCallExpr)
	x := call.Args[0]
	if text, literal := syntax.LiteralText(x); literal && text != "" || g.tooDeep {
		return n, true
	}
	return &ast.FuncCallExpr{FnName: ast.NewCIStr("IF"), Args: []ast.ExprNode{isEmpty(x), x, call}}, true
}

func isEmpty(x ast.ExprNode) ast.ExprNode {
	length := &ast.FuncCallExpr{FnName: ast.NewCIStr("LENGTH"), Args: []ast.ExprNode{x}}
	return &ast.BinaryOperationExpr{Op: opcode.EQ, L: length, R: ast.NewValueExpr(0, "", "")}
}
