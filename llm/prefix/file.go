package prefix

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A file begins with magic, the key, the number of tokens and of bytes of a node, and the number of nodes. Each node
// is the number of its parent, counted from 1, or 0; its tokens; its state; and a checksum of these. The most recently
// used come first, and so parents before children. Numbers are little-endian and have 32 bits.
const magic = "nl2sql prefixes 1\n"

// ErrOther reports a file that another model, program or setting wrote.
var ErrOther = errors.New("made by another model, program or setting")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Save writes the most recently used states, up to limit bytes of them, to a file, which changes at once or not at
// all. The key says what they are good for: model, program, settings.
func (t *Tree) Save(path string, key [32]byte, limit int64) (err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	nodes := make([]*node, 0, len(t.nodes))
	depth := make(map[*node]int, len(t.nodes))
	for n := range t.nodes {
		nodes = append(nodes, n)
		for up := n; up != nil; up = up.parent {
			depth[n]++
		}
	}
	slices.SortFunc(nodes, func(a, b *node) int {
		return cmp.Or(cmp.Compare(b.used, a.used), cmp.Compare(depth[a], depth[b]), slices.Compare(a.tokens, b.tokens))
	})
	if most := limit / int64(t.size); int64(len(nodes)) > most {
		nodes = nodes[:most]
	}
	removeHalves(path)
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("save prefixes: %w", err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("save prefixes: %w", err)
			f.Close()
			os.Remove(f.Name())
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	head := append([]byte(magic), key[:]...)
	for _, n := range []int{t.block, t.size, len(nodes)} {
		head = binary.LittleEndian.AppendUint32(head, uint32(n))
	}
	w.Write(head) // a bufio.Writer keeps its first error for Flush
	number := map[*node]uint32{&t.root: 0}
	for i, n := range nodes {
		number[n] = uint32(i + 1)
		b := binary.LittleEndian.AppendUint32(nil, number[n.parent])
		b = append(b, pack(n.tokens)...)
		sum := crc32.Update(crc32.Checksum(b, castagnoli), castagnoli, n.state)
		w.Write(b)
		w.Write(n.state)
		w.Write(binary.LittleEndian.AppendUint32(nil, sum))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// unfinished is how long nothing may be written to a file that is being saved; one that is older was left by a program
// that was killed.
const unfinished = 10 * time.Second

// removeHalves removes what killed programs left of files that they saved. What cannot be removed stays.
func removeHalves(path string) {
	left, _ := filepath.Glob(path + ".*.tmp") // a path that is no pattern finds none
	for _, half := range left {
		if info, err := os.Stat(half); err == nil && time.Since(info.ModTime()) > unfinished {
			_ = os.Remove(half)
		}
	}
}

// Load adds the states of a file to an empty tree, as far as they fit. After an error the tree is empty: the file is
// missing, damaged, or, with [ErrOther], no good for this key. sound says that a state can be used; nil takes every
// one.
func (t *Tree) Load(path string, key [32]byte, sound func(state []byte) bool) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("load prefixes: %w", err)
	}
	if !info.Mode().IsRegular() { // opening a FIFO would wait for a writer
		return fmt.Errorf("load prefixes: %s: %w", filepath.Base(path), errDamaged)
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("load prefixes: %w", err)
	}
	defer f.Close()
	if err := t.read(bufio.NewReaderSize(f, 1<<20), key, sound); err != nil {
		t.Clear()
		return fmt.Errorf("load prefixes: %s: %w", filepath.Base(path), err)
	}
	return nil
}

func (t *Tree) read(r io.Reader, want [32]byte, sound func(state []byte) bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	head := make([]byte, len(magic)+len(want)+12)
	if _, err := io.ReadFull(r, head); err != nil {
		return errDamaged
	}
	numbers := head[len(head)-12:]
	block, size, count := binary.LittleEndian.Uint32(numbers), binary.LittleEndian.Uint32(numbers[4:]),
		binary.LittleEndian.Uint32(numbers[8:])
	switch {
	case string(head[:len(magic)]) != magic:
		return errDamaged
	case [32]byte(head[len(magic):len(magic)+len(want)]) != want, int(block) != t.block, int(size) != t.size:
		return ErrOther
	}
	nodes := []*node{&t.root}
	fixed := make([]byte, 4+4*t.block)
	sum := make([]byte, 4)
	for i := range int(count) {
		if i == t.room {
			break
		}
		state := make([]byte, t.size)
		for _, b := range [][]byte{fixed, state, sum} {
			if _, err := io.ReadFull(r, b); err != nil {
				return errDamaged
			}
		}
		parent := binary.LittleEndian.Uint32(fixed)
		tokens := make([]int32, t.block)
		for j := range tokens {
			tokens[j] = int32(binary.LittleEndian.Uint32(fixed[4+4*j:]))
		}
		if crc32.Update(crc32.Checksum(fixed, castagnoli), castagnoli, state) != binary.LittleEndian.Uint32(sum) ||
			int(parent) >= len(nodes) || nodes[parent].children[pack(tokens)] != nil || sound != nil && !sound(state) {
			return errDamaged
		}
		n := t.add(nodes[parent], tokens, state)
		n.used = -int64(i) // before all later use
		nodes = append(nodes, n)
	}
	return nil
}

var errDamaged = errors.New("damaged")
