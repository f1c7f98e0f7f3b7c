package llamacpp

import (
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"nl2sql/llm"
	"nl2sql/llm/llamacpp/engine"
	"nl2sql/scripts/must"
)

// fake is an engine.Model whose tokens are bytes. What comes next follows from all that a sequence holds, as from a
// real model, and mostly from the last tokens, so that texts repeat themselves and drafts come true. It fails the test
// where a real context would break: used by two goroutines, with positions that leave gaps, after it was freed.
type fake struct {
	t       testing.TB
	rows    bool          // a token's bits follow from the kind of its batch, as with llama.cpp's own kernels
	gpu     bool          // they follow from how many tokens its batch has and where it begins, as on a GPU
	forward bool          // nothing can be removed but whole sequences, and states are of an unknown layout
	holds   int           // sequences that memory is there for; 0 means any number
	slow    time.Duration // what an evaluation takes
	threads int           // that were set last
	fail    *engine.EvaluationError
	after   atomic.Int64 // evaluations until fail comes
	made    atomic.Int64 // contexts that are not freed
	place   llm.Place    // where it lies, for what is kept between processes
	evals   int          // evaluations until now
}

const (
	endToken  = 256
	fakeWords = 257
)

func (f *fake) NumVocab() int                                          { return fakeWords }
func (f *fake) TokenIsEog(token int) bool                              { return token == endToken }
func (f *fake) AddBOSToken() bool                                      { return false }
func (f *fake) BOS() (int32, bool)                                     { return 0, false }
func (f *fake) Free()                                                  {}
func (f *fake) NewVectors(engine.VectorParams) (engine.Vectors, error) { panic("no vectors here") }

func (f *fake) Tokenize(text string, _, _ bool) ([]int, error) {
	tokens := make([]int, len(text))
	for i := range tokens {
		tokens[i] = int(text[i])
	}
	return tokens, nil
}

func (f *fake) Piece(token int32) string {
	if token == endToken {
		return ""
	}
	return string([]byte{byte(token)})
}

func (f *fake) NewContext(p engine.Params) (engine.Context, error) {
	if f.holds > 0 && p.Sequences > f.holds {
		return nil, errors.New("out of memory")
	}
	f.made.Add(1)
	return &fakeContext{fake: f, p: p, cells: make([][]cell, p.Sequences)}, nil
}

// cell is what the fake keeps of a token: keys and values, so to say.
type cell struct {
	token int32
	sum   uint64 // of the token and those before it, each with the kind of batch that it came in
}

type fakeContext struct {
	*fake
	p      engine.Params
	busy   atomic.Bool
	stop   atomic.Bool
	freed  atomic.Bool
	cells  [][]cell // of each sequence
	logits [][]float32
}

// use reports wrong uses until what it returns is called.
func (c *fakeContext) use() (done func()) {
	if c.freed.Load() {
		c.t.Error("a context is used after it was freed")
	}
	if c.busy.Swap(true) {
		c.t.Error("two goroutines use a context")
	}
	return func() { c.busy.Store(false) }
}

func (c *fakeContext) Decode(tokens, pos, seq []int32, want []int8) error {
	defer c.use()()
	c.evals++
	if c.fail != nil && c.after.Add(-1) < 0 {
		return c.fail
	}
	for end := time.Now().Add(c.slow); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if c.stop.Load() {
			return &engine.EvaluationError{Code: 2}
		}
	}
	if len(tokens) > c.p.Batch*c.p.Sequences {
		c.t.Errorf("a batch of %d tokens", len(tokens))
	}
	kind := byte(0)
	if c.rows && len(tokens) > mostTogether {
		kind = byte(1 + len(tokens)%block + block*(int(pos[0])%block))
	}
	if c.gpu && len(tokens) > 1 {
		kind = byte(1 + len(tokens)%chunk + 3*(int(pos[0])%chunk))
	}
	c.logits = make([][]float32, len(tokens))
	for i, token := range tokens {
		cells := &c.cells[seq[i]]
		if int(pos[i]) != len(*cells) || len(*cells) >= c.Window() {
			c.t.Errorf("a token at position %d of a sequence with %d of %d", pos[i], len(*cells), c.Window())
			return &engine.EvaluationError{Code: -1}
		}
		*cells = append(*cells, cell{token, next(*cells, token, kind)})
		if want[i] != 0 {
			c.logits[i] = likelihoods(*cells)
		}
	}
	return nil
}

// next returns the sum of a token behind cells.
func next(cells []cell, token int32, kind byte) uint64 {
	h := fnv.New64a()
	if len(cells) > 0 {
		binary.Write(h, binary.LittleEndian, cells[len(cells)-1].sum)
	}
	binary.Write(h, binary.LittleEndian, token)
	h.Write([]byte{kind})
	return h.Sum64()
}

// likelihoods prefers a letter that follows from the last two tokens, now and then the end, and has the bits of all of
// them.
func likelihoods(cells []cell) []float32 {
	n := len(cells)
	logits := make([]float32, fakeWords)
	for i := range logits {
		logits[i] = float32((cells[n-1].sum>>(i%32)+uint64(i)*7919)%1000) / 1000
	}
	last := int(cells[n-1].token)*7 + 3
	if n > 1 {
		last += int(cells[n-2].token) * 5
	}
	if cells[n-1].sum%97 == 0 {
		logits[endToken] = 9
	}
	logits['a'+last%5] = 8 // few words, so that texts repeat and drafts come true
	return logits
}

