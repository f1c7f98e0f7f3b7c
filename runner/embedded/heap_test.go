package embedded

import (
	"database/sql"
	"testing"

	"nl2sql/runner"
)

// What SQLite may hold beside statements is what the open connections' databases take: no more, or one statement could
// have the rest.
func TestHeap(t *testing.T) {
	before := held.Load()
	db, err := Open(t.Context(), "", runner.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	clone, err := db.Clone(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var conns []*sql.Conn
	for n := range 3 {
		var want int64
		for _, d := range []*DB{db, clone} {
			conn, err := d.pool.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			conns = append(conns, conn)
			want += int64(n+1) * int64(len(d.from.image))
		}
		if got := held.Load() - before; got != want {
			t.Errorf("%d connections of each: %d bytes, want %d", n+1, got, want)
		}
	}
	for _, conn := range conns {
		if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
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
