//go:build cgo && llamacpp && linux

package llamacpp

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nl2sql/llm"
	"nl2sql/llm/llamacpp/mallinfo"
	"nl2sql/scripts/must"
)

var (
	manyCancels = flag.Int("cancels", must.Long(6, 1000), "number of cancellations of TestManyCancels")
	idle        = flag.Bool("idle", false,
		"the machine is idle: TestManyCancels fails for what takes longer than 0.2 s")
)

// evaluates reports whether llama.cpp works on the request of a context now.
func (m *Model) evaluates(ctx context.Context) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(m.batch, func(r *request) bool { return r.ctx == ctx })
}

// cancels is what TestManyCancels counts. Its methods are safe for concurrent use.
type cancels struct {
	mu     sync.Mutex
	counts map[string]int
	// by where the call was: until it returned, or its evaluation ended if that was later
	worst map[string]time.Duration
}

func (c *cancels) add(where string, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[where]++
	c.worst[where] = max(c.worst[where], took)
}

func (c *cancels) all() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.counts {
		n += k
	}
	return n
}

// one cancels a call after some time, and counts it if it was still at work.
func (c *cancels) one(m *Model, msgs []llm.Message, p llm.Params, after time.Duration) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var asked time.Time
	var evaluating bool
	timer := time.AfterFunc(after, func() {
		evaluating = m.evaluates(ctx)
		asked = time.Now()
		cancel()
	})
	out, err := m.Generate(ctx, msgs, p)
	if timer.Stop() {
		return unless(err, llm.ErrContextFull) // it was quicker this time
	}
	<-ctx.Done()
	late := time.Since(asked)
	for quiet := 0; quiet < 5; { // it may be between two batches
		if quiet++; m.evaluates(ctx) {
			late, quiet = time.Since(asked), 0
		}
		time.Sleep(time.Millisecond)
	}
	where := "waiting"
	switch {
	case err == nil || errors.Is(err, llm.ErrContextFull):
		return nil // it had ended by itself
	case out.PromptTokens == 0:
		where = "tokenizing"
	case out.OutputTokens > 0:
		where = "answering"
	case evaluating:
		where = "reading"
	}
	c.add(where, late)
	return unless(err, context.Canceled)
}

// unless is err where it is not the expected one.
func unless(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

// held is what a process holds.
type held struct {
	resident, heap int64 // bytes: in memory and backed by no file, and given out by malloc
	goroutines     int
}

func (h held) String() string {
	return fmt.Sprintf("%.1f MB resident, %.2f MB of malloc, %d goroutines", float64(h.resident)/1e6,
		float64(h.heap)/1e6, h.goroutines)
}

func holds(t *testing.T) held {
	t.Helper()
	debug.FreeOSMemory()
	heap := mallinfo.InUse()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skipf("no /proc: %v", err)
	}
	var kb int64
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			fmt.Sscan(value, &kb)
		}
	}
	return held{kb << 10, heap, runtime.NumGoroutine()}
}

// compare fails the test if more is held than before; malloc may hold so many bytes more. What is in memory may be
// scattered beside that by less than what one model takes that is not given back.
func (h held) compare(t *testing.T, after held, heap int64) {
	t.Helper()
	t.Logf("before: %v; after: %v", h, after)
	if after.goroutines > h.goroutines || after.resident > h.resident+64<<20+4*heap || after.heap > h.heap+heap {
		t.Errorf("it grew from %v to %v", h, after)
	}
}

// Calls that are cancelled at any moment, alone and beside others, return soon, disturb nobody and leave nothing
// behind.
func TestManyCancels(t *testing.T) {
	all := cancels{counts: make(map[string]int), worst: make(map[string]time.Duration)}
	for _, parallel := range []int{1, 4} {
		t.Run(fmt.Sprintf("parallel %d", parallel),
			func(t *testing.T) { cancelCalls(t, parallel, *manyCancels*9/20, &all) })
	}
	t.Run("loading", func(t *testing.T) { cancelLoads(t, *manyCancels/10, &all) })
	var worst time.Duration
	for _, where := range []string{"tokenizing", "waiting", "reading", "answering", "loading"} {
		t.Logf("%-10s %4d cancellations, the slowest %v", where, all.counts[where],
			all.worst[where].Round(time.Millisecond))
		worst = max(worst, all.worst[where])
		if *idle && all.counts[where] == 0 {
			t.Errorf("none was cancelled while %s", where)
		}
	}
	t.Logf("summary: %d cancellations, the slowest %v", all.all(), worst.Round(time.Millisecond))
	if *idle && worst > 200*time.Millisecond {
		t.Errorf("a cancellation took %v, want at most 0.2 s", worst)
	}
}

