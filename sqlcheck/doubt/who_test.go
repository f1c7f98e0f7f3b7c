package doubt

import (
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/question"
)

// Who is asked is no number, and an empty text beside NULL is told where one of them alone is asked for.
func TestWhoAndEmpty(t *testing.T) {
	s := shop(t)
	client, _ := s.Table("client")
	name, _ := client.Column("name")
	name.Texts, name.AllTexts = []string{"Ann", ""}, true
	const number = "the question asks who, and the query shows town_id, a number; show a name"
	const both = "name has empty texts and may be NULL, and the query asks for one of both"
	for _, tt := range []struct{ asked, sql, want string }{
		{"Who is the oldest?", "SELECT town_id FROM client ORDER BY age DESC LIMIT 1", number},
		{"Wer ist am ältesten?", "SELECT town_id, age FROM client ORDER BY age DESC LIMIT 1", number},
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
		got := ""
		for _, d := range told(Case{SQL: tt.sql, Schema: s, Question: question.Read(tt.asked, s)}) {
			if d.Name == "who_number" || d.Name == "empty_texts" {
				got += d.Text
			}
		}
		must.Equal(t, got, tt.want, tt.asked, tt.sql)
	}
}
