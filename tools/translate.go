package tools

import (
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

// maxTranslations bounds what a prompt says about names in another language.
const maxTranslations = 8

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
