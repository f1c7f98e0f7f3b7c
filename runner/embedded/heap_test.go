package embedded

import (
	"testing"

	"nl2sql/runner"
)

// What SQLite may hold grows with the databases that are open, and shrinks with them.
func TestHeap(t *testing.T) {
	before := held.Load()
	db, err := Open(t.Context(), "", runner.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	open := held.Load()
	clone, err := db.Clone(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if cloned := held.Load(); open <= before || cloned-open != open-before {
		t.Errorf("%d bytes before, %d with the demo database, %d with a clone", before, open, cloned)
	}
	for _, db := range []runner.DB{clone, db, db} {
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if after := held.Load(); after != before {
		t.Errorf("%d bytes are held, %d before", after, before)
	}
}