// cancelCalls cancels n calls of Generate, beside neighbours that stay.
func cancelCalls(t *testing.T, parallel, n int, all *cancels) {
	m := open(t, chosen()[0], Options{Context: 1024, Parallel: parallel, Cache: 32 << 20})
	asks := prompts(t, 4)
	long := question(strings.Repeat("é", 400<<10)) // more than the window takes, and nowhere a place to cut
	want := make([]string, len(asks))
	var took time.Duration
	for i := range asks {
		out := generate(t, m, asks[i], params(i))
		want[i], took = out.Text, max(took, out.Took)
	}
	random := rand.New(rand.NewPCG(3, uint64(parallel)))
	round := func(n int, c *cancels) {
		var wg sync.WaitGroup
		limit := make(chan struct{}, parallel+2)
		for i := 0; c.all() < n; i++ {
			limit <- struct{}{}
			which, kind, after := i%len(asks), random.IntN(6), random.Int64N(int64(took))
			msgs, p := asks[which], params(which)
			switch kind {
			case 1, 2: // nothing of it is cached
				msgs = slices.Clone(msgs)
				msgs[0].Content = fmt.Sprint(random.Uint64(), msgs[0].Content)
			case 3:
				msgs, after = long, after%int64(20*time.Millisecond)
			case 4: // a long answer
				p = llm.Params{MaxTokens: 300, Temperature: 2, Seed: random.Uint32()}
			}
			wg.Go(func() {
				defer func() { <-limit }()
				if kind == 0 { // a neighbour that stays
					out, err := m.Generate(context.Background(), msgs, p)
					must.Be(t, err == nil && out.Text == want[which],
						"beside cancellations", out.Text, err, want[which])
				} else if err := c.one(m, msgs, p, time.Duration(after)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		m.do(func() {})
	}
	round(max(6, n/8), &cancels{counts: make(map[string]int), worst: make(map[string]time.Duration)}) // fills the cache
	// llama.cpp keeps room for the logits of as many rows as an evaluation ever had
	m.do(func() {
		pos := make([]int32, chunk)
		for i := range pos {
			pos[i] = int32(i)
		}
		m.ctx.KvCacheClear()
		if err := m.decode(nil, make([]int32, chunk), pos, make([]int32, chunk),
			slices.Repeat([]int8{1}, chunk)); err != nil {
			t.Error(err)
		}
		m.ctx.KvCacheClear()
		for i := range m.slots {
			m.slots[i].tokens = nil
		}
	})
	before := holds(t)
	round(all.all()+n, all)
	before.compare(t, holds(t), 1<<20)
	for i := range asks {
		must.Equal(t, generate(t, m, asks[i], params(i)).Text, want[i], "afterwards")
	}
}

// cancelLoads cancels n calls of Open, at work on the model or on what an earlier process left of its prompts.
func cancelLoads(t *testing.T, n int, all *cancels) {
	path := fetched(t, chosen()[0])
	o := Options{Context: 1024, Prefixes: filepath.Join(t.TempDir(), "prefixes")}
	var took time.Duration
	// bytes at each load: for a weight and a kind of memory that it may go to, llama.cpp forgets an empty buffer
	var lost int64
	text := func() string {
		began := time.Now()
		m := must.Get(openFile(context.Background(), path, o))(t)
		took, lost = time.Since(began), int64(len(m.file.Tensors))*3*104
		out := generate(t, m, question(questions[0]), llm.Params{MaxTokens: 6})
		must.Do(t, m.Close())
		return out.Text
	}
	want := text()
	ours := runtime.NumGoroutine()
	for range 100 { // those that Close has told to end may still be there
		time.Sleep(time.Millisecond)
		ours = min(ours, runtime.NumGoroutine())
	}
	round := func(n int, c *cancels) {
		random := rand.New(rand.NewPCG(3, 0))
		for to := c.all() + n; c.all() < to; {
			ctx, cancel := context.WithCancel(context.Background())
			var asked time.Time
			timer := time.AfterFunc(time.Duration(random.Int64N(int64(took))), func() { asked = time.Now(); cancel() })
			m, err := openFile(ctx, path, o)
			if err == nil {
				err = m.Close()
			} else if !timer.Stop() {
				<-ctx.Done()
				c.add("loading", time.Since(asked))
			}
			cancel()
			must.Do(t, unless(err, context.Canceled))
			for runtime.NumGoroutine() > ours { // until llama.cpp comes back and what it loaded is free
				time.Sleep(time.Millisecond)
			}
		}
	}
	if got := text(); got != want {
		t.Fatalf("%q, then %q", want, got)
	}
	round(3, &cancels{counts: make(map[string]int), worst: make(map[string]time.Duration)})
	before := holds(t)
	round(n, all)
	before.compare(t, holds(t), 1<<20+int64(n)*lost)
	must.Equal(t, text(), want, "afterwards")
}
