package sqlcheck

import (
	"github.com/pingcap/tidb/pkg/parser/ast"
)

// What other packages need to read and change the trees of checked queries.

// Tree parses a query that was checked against s once more and binds it. The tree is the caller's to change.
// ok is false if there is no schema to bind to.
func Tree(q Query, s *Schema) (b *Bound, ok bool) {
	stmt, ok := oneSelect(q.sql)
	if !ok || s == nil {
		return nil, false
	}
	b, issues := bind(stmt, s)
	return b, len(issues) == 0
}

// Restore writes a tree as SQL text. It leaves the tree as it was, but changes it meanwhile.
func Restore(n ast.Node) (string, error) { return restore(n) }

// Unparen takes the parentheses off an expression.
func Unparen(expr ast.ExprNode) ast.ExprNode { return unparen(expr) }

// Conjuncts are the conditions of an AND tree; none of nil.
func Conjuncts(cond ast.ExprNode) []ast.ExprNode { return parts(cond) }

// ColumnExpr builds the expression of a column, qualified if qualifier is not empty.
func ColumnExpr(qualifier, name string) *ast.ColumnNameExpr { return columnExpr(qualifier, name) }

// LiteralCount is the number that a part of LIMIT is; ok is false if it is none that fits.
func LiteralCount(expr ast.ExprNode) (n int, ok bool) { return literalCount(expr) }
