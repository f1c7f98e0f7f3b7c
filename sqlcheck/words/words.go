// Package words knows words, and no schema: it cuts texts into them, folds and stems them, and has all that is known of
// single words in the files of data: what they are for in a question (uses.txt), what structure they ask for
// (cues.txt), what means the same (synonyms.txt, translations.txt), which verbs ask to change data
// (changes.txt), and how a text begins that goes on from another one (follows.txt); beside them, what words mean in
// WordNet. Begin with Tokens and Uses. It imports assets, for WordNet.
package words

import (
	"embed"
	"fmt"
	"strings"
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
