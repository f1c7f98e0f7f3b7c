package question

import (
	"strings"

	"nl2sql/sqlcheck/schema"
)

// AsksNamesOf reports whether the question has "names of T" or "T names".
func (q *Question) AsksNamesOf(t *schema.Table) bool {
	words := q.Voc.TableWordsOf(t)
	for i := q.Mention(0, words); i >= 0; i = q.Mention(i+1, words) {
		if q.Is(i+len(words), "name", "names") {
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

func isDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
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
	for _, words := range [][]string{w.Words, w.Own} {
		for i := q.Mention(0, words); i >= 0; i = q.Mention(i+1, words) {
			if len(words) == 1 && KeyWords[words[0]] && (q.Is(i+1, "of") || q.Is(i-1, "phone", "telephone", "zip", "postal")) {
				continue // "number of orders"
			}
			if q.covered(i, i+len(words)) {
				continue // "required date" does not name the order date
			}
			if at < 0 {
				at = i
			}
			if !q.filters(i, i+len(words)) {
				return i, true
			}
		}
	}
	// "first and last names" names two columns, and so do "full names".
	if n := len(w.Own); at < 0 && n == 2 {
		for i := range q.Words {
			if i+3 < len(q.Words) && q.Words[i].stem == w.Own[0] && q.Is(i+1, "and", "or") && q.Words[i+3].stem == w.Own[1] && !q.Words[i].Masked && !q.Words[i+3].Masked {
				return i, !q.filters(i, i+4)
			}
			if w.Own[1] == "name" && (w.Own[0] == "first" || w.Own[0] == "last") && q.Is(i, "full") && q.Is(i+1, "name", "names") {
				return i, !q.filters(i, i+2)
			}
		}
	}
	return at, false
}

// comparing words after a column say that it filters.
var comparing = map[string]bool{
	"above": true, "over": true, "below": true, "under": true, "greater": true, "more": true, "less": true, "fewer": true, "higher": true, "lower": true, "larger": true, "smaller": true,
	"equal": true, "equals": true, "between": true, "at": true, "exceeding": true, "exceeds": true, "exceed": true, "is": true, "are": true, "was": true, "were": true, "has": true, "contains": true, "containing": true, "starts": true, "starting": true, "begins": true, "like": true, "not": true,
}

// filters reports whether the words [from,to) of the question name a column only to filter or to sort by it.
func (q *Question) filters(from, to int) bool {
	if to < len(q.Words) && !q.Words[to-1].stop && (q.Words[to].Masked || isDigits(q.Words[to].Low) || comparing[q.Words[to].Low]) {
		return true
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
	for k := i; k < at; k++ {
		if q.Words[k].comma || q.Words[k].stop {
			return false
		}
	}
	return true
}

// AsksKey reports whether the question speaks of numbers, codes or ids that are not counts.
func (q *Question) AsksKey() bool {
	for i := range q.Words {
		w := q.Words[i].stem
		if !q.Words[i].Masked && KeyWords[w] && !(w == "number" && q.Is(i+1, "of")) && !q.Is(i-1, "phone", "telephone", "fax", "zip", "postal") {
			return true
		}
	}
	return false
}

// HasLike reports whether the question has a word that begins like word, outside data and outside longer names.
func (q *Question) HasLike(word string) bool {
	for i, x := range q.Words {
		if x.Masked || q.covered(i, i+1) {
			continue
		}
		if x.stem == word || len(word) >= 4 && len(x.stem) >= 4 && (strings.HasPrefix(x.stem, word) || strings.HasPrefix(word, x.stem)) {
			return true
		}
	}
	return false
}

// AsksTable reports whether the table is named in a place that asks to see it: not after a preposition, unless one row
// for each of it is asked for.
func (q *Question) AsksTable(t *schema.Table) bool {
	words := q.Voc.TableWordsOf(t)
	for i := q.Mention(0, words); i >= 0; i = q.Mention(i+1, words) {
		k := i - 1
		for q.Is(k, "the", "all", "any", "some", "a", "an", "these", "those", "different", "distinct", "other") || k >= 0 && isDigits(q.Words[k].Low) {
			k--
		}
		if !q.Is(k, "of", "for", "in", "from", "on", "at", "to", "with", "by", "whose", "that", "who", "which", "where", "than", "had", "has", "have") {
			return true
		}
	}
	return false
}
