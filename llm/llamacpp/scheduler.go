//go:build cgo && llamacpp

package llamacpp

/*
#include "shim.h"
*/
import "C"

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"nl2sql/llm/prefix"
)

// The same prompt must give the same bits, whatever was cached before and whatever else is worked on. Kernels treat
// the rows of a batch differently by their number and place in it: repacked weights meet rows in groups of sixteen and
// of four, and the last one to three one by one. So a token is always evaluated in the same kind of batch:
//
//   - a prompt's last 1 to block tokens are a batch of their own,
//   - those before come in batches of one prompt, of a multiple of block that begin at a multiple of block,
//   - generated tokens come in batches of at most mostTogether, one a sequence; alone where probe found a difference.
//
// Only the second kind stays cached. Each sequence has cells of its own, in the order of its tokens, since the order in
// which attention adds them up counts too. Fast mode does without the first and the third rule.
const (
	exception = -100 // nl2sql_decode: llama.cpp threw

	block       = 16
	chunk       = 128 // most tokens of a prompt in a batch; a node of the graph takes 0.1 s then, with 8 billion weights
	maxParallel = 64  // llama.cpp's LLAMA_MAX_SEQ

	mostTogether = 3
)

// slot is one sequence of the context.
type slot struct {
	id     int
	req    *request // nil: free
	tokens []int32  // whose keys and values are there, and may be used again
	used   time.Time
}

// generating reports whether the slot waits for the next token of an answer.
func (s *slot) generating() bool { return s.req != nil && s.req.at == len(s.req.prompt) }

// probe finds out what depends on the model: how states are laid out, and whether answers may share a batch. Weights
// that are not quantized, an adapter's for instance, may meet one row and several in different kernels.
func (m *Model) probe(limit int64) error {
	token := int32(m.model.NumVocab() / 2)
	together := func(n int) ([]float32, error) {
		m.ctx.KvCacheClear()
		seq := make([]int32, n)
		for i := range seq {
			seq[i] = int32(i)
		}
		err := m.decode(nil, slices.Repeat([]int32{token}, n), make([]int32, n), seq, slices.Repeat([]int8{1}, n))
		if err != nil {
			return nil, err
		}
		return slices.Clone(logits(m, 0)), nil
	}
	defer m.ctx.KvCacheClear()
	alone, err := together(1)
	if err != nil {
		return err
	}
	if limit == 0 {
		limit = 1 << 30
	}
	if state, err := m.state(0); err == nil && limit > 0 {
		if m.layout, _, _, err = readLayout(state); err == nil { // else it works without: a model with another memory
			m.tree = prefix.New(block, block*m.layout.bytes(), limit)
		}
	}
	m.most = len(m.slots)
	if m.fast {
		return nil
	}
	m.most = min(m.most, mostTogether)
	for n := 2; n <= m.most; n++ {
		beside, err := together(n)
		if err != nil {
			return err
		}
		if !slices.Equal(beside, alone) {
			m.most = n - 1
		}
	}
	return nil
}

// run owns the context until the model is closed and every call has ended.
func (m *Model) run() {
	defer func() {
		if m.gone == errClosed {
			m.remember()
		}
		m.life.Lock()
		defer m.life.Unlock()
		m.free()
		close(m.done)
	}()
	for m.accept() {
		m.drop()
		m.generate()
		m.read()
	}
}

// accept takes new requests in, waits for one if there is nothing to do, and reports whether to go on.
func (m *Model) accept() bool {
	if m.gone != nil {
		return false
	}
	if m.idle() {
		forgetErrors()
		select {
		case r := <-m.submit:
			m.queue = append(m.queue, r)
		case f := <-m.tasks:
			f()
		case <-m.closing:
			m.gone = errClosed
			return false
		}
	}
	for {
		select {
		case r := <-m.submit:
			m.queue = append(m.queue, r)
		default:
			return true
		}
	}
}

