package guard

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

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

// numerals sorts and compares texts as numbers where all that a column holds are some: as texts, '10' comes before
// '9'.
//
//	SELECT person FROM membership ORDER BY badge DESC LIMIT 1
//	→ SELECT person FROM membership ORDER BY badge + 0 DESC LIMIT 1
//
//	SELECT person FROM membership WHERE badge > '9' → SELECT person FROM membership WHERE badge + 0 > 9
func numerals(_ *draft.Text, b *bind.Bound) (why string) {
	edit.NumbersAsTexts(b, func(col *schema.Column, mend func()) {
		if col.Complete || col.AllTexts {
			mend()
			why = col.Name + " holds numbers as texts"
		}
	})
	return why
}

// lastDays takes the whole of the last day into a range of times: as a time, a day is its first moment. (MySQL 8.0
// manual, "Conversion Between Date and Time Types")
//
//	SELECT person FROM membership WHERE came <= '2024-03-31' → SELECT person FROM membership WHERE came < '2024-04-01'
//
//	SELECT person FROM membership WHERE came BETWEEN '2024-01-01' AND '2024-02-29'
//	→ SELECT person FROM membership WHERE (came >= '2024-01-01' AND came < '2024-03-01')
func lastDays(_ *draft.Text, b *bind.Bound) (why string) {
	edit.LastDays(b, func(col *schema.Column, day, _ ast.ExprNode, mend func()) {
		mend()
		why = col.Name + " has times, and " + literalText(day) + " was to be whole"
	})
	return why
}

// fromYear is a year that something is after, since or before, and is no part of a date.
var fromYear = regexp.MustCompile(`(?i)\b(after|nach|since|seit|before|vor) (?:the year |dem Jahr )?(\d{4})(?:[^-/\d]|$)`)

// yearBounds are the comparisons with the first and with the last day of such a year, by the word before it, that are
// to be others: what with, and with the first day of which year.
var yearBounds = []struct {
	words, is   string
	first, last []opcode.Op
	op          opcode.Op
	later       int
}{
	{"after nach", "from %s on", []opcode.Op{opcode.GT, opcode.GE}, []opcode.Op{opcode.GE}, opcode.GE, 1},
	{"since seit", "from %s on", []opcode.Op{opcode.GT}, []opcode.Op{opcode.GT, opcode.GE}, opcode.GE, 0},
	{"before vor", "before %s", []opcode.Op{opcode.LE}, []opcode.Op{opcode.LT, opcode.LE}, opcode.LT, 0},
}

// bounds compares with the year that the question says: what is after 2019 is not in it.
//
//	Who came after 2019? | SELECT person FROM membership WHERE came > '2019-01-01'
//	→ SELECT person FROM membership WHERE came >= '2020-01-01'
func bounds(t *draft.Text, b *bind.Bound) (why string) {
	said := fromYear.FindAllStringSubmatch(t.Asked(), -1)
	for _, e := range syntax.All[*ast.BinaryOperationExpr](b.Stmt) {
		text, _ := syntax.LiteralText(e.R)
		year, day, _ := strings.Cut(text, "-")
		for _, rule := range yearBounds {
			asked := slices.ContainsFunc(said, func(m []string) bool {
				return m[2] == year && strings.Contains(rule.words, strings.ToLower(m[1]))
			})
			at := map[string][]opcode.Op{"01-01": rule.first, "12-31": rule.last}[day]
			if asked && slices.Contains(at, e.Op) {
				n, _ := strconv.Atoi(year) // it is a number
				from := fmt.Sprintf("%04d-01-01", n+rule.later)
				e.Op, e.R = rule.op, syntax.TextExpr(from)
				why = "the range is " + fmt.Sprintf(rule.is, from)
				break
			}
		}
	}
	return why
}

// nullsFirst keeps NULL out of the first rows of an ascending order: it sorts before all values, and who asks for the
// least asks for one that there is. (MySQL 8.0 manual, "Working with NULL Values")
//
//	SELECT name FROM person ORDER BY age LIMIT 1 → SELECT name FROM person WHERE age IS NOT NULL ORDER BY age LIMIT 1
func nullsFirst(_ *draft.Text, b *bind.Bound) (why string) {
	for _, block := range b.Blocks {
		if name := edit.NullsFirst(b, block); name != nil {
			edit.KeepValues(block.Select, name)
			why = "rows without " + name.Name.Name.O + " would come first in its order"
		}
	}
	return why
}
