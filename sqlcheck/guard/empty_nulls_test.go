package guard

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/sqlcheck/internal/examples"
)

func TestNulls(t *testing.T) {
	s := examples.MustParse(t, "hall",
		"CREATE TABLE seat (id int PRIMARY KEY); CREATE TABLE ticket (id int PRIMARY KEY, seat int, day date NOT NULL);")
	for in, want := range map[string]string{
		"SELECT id FROM seat WHERE id NOT IN (SELECT seat FROM ticket)":                                                              "SELECT id FROM seat WHERE id NOT IN (SELECT seat FROM ticket WHERE seat IS NOT NULL)",
		"SELECT id FROM seat WHERE NOT id IN (SELECT seat FROM ticket) AND id > 2":                                                   "SELECT id FROM seat WHERE NOT id IN (SELECT seat FROM ticket WHERE seat IS NOT NULL) AND id > 2",
		"SELECT id FROM seat WHERE id NOT IN (SELECT seat FROM ticket WHERE (day < CURDATE() OR id = 1))":                            "SELECT id FROM seat WHERE id NOT IN (SELECT seat FROM ticket WHERE (day < CURDATE() OR id = 1) AND seat IS NOT NULL)",
		"SELECT id FROM seat WHERE id NOT IN (SELECT DISTINCT T.seat FROM ticket AS T GROUP BY T.seat HAVING COUNT(*) > 3)":          "SELECT id FROM seat WHERE id NOT IN (SELECT DISTINCT T.seat FROM ticket AS T WHERE T.seat IS NOT NULL GROUP BY T.seat HAVING COUNT(*) > 3)",
		"SELECT id FROM seat WHERE id IN (SELECT seat FROM ticket)":                                                                  "",
		"SELECT id FROM seat WHERE id NOT IN (SELECT id FROM ticket)":                                                                "",
		"SELECT id FROM seat WHERE id NOT IN (SELECT seat FROM ticket WHERE seat IS NOT NULL)":                                       "",
		"SELECT id FROM seat WHERE id NOT IN (SELECT seat FROM ticket WHERE seat BETWEEN 2 AND 5)":                                   "",
		"SELECT id FROM seat WHERE id NOT IN (SELECT seat FROM ticket WHERE seat > 2 AND day IS NULL)":                               "",
		"SELECT id FROM seat WHERE id NOT IN (SELECT MAX(seat) FROM ticket)":                                                         "",
		"SELECT id FROM seat WHERE id NOT IN (SELECT seat FROM ticket UNION SELECT id FROM ticket)":                                  "",
		"SELECT id FROM seat WHERE NOT (id NOT IN (SELECT id FROM ticket))":                                                          "",
		"SELECT id FROM seat WHERE (id, 1) NOT IN (SELECT seat, id FROM ticket)":                                                     "",
		"SELECT id FROM seat WHERE id NOT IN (1, 2)":                                                                                 "",
		"SELECT id FROM seat WHERE id NOT IN (SELECT seat FROM ticket WHERE id NOT IN (SELECT seat FROM ticket)) AND id IS NOT NULL": "SELECT id FROM seat WHERE id NOT IN (SELECT seat FROM ticket WHERE id NOT IN (SELECT seat FROM ticket WHERE seat IS NOT NULL) AND seat IS NOT NULL) AND id IS NOT NULL",
	} {
		got := ""
		if c := NoNulls(in, Input{Schema: s}); c != nil {
			got = c.SQL
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", in, diff)
		}
	}
}
