package question

import (
	"slices"

	"nl2sql/sqlcheck/schema"
)

// ColumnHere is how many words a column's name takes at i if it is longer than the n words of t's name: "product
// lines" in a schema that has both.
func (q *Question) ColumnHere(i, n int, t *schema.Table) (best int) {
	for _, c := range q.Voc.Columns {
		if len(c.Words) > n && q.Mention(i, c.Words) == i {
			best = max(best, len(c.Words))
		}
	}
	return best
}

// clauseOpen reports whether the relative clause that begins at word i still runs at word at.
func (q *Question) clauseOpen(i, at int) bool {
	return !slices.ContainsFunc(q.Words[i:at], func(w Word) bool { return w.comma || w.stop })
}
