package edit

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Constant is the text of a constant that is no NULL.
func Constant(n ast.ExprNode) (text string, isText, ok bool) {
	v, ok := syntax.Unparen(n).(*test_driver.ValueExpr)
	if !ok {
		return "", false, false
	}
	switch v.Kind() {
	case test_driver.KindString:
		return v.GetString(), true, true
	case test_driver.KindInt64:
		return strconv.FormatInt(v.GetInt64(), 10), false, true
	case test_driver.KindMysqlDecimal:
		return v.GetMysqlDecimal().String(), false, true
	}
	return "", false, false
}

// Comparisons calls f for every comparison in a statement; IN counts as one for each value.
func Comparisons(stmt ast.Node, f func(op opcode.Op, l, r ast.ExprNode)) {
	syntax.Visit(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryOperationExpr:
			if syntax.Comparison(n.Op) {
				f(n.Op, n.L, n.R)
			}
		case *ast.PatternInExpr:
			for _, item := range n.List {
				f(opcode.EQ, n.Expr, item)
			}
		}
		return true
	})
}

// DateLike is what texts and numbers begin with that are dates.
var DateLike = regexp.MustCompile(`^\d{4}-\d{1,2}-\d{1,2}|^\d{8}(\d{6})?$|^\d{14}$`)

// decimalComma is a number that has one.
var decimalComma = regexp.MustCompile(`^-?\d[\d.'’\pZ]*,\d+$`)

// Unlike says what to write in the place of a constant that is of another kind than the column it is compared with; ""
// where it may be a value of it.
func Unlike(c *schema.Column, text string, isText bool) string {
	isNumber := func(v string) bool { _, err := strconv.ParseFloat(v, 64); return err == nil }
	switch c.Kind() {
	case schema.Number:
		if isText && !isNumber(strings.TrimSpace(text)) && !DateLike.MatchString(text) {
			return "compare " + c.Name + " with a number"
		}
	case schema.Date:
		if !DateLike.MatchString(text) && c.Type != "year" && c.Type != "time" {
			return "write dates as 'YYYY-MM-DD'"
		}
	case schema.Text:
		// A number with a decimal comma does not mean a text in quotes either.
		number := func(v string) bool { return isNumber(v) || decimalComma.MatchString(v) }
		if !isText && !slices.ContainsFunc(c.Known(), number) {
			return "put the value in quotes"
		}
	}
	return ""
}