func (c *fakeContext) Window() int { return c.p.Tokens / c.p.Sequences }

func (c *fakeContext) Logits(i int) []float32 {
	if i < 0 {
		i += len(c.logits)
	}
	return c.logits[i]
}

func (c *fakeContext) KvCacheClear() {
	defer c.use()()
	clear(c.cells)
}

func (c *fakeContext) KvCacheSeqRm(seq, begin, end int) bool {
	defer c.use()()
	cells := c.cells[seq]
	if end >= 0 {
		c.t.Errorf("tokens %d to %d are removed: nobody needs that", begin, end)
	}
	if begin < len(cells) {
		if c.forward && begin > 0 {
			return false
		}
		c.cells[seq] = slices.Clip(cells[:begin])
	}
	return true
}

// State is laid out as llama.cpp's is: state.go reads it.
func (c *fakeContext) State(seq int, _ []byte) []byte {
	defer c.use()()
	le := binary.LittleEndian
	cells := c.cells[seq]
	if c.forward {
		return []byte("another memory")
	}
	b := le.AppendUint32(nil, 1)
	b = le.AppendUint32(b, uint32(len(cells)))
	for i := range cells {
		for _, v := range []uint32{uint32(i), 1, uint32(seq)} {
			b = le.AppendUint32(b, v)
		}
	}
	b = le.AppendUint32(le.AppendUint32(b, 0), 1)
	row := func(bytes int) { b = le.AppendUint64(le.AppendUint32(b, 99), uint64(bytes)) }
	row(4)
	for _, cell := range cells {
		b = le.AppendUint32(b, uint32(cell.token))
	}
	row(8)
	for _, cell := range cells {
		b = le.AppendUint64(b, cell.sum)
	}
	return b
}

func (c *fakeContext) SetState(seq int, state []byte) bool {
	_, at, n, err := readLayout(state)
	if err != nil || c.forward {
		return false
	}
	defer c.use()()
	cells := make([]cell, n)
	for i := range cells {
		cells[i].token = int32(binary.LittleEndian.Uint32(state[at[0]+4*i:]))
		cells[i].sum = binary.LittleEndian.Uint64(state[at[1]+8*i:])
	}
	c.cells[seq] = cells
	return true
}

func (c *fakeContext) Synchronize()     {}
func (c *fakeContext) SetThreads(n int) { c.threads = n }
func (c *fakeContext) Stop(stop bool)   { c.stop.Store(stop) }

func (c *fakeContext) Free() {
	if c.freed.Swap(true) {
		c.t.Error("a context is freed twice")
	}
	c.made.Add(-1)
}

// openFake makes a model of a fake, which is free when the test ends. By its clock all evaluations take as long, so
// that drafts are tried.
func openFake(t testing.TB, f *fake, o Options) *Model {
	t.Helper()
	f.t = t
	if o.Context == 0 {
		o.Context = 1024
	}
	o.Parallel = max(o.Parallel, 1)
	by := ourKernels
	switch {
	case f.rows:
		by = llamaKernels
	case f.gpu:
		by = gpuKernels
	}
	m, err := newModel(f, by, f.place, "", o)
	must.Do(t, err)
	if m.template, err = llm.FindTemplate("<|im_start|>"); err != nil {
		t.Fatal(err)
	}
	var now time.Time
	m.clock = func() time.Time {
		now = now.Add(10 * time.Millisecond)
		return now
	}
	m.look = unseen
	go m.run()
	t.Cleanup(func() {
		m.Close()
		must.Equal(t, f.made.Load(), 0, "contexts are not freed")
	})
	return m
}

// unseen is a machine that does not tell its load: the number of threads stays.
func unseen() (activity, bool) { return activity{}, false }

// do runs a function that may use the context, when nothing else does.
func (m *Model) do(f func()) {
	done := make(chan struct{})
	m.tasks <- func() { f(); close(done) }
	<-done
}

// talk is a prompt of a fake: the same beginning for all.
func talk(i int) []llm.Message {
	return []llm.Message{
		{Role: "system", Content: "tables: " + strings.Repeat("authors(id, name) books(id, title) ", 6)},
		{Role: "user", Content: strings.Repeat("how many? ", i%7) + string(rune('a'+i%26))},
	}
}

// answersOf are what talks get alone, without drafts and cold; the parameters are those of kind.
func answersOf(t *testing.T, f *fake, n int) (out []llm.Completion) {
	t.Helper()
	for i := range n {
		m := openFake(t, f, Options{NoDraft: true, Cache: -1})
		c := must.Get(m.Generate(t.Context(), talk(i), kind(i)))(t)
		out = append(out, c)
		m.Close()
	}
	return out
}

// kind gives calls of all sorts.
func kind(i int) llm.Params {
	p := llm.Params{MaxTokens: 24 + i%9}
	switch i % 3 {
	case 1:
		p.Temperature, p.TopP, p.Seed = 3, 0.9, uint32(i)
	case 2:
		p.Stop = []string{"b", "qq"}
	}
	return p
}

// same compares what must not follow from caches, drafts and others.
func same(a, b llm.Completion) bool {
	return a.Text == b.Text && a.StopReason == b.StopReason && a.OutputTokens == b.OutputTokens &&
		math.Float64bits(a.LogProb) == math.Float64bits(b.LogProb)
}
