package question

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"nl2sql/sqlcheck/schema"
)

// lexiconText has words that databases are made of: a line a concept, in English, German, Spanish and French, without accents.
//
//go:embed lexicon.txt
var lexiconText string

// A Translation is a word of an English question, and the name or the value of a database in another language that means it.
type Translation struct {
	Word   string
	Name   string         // of a table or column
	Table  *schema.Table  // of Column; nil for a name
	Column *schema.Column // that holds Value; nil for a name
	Value  string
}

// lexicon has the English words of each word of another language, by language and key.
var lexicon = sync.OnceValue(func() map[string]map[string][]string {
	of := map[string]map[string][]string{"de": {}, "es": {}, "fr": {}, "": {}}
	for line := range strings.Lines(lexiconText) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		english := terms(fields[0])
		for _, e := range english {
			of[""][Stem(e)] = english
		}
		for i, lang := range []string{"de", "es", "fr"} {
			if i+1 >= len(fields) {
				break
			}
			for _, w := range terms(fields[i+1]) {
				for _, k := range keys(lang, strings.ReplaceAll(w, " ", "")) {
					of[lang][k] = append(of[lang][k], english...)
				}
			}
		}
	}
	return of
})

func terms(field string) (list []string) {
	for t := range strings.SplitSeq(field, ",") {
		if t = strings.TrimSpace(t); t != "" {
			list = append(list, t)
		}
	}
	return list
}

// endings of plurals, cases and genders, the longest first, which keys do without.
var endings = map[string][]string{"de": strings.Fields("innen en er em es e n s"), "es": strings.Fields("es os as s a o e"), "fr": strings.Fields("es s x e")}

// keys are a word without accents, and then also without its ending.
func keys(lang, word string) []string {
	w := fold(word)
	if lang == "de" {
		w = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u").Replace(w)
	}
	for _, end := range endings[lang] {
		if stem, cut := strings.CutSuffix(w, end); cut && len(stem) >= 3 {
			return []string{w, stem + "-"}
		}
	}
	return []string{w, w + "-"}
}

// englishOf are the English words for a word of a name, and, less sure, those for the end of a German compound.
func englishOf(lang, word string) (sure, unsure []string) {
	words, forms := lexicon()[lang], keys(lang, word)
	for _, k := range forms {
		if sure == nil {
			sure = words[k]
		}
	}
	for i := 3; lang == "de" && len(forms[0])-i >= 4 && unsure == nil; i++ {
		for _, k := range forms {
			if unsure == nil {
				unsure = words[k[i:]]
			}
		}
	}
	return sure, unsure
}

// foreign is the least share of the words of a schema's names that must be of another language, for its names to be.
const foreign = 0.25

// schemaLanguage is the language of a schema's names: "de", "es" or "fr"; "" for English ones and those of no known language.
func schemaLanguage(s *schema.Schema) (lang string) {
	seen, hits := map[string]bool{}, map[string]int{}
	for i := range s.Tables {
		for _, name := range append([]string{s.Tables[i].Name}, s.Tables[i].ColumnNames()...) {
			for _, w := range SplitName(name) {
				if len(w) < 3 || seen[w] {
					continue
				}
				seen[w] = true
				for l := range lexicon() {
					if l == "" && lexicon()[""][w] != nil || l != "" && isOf(l, w) {
						hits[l]++
					}
				}
			}
		}
	}
	for _, l := range []string{"de", "es", "fr"} {
		if hits[l] > max(hits[lang], hits[""]) && float64(hits[l]) >= foreign*float64(len(seen)) {
			lang = l
		}
	}
	return lang
}

// SameMeaning tells which names mean the same as name in the language of a schema's names: congresos and conferencias, mitarbeiter and employees. None does where that
// is English.
func SameMeaning(s *schema.Schema, name string) func(other string) bool {
	lang := schemaLanguage(s)
	meanings := func(name string) []string {
		words := SplitName(name)
		if lang == "" || len(words) != 1 {
			return nil
		}
		sure, _ := englishOf(lang, words[0])
		return append(slices.Clone(sure), words[0])
	}
	of := meanings(name)
	return func(other string) bool {
		return len(of) > 0 && slices.ContainsFunc(meanings(other), func(w string) bool { return slices.Contains(of, w) })
	}
}

func isOf(lang, word string) bool {
	sure, unsure := englishOf(lang, word)
	return sure != nil || unsure != nil
}

// Translations are the names and values of s that words of an English question mean, tables first; none where the names of s are English, or
// the question is not.
func Translations(asked string, s *schema.Schema) (found []Translation) {
	if LanguageOf(asked) != "" {
		return nil
	}
	lang := VocabularyOf(s).lang()
	if lang == "" {
		return nil
	}
	phrase := NewBag(asked).Phrase()
	asks := func(e string) bool { return strings.Contains(phrase, NewBag(e).Phrase()) }
	// means is the word of the question that all words of the name mean together.
	means := func(name string) (word string, sure bool) {
		if asks(name) { // it needs no translation
			return "", false
		}
		sure = true
		for _, w := range SplitName(name) {
			if w == "id" { // of a reference, whose table says it
				return "", false
			}
			if len(w) < 3 {
				continue
			}
			exact, end := englishOf(lang, w)
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
	for i := range s.Tables {
		add(s.Tables[i].Name, Translation{Name: s.Tables[i].Name})
	}
	for i := range s.Tables {
		t := &s.Tables[i]
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
		if !slices.ContainsFunc(values, func(o Translation) bool { return o.Word == t.Word && o.Column != values[i].Column }) {
			found = append(found, t)
		}
	}
	return found
}
