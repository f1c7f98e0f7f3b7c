package tools

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nl2sql/runner/files"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
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

// Check compares a glossary with the database that it is about. The error is that of the first note which speaks of a
// table or column that s does not have: its line, the name, and what is near. A meaning may be plain words, so a name
// is what is written table.column, stands alone in a call's brackets, beside *, or before a comparison.
func (n Notes) Check(s *schema.Schema) error {
	for _, note := range n {
		if what := n.unknown(note.Meaning, s); what != "" {
			return fmt.Errorf("line %d: %s", note.Line, what)
		}
	}
	return nil
}

// unknown says which name of a meaning s does not have; "" if it has all.
func (n Notes) unknown(meaning string, s *schema.Schema) string {
	tokens := tokensOf(meaning)
	at := func(i int) syntax.Token { // the zero Token where there is none
		if i < 0 || i >= len(tokens) {
			return syntax.Token{}
		}
		return tokens[i]
	}
	touches := func(i int) bool { return at(i).Pos+len(at(i).Text) == at(i+1).Pos && i+1 < len(tokens) }
	for i := 0; i < len(tokens); i++ {
		name := at(i).Name()
		if first, _ := utf8.DecodeRuneInString(name); !unicode.IsLetter(first) && first != '_' {
			continue
		}
		if at(i+1).Text == "." && touches(i) && touches(i+1) && (at(i+2).Name() != "" || at(i+2).Text == "*") {
			column := at(i + 2).Name()
			i += 2
			if at(i+1).Text == "." && touches(i) { // of another database, or no name at all
				i += 2
			} else if what := unknownColumn(name, column, tokens, s); what != "" {
				return what
			}
			continue
		}
		before, after := at(i-1).Text, at(i+1).Text
		called := before == "(" && after == ")" && i > 1 && at(i-2).Name() != "" && touches(i-2)
		compared := strings.ContainsAny(after, "<>=") || after == "!" && at(i+2).Text == "="
		if (called || compared || before == "*" || after == "*") && !n.explains(name) && !hasName(s, name) {
			return "there is no table or column " + name + nearest(name, append(s.TableNames(), columnNames(s)...))
		}
	}
	return ""
}

func tokensOf(text string) (tokens []syntax.Token) {
	for i := 0; ; {
		var t syntax.Token
		if t, i = syntax.NextToken(text, i); t.Kind == syntax.EndToken {
			return tokens
		}
		tokens = append(tokens, t)
	}
}

// unknownColumn says what s does not have of table.column; column is "" for all of them. A table may be an alias.
func unknownColumn(table, column string, tokens []syntax.Token, s *schema.Schema) string {
	if utf8.RuneCountInString(table) == 1 && utf8.RuneCountInString(column) == 1 { // e.g.
		return ""
	}
	t, ok := s.Table(table)
	for i := 1; !ok && i < len(tokens); i++ { // "orders o" and "orders AS o"
		if !strings.EqualFold(tokens[i].Name(), table) || i+1 < len(tokens) && tokens[i+1].Text == "." {
			continue
		}
		if k := i - 1; k > 0 && strings.EqualFold(tokens[k].Text, "as") {
			t, ok = s.Table(tokens[k-1].Name())
		} else {
			t, ok = s.Table(tokens[k].Name())
		}
	}
	if !ok {
		return "there is no table " + table + nearest(table, s.TableNames())
	}
	if _, has := t.Column(column); column == "" || has {
		return ""
	}
	what := t.Name + " has no column " + column
	if near := nearest(column, t.ColumnNames()); near != "" {
		return what + near
	}
	for _, other := range s.Tables {
		if _, has := other.Column(column); has {
			return what + "; " + other.Name + " has"
		}
	}
	return what
}

func nearest(name string, names []string) string {
	if near := syntax.NearNames(name, names); len(near) > 0 {
		return "; did you mean " + near[0] + "?"
	}
	return ""
}

func columnNames(s *schema.Schema) (names []string) {
	for _, t := range s.Tables {
		names = append(names, t.ColumnNames()...)
	}
	return names
}

func hasName(s *schema.Schema, name string) bool {
	_, table := s.Table(name)
	return table || s.HasColumn(name)
}

// explains reports whether a name is a term of the glossary.
func (n Notes) explains(name string) bool {
	return slices.ContainsFunc(n, func(note Note) bool {
		return slices.ContainsFunc(note.Terms, func(t string) bool { return strings.EqualFold(t, name) })
	})
}
