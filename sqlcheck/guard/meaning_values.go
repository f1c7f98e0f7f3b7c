package guard

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

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
	edit.LastDays(b, func(col *schema.Column, day, _ string, mend func()) {
		mend()
		why = col.Name + " has times, and " + day + " was to be whole"
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
