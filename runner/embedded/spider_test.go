package embedded

import (
	"testing"

	"nl2sql/runner"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
)

// All databases of spider-mysql are loaded, and all of their golds answered: 6,079 statements over 130 schemas.
// That the answers are MySQL's is what nl2sql db diff shows, with a real one beside it: see README.md.
func TestSpider(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 130 databases, which -short leaves out")
	}
	of, folder := golds.ByDatabase(golds.All(t)), golds.Path(t, golds.Spider)
	answered := 0
	for name, list := range of {
		db, err := OpenFolder(t.Context(), folder, name, runner.Limits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, it := range list {
			if _, err := ask(t.Context(), db, it.SQL); err != nil {
				t.Errorf("%s: %v\n%s", name, err, it.SQL)
				continue
			}
			answered++
		}
		must.Succeed(t, db.Close())
	}
	t.Logf("%d databases, %d golds answered", len(of), answered)
}
