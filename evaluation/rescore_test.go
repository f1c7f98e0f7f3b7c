package evaluation

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
)

// onDump scores on a dump in the embedded engine.
func onDump(t *testing.T, change embedded.Change, script string) *Scorer {
	t.Helper()
	open := func(ctx context.Context, _ string) (runner.DB, error) {
		db, err := embedded.OpenDump(ctx, "db", strings.NewReader(script), runner.Limits{Rows: 10000})
		if err != nil || change == nil {
			return db, err
		}
		defer db.Close()
		return db.Clone(ctx, change)
	}
	p, err := ProfileNamed("dissertation")
	if err != nil {
		t.Fatal(err)
	}
	s := &Scorer{Databases: &Databases{Open: open}, Profiles: []Profile{p}}
	t.Cleanup(func() { s.Databases.Close() })
	return s
}

// authorScorer scores on the author's database.
func authorScorer(t *testing.T) *Scorer {
	t.Helper()
	dump, err := os.ReadFile(sharedData + "classicmodels.sql")
	if err != nil {
		t.Skipf("needs ../shared/data/classicmodels.sql beside the checkout: %v", err)
	}
	script, err := StockScript(bytes.NewReader(dump), "embedded")
	if err != nil {
		t.Fatal(err)
	}
	return onDump(t, AuthorRows, string(script))
}

// TestRescoreRecorded scores the 27 recorded runs again on the author's database: every score is the recorded one.
func TestRescoreRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a thousand queries")
	}
	s := authorScorer(t)
	runs, err := ReadRuns([]string{sharedData + "dissertation/runs"})
	if err != nil {
		t.Skipf("needs ../shared/data/dissertation/runs beside the checkout: %v", err)
	}
	out, err := Rescore(t.Context(), s, runs, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range out {
		n += len(r.Run.Records)
		for _, d := range r.Why {
			t.Errorf("%+v", d)
		}
	}
	if n != 3294 {
		t.Errorf("%d records, want 3294", n)
	}
}

func TestRescoreCauses(t *testing.T) {
	s := onDump(t, nil, "CREATE TABLE t (id INT PRIMARY KEY, n INT, s VARCHAR(9)); INSERT INTO t VALUES (1, 7, 'a'), (2, 7, 'b'), (3, 7, 'c'), (4, 5, NULL);")
	right, wrong := Score{VA: true, EX: true}, Score{}
	tests := []struct {
		name, gold, sql, err string
		recorded             Score
		want                 map[string]Cause // by metric
	}{
		{"as recorded", "SELECT n FROM t", "SELECT t.n FROM t", "", right, nil},
		{"ties of the prediction", "SELECT id FROM t ORDER BY n DESC, id DESC LIMIT 2", "SELECT id FROM t ORDER BY n DESC LIMIT 2", "", right, map[string]Cause{"EX": CauseTie}},
		{"ties of the gold", "SELECT id FROM t ORDER BY n DESC LIMIT 2", "SELECT id FROM t ORDER BY n DESC, id DESC LIMIT 2", "", right, map[string]Cause{"EX": CauseTie}},
		{"no choice of the tied rows does it", "SELECT id FROM t WHERE id > 2", "SELECT id FROM t ORDER BY n DESC LIMIT 2", "", right, map[string]Cause{"EX": CauseRows}},
		{"other rows", "SELECT id FROM t", "SELECT n FROM t", "", right, map[string]Cause{"EX": CauseRows}},
		{"right where it was wrong", "SELECT n FROM t", "SELECT t.n FROM t", "", Score{VA: true}, map[string]Cause{"EX": CauseRows}},
		{"refused here", "SELECT id FROM t", "SELECT x FROM t", "", right, map[string]Cause{"VA": CauseRefused, "EX": CauseRefused}},
		{"runs here", "SELECT id FROM t", "SELECT t.id FROM t", "1054: no", wrong, map[string]Cause{"VA": CauseRuns, "EX": CauseRuns}},
		{"no gold", "SELECT x FROM t", "SELECT id FROM t", "", right, map[string]Cause{"EX": CauseGold}},
		{"another text", "SELECT id FROM t", "SELECT id FROM t;", "", right, map[string]Cause{"EM": CauseText}},
	}
	for _, tt := range tests {
		run := Run{Name: "r", Records: []Record{{ID: "1", Gold: tt.gold, SQL: tt.sql, Error: tt.err, Scores: map[string]Score{"dissertation": tt.recorded}}}}
		out, err := Rescore(t.Context(), s, []Run{run}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]Cause
		for _, d := range out[0].Why {
			if got == nil {
				got = map[string]Cause{}
			}
			got[d.Metric] = d.Cause
			if d.Why == "" || d.Recorded == d.Now {
				t.Errorf("%s: %+v", tt.name, d)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestRescoreWithoutQueries(t *testing.T) {
	s := onDump(t, nil, "CREATE TABLE t (id INT)")
	_, err := Rescore(t.Context(), s, []Run{{Name: "flags", Records: []Record{{ID: "7"}}}}, nil)
	if err == nil || !strings.Contains(err.Error(), "run flags: item 7 has no gold query") {
		t.Errorf("got %v", err)
	}
}

func TestAuthorScript(t *testing.T) {
	const others = "CREATE TABLE orders (orderDate DATE);\nCREATE TABLE if not exists OrderDetails (priceEach INT);\n"
	const dump = "CREATE TABLE `payments` (amount DECIMAL(10,2)) ENGINE=InnoDB DEFAULT CHARSET=latin1;\nINSERT INTO payments VALUES (1);\n" + others
	got, err := AuthorScript(strings.NewReader(dump), "mariadb")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"CREATE TABLE `payments` (amount DECIMAL(10,2)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_nopad_ci;\n" +
			"INSERT INTO payments VALUES (1);\nCREATE TABLE orders (orderDate DATE) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_nopad_ci;\n",
		"\nUPDATE `payments` SET `amount` = ROUND(`amount` * 1.07, 2);\nUPDATE `payments` SET `amount` = ROUND(`amount` * 1.07, 2);\n",
		"\nUPDATE `orders` SET `orderDate` = `orderDate` + INTERVAL 14 DAY;\n",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("got %s, want %s in it", got, want)
		}
	}
	for _, bad := range []string{"", "SELECT 1;", "CREATE TABLE 'x", others} {
		if _, err := AuthorScript(strings.NewReader(bad), "mysql"); err == nil {
			t.Errorf("%q is taken for a dump", bad)
		}
	}
	if _, err := AuthorScript(strings.NewReader(dump), "oracle"); err == nil {
		t.Error("any engine will do")
	}
}
