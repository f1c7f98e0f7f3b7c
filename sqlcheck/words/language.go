package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// LanguageOf is the language of a text; English also where nothing tells.
func LanguageOf(text string) Lang { return LanguageOfTokens(Cut(text)) }

// Tells is the use of words that tell of a language.
func Tells(lang Lang) Use { return TellsEnglish << lang }

// LanguageOfTokens is [LanguageOf] a text that is cut already: the one of whose words there are most. Words with
// capitals may be names, and tell nothing but at the beginning.
func LanguageOfTokens(tokens []Token) (lang Lang) {
	var hits [Langs]int
	first := true
	for _, t := range tokens {
		if t.Kind == Sign && (t.Text == "¿" || t.Text == "¡") {
			hits[Spanish] += 2
		}
		if t.Kind != Word || t.Quoted {
			continue
		}
		r, _ := utf8.DecodeRuneInString(t.Text)
		if unicode.IsUpper(r) && !first {
			continue
		}
		first = false
		u := Uses(t.Fold)
		for l := range Langs {
			if u&Tells(l) != 0 {
				hits[l]++
			}
		}
	}
	for l := German; l < Langs; l++ {
		if hits[l] > hits[lang] && hits[l] > hits[English] {
			lang = l
		}
	}
	return lang
}

// A Bag is the words of a text without regard to what they mean in it: stems. Where what is quoted or a value must not
// count, a question is read instead.
type Bag struct {
	List []string
	Has  map[string]bool
	Lang Lang
	more map[string]bool // what the words of another language mean, and they without their endings
}

// NewBag reads a text.
func NewBag(text string) Bag { return BagOf(Cut(text)) }

// BagOf reads a text that is cut already.
func BagOf(tokens []Token) Bag {
	n := len(tokens)
	b := Bag{List: make([]string, 0, n), Has: make(map[string]bool, n), Lang: LanguageOfTokens(tokens)}
	if b.Lang != English {
		b.more = map[string]bool{}
	}
	for _, t := range tokens {
		if t.Kind == Sign {
			continue
		}
		b.List = append(b.List, t.Stem)
		b.Has[t.Stem] = true
		if b.Lang == English {
			continue
		}
		for _, w := range append(Forms(b.Lang, t.Stem), Meanings(b.Lang, t.Stem)...) {
			b.more[w] = true
		}
		if c := Cue(b.Lang, t.Stem); c != "" {
			b.more[c] = true
		}
	}
	return b
}

// Holds reports whether the text has a word, or, in another language than English, one that may stand for it.
func (b Bag) Holds(word string) bool {
	if b.Has[word] || b.Lang == English {
		return b.Has[word]
	}
	for lang := German; lang < Langs; lang++ {
		if slices.ContainsFunc(Forms(lang, word), func(s string) bool { return b.more[s] }) {
			return true
		}
	}
	return false
}

// Phrase is the words in order, between blanks, so that whole words are found by one strings.Contains.
func (b Bag) Phrase() string { return " " + strings.Join(b.List, " ") + " " }
