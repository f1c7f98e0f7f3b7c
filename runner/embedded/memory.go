package embedded

import (
	"fmt"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// countMemory makes SQLite count what it allocates, which its driver leaves out and without which hard_heap_limit does
// nothing. It comes before the first connection of the process.
func countMemory() {
	tls := libc.NewTLS()
	defer tls.Close()
	on := libc.NewVaList(int32(1))
	defer libc.Xfree(tls, on)
	if rc := sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_MEMSTATUS, on); rc != sqlite3.SQLITE_OK {
		panic(fmt.Sprintf("embedded: SQLite was in use before, so its memory would have no limit (%d)", rc))
	}
}
