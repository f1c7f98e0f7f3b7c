package suite

import (
	"strings"
	"testing"

	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

// Candidates satisfy their schema, keep what the rows show to be meant, and are the same for the same seed.
func TestCandidate(t *testing.T) {
	for name, s := range map[string]*Snapshot{"hostile": snapshotOf(t, dump(t, hostileDump)),
		"classicmodels": classic(t)} {
		b := newBreeder(s, nil)
		rows := 0
		for n := 1; n <= 12; n++ {
			c := must.Get(b.candidate(t.Context(), 3, n, makeEmbedded))(t)
			rows += c.Size()
			if v := violations(t, c); v != nil {
				t.Errorf("%s %d: %v", name, n, v)
			}
			again, err := newBreeder(s, nil).candidate(t.Context(), 3, n, makeEmbedded)
			must.Be(t, err == nil && string(again.Script()) == string(c.Script()),
				name, n, "another one with the same seed", err)
			for table, source := range b.tables {
				for j, col := range source.columns {
					known := map[string]bool{"null": true}
					for _, v := range col.values {
						known[runner.CellKey(v)] = true
					}
					for _, row := range c.Rows[table] {
						if col.listed && !col.fixed && !known[runner.CellKey(row[j])] {
							t.Errorf("%s %d: %s.%s has the new value %v", name, n, table, col.Name, row[j])
						}
					}
				}
				for _, st := range b.settles[table] {
					have := map[string]string{}
					for _, row := range c.Rows[table] {
						from, to := runner.CellKey(row[st.from]), runner.CellKey(row[st.to])
						if row[st.from] != nil && have[from] != "" && have[from] != to {
							t.Errorf("%s %d: %s: %s goes with %s and %s", name, n, table, from, have[from], to)
						}
						have[from] = to
					}
				}
			}
		}
		must.Be(t, rows != 0, name, "all candidates are empty")
	}
}

const shopDump = `CREATE TABLE client (id int PRIMARY KEY, name varchar(20) NOT NULL);
CREATE TABLE sale (id int PRIMARY KEY, client int, kind varchar(9) NOT NULL, price decimal(8,2) NOT NULL, day date, FOREIGN KEY (client) REFERENCES client (id));
INSERT INTO client VALUES (1,'Ann'),(2,'Bob'),(3,'Cy'),(4,'Ann');
INSERT INTO sale VALUES (1,1,'web',9.50,'2024-01-31'),(2,1,'web',12.00,'2024-02-29'),(3,2,'web',15.00,'2024-03-01'),
 (4,NULL,'shop',100.00,NULL),(5,2,'shop',3.00,'2024-12-31'),(6,1,'shop',7.77,'2025-01-01');`

var shopItems = []item.Item{
	{Question: "How many sales above 12?", SQL: "SELECT COUNT(*) FROM sale WHERE price > 12"},
	{Question: "Who bought something?",
		SQL: "SELECT DISTINCT client.name FROM client JOIN sale ON sale.client = client.id"},
	{Question: "Sales in 2024 by kind?", SQL: "SELECT kind, SUM(price) FROM sale WHERE YEAR(day) = 2024 GROUP BY kind"},
}

func TestDistil(t *testing.T) {
	s := snapshotOf(t, dump(t, shopDump))
	d := Distiller{Source: s, Items: shopItems, Seed: 1, Candidates: 60, Make: makeEmbedded}
	members, report, err := d.Run(t.Context())
	must.Do(t, err)
	t.Logf("%+v, %d databases", report, len(members))
	if report.Golds != 3 || report.Killed <= report.BySource || report.Killed > report.Neighbours ||
		len(members) == 0 || len(members) >= report.Candidates {
		t.Errorf("%+v, %d databases", report, len(members))
	}
	again, second, err := d.Run(t.Context())
	if err != nil || *second != *report || len(again) != len(members) {
		t.Fatalf("the second time %+v, %v", second, err)
	}
	for i, m := range members {
		must.Equal(t, string(m.Script()), string(again[i].Script()), "database", i+1, "is another one the second time")
		if v := violations(t, m.Snapshot); v != nil {
			t.Errorf("database %d: %v", i+1, v)
		}
	}
	// what the source does not tell apart, some database does
	for gold, pred := range map[string]string{
		"SELECT COUNT(*) FROM sale WHERE price > 12":                                   "SELECT COUNT(*) FROM sale WHERE price > 13",
		"SELECT DISTINCT client.name FROM client JOIN sale ON sale.client = client.id": "SELECT name FROM client WHERE id IN (SELECT client FROM sale)",
	} {
		differ := 0
		for _, m := range append(members, Member{Snapshot: s}) {
			db := must.Get(makeEmbedded(t.Context(), m.Snapshot))(t)
			x := must.Get(score.NewExecutor(t.Context(), db))(t)
			p, err := score.NewPair(t.Context(), x, item.Item{SQL: gold}, pred)
			must.Have(t, err == nil && p.Gold.OK() && p.Pred.OK(), p, err)
			if !score.SameAnswer(p.Gold, *p.Pred.Result) {
				differ++
				must.Be(t, m.Changes != nil, "the source tells", pred, "from the gold")
			}
			db.Close()
		}
		must.Be(t, differ != 0, "no database tells", pred, "from the gold")
	}
}

func TestDistilRefuses(t *testing.T) {
	s := snapshotOf(t, dump(t, shopDump))
	for want, items := range map[string][]item.Item{
		"item 1: the gold query is refused: unknown_table": {{Question: "?", SQL: "SELECT a FROM nothing_here"}},
		"no gold queries": nil,
	} {
		if _, _, err := (Distiller{Source: s, Items: items, Candidates: 3,
			Make: makeEmbedded}).Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestMentions(t *testing.T) {
	s := snapshotOf(t, dump(t, shopDump)).Schema
	q, v, err := sqlcheck.Check("SELECT kind FROM sale s WHERE YEAR(day) = 2024 AND price BETWEEN 1.50 AND 3 AND kind LIKE 'w%' AND client IN (SELECT id FROM client WHERE name = 'Ann')", s)
	must.Have(t, err == nil && v.OK, v, err)
	var got []string
	for _, m := range mentionsOf(q, s) {
		got = append(got, m.Table+"."+m.Column+" "+m.Part+" "+m.Value)
	}
	if text := strings.Join(got,
		"; "); text != "sale.day year 2024; sale.price  1.50; sale.price  3; sale.kind  w%; client.name  Ann" {
		t.Error(text)
	}
}
