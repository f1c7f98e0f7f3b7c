package guard

import (
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/edit"
	"nl2sql/sqlcheck/guard/draft"
	"nl2sql/sqlcheck/schema"
)

// nulls keeps NULL out of the list of a NOT IN: one among the values of the subquery, and no row is ever found.
// (MySQL 8.0 manual, "Subqueries with ANY, IN, or SOME")
//
//	SELECT city FROM wards WHERE wardCode NOT IN (SELECT wardCode FROM doctors)
//	→ SELECT city FROM wards WHERE wardCode NOT IN (SELECT wardCode FROM doctors WHERE wardCode IS NOT NULL)
func nulls(_ *draft.Text, b *bind.Bound) (why string) {
	edit.NullLists(b, func(col *schema.Column, mend func()) {
		mend()
		why = "a NULL among " + col.Name + " would leave NOT IN no row"
	})
	return why
}
