package doubt

import (
	"slices"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

// Who is asked is no number, and an empty text beside NULL is told where one of them alone is asked for.
func TestWhoAndEmpty(t *testing.T) {
	s := shop(t)
	client, _ := s.Table("client")
	name, _ := client.Column("name")
	name.Texts, name.AllTexts = []string{"Ann", ""}, true
	const number = "the question asks who or which, and the query shows town_id, a number; show a name"
	const count = "the question asks who or which, and the query shows a count; show a name"
	const both = "name has empty texts and may be NULL, and the query asks for one of both"
	for _, tt := range []struct{ asked, sql, want string }{
		{"Who is the oldest?", "SELECT town_id FROM client ORDER BY age DESC LIMIT 1", number},
		{"Wer ist am ältesten?", "SELECT town_id, age FROM client ORDER BY age DESC LIMIT 1", number},
		{"Which ones are from Bern?", "SELECT COUNT(*) FROM client", count},
		{"Who is from Bern?", "SELECT COUNT(id) FROM client", count},
		{"Which towns have a client, and how many?", "SELECT COUNT(*) FROM client", ""},
		{"Which age is the highest?", "SELECT MAX(age) FROM client", ""},
		{"Who has which town id?", "SELECT town_id FROM client", ""},
		{"Who is the oldest?", "SELECT name, age FROM client ORDER BY age DESC LIMIT 1", ""},
		{"Who is the oldest?", "SELECT CONCAT(id, name) FROM client ORDER BY age DESC LIMIT 1", ""},
		{"Whose age is the highest?", "SELECT town_id FROM client", ""},
		{"How old is who is the oldest?", "SELECT age FROM client ORDER BY age DESC LIMIT 1", ""},
		{"clients without a name", "SELECT id FROM client WHERE name IS NULL", both},
		{"clients with a name", "SELECT id FROM client WHERE name IS NOT NULL", both},
		{"clients with a name", "SELECT id FROM client WHERE name <> ''", both},
		{"clients without a name", "SELECT id FROM client WHERE name IS NULL OR name = ''", ""},
		{"clients called Ann", "SELECT id FROM client WHERE name = 'Ann'", ""},
		{"towns without a country", "SELECT id FROM town WHERE country IS NULL", ""},
	} {
		must.Equal(t, textsOf(s, tt.asked, tt.sql, "who_number", "empty_texts"), tt.want, tt.asked, tt.sql)
	}
}

// textsOf are the texts of some doubts of an answer.
func textsOf(s *schema.Schema, asked, sql string, names ...sqlcheck.Reason) (texts string) {
	for _, d := range told(Case{SQL: sql, Schema: s, Question: question.Read(asked, s)}) {
		if slices.Contains(names, d.Name) {
			texts += d.Text
		}
	}
	return texts
}

// A column in one unit that is asked for in another one is told, where nothing converts it.
func TestOtherUnit(t *testing.T) {
	s := must.Get(schema.ParseDDL("grid", "CREATE TABLE plant (id int PRIMARY KEY, name varchar(9), cost int COMMENT 'in cents', "+
		"flowMinutes int, lineKm decimal(9,1) COMMENT 'length of the line')"))(t)
	for _, tt := range []struct{ asked, sql, want string }{
		{"What did plant 3 cost in euros?", "SELECT cost FROM plant WHERE id = 3", "cost is in cents, and the question says euros"},
		{"Plants that cost more than 500 €", "SELECT name FROM plant WHERE cost > 500", "cost is in cents, and the question says €"},
		{"Names with a total over 500 francs", "SELECT name FROM plant GROUP BY name HAVING SUM(cost) > 500",
			"cost is in cents, and the question says francs"},
		{"Wie viele Stunden läuft Werk 3?", "SELECT flowMinutes FROM plant WHERE id = 3",
			"flowMinutes is in Minutes, and the question says Stunden"},
		{"Lines longer than 800 metres", "SELECT name FROM plant WHERE lineKm > 800",
			"lineKm is in Km, and the question says metres"},
		{"Plants that cost more than 500 €", "SELECT name FROM plant WHERE cost > 50000", ""},
		{"Plants from 500 to 900 €", "SELECT name FROM plant WHERE cost BETWEEN 50000 AND 90000", ""},
		{"Plants from 500 to 900 €", "SELECT name FROM plant WHERE cost BETWEEN 500 AND 900",
			"cost is in cents, and the question says €"},
		{"What did plant 3 cost in euros?", "SELECT cost / 100 FROM plant WHERE id = 3", ""},
		{"What did plant 3 cost in cents?", "SELECT cost FROM plant WHERE id = 3", ""},
		{"What did plant 3 cost?", "SELECT cost FROM plant WHERE id = 3", ""},
		{"How many plants cost euros?", "SELECT COUNT(*) FROM plant", ""},
		{"Min and max flow", "SELECT MIN(flowMinutes), MAX(flowMinutes) FROM plant", ""},
	} {
		must.Equal(t, textsOf(s, tt.asked, tt.sql, "other_unit"), tt.want, tt.asked, tt.sql)
	}
}
