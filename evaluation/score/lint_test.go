package score

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
)

func TestLint(t *testing.T) {
	dbs := &Databases{Open: func(ctx context.Context, name string) (runner.DB, error) {
		return embedded.OpenDump(ctx, "d", strings.NewReader(strictData), runner.Limits{Rows: 100})
	}}
	defer dbs.Close()
	gold := func(sql string, accept ...string) []item.Item {
		return []item.Item{{ID: "1", Question: "q", SQL: sql, Accept: accept}}
	}
	for _, tt := range []struct {
		name  string
		items []item.Item
		want  []string // rule: detail
	}{
		{"nothing wrong", gold("SELECT name FROM shop WHERE id < 3 ORDER BY id LIMIT 2",
			"SELECT id, name FROM shop WHERE id < 3 ORDER BY id LIMIT 2"), nil},
		{"broken", gold("SELECT nme FROM shop"), []string{"broken: unknown_column:nme"}},
		{"two statements", gold("SELECT 1; SELECT 2"), []string{"broken: multiple_statements"}},
		{"refused when it runs", gold("SELECT (SELECT id FROM shop) AS x"),
			[]string{"broken: 1242: Subquery returns more than 1 row"}},
		{"partial GROUP BY", gold("SELECT city, name FROM shop GROUP BY city"),
			[]string{"partial-group-by: not_grouped:name"}},
		{"an aggregate beside a column", gold("SELECT name, COUNT(*) FROM shop"),
			[]string{"partial-group-by: not_grouped:name"}},
		{"too long", gold("SELECT a.id, b.id, c.id FROM shop a CROSS JOIN shop b CROSS JOIN shop c"),
			[]string{"too-long: more than 100 rows"}},
		{"empty", gold("SELECT id FROM shop WHERE id > 9"), []string{"empty: "}},
		{"a count of nothing", gold("SELECT COUNT(*) FROM shop WHERE id > 9"), []string{"blank: 1 × 1"}},
		{"a sum of nothing", gold("SELECT SUM(sales), 0.00 FROM shop WHERE id > 9"), []string{"blank: 1 × 2"}},
		{"a text is something", gold("SELECT '0'"), nil},
		{"one of the rows is something", gold("SELECT city = 'Rome' FROM shop"), nil},
		{"tie at LIMIT", gold("SELECT id FROM shop ORDER BY sales DESC LIMIT 1"),
			[]string{"tie-at-limit: 1 of 3 equal rows are kept"}},
		{"tie at LIMIT of an accepted query", gold("SELECT id FROM shop WHERE id = 2",
			"SELECT id, sales FROM shop ORDER BY sales DESC LIMIT 1"),
			[]string{"tie-at-limit: 1 of 3 equal rows are kept"}},
		{"tie at OFFSET", gold("SELECT id FROM shop ORDER BY sales DESC LIMIT 2 OFFSET 1"),
			[]string{"tie-at-limit: 2 of 3 equal rows are kept"}},
		{"tie before LIMIT", gold("SELECT id FROM shop ORDER BY sales DESC LIMIT 3"), nil},
		{"tie of equal rows", gold("SELECT sales FROM shop ORDER BY sales DESC LIMIT 1"), nil},
		{"a tie that a further key settles", gold("SELECT id FROM shop ORDER BY sales DESC, id LIMIT 2"),
			[]string{"settled-at-limit: "}},
		{"a further key that settles nothing", gold("SELECT id FROM shop ORDER BY sales DESC, id LIMIT 3"), nil},
		{"NULL decides a LIMIT", gold("SELECT id FROM shop ORDER BY rate LIMIT 1"),
			[]string{"null-at-limit: row 1 has NULL as its key"}},
		{"NULL beyond the LIMIT", gold("SELECT id FROM shop ORDER BY rate DESC LIMIT 2"), nil},
		{"LIMIT that cuts nothing", gold("SELECT id FROM shop ORDER BY rate LIMIT 5"), nil},
		{"LIMIT without ORDER BY", gold("SELECT id FROM shop LIMIT 2"),
			[]string{"limit-without-order: LIMIT without ORDER BY returns any rows"}},
		{"LIMIT of a single value", gold("SELECT COUNT(*) FROM shop LIMIT 1"), nil},
		{"the clock", gold("SELECT id FROM shop WHERE NOW() > '2020-01-01'"), []string{"unsteady: now"}},
		{"text as number", gold("SELECT id FROM shop WHERE name <> 0 OR id = 1"),
			[]string{"unlike-types: name is varchar(20), compared with 0"}},
		{"NULL by equality", gold("SELECT id FROM shop WHERE city = NULL OR id = 1"),
			[]string{"null-comparison: a comparison with NULL is never true"}},
		{"a value that is not there", gold("SELECT id FROM shop WHERE city = 'Paris' OR id = 1"),
			[]string{"unknown-value: city has no 'Paris'"}},
		{"star", gold("SELECT * FROM shop"), []string{"select-star: SELECT * returns every column"}},
		{"useless", gold("SELECT id, name FROM shop", "SELECT name, id FROM shop", "SELECT s.id, s.name FROM shop s"),
			[]string{"accept-useless: "}},
		{"useless beside another accepted one", gold("SELECT id, name FROM shop", "SELECT id FROM shop",
			"SELECT s.id FROM shop s"), []string{"accept-useless: "}},
		{"a broken accepted query", gold("SELECT id FROM shop", "SELECT nme FROM shop"),
			[]string{"accept-broken: unknown_column:nme"}},
		{"accepted where the gold is broken", gold("SELECT nme FROM shop", "SELECT id FROM shop"),
			[]string{"broken: unknown_column:nme"}},
		{"one question, two answers", []item.Item{
			{ID: "1", Question: "How many shops?", SQL: "SELECT COUNT(*) FROM shop"},
			{ID: "2", Question: "how many  shops", SQL: "select count(*) from shop;"},
			{ID: "3", Question: "How many shops", SQL: "SELECT COUNT(id) FROM shop"},
		}, []string{"two-answers: item 1 asks the same"}},
	} {
		done := 0
		found, err := Lint(t.Context(), tt.items, dbs, func(n int) { done = n })
		must.Be(t, err == nil && done == len(tt.items), tt.name, done, "done", err)
		var got []string
		for _, f := range found {
			got = append(got, string(f.Rule)+": "+f.Detail)
		}
		must.Same(t, got, tt.want, tt.name)
	}
}

// The dissertation's items 174 and 175 ask for orders with the most lines and settle ties by the number of the order,
// which the questions do not ask for.
func TestLintDissertation(t *testing.T) {
	dump := bytes.NewReader(golds.File(t, golds.ClassicModels))
	items, _ := golds.Dissertation(t)
	dbs := &Databases{Open: func(ctx context.Context, name string) (runner.DB, error) {
		return embedded.OpenDump(ctx, "classicmodels", dump, runner.Limits{})
	}}
	defer dbs.Close()
	found := must.Get(Lint(t.Context(), items, dbs, nil))(t)
	got := map[LintRule][]string{}
	for _, f := range found {
		if f.Rule != "blank" { // counts of nothing, 38 of them
			got[f.Rule] = append(got[f.Rule], f.Item)
		}
	}
	want := map[LintRule][]string{"empty": {"109", "119", "139", "176"}, "settled-at-limit": {"174", "175"}}
	must.Same(t, got, want)
}

// Every rule that can be found is one that reports know.
func TestLintRules(t *testing.T) {
	known := map[LintRule]bool{}
	for _, r := range LintRules() {
		known[r.Rule] = true
	}
	for reason, rule := range inspected {
		must.Be(t, known[rule], reason, "no rule", rule)
	}
}
