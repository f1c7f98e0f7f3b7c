package llamacpp

import (
	"encoding/binary"
	"errors"
)

// A state is what llama.cpp writes of one sequence: a section for each of its caches, of which models with sliding
// windows have two. A section is the number of streams and, for each, its number of cells; the cells of the one stream
// that has any follow: for each a position, the number 1 and a sequence; then whether values are transposed, the number
// of layers, and for each layer the type and the bytes of a row of keys, and a row a cell; then the same of values.
// Source: llama-kv-cache.cpp, state_write.
type layout []section

type section struct {
	streams uint32
	layers  uint32
	rows    []row // of keys, then of values
}

type row struct {
	kind  uint32
	bytes int
}

var errState = errors.New("llama.cpp's state is laid out in another way")

// readLayout returns the layout of a state, where its rows begin, and of how many tokens it is.
func readLayout(b []byte) (l layout, at []int, tokens int, err error) {
	pos := 0
	u32 := func() (v uint32) {
		if pos+4 <= len(b) {
			v = binary.LittleEndian.Uint32(b[pos:])
		}
		pos += 4
		return v
	}
	for pos < len(b) {
		s := section{streams: u32()}
		found := false
		for range s.streams {
			n := int(u32())
			if n == 0 {
				continue
			}
			if found || tokens != 0 && tokens != n {
				return nil, nil, 0, errState
			}
			found, tokens = true, n
			for i := range n {
				if int(u32()) != i || u32() != 1 {
					return nil, nil, 0, errState
				}
				u32()
			}
			if u32() != 0 {
				return nil, nil, 0, errState // values are transposed
			}
			s.layers = u32()
			if s.layers > 1<<16 {
				return nil, nil, 0, errState
			}
			for range 2 * s.layers {
				r := row{kind: u32(), bytes: int(u32())}
				if u32() != 0 || r.bytes <= 0 {
					return nil, nil, 0, errState
				}
				s.rows = append(s.rows, r)
				at = append(at, pos)
				pos += n * r.bytes
			}
		}
		if !found {
			return nil, nil, 0, errState
		}
		l = append(l, s)
	}
	if pos != len(b) || tokens == 0 {
		return nil, nil, 0, errState
	}
	return l, at, tokens, nil
}

// bytes returns the size of a token's rows.
func (l layout) bytes() (n int) {
	for _, s := range l {
		for _, r := range s.rows {
			n += r.bytes
		}
	}
	return n
}

// finite says that a part, as cut returns it, holds numbers alone.
func (l layout) finite(part []byte, tokens int) bool {
	for _, s := range l {
		for _, r := range s.rows {
			if !finite(r.kind, part[:tokens*r.bytes]) {
				return false
			}
			part = part[tokens*r.bytes:]
		}
	}
	return true
}

// cut copies the rows of the tokens from first on out of a state whose rows begin at at.
func (l layout) cut(state []byte, at []int, first, tokens int) []byte {
	out := make([]byte, 0, tokens*l.bytes())
	i := 0
	for _, s := range l {
		for _, r := range s.rows {
			out = append(out, state[at[i]+first*r.bytes:at[i]+(first+tokens)*r.bytes]...)
			i++
		}
	}
	return out
}

// join is the other way round: it appends to buf the state whose parts, each of that many tokens, cut returned.
func (l layout) join(buf []byte, parts [][]byte, tokens int) []byte {
	le := binary.LittleEndian
	n := uint32(len(parts) * tokens)
	from := 0 // of a row's part
	for _, s := range l {
		buf = le.AppendUint32(buf, s.streams)
		buf = le.AppendUint32(buf, n)
		for i := range n {
			buf = le.AppendUint32(buf, i)
			buf = le.AppendUint32(buf, 1)
			buf = le.AppendUint32(buf, 0)
		}
		buf = le.AppendUint32(buf, 0)
		buf = le.AppendUint32(buf, s.layers)
		for _, r := range s.rows {
			buf = le.AppendUint32(buf, r.kind)
			buf = le.AppendUint64(buf, uint64(r.bytes))
			for _, p := range parts {
				buf = append(buf, p[from:from+tokens*r.bytes]...)
			}
			from += tokens * r.bytes
		}
		for range s.streams - 1 {
			buf = le.AppendUint32(buf, 0)
		}
	}
	return buf
}

// state returns what the context holds of a slot, in a buffer that the next call may use again.
func (m *Model) state(slot int) ([]byte, error) {
	b := m.ctx.State(slot, m.buf)
	if b == nil {
		return nil, errState
	}
	m.buf = b
	return b, nil
}

// ordered returns a slot's state, taken apart, and of how many tokens it is, which lie in their order; 0 where they do
// not, or where there is none: it works without.
func (m *Model) ordered(slot int) (state []byte, l layout, at []int, tokens int) {
	state, err := m.state(slot)
	if err == nil {
		l, at, tokens, err = readLayout(state)
	}
	if err != nil {
		return nil, nil, nil, 0
	}
	return state, l, at, tokens
}

// setState makes a state what the context holds of a slot. If it fails, the slot is empty.
func (m *Model) setState(slot int, state []byte) bool {
	ok := m.ctx.SetState(slot, state)
	if !ok {
		m.ctx.KvCacheSeqRm(slot, 0, -1)
	}
	return ok
}
