package item

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// LoadQuestions reads what is to be asked from a file, see [Questions].
func LoadQuestions(name string) ([]Item, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	items, err := Questions(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return items, nil
}

// Questions reads what is to be asked: a question a line, or items as [Read] takes them, of which none needs a gold
// query. Empty lines are passed over.
func Questions(r io.Reader) ([]Item, error) { return read(r, itemList{asked: true}) }

// plain takes a question a line.
func (l *itemList) plain(data []byte) error {
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := l.add(Item{Question: line}, n); err != nil {
			return err
		}
	}
	return nil
}

// hasQuestionColumn reports whether the first line is the head of a table, and no question: one of its cells is the
// name of the column.
func hasQuestionColumn(data []byte) bool {
	head, err := csv.NewReader(bytes.NewReader(data)).Read()
	return err == nil && slices.ContainsFunc(head, func(cell string) bool {
		return slices.Contains(questionNames, strings.ToLower(strings.TrimSpace(cell)))
	})
}