func (m *Model) idle() bool {
	return len(m.queue) == 0 && !slices.ContainsFunc(m.slots, func(s slot) bool { return s.req != nil })
}

// drop ends the requests whose callers have gone.
func (m *Model) drop() {
	for i := range m.slots {
		if s := &m.slots[i]; s.req != nil && s.req.ctx.Err() != nil {
			m.finish(s, s.req.ctx.Err())
		}
	}
	m.queue = slices.DeleteFunc(m.queue, func(r *request) bool { return r.ctx.Err() != nil })
}

// finish ends a slot's request; a nil err leaves the request's own.
func (m *Model) finish(s *slot, err error) {
	if err != nil {
		s.req.mu.Lock()
		s.req.err = err
		s.req.mu.Unlock()
	}
	close(s.req.done)
	s.req, s.used = nil, time.Now()
	if m.reading == s {
		m.reading = nil
	}
}

// fail ends all requests: what state the context is in, nobody knows.
func (m *Model) fail(err error) {
	m.gone = err
	for i := range m.slots {
		if s := &m.slots[i]; s.req != nil {
			m.finish(s, err)
		}
	}
	for _, r := range m.queue {
		r.err = err
		close(r.done)
	}
	m.queue = nil
}

// generate evaluates the last token of each answer and draws the next.
func (m *Model) generate() {
	var waiting []*slot
	for i := range m.slots {
		if m.slots[i].generating() {
			waiting = append(waiting, &m.slots[i])
		}
	}
	for group := range slices.Chunk(waiting, m.most) {
		var reqs []*request
		var tokens, pos, seq []int32
		want := slices.Repeat([]int8{1}, len(group))
		for _, s := range group {
			reqs = append(reqs, s.req)
			tokens = append(tokens, s.req.token)
			pos = append(pos, int32(len(s.req.prompt)+s.req.out.OutputTokens-1))
			seq = append(seq, int32(s.id))
		}
		if !m.settle(group, m.decode(reqs, tokens, pos, seq, want)) {
			return
		}
		for i, s := range group {
			if s.req == nil {
				continue
			}
			if m.fast {
				s.tokens = append(s.tokens, s.req.token)
			}
			if !m.take(s.req, i) {
				m.finish(s, nil)
			}
		}
	}
}

// read evaluates the next part of a prompt. Prompts are read one after the other, so that the later find in the tree
// what they share with the earlier.
func (m *Model) read() {
	if m.reading == nil && !m.begin() {
		return
	}
	s := m.reading
	r := s.req
	last := (len(r.prompt) - 1) / block * block // first token of the last batch
	end := min(r.at+chunk, last)
	if m.fast || r.at == last {
		end = min(r.at+chunk, len(r.prompt))
	}
	n := end - r.at
	pos, want := make([]int32, n), make([]int8, n)
	for i := range pos {
		pos[i] = int32(r.at + i)
	}
	if end == len(r.prompt) {
		want[n-1] = 1
	}
	seq := slices.Repeat([]int32{int32(s.id)}, n)
	if !m.settle([]*slot{s}, m.decode([]*request{r}, r.prompt[r.at:end], pos, seq, want)) || s.req == nil {
		return
	}
	if m.fast || end <= last {
		s.tokens = append(s.tokens, r.prompt[r.at:end]...)
	}
	if r.at = end; end < len(r.prompt) {
		return
	}
	m.reading = nil
	m.keep(s)
	if !m.take(r, n-1) {
		m.finish(s, nil)
	}
}

