package sqlcheck

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
)

func TestInspect(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	for _, test := range []struct {
		sql  string
		want []string // type reason (code) suggestion
	}{
		{"SELECT name FROM client", nil},
		{"SELECT nam, c.foo FROM client c WHERE COUNT(*) > 1", []string{
			"error unknown_column (1054) no table in FROM has a column nam; did you mean name?",
			"error unknown_column (1054) c (client) has no column foo; it has id, name, city_id, credit",
			"error bad_aggregate (1111) WHERE cannot use COUNT; use HAVING behind GROUP BY, or a subquery",
		}},
		{"SELECT land FROM client",
			[]string{"error unknown_column (1054) no table in FROM has a column land; city has land: JOIN city ON client.city_id = city.id"}},
		{"SELECT c.day FROM client c",
			[]string{"error unknown_column (1054) c (client) has no column day; bill has day: JOIN bill ON c.id = bill.client_id"}},
		{"SELECT c.no FROM client c JOIN bill b ON b.client_id = c.id",
			[]string{"error unknown_column (1054) c (client) has no column no; write b.no"}},
		{"SELECT name FROM clent",
			[]string{"error unknown_table (1146) there is no table clent; did you mean client?"}},
		{"SELECT name FROM client c JOIN city t ON c.city_id = t.id",
			[]string{"error ambiguous_column (1052) name is in more than one table; write c.name or t.name"}},
		{"SELECT DATE_TRUNC(day) FROM bill",
			[]string{"error no_such_function (1305) MySQL has no function DATE_TRUNC; use DATE_FORMAT"}},
		{"SELECT state s FROM bill WHERE s = 'sent'",
			[]string{"error unknown_column (1054) the where clause cannot use the alias s of the select list; repeat its expression, or use HAVING if it is an aggregate"}},
		{"SELECT money FROM bill b JOIN refund r ON r.no = b.no",
			[]string{"error unknown_column (1054) r (refund) has no column no; join ON b.client_id = r.client_id"}},
		{"SELECT client.name FROM client FULL JOIN bill ON client.id = bill.client_id", []string{
			"error syntax (1064) MySQL has no FULL JOIN and reads an alias; use LEFT JOIN, or UNION of two of them",
		}},
	} {
		r := Inspect(test.sql, s)
		var got []string
		for _, f := range r.Issues {
			got = append(got, f.Type+" "+string(f.Reason)+" ("+strconv.Itoa(int(f.Code))+") "+f.Suggestion)
		}
		if diff := cmp.Diff(test.want, got); diff != "" || r.Valid != (len(test.want) == 0) || r.Dangerous {
			t.Errorf("%s: valid %v, dangerous %v, -want +got\n%s", test.sql, r.Valid, r.Dangerous, diff)
		}
	}
}

func TestInspectUse(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	r := Inspect("SELECT c.NAME, x.n FROM Client c JOIN (SELECT client_id, COUNT(*) n FROM bill GROUP BY client_id) x ON x.client_id = c.id", s)
	must.Same(t, r.TablesUsed, []string{"client", "bill"}, "tables")
	must.Same(t, r.FieldsUsed, []string{"bill.client_id", "client.name", "client.id"}, "fields")
	for _, sql := range []string{"DROP TABLE client", "SELECT SLEEP(1)", "SELECT 1; DELETE FROM bill", "DROP TABEL x",
		"SELECT 1 FROM mysql.user"} {
		if r := Inspect(sql, s); !r.Dangerous || r.Valid {
			t.Errorf("%s: %+v", sql, r)
		}
	}
}
