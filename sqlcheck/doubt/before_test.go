package doubt

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/question"
)

// A follow-up whose query shows other rows than it asks for is told, and one that shows them is not.
func TestOtherRows(t *testing.T) {
	s := shop(t)
	const (
		busiest = "SELECT name FROM client JOIN bill ON bill.client_id = client.id GROUP BY client.id ORDER BY COUNT(*) DESC LIMIT 1"
		credit  = "SELECT name FROM client WHERE credit > 10"
		year    = "SELECT id FROM bill WHERE YEAR(day) = 2024"
		sides   = "a comparison is asked for, and the query shows one side of it; ask for both in one question"
		total   = "a total is asked for, and nothing is added up or counted"
		others  = "the query before kept the first rows of an order, and this one keeps others"
		all     = "the query before kept the first rows of an order, and this one takes all"
		groups  = "the query before had a row for each group, and this one has one for all"
		names   = "the first is asked for, and the query takes the first in the order of name"
	)
	for _, tt := range []struct{ said, before, sql, want string }{
		{"compare with 2023", year, "SELECT id FROM bill WHERE YEAR(day) = 2023", ""}, // both are shown
		{"compare with 2023", year, "SELECT day FROM bill WHERE YEAR(day) = 2023", sides},
		{"vergleiche mit 2023", year, "SELECT day FROM bill WHERE YEAR(day) = 2023", sides},
		{"compare with 2023", "SELECT id FROM bill", "SELECT id FROM bill WHERE day >= '2023-01-01'", sides},
		{"compare with 2023", year, "SELECT id FROM bill WHERE YEAR(day) IN (2023, 2024)", ""},
		{"compare with 2022", year + " UNION ALL SELECT id FROM bill WHERE YEAR(day) = 2023",
			"SELECT id FROM bill WHERE YEAR(day) = 2022", sides},
		{"compare with 2023", "SELECT client_id, COUNT(*) FROM bill GROUP BY client_id",
			"SELECT client_id, COUNT(*) FROM bill WHERE YEAR(day) = 2023 GROUP BY client_id", sides},
		{"compare the years", "SELECT COUNT(*) FROM bill", "SELECT YEAR(day), COUNT(*) FROM bill GROUP BY YEAR(day)", ""},
		{"and in 2023?", year, "SELECT id FROM bill WHERE YEAR(day) = 2023", ""},

		{"in total", year, year + " LIMIT 5", total},
		{"in total", year, "SELECT SUM(kilos) FROM bill WHERE YEAR(day) = 2024", ""},
		{"their total", credit, "SELECT SUM(credit) FROM client WHERE credit > 10", ""},
		{"their total", "SELECT town_id, COUNT(*) FROM client GROUP BY town_id",
			"SELECT COUNT(*) FROM client GROUP BY town_id", "one total is asked for, and the query has a row for each group"},
		{"which town has the highest total?", credit, "SELECT town_id FROM client GROUP BY town_id ORDER BY SUM(credit) DESC LIMIT 1", ""},
		{"list the towns with their total", credit, "SELECT town_id, SUM(credit) FROM client GROUP BY town_id", ""},
		{"show the amounts too", credit, "SELECT name, credit FROM client WHERE credit > 10", ""},

		{"who is the best one?", credit + " ORDER BY name", credit + " ORDER BY name DESC LIMIT 1", names},
		{"who is the oldest?", credit + " ORDER BY name", credit + " ORDER BY age DESC LIMIT 1", ""},
		{"the last name in the alphabet", credit, credit + " ORDER BY name DESC LIMIT 1", ""},

		{"their total", credit + " ORDER BY credit DESC LIMIT 3", "SELECT SUM(credit) FROM client WHERE credit > 10", all},
		{"how many of them are from Bern?", credit + " ORDER BY age DESC LIMIT 3",
			"SELECT COUNT(*) FROM client WHERE credit > 10 AND town_id = 1", all},
		{"their total", credit + " ORDER BY credit DESC LIMIT 3",
			"SELECT SUM(credit) FROM (SELECT credit FROM client WHERE credit > 10 ORDER BY credit DESC LIMIT 3) AS t", ""},
		{"how many clients are there in total?", credit + " ORDER BY credit DESC LIMIT 3", "SELECT COUNT(*) FROM client", ""},
		{"What percentage of clients is from Bern?", "SELECT town_id, COUNT(*) FROM client GROUP BY town_id",
			"SELECT 100 * AVG(town_id = 1) FROM client", ""},
		{"how many are there?", credit + " ORDER BY credit DESC LIMIT 3", "SELECT COUNT(*) FROM client", ""},
		{"as a percentage", "SELECT town_id, COUNT(*) FROM client GROUP BY town_id",
			"SELECT 100 * COUNT(*) / 7 FROM client", groups},
		{"as a percentage", "SELECT town_id, COUNT(*) FROM client GROUP BY town_id",
			"SELECT town_id, 100 * COUNT(*) / (SELECT COUNT(*) FROM client) FROM client GROUP BY town_id", ""},

		{"what is its town?", busiest, "SELECT title FROM town JOIN client AS c ON c.town_id = town.id ORDER BY c.age DESC LIMIT 1",
			others},
		{"how old is she?", busiest, "SELECT age FROM client", others},
		{"where does she live?", busiest, "SELECT title FROM client AS c JOIN bill AS b ON b.client_id = c.id JOIN town ON " +
			"town.id = c.town_id GROUP BY c.id ORDER BY COUNT(b.id) DESC LIMIT 1", ""},
		{"who lives there?", busiest, "SELECT name FROM client JOIN bill ON bill.client_id = client.id GROUP BY client.id " +
			"ORDER BY COUNT(*) DESC LIMIT 1, 1", others},
		{"which town is her one?", busiest, "SELECT title FROM town JOIN client AS c ON c.town_id = town.id JOIN bill AS b " +
			"ON b.client_id = c.id GROUP BY town.id ORDER BY COUNT(*) DESC LIMIT 1", others},
		{"what is her largest bill?", busiest, "SELECT id FROM bill ORDER BY kilos DESC LIMIT 1", others},
		{"what is her largest bill?", busiest, "SELECT id FROM bill WHERE client_id = 3 ORDER BY kilos DESC LIMIT 1", ""},
		{"and the oldest?", busiest, "SELECT name FROM client ORDER BY age DESC LIMIT 1", ""},
		{"the next one", busiest, busiest + ", 1", ""},
		{"make it 3", busiest, busiest[:len(busiest)-1] + "3", ""},
		{"how many are there?", busiest, "SELECT COUNT(*) FROM client", ""},
	} {
		want := []string{}
		if tt.want != "" {
			want = append(want, "other_rows: "+tt.want)
		}
		got := []string{}
		for _, d := range told(Case{SQL: tt.sql, Schema: s, Before: tt.before, Said: question.Read(tt.said, s)}) {
			if d.Name == "other_rows" {
				got = append(got, string(d.Name)+": "+d.Text)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s\n-want +got\n%s", tt.said, tt.sql, diff)
		}
	}
}

// What the question before denied, the next one need not.
func TestDeniedBefore(t *testing.T) {
	s := shop(t)
	for said, want := range map[string]bool{"and with a bill?": false, "and not from Bern?": true} {
		c := Case{SQL: "SELECT COUNT(*) FROM client JOIN bill ON bill.client_id = client.id", Schema: s,
			Question: question.Read("How many clients have no bill? "+said, s), Said: question.Read(said, s)}
		got := slices.ContainsFunc(told(c), func(d Doubt) bool { return d.Name == "not_denied" })
		must.Same(t, got, want, said)
	}
}
