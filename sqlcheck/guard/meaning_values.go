package guard

import (
	"github.com/pingcap/tidb/pkg/parser/ast"

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

// nullsFirst keeps NULL out of the first rows of an ascending order: it sorts before all values, and who asks for the
// least asks for one that there is. (MySQL 8.0 manual, "Working with NULL Values")
//
//	SELECT name FROM person ORDER BY age LIMIT 1 → SELECT name FROM person WHERE age IS NOT NULL ORDER BY age LIMIT 1
func nullsFirst(_ *draft.Text, b *bind.Bound) (why string) {
	for _, block := range b.Blocks {
		if name := edit.NullsFirst(b, block); name != nil {
			some := &ast.IsNullExpr{Expr: &ast.ColumnNameExpr{Name: name.Name}, Not: true}
			block.Select.Where = syntax.AllOf(append(syntax.Conjuncts(block.Select.Where), some))
			why = "rows without " + name.Name.Name.O + " would come first in its order"
		}
	}
	return why
}
