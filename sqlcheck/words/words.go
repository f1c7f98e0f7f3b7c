// Package words knows words, and no schema: it cuts texts into them, folds and stems them, and has all that is known of
// single words in the files of data: what they are for in a question (uses.txt), what structure they ask for
// (cues.txt), what means the same (synonyms.txt, translations.txt), which verbs ask to change data
// (changes.txt), and how a text begins that goes on from another one (follows.txt); beside them, what words mean in
// WordNet. Begin with Tokens and Uses. It imports assets, for WordNet.
package words

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed data/*.txt
var data embed.FS

// A Lang is a language that questions and names may be in. The zero value is English, and stands for those that are not
// known too.
type Lang uint8

// The languages, in the order of the columns of the data files.
const (
	English Lang = iota
	German
	Spanish
	French
	Langs // how many there are
)

var langCodes = [Langs]string{"en", "de", "es", "fr"}

// A line is a row of a data file.
type line struct {
	file    string
	number  int
	section string   // as in the brackets above it; "" before the first
	cells   []string // between the bars, without blanks around them
}

// errorf says what is wrong with a line, and where it is.
func (l line) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", l.file, l.number, fmt.Sprintf(format, args...))
}

// cell is cell i; "" if it is missing or "-".
func (l line) cell(i int) string {
	if i >= len(l.cells) || l.cells[i] == "-" {
		return ""
	}
	return l.cells[i]
}

// readLines reads the rows of a data file: "#" begins a comment, "[…]" a section, and bars part the cells of a row. The
// rows of a section are sorted, and none stands twice.
func readLines(file, text string) (lines []line, err error) {
	section, last, number := "", "", 0
	sections := map[string]bool{}
	for row := range strings.Lines(text) {
		row = strings.TrimSuffix(row, "\n")
		number++
		l := line{file: file, number: number, section: section}
		switch name, isSection := strings.CutPrefix(row, "["); {
		case row == "" || row[0] == '#':
			continue
		case strings.TrimSpace(row) != row:
			return nil, l.errorf("blanks around a line")
		case isSection:
			section, isSection = strings.CutSuffix(name, "]")
			if !isSection || section == "" || sections[section] {
				return nil, l.errorf("%s: want [NAME], each once", row)
			}
			sections[section], last = true, ""
		case row <= last:
			return nil, l.errorf("%q stands behind %q: sort the section, each line once", row, last)
		default:
			last = row
			l.cells = strings.Split(row, "|")
			for i, c := range l.cells {
				if l.cells[i] = strings.TrimSpace(c); l.cells[i] == "" {
					return nil, l.errorf("cell %d is empty: \"-\" is one without words", i+1)
				}
			}
			lines = append(lines, l)
		}
	}
	return lines, nil
}

// mustLoad reads a data file that is built in; a test reads each.
func mustLoad[T any](file string, read func(lines []line) (T, error)) T {
	text, err := data.ReadFile("data/" + file)
	var lines []line
	if err == nil {
		lines, err = readLines(file, string(text))
	}
	var t T
	if err == nil {
		t, err = read(lines)
	}
	if err != nil {
		panic("words: " + err.Error())
	}
	return t
}

// folded reports an error where a word is not written as words are compared: in lower case and without accents.
func (l line) folded(word string) error {
	if Fold(strings.ToLower(word)) != word {
		return l.errorf("%q: write it in lower case and without accents", word)
	}
	return nil
}

// terms are the words between commas of a cell.
func terms(cell string) (list []string) {
	for t := range strings.SplitSeq(cell, ",") {
		if t = strings.TrimSpace(t); t != "" {
			list = append(list, t)
		}
	}
	return list
}

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
