// Package prefix keeps what a model computed for the beginnings of prompts: a tree whose nodes are blocks of tokens,
// each with the model's state for it. Prompts that begin alike share nodes. It knows no model; a state is bytes.
package prefix

import (
	"encoding/binary"
	"slices"
	"sync"
)

// Tree is safe for concurrent use. The least recently used ends of branches go first when it is full.
type Tree struct {
	block, size int // tokens and bytes of a node
	room        int // most nodes

	mu    sync.Mutex
	root  node
	nodes map[*node]bool
	clock int64
	added bool // since it was made or read from a file
}

type node struct {
	tokens   []int32
	state    []byte
	parent   *node
	children map[string]*node
	used     int64 // later is more; never less than a child's
}

// New returns an empty tree of blocks of that many tokens, each with a state of size bytes. It holds at most limit
// bytes of states.
func New(block, size int, limit int64) *Tree {
	return &Tree{block: block, size: size, room: int(limit / int64(size)), nodes: make(map[*node]bool)}
}

// Match returns the states of the longest known beginning of tokens, a block each, and counts as their use. The
// states must not be changed.
func (t *Tree) Match(tokens []int32) [][]byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clock++
	var states [][]byte
	for n := &t.root; len(tokens) >= t.block; tokens = tokens[t.block:] {
		if n = n.children[pack(tokens[:t.block])]; n == nil {
			break
		}
		n.used = t.clock
		states = append(states, n.state)
	}
	return states
}

// Known returns how many of the first tokens Match would find, and is no use of them.
func (t *Tree) Known(tokens []int32) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	known := 0
	for n := &t.root; len(tokens) >= known+t.block; known += t.block {
		if n = n.children[pack(tokens[known:known+t.block])]; n == nil {
			break
		}
	}
	return known
}

// Add keeps the states of tokens, whose number is a multiple of the block: state is asked for those blocks that are
// not known, by their number. What does not fit is left out.
func (t *Tree) Add(tokens []int32, state func(block int) []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.clock++
	n := &t.root
	for b := 0; b < len(tokens)/t.block; b++ {
		part := tokens[b*t.block : (b+1)*t.block]
		child := n.children[pack(part)]
		if child == nil {
			if len(t.nodes) >= t.room && !t.evict() {
				return
			}
			child = t.add(n, part, state(b))
			t.added = true
		}
		child.used = t.clock
		n = child
	}
}

// add makes a child of n. The caller holds the lock.
func (t *Tree) add(n *node, tokens []int32, state []byte) *node {
	child := &node{tokens: slices.Clone(tokens), state: state, parent: n}
	if n.children == nil {
		n.children = make(map[string]*node)
	}
	n.children[pack(tokens)] = child
	t.nodes[child] = true
	return child
}

// evict drops the end of a branch that was not used for longest, and reports whether there was one that is not in
// use now.
func (t *Tree) evict() bool {
	var old *node
	for n := range t.nodes {
		if len(n.children) == 0 && n.used < t.clock && (old == nil || n.used < old.used) {
			old = n
		}
	}
	if old == nil {
		return false
	}
	delete(old.parent.children, pack(old.tokens))
	delete(t.nodes, old)
	return true
}

// Len returns the number of tokens whose state is kept.
func (t *Tree) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.nodes) * t.block
}

// Changed reports whether a state was added since the tree was made or read from a file.
func (t *Tree) Changed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.added
}

// Clear forgets all.
func (t *Tree) Clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.root, t.nodes = node{}, make(map[*node]bool)
}

func pack(tokens []int32) string {
	b := make([]byte, 0, 4*len(tokens))
	for _, token := range tokens {
		b = binary.LittleEndian.AppendUint32(b, uint32(token))
	}
	return string(b)
}
