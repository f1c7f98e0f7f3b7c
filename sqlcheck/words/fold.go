package words

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold takes the accents off a text, as MySQL's collations do that end in _ai_ci; it leaves the case. Folding twice
// changes nothing more. Source: Unicode Standard Annex 15, canonical decomposition; ß is ss.
func Fold(text string) string {
	if isASCII(text) {
		return text
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(text) {
		switch {
		case r == 'ß':
			b.WriteString("ss")
		case !unicode.Is(unicode.Mn, r):
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

// SameText reports whether MySQL's usual collations take two texts for the same: case, accents and blanks at the end do
// not count.
func SameText(a, b string) bool {
	plain := func(s string) string { return Fold(strings.ToLower(strings.TrimRight(s, " "))) }
	return strings.EqualFold(a, b) || plain(a) == plain(b)
}

// Spellings are the ways to write a word without accents: "Straße" and "Köln" as strasse, and koln or koeln. A word
// without accents has one.
func Spellings(word string) []string {
	low := strings.ToLower(word)
	list := []string{Fold(low)}
	if isASCII(low) {
		return list
	}
	if long := Fold(umlauts.Replace(norm.NFC.String(low))); long != list[0] {
		list = append(list, long)
	}
	return list
}

var (
	umlauts    = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue")
	twoLetters = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")
)

// Alike reports whether two words in lower case are the same but for accents and umlauts written as two letters.
func Alike(a, b string) bool {
	if a == b {
		return true
	}
	if isASCII(a) && isASCII(b) {
		return false
	}
	return slices.ContainsFunc(Spellings(a), func(s string) bool { return slices.Contains(Spellings(b), s) })
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
