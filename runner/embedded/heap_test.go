package embedded

import (
	"database/sql"
	"testing"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

// What SQLite may hold beside statements is what the open connections' databases take: no more, or one statement could
// have the rest.
func TestHeap(t *testing.T) {
	before := held.Load()
	db := must.Get(Open(t.Context(), "", runner.Limits{}))(t)
	clone := must.Get(db.Clone(t.Context(), nil))(t)
	var conns []*sql.Conn
	for n := range 3 {
		var want int64
		for _, d := range []*DB{db, clone} {
			conn := must.Get(d.pool.Conn(t.Context()))(t)
			conns = append(conns, conn)
			want += int64(n+1) * int64(len(d.from.image))
		}
		must.Equal(t, held.Load()-before, want, n+1, "connections of each")
	}
	for _, conn := range conns {
		must.Do(t, conn.Close())
	}
	for _, db := range []runner.DB{clone, db, db} {
		must.Do(t, db.Close())
	}
	must.Equal(t, held.Load(), before, "bytes are held", "before")
}
