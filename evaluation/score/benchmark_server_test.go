package score

import (
	"bytes"
	"strings"
	"testing"

	"nl2sql/assets"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/local"
)

// Real servers answer every gold query of ours with the rows of the embedded database.
func TestBenchmarkOnServers(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a server, which -short leaves out")
	}
	script, err := assets.DemoSQL()
	if err != nil {
		t.Fatal(err)
	}
	db, err := embedded.Open(t.Context(), "", runner.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	here, err := NewExecutor(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
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
			db, err := runner.Open(t.Context(), s.DSN(), runner.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			there, err := NewExecutor(t.Context(), db)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for name, items := range ours(t) {
				for _, it := range items {
					for _, sql := range append([]string{it.SQL}, it.Accept...) {
						want, err := here.Gold(t.Context(), sql)
						if err != nil {
							t.Fatal(err)
						}
						got, err := there.Run(t.Context(), sql)
						if err != nil {
							t.Fatal(err)
						}
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
