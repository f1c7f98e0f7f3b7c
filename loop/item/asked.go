package item

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// LoadQuestions reads what is to be asked from a file, see [Questions].
func LoadQuestions(name string) ([]Item, error) { return load(name, Questions) }

// Questions reads what is to be asked: a question a line, or items as [Read] takes them, of which none needs a gold
// query. Empty lines are passed over, and of questions a line those that begin with #.
func Questions(r io.Reader) ([]Item, error) { return read(r, itemList{asked: true}) }

// Asked reads what is to be asked as it comes, each as soon as its line is there: a question or a JSON object a line.
// What is no list of lines, an array or CSV with a head, it reads whole. IDs are given as by [Questions]. The error is
// the last that it yields.
func Asked(r io.Reader) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		in := bufio.NewReaderSize(r, maxItem)
		l := itemList{asked: true, line: map[string]int{}}
		for n := 1; ; n++ {
			line, err := in.ReadSlice('\n')
			if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
				yield(Item{}, fmt.Errorf("read items: %w", err))
				return
			}
			if n == 1 {
				line = bytes.TrimPrefix(line, []byte("\uFEFF"))
			}
			text := bytes.TrimSpace(line)
			if len(l.items) == 0 && (bytes.HasPrefix(text, []byte("[")) || hasQuestionColumn(line)) {
				whole, err := read(io.MultiReader(bytes.NewReader(bytes.Clone(line)), in), l)
				for _, it := range whole {
					if !yield(it, nil) {
						return
					}
				}
				if err != nil {
					yield(Item{}, err)
				}
				return
			}
			if err == bufio.ErrBufferFull {
				yield(Item{}, fmt.Errorf("read items: line %d: an item of more than %d MiB", n, maxItem>>20))
				return
			}
			if len(text) > 0 && text[0] != '#' {
				if err := l.one(text, n); err != nil {
					yield(Item{}, fmt.Errorf("read items: %w", err))
					return
				}
				if !yield(l.items[len(l.items)-1], nil) {
					return
				}
			}
			if err == io.EOF {
				return
			}
		}
	}
}

// one takes what stands in a line.
func (l *itemList) one(line []byte, n int) error {
	switch {
	case !utf8.Valid(line):
		return fmt.Errorf("line %d: this is not UTF-8", n)
	case line[0] == '{':
		return l.object(line, n)
	}
	return l.add(Item{Question: string(line)}, n)
}

// plain takes a question a line.
func (l *itemList) plain(data []byte) error {
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
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
