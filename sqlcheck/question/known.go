package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// Values longer than these are no words of a question.
const (
	maxKnownBytes = 80
	maxKnownWords = 10
)

// An indexed value is one of a column, and its words as they are compared.
type indexed struct {
	column *schema.Column
	value  string
	low    []string // lower case
	stems  []string
	common bool // stop words aside, it is also the name of a table or column, or a word of several, or nothing
}

// Known are the values of the schema's columns that the question holds, in the order of the values. Values are compared
// word by word, in any case, singular or plural where a word is long enough to have a plural. What could be a word of
// the sentence as well has to be marked: a stop word or the name of a table or column by quotes or by being spelled
// like the value, in capitals; a number or a single letter by quotes or by the column's name beside it ("zip code 197",
// "sex is F").
func (q *Question) Known() map[*schema.Column][]string { return q.known() }

func (q *Question) findKnown() map[*schema.Column][]string {
	ws := slices.DeleteFunc(slices.Clone(q.tokens), func(t words.Token) bool { return t.Kind == words.Sign })
	found := map[*schema.Column][]string{}
	for i := range ws {
		for _, v := range q.beginningWith(ws[i]) {
			if end := i + len(v.low); end > len(ws) || !v.stands(ws[i:end], q.Lang) || !q.marks(v, ws, i, end) {
				continue
			}
			if !slices.Contains(found[v.column], v.value) {
				found[v.column] = append(found[v.column], v.value)
			}
		}
	}
	return found
}

// beginningWith are the values that may begin with a word.
func (q *Question) beginningWith(word words.Token) []indexed {
	index := q.Voc.index
	if q.Lang == words.English && word.Low == word.Fold {
		return index[word.Stem]
	}
	list := slices.Clone(index[word.Stem])
	keys := []string{word.Stem}
	for _, s := range words.Forms(q.Lang, word.Low) {
		if key := words.Stem(s); !slices.Contains(keys, key) {
			keys = append(keys, key)
			list = append(list, index[key]...)
		}
	}
	return list
}

// indexValues puts the values of all columns under the stem of their first word, as it is spelled and without accents.
func indexValues(s *schema.Schema) map[string][]indexed {
	names, parts := map[string]bool{}, map[string]int{} // parts: of how many different names
	for _, t := range s.Tables {
		for _, name := range append(t.ColumnNames(), t.Name) {
			split := words.OfName(name)
			whole := strings.Join(split, " ")
			if names[whole] {
				continue
			}
			names[whole] = true
			for _, w := range split {
				parts[w]++
			}
		}
	}
	index := map[string][]indexed{}
	for i := range s.Tables {
		for j := range s.Tables[i].Columns {
			c := &s.Tables[i].Columns[j]
			for _, value := range slices.Concat(c.Values, c.Texts) {
				if len(value) > maxKnownBytes {
					continue
				}
				v := indexed{column: c, value: value}
				for t := range words.Tokens(value) {
					if t.Kind != words.Sign {
						v.low, v.stems = append(v.low, t.Low), append(v.stems, t.Stem)
					}
				}
				if len(v.low) == 0 || len(v.low) > maxKnownWords {
					continue
				}
				telling := slices.DeleteFunc(slices.Clone(v.stems), words.IsStop)
				v.common = len(telling) == 0 || names[strings.Join(telling, " ")] ||
					len(telling) == 1 && parts[telling[0]] > 1
				index[v.stems[0]] = append(index[v.stems[0]], v)
				for _, s := range words.Spellings(v.low[0]) {
					if s != v.low[0] {
						index[words.Stem(s)] = append(index[words.Stem(s)], v)
					}
				}
			}
		}
	}
	return index
}

// stands reports whether the words are the value's.
func (v indexed) stands(ws []words.Token, lang words.Lang) bool {
	for k, w := range ws {
		own := v.low[k]
		if words.Alike(w.Low, own) && (w.Low == own || !words.IsStop(w.Low)) ||
			lang != words.English && len(own) >= 4 && words.SameStem(lang, w.Low, own) {
			continue
		}
		if w.Low != own && (len(own) < 3 || w.Low != own+"s") && (len(own) < 4 || w.Stem != v.stems[k]) {
			return false
		}
	}
	return true
}

