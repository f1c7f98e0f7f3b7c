package words

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Kind says what a token is.
type TokenKind uint8

// The kinds of tokens.
const (
	Sign   TokenKind = iota // one rune that is neither letter, digit nor blank, or the end of a line
	Word                    // letters, and digits among them
	Number                  // digits
)

// A Token is a word, a number or a sign of a text.
type Token struct {
	At, End int // bytes of the text
	Kind    TokenKind
	Quoted  bool   // it stands in quotes that are closed
	Text    string // as written
	Low     string // in lower case; Low, Fold and Stem are "" for signs
	Fold    string // and without accents
	Stem    string // Low without its English plural ending
}

// Tokens cuts a text.
func Tokens(text string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		var quote, prev rune
		unclosed := "" // quotes that nothing closes in what is left
		start, letters := -1, false
		word := func(end int) bool {
			if start < 0 {
				return true
			}
			t := Token{At: start, End: end, Kind: Number, Quoted: quote != 0, Text: text[start:end]}
			if letters {
				t.Kind = Word
			}
			t.Low = strings.ToLower(t.Text)
			t.Fold, t.Stem = Fold(t.Low), Stem(t.Low)
			start, letters = -1, false
			return yield(t)
		}
		for i, r := range text {
			if letter := unicode.IsLetter(r); letter || unicode.IsDigit(r) || start >= 0 && isMark(r) {
				if start < 0 {
					start = i
				}
				letters = letters || letter
				prev = r
				continue
			}
			if !word(i) {
				return
			}
			_, size := utf8.DecodeRuneInString(text[i:])
			rest := text[i+size:]
			switch {
			case quote != 0:
				if closes(quote, r, rest) {
					quote = 0
				}
			case opens(r, prev) && !strings.ContainsRune(unclosed, r):
				if isClosed(r, rest) {
					quote = r
				} else {
					unclosed += string(r)
				}
			}
			if r == '\n' || !unicode.IsSpace(r) {
				if !yield(Token{At: i, End: i + size, Quoted: quote != 0, Text: text[i : i+size]}) {
					return
				}
			}
			prev = r
		}
		word(len(text))
	}
}

// Cut is all [Tokens] of a text.
func Cut(text string) []Token {
	list := make([]Token, 0, 4+len(text)/5)
	for t := range Tokens(text) {
		list = append(list, t)
	}
	return list
}

// isMark reports whether a rune is an accent of its own, which belongs to the letter before it.
func isMark(r rune) bool { return r >= 0x300 && unicode.Is(unicode.M, r) }

// opens reports whether a rune may open quotes: an apostrophe behind a letter does not.
func opens(r, prev rune) bool {
	switch r {
	case '"', '“', '‘', '`':
		return true
	case '\'':
		return !unicode.IsLetter(prev) && !unicode.IsDigit(prev)
	}
	return false
}

// closes reports whether a rune closes quotes before the rest of a text: an apostrophe before a small letter does not.
func closes(open, r rune, rest string) bool {
	if r == '\'' && rest != "" && 'a' <= rest[0] && rest[0] <= 'z' {
		return false
	}
	switch open {
	case '“':
		return r == '”' || r == '"'
	case '‘':
		return r == '’' || r == '\''
	case '`':
		return r == '`' || r == '\''
	}
	return r == open
}

func isClosed(open rune, rest string) bool {
	for i, r := range rest {
		if _, size := utf8.DecodeRuneInString(rest[i:]); closes(open, r, rest[i+size:]) {
			return true
		}
	}
	return false
}

// Split is the words and numbers of a text in order, in lower case.
func Split(text string) []string { return list(text, func(t Token) string { return t.Low }) }

// Stems are the words and numbers of a text in order, each without its English plural ending.
func Stems(text string) []string { return list(text, func(t Token) string { return t.Stem }) }

func list(text string, as func(Token) string) (list []string) {
	for t := range Tokens(text) {
		if t.Kind != Sign {
			list = append(list, as(t))
		}
	}
	return list
}

// Phrase is [Stems] between blanks, so that whole words are found by one strings.Contains.
func Phrase(text string) string { return " " + strings.Join(Stems(text), " ") + " " }

// Identifiers are the names in a text: words, numbers and low lines that touch. Only At, End and Text are set.
func Identifiers(text string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		var name Token
		for t := range Tokens(text) {
			switch inside := t.Kind != Sign || t.Text == "_"; {
			case inside && name.End == t.At && name.End > 0:
				name.End = t.End
			case inside:
				if name.End > 0 && !yield(name) {
					return
				}
				name = Token{At: t.At, End: t.End}
			}
			name.Text = text[name.At:name.End]
		}
		if name.End > 0 {
			yield(name)
		}
	}
}

// OfName cuts an identifier into the stems of its words: at signs, digits, and where a small letter meets a capital.
func OfName(name string) (stems []string) {
	for _, part := range Parts(name) {
		stems = append(stems, Stem(part))
	}
	return stems
}

// Parts are the words of an identifier as they are written, cut as OfName does.
func Parts(name string) (parts []string) {
	for t := range Tokens(name) {
		if t.Kind == Sign {
			continue
		}
		from := 0
		for i := borderIn(t.Text, 0); i > 0; i = borderIn(t.Text, i) {
			parts, from = append(parts, t.Text[from:i]), i
		}
		parts = append(parts, t.Text[from:])
	}
	return parts
}

// borderIn is where the next word of a name begins behind from, or -1: at a capital behind a small letter, at the last
// of a run of capitals before a small letter, and at a digit behind a letter.
func borderIn(name string, from int) int {
	var prev rune
	for i, r := range name[from:] {
		switch {
		case i == 0:
		case unicode.IsUpper(r):
			next, _ := utf8.DecodeRuneInString(name[from+i+utf8.RuneLen(r):])
			if unicode.IsLower(prev) || unicode.IsUpper(prev) && unicode.IsLower(next) {
				return from + i
			}
		case unicode.IsDigit(r) && unicode.IsLetter(prev):
			return from + i
		}
		prev = r
	}
	return -1
}
