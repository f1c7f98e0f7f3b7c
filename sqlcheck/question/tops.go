package question

import (
	"slices"

	"nl2sql/sqlcheck/words"
)

// TopOfEach is what a question says that asks for the first of each group: "the two newest episodes of every show".
type TopOfEach struct {
	Count int // of the rows of a group; 1 where no number is said
	Of    int // the place of the word behind "each"
}

// TopOfEach reads whether the question asks for the first of each group, and not for all groups or rows in an order.
func (q *Question) TopOfEach() (top TopOfEach, ok bool) {
	if q.SortsAll() || q.orderVerb() || q.Asks(words.Sorts) {
		return top, false
	}
	for i := range q.Words {
		if !q.top(i) {
			continue
		}
		if ok {
			return top, false // the most and the least
		}
		ok, top.Count = true, 1
		for _, w := range []int{i - 1, i + 1} { // the two best, top two
			if q.some(w) {
				top.Count = q.Number(w)
			}
		}
	}
	of := q.first(0, words.Each)
	if !ok || of < 0 || of+1 >= len(q.Words) || q.first(of+1, words.Each) >= 0 {
		return top, false
	}
	if top.Of = of + 1; q.Is(top.Of, "of", "single") {
		top.Of++
	}
	return top, true
}

// top reports whether word i is of what comes first: a superlative, or "last" of a thing.
func (q *Question) top(i int) bool {
	part := func(s span) bool { return s.from <= i && i < s.to && s.to-s.from > 1 } // weeks on top
	ordinal := q.Is(i-1, "first", "second", "third", "next", "on")                  // the second highest
	if ordinal || slices.ContainsFunc(q.spans, part) {
		return false
	}
	return q.superlative(i) || q.Is(i, "top") ||
		q.Is(i, "last") && !q.Is(i+1, "name", "names", "time") && !q.IsFor(i+1, words.Period) && !q.some(i+1)
}

// some reports whether word i is a number of rows that a group may have: from 2 on, and no year.
func (q *Question) some(i int) bool { return q.Number(i) > 1 && q.Number(i) <= 100 }

// orderVerb reports whether "order" is used for sorting and not as a thing.
func (q *Question) orderVerb() bool {
	for i := range q.Words {
		if !q.Is(i, "order") {
			continue
		}
		before := q.Is(i-1, "in", "the", "and", "then", "descending", "ascending", "decreasing",
			"increasing", "reverse",
			"alphabetical")
		thing := q.Is(i+1, "number", "numbers", "id", "ids", "date", "dates", "code", "codes")
		if i == 0 || before && !thing || q.Is(i+1, "by", "them", "the", "results", "in", "of") {
			return true
		}
	}
	return false
}

// SortsAll reports whether the question says what comes first, which orders all rows: "highest first".
func (q *Question) SortsAll() bool {
	return q.where(0, func(i int) bool {
		ends := i+1 == len(q.Words) || q.Words[i].stop
		return ends && q.Is(i, "first") && (q.superlative(i-1) || q.Is(i-1, "recent"))
	}) >= 0
}

// Decimals is how many decimals the question wants numbers to have; -1 where it says nothing of it.
func (q *Question) Decimals() int {
	for i := range q.Words {
		if q.Is(i, "decimal", "decimals") {
			if n := q.Number(i - 1); n > 0 {
				return n
			}
			if q.Is(i-1, "one", "a", "an") {
				return 1
			}
			if q.Is(i-1, "no", "without") {
				return 0
			}
		}
		if q.Is(i, "whole") && q.Is(i+1, "numbers", "percent") {
			return 0
		}
	}
	return -1
}