// marks reports whether the words [from,to) of the question are there for the value.
func (q *Question) marks(v indexed, ws []words.Token, from, to int) bool {
	if slices.ContainsFunc(ws[max(from-3, 0):from], func(t words.Token) bool { return words.Is(t.Stem, words.Part) }) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(q.Text[:ws[from].At])
	after, _ := utf8.DecodeRuneInString(q.Text[ws[to-1].End:])
	if strings.ContainsRune(quotes, before) && strings.ContainsRune(quotes, after) {
		return true
	}
	verbatim := strings.TrimSpace(v.value) == q.Text[ws[from].At:ws[to-1].End]
	if len(v.low) == 1 && utf8.RuneCountInString(v.low[0]) == 1 || strings.IndexFunc(v.value, unicode.IsLetter) < 0 {
		if words.Is(ws[max(from-1, 0)].Low, words.Bounds) || !verbatim {
			return false
		}
		beside := slices.Concat(ws[max(from-2, 0):from], ws[to:min(to+2, len(ws))])
		return to-from > 2 || slices.ContainsFunc(words.OfName(v.column.Name), func(w string) bool {
			return !words.IsStop(w) && slices.ContainsFunc(beside, func(t words.Token) bool { return t.Stem == w })
		})
	}
	return !v.common || from > 0 && verbatim && strings.ToLower(v.value) != v.value
}

const quotes = "'\"`“”„‘’«»"

// bare is a text in lower case of which letters and digits are left.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 0x80 {
			return r
		}
		return -1
	}, strings.ToLower(s))
}

// NearestValue finds the one value that text must mean. typo allows for a slip of one letter: only where the question
// does not have the text, so that the model and not the user made it. It finds none if the values hold text, whatever
// its case.
func NearestValue(text string, values []string, typo bool) (string, bool) {
	key := bare(text)
	if key == "" || slices.ContainsFunc(values, func(v string) bool { return strings.EqualFold(v, text) }) {
		return "", false
	}
	tests := []func(v string) bool{
		func(v string) bool { return bare(v) == key },
		func(v string) bool { // spellings of one value
			has := func(s *words.Sense) bool { return slices.Contains(s.Keys, key) }
			return slices.ContainsFunc(words.Senses(words.Value, words.English, bare(v)), has) ||
				slices.ContainsFunc(words.Senses(words.Flag, words.English, bare(v)), has)
		},
		func(v string) bool { return words.Stem(strings.TrimSpace(v)) == words.Stem(strings.TrimSpace(text)) },
		func(v string) bool {
			return typo && len(key) >= 5 && !strings.ContainsAny(key, "0123456789") && syntax.OneEdit(bare(v), key)
		},
	}
	for _, test := range tests {
		hit := slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !test(v) })
		if len(hit) > 0 {
			return hit[0], len(hit) == 1
		}
	}
	return "", false
}

// ValuesWith are the values that have text as a part, from word to word: London Heathrow for Heathrow. There are none
// where one is the text itself.
func ValuesWith(text string, values []string) (whole []string) {
	low, part := strings.ToLower(text), words.Phrase(text)
	for _, v := range values {
		if words.SameText(v, text) {
			return nil
		}
		if strings.Contains(strings.ToLower(v), low) && strings.Contains(words.Phrase(v), part) {
			whole = append(whole, v)
		}
	}
	return whole
}

// ValueMeant is the one value of a column that a word of a text stands for: female for F, and for a word of another
// language also the value that has its meaning. Single letters are codes for much: F is female where half of the
// column's values are of that kind. Yes and no need a context, and "us" or "la" are other words as well.
func ValueMeant(word string, lang words.Lang, values []string) (value string, ok bool) {
	var hits []string
	letters := 0
	senses := words.Senses(words.Value, words.English, word)
	if len(senses) > 0 && len(word) > 1 && !words.IsStop(word) {
		for _, v := range values {
			key := bare(v)
			if slices.Contains(senses[0].Keys, key) {
				hits = append(hits, v)
			}
			if key == "m" || key == "f" {
				letters++
			}
		}
		if len(hits) == 1 && (len(bare(hits[0])) > 1 || 2*letters >= len(values)) {
			return hits[0], true
		}
	}
	if lang == words.English {
		return "", false
	}
	meant := words.MeaningsOf(words.Quality, lang, word)
	hits = slices.DeleteFunc(slices.Clone(values), func(v string) bool {
		return !slices.Contains(meant, words.Fold(bare(v)))
	})
	return strings.Join(hits, ""), len(hits) == 1
}
