package score

import (
	"bytes"
	"strings"
	"testing"

	"nl2sql/assets"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
)

// Real servers answer every gold query of ours with the rows of the embedded database.
func TestBenchmarkOnServers(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a server, which -short leaves out")
	}
	script := must.Get(assets.DemoSQL())(t)
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{}))(t)
	defer db.Close()
	here := must.Get(NewExecutor(t.Context(), db))(t)
	for _, engine := range []string{"mysql", "mariadb"} {
		t.Run(engine, func(t *testing.T) {
			s, err := local.Start(t.Context(), local.Options{Engine: engine, Database: assets.DemoName,
				Load: bytes.NewReader(script)})
			if err != nil && strings.Contains(err.Error(), "make "+engine) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			db := must.Get(runner.Open(t.Context(), s.DSN(), runner.Limits{}))(t)
			defer db.Close()
			there := must.Get(NewExecutor(t.Context(), db))(t)
			n := 0
			for name, items := range ours(t) {
				for _, it := range items {
					for _, sql := range append([]string{it.SQL}, it.Accept...) {
						want := must.Get(here.Gold(t.Context(), sql))(t)
						got := must.Get(there.Run(t.Context(), sql))(t)
						n++
						if !got.OK() || !want.OK() || !SameAnswer(want, *got.Result) {
							t.Errorf("%s: %s: other rows than the embedded database's: %s%s\n%s", name, it.ID,
								got.Error, want.Error, sql)
						}
					}
				}
			}
			t.Logf("%d gold queries", n)
		})
	}
}
