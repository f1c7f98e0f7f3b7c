package question

import (
	"slices"
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/words"
)

// plants is a schema whose values are words of questions, too.
func plants(t testing.TB) *schema.Schema {
	t.Helper()
	s, err := schema.ParseDDL("",
		`CREATE TABLE plants (id int, name varchar(40), state char(2), kind varchar(20), zip_code char(3), grade char(1), plant_size text, size_class text, planted varchar(10));`)
	must.Do(t, err)
	for name, values := range map[string][]string{
		"state": {"ON", "OR", "IN", "QC"}, "kind": {"Oak", "Red Oak", "Plant", "Of All", "Ünder"},
		"zip_code": {"197", "007"}, "grade": {"A", "B"},
		"size_class": {"Size", "Large"}, "planted": {"2020-03-01"},
	} {
		c, _ := s.Tables[0].Column(name)
		c.Values, c.Complete = values, true
	}
	c, _ := s.Tables[0].Column("name")
	c.Texts = []string{"Old Tom", strings.Repeat("long ", 30)}
	return s
}

func TestKnown(t *testing.T) {
	for _, tt := range []struct {
		question string
		want     []string
	}{
		{"Which are based on peat or in pots?", nil},
		{"Plants in ON", []string{"state=ON"}},
		{`plants of state "on"`, []string{"state=ON"}},
		{"On which of them is moss?", nil},
		{"ON WHICH ARE MOSSES", nil}, // at the beginning: no sign of a name
		{"How many plants are there?", nil},
		{"How many of kind 'plant'?", []string{"kind=Plant"}},
		{"those of all sizes", nil},
		{"Which size are large ones?", []string{"size_class=Large"}},
		{"red oaks and oaks", []string{"kind=Oak", "kind=Red Oak"}},
		{"RED OAK?", []string{"kind=Oak", "kind=Red Oak"}},
		{"Soakers of Oakland", nil},
		{"what is ünder it", []string{"kind=Ünder"}},
		{"what is under it", nil},
		{"what is uender it", []string{"kind=Ünder"}},
		{"Wie viele Oaks gibt es?", []string{"kind=Oak"}},
		{"Zeige alle großen und Röd Oaks", []string{"kind=Oak"}},
		{"old tom", []string{"name=Old Tom"}},
		{"zip code 197", []string{"zip_code=197"}},
		{"the 197 plants", nil},
		{"zip above 197", nil},
		{"zip 7", nil},
		{"grade B plants", []string{"grade=B"}},
		{"plants a grade higher", nil},
		{`those with "B"`, []string{"grade=B"}},
		{"names with the letter 'B'", nil},
		{"planted 2020-03-01", []string{"planted=2020-03-01"}},
		{"planted after 2020-03-01", nil},
		{"", nil},
	} {
		var got []string
		for c, values := range Read(tt.question, plants(t)).Known() {
			for _, v := range values {
				got = append(got, c.Name+"="+v)
			}
		}
		slices.Sort(got)
		must.Same(t, got, tt.want, tt.question)
	}
}

func TestValueMeant(t *testing.T) {
	for _, tt := range []struct {
		word   string
		values []string
		want   string
	}{
		{"female", []string{"F", "M"}, "F"},
		{"male", []string{"M", "F", "X"}, "M"},
		{"male", []string{"M", "T", "W"}, ""}, // days
		{"usa", []string{"United States", "France", "Spain", "Japan"}, "United States"},
		{"usa", []string{"US", "United States"}, ""},
		{"yes", []string{"Y", "N"}, ""},
		{"m", []string{"Male", "Female"}, ""},
		{"oak", []string{"Oak"}, ""},
	} {
		if got, ok := ValueMeant(tt.word, words.English, tt.values); ok != (tt.want != "") || ok && got != tt.want {
			t.Errorf("ValueMeant(%s, %q) = %q, %v; want %q", tt.word, tt.values, got, ok, tt.want)
		}
	}
}

func FuzzKnown(f *testing.F) {
	f.Add("Plants in ON", "Old Tom")
	f.Add("'\xff' ", "\xff")
	f.Fuzz(func(t *testing.T, asked, value string) {
		s := plants(t)
		c, _ := s.Tables[0].Column("name")
		c.Texts = []string{value}
		for c, values := range Read(asked, s).Known() {
			for _, v := range values {
				must.Be(t, slices.Contains(c.Values, v) || slices.Contains(c.Texts, v), v, "is no value of", c.Name)
			}
		}
	})
}
