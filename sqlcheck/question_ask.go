package sqlcheck

import (
	"strings"
)

// asksNamesOf reports whether the question has "names of T" or "T names".
func (q *question) asksNamesOf(t *Table) bool {
	words := q.voc.tableWordsOf(t)
	for i := q.mention(0, words); i >= 0; i = q.mention(i+1, words) {
		if q.is(i+len(words), "name", "names") {
			return true
		}
		k := i - 1
		for q.is(k, "the", "all", "any", "those", "different", "distinct") {
			k--
		}
		if q.is(k, "of", "for") && q.is(k-1, "name", "names") && !q.is(k-2, "first", "last", "and") {
			return true
		}
	}
	return false
}

// columnNext reports whether a column of t is named right at word i: "customer name", "product line".
func (q *question) columnNext(i int, t *Table) bool {
	if i == 0 || q.words[i-1].comma || q.words[i-1].stop || q.words[i-1].low != q.words[i-1].stem {
		return false // a plural stands for the rows
	}
	for _, k := range q.voc.byTable[t] {
		if q.mention(i, q.voc.columns[k].own) == i {
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

// columnHere is how many words a column's name takes at i if it is longer than the n words of t's name: "product
// lines" in a schema that has both.
func (q *question) columnHere(i, n int, t *Table) int {
	best := 0
	for _, c := range q.voc.columns {
		if len(c.words) > n && q.mention(i, c.words) == i {
			best = max(best, len(c.words))
		}
	}
	return best
}

// columnAt is where the question names the column, and whether that place asks to see it and does not only filter.
func (q *question) columnAt(w columnWords) (at int, asked bool) {
	at = -1
	for _, words := range [][]string{w.words, w.own} {
		for i := q.mention(0, words); i >= 0; i = q.mention(i+1, words) {
			if len(words) == 1 && keyWords[words[0]] && (q.is(i+1, "of") || q.is(i-1, "phone", "telephone", "zip", "postal")) {
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
	if n := len(w.own); at < 0 && n == 2 {
		for i := range q.words {
			if i+3 < len(q.words) && q.words[i].stem == w.own[0] && q.is(i+1, "and", "or") && q.words[i+3].stem == w.own[1] && !q.words[i].masked && !q.words[i+3].masked {
				return i, !q.filters(i, i+4)
			}
			if w.own[1] == "name" && (w.own[0] == "first" || w.own[0] == "last") && q.is(i, "full") && q.is(i+1, "name", "names") {
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
func (q *question) filters(from, to int) bool {
	if to < len(q.words) && !q.words[to-1].stop && (q.words[to].masked || isDigits(q.words[to].low) || comparing[q.words[to].low]) {
		return true
	}
	for i := 1; i < from; i++ {
		if q.is(i, "who", "whose", "where", "that") && q.clauseOpen(i, from) {
			return true
		}
	}
	return q.is(from-1, "by") || q.is(from-2, "by")
}

// clauseOpen reports whether the relative clause that begins at word i still runs at word at.
func (q *question) clauseOpen(i, at int) bool {
	for k := i; k < at; k++ {
		if q.words[k].comma || q.words[k].stop {
			return false
		}
	}
	return true
}

// asksKey reports whether the question speaks of numbers, codes or ids that are not counts.
func (q *question) asksKey() bool {
	for i := range q.words {
		w := q.words[i].stem
		if !q.words[i].masked && keyWords[w] && !(w == "number" && q.is(i+1, "of")) && !q.is(i-1, "phone", "telephone", "fax", "zip", "postal") {
			return true
		}
	}
	return false
}

// hasLike reports whether the question has a word that begins like word, outside data and outside longer names.
func (q *question) hasLike(word string) bool {
	for i, x := range q.words {
		if x.masked || q.covered(i, i+1) {
			continue
		}
		if x.stem == word || len(word) >= 4 && len(x.stem) >= 4 && (strings.HasPrefix(x.stem, word) || strings.HasPrefix(word, x.stem)) {
			return true
		}
	}
	return false
}

// asksTable reports whether the table is named in a place that asks to see it: not after a preposition, unless one row
// for each of it is asked for.
func (q *question) asksTable(t *Table) bool {
	words := q.voc.tableWordsOf(t)
	for i := q.mention(0, words); i >= 0; i = q.mention(i+1, words) {
		k := i - 1
		for q.is(k, "the", "all", "any", "some", "a", "an", "these", "those", "different", "distinct", "other") || k >= 0 && isDigits(q.words[k].low) {
			k--
		}
		if !q.is(k, "of", "for", "in", "from", "on", "at", "to", "with", "by", "whose", "that", "who", "which", "where", "than", "had", "has", "have") {
			return true
		}
	}
	return false
}
