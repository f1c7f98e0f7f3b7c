package question

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"nl2sql/sqlcheck/words"
)

// readCues gives the words of a question the English words of structure that they stand for, and what they are for.
func (q *Question) readCues() {
	sorted, first := false, false
	for i := range q.Words {
		w := &q.Words[i]
		w.uses = words.Uses(w.Low)
		if q.Lang != words.English && !w.Masked {
			w.cue = words.Cue(q.Lang, w.Low)
			sorted, first = sorted || w.cue == "sorted", first || words.Is(w.fold, words.SortsFirst)
		}
	}
	if q.Lang == words.English {
		return
	}
	for i := range q.Words {
		w := &q.Words[i]
		if !q.means(i, w.cue, sorted) {
			w.cue = ""
		} else if first && words.Is(w.cue, words.High|words.Low) || w.cue == "highest" && q.near(i+1, "a") {
			w.cue = "sorted" // the highest first, de mayor a menor
		}
		w.uses |= words.Uses(w.cue)
	}
}

// near reports whether word i is one of a language's words, without accents.
func (q *Question) near(i int, list ...string) bool {
	return i >= 0 && i < len(q.Words) && slices.Contains(list, q.Words[i].fold)
}

// means reports whether word i stands for its cue where it is. sorted: the question asks for an order.
func (q *Question) means(i int, cue string, sorted bool) bool {
	is := func(k int, u words.Use) bool { return k >= 0 && k < len(q.Words) && words.Is(q.Words[k].fold, u) }
	switch cue {
	case "first", "last": // the last month
		return !is(i-1, words.TimeUnit) && !is(i+1, words.TimeUnit) && !is(i+2, words.TimeUnit)
	case "many":
		return !is(i+1, words.Amount)
	case "count": // "name and number" counts nothing, nor does "how many euros"
		if q.near(i, "anzahl", "numero", "nombre") {
			return i <= 2 && q.near(i+1, "der", "von", "de", "d", "des", "aller") || i == 0 && q.Lang == words.German
		}
		return !is(i+1, words.Amount) && !is(i+2, words.Amount)
	case "highest", "lowest": // more than, at most
		return !q.near(i+1, "que") && !q.near(i-1, "como", "au") && !(q.near(i, "menor") && q.near(i-1, "a"))
	case "most", "least":
		if q.Lang == words.French {
			return q.near(i-1, "le", "la", "les")
		}
		return !q.near(i+1, "de", "que") && !q.near(i-1, "no", "por", "al")
	case "by": // by what the schema has
		if i+1 == len(q.Words) || q.Lang == words.German && sorted {
			return false
		}
		next := q.Words[i+1]
		meant := append(words.Meanings(q.Lang, next.Low), next.stem)
		return slices.ContainsFunc(meant, func(m string) bool { return q.Voc.stems[m] })
	case "average":
		return !q.near(i-1, "dem") && q.Words[i].Low != "media" || q.near(i-1, "de") || i > 0 && !q.near(i-1, "la")
	}
	return true
}

// grouped are numbers with points between thousands.
var grouped = regexp.MustCompile(`^\d{1,3}(\.\d{3})+$`)

// digits is a word that is a number as a program writes it: without the points that other languages put between
// thousands.
func (w Word) digits(lang words.Lang) string {
	if lang != words.English && grouped.MatchString(w.Low) {
		return strings.ReplaceAll(w.Low, ".", "")
	}
	return w.Low
}

// Number reads word i as a count: digits, or a word from two to twenty.
func (q *Question) Number(i int) int {
	if i < 0 || i >= len(q.Words) || q.Words[i].Masked {
		return 0
	}
	w := q.Words[i]
	if n, err := strconv.Atoi(w.digits(q.Lang)); err == nil && n > 0 && n <= 1_000_000 {
		return n
	}
	return words.Numeral(cmp.Or(w.cue, w.Low))
}

var ordinals = strings.Fields("zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")

// HasNumber reports whether the question says n, in digits, in words or as an ordinal.
func (q *Question) HasNumber(n int) bool {
	return n >= 0 && n < len(ordinals) && q.Has(ordinals[n]) || slices.ContainsFunc(q.Words, func(w Word) bool {
		k, err := strconv.Atoi(w.digits(q.Lang))
		return err == nil && k == n || n > 1 && (words.Numeral(w.Low) == n || words.Numeral(w.cue) == n)
	})
}

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
	ordinal := q.Is(i-1, "first", "second", "third", "next", "on") // the second highest
	if ordinal || q.inName(i) {                                    // weeks on top
		return false
	}
	return q.superlative(i) || q.Is(i, "top") ||
		q.Is(i, "last") && !q.Is(i+1, "name", "names", "time") && !q.IsFor(i+1, words.Period) && !q.some(i+1)
}

// some reports whether word i is a number of rows that a group may have: from 2 on, and no year.
func (q *Question) some(i int) bool { return q.Number(i) > 1 && q.Number(i) <= 100 }

// orderVerb reports whether "order" is used for sorting and not as a thing.
func (q *Question) orderVerb() bool {
	return q.where(0, func(i int) bool {
		before := q.Is(i-1, "in", "the", "and", "then", "descending", "ascending", "decreasing", "increasing",
			"reverse", "alphabetical")
		thing := q.Is(i+1, "number", "numbers", "id", "ids", "date", "dates", "code", "codes")
		return q.Is(i, "order") && (i == 0 || before && !thing || q.Is(i+1, "by", "them", "the", "results", "in", "of"))
	}) >= 0
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
		switch decimals := q.Is(i, "decimal", "decimals"); {
		case decimals && q.Number(i-1) > 0:
			return q.Number(i - 1)
		case decimals && q.Is(i-1, "one", "a", "an"):
			return 1
		case decimals && q.Is(i-1, "no", "without"), q.Is(i, "whole") && q.Is(i+1, "numbers", "percent"):
			return 0
		}
	}
	return -1
}
