package question

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/sqlcheck/words"
)

// A Vocabulary holds the words of a schema's names and values.
type Vocabulary struct {
	tables  []tableWords
	Columns []ColumnWords
	ByTable map[*schema.Table][]int // indexes into columns
	values  map[string][][]string   // of text columns, in words in lower case, by the first
	stems   map[string]bool         // every word of a name
	index   map[string][]indexed    // values by the stem of their first word
	lang    func() words.Lang       // of the names. It is found out when it is first asked for
	means   func() *meanings        // so is this
}

type tableWords struct {
	table *schema.Table
	words []string
}

// ColumnWords are the words of a column's name.
type ColumnWords struct {
	Table *schema.Table
	Col   *schema.Column
	Words []string // all words of the name
	Own   []string // without the words of its table; never empty
}

// vocabularies keeps the words of the schemas last seen: reading them costs more than most guards.
// A Schema is read-only once built, so its address is its identity.
var vocabularies = struct {
	sync.Mutex
	of map[*schema.Schema]*Vocabulary
}{of: map[*schema.Schema]*Vocabulary{}}

const maxVocabularies = 256

// VocabularyOf is the vocabulary of a schema, which is read once. That of nil has no words.
func VocabularyOf(s *schema.Schema) *Vocabulary {
	if s == nil {
		return &Vocabulary{stems: map[string]bool{}}
	}
	vocabularies.Lock()
	defer vocabularies.Unlock()
	if v, ok := vocabularies.of[s]; ok {
		return v
	}
	if len(vocabularies.of) >= maxVocabularies {
		clear(vocabularies.of)
	}
	v := newVocabulary(s)
	vocabularies.of[s] = v
	return v
}

func newVocabulary(s *schema.Schema) *Vocabulary {
	v := &Vocabulary{
		ByTable: map[*schema.Table][]int{}, values: map[string][][]string{}, stems: map[string]bool{},
		index: indexValues(s), lang: sync.OnceValue(func() words.Lang { return schemaLanguage(s) }),
	}
	known := map[string]bool{} // words seen in names that mark their own borders
	for i := range s.Tables {
		for _, name := range append([]string{s.Tables[i].Name}, s.Tables[i].ColumnNames()...) {
			if ws := words.OfName(name); len(ws) > 1 || name == s.Tables[i].Name {
				for _, w := range ws {
					if len(w) >= 3 {
						known[w] = true
					}
				}
			}
		}
	}
	for i := range s.Tables {
		t := &s.Tables[i]
		tw := nameWords(t.Name, known)
		v.tables = append(v.tables, tableWords{t, tw})
		v.add(tw)
		for j := range t.Columns {
			c := &t.Columns[j]
			ws := nameWords(c.Name, known)
			v.add(ws)
			own := ws
			for len(own) > 1 && slices.Contains(tw, own[0]) {
				own = own[1:]
			}
			letter := len(own) == 2 && len(own[0]) == 1 && own[1] == "name"
			if letter && len(tw) > 0 && strings.HasPrefix(tw[0], own[0]) { // "CName" of a course
				own = own[1:]
			}
			for _, fk := range t.ForeignKeys {
				if len(fk.Columns) != 1 || !strings.EqualFold(fk.Columns[0], c.Name) {
					continue
				}
				for _, w := range nameWords(fk.RefTable, known) {
					if len(own) > 1 && own[0] == w {
						own = own[1:]
					}
				}
			}
			v.ByTable[t] = append(v.ByTable[t], len(v.Columns))
			v.Columns = append(v.Columns, ColumnWords{t, c, ws, own})
			if c.Kind() != schema.Text {
				continue
			}
			for _, value := range c.Values {
				if ws := words.Split(value); len(ws) > 0 {
					v.values[ws[0]] = append(v.values[ws[0]], ws)
				}
			}
		}
	}
	v.means = sync.OnceValue(func() *meanings { return newMeanings(v) })
	return v
}

