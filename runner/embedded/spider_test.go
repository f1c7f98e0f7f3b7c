package embedded

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

const spiderDir = "../../../shared/data/spider-mysql"

// All databases of spider-mysql are loaded, and all of their golds answered: 6,079 statements over 130 schemas.
// That the answers are MySQL's is what nl2sql db diff shows, with a real one beside it: see README.md.
func TestSpider(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 130 databases, which -short leaves out")
	}
	f, err := os.Open(filepath.Join(spiderDir, "items.csv"))
	if err != nil {
		t.Skip("spider-mysql is not here: ", err)
	}
	defer f.Close()
	items := must.Get(csv.NewReader(f).ReadAll())(t)
	golds := map[string][]string{}
	for _, item := range items[1:] {
		golds[item[0]] = append(golds[item[0]], item[2])
	}
	answered := 0
	for name, list := range golds {
		db, err := OpenFolder(t.Context(), filepath.Join(spiderDir, "databases"), name, runner.Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, sql := range list {
			if _, err := ask(t.Context(), db, sql); err != nil {
				t.Errorf("%s: %v\n%s", name, err, sql)
				continue
			}
			answered++
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d databases, %d golds answered", len(golds), answered)
}
