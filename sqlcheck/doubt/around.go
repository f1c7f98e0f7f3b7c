package doubt

import (
	"fmt"
	"slices"
	"strconv"

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

// bareTexts finds texts and numbers that stand alone where a condition should, or texts that rows are sorted or grouped
// by: to MySQL the one is a number, mostly 0, and the other one the same for all rows. Of a < b < c it compares 0 or 1.
func bareTexts(c *Case) (out []sqlcheck.Finding) {
	for _, e := range syntax.All[*ast.BinaryOperationExpr](c.bound.Stmt) {
		if l, is := e.L.(*ast.BinaryOperationExpr); is && syntax.Comparison(e.Op) && syntax.Comparison(l.Op) {
			out = append(out, advice("join two comparisons with AND", "what is compared is a comparison, 0 or 1")...)
		}
		for _, side := range []ast.ExprNode{e.L, e.R} {
			text, is := syntax.LiteralText(side)
			if n, number := syntax.LiteralCount(side); number && n > 1 {
				text, is = strconv.Itoa(n), true
			}
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

// nothingFound finds a result without a row, of NULLs alone, or that counts nothing. One that hangs on the clock says
// that nothing is as new.
func nothingFound(c *Case) []sqlcheck.Finding {
	if !c.Ran || c.Query != nil && len(sqlcheck.Unsteady(*c.Query)) > 0 {
		return nil
	}
	if what := Nothing(c.Rows); what != "" {
		return finding("the query found %s", what)
	}
	return nil
}

// Nothing says of rows that hold nothing what they are: none, NULL alone, or a count of 0. "" if they hold something.
func Nothing(rows [][]any) string {
	hasValue := func(row []any) bool { return slices.ContainsFunc(row, func(v any) bool { return v != nil }) }
	switch {
	case len(rows) == 0:
		return "nothing"
	case !slices.ContainsFunc(rows, hasValue):
		return "nothing but NULL"
	case len(rows) == 1 && len(rows[0]) == 1 && fmt.Sprint(rows[0][0]) == "0":
		return "nothing: it is 0"
	}
	return ""
}

// unfinished finds an answer that did not pass all that it should.
func unfinished(c *Case) []sqlcheck.Finding {
	if c.Unfinished == "" {
		return nil
	}
	return []sqlcheck.Finding{{Message: c.Unfinished}}
}

// splitVote finds an answer that has no majority of the model's candidates.
func splitVote(c *Case) []sqlcheck.Finding {
	if 2*c.Agree > c.Tries || c.Tries == 0 {
		return nil
	}
	return finding("only %d of %d tries agreed on this result", c.Agree, c.Tries)
}