// add takes the words of a name in.
func (v *Vocabulary) add(name []string) { maps.Copy(v.stems, syntax.Set(name)) }

// HasName says that a stem is of a word that a table or a column is called.
func (v *Vocabulary) HasName(stem string) bool { return words.Stands(v.stems, stem) }

// nameWords splits a name and spells out abbreviations; a run of lower-case letters is cut where
// it begins with a word that the schema uses elsewhere ("orderdetails").
func nameWords(name string, known map[string]bool) (list []string) {
	split := words.OfName(name)
	for i, w := range split {
		if (w == "f" || w == "l") && i+1 < len(split) && split[i+1] == "name" { // "LName"
			list = append(list, words.Unabbreviated(w + "name")[0])
			continue
		}
		if long := words.Unabbreviated(w); long != nil {
			list = append(list, long...)
			continue
		}
		cut := 0
		for k := 3; k+3 <= len(w); k++ {
			if known[w[:k]] && !known[w] || known[w[:k]] && known[w[k:]] {
				cut = k
			}
		}
		if cut > 0 {
			list = append(list, words.Stem(w[:cut]), words.Stem(w[cut:]))
			continue
		}
		list = append(list, w)
	}
	return list
}

// IsKey reports whether the column only identifies rows: it is part of a key and looks like one.
func (v *Vocabulary) IsKey(t *schema.Table, c *schema.Column) bool {
	key := t.Identity()
	for _, fk := range t.ForeignKeys {
		key = append(slices.Clip(key), fk.Columns...)
	}
	inKey := c.Key == "PRI" || c.Key == "UNI" ||
		slices.ContainsFunc(key, func(name string) bool { return strings.EqualFold(name, c.Name) })
	ws := v.WordsOf(t, c).Words
	if len(ws) == 0 || v.IsName(t, c) {
		return false
	}
	last := ws[len(ws)-1]
	return words.Is(last, words.Key) && (inKey || last == "id") || inKey && c.Kind() == schema.Number
}

// IsName reports whether the column names its row for a reader.
func (v *Vocabulary) IsName(t *schema.Table, c *schema.Column) bool {
	w := v.WordsOf(t, c)
	if c.Kind() != schema.Text {
		return false
	}
	if len(w.Own) == 1 && (w.Own[0] == "name" || w.Own[0] == "title") {
		return true
	}
	return slices.Equal(v.TableWordsOf(t), w.Words) // called like its table
}

// TableWordsOf are the words of a table's name; none if it is no table of the schema.
func (v *Vocabulary) TableWordsOf(t *schema.Table) []string {
	for _, tw := range v.tables {
		if tw.table == t {
			return tw.words
		}
	}
	return nil
}

// WordsOf are the words of a column's name.
func (v *Vocabulary) WordsOf(t *schema.Table, c *schema.Column) ColumnWords {
	for _, i := range v.ByTable[t] {
		if v.Columns[i].Col == c {
			return v.Columns[i]
		}
	}
	return ColumnWords{}
}

// Natural returns the columns that show a row of t to a reader: its name or title; else the first and
// last name of a person; else its primary key if that is one column.
func (v *Vocabulary) Natural(t *schema.Table) (person []*schema.Column) {
	for _, i := range v.ByTable[t] {
		c := v.Columns[i]
		if v.IsName(t, c.Col) {
			return []*schema.Column{c.Col}
		}
		if len(c.Own) == 2 && c.Own[1] == "name" && slices.Contains([]string{"first", "last", "family"}, c.Own[0]) {
			person = append(person, c.Col)
		}
	}
	if len(person) == 2 {
		if v.WordsOf(t, person[0]).Own[0] != "first" {
			person[0], person[1] = person[1], person[0]
		}
		return person
	}
	if key := t.Identity(); len(key) == 1 {
		if c, ok := t.Column(key[0]); ok {
			return []*schema.Column{c}
		}
	}
	return nil
}
