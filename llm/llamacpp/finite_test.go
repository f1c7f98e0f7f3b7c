package llamacpp

import (
	"encoding/binary"
	"testing"

	"nl2sql/scripts/must"
)

func TestFinite(t *testing.T) {
	const nan, inf, most, minus = 0x7e00, 0xfc00, 0x7bff, 0xfbff
	for _, kind := range []struct {
		kind         uint32
		block, count int // bytes, blocks
	}{{1, 2, 11}, {2, 18, 5}, {8, 34, 5}} {
		for at := range kind.count {
			for number, want := range map[uint16]bool{nan: false, inf: false, 0x7c01: false, most: true, minus: true,
				0: true, 1: true, 0x8000: true} {
				rows := make([]byte, kind.block*kind.count)
				for i := range kind.count {
					binary.LittleEndian.PutUint16(rows[i*kind.block:], 0x3c00) // 1
				}
				binary.LittleEndian.PutUint16(rows[at*kind.block:], number)
				if got := finite(kind.kind, rows); got != want {
					t.Errorf("kind %d, block %d, %#x: %t", kind.kind, at, number, got)
				}
			}
		}
	}
	must.Be(t, finite(0, []byte{0, 0, 0xc0, 0x7f}), "an unknown kind does not pass")
}
