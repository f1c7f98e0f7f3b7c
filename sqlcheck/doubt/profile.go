package doubt

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// neverMeets finds columns that have to be equal and have no value in common: all texts of both are known, or the
// ranges of both.
func neverMeets(c *Case) (out []sqlcheck.Finding) {
	c.eachPair(func(at *schema.Table, a *schema.Column, bt *schema.Table, b *schema.Column) {
		if why := apart(a, b); why != "" {
			out = append(out, finding("%s.%s and %s.%s have no value in common: %s", at.Name, a.Name, bt.Name, b.Name,
				why)...)
		}
	})
	return out
}

// apart says why two columns have no value in common; "" if they may have one.
func apart(a, b *schema.Column) string {
	if less, ok := before(a.Kind(), a.Most, b.Least); ok && less {
		return fmt.Sprintf("the profile has the first up to %s, the second from %s", a.Most, b.Least)
	}
	if less, ok := before(a.Kind(), b.Most, a.Least); ok && less {
		return fmt.Sprintf("the profile has the first from %s, the second up to %s", a.Least, b.Most)
	}
	left, known := a.All()
	right, too := b.All()
	if !known || !too || len(left) == 0 || len(right) == 0 {
		return ""
	}
	folded := syntax.Set(syntax.Map(left, words.Fold))
	if slices.ContainsFunc(right, func(v string) bool { return folded[words.Fold(v)] }) {
		return ""
	}
	return "all of both are known"
}

// day is a date as MySQL writes it.
var day = regexp.MustCompile(`^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$`)

// before reports whether one number or date is less than another; ok is false where that cannot be said.
func before(kind schema.Kind, a, b string) (less, ok bool) {
	switch kind {
	case schema.Number:
		x, err := strconv.ParseFloat(a, 64)
		y, wrong := strconv.ParseFloat(b, 64)
		return x < y, err == nil && wrong == nil
	case schema.Date:
		return a < b, day.MatchString(a) && day.MatchString(b)
	}
	return false, false
}

// allOrNone finds a comparison of a column with a number or a day that, by the range of the column, every row passes,
// or none.
func allOrNone(c *Case) (out []sqlcheck.Finding) {
	for _, e := range syntax.All[*ast.BinaryOperationExpr](c.bound.Stmt) {
		ref := c.bound.RefOf(e.L)
		_, col := ref.Column()
		value, _, literal := edit.Constant(e.R)
		if !syntax.Comparison(e.Op) || col == nil || !literal || ref.Source.Weak {
			continue
		}
		if every, why := passes(col, e.Op, value); why != "" && (every || !c.found()) {
			who := "no row has"
			if every {
				who = "every row has"
			}
			text, err := syntax.Print(e)
			if err != nil {
				continue
			}
			f := finding("%s %s: %s", who, text, why)[0]
			f.Position = e.L.OriginTextPosition()
			out = append(out, f)
		}
	}
	return out
}

// found reports whether the query found rows of a table; a count of none is one, too.
func (c *Case) found() bool {
	return c.Ran && len(c.Rows) > 0 && len(c.bound.Blocks) == 1 && !c.bound.Blocks[0].Grouped
}

// passes says why every value of a column passes a comparison, or none; "" if some may and some not.
func passes(c *schema.Column, op opcode.Op, value string) (every bool, why string) {
	kind := c.Kind()
	below, ok := before(kind, value, c.Least) // all values are above
	above, too := before(kind, c.Most, value)
	if !ok || !too {
		return false, ""
	}
	atLeast, _ := before(kind, c.Least, value) // some are below
	atMost, _ := before(kind, value, c.Most)
	var all, none bool
	switch op {
	case opcode.EQ, opcode.NullEQ:
		none = below || above
		all = !none && !atLeast && !atMost // the one value there is
	case opcode.NE:
		all = below || above
		none = !all && !atLeast && !atMost
	case opcode.LT:
		all, none = above, !atLeast
	case opcode.LE:
		all, none = !atMost, below
	case opcode.GT:
		all, none = below, !atMost
	case opcode.GE:
		all, none = !atLeast, above
	}
	if none || all && !c.SomeNull {
		return all, fmt.Sprintf("the profile has %s to %s", c.Least, c.Most)
	}
	return false, ""
}