// begin gives the request that waits longest a slot: the one, or the branch of the tree, that has most of its prompt.
func (m *Model) begin() bool {
	if len(m.queue) == 0 {
		return false
	}
	prompt := m.queue[0].prompt
	var best *slot
	cached := -1
	for i := range m.slots {
		s := &m.slots[i]
		if s.req != nil {
			continue
		}
		if n := m.usable(prompt, s.tokens); n > cached || n == cached && s.used.Before(best.used) {
			best, cached = s, n
		}
	}
	if best == nil {
		return false
	}
	r := m.queue[0]
	m.queue = m.queue[1:]
	if m.tree != nil {
		known := m.tree.Match(prompt[:(len(prompt)-1)/block*block])
		if len(known)*block > cached {
			best = m.oldest() // what it holds is in the tree too
			m.buf = m.layout.join(m.buf[:0], known, block)
			cached = 0
			if best.tokens = nil; m.setState(best.id, m.buf) {
				cached = len(known) * block
			}
		}
	}
	if !m.ctx.KvCacheSeqRm(best.id, cached, -1) {
		m.ctx.KvCacheSeqRm(best.id, 0, -1) // a model that cannot go back to the middle
		cached = 0
	}
	best.tokens = slices.Clone(prompt[:cached])
	best.req, r.at = r, cached
	r.mu.Lock()
	r.out.CachedTokens = cached
	r.mu.Unlock()
	m.reading = best
	return true
}

// usable returns how many tokens at the beginning of a prompt a slot with those tokens has ready.
func (m *Model) usable(prompt, tokens []int32) int {
	n := 0
	for n < min(len(prompt)-1, len(tokens)) && prompt[n] == tokens[n] {
		n++
	}
	if m.fast {
		return n
	}
	return n / block * block
}

// oldest returns the free slot that was not used for longest.
func (m *Model) oldest() (old *slot) {
	for i := range m.slots {
		if s := &m.slots[i]; s.req == nil && (old == nil || s.used.Before(old.used)) {
			old = s
		}
	}
	return old
}

// keep adds the blocks of a slot's prompt to the tree.
func (m *Model) keep(s *slot) {
	prompt := s.tokens[:len(s.tokens)/block*block]
	if m.tree == nil || m.tree.Known(prompt) == len(prompt) {
		return
	}
	state, err := m.state(s.id)
	if err != nil {
		return // it works without
	}
	l, at, tokens, err := readLayout(state)
	if err != nil || tokens < len(prompt) {
		return
	}
	m.tree.Add(prompt, func(b int) []byte { return l.cut(state, at, b*block, block) })
}

// decode evaluates tokens of requests, each at its position of a sequence.
func (m *Model) decode(reqs []*request, tokens, pos, seq []int32, want []int8) error {
	m.tune()
	m.mu.Lock()
	m.batch = reqs
	atomic.StoreInt32((*int32)(unsafe.Pointer(m.stop)), 0)
	m.mu.Unlock()
	m.abandon()
	code := C.nl2sql_decode(m.c(), (*C.int32_t)(unsafe.SliceData(tokens)), (*C.int32_t)(unsafe.SliceData(pos)),
		(*C.int32_t)(unsafe.SliceData(seq)), (*C.int8_t)(unsafe.SliceData(want)), C.int32_t(len(tokens)))
	m.mu.Lock()
	m.batch = nil
	m.mu.Unlock()
	if code == 0 {
		return nil
	}
	return evaluationError{int(code), fmt.Sprintf("llama.cpp cannot evaluate tokens %d to %d: code %d%s", pos[0], pos[len(pos)-1], code, because())}
}

type evaluationError struct {
	code int
	text string
}

func (e evaluationError) Error() string { return e.text }

// abandon ends the evaluation of a batch that nobody waits for any more.
func (m *Model) abandon() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.batch) > 0 && !slices.ContainsFunc(m.batch, func(r *request) bool { return r.ctx.Err() == nil }) {
		atomic.StoreInt32((*int32)(unsafe.Pointer(m.stop)), 1)
	}
}

// settle ends the slots' requests if their evaluation failed, and reports whether the context is still good.
func (m *Model) settle(slots []*slot, err error) bool {
	if err == nil {
		return true
	}
	if e, ok := err.(evaluationError); ok && e.code == exception {
		m.fail(err)
		return false
	}
	for _, s := range slots {
		why := s.req.ctx.Err()
		if why == nil {
			why = err
		}
		m.finish(s, why)
	}
	return true
}
