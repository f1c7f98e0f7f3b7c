package llamacpp

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"nl2sql/llm/llamacpp/engine"
)

// The same prompt must give the same bits, whatever was cached before and whatever else is worked on. Where each row of
// a batch gets the bits that it gets alone (kernels.go), that needs nothing. llama.cpp's own kernels treat rows
// differently by their number and place in a batch: repacked weights meet rows in groups of sixteen and of four, and
// the last one to three one by one. With them a token is always evaluated in the same kind of batch:
//
//   - a prompt's come in batches of one prompt, of a multiple of block that begin at a multiple of block; what is
//     missing at its end is filled up with tokens that are then removed,
//   - generated tokens come in batches of at most mostTogether, of one sequence or of several; alone where probe found
//     a difference.
//
// Only the first kind stays cached. Fast mode does without both rules. Each sequence has cells of its own, in the order
// of its tokens, since the order in which attention adds them up counts too.
//
// A GPU spreads a product or an attention over its processors by the number of rows, of tokens before them and of
// sequences, and sums differ with each (ggml-cuda's mmq.cuh and fattn-common.cuh), so that no look at a few batches
// tells which are alike. There a prompt comes in batches of chunk tokens that begin at a multiple of chunk, and a
// generated token comes alone (Model.grain).
//
// Drafted tokens are generated ones that come early: those that the answer takes are evaluated as they would have been
// without a draft, the others are removed. How long drafts are follows the clock (pace.go), so in exact mode no bit may
// depend on it.
const (
	block = 16
	// most tokens of a prompt in a batch; a node of the graph takes 0.1 s then, with 8 billion weights
	chunk       = 128
	gpuChunk    = 512 // the same in fast mode on a GPU, which smaller ones leave idle
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

// begin gives the slot a request, of whose prompt it has so many tokens ready.
func (s *slot) begin(r *request, cached int) {
	s.tokens, s.req, r.at = slices.Clone(r.prompt[:cached]), r, cached
	r.mu.Lock()
	r.out.CachedTokens = cached
	r.mu.Unlock()
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
	m.admit()
	return true
}

// admit takes in those that have come.
func (m *Model) admit() {
	for {
		select {
		case r := <-m.submit:
			m.queue = append(m.queue, r)
		default:
			return
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

// generate evaluates the last token of each answer, with a draft of those that may follow, and draws the next ones.
func (m *Model) generate() {
	var waiting []*slot
	for i := range m.slots {
		if m.slots[i].generating() {
			waiting = append(waiting, &m.slots[i])
		}
	}
	for group := range slices.Chunk(waiting, m.most) {
		guesses, n := m.draft(group)
		var b batch
		for i, s := range group {
			if i > 0 && (group[len(group)-1].id-group[0].id+1)*(n+1) <= chunk {
				m.fill(&b, group[i-1].id+1, s.id, n+1)
			}
			b.reqs, b.first = append(b.reqs, s.req), append(b.first, len(b.tokens))
			b.add(s.id, s.req.end(), s.req.token)
			b.add(s.id, s.req.end()+1, guesses[i].tokens[:n]...)
		}
		began := m.clock()
		err := m.decode(b.reqs, b.tokens, b.pos, b.seq, slices.Repeat([]int8{1}, len(b.tokens)))
		for _, s := range b.filled {
			m.ctx.KvCacheSeqRm(s.id, len(s.tokens), -1)
		}
		if !m.settle(group, err) {
			return
		}
		if err == nil {
			m.ctx.Synchronize() // a graphics card's work may go on
			m.pace.took(len(b.tokens), m.clock().Sub(began))
		}
		m.extend(group, b.first, guesses, n)
	}
}

// batch is what is evaluated in one go for several answers.
type batch struct {
	reqs             []*request
	first            []int // the first row of each request
	tokens, pos, seq []int32
	filled           []*slot // whose rows are thrown away
}

// add appends tokens of a sequence, the first at a position.
func (b *batch) add(seq, pos int, tokens ...int32) {
	for i, t := range tokens {
		b.tokens, b.pos, b.seq = append(b.tokens, t), append(b.pos, int32(pos+i)), append(b.seq, int32(seq))
	}
}

// fill adds rows of sequences that do not wait for a token, to be thrown away: llama.cpp takes a batch apart where a
// sequence's number does not follow that before, and an evaluation more costs more than a few rows more.
func (m *Model) fill(b *batch, from, to, rows int) {
	const few = 3
	if !m.anyBatch || !m.back || to-from > few {
		return
	}
	gap := m.slots[from:to]
	if slices.ContainsFunc(gap, func(s slot) bool { return len(s.tokens)+rows > m.window }) {
		return
	}
	for i := range gap {
		s := &gap[i]
		m.ctx.KvCacheSeqRm(s.id, len(s.tokens), -1) // what an answer had drafted when it ended
		b.add(s.id, len(s.tokens), make([]int32, rows)...)
		b.filled = append(b.filled, s)
	}
}

// guess is what may come next in an answer.
type guess struct {
	tokens []int32 // as many as the longest draft has; behind those of the option what fills rows beside others' drafts
	option option
}

// guess returns what may come next in an answer: what the look-up finds.
func (m *Model) guess(r *request) (g guess) {
	g.tokens, g.option.alike = r.drafter.guess(longestDraft)
	g.option.tokens = max(0, min(len(g.tokens), r.p.MaxTokens-r.out.OutputTokens-1))
	if end := slices.IndexFunc(g.tokens[:g.option.tokens],
		func(t int32) bool { return m.model.TokenIsEog(int(t)) }); end >= 0 {
		g.option.tokens = end
	}
	g.tokens = append(g.tokens, slices.Repeat([]int32{r.token}, longestDraft-len(g.tokens))...)
	return g
}

// draft returns what may come next in each answer, and how many of these tokens to evaluate now.
func (m *Model) draft(group []*slot) ([]guess, int) {
	guesses := make([]guess, len(group))
	if !m.drafts {
		return guesses, 0
	}
	options := make([]option, len(group))
	most := m.most
	for i, s := range group {
		guesses[i] = m.guess(s.req)
		options[i] = guesses[i].option
		most = min(most, len(group)*(m.window-s.req.end()))
	}
	return guesses, m.pace.choose(options, most)
}

// extend draws the next tokens of answers, from the logits after their rows of the last evaluation, of which an
// answer's first is given: one more than those of its draft of n tokens that it goes on with. Answers draw beside each
// other, since a look through the logits of a large vocabulary takes a good part of the time of an evaluation.
func (m *Model) extend(group []*slot, first []int, guesses []guess, n int) {
	took := make([]drawn, len(group))
	var beside errgroup.Group
	beside.SetLimit(m.threads)
	for i, s := range group {
		if s.req == nil {
			continue
		}
		rows := make([][]float32, n+1)
		for j := range rows {
			rows[j] = m.ctx.Logits(first[i] + j)
		}
		beside.Go(func() error {
			took[i] = m.walk(s, rows, guesses[i])
			return nil
		})
	}
	_ = beside.Wait() // none fails
	for i, s := range group {
		d, o := took[i], guesses[i].option
		if s.req == nil {
			continue
		}
		for j := range min(d.right, o.tokens) {
			m.pace.learn(o, j, true)
		}
		if d.over {
			m.finish(s, nil)
			continue
		}
		if d.right < min(d.tokens, o.tokens) {
			m.pace.learn(o, d.right, false)
		}
		if d.tokens <= n { // rows that were guessed wrong
			m.ctx.KvCacheSeqRm(s.id, s.req.end(), -1)
		}
	}
}

// drawn is what an answer took of an evaluation.
type drawn struct {
	tokens int
	right  int  // tokens that were guessed: all of them, or all but the last
	over   bool // the answer ended with the last
}

// walk draws the next tokens of an answer, a row of logits each, until one is not what was guessed.
func (m *Model) walk(s *slot, rows [][]float32, g guess) (d drawn) {
	r := s.req
	drafted := min(len(rows)-1, g.option.tokens)
	r.mu.Lock()
	r.out.DraftedTokens += drafted
	r.mu.Unlock()
	for i, logits := range rows {
		if m.anyBatch {
			s.tokens = append(s.tokens, r.token)
		}
		d.tokens++
		if d.over = !m.take(r, logits); d.over || !m.drafts {
			break
		}
		r.drafter.add(r.token)
		if i == len(g.tokens) || r.token != g.tokens[i] {
			break
		}
		d.right++
		if i < drafted {
			r.mu.Lock()
			r.out.AcceptedTokens++
			r.mu.Unlock()
		}
	}
	return d
}

// read evaluates the next part of a prompt. Prompts are read one after the other, so that the later find in the tree
// what they share with the earlier.
func (m *Model) read() {
	if m.reading == nil && !m.begin() {
		return
	}
	s := m.reading
	r := s.req
	end := min(r.at+m.chunk, len(r.prompt))
	tokens, row := r.prompt[r.at:end], end-r.at-1
	if !m.anyBatch && m.back {
		tokens = slices.Concat(tokens, slices.Repeat(tokens[row:], (m.grain-len(tokens)%m.grain)%m.grain))
	}
	pos, want := make([]int32, len(tokens)), make([]int8, len(tokens))
	for i := range pos {
		pos[i] = int32(r.at + i)
	}
	scored := len(r.prompt) // where those that are given begin
	switch from := 0; {
	case r.given > 0:
		scored -= r.given
		if from = scored - 1; !m.anyBatch {
			from = from / m.grain * m.grain // logits come in groups of rows too
		}
		for i := max(from, r.at); i < r.at+len(tokens); i++ {
			want[i-r.at] = 1
		}
	case end == len(r.prompt):
		want[row] = 1
	}
	seq := slices.Repeat([]int32{int32(s.id)}, len(tokens))
	if !m.settle([]*slot{s}, m.decode([]*request{r}, tokens, pos, seq, want)) || s.req == nil {
		return
	}
	if len(tokens) > end-r.at {
		m.ctx.KvCacheSeqRm(s.id, end, -1)
	}
	for i := max(scored, r.at+1); i <= end && i < len(r.prompt); i++ {
		r.score(logProb(m.ctx.Logits(i-1-r.at), r.prompt[i]))
	}
	s.tokens = append(s.tokens, r.prompt[r.at:end]...)
	if r.at = end; end < len(r.prompt) {
		return
	}
	m.reading = nil
	if r.given > 0 {
		m.finish(s, nil)
		return
	}
	m.keep(s)
	logits := m.ctx.Logits(row)
	m.share(s, logits)
	m.start(s, logits)
}

// share gives those that wait with the prompt that a slot has just read, as the votes of a question do, what came of
// it: read again it would be the same.
func (m *Model) share(s *slot, logits []float32) {
	m.admit()
	same := func(r *request) bool { return r.given == 0 && slices.Equal(r.prompt, s.req.prompt) }
	if m.tree == nil || !slices.ContainsFunc(m.queue, same) {
		return
	}
	state, _, _, tokens := m.ordered(s.id)
	if tokens != len(s.tokens) {
		return
	}
	m.queue = slices.DeleteFunc(m.queue, func(r *request) bool {
		to := m.oldest()
		if to == nil || !same(r) {
			return false
		}
		if to.tokens = nil; !m.setState(to.id, state) {
			return false
		}
		to.begin(r, tokens)
		m.start(to, logits)
		return true
	})
}

// start draws an answer's first token, from the logits after its prompt.
func (m *Model) start(s *slot, logits []float32) {
	if !m.take(s.req, logits) {
		m.finish(s, nil)
		return
	}
	if m.drafts {
		s.req.drafter.add(s.req.token)
	}
}

// begin gives the request that waits longest a slot: the one, or the branch of the tree, that has most of its prompt.
func (m *Model) begin() bool {
	if len(m.queue) == 0 {
		return false
	}
	prompt := m.queue[0].prompt
	prompt = prompt[:len(prompt)-m.queue[0].given]
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
		known = known[:len(known)*block/m.grain*m.grain/block]
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
	best.begin(r, cached)
	m.reading = best
	return true
}

// usable returns how many tokens at the beginning of a prompt a slot with those tokens has ready.
func (m *Model) usable(prompt, tokens []int32) (n int) {
	for n < min(len(prompt)-1, len(tokens)) && prompt[n] == tokens[n] {
		n++
	}
	if m.anyBatch {
		return n
	}
	return n / m.grain * m.grain
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
	state, l, at, tokens := m.ordered(s.id)
	if tokens < len(prompt) {
		return
	}
	m.tree.Add(prompt, func(b int) []byte { return l.cut(state, at, b*block, block) })
}

// decode evaluates tokens of requests, each at its position of a sequence.
func (m *Model) decode(reqs []*request, tokens, pos, seq []int32, want []int8) error {
	m.tune()
	m.mu.Lock()
	m.batch = reqs
	m.ctx.Stop(false)
	m.mu.Unlock()
	m.abandon()
	err := m.ctx.Decode(tokens, pos, seq, want)
	m.mu.Lock()
	m.batch = nil
	m.mu.Unlock()
	if err != nil {
		return fmt.Errorf("llama.cpp cannot evaluate tokens %d to %d: %w", pos[0], pos[len(pos)-1], err)
	}
	return nil
}

// abandon ends the evaluation of a batch that nobody waits for any more.
func (m *Model) abandon() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.batch) > 0 && !slices.ContainsFunc(m.batch, func(r *request) bool { return r.ctx.Err() == nil }) {
		m.ctx.Stop(true)
	}
}

// settle ends the slots' requests if their evaluation failed, and reports whether the context is still good.
func (m *Model) settle(slots []*slot, err error) bool {
	if err == nil {
		return true
	}
	if e, ok := errors.AsType[*engine.EvaluationError](err); ok && e.Broken {
		m.fail(err)
		return false
	}
	for _, s := range slots {
		m.finish(s, cmp.Or(s.req.ctx.Err(), err))
	}
	return true
}
