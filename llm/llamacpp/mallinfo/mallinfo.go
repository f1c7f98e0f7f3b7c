//go:build cgo && llamacpp && linux

// Package mallinfo tells tests what C code holds: Go's own statistics do not know it.
package mallinfo

/*
#include <malloc.h>

static size_t in_use(void) {
	malloc_trim(0);
	struct mallinfo2 m = mallinfo2();
	return m.uordblks + m.hblkhd;
}
*/
import "C"

// InUse gives what is free back to the system, and returns the bytes that malloc gave out and free has not taken back.
// Source: mallinfo(3), malloc_trim(3).
func InUse() int64 { return int64(C.in_use()) }
