package guard

import (
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// dateTexts reads the dates of a column of texts where it is sorted, compared or read as a date and all its texts have
// one form: as a text, '31.01.2021' comes before '31.12.1999'.
//
//	SELECT title FROM club ORDER BY opened LIMIT 1
//	→ SELECT title FROM club ORDER BY STR_TO_DATE(opened, '%M %d, %Y') LIMIT 1
//
//	SELECT title FROM club WHERE opened >= '1965'
//	→ SELECT title FROM club WHERE YEAR(STR_TO_DATE(opened, '%M %d, %Y')) >= 1965
func dateTexts(_ *draft.Text, b *bind.Bound) (why string) {
	edit.TextUses(b, func(at edit.TextUse) {
		d := dateText{b, at, at.Column.DateForm()}
		if d.form.Format != "" && d.mend() {
			why = at.Column.Name + " holds dates as texts of the form " + d.form.Format
		}
	})
	return why
}

// A dateText is a place where texts that are dates of one form are used.
type dateText struct {
	*bind.Bound
	edit.TextUse
	form schema.DateForm
}

// mend reads the texts as dates there, if they are not read as they are: in an order, which some forms have; by a
// function; compared with dates that have another form, or with parts of them.
func (d dateText) mend() bool {
	switch how := d.How; {
	case how == edit.Ordered || how == edit.Equal:
		return d.compare()
	case !d.Odd(), how == edit.Cast, how == edit.Counted && !d.isDate(*d.With[0]), d.Inner && how == edit.Sorted,
		(how == edit.Sorted || how == edit.Dated) && d.form.InOrder:
		return false
	}
	*d.At = d.date()
	return true
}

// date is what the texts say.
func (d dateText) date() ast.ExprNode {
	if edit.Extreme(*d.At) != *d.At { // it is one within
		return *d.At
	}
	return function("STR_TO_DATE", *d.At, syntax.TextExpr(d.form.Format))
}

// aYear and aDay are what dates are compared with, beside the form of a column.
var (
	aYear = regexp.MustCompile(`^(1[5-9]|20)\d\d$`)
	aDay  = regexp.MustCompile(`^\d{4}-\d{1,2}-\d{1,2}( \d{1,2}:\d\d(:\d\d)?)?$`)
)

// compare does so in a comparison, if all that is compared is dates, or years.
func (d dateText) compare() bool {
	within := edit.Extreme(*d.At) != *d.At // which is mended itself
	if within && (d.form.InOrder || d.Inner) {
		return false
	}
	var to []ast.ExprNode
	years, days, alike := 0, 0, d.form.InOrder || d.How == edit.Equal && !within
	for _, e := range d.With {
		text, _, constant := edit.Constant(*e)
		own, isOwn := d.form.Read(text)
		c, isColumn := d.Bound.Column(*e)
		alike = alike && (constant && isOwn || isColumn && c.DateForm() == d.form)
		switch {
		case constant && isOwn:
			to = append(to, syntax.TextExpr(own))
		case constant && aYear.MatchString(text):
			years++
			year, _ := strconv.ParseInt(text, 10, 64) // it is a number
			to = append(to, ast.NewValueExpr(year, "", ""))
		case constant && aDay.MatchString(text), d.isDate(*e):
			if to = append(to, *e); len(text) > 0 && len(text) <= len(time.DateOnly) {
				days++
			}
		default:
			return false
		}
	}
	if alike || years > 0 && years < len(to) {
		return false
	}
	for i, e := range d.With {
		*e = to[i]
	}
	switch *d.At = d.date(); {
	case years > 0:
		*d.At = function("YEAR", *d.At)
	case d.form.Clock && days == len(to):
		*d.At = function("DATE", *d.At)
	}
	return true
}

// isDate reports whether an expression is a date, or will be one once it is mended.
func (d dateText) isDate(e ast.ExprNode) bool {
	of := syntax.Unparen(edit.Extreme(e))
	if f, is := of.(*ast.FuncCallExpr); is {
		return timeFunctions[f.FnName.L] != noTime
	}
	if sel, is := edit.Subquery(of); is && len(sel.Fields.Fields) == 1 && !d.Inner {
		shown := sel.Fields.Fields[0].Expr
		c, known := d.Bound.Column(shown)
		return shown != nil && (!known || c.Kind() == schema.Date) && d.isDate(shown)
	}
	c, known := d.Bound.Column(of)
	if !known || c.Kind() == schema.Date {
		return known && timeTypes[schema.ParseType(c.Type).Name] != noTime
	}
	form := c.DateForm()
	return form.Format != "" && !form.InOrder
}

// ages turns the order by age round where the question asks for the other end of it: who was born first is the oldest.
// The column is one that says an age, of what the word behind "oldest" names.
//
//	Who is the oldest person? | SELECT name FROM person ORDER BY born DESC LIMIT 1
//	→ SELECT name FROM person ORDER BY born LIMIT 1
func ages(t *draft.Text, b *bind.Bound) (why string) {
	if t.Asked() == "" || len(b.Blocks) == 0 {
		return ""
	}
	block := b.Blocks[0]
	sel := block.Select
	if b.Stmt != ast.StmtNode(sel) || sel.OrderBy == nil || sel.Limit == nil || len(sel.OrderBy.Items) != 1 {
		return ""
	}
	q := t.Question
	at := q.Index(0, "oldest", "eldest", "youngest")
	if at < 0 || q.Index(at+1, "oldest", "eldest", "youngest") >= 0 {
		return ""
	}
	item := sel.OrderBy.Items[0]
	by := item.Expr
	read, isDate := by.(*ast.FuncCallExpr) // of a text
	if isDate = isDate && len(read.Args) > 0 && timeFunctions[read.FnName.L] != noTime; isDate {
		by = read.Args[0]
	}
	name, is := by.(*ast.ColumnNameExpr)
	if !is || b.Ref(name.Name) == nil {
		return ""
	}
	table, c := b.Ref(name.Name).Column()
	if c == nil || !isDate && !saysAge(c) || !isOf(q, at, table, c, block) {
		return ""
	}
	oldest := !q.Is(at, "youngest")
	if desc := oldest == (c.Kind() == schema.Number); item.Desc == desc {
		return ""
	}
	item.Desc = !item.Desc
	if oldest {
		return "the oldest come first"
	}
	return "the youngest come first"
}

// saysAge reports whether a column has ages, or days from which they may count.
func saysAge(c *schema.Column) bool {
	if c.Kind() == schema.Number {
		return lastWord(c.Name) == "age"
	}
	return timeTypes[schema.ParseType(c.Type).Name] != noTime
}

// isOf reports whether the superlative at word i of the question is of c, a column of t that says an age: the words
// behind it name t; or c is of an age by its name, as a birthday is, and they name another table of the block that has
// no age, as gymnasts who are people, or nothing but c, where the block reads t alone.
func isOf(q *question.Question, i int, t *schema.Table, c *schema.Column, block *bind.Block) bool {
	parts := syntax.Set(words.OfName(c.Name))
	named := c.Kind() == schema.Number || words.StandsFor(parts, "oldest")
	var behind []string
	for i++; i < len(q.Words); i++ {
		if of, _ := q.TableAt(i); of != nil {
			reads := func(s *bind.Source) bool { return s.Table == of }
			ageless := !slices.ContainsFunc(of.Columns, func(c schema.Column) bool { return saysAge(&c) })
			return of == t || named && ageless && slices.ContainsFunc(block.Sources, reads)
		}
		if words.IsStop(q.Words[i].Low) {
			break
		}
		behind = append(behind, words.Stem(q.Words[i].Low))
	}
	if !named || len(block.Sources) > 1 {
		return false
	}
	for _, k := range q.Voc.ByTable[t] {
		has := func(w string) bool { return slices.Contains(behind, w) }
		if other := q.Voc.Columns[k]; other.Col != c && slices.ContainsFunc(other.Words, has) {
			return false // the oldest ward of a table of patients
		}
	}
	return true
}

// lastWord is the last word of a name; "" if it has none, as "#".
func lastWord(name string) string {
	parts := words.OfName(name)
	if len(parts) == 0 {
		return ""
	}
	return parts[len(parts)-1]
}
