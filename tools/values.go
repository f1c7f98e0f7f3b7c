package tools

import (
	"cmp"
	"slices"
	"strings"

	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

// LinkedValue is a known value of a column that a question holds, or means by a word of the column's comment.
type LinkedValue struct {
	Table, Column, Value string
	Meaning              string // as the comment has it; "" if the question holds the value
	Number               bool
}

// String is the value as a condition: customers.country = 'France', orders.stat = 'OP' (open).
func (v LinkedValue) String() string {
	text := v.Table + "." + v.Column + " = "
	if v.Number {
		text += v.Value
	} else {
		text += "'" + strings.ReplaceAll(v.Value, "'", "''") + "'"
	}
	if v.Meaning != "" {
		text += " (" + v.Meaning + ")"
	}
	return text
}

// same reports whether two are one value of one column.
func (v LinkedValue) same(o LinkedValue) bool {
	return v.Table == o.Table && v.Column == o.Column && v.Value == o.Value
}

// words are those that stand for the value in a question, as a phrase without accents.
func (v LinkedValue) words() string { return words.Fold(words.Phrase(cmp.Or(v.Meaning, v.Value))) }

// valuesOf are the values of a column that the question holds; if there are none, the one that the column's comment or
// a synonym leads to, and those that a proper name of the question is a part of.
// about are words that stand for something else, as the table does.
func (q *asked) valuesOf(t *schema.Table, c *schema.Column, about []string) (found []LinkedValue) {
	for _, v := range q.Known()[c] {
		found = append(found, LinkedValue{Table: t.Name, Column: c.Name, Value: v})
	}
	if len(found) > 0 {
		return found
	}
	if codes := codesOf(c); codes != nil {
		if code, ok := codeIn(codes, q.words, append(words.OfName(c.Name), about...)); ok {
			return []LinkedValue{{t.Name, c.Name, code.value, code.meaning, c.Kind() == schema.Number}}
		}
	}
	known := c.Texts
	if c.Complete {
		known = c.Values
	}
	for _, w := range q.words.List {
		if v, ok := question.ValueMeant(w, q.Lang, known); ok {
			found = append(found, LinkedValue{Table: t.Name, Column: c.Name, Value: v, Meaning: w})
		}
	}
	if len(found) > 1 { // "male and female" asks for neither
		return nil
	}
	for _, name := range q.ProperNames() {
		if whole := question.ValuesWith(name, known); len(whole) == 1 {
			found = append(found, LinkedValue{Table: t.Name, Column: c.Name, Value: whole[0], Meaning: name})
		}
	}
	return found
}

// maxLinkedValues bounds what a prompt says about values.
const maxLinkedValues = 6

// LinkValues returns the known values that the question holds, one column each: where several columns know a
// value, the one whose table the question points at most. Of values of one column that differ in blanks, case or signs
// only, that which the question spells so is taken, else the most frequent. A value inside a longer one is left out.
func LinkValues(q *question.Question, s *schema.Schema, notes Notes) []LinkedValue {
	return linkValuesIn(s, q, s, notes)
}

// linkValuesIn is [LinkValues] of the tables of a part of s.
func linkValuesIn(part *schema.Schema, q *question.Question, s *schema.Schema, notes Notes) (linked []LinkedValue) {
	at := map[string]int{} // in linked, by the words of a value
	for _, h := range scores(part, q, s, notes) {
		for _, v := range h.values {
			i, seen := at[v.words()]
			if !seen {
				at[v.words()] = len(linked)
				linked = append(linked, v)
				continue
			}
			o := linked[i]
			if o.Table == v.Table && o.Column == v.Column && verbatim(q.Text, v.Value) > verbatim(q.Text, o.Value) {
				linked[i] = v
			}
		}
	}
	linked = slices.DeleteFunc(linked, func(v LinkedValue) bool {
		inner := v.words()
		return slices.ContainsFunc(linked, func(o LinkedValue) bool {
			outer := o.words()
			return outer != inner && strings.Contains(outer, inner)
		})
	})
	return linked[:min(len(linked), maxLinkedValues)]
}

// verbatim is how much of a value the question has just as it is spelled: all of its bytes or none.
func verbatim(asked, value string) int {
	if !strings.Contains(asked, value) {
		return 0
	}
	return len(value)
}

// maxTranslations bounds what a prompt says about names in another language.
const maxTranslations = 8

// maxSynonyms bounds what a prompt says about names in other words.
const maxSynonyms = 6

// translations are hints for an English question about a database whose names are in another language: names of the
// shown tables as notes, speaker: ponentes, and values as values, charla_ponente.papel = 'moderador' (moderator).
func translations(q *question.Question, shown *schema.Schema) (names Notes, values []LinkedValue) {
	for _, t := range q.Translations() {
		switch {
		case t.Column != nil:
			v := LinkedValue{Table: t.Table.Name, Column: t.Column.Name, Value: t.Value, Meaning: t.Word}
			values = append(values, v)
		case len(names) < maxTranslations && hasName(shown, t.Name):
			names = append(names, Note{Terms: []string{t.Word}, Meaning: t.Name})
		}
	}
	return names, values
}

// SynonymNotes are hints for words of a question that name nothing: the one name of the shown tables that means the
// same, vocalists: singer.
func SynonymNotes(q *question.Question, shown *schema.Schema) (names Notes) {
	for _, s := range q.Synonyms() {
		if s.Names == 1 && len(names) < maxSynonyms && hasName(shown, s.Name) {
			names = append(names, Note{Terms: []string{s.Word}, Meaning: s.Name})
		}
	}
	return names
}

// unsaid drops notes about words for which the prompt has a hint already.
func (d promptData) unsaid(names Notes) Notes {
	return slices.DeleteFunc(names, func(n Note) bool {
		phrase := words.Phrase(n.Terms[0])
		return slices.ContainsFunc(d.Notes, func(o Note) bool { return o.catches(phrase) != "" }) ||
			slices.ContainsFunc(d.Values, func(v LinkedValue) bool { return v.words() == phrase })
	})
}
