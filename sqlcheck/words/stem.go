package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Stem lowers a word and takes its English plural ending off. It is crude on purpose: both sides of every comparison go
// through it.
func Stem(w string) string {
	w = strings.ToLower(w)
	n := len(w)
	switch {
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case n > 5 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "uses") || strings.HasSuffix(w, "xes") ||
		strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes")):
		return w[:n-2]
	case n > 2 && w[n-1] == 's' && !strings.ContainsRune("sui", rune(w[n-2])):
		return w[:n-1]
	case w == "people":
		return "person"
	}
	return w
}

// endings of plurals and cases, the longest first, and of words in the names of databases, which have fewer. English
// has [Stem].
var (
	endings = [Langs][]string{
		German:  strings.Fields("innen ern em en er es e n s"),
		Spanish: strings.Fields("as es os a o s"),
		French:  strings.Fields("euses eaux aux eux es e s x"),
	}
	nameEndings = [Langs][]string{
		German:  strings.Fields("innen em en er es e n s"),
		Spanish: strings.Fields("as es os a e o s"),
		French:  strings.Fields("es e s x"),
	}
)

// Forms are what a word of a language may be without the endings of plurals and cases, itself first. At least three
// letters stay.
func Forms(lang Lang, word string) (list []string) {
	for _, low := range Spellings(word) {
		list = append(list, low)
		for _, end := range endings[lang] {
			if stem, cut := strings.CutSuffix(low, end); cut && len(stem) >= 3 {
				list = append(list, stem)
			}
		}
	}
	return list
}

// SameStem reports whether two words of a language are one without their endings.
func SameStem(lang Lang, a, b string) bool {
	others := Forms(lang, b)
	return slices.ContainsFunc(Forms(lang, a), func(s string) bool { return len(s) >= 4 && slices.Contains(others, s) })
}

// nameKeys are a word of a name without accents, and then also without its ending, which a "-" stands for.
func nameKeys(lang Lang, word string) [2]string {
	w := Fold(strings.ToLower(word))
	if lang == German {
		w = twoLetters.Replace(w)
	}
	for _, end := range nameEndings[lang] {
		if stem, cut := strings.CutSuffix(w, end); cut && len(stem) >= 3 {
			return [2]string{w, stem + "-"}
		}
	}
	return [2]string{w, w + "-"}
}

// Singular makes one of the two stems that "movie" and "movies" have.
func Singular(stem string) string {
	if s, cut := strings.CutSuffix(stem, "ie"); cut {
		return s + "y"
	}
	return stem
}

// Stands reports whether one of the known stems stands for a word: it is the same, the two begin alike, as "employee"
// and "employed" do, or one holds the other, as "birthday" and "birth" or abbreviations do.
func Stands(known map[string]bool, word string) bool {
	if known[word] {
		return true
	}
	word = Singular(word)
	for k := range known {
		short, long := Singular(k), word
		if short == long {
			return true
		}
		if len(short) > len(long) {
			short, long = long, short
		}
		alike := len(short) >= 5 && commonPrefix(short, long) >= max(4, len(short)-3)
		if len(short) >= 4 && (alike || strings.Contains(long, short)) {
			return true
		}
	}
	return false
}

// Begins reports whether a word begins as one of the known stems does, all of it but a few letters: "birthday" as
// "birth" and "employed" as "employee", but neither "surname" as "name" nor "airplane" as "airport".
func Begins(known map[string]bool, word string) bool {
	if known[word] {
		return true
	}
	word = Singular(word)
	for k := range known {
		k = Singular(k)
		if k == word || commonPrefix(k, word) >= max(4, min(len(k), len(word))-2) {
			return true
		}
	}
	return false
}

// StandsFor is [Stands], and true also of a known word that often stands for another: the age for the oldest.
func StandsFor(known map[string]bool, word string) bool {
	if Stands(known, word) {
		return true
	}
	stands := func(w string) bool { return Stands(known, w) }
	return slices.ContainsFunc(Senses(Near, English, word), func(s *Sense) bool {
		return slices.ContainsFunc(s.Words[English], stands)
	})
}

func commonPrefix(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

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
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
