package llamacpp

import "encoding/binary"

// finite says that rows of keys or values hold numbers alone: a state with others would spoil every answer after it.
// kind is ggml's type; those of which nothing is known pass. Source: ggml-common.h, block_q4_0 and block_q8_0.
func finite(kind uint32, rows []byte) bool {
	const f16, q4, q8 = 1, 2, 8
	switch kind {
	case f16:
		// Four numbers at a time: one is not finite if its exponent has only ones, so that its lane here is 0.
		const exponents, ones, tops = 0x7c007c007c007c00, 0x0001000100010001, 0x8000800080008000
		for len(rows) >= 8 {
			if lanes := ^binary.LittleEndian.Uint64(rows) & exponents; (lanes-ones)&^lanes&tops != 0 {
				return false
			}
			rows = rows[8:]
		}
		return finiteEach(rows, 2)
	case q4:
		return finiteEach(rows, 18)
	case q8:
		return finiteEach(rows, 34)
	}
	return true
}

// finiteEach looks at the number of 16 bits at the beginning of each block of so many bytes.
func finiteEach(rows []byte, bytes int) bool {
	for ; len(rows) >= bytes; rows = rows[bytes:] {
		if binary.LittleEndian.Uint16(rows)&0x7c00 == 0x7c00 {
			return false
		}
	}
	return true
}
