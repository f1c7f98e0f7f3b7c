package rescore

import (
	"context"
	"strings"
	"testing"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
)

// onDump scores on a dump in the embedded engine.
func onDump(t *testing.T, script string) *score.Scorer {
	t.Helper()
	open := func(ctx context.Context, _ string) (runner.DB, error) {
		return embedded.OpenDump(ctx, "db", strings.NewReader(script), runner.Limits{Rows: 10000})
	}
	p := must.Get(score.ProfilesNamed("dissertation"))(t)[0]
	s := &score.Scorer{Databases: &score.Databases{Open: open}, Profiles: []score.Profile{p}}
	t.Cleanup(func() { s.Databases.Close() })
	return s
}

func TestRescoreCauses(t *testing.T) {
	s := onDump(t, "CREATE TABLE t (id INT PRIMARY KEY, n INT, s VARCHAR(9)); INSERT INTO t VALUES (1, 7, 'a'), (2, 7, 'b'), (3, 7, 'c'), (4, 5, NULL);")
	right, wrong := score.Score{VA: true, EX: true}, score.Score{}
	tests := []struct {
		name, gold, sql, err string
		recorded             score.Score
		want                 map[string]Cause // by metric
	}{
		{"as recorded", "SELECT n FROM t", "SELECT t.n FROM t", "", right, nil},
		{"ties of the prediction", "SELECT id FROM t ORDER BY n DESC, id DESC LIMIT 2",
			"SELECT id FROM t ORDER BY n DESC LIMIT 2", "", right, map[string]Cause{"EX": CauseTie}},
		{"ties of the gold", "SELECT id FROM t ORDER BY n DESC LIMIT 2",
			"SELECT id FROM t ORDER BY n DESC, id DESC LIMIT 2", "", right, map[string]Cause{"EX": CauseTie}},
		{"no choice of the tied rows does it", "SELECT id FROM t WHERE id > 2",
			"SELECT id FROM t ORDER BY n DESC LIMIT 2", "", right, map[string]Cause{"EX": CauseRows}},
		{"other rows", "SELECT id FROM t", "SELECT n FROM t", "", right, map[string]Cause{"EX": CauseRows}},
		{"right where it was wrong", "SELECT n FROM t", "SELECT t.n FROM t", "", score.Score{VA: true},
			map[string]Cause{"EX": CauseRows}},
		{"refused here", "SELECT id FROM t", "SELECT x FROM t", "", right, map[string]Cause{"VA": CauseRefused,
			"EX": CauseRefused}},
		{"runs here", "SELECT id FROM t", "SELECT t.id FROM t", "1054: no", wrong, map[string]Cause{"VA": CauseRuns,
			"EX": CauseRuns}},
		{"no gold", "SELECT x FROM t", "SELECT id FROM t", "", right, map[string]Cause{"EX": CauseGold}},
		{"another text", "SELECT id FROM t", "SELECT id FROM t;", "", right, map[string]Cause{"EM": CauseText}},
	}
	for _, tt := range tests {
		run := record.Run{Name: "r", Records: []record.Record{{ID: "1", Gold: tt.gold, SQL: tt.sql, Error: tt.err,
			Scores: map[string]score.Score{"dissertation": tt.recorded}}}}
		out := must.Get(Runs(t.Context(), s, []record.Run{run}, nil))(t)
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
		must.Same(t, got, tt.want, tt.name)
	}
}

func TestRescoreWithoutQueries(t *testing.T) {
	s := onDump(t, "CREATE TABLE t (id INT)")
	_, err := Runs(t.Context(), s, []record.Run{{Name: "flags", Records: []record.Record{{ID: "7"}}}}, nil)
	must.Says(t, err, "run flags: item 7 has no gold query")
}
