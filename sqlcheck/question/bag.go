package question

import (
	"slices"
	"strings"
	"unicode"
)

// A Bag is the words of a text without regard to what they mean in it: lower case, singular. Where what is quoted or a value
// must not count, a Question is read instead.
type Bag struct {
	List []string
	Has  map[string]bool
	Lang string          // of the text, as [LanguageOf] has it
	more map[string]bool // what the words of another language mean, and they without their endings
}

// NewBag reads a text.
func NewBag(text string) Bag {
	b := Bag{Has: map[string]bool{}, Lang: LanguageOf(text), more: map[string]bool{}}
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		f = Stem(f)
		b.List = append(b.List, f)
		b.Has[f] = true
		if b.Lang == "" {
			continue
		}
		for _, w := range append(stems(b.Lang, f), Meanings(b.Lang, f)...) {
			b.more[w] = true
		}
		if c := cue(b.Lang, f); c != "" {
			b.more[c] = true
		}
	}
	return b
}

// Holds reports whether the text has a word, or, in another language than English, one that may stand for it.
func (b Bag) Holds(word string) bool {
	if b.Has[word] || b.Lang == "" {
		return b.Has[word]
	}
	for lang := range tongues {
		if slices.ContainsFunc(stems(lang, word), func(s string) bool { return b.more[s] }) {
			return true
		}
	}
	return false
}

// ValueMeant is [ValueMeant], and for a word of another language also the value that has its meaning.
func (b Bag) ValueMeant(word string, values []string) (string, bool) {
	v, ok := ValueMeant(word, values)
	if ok || b.Lang == "" {
		return v, ok
	}
	meant := meanings(b.Lang, word, qualities)
	var hits []string
	for _, v := range values {
		if slices.Contains(meant, fold(bare(v))) {
			hits = append(hits, v)
		}
	}
	return strings.Join(hits, ""), len(hits) == 1
}

// Phrase is the words in order, bounded by blanks, so that a whole-word search is one strings.Contains.
func (b Bag) Phrase() string { return " " + strings.Join(b.List, " ") + " " }
