package question

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
