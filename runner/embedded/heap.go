package embedded

import (
	"database/sql/driver"
	"fmt"
	"sync"
	"sync/atomic"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// heapLimit bounds what SQLite holds for statements in the whole process, in MiB. Databases in memory come on top.
const heapLimit = 256

var (
	held    atomic.Int64 // bytes that the images of open connections take
	telling sync.Mutex   // held while SQLite is told, so that the last sum is the one it knows
)

// sqliteConn is what a connection of SQLite's driver can do.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
	Serialize() ([]byte, error)
	Deserialize(image []byte) error
}

// holder is a connection whose image comes on top of what statements may take, until it is closed.
type holder struct {
	sqliteConn
	image int64 // bytes
	once  sync.Once
}

func (h *holder) Close() error {
	err := h.sqliteConn.Close()
	h.once.Do(func() { hold(-h.image) })
	return err
}

// hold adds to that, or takes away again, and tells SQLite. Source: sqlite3_hard_heap_limit64; the pragma of that name
// cannot raise the limit.
func hold(bytes int64) {
	telling.Lock()
	defer telling.Unlock()
	tls := libc.NewTLS()
	defer tls.Close()
	lib.Xsqlite3_hard_heap_limit64(tls, heapLimit<<20+held.Add(bytes))
}

// countMemory makes SQLite count what it allocates, which its driver leaves out and without which hard_heap_limit does
// nothing. It comes before the first connection of the process.
func countMemory() {
	tls := libc.NewTLS()
	defer tls.Close()
	on := libc.NewVaList(int32(1))
	defer libc.Xfree(tls, on)
	if rc := lib.Xsqlite3_config(tls, lib.SQLITE_CONFIG_MEMSTATUS, on); rc != lib.SQLITE_OK {
		panic(fmt.Sprintf("embedded: SQLite was in use before, so its memory would have no limit (%d)", rc))
	}
}
