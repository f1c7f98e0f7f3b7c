package tools

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

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
	return table || slices.ContainsFunc(columnNames(s), func(c string) bool { return strings.EqualFold(c, name) })
}

// explains reports whether a name is a term of the glossary.
func (n Notes) explains(name string) bool {
	return slices.ContainsFunc(n, func(note Note) bool {
		return slices.ContainsFunc(note.Terms, func(t string) bool { return strings.EqualFold(t, name) })
	})
}
