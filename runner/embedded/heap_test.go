package embedded

import (
	"database/sql"
	"runtime"
	"sync"
	"testing"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"

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

// The limit that SQLite knows is the one of all connections together, also where they open and close at the same time.
func TestHeapAtOnce(t *testing.T) {
	tls := libc.NewTLS()
	defer tls.Close()
	memory := lib.Xsqlite3_mutex_alloc(tls, lib.SQLITE_MUTEX_STATIC_MEM)
	for range 500 {
		lib.Xsqlite3_mutex_enter(tls, memory) // so that they wait for each other
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() { hold(1 << 20) })
		}
		runtime.Gosched()
		lib.Xsqlite3_mutex_leave(tls, memory)
		wg.Wait()
		if got, want := lib.Xsqlite3_hard_heap_limit64(tls, -1), heapLimit<<20+held.Load(); got != want {
			t.Errorf("the limit is %d bytes, want %d", got, want)
		}
		hold(-8 << 20)
	}
}
