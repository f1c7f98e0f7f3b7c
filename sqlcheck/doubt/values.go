package doubt

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// unknownValue finds a text that is compared for equality with a column that does not have it.
func unknownValue(c *Case) (out []sqlcheck.Finding) {
	check := func(op opcode.Op, l, r ast.ExprNode) {
		col, ok := c.bound.Column(l)
		text, isText := syntax.LiteralText(r)
		if !ok || !isText {
			return
		}
		values, known := col.Held(text)
		if known && !hasText(values, text) && (text != "" || op != opcode.NE) {
			out = append(out, at(l, advice(c.elsewhere(text, values), "%s has no '%s'", col.Name, text)...)...)
		}
	}
	edit.Comparisons(c.bound.Stmt, func(op opcode.Op, l, r ast.ExprNode) {
		if op == opcode.EQ || op == opcode.NE || op == opcode.NullEQ {
			check(op, l, r)
			check(op, r, l)
		}
	})
	return out
}

func hasText(values []string, text string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return words.SameText(v, text) })
}

// fewValues are so few that they are told.
const fewValues = 8

// elsewhere says which of a column's values is near to text, what other column has it, or which values there are, if
// they are few.
func (c *Case) elsewhere(text string, values []string) string {
	if near := syntax.NearNames(text, values); len(near) > 0 {
		return "did you mean " + quoted(near[0], true) + "?"
	}
	if meant, is := question.ValueMeant(strings.ToLower(text), words.English, values); is {
		return "did you mean " + quoted(meant, true) + "?"
	}
	for _, name := range c.bound.Tables() {
		t, _ := c.Schema.Table(name)
		for i := range t.Columns {
			if col := &t.Columns[i]; hasText(col.Values, text) || hasText(col.Texts, text) {
				return t.Name + "." + col.Name + " has"
			}
		}
	}
	if len(values) <= fewValues {
		return "it has " + bind.JoinSome(values, fewValues)
	}
	return ""
}

