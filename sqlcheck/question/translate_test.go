package question

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

func TestTranslations(t *testing.T) {
	house, err := schema.ParseDDL("haus",
		`CREATE TABLE gebaeude (id int PRIMARY KEY, name varchar(20), strasse varchar(30), baujahr int);
CREATE TABLE wohnungen (id int PRIMARY KEY, gebaeude_id int, zimmer int, flaeche_qm decimal(6,1));
CREATE TABLE mietvertraege (id int PRIMARY KEY, wohnung_id int, beginn date, kaltmiete decimal(8,2), status varchar(12));`)
	must.Do(t, err)
	leases, _ := house.Table("mietvertraege")
	c, _ := leases.Column("status")
	c.Values, c.Complete = []string{"laufend", "beendet", "Miete"}, true
	shop, err := schema.ParseDDL("shop",
		`CREATE TABLE customers (id int PRIMARY KEY, first_name varchar(20), city varchar(30)); CREATE TABLE orders (id int PRIMARY KEY, amount decimal(8,2), status varchar(9));`)
	must.Do(t, err)
	congress, err := schema.ParseDDL("congreso",
		`CREATE TABLE ponentes (id int PRIMARY KEY, nombre varchar(20), apellido varchar(20), pais varchar(20)); CREATE TABLE salas (id int PRIMARY KEY, aforo int, planta int);`)
	must.Do(t, err)
	for _, tt := range []struct {
		schema  *schema.Schema
		asked   string
		want    string
		without string // what a name or value must not be taken for
	}{
		{house, "How many buildings do we have?", "building=gebaeude", ""},
		{house, "basic rent of the running contracts by street", "street=strasse", "beendet"},
		{house, "rent by start", "rent=kaltmiete start=beginn", "Miete"},
		{house, "running contracts", "running=mietvertraege.status:laufend", ""},
		{house, "Wie viele Gebäude haben wir?", "", "gebaeude"},
		{congress, "last names and countries of our speakers", "last name=apellido country=pais", ""},
		{shop, "How many customers are there in each city?", "", "customers"},
	} {
		var got []string
		for _, x := range Read(tt.asked, tt.schema).Translations() {
			s := x.Word + "=" + x.Name
			if x.Column != nil {
				s = fmt.Sprintf("%s=%s.%s:%s", x.Word, x.Table.Name, x.Column.Name, x.Value)
			}
			got = append(got, s)
		}
		all := strings.Join(got, " ")
		if tt.want == "" && all != "" || !strings.Contains(" "+all+" ", " "+tt.want+" ") && tt.want != "" &&
			!containsAll(got, tt.want) {
			t.Errorf("%s: %s", tt.asked, cmp.Diff(tt.want, all))
		}
		must.Be(t, tt.without == "" || !strings.Contains(all, tt.without), tt.asked, all)
	}
}

// containsAll reports whether each of the wanted, which blanks before a name separate, is there.
func containsAll(got []string, want string) bool {
	n := 0
	for _, g := range got {
		if strings.Contains(" "+want+" ", " "+g+" ") {
			n++
		}
	}
	return n == strings.Count(want, "=")
}
