package suite

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/scripts/must"
)

// A counterexample is as small as it can be, and a database that its schema allows.
func TestRefute(t *testing.T) {
	s := snapshotOf(t, dump(t, shopDump))
	for _, c := range []struct {
		name, gold, pred string
		rows             map[string]int
		how              string
	}{
		{"a row each", "SELECT DISTINCT client.name FROM client JOIN sale ON sale.client = client.id",
			"SELECT name FROM client", map[string]int{"client": 1, "sale": 0}, score.FailsByRows},
		{"a literal", "SELECT COUNT(*) FROM sale WHERE price > 12", "SELECT COUNT(*) FROM sale WHERE price >= 12",
			map[string]int{"client": 0, "sale": 1}, score.FailsByRows},
		{"a join", "SELECT COUNT(*) FROM sale", "SELECT COUNT(*) FROM sale JOIN client ON client.id = sale.client",
			map[string]int{"client": 0, "sale": 1}, score.FailsByRows},
		{"two of one name", "SELECT COUNT(*) FROM client", "SELECT COUNT(DISTINCT name) FROM client",
			map[string]int{"client": 2, "sale": 0}, score.FailsByRows},
		{"columns", "SELECT name FROM client", "SELECT name, id FROM client", map[string]int{"client": 1, "sale": 0},
			score.FailsByColumns},
		{"order", "SELECT id FROM sale ORDER BY price", "SELECT id FROM sale ORDER BY price DESC",
			map[string]int{"client": 0, "sale": 2}, score.FailsByOrder},
		{"fails", "SELECT name FROM client WHERE id = 1",
			"SELECT name FROM client WHERE id = (SELECT client FROM sale WHERE kind = 'web')",
			map[string]int{"client": 1, "sale": 2}, score.FailsAltogether},
	} {
		e, err := Refute(t.Context(), s, item.Item{SQL: c.gold}, c.pred, makeEmbedded)
		if err != nil || e == nil {
			t.Errorf("%s: %v, %v", c.name, e, err)
			continue
		}
		got := map[string]int{}
		for _, table := range s.Schema.Tables {
			got[table.Name] = len(e.Rows.Rows[table.Name])
		}
		if diff := cmp.Diff(c.rows, got); diff != "" || e.Pair.Fails() != c.how {
			t.Errorf("%s: %s, by %s\n%s", c.name, diff, e.Pair.Fails(), e.Rows.Script())
		}
		if v := violations(t, e.Rows); v != nil {
			t.Errorf("%s: %v", c.name, v)
		}
	}
	e, err := Refute(t.Context(), s, item.Item{SQL: "SELECT name FROM client"},
		"SELECT client.name FROM client", makeEmbedded)
	must.Be(t, e == nil && err == nil, "the same query", e, err)
}

// No row of what is left can go, in a schema with references in circles too.
func TestShrink(t *testing.T) {
	s := snapshotOf(t, dump(t, hostileDump))
	holds := func(_ context.Context, s *Snapshot) (bool, error) {
		return strings.Contains(string(s.Script()), "'back") && len(s.Rows["chicken"]) > 0, nil
	}
	small := must.Get(Shrink(t.Context(), s, holds))(t)
	if v := violations(t, small); v != nil {
		t.Error(v)
	}
	must.Equal(t, small.Size(), 2, "rows are left", small.Script())
	must.Equal(t, s.Size(), snapshotOf(t, dump(t, hostileDump)).Size(), "the source has changed")
	stop, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Shrink(stop, s, func(ctx context.Context, _ *Snapshot) (bool, error) {
		return false,
			ctx.Err()
	}); err == nil {
		t.Error("an error was lost")
	}
}

const shopDump = `CREATE TABLE client (id int PRIMARY KEY, name varchar(20) NOT NULL);
CREATE TABLE sale (id int PRIMARY KEY, client int, kind varchar(9) NOT NULL, price decimal(8,2) NOT NULL, day date, FOREIGN KEY (client) REFERENCES client (id));
INSERT INTO client VALUES (1,'Ann'),(2,'Bob'),(3,'Cy'),(4,'Ann');
INSERT INTO sale VALUES (1,1,'web',9.50,'2024-01-31'),(2,1,'web',12.00,'2024-02-29'),(3,2,'web',15.00,'2024-03-01'),
 (4,NULL,'shop',100.00,NULL),(5,2,'shop',3.00,'2024-12-31'),(6,1,'shop',7.77,'2025-01-01');`