// unknownPattern finds a LIKE that none of a column's texts is like.
func unknownPattern(c *Case) (out []sqlcheck.Finding) {
	eachLike(c.bound, func(like *ast.PatternLikeOrIlikeExpr, pattern string) {
		col, ok := c.bound.Column(like.Expr)
		if !ok || like.Not || strings.Contains(pattern, `\`) || strings.Trim(pattern, "%") == "" {
			return
		}
		is := edit.Like(words.Fold(pattern))
		values, known := col.All()
		if known && !slices.ContainsFunc(values, func(v string) bool { return is.MatchString(words.Fold(v)) }) {
			out = append(out, finding("no %s is like %s", col.Name, quoted(pattern, true))...)
		}
	})
	return out
}

// eachLike calls f for every LIKE with a text.
func eachLike(b *bind.Bound, f func(like *ast.PatternLikeOrIlikeExpr, pattern string)) {
	for _, like := range syntax.All[*ast.PatternLikeOrIlikeExpr](b.Stmt) {
		if text, ok := syntax.LiteralText(like.Pattern); ok {
			f(like, text)
		}
	}
}

// twoValues finds an expression that has to be two things at once: two values, NULL and a value, more than the most
// that it may be; or that may be anything, as it has only not to be both (a <> 1 OR a <> 2).
func twoValues(c *Case) (out []sqlcheck.Finding) {
	for _, block := range c.bound.Blocks {
		for _, both := range c.clashes(syntax.Conjuncts(block.Select.Where)) {
			text, _ := syntax.Print(syntax.AllOf(both)) // it was read
			out = append(out, finding("no row has %s", text)...)
		}
		for _, cond := range syntax.Conjuncts(block.Select.Where) {
			if len(c.clashes(syntax.Map(edit.Alternatives(cond), contrary))) > 0 {
				text, _ := syntax.Print(cond)
				out = append(out, advice("write AND", "every row with a value has %s", text)...)
			}
		}
	}
	return out
}

// clashes are those of some conditions, or pairs of them, that no row meets.
func (c *Case) clashes(conds []ast.ExprNode) (all [][]ast.ExprNode) {
	demanded := map[string][]demand{}
	for _, cond := range conds {
		of, demands := demandsOf(cond)
		for _, d := range demands {
			key := c.bound.ExprKey(of)
			i := slices.IndexFunc(demanded[key], func(first demand) bool { return !first.meets(d) })
			if demanded[key] = append(demanded[key], d); i >= 0 {
				all = append(all, slices.Compact([]ast.ExprNode{demanded[key][i].cond, cond}))
			}
		}
	}
	return all
}

// contrary is what holds where <> does not; nil of other conditions.
func contrary(cond ast.ExprNode) ast.ExprNode {
	if e, is := syntax.Unparen(cond).(*ast.BinaryOperationExpr); is && e.Op == opcode.NE {
		return &ast.BinaryOperationExpr{Op: opcode.EQ, L: e.L, R: e.R}
	}
	return nil
}

// demand is how a condition compares an expression with a constant, or that it wants NULL.
type demand struct {
	op     opcode.Op // IsNull for NULL
	value  string
	isText bool
	cond   ast.ExprNode
}

// demandsOf are the expression that a condition asks something of, and what it wants of that.
func demandsOf(cond ast.ExprNode) (of ast.ExprNode, demands []demand) {
	add := func(op opcode.Op, e ast.ExprNode) {
		if text, isText, constant := edit.Constant(e); constant || op == opcode.IsNull {
			demands = append(demands, demand{op, text, isText, cond})
		}
	}
	switch e := cond.(type) {
	case *ast.BinaryOperationExpr:
		if of = e.L; syntax.Comparison(e.Op) {
			add(e.Op, e.R)
		}
	case *ast.BetweenExpr:
		if of = e.Expr; !e.Not {
			add(opcode.GE, e.Left)
			add(opcode.LE, e.Right)
		}
	case *ast.IsNullExpr:
		if of = e.Expr; !e.Not {
			add(opcode.IsNull, of)
		}
	}
	return of, demands
}

// meets reports whether something may be as both demand.
func (d demand) meets(other demand) bool {
	switch {
	case d.op == opcode.IsNull || other.op == opcode.IsNull:
		return d.op == other.op
	case d.op == opcode.EQ && other.op == opcode.EQ && d.isText && other.isText:
		return words.SameText(d.value, other.value)
	}
	return !d.above(other) && !other.above(d)
}

// above reports whether all that d wants is more than what the other one does.
func (d demand) above(other demand) bool {
	least := d.op == opcode.GT || d.op == opcode.GE || d.op == opcode.EQ
	most := other.op == opcode.LT || other.op == opcode.LE || other.op == opcode.EQ
	kind := schema.Number
	if d.isText && other.isText {
		kind = schema.Date
	}
	less, known := before(kind, d.value, other.value)
	more, _ := before(kind, other.value, d.value)
	return least && most && known && (more || !less && (d.op == opcode.GT || other.op == opcode.LT))
}

// neverNull finds IS NULL of a column that is never NULL: one that is not nullable, of a table that no outer join
// leaves empty.
func neverNull(c *Case) (out []sqlcheck.Finding) {
	for _, is := range syntax.All[*ast.IsNullExpr](c.bound.Stmt) {
		ref := c.bound.RefOf(is.Expr)
		_, col := ref.Column()
		if !is.Not && col != nil && !col.Nullable && ref.Source.Table != nil && !ref.Source.Weak {
			out = append(out, finding("%s is never NULL", col.Name)...)
		}
	}
	return out
}

// emptyTexts finds a query that asks for NULL or for the empty text of a column that has empty texts and may be NULL.
func emptyTexts(c *Case) []sqlcheck.Finding {
	nulls, empties := map[*schema.Column]bool{}, map[*schema.Column]bool{}
	for _, is := range syntax.All[*ast.IsNullExpr](c.bound.Stmt) {
		col, _ := c.bound.Column(is.Expr)
		nulls[col] = true
	}
	edit.Comparisons(c.bound.Stmt, func(_ opcode.Op, l, r ast.ExprNode) {
		if text, isText, ok := edit.Constant(r); ok && isText && text == "" {
			col, _ := c.bound.Column(l)
			empties[col] = true
		}
	})
	for _, ref := range c.bound.Columns {
		_, col := ref.Column()
		if col == nil || !col.Nullable || nulls[col] == empties[col] {
			continue
		}
		if texts, _ := col.All(); slices.Contains(texts, "") {
			return finding("%s has empty texts and may be NULL, and the query asks for one of both", col.Name)
		}
	}
	return nil
}

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

// day is a date or a time of the day as MySQL writes it.
var day = regexp.MustCompile(`^(\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?|\d\d:\d\d(:\d\d)?)$`)

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
// or none. Of a column that is compared twice, as with both ends of a range, every row may pass one.
func allOrNone(c *Case) (out []sqlcheck.Finding) {
	compared := map[*schema.Column]int{}
	edit.Comparisons(c.bound.Stmt, func(_ opcode.Op, l, _ ast.ExprNode) {
		col, _ := c.bound.Column(l)
		compared[col]++
	})
	edit.Comparisons(c.bound.Stmt, func(op opcode.Op, l, r ast.ExprNode) {
		ref := c.bound.RefOf(l)
		_, col := ref.Column()
		value, _, literal := edit.Constant(r)
		if col == nil || !literal || ref.Source.Weak {
			return
		}
		every, why := passes(col, op, value)
		who := "no row has"
		if every {
			who = "every row has"
		}
		if why != "" && (every && compared[col] == 1 || !every && !c.found()) {
			text, _ := syntax.Print(&ast.BinaryOperationExpr{Op: op, L: l, R: r}) // it was read
			out = append(out, at(l, finding("%s %s: %s", who, text, why)...)...)
		}
	})
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
