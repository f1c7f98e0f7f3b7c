package doubt

import (
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/syntax"
)

// selfComparison finds a column that is compared with itself, as where a subquery was to look at the row around it.
func selfComparison(c *Case) (out []sqlcheck.Finding) {
	edit.Comparisons(c.bound.Stmt, func(_ opcode.Op, l, r ast.ExprNode) {
		a, b := c.bound.RefOf(l), c.bound.RefOf(r)
		if a != nil && b != nil && a.Source != nil && a.Source == b.Source && a.Index == b.Index {
			out = append(out, finding("%s is compared with itself", a.Name.Name.O)...)
		}
	})
	return out
}

// bareTexts finds texts that stand alone where a condition should, or what rows are sorted or grouped by: to MySQL the
// one is a number, mostly 0, and the other one the same for all rows.
func bareTexts(c *Case) (out []sqlcheck.Finding) {
	for _, e := range syntax.All[*ast.BinaryOperationExpr](c.bound.Stmt) {
		for _, side := range []ast.ExprNode{e.L, e.R} {
			text, is := syntax.LiteralText(side)
			if is && (e.Op == opcode.LogicOr || e.Op == opcode.LogicAnd || e.Op == opcode.LogicXor) {
				out = append(out, advice("compare a column with it", "'%s' alone is no condition", text)...)
			}
		}
	}
	for _, by := range syntax.All[*ast.ByItem](c.bound.Stmt) {
		if text, is := syntax.LiteralText(by.Expr); is {
			out = append(out, advice("names stand in backquotes", "'%s' is a text, the same for all rows", text)...)
		}
	}
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
