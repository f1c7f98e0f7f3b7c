package guard

import (
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/syntax"
)

// manyrows lets what is compared with a subquery be any of its rows, or none of them. Of one row it means the same.
//
//	SELECT city FROM wards WHERE wardCode = (SELECT wardCode FROM doctors)
//	→ SELECT city FROM wards WHERE wardCode IN (SELECT wardCode FROM doctors)
func manyrows(_ *draft.Text, b *bind.Bound) (why string) {
	edit.Rewrite(b.Stmt, func(n ast.ExprNode) ast.ExprNode {
		e, is := n.(*ast.BinaryOperationExpr)
		if !is || e.Op != opcode.EQ && e.Op != opcode.NE {
			return n
		}
		of, rows := e.L, e.R
		if _, is := syntax.Unparen(rows).(*ast.SubqueryExpr); !is {
			of, rows = e.R, e.L
		}
		sub := syntax.Unparen(rows)
		if sel, is := edit.Subquery(sub); !is || sel.Limit != nil {
			return n
		}
		why = "a subquery with several rows is a list"
		return &ast.PatternInExpr{Expr: of, Not: e.Op == opcode.NE, Sel: sub}
	})
	return why
}
