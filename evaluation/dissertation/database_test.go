package dissertation

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/rescore"
	"nl2sql/evaluation/score"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
)

// authorScorer scores on the author's database.
func authorScorer(t *testing.T) *score.Scorer {
	t.Helper()
	dump := golds.File(t, golds.ClassicModels)
	script := must.Get(StockScript(bytes.NewReader(dump), "embedded"))(t)
	p := must.Get(score.ProfilesNamed("dissertation"))(t)[0]
	s := &score.Scorer{Profiles: []score.Profile{p}, Databases: &score.Databases{Open: func(ctx context.Context,
		_ string) (runner.DB, error) {
		db, err := embedded.OpenDump(ctx, "db", bytes.NewReader(script), runner.Limits{Rows: 10000})
		if err != nil {
			return nil, err
		}
		defer db.Close()
		return db.Clone(ctx, AuthorRows)
	}}}
	t.Cleanup(func() { s.Databases.Close() })
	return s
}

// TestRescoreRecorded scores the 27 recorded runs again on the author's database: every score is the recorded one.
func TestRescoreRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a thousand queries")
	}
	s := authorScorer(t)
	runs := must.Get(record.ReadRuns([]string{golds.Path(t, "dissertation/runs")}))(t)
	out := must.Get(rescore.Runs(t.Context(), s, runs, nil))(t)
	n := 0
	for _, r := range out {
		n += len(r.Run.Records)
		for _, d := range r.Why {
			t.Errorf("%+v", d)
		}
	}
	must.Equal(t, n, 3294, "records")
}

func TestAuthorScript(t *testing.T) {
	const others = "CREATE TABLE orders (orderDate DATE);\nCREATE TABLE if not exists OrderDetails (priceEach INT);\n"
	const dump = "CREATE TABLE `payments` (amount DECIMAL(10,2)) ENGINE=InnoDB DEFAULT CHARSET=latin1;\nINSERT INTO payments VALUES (1);\n" + others
	got := must.Get(AuthorScript(strings.NewReader(dump), "mariadb"))(t)
	for _, want := range []string{
		"CREATE TABLE `payments` (amount DECIMAL(10,2)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_nopad_ci;\n" +
			"INSERT INTO payments VALUES (1);\nCREATE TABLE orders (orderDate DATE) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_nopad_ci;\n",
		"\nUPDATE `payments` SET `amount` = ROUND(`amount` * 1.07, 2);\nUPDATE `payments` SET `amount` = ROUND(`amount` * 1.07, 2);\n",
		"\nUPDATE `orders` SET `orderDate` = `orderDate` + INTERVAL 14 DAY;\n",
	} {
		must.Has(t, string(got), want, got, "in it")
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
