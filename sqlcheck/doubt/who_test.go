package doubt

import (
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
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

// A question that names a table is not answered from another one without a word.
func TestOtherTable(t *testing.T) {
	s := examples.MustParse(t, "akten", `
CREATE TABLE umsaetze (id int PRIMARY KEY, betrag int);
CREATE TABLE umsatz_2 (id int PRIMARY KEY, betrag int);
CREATE TABLE sales_2023 (id int PRIMARY KEY, amount int);
CREATE TABLE sales_2024 (id int PRIMARY KEY, amount int);
CREATE TABLE farm (id int PRIMARY KEY, name varchar(9));
CREATE TABLE farm_competition (id int PRIMARY KEY, theme varchar(9));
CREATE TABLE budget (id int PRIMARY KEY, amount int);
CREATE TABLE orders (id int PRIMARY KEY, amount int);
CREATE TABLE orders_old (id int PRIMARY KEY, amount int);
CREATE TABLE order_items (id int PRIMARY KEY, order_id int, amount int);
CREATE TABLE singer (id int PRIMARY KEY, name varchar(9));
CREATE TABLE singer_in_concert (singer int, concert int, FOREIGN KEY (singer) REFERENCES singer (id));`)
	for _, tt := range []struct{ asked, sql, want string }{
		{"How many bookings are in umsaetze?", "SELECT COUNT(*) FROM umsatz_2", "umsaetze umsatz_2"},
		{"How many bookings are in Umsaetze?", "SELECT COUNT(*) FROM umsaetze", ""},
		{"What is in umsaetze and umsatz_2?", "SELECT betrag FROM umsatz_2", ""},
		{"What is in umsatz_2?", "SELECT betrag FROM umsaetze", "umsatz_2 umsaetze"},
		{"What is the total of sales_2023?", "SELECT SUM(amount) FROM sales_2024", "sales_2023 sales_2024"},
		{"How many orders are there?", "SELECT COUNT(*) FROM orders_old", "orders orders_old"},
		{"How many orders are there?", "SELECT COUNT(*) FROM budget", ""},
		{"How many orders hold more than 2?", "SELECT COUNT(DISTINCT order_id) FROM order_items WHERE amount > 2", ""},
		{"How often does each singer sing?", "SELECT COUNT(*) FROM singer_in_concert GROUP BY concert", ""},
		{"What are the themes of farm competitions?", "SELECT theme FROM farm_competition", ""},
		{"How many are there?", "SELECT COUNT(*) FROM umsatz_2", ""},
	} {
		got := ""
		for _, d := range told(Case{SQL: tt.sql, Schema: s, Question: question.Read(tt.asked, s)}) {
			if d.Name == "other_table" {
				got += strings.NewReplacer("the question names ", "", ", and the query reads", "").Replace(d.Text)
			}
		}
		must.Equal(t, got, tt.want, tt.asked, tt.sql)
	}
}
