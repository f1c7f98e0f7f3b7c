package embedded

import (
	"database/sql"
	"testing"
	"time"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

// A query's clock starts when it has a connection: one that waits behind others longer than its limit is answered.
func TestClockStartsWithTheConnection(t *testing.T) {
	db := limited(t, runner.Limits{Timeout: time.Second})
	var busy []*sql.Conn
	for range maxConns {
		conn := must.Get(db.pool.Conn(t.Context()))(t)
		busy = append(busy, conn)
	}
	time.AfterFunc(1500*time.Millisecond, func() {
		for _, conn := range busy {
			conn.Close()
		}
	})
	if r, err := ask(t.Context(), db, "SELECT COUNT(*) FROM orders"); err != nil || r.Rows[0][0] != int64(326) ||
		r.Took > time.Second {
		t.Errorf("%v after %s: %v", r.Rows, r.Took, err)
	}
}
