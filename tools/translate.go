package tools

import (
	"slices"

	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

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
