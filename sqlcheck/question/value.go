package question

import (
	"slices"
	"strings"

	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// bare is a text in lower case of which letters and digits are left.
func bare(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 0x80 {
			b.WriteRune(r)
		}
	}
	return b.String()
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
		func(v string) bool { return typo && len(key) >= 5 && !hasDigit(key) && syntax.OneEdit(bare(v), key) },
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

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

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
