package embedded

import (
	"fmt"
	"sync/atomic"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// heapLimit bounds what SQLite holds for statements in the whole process, in MiB. Databases in memory come on top.
const heapLimit = 256

var held atomic.Int64 // bytes that the images of open databases may take, on all their connections

// hold adds to that, or takes away again, and tells SQLite. Source: sqlite3_hard_heap_limit64; the pragma of that name cannot
// raise the limit.
func hold(bytes int64) {
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
