package guard

import (
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/syntax"
)

// nulls keeps NULL out of the list of a NOT IN: one among the values of the subquery, and no row is ever found.
// (MySQL 8.0 manual, "Subqueries with ANY, IN, or SOME")
//
//	SELECT city FROM wards WHERE wardCode NOT IN (SELECT wardCode FROM doctors)
//	→ SELECT city FROM wards WHERE wardCode NOT IN (SELECT wardCode FROM doctors WHERE wardCode IS NOT NULL)
func nulls(_ *draft.Text, b *bind.Bound) (why string) {
	for _, n := range syntax.All[ast.Node](b.Stmt) {
		not := false
		if u, is := n.(*ast.UnaryOperationExpr); is && (u.Op == opcode.Not || u.Op == opcode.Not2) {
			not, n = true, syntax.Unparen(u.V)
		}
		in, is := n.(*ast.PatternInExpr)
		if !is || in.Not == not {
			continue
		}
		sel, field, one := edit.ColumnList(in)
		if !one {
			continue
		}
		col, known := b.Column(field)
		if !known || !col.Nullable || edit.NeverNull(sel, b, col) {
			continue
		}
		some := &ast.IsNullExpr{Expr: &ast.ColumnNameExpr{Name: field.Name}, Not: true}
		sel.Where = syntax.AllOf(append(syntax.Conjuncts(sel.Where), some))
		why = "a NULL among " + col.Name + " would leave NOT IN no row"
	}
	return why
}
