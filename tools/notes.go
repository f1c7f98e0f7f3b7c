package tools

import (
	"fmt"
	"io"
	"strings"

	"nl2sql/runner/files"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// Note is one line of a glossary: what a term means in a database's own SQL.
type Note struct {
	Terms   []string // synonyms, as written
	Meaning string   // SQL or plain words
	Line    int      `json:"-"` // of the file
}

// String is the note as a glossary has it.
func (n Note) String() string { return strings.Join(n.Terms, ", ") + " = " + n.Meaning }

// Notes is the glossary that belongs to a database. The zero value is an empty one.
type Notes []Note

// Bounds of a glossary: it is written by a person and read into prompts.
const (
	maxNotes     = 1000
	maxNoteBytes = 500
)

// ParseNotes reads lines of "term, synonym = meaning"; blank lines and lines that begin with # are passed over.
func ParseNotes(r io.Reader) (notes Notes, err error) {
	line := 0
	for said, err := range files.Lines(r, 64<<10) {
		if err != nil {
			return nil, fmt.Errorf("read notes: %w", err)
		}
		line++
		text := strings.TrimSpace(strings.TrimPrefix(string(said), "\uFEFF"))
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		terms, meaning, ok := strings.Cut(text, "=")
		n := Note{Meaning: strings.TrimSpace(meaning), Line: line}
		for t := range strings.SplitSeq(terms, ",") {
			if t = strings.TrimSpace(t); t != "" {
				n.Terms = append(n.Terms, t)
			}
		}
		switch {
		case !ok || len(n.Terms) == 0 || n.Meaning == "":
			return nil, fmt.Errorf("line %d: want \"term, synonym = meaning\"", line)
		case len(text) > maxNoteBytes:
			return nil, fmt.Errorf("line %d: longer than %d bytes", line, maxNoteBytes)
		case len(notes) == maxNotes:
			return nil, fmt.Errorf("line %d: more than %d notes", line, maxNotes)
		}
		notes = append(notes, n)
	}
	return notes, nil
}

// Linked returns the notes of which the question holds a term, in the glossary's order. Words match
// whole and in order, plural or not.
func (n Notes) Linked(q *question.Question) Notes {
	phrase := q.Bag().Phrase()
	return syntax.Filter(n, func(note Note) bool { return note.catches(phrase) != "" })
}

// Catches is the first of the note's terms that a question holds, or "".
func (n Note) Catches(asked string) string { return n.catches(words.Phrase(asked)) }

func (n Note) catches(phrase string) string {
	for _, term := range n.Terms {
		if strings.Contains(phrase, words.Phrase(term)) {
			return term
		}
	}
	return ""
}
