package lora

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
)

// stored is one tensor of a safetensors file.
type stored struct {
	name  string
	dtype string
	shape []int64 // the length of a row last
	at    int64   // in the file, bytes
	bytes int64
}

// maxHeader is the format's limit, in bytes.
const maxHeader = 100 << 20

// readSafetensors reads the list of tensors and checks it: no byte outside the file, none twice, none left out.
// Source: the safetensors README, "Format".
func readSafetensors(r io.ReaderAt, size int64) ([]stored, error) {
	var length [8]byte
	if size < 8 {
		return nil, fmt.Errorf("truncated: %d bytes", size)
	}
	if _, err := r.ReadAt(length[:], 0); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(length[:])
	switch {
	case n > maxHeader:
		return nil, errors.New("is no safetensors file")
	case n > uint64(size-8):
		return nil, fmt.Errorf("truncated: has %d bytes, its header alone needs %d", size, n+8)
	}
	text := make([]byte, n)
	if _, err := r.ReadAt(text, 8); err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(text, []byte("{")) {
		return nil, errors.New("is no safetensors file")
	}
	var list map[string]json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("is damaged: header: %w", err)
	}
	delete(list, "__metadata__") // texts, not a tensor
	data := uint64(size-8) - n
	out := make([]stored, 0, len(list))
	for name, text := range list {
		var t struct {
			DType   string   `json:"dtype"`
			Shape   []uint64 `json:"shape"`
			Offsets []uint64 `json:"data_offsets"`
		}
		if err := json.Unmarshal(text, &t); err != nil {
			return nil, fmt.Errorf("is damaged: tensor %.80q: %w", name, err)
		}
		width, known := map[string]uint64{"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4,
			"I16": 2, "I8": 1, "U8": 1,
			"U16": 2, "U32": 4, "U64": 8, "BOOL": 1, "F8_E4M3": 1, "F8_E5M2": 1}[t.DType]
		want, overflow := width, uint64(0)
		s := stored{name: name, dtype: t.DType}
		for _, d := range t.Shape {
			if overflow == 0 {
				overflow, want = bits.Mul64(want, d)
			}
			s.shape = append(s.shape, int64(d))
		}
		switch {
		case !known:
			return nil, fmt.Errorf("is damaged: tensor %.80q has the unknown type %.20q", name, t.DType)
		case overflow != 0 || want > math.MaxInt64 ||
			slices.ContainsFunc(t.Shape, func(d uint64) bool { return d > math.MaxInt64 }):
			return nil, fmt.Errorf("is damaged: tensor %.80q has impossible dimensions", name)
		case len(t.Offsets) != 2 || t.Offsets[0] > t.Offsets[1] || t.Offsets[1]-t.Offsets[0] != want:
			return nil, fmt.Errorf("is damaged: tensor %.80q does not fill its place", name)
		case t.Offsets[1] > data:
			return nil, fmt.Errorf("truncated: tensor %.80q ends at byte %d of %d", name, t.Offsets[1], data)
		}
		s.at, s.bytes = size-int64(data)+int64(t.Offsets[0]), int64(want)
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b stored) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.bytes, b.bytes), cmp.Compare(a.name, b.name))
	})
	end := size - int64(data)
	for _, s := range out {
		if s.at != end {
			return nil, fmt.Errorf("is damaged: tensor %.80q begins at byte %d, want %d", s.name, s.at, end)
		}
		end += s.bytes
	}
	if end != size {
		return nil, fmt.Errorf("is damaged: %d bytes belong to no tensor", size-end)
	}
	return out, nil
}

// floats reads a tensor of F32, F16 or BF16. A value that is no number, or infinite, is an error.
func (s stored) floats(r io.ReaderAt) ([]float32, error) {
	width := map[string]int{"F32": 4, "F16": 2, "BF16": 2}[s.dtype]
	if width == 0 {
		return nil, fmt.Errorf("tensor %s has the type %s: want F32, F16 or BF16", s.name, s.dtype)
	}
	b := make([]byte, s.bytes)
	if _, err := r.ReadAt(b, s.at); err != nil {
		return nil, err
	}
	out := make([]float32, len(b)/width)
	for i := range out {
		switch s.dtype {
		case "F32":
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		case "BF16":
			out[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(b[2*i:])) << 16)
		case "F16":
			out[i] = half(binary.LittleEndian.Uint16(b[2*i:]))
		}
		if v := float64(out[i]); math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("tensor %s holds values that are no numbers: the training went wrong", s.name)
		}
	}
	return out, nil
}

// half is the value of an IEEE 754 number of 16 bits.
func half(h uint16) float32 {
	exponent, fraction := int(h>>10&31), float64(h&1023)
	v := math.Ldexp(1024+fraction, exponent-25)
	switch exponent {
	case 0:
		v = math.Ldexp(fraction, -24)
	case 31:
		v = math.Inf(1)
		if fraction != 0 {
			v = math.NaN()
		}
	}
	if h>>15 == 1 {
		v = -v
	}
	return float32(v)
}
