package question

import (
	"strings"
	"unicode"

	"nl2sql/sqlcheck/schema"
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

// ValuesIn returns c's known values that stand in a phrase. Values without a letter or of one character
// link nothing: "1" is an office as often as a number.
func ValuesIn(c *schema.Column, phrase string) (found []string) {
	for _, v := range c.Values {
		if len(v) < 2 || strings.IndexFunc(v, unicode.IsLetter) < 0 {
			continue
		}
		if strings.Contains(phrase, NewBag(v).Phrase()) {
			found = append(found, v)
		}
	}
	return found
}
