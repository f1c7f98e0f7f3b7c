package question

import (
	"strconv"
	"strings"
)

// orderWords and limitWords ask for an order or a part of the rows; superlatives ("oldest") do as well.
var orderWords = map[string]bool{
	"top": true, "highest": true, "lowest": true, "most": true, "least": true, "fewest": true, "first": true, "last": true, "max": true,
	"maximum": true, "min": true, "minimum": true, "best": true, "worst": true, "bottom": true, "leading": true,
	"order": true, "ordered": true, "ordering": true, "orderd": true, "sort": true, "sorted": true, "sorting": true, "rank": true, "ranked": true, "ranking": true, "arrange": true, "arranged": true,
	"alphabetical": true, "alphabetic": true, "alphabetically": true, "chronological": true, "chronologically": true, "ascending": true, "descending": true, "asc": true, "desc": true, "lexicographical": true, "lexicographic": true, "lexicographically": true,
	"recent": true, "recently": true, "latest": true, "newest": true, "earliest": true, "oldest": true,
	"decreasing": true, "increasing": true, "reverse": true, "reversed": true, "popular": true, "common": true, "commonly": true, "frequent": true, "frequently": true, "primary": true, "major": true, "majority": true, "limit": true, "sequence": true,
	"any": true, "one": true, "sample": true, "example": true, "examples": true, "random": true, "next": true, "previous": true, "second": true, "third": true, "half": true,
}

// AsksOrder reports whether the question asks for an order or for some of the rows only.
func (q *Question) AsksOrder() bool {
	for _, w := range q.Words {
		if w.Masked {
			continue
		}
		if orderWords[w.Low] || orderWords[w.cue] || len(w.Low) > 4 && strings.HasSuffix(w.Low, "est") && !notSuperlative[w.Low] {
			// "orders" is a thing, "order" may be: only "in order", "order by", "ordered" ask for one
			if w.Low == "order" && !q.orderVerb() {
				continue
			}
			return true
		}
	}
	return false
}

var notSuperlative = map[string]bool{"request": true, "requests": true, "interest": true, "contest": true, "guest": true, "forest": true, "invest": true, "harvest": true, "arrest": true, "protest": true, "suggest": true, "digest": true, "midwest": true, "northwest": true, "southwest": true}

// orderVerb reports whether "order" is used for sorting and not as a thing.
func (q *Question) orderVerb() bool {
	for i := range q.Words {
		if q.Is(i, "order") && (q.Is(i-1, "in", "the", "descending", "ascending", "alphabetical", "and", "then", "decreasing", "increasing", "reverse") && !q.Is(i+1, "number", "numbers", "id", "ids", "date", "dates", "code", "codes") ||
			q.Is(i+1, "by", "them", "the", "results", "in", "of") || i == 0) {
			return true
		}
	}
	return false
}

// SortsAll reports whether the question says what comes first, which orders all rows: "highest first".
func (q *Question) SortsAll() bool {
	for i := range q.Words {
		if q.Is(i, "first") && (q.superlative(i-1) || q.Is(i-1, "highest", "lowest", "latest", "recent")) && (i+1 == len(q.Words) || q.Words[i].stop) {
			return true
		}
	}
	return false
}

var numberWords = map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "dozen": 12, "twenty": 20, "a": 1, "an": 1}

// HasNumber reports whether the question says n, in digits or in words. n=1 needs no word in the singular.
func (q *Question) HasNumber(n int) bool {
	for _, w := range q.Words {
		if k, err := strconv.Atoi(w.digits(q.Lang)); err == nil && k == n {
			return true
		}
		if (numberWords[w.Low] == n || numberWords[w.cue] == n) && n > 1 {
			return true
		}
	}
	return false
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
