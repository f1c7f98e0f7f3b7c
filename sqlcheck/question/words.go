package question

import (
	"strings"
	"unicode"
)

// Stem lowers a word and takes its English plural ending off. It is crude on purpose:
// both sides of every comparison go through it.
func Stem(w string) string {
	w = strings.ToLower(w)
	n := len(w)
	switch {
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case n > 5 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "uses") || strings.HasSuffix(w, "xes") ||
		strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes")):
		return w[:n-2]
	case n > 2 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return w[:n-1]
	case w == "people":
		return "person"
	}
	return w
}

// SplitName cuts an identifier into lower-case words: at case changes, digits and non-letters.
func SplitName(name string) []string {
	var words []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			words = append(words, Stem(b.String()))
			b.Reset()
		}
	}
	rs := []rune(name)
	for i, r := range rs {
		switch {
		case unicode.IsLetter(r):
			if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(rs[i-1]) ||
				unicode.IsUpper(rs[i-1]) && i+1 < len(rs) && unicode.IsLower(rs[i+1])) {
				flush()
			}
			b.WriteRune(r)
		case unicode.IsDigit(r):
			if i > 0 && unicode.IsLetter(rs[i-1]) {
				flush()
			}
			b.WriteRune(r)
		default:
			flush()
		}
	}
	flush()
	return words
}
