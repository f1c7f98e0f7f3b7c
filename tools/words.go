package tools

import (
	"strings"
	"unicode"

	"nl2sql/sqlcheck/question"
)

// words are the words of a text: lower case, singular.
type words struct {
	list []string
	has  map[string]bool
}

func isLetter(r rune) bool { return unicode.IsLetter(r) }

func wordSet(text string) words {
	w := words{has: map[string]bool{}}
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		f = question.Stem(f)
		w.list = append(w.list, f)
		w.has[f] = true
	}
	return w
}

// phrase is the words in order, bounded by blanks, so that a whole-word search is one strings.Contains.
func (w words) phrase() string { return " " + strings.Join(w.list, " ") + " " }

// identifiers are the bare names in a piece of SQL, lower case.
func identifiers(sql string) []string {
	return strings.FieldsFunc(strings.ToLower(sql), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	})
}
