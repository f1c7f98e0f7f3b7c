package tools

import (
	"strings"
	"unicode"
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
		f = singular(strings.ToLower(f))
		w.list = append(w.list, f)
		w.has[f] = true
	}
	return w
}

// phrase is the words in order, bounded by blanks, so that a whole-word search is one strings.Contains.
func (w words) phrase() string { return " " + strings.Join(w.list, " ") + " " }

// nameWords splits an identifier into its words: "orderLineNumber" and "order_line_number" are the same three.
func nameWords(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			b.WriteByte(' ')
		case unicode.IsUpper(r) && lower:
			b.WriteByte(' ')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		lower = unicode.IsLower(r)
	}
	return wordSet(b.String()).list
}

// identifiers are the bare names in a piece of SQL, lower case.
func identifiers(sql string) []string {
	return strings.FieldsFunc(strings.ToLower(sql), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	})
}

// singular takes the common English plural endings off a lower-case word.
func singular(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 4 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes")):
		return w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return w[:len(w)-1]
	}
	return w
}
