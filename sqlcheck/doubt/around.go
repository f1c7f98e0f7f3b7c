package doubt

import (
	"slices"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/syntax"
)

// outerColumn finds a subquery that shows a column of the query around it, or an aggregate of one, where it is
// compared with or looked up in: each row is compared with itself then. (MySQL 8.0 manual, "Correlated Subqueries")
func outerColumn(c *Case) []sqlcheck.Finding {
	var out []sqlcheck.Finding
	check := func(e ast.ExprNode) {
		sel, is := edit.Subquery(syntax.Unparen(e))
		if !is || sel.From == nil || sel.Fields == nil || len(sel.Fields.Fields) != 1 {
			return
		}
		shown := syntax.ColumnNames(sel.Fields)
		own := func(name *ast.ColumnName) bool {
			ref := c.bound.Ref(name)
			return ref == nil || ref.Home == nil || ref.Home == ref.Block
		}
		if len(shown) > 0 && !slices.ContainsFunc(shown, own) {
			out = append(out, finding("a subquery shows %s of the query around it, and nothing of its own",
				shown[0].Name.O)...)
		}
	}
	syntax.Visit(c.bound.Stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.PatternInExpr:
			check(n.Sel)
		case *ast.CompareSubqueryExpr:
			check(n.R)
		case *ast.BinaryOperationExpr:
			if syntax.Comparison(n.Op) {
				check(n.L)
				check(n.R)
			}
		}
		return true
	})
	return out
}

// selfComparison finds a column that is compared with itself, as where a subquery was to look at the row around it.
func selfComparison(c *Case) []sqlcheck.Finding {
	var out []sqlcheck.Finding
	edit.Comparisons(c.bound.Stmt, func(_ opcode.Op, l, r ast.ExprNode) {
		a, b := c.bound.RefOf(l), c.bound.RefOf(r)
		if a != nil && b != nil && a.Source != nil && a.Source == b.Source && a.Index == b.Index {
			out = append(out, finding("%s is compared with itself", a.Name.Name.O)...)
		}
	})
	return out
}

// firstOfAll finds a query that keeps the first rows of all, where the question asks for the first of each group.
func firstOfAll(c *Case) []sqlcheck.Finding {
	top, asks := c.Question.TopOfEach()
	sel, is := c.bound.Stmt.(*ast.SelectStmt)
	if !asks || !is || sel.Limit == nil || syntax.LimitCount(sel.Limit) != top.Count {
		return nil
	}
	each := c.Question.Words[top.Of].Low
	return finding("the question asks for the first of each %s, and the query keeps the first of all", each)
}
