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
