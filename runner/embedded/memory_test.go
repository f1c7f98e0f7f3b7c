package embedded

import (
	"database/sql/driver"
	"errors"
	"sync"
	"testing"

	"modernc.org/sqlite"

	"nl2sql/scripts/must"
)

// registerPanic tells SQLite of a function that finds no memory for its result, as SQLite's driver says so.
var registerPanic = sync.OnceFunc(func() {
	sqlite.MustRegisterFunction("my_no_memory", &sqlite.FunctionImpl{
		Scalar: func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
			panic(errors.New("CString: cannot allocate 9 bytes"))
		},
	})
})

// A statement that gets no more memory is refused; what is asked next is answered, and the database closes.
func TestNoMemory(t *testing.T) {
	registerPanic()
	db := openDemo(t)
	for range maxConns {
		conn := must.Get(db.pool.Conn(t.Context()))(t)
		underWay := must.Get(conn.QueryContext(t.Context(), "VALUES (1), (2)"))(t)
		if err := collect(t.Context(), conn, "SELECT my_no_memory()"); !errors.Is(err, errNoMemory) {
			t.Fatal(err)
		}
		must.Do(t, underWay.Close())
		db.leave()
	}
	if got, err := reply(t.Context(), db, "SELECT COUNT(*) FROM orders"); err != nil || got.Rows[0][0] != "326" {
		t.Errorf("%v %v", got.Rows, err)
	}
}
