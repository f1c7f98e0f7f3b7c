package guard

import (
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

// manyRows lets what is compared with a subquery be any of its rows, or none of them. Of one row it means the same.
func manyRows(_ string, b *bind.Bound, _ Input) (why string) {
	rewrite(b.Stmt, func(n ast.ExprNode) ast.ExprNode {
		e, is := n.(*ast.BinaryOperationExpr)
		if !is || e.Op != opcode.EQ && e.Op != opcode.NE {
			return n
		}
		of, rows := e.L, e.R
		if _, is := syntax.Unparen(rows).(*ast.SubqueryExpr); !is {
			of, rows = e.R, e.L
		}
		sub, is := syntax.Unparen(rows).(*ast.SubqueryExpr)
		if sel, single := subquery(sub); !is || !single || sel.Limit != nil {
			return n
		}
		why = "a subquery with several rows is a list"
		return &ast.PatternInExpr{Expr: of, Not: e.Op == opcode.NE, Sel: sub}
	})
	return why
}

// subquery is the SELECT of a subquery, if it is one.
func subquery(sub *ast.SubqueryExpr) (sel *ast.SelectStmt, ok bool) {
	if sub == nil {
		return nil, false
	}
	sel, ok = sub.Query.(*ast.SelectStmt)
	return sel, ok
}
