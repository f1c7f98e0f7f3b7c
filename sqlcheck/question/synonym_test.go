package question

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

func TestSynonyms(t *testing.T) {
	s := must.Get(schema.ParseDDL("stage", `CREATE TABLE singer (id int PRIMARY KEY, last_name varchar(20), country varchar(20), age int);
CREATE TABLE movies (id int PRIMARY KEY, title varchar(20), director varchar(20) COMMENT 'the boss on set', length int);
CREATE TABLE shop (id int PRIMARY KEY, city varchar(20), opened date);
CREATE TABLE product (id int PRIMARY KEY, price decimal(8,2), kind varchar(9))`))(t)
	kinds := &s.Tables[3].Columns[2]
	kinds.Values, kinds.Complete = []string{"poster", "Disk", "film"}, true
	haus := must.Get(schema.ParseDDL("haus", `CREATE TABLE wohnungen (id int, zimmer int, strasse text, stadt text);`))(t)
	for _, tt := range []struct {
		schema  *schema.Schema
		asked   string
		want    string
		without string // what no name must be taken for
	}{
		{s, "How many vocalists are there?", "vocalists=singer", ""},
		{s, "Show the surname of each vocalist.", "surname=last_name vocalist=singer", ""},
		{s, "Show the family names of vocalists from each nation.", "family names=last_name vocalists=singer nation=country", ""},
		{s, "How many singers are there?", "", "singers"},     // literally
		{s, "How many Vocalists are there?", "", "vocalists"}, // a name, by its capital
		{s, `Who sang "vocalists"?`, "", "vocalists"},         // quoted
		{s, "How many film products are there?", "", "film"},  // a value
		{s, "Who was the boss of movies?", "", "boss"},        // a word of a comment
		{s, "How many xqzzy are there?", "", "xqzzy"},
		{s, "List the names, please.", "", "names"},
		{s, "Wie viele vocalists gibt es in der Stadt?", "", "vocalists"},
		{haus, "How many rooms are there?", "", "rooms"}, // Translations has them
	} {
		q := Read(tt.asked, tt.schema)
		var got []string
		for _, y := range q.Synonyms() {
			got = append(got, y.Word+"="+y.Name)
			_, table := tt.schema.Table(y.Name)
			if table != y.Table || y.Weight < words.Sure || y.Weight > 1 {
				t.Errorf("%s: %+v", tt.asked, y)
			}
		}
		text := strings.Join(got, " ")
		for w := range strings.SplitSeq(tt.want, " ") {
			must.Has(t, text, w, tt.asked, tt.want)
		}
		must.Be(t, tt.without == "" || !strings.Contains(text, tt.without+"="),
			tt.asked, text, "want nothing of", tt.without)
		must.Equal(t, fmt.Sprint(Read(tt.asked, tt.schema).Synonyms()), fmt.Sprint(q.Synonyms()),
			tt.asked, q.Synonyms())
	}
}

// Of two names that fit as well, nobody knows which is meant.
func TestSynonymsOfTwo(t *testing.T) {
	one := must.Get(schema.ParseDDL("one", `CREATE TABLE a (birth_country text, note text)`))(t)
	two := must.Get(schema.ParseDDL("two", `CREATE TABLE a (birth_country text, death_country text)`))(t)
	for _, tt := range []struct {
		schema *schema.Schema
		asked  string
		want   []Synonym
	}{
		{one, "List each nation.", []Synonym{{"nation", "birth_country", false, 0, 1}}},
		{two, "List each nation.", []Synonym{{"nation", "birth_country", false, 0, 2},
			{"nation", "death_country", false, 0, 2}}},
		{two, "List each birth nation.", []Synonym{{"nation", "birth_country", false, 0, 1}}},
	} {
		got := Read(tt.asked, tt.schema).Synonyms()
		for i := range got {
			got[i].Weight = 0
		}
		must.Be(t, slices.Equal(got, tt.want), tt.asked, got, tt.want)
	}
}

func BenchmarkSynonyms(b *testing.B) {
	s := must.Get(schema.ParseDDL("stage", `CREATE TABLE singer (id int PRIMARY KEY, last_name varchar(20), country varchar(20), age int);`))(b)
	Read("How many vocalists are there?", s).Synonyms()
	for b.Loop() {
		Read("What is the surname of the oldest vocalist of each nation?", s).Synonyms()
	}
}
