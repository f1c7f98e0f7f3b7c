package score

import (
	"context"
	"testing"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
)

// Every profile finds every gold query of spider-mysql right: 6,079 over 130 databases.
func TestGoldsScoreThemselves(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 130 databases, which -short leaves out")
	}
	items, folder := golds.All(t), golds.Path(t, golds.Spider)
	dbs := Databases{Open: func(ctx context.Context, name string) (runner.DB, error) {
		return embedded.OpenFolder(ctx, folder, name, runner.Limits{Rows: 10000})
	}}
	defer dbs.Close()
	for _, it := range items {
		x := must.Get(dbs.Executor(t.Context(), it.Database))(t)
		c := must.Get(NewCase(t.Context(), x, it, it.SQL))(t)
		for _, p := range Profiles {
			if s := p.Score(c); !s.VA || !s.EM || !s.EX {
				t.Errorf("%s: %s: %+v\n%s", p.Name, it.Database, s, it.SQL)
			}
		}
	}
	t.Logf("%d golds", len(items))
}
