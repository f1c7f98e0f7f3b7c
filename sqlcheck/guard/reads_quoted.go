package guard

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/syntax"
)

// quoted takes a text in double quotes for the column that it names, as standard SQL does, where no text makes sense:
// as an item of the result, in GROUP BY and ORDER BY, in an aggregate, and compared with another constant.
//
//	SELECT SUM("fee") FROM club WHERE "town" = "York" → SELECT SUM(fee) FROM club WHERE town = 'York'
//
//	SELECT title FROM club ORDER BY "fee" DESC → SELECT title FROM club ORDER BY fee DESC
func quoted(t *draft.Text, b *bind.Bound) (why string) {
	if !strings.Contains(t.SQL, `"`) {
		return ""
	}
	for _, block := range b.Blocks {
		n, sel := quotedNames{t.SQL, block, &why}, block.Select
		for _, f := range sel.Fields.Fields {
			n.item(&f.Expr)
		}
		if sel.GroupBy != nil {
			for _, it := range sel.GroupBy.Items {
				n.item(&it.Expr)
			}
		}
		if sel.OrderBy != nil {
			for _, it := range sel.OrderBy.Items {
				n.item(&it.Expr)
			}
		}
		n.inside(&sel.Where)
		if sel.Having != nil {
			n.inside(&sel.Having.Expr)
		}
		edit.Joins(sel, func(j *ast.Join) {
			if j.On != nil {
				n.inside(&j.On.Expr)
			}
		})
	}
	return why
}

// quotedNames puts columns of a block in the place of texts that stand in double quotes in sql.
type quotedNames struct {
	sql   string
	block *bind.Block
	why   *string
}

// item mends a text that is the whole expression, and what is inside of any other.
func (q quotedNames) item(e *ast.ExprNode) {
	if *e != nil {
		*e = q.name(*e)
		q.inside(e)
	}
}

// inside mends what an expression does with constants alone.
func (q quotedNames) inside(e *ast.ExprNode) {
	if *e == nil {
		return
	}
	*e = edit.Replace(*e, func(n ast.ExprNode, enters bool) ast.ExprNode {
		if enters {
			return n
		}
		switch n := n.(type) {
		case *ast.AggregateFuncExpr:
			for i := range n.Args {
				n.Args[i] = q.name(n.Args[i])
			}
		case *ast.BinaryOperationExpr:
			if syntax.Comparison(n.Op) && edit.IsConstant(n.L) && edit.IsConstant(n.R) {
				n.L = q.name(n.L)
			}
		case *ast.PatternLikeOrIlikeExpr:
			if edit.IsConstant(n.Pattern) {
				n.Expr = q.name(n.Expr)
			}
		case *ast.PatternInExpr:
			if !slices.ContainsFunc(n.List, func(e ast.ExprNode) bool { return !edit.IsConstant(e) }) {
				n.Expr = q.name(n.Expr)
			}
		case *ast.BetweenExpr:
			if edit.IsConstant(n.Left) && edit.IsConstant(n.Right) {
				n.Expr = q.name(n.Expr)
			}
		case *ast.IsNullExpr:
			n.Expr = q.name(n.Expr)
		}
		return n
	})
}

// name is the column of the block that a text names, or the expression itself.
func (q quotedNames) name(e ast.ExprNode) ast.ExprNode {
	text, is := syntax.LiteralText(e)
	if !is || !strings.Contains(q.sql, `"`+text+`"`) {
		return e
	}
	name := &ast.ColumnName{Name: ast.NewCIStr(text)}
	if len(edit.Owners(q.block, name)) != 1 {
		return e
	}
	*q.why = `"` + text + `" is a column; MySQL reads a text`
	return &ast.ColumnNameExpr{Name: name}
}
