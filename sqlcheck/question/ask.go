package question

import (
	"slices"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

// ColumnHere is how many words a column's name takes at i if it is longer than the n words of t's name: "product
// lines" in a schema that has both.
func (q *Question) ColumnHere(i, n int, t *schema.Table) int {
	best := 0
	for _, c := range q.Voc.Columns {
		if len(c.Words) > n && q.Mention(i, c.Words) == i {
			best = max(best, len(c.Words))
		}
	}
	return best
}

// ColumnAt is where the question names the column, and whether that place asks to see it and does not only filter.
func (q *Question) ColumnAt(w ColumnWords) (at int, asked bool) {
	at = -1
	for _, list := range [][]string{w.Words, w.Own} {
		for i := q.Mention(0, list); i >= 0; i = q.Mention(i+1, list) {
			counts := q.Is(i+1, "of") || q.Is(i-1, "phone", "telephone", "zip", "postal")
			if len(list) == 1 && words.Is(list[0], words.Key) && counts {
				continue // "number of orders"
			}
			if q.covered(i, i+len(list)) {
				continue // "required date" does not name the order date
			}
			if at < 0 {
				at = i
			}
			if !q.filters(i, i+len(list)) {
				return i, true
			}
		}
	}
	// "first and last names" names two columns, and so do "full names".
	if n := len(w.Own); at < 0 && n == 2 {
		for i := range q.Words {
			if q.Mention(i, w.Own[:1]) == i && q.Is(i+1, "and", "or") && q.Mention(i+3, w.Own[1:]) == i+3 {
				return i, !q.filters(i, i+4)
			}
			person := w.Own[1] == "name" && (w.Own[0] == "first" || w.Own[0] == "last")
			if person && q.Is(i, "full") && q.Is(i+1, "name", "names") {
				return i, !q.filters(i, i+2)
			}
		}
	}
	return at, false
}

// filters reports whether the words [from,to) of the question name a column only to filter or to sort by it.
func (q *Question) filters(from, to int) bool {
	if to < len(q.Words) && !q.Words[to-1].stop {
		if w := q.Words[to]; w.Masked || isDigits(w.Low) || words.Is(w.Low, words.Compares) {
			return true
		}
	}
	for i := 1; i < from; i++ {
		if q.Is(i, "who", "whose", "where", "that") && q.clauseOpen(i, from) {
			return true
		}
	}
	return q.Is(from-1, "by") || q.Is(from-2, "by")
}

// clauseOpen reports whether the relative clause that begins at word i still runs at word at.
func (q *Question) clauseOpen(i, at int) bool {
	return !slices.ContainsFunc(q.Words[i:at], func(w Word) bool { return w.comma || w.stop })
}
