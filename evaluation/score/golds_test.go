package score

import (
	"context"
	"path/filepath"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
)

// Every profile finds every gold query of spider-mysql right: 6,079 over 130 databases.
func TestGoldsScoreThemselves(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 130 databases, which -short leaves out")
	}
	dir := filepath.Join(sharedData, "spider-mysql")
	items, err := item.Load(filepath.Join(dir, "items.csv"))
	if err != nil {
		t.Skip("spider-mysql is not beside the checkout: ", err)
	}
	dbs := Databases{Open: func(ctx context.Context, name string) (runner.DB, error) {
		return embedded.OpenFolder(ctx, filepath.Join(dir, "databases"), name, runner.Limits{Rows: 10000})
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
