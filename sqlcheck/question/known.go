package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nl2sql/sqlcheck/schema"
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

// KnownIn finds the values of a schema's columns that a question holds, in the order of the values. Values are compared word by word,
// in any case, singular or plural where a word is long enough to have a plural. What could be a word of the sentence as well has
// to be marked: a stop word or the name of a table or column by quotes or by being spelled like the value, in capitals; a number or
// a single letter by quotes or by the column's name beside it ("zip code 197", "sex is F").
func KnownIn(asked string, s *schema.Schema) map[*schema.Column][]string {
	words, lang := readWords(asked), LanguageOf(asked)
	found := map[*schema.Column][]string{}
	index := VocabularyOf(s).index
	for i := range words {
		for _, v := range at(index, words[i], lang) {
			if end := i + len(v.low); end <= len(words) && v.stands(words[i:end], lang) && v.marked(asked, words, i, end) && !slices.Contains(found[v.column], v.value) {
				found[v.column] = append(found[v.column], v.value)
			}
		}
	}
	return found
}

// at are the values that may begin with a word.
func at(index map[string][]indexed, word place, lang string) []indexed {
	if lang == "" && isASCII(word.low) {
		return index[word.stem]
	}
	list := slices.Clone(index[word.stem])
	keys := []string{word.stem}
	for _, s := range stems(lang, word.low) {
		if key := Stem(s); !slices.Contains(keys, key) {
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
			words := SplitName(name)
			whole := strings.Join(words, " ")
			if names[whole] {
				continue
			}
			names[whole] = true
			for _, w := range words {
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
				v := indexed{column: c, value: value, low: lowerWords(value)}
				if len(v.low) == 0 || len(v.low) > maxKnownWords {
					continue
				}
				for _, w := range v.low {
					v.stems = append(v.stems, Stem(w))
				}
				telling := slices.DeleteFunc(slices.Clone(v.stems), IsStopWord)
				v.common = len(telling) == 0 || names[strings.Join(telling, " ")] || len(telling) == 1 && parts[telling[0]] > 1
				index[v.stems[0]] = append(index[v.stems[0]], v)
				if !isASCII(v.low[0]) {
					for _, s := range spellings(v.low[0]) {
						index[Stem(s)] = append(index[Stem(s)], v)
					}
				}
			}
		}
	}
	return index
}

// stands reports whether the words are the value's.
func (v indexed) stands(words []place, lang string) bool {
	for k, w := range words {
		own := v.low[k]
		if alike(w.low, own) && (w.low == own || !IsStopWord(w.low)) || lang != "" && len(own) >= 4 && sameStem(lang, w.low, own) {
			continue
		}
		if w.low != own && (len(own) < 3 || w.low != own+"s") && (len(own) < 4 || w.stem != v.stems[k]) {
			return false
		}
	}
	return true
}

// marked reports whether the words [from,to) of a question are there for the value.
func (v indexed) marked(asked string, words []place, from, to int) bool {
	if slices.ContainsFunc(words[max(from-3, 0):from], func(p place) bool { return partly[p.stem] }) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(asked[:words[from].at])
	after, _ := utf8.DecodeRuneInString(asked[words[to-1].end:])
	if strings.ContainsRune(quotes, before) && strings.ContainsRune(quotes, after) {
		return true
	}
	if len(v.low) == 1 && utf8.RuneCountInString(v.low[0]) == 1 || strings.IndexFunc(v.value, unicode.IsLetter) < 0 {
		if bounding[words[max(from-1, 0)].low] || strings.TrimSpace(v.value) != asked[words[from].at:words[to-1].end] {
			return false
		}
		beside := slices.Concat(words[max(from-2, 0):from], words[to:min(to+2, len(words))])
		return to-from > 2 || slices.ContainsFunc(SplitName(v.column.Name), func(w string) bool {
			return !IsStopWord(w) && slices.ContainsFunc(beside, func(p place) bool { return p.stem == w })
		})
	}
	if v.common {
		return from > 0 && strings.ToLower(v.value) != v.value && strings.TrimSpace(v.value) == asked[words[from].at:words[to-1].end]
	}
	return true
}

// bounding words before a number say that it is compared with.
var bounding = setOf("above after before below between least most over than under until")

// partly are words before a text that is a part of values (their stems).
var partly = setOf("begin beginning contain contained containing end ending include including letter prefix start starting substring suffix word")

const quotes = "'\"`“”„‘’«»"

// A place is where a word stands in a text.
type place struct {
	at, end   int
	low, stem string
}

func readWords(text string) (words []place) {
	from := -1
	for i, r := range text + " " {
		in := unicode.IsLetter(r) || unicode.IsDigit(r)
		if in && from < 0 {
			from = i
		}
		if !in && from >= 0 {
			low := strings.ToLower(text[from:i])
			words = append(words, place{from, i, low, Stem(low)})
			from = -1
		}
	}
	return words
}
