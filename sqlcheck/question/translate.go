package question

import (
	"slices"
	"strings"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

// A Translation is a word of an English question, and the name or the value of a database in another language that
// means it.
type Translation struct {
	Word   string
	Name   string         // of a table or column
	Table  *schema.Table  // of Column; nil for a name
	Column *schema.Column // that holds Value; nil for a name
	Value  string
}

// foreign is the least share of the words of a schema's names that must be of another language, for its names to be.
const foreign = 0.25

// schemaLanguage is the language of a schema's names; English also where none is known.
func schemaLanguage(s *schema.Schema) (lang words.Lang) {
	seen := map[string]bool{}
	var hits [words.Langs]int
	for i := range s.Tables {
		for _, name := range append([]string{s.Tables[i].Name}, s.Tables[i].ColumnNames()...) {
			for _, w := range words.OfName(name) {
				if len(w) < 3 || seen[w] {
					continue
				}
				seen[w] = true
				for l := range words.Langs {
					if sure, unsure := words.EnglishFor(l, w); sure != nil || unsure != nil {
						hits[l]++
					}
				}
			}
		}
	}
	for l, n := range hits {
		if n > max(hits[lang], hits[words.English]) && float64(n) >= foreign*float64(len(seen)) {
			lang = words.Lang(l)
		}
	}
	return lang
}

// SameMeaning tells which names mean the same as name in the language of a schema's names: congresos and conferencias,
// mitarbeiter and employees. None does where that is English.
func SameMeaning(s *schema.Schema, name string) func(other string) bool {
	lang := schemaLanguage(s)
	meanings := func(name string) []string {
		split := words.OfName(name)
		if lang == words.English || len(split) != 1 {
			return nil
		}
		sure, _ := words.EnglishFor(lang, split[0])
		return append(sure, split[0])
	}
	of := meanings(name)
	return func(other string) bool {
		return slices.ContainsFunc(meanings(other), func(w string) bool { return slices.Contains(of, w) })
	}
}

// Translations are the names and values of the schema that words of an English question mean, tables first; none where
// the names are English, or the question is not.
func (q *Question) Translations() (found []Translation) {
	if q.Lang != words.English || q.Schema == nil {
		return nil
	}
	lang := q.Voc.lang()
	if lang == words.English {
		return nil
	}
	phrase := q.Bag().Phrase()
	asks := func(e string) bool { return strings.Contains(phrase, words.Phrase(e)) }
	// means is the word of the question that all words of the name mean together.
	means := func(name string) (word string, sure bool) {
		if asks(name) { // it needs no translation
			return "", false
		}
		sure = true
		for _, w := range words.OfName(name) {
			if w == "id" { // of a reference, whose table says it
				return "", false
			}
			if len(w) < 3 {
				continue
			}
			exact, end := words.EnglishFor(lang, w)
			all := slices.Concat(exact, end)
			i := slices.IndexFunc(all, asks)
			if i < 0 {
				return "", false
			}
			if sure = sure && i < len(exact); !strings.Contains(word, all[i]) {
				word = strings.TrimSpace(word + " " + all[i])
			}
		}
		return word, sure
	}
	var unsure, values []Translation
	add := func(name string, t Translation) {
		word, sure := means(name)
		t.Word = word
		switch {
		case word == "" || slices.Contains(found, t):
		case t.Column != nil:
			values = append(values, t)
		case sure:
			found = append(found, t)
		default:
			unsure = append(unsure, t)
		}
	}
	for _, t := range q.Schema.Tables {
		add(t.Name, Translation{Name: t.Name})
	}
	for i := range q.Schema.Tables {
		t := &q.Schema.Tables[i]
		for j := range t.Columns {
			c := &t.Columns[j]
			add(c.Name, Translation{Name: c.Name})
			if c.Kind() != schema.Text || !c.Complete {
				continue
			}
			for _, v := range c.Values {
				add(v, Translation{Table: t, Column: c, Value: v})
			}
		}
	}
	named := func(t Translation) bool {
		return slices.ContainsFunc(found, func(o Translation) bool { return o.Word == t.Word })
	}
	found = append(found, slices.DeleteFunc(unsure, named)...)
	values = slices.DeleteFunc(values, named)
	for i, t := range values { // of two columns neither is meant surely
		other := func(o Translation) bool { return o.Word == t.Word && o.Column != values[i].Column }
		if !slices.ContainsFunc(values, other) {
			found = append(found, t)
		}
	}
	return found
}
