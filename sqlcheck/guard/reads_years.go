package guard

import (
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/schema"
)

// years reads the year out of what is no date: of a number or a text that is one. YEAR() of such is NULL, or another
// year. (MySQL 8.0 manual, "Date and Time Literals")
//
//	SELECT club FROM membership WHERE YEAR(year) = 2019 → SELECT club FROM membership WHERE year = 2019
func years(_ *draft.Text, b *bind.Bound) (why string) {
	edit.Rewrite(b.Stmt, func(n ast.ExprNode) ast.ExprNode {
		f, is := n.(*ast.FuncCallExpr)
		if !is || f.FnName.L != "year" || len(f.Args) != 1 {
			return n
		}
		c, is := b.Column(f.Args[0])
		if !is || !isYear(c) {
			return n
		}
		why = c.Name + " is a year, and no date"
		return f.Args[0]
	})
	return why
}

// isYear reports whether the values of a column are years.
func isYear(c *schema.Column) bool {
	if c.Kind() == schema.Number {
		return lastWord(c.Name) == "year"
	}
	known, all := c.Held("")
	return all && len(known) > 0 &&
		!slices.ContainsFunc(known, func(v string) bool { return !aYear.MatchString(strings.TrimSpace(v)) })
}

// function is a call of one.
func function(name string, args ...ast.ExprNode) ast.ExprNode {
	return &ast.FuncCallExpr{FnName: ast.NewCIStr(name), Args: args}
}
