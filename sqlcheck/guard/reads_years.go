package guard

import (
	"regexp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// years reads the year out of what is no date: of a number that is one, and of a text that ends or begins with one.
// YEAR() of such is NULL, or another year. (MySQL 8.0 manual, "Date and Time Literals")
//
//	SELECT club FROM membership WHERE YEAR(year) = 2019 → SELECT club FROM membership WHERE year = 2019
//
//	SELECT YEAR(opened) FROM club → SELECT RIGHT(opened, 4) FROM club
func years(_ *draft.Text, b *bind.Bound) (why string) {
	edit.Rewrite(b.Stmt, func(n ast.ExprNode) ast.ExprNode {
		of, is := call(n, "year")
		if !is {
			return n
		}
		c, is := b.Column(of)
		if !is {
			return n
		}
		switch at := yearIn(c); at {
		case "":
			return n
		case "all":
			why = c.Name + " is a year, and no date"
			return of
		default:
			why = c.Name + " is a text with a year, and no date"
			return &ast.FuncCallExpr{FnName: ast.NewCIStr(at), Args: []ast.ExprNode{of, ast.NewValueExpr(4, "", "")}}
		}
	})
	return why
}

var (
	onlyYear  = regexp.MustCompile(`^(1[5-9]|20)\d\d$`)
	yearFirst = regexp.MustCompile(`^(1[5-9]|20)\d\d(\D|$)`)
	yearLast  = regexp.MustCompile(`(^|\D)(1[5-9]|20)\d\d$`)
	aDate     = regexp.MustCompile(`^\d{4}[-/.]\d`)
)

// yearIn says where a column that is no date has a year: "all" of it, "LEFT" or "RIGHT"; or "" where it has none.
func yearIn(c *schema.Column) string {
	if c.Kind() == schema.Number {
		if lastWord(c.Name) == "year" {
			return "all"
		}
		return ""
	}
	known, all := c.Held("")
	if !all {
		return ""
	}
	every := func(r *regexp.Regexp) bool {
		return !slices.ContainsFunc(known, func(v string) bool { return !r.MatchString(strings.TrimSpace(v)) })
	}
	switch {
	case len(known) == 0:
		return ""
	case every(onlyYear):
		return "all"
	case slices.ContainsFunc(known, aDate.MatchString):
		return ""
	case every(yearLast):
		return "RIGHT"
	case every(yearFirst):
		return "LEFT"
	}
	return ""
}

// call is the argument of a function of one.
func call(e ast.ExprNode, name string) (arg ast.ExprNode, ok bool) {
	f, is := syntax.Unparen(e).(*ast.FuncCallExpr)
	if !is || f.FnName.L != name || len(f.Args) != 1 {
		return nil, false
	}
	return f.Args[0], true
}
