package sqlcheck

import (
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

// dropOrder takes ORDER BY out of the SELECTs that give one row, and out of those that are grouped, for which it says
// nothing. MySQL 8.0.15 does so, too, and ends with signal 11 if a column of a derived table that is a subquery stands
// there and elsewhere:
//
//	SELECT MAX(x) FROM (SELECT (SELECT COUNT(*) FROM tag) AS x FROM doc) d ORDER BY x
//	SELECT DISTINCT x FROM (SELECT y AS x FROM (SELECT (SELECT 1 FROM tag) AS y FROM doc) d ORDER BY y) e
func dropOrder(b *bind.Bound) {
	for _, block := range b.Blocks {
		if block.Grouped && block.Select.GroupBy == nil {
			block.Select.OrderBy = nil
		}
		if block.Grouped || block.Select.Distinct {
			dropInner(block)
		}
	}
}

func dropInner(block *bind.Block) {
	for _, src := range block.Sources {
		if src.Inner != nil && src.Inner.Block != nil && src.Inner.Block.Select.Limit == nil {
			src.Inner.Block.Select.OrderBy = nil
			dropInner(src.Inner.Block)
		}
	}
}

// guardRegexps writes an IF around the functions of regular expressions that end a MySQL 8.0.15 for every client.
// REGEXP_REPLACE does so over an empty text behind a row in which something was replaced. REGEXP_SUBSTR of what is NOT
// NULL is taken to be so too, and where it finds nothing a sort that has no place for NULL ends with signal 11, IS NULL
// is false, and groups have an empty text:
//
//	REGEXP_REPLACE(x, 'a', 'b') → IF(LENGTH(x) = 0, x, REGEXP_REPLACE(x, 'a', 'b'))
//	REGEXP_SUBSTR(x, 'a') → IF(1, REGEXP_SUBSTR(x, 'a'), NULL)
//
// It is false where more than maxReplaced calls of REGEXP_REPLACE stand in each other, which would triple the text for
// each.
func guardRegexps(stmt ast.StmtNode) bool {
	g := &regexpGuard{guarded: map[*ast.FuncCallExpr]bool{}}
	stmt.Accept(g)
	return !g.tooDeep
}

const maxReplaced = 5

type regexpGuard struct {
	guarded map[*ast.FuncCallExpr]bool
	depth   int
	tooDeep bool
}

// Enter implements ast.Visitor. What is guarded already stays as it is.
func (g *regexpGuard) Enter(n ast.Node) (ast.Node, bool) {
	call, ok := n.(*ast.FuncCallExpr)
	if !ok {
		return n, g.tooDeep
	}
	if call.FnName.L == "if" && len(call.Args) == 3 {
		for _, arg := range call.Args[1:] {
			if inner, ok := arg.(*ast.FuncCallExpr); ok && guarded(inner) != inner {
				is, _ := syntax.Print(call)
				want, _ := syntax.Print(guarded(inner))
				g.guarded[inner] = is == want
			}
		}
	}
	if call.FnName.L == "regexp_replace" && !g.guarded[call] {
		g.depth++
		g.tooDeep = g.tooDeep || g.depth > maxReplaced
	}
	return n, g.tooDeep
}

// Leave implements ast.Visitor.
func (g *regexpGuard) Leave(n ast.Node) (ast.Node, bool) {
	call, ok := n.(*ast.FuncCallExpr)
	if !ok || g.guarded[call] || g.tooDeep {
		return n, true
	}
	if call.FnName.L == "regexp_replace" {
		g.depth--
	}
	return guarded(call), true
}

// guarded is a call as it is sent.
func guarded(call *ast.FuncCallExpr) ast.ExprNode {
	args := []ast.ExprNode{ast.NewValueExpr(1, "", ""), call, ast.NewValueExpr(nil, "", "")}
	switch call.FnName.L {
	case "regexp_replace":
		x := call.Args[0]
		if text, literal := syntax.LiteralText(x); literal && text != "" {
			return call
		}
		length := &ast.FuncCallExpr{FnName: ast.NewCIStr("LENGTH"), Args: []ast.ExprNode{x}}
		empty := &ast.BinaryOperationExpr{Op: opcode.EQ, L: length, R: ast.NewValueExpr(0, "", "")}
		args = []ast.ExprNode{empty, x, call}
	case "regexp_substr":
	default:
		return call
	}
	return &ast.FuncCallExpr{FnName: ast.NewCIStr("IF"), Args: args}
}
