package question

import (
	"strings"
	"time"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

// Months are those that an English question names: with a capital, and before a number or behind a word that tells
// when.
func (q *Question) Months() (months []time.Month) {
	for i, w := range q.Words {
		for m := time.January; m <= time.December; m++ {
			if !q.IsFor(i, words.Date) || w.Low != lowMonths[m] || !w.upper {
				continue
			}
			when := q.Is(i-1, "in", "of", "during", "since", "until", "till", "before", "after", "from", "to", "between",
				"and", "by", "last", "this")
			if when || i+1 < len(q.Words) && isDigits(q.Words[i+1].Low) {
				months = append(months, m)
			}
		}
	}
	return months
}

// A Said word is one of a question.
type Said struct{ Said, Stem string }

// Conditions are the words of a question that say which rows of a table: right before its name, as in "lost parcels",
// or at the end, behind a form of "be", as in "were lost".
func (q *Question) Conditions() (list []Said) {
	for i, w := range q.Words {
		if w.Masked {
			continue
		}
		behind, _ := q.TableAt(i + 1)
		own, _ := q.TableAt(i)
		before := behind != nil && own == nil && !w.comma && !w.stop
		end := q.Is(i-1, "are", "were", "is", "was", "been") && (i+1 == len(q.Words) || w.stop)
		if before || end {
			list = append(list, Said{w.Low, w.stem})
		}
	}
	return list
}

// Counted are the words behind "how many" or "number of", up to the plural that says what is counted; none if that is
// a value.
func (q *Question) Counted() (list []Said) {
	from, to := q.counted()
	for _, w := range q.Words[from:to] {
		list = append(list, Said{w.Low, w.stem})
	}
	return list
}

// counted are the places of those words.
func (q *Question) counted() (from, to int) {
	at := q.Phrase("how many")
	if at < 0 {
		at = q.Phrase("number of")
	}
	if at < 0 {
		return 0, 0
	}
	for from = at + 2; q.IsFor(from, words.Plain) && q.Words[from].Low == q.Words[from].stem; {
		from++ // the number of all different
	}
	for to = from; to < len(q.Words); to++ {
		w := q.Words[to]
		if w.Masked || words.IsStop(w.Low) {
			return from, to
		}
		if w.comma || w.stop || w.Low != w.stem { // a plural ends it
			return from, to + 1
		}
	}
	return from, to
}

// CountedTable is the table whose rows the question counts; nil if it names none.
func (q *Question) CountedTable() *schema.Table {
	from, to := q.counted()
	for i := from; i < to; i++ {
		if t, n := q.TableAt(i); t != nil && i+n == to && q.ColumnHere(i, n, t) == 0 {
			return t
		}
	}
	return nil
}

// lowMonths are the names of the months.
var lowMonths = func() (low [13]string) {
	for m := time.January; m <= time.December; m++ {
		low[m] = strings.ToLower(m.String())
	}
	return low
}()
