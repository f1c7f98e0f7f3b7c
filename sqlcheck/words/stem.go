package words

import (
	"slices"
	"strings"
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
