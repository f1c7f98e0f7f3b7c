package embedded

import (
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
