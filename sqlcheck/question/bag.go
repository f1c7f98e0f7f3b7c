package question

import (
	"strings"
	"unicode"
)

// A Bag is the words of a text without regard to what they mean in it: lower case, singular. Where what is quoted or a value
// must not count, a Question is read instead.
type Bag struct {
	List []string
	Has  map[string]bool
}

// NewBag reads a text.
func NewBag(text string) Bag {
	b := Bag{Has: map[string]bool{}}
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		f = Stem(f)
		b.List = append(b.List, f)
		b.Has[f] = true
	}
	return b
}

// Phrase is the words in order, bounded by blanks, so that a whole-word search is one strings.Contains.
func (b Bag) Phrase() string { return " " + strings.Join(b.List, " ") + " " }
