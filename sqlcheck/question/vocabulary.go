package question

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"nl2sql/sqlcheck/schema"
)

// shortWords spells out the abbreviations that schemas use inside names.
var shortWords = map[string][]string{
	"fname": {"first", "name"}, "lname": {"last", "name"}, "firstname": {"first", "name"}, "lastname": {"last", "name"},
	"num": {"number"}, "nr": {"number"}, "no": {"number"}, "qty": {"quantity"}, "amt": {"amount"}, "addr": {"address"},
	"desc": {"description"}, "dept": {"department"}, "emp": {"employee"}, "cust": {"customer"}, "prod": {"product"},
	"dob": {"date", "of", "birth"}, "tel": {"phone"}, "telephone": {"phone"}, "avg": {"average"}, "pct": {"percent"},
}

// A Vocabulary holds the words of a schema's names and values.
type Vocabulary struct {
	tables  []tableWords
	Columns []ColumnWords
	ByTable map[*schema.Table][]int // indexes into columns
	values  map[string][]int        // first lower-case word of a known value → indexes into known
	known   []knownValue            // values of text columns
	stems   map[string]struct{}     // every word of a name
	index   map[string][]indexed    // values by the stem of their first word
	lang    func() string           // of the names: "de", "es" or "fr"; "" is English, or none that is known. It is found out when it is first asked for
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

type knownValue struct {
	words  []string // lower case
	table  *schema.Table
	column *schema.Column
	value  string
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
		return &Vocabulary{}
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
	v := &Vocabulary{ByTable: map[*schema.Table][]int{}, values: map[string][]int{}, stems: map[string]struct{}{}, index: indexValues(s), lang: sync.OnceValue(func() string { return schemaLanguage(s) })}
	known := map[string]bool{} // words seen in names that mark their own borders
	for i := range s.Tables {
		for _, name := range append([]string{s.Tables[i].Name}, s.Tables[i].ColumnNames()...) {
			if ws := SplitName(name); len(ws) > 1 || name == s.Tables[i].Name {
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
		for j := range t.Columns {
			c := &t.Columns[j]
			ws := nameWords(c.Name, known)
			own := ws
			for len(own) > 1 && slices.Contains(tw, own[0]) {
				own = own[1:]
			}
			if len(own) == 2 && len(own[0]) == 1 && own[1] == "name" && len(tw) > 0 && strings.HasPrefix(tw[0], own[0]) { // "CName" of a course
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
			for _, value := range c.Values {
				ws := lowerWords(value)
				if len(ws) == 0 || c.Kind() != schema.Text {
					continue
				}
				v.values[ws[0]] = append(v.values[ws[0]], len(v.known))
				v.known = append(v.known, knownValue{ws, t, c, value})
			}
		}
	}
	for _, t := range v.tables {
		for _, w := range t.words {
			v.stems[w] = struct{}{}
		}
	}
	for _, c := range v.Columns {
		for _, w := range c.Words {
			v.stems[w] = struct{}{}
		}
	}
	return v
}

// nameWords splits a name and spells out abbreviations; a run of lower-case letters is cut where
// it begins with a word that the schema uses elsewhere ("orderdetails").
func nameWords(name string, known map[string]bool) []string {
	var words []string
	split := SplitName(name)
	for i, w := range split {
		if (w == "f" || w == "l") && i+1 < len(split) && split[i+1] == "name" { // "LName"
			words = append(words, shortWords[w+"name"][0])
			continue
		}
		if long, ok := shortWords[w]; ok {
			words = append(words, long...)
			continue
		}
		cut := 0
		for k := 3; k+3 <= len(w); k++ {
			if known[w[:k]] && !known[w] || known[w[:k]] && known[w[k:]] {
				cut = k
			}
		}
		if cut > 0 {
			words = append(words, Stem(w[:cut]), Stem(w[cut:]))
			continue
		}
		words = append(words, w)
	}
	return words
}

func lowerWords(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// KeyWords end the names of identifying columns.
var KeyWords = map[string]bool{"id": true, "number": true, "code": true, "key": true, "identifier": true, "ssn": true, "uid": true}

// IsKey reports whether the column only identifies rows: it is part of a key and looks like one.
func (v *Vocabulary) IsKey(t *schema.Table, c *schema.Column) bool {
	inKey := c.Key == "PRI" || c.Key == "UNI"
	for _, p := range t.PrimaryKey {
		inKey = inKey || strings.EqualFold(p, c.Name)
	}
	for _, fk := range t.ForeignKeys {
		for _, p := range fk.Columns {
			inKey = inKey || strings.EqualFold(p, c.Name)
		}
	}
	ws := v.WordsOf(t, c).Words
	if len(ws) == 0 || v.IsName(t, c) {
		return false
	}
	last := ws[len(ws)-1]
	return KeyWords[last] && (inKey || last == "id") || inKey && c.Kind() == schema.Number
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
func (v *Vocabulary) Natural(t *schema.Table) []*schema.Column {
	var person []*schema.Column
	for _, i := range v.ByTable[t] {
		c := v.Columns[i]
		if v.IsName(t, c.Col) {
			return []*schema.Column{c.Col}
		}
		if n := len(c.Own); n == 2 && c.Own[1] == "name" && (c.Own[0] == "first" || c.Own[0] == "last" || c.Own[0] == "family") {
			person = append(person, c.Col)
		}
	}
	if len(person) == 2 {
		if v.WordsOf(t, person[0]).Own[0] != "first" {
			person[0], person[1] = person[1], person[0]
		}
		return person
	}
	if len(t.PrimaryKey) == 1 {
		if c, ok := t.Column(t.PrimaryKey[0]); ok {
			return []*schema.Column{c}
		}
	}
	return nil
}
