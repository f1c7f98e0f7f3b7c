package question

import (
	"slices"
	"strings"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

// AsksNamesOf reports whether the question has "names of T" or "T names".
func (q *Question) AsksNamesOf(t *schema.Table) bool {
	name := q.Voc.TableWordsOf(t)
	for i := q.Mention(0, name); i >= 0; i = q.Mention(i+1, name) {
		if q.Is(i+len(name), "name", "names") {
			return true
		}
		k := i - 1
		for q.Is(k, "the", "all", "any", "those", "different", "distinct") {
			k--
		}
		if q.Is(k, "of", "for") && q.Is(k-1, "name", "names") && !q.Is(k-2, "first", "last", "and") {
			return true
		}
	}
	return false
}

// ColumnNext reports whether a column of t is named right at word i: "customer name", "product line".
func (q *Question) ColumnNext(i int, t *schema.Table) bool {
	if i == 0 || q.Words[i-1].comma || q.Words[i-1].stop || q.Words[i-1].Low != q.Words[i-1].stem {
		return false // a plural stands for the rows
	}
	for _, k := range q.Voc.ByTable[t] {
		if q.Mention(i, q.Voc.Columns[k].Own) == i {
			return true
		}
	}
	return false
}

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

// AsksKey reports whether the question speaks of numbers, codes or ids that are not counts.
func (q *Question) AsksKey() bool {
	for i := range q.Words {
		w := q.Words[i]
		if w.Masked || !words.Is(w.stem, words.Key) || q.Is(i-1, "phone", "telephone", "fax", "zip", "postal") {
			continue
		}
		if w.stem != "number" || !q.Is(i+1, "of") {
			return true
		}
	}
	return false
}

// HasLike reports whether the question has a word that begins like word, outside data and outside longer names.
func (q *Question) HasLike(word string) bool {
	for i, x := range q.Words {
		short, long := word, x.stem
		if len(short) > len(long) {
			short, long = long, short
		}
		begins := len(short) >= 4 && strings.HasPrefix(long, short)
		if !x.Masked && !q.covered(i, i+1) && (begins || short == long) {
			return true
		}
	}
	return false
}

// AsksTable reports whether the table is named in a place that asks to see it: not after a preposition, unless one row
// for each of it is asked for.
func (q *Question) AsksTable(t *schema.Table) bool {
	name := q.Voc.TableWordsOf(t)
	for i := q.Mention(0, name); i >= 0; i = q.Mention(i+1, name) {
		k := i - 1
		for q.Is(k, "the", "all", "any", "some", "a", "an", "these", "those", "different", "distinct", "other") ||
			k >= 0 && isDigits(q.Words[k].Low) {
			k--
		}
		if !q.IsFor(k, words.Restricts) {
			return true
		}
	}
	return false
}
