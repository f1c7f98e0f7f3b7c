package mysqlfn

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"nl2sql/runner/embedded/types"
)

// packedWeights are the weights of characters in the collations of [WeightCollations], as WEIGHT_STRING of MySQL 8.0.15
// gives them: of each collation a length, and packed by gzip the number of characters from 0 on, how many weights each
// has, and all of them as differences, low bytes first. A test compares them with a real server.
//
//go:embed weights.bin
var packedWeights []byte

// WeightCollations are the collations whose weights are kept, and MySQL's name of each.
var WeightCollations = []struct {
	Collation types.Collation
	Name      string
}{
	{types.CollAI, "utf8mb4_0900_ai_ci"},
	{types.CollUnicode, "utf8mb4_unicode_ci"},
	{types.CollUnicode520, "utf8mb4_unicode_520_ci"},
	{types.CollGeneral, "utf8mb4_general_ci"},
}

// What stands for the number of weights of a character that has those that a rule gives: itself, or two that are
// computed of it, from one of three beginnings. Source: Unicode Technical Standard 10, "Derived Collation Elements".
const (
	itself  = 15
	derived = 12 // and two more
)

var derivedFrom = [3]uint32{0xFB40, 0xFB80, 0xFBC0}

// weightTable has the weights of characters: of each how many, in the last four bits, and where they begin.
type weightTable struct {
	at      []uint32
	weights []uint16
}

// weightTables by collation; each is unpacked when a text wants it first.
var weightTables = func() map[types.Collation]func() *weightTable {
	tables := map[types.Collation]func() *weightTable{}
	rest := packedWeights
	for _, c := range WeightCollations {
		size := binary.BigEndian.Uint32(rest)
		packed := rest[4 : 4+size]
		rest = rest[4+size:]
		tables[c.Collation] = sync.OnceValue(func() *weightTable { return unpackWeights(packed) })
	}
	return tables
}()

func unpackWeights(packed []byte) *weightTable {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(fmt.Sprintf("mysqlfn: weights.bin: %v", err))
	}
	data, err := io.ReadAll(z)
	if err != nil {
		panic(fmt.Sprintf("mysqlfn: weights.bin: %v", err))
	}
	counts, data := data[4:4+binary.BigEndian.Uint32(data)], data[4+binary.BigEndian.Uint32(data):]
	t := &weightTable{at: make([]uint32, len(counts)), weights: make([]uint16, len(data)/2)}
	last := uint16(0)
	for i := range t.weights {
		last += uint16(data[i]) | uint16(data[len(t.weights)+i])<<8
		t.weights[i] = last
	}
	begin := uint32(0)
	for r, n := range counts {
		t.at[r] = begin<<4 | uint32(n)
		if n < derived {
			begin += uint32(n)
		}
	}
	return t
}

// appendTo appends the weights of a character. Those beyond the table are derived ones, or in the older collations,
// whose table ends with the first plane, all the same.
func (t *weightTable) appendTo(w []uint32, r rune) []uint32 {
	n := uint32(derived + 2)
	if int(r) < len(t.at) {
		n = t.at[r] & 15
	} else if len(t.at) <= 0x10000 {
		return append(w, 0xFFFD)
	}
	switch {
	case n == itself:
		return append(w, uint32(r)+1)
	case n >= derived:
		return append(w, derivedFrom[n-derived]+uint32(r>>15)+1, (uint32(r)&0x7FFF|0x8000)+1)
	}
	begin := t.at[r] >> 4
	for _, x := range t.weights[begin : begin+n] {
		w = append(w, uint32(x)+1)
	}
	return w
}

// Weights are those of a character, as WEIGHT_STRING gives them.
func Weights(c types.Collation, r rune) []uint16 {
	out := []uint16{}
	for _, w := range appendRune(c, nil, r) {
		out = append(out, uint16(w-1))
	}
	return out
}
