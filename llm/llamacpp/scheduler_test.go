//go:build cgo && llamacpp

package llamacpp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

// Two prompts in turn find their beginnings again with one window, and with several a beginning is read once.
func TestPrefixes(t *testing.T) {
	other := []llm.Message{{Role: "system", Content: strings.Repeat("You judge answers. ", 20)},
		{Role: "user", Content: "Good?"}}
	for _, parallel := range []int{1, 3} {
		m := open(t, "smollm2-135m", Options{Context: 1024, Parallel: parallel})
		first := generate(t, m, question(questions[0]), llm.Params{MaxTokens: 2})
		generate(t, m, other, llm.Params{MaxTokens: 2})
		again := generate(t, m, question(questions[0]), llm.Params{MaxTokens: 2})
		if first.CachedTokens != 0 || again.CachedTokens < again.PromptTokens-block || again.Text != first.Text {
			t.Errorf("parallel %d: %+v, then %+v", parallel, first, again)
		}
		cold(m)
		var wg sync.WaitGroup
		var mu sync.Mutex
		evaluated := 0
		for i := range 4 {
			wg.Go(func() {
				out, err := m.Generate(context.Background(), question(questions[i]), llm.Params{MaxTokens: 4})
				mu.Lock()
				defer mu.Unlock()
				if evaluated += out.PromptTokens - out.CachedTokens; err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if most := first.PromptTokens + 3*50; evaluated > most {
			t.Errorf("parallel %d: four questions about one schema took %d tokens, want at most %d",
				parallel, evaluated, most)
		}
	}
}

// A second process starts where the first one stood, another model or mode does not, and damage costs time only.
func TestPrefixesBetweenProcesses(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "prefixes")
	ask := func(o Options) (out llm.Completion) {
		t.Helper()
		o.Context, o.Prefixes = 1024, folder
		m := must.Get(openFile(context.Background(), fetched(t, "smollm2-135m"), o))(t)
		out = generate(t, m, question(questions[0]), llm.Params{MaxTokens: 4})
		must.Do(t, m.Close())
		return out
	}
	cold := ask(Options{})
	warm := ask(Options{Parallel: 2})
	if cold.CachedTokens != 0 || warm.CachedTokens < warm.PromptTokens-block || warm.Text != cold.Text {
		t.Errorf("%+v, then %+v", cold, warm)
	}
	t.Logf("%v without, %v with what the first process left", cold.Took, warm.Took)
	must.Equal(t, ask(Options{Fast: true}).CachedTokens, 0, "another mode")
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	must.Have(t, err == nil && len(files) == 2+3, files, err, "want two files of prefixes, and three of natures")
	for _, path := range files {
		must.Do(t, os.Truncate(path, 1000))
	}
	var said []string
	if again := ask(Options{Log: func(line string) { said = append(said, line) }}); again.CachedTokens != 0 ||
		again.Text != cold.Text {
		t.Errorf("after damage: %+v", again)
	}
	must.Has(t, strings.Join(said, "\n"), ": damaged", "nothing said of the damage")
	must.Equal(t, ask(Options{}).CachedTokens, warm.CachedTokens, "after the repair")
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"old", "older", "new"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), make([]byte, 100), 0o600))
		at := time.Unix([]int64{2000, 1000, 3000}[i], 0)
		must.Do(t, os.Chtimes(filepath.Join(dir, name), at, at))
	}
	must.Do(t, prune(dir, 250))
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	must.Be(t, len(left) == 2 && filepath.Base(left[0]) == "new" && filepath.Base(left[1]) == "old", "left", left)
}

// More callers than sequences all get what they would get alone; those that wait can go.
func TestConcurrent(t *testing.T) {
	for _, o := range []Options{{Context: 1024}, {Context: 1024, Parallel: 3},
		{Context: 1024, Parallel: 4, Fast: true}} {
		m := open(t, "smollm2-135m", o)
		want := make([]string, 4)
		for i := range want {
			want[i] = generate(t, m, question(questions[i]), llm.Params{MaxTokens: 8}).Text
		}
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				out, err := m.Generate(context.Background(), question(questions[i%4]), llm.Params{MaxTokens: 8})
				if err != nil || out.OutputTokens == 0 || !o.Fast && out.Text != want[i%4] {
					t.Errorf("%+v: %q, %v, want %q", o, out.Text, err, want[i%4])
				}
			})
		}
		wg.Wait()

		release := make(chan struct{})
		working := make(chan struct{})
		go m.do(func() { close(working); <-release }) // somebody is at work
		<-working
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
		if _, err := m.Generate(ctx, question("x"), llm.Params{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a waiting caller got %v", err)
		}
		cancel()
		close(release)
	}
}

func TestParallelErrors(t *testing.T) {
	path := fetched(t, "smollm2-135m")
	for _, n := range []int{-2, 65} {
		if _, err := openFile(context.Background(), path, Options{Parallel: n}); err == nil ||
			!strings.Contains(err.Error(), "sequences at once: want 1 to 64") {
			t.Errorf("%d sequences: %v", n, err)
		}
	}
	all := open(t, "smollm2-135m", Options{Context: 256, Parallel: AllThatFit, Together: 3})
	if all.GPU() == "" {
		must.Equal(t, all.Parallel(), 3, "sequences on the processor")
		must.Equal(t, all.Questions(), 1, "questions at once on the processor")
	}
}

// A state that is taken apart and put together is the same.
func TestState(t *testing.T) {
	for _, parallel := range []int{1, 3} {
		m := open(t, "smollm2-135m", Options{Context: 512, Parallel: parallel})
		out := generate(t, m, question(questions[0]), llm.Params{MaxTokens: 1})
		var err error
		m.do(func() { err = roundTrip(m, out.PromptTokens) })
		must.Succeed(t, err, "parallel", parallel)
		if _, _, _, err := readLayout([]byte("nonsense")); err == nil {
			t.Error("nonsense was read")
		}
	}
}

// roundTrip takes the state of the slot that has just read a prompt of n tokens apart and puts it together elsewhere.
func roundTrip(m *Model, n int) error {
	i := slices.IndexFunc(m.slots, func(s slot) bool { return len(s.tokens) > 0 })
	s := &m.slots[i]
	s.tokens = s.tokens[:len(s.tokens)/block*block]
	m.ctx.KvCacheSeqRm(s.id, len(s.tokens), -1)
	parts := func(slot int) (parts []string, l layout, err error) {
		state, err := m.state(slot)
		if err != nil {
			return nil, nil, err
		}
		l, at, tokens, err := readLayout(state)
		if err != nil || tokens != len(s.tokens) || tokens < n-block {
			return nil, nil, fmt.Errorf("%v, %d tokens, want %d", err, tokens, len(s.tokens))
		}
		for b := range tokens / block {
			parts = append(parts, string(l.cut(state, at, b*block, block)))
		}
		return parts, l, nil
	}
	want, l, err := parts(s.id)
	if err != nil {
		return err
	}
	var bytes [][]byte
	for _, p := range want {
		bytes = append(bytes, []byte(p))
	}
	other := len(m.slots) - 1
	if !m.setState(other, l.join(nil, bytes, block)) {
		return errors.New("refused")
	}
	got, _, err := parts(other)
	if err != nil || !slices.Equal(got, want) {
		return fmt.Errorf("%v, or another state", err)
	}
	if m.setState(0, []byte("nonsense")) {
		return errors.New("nonsense was taken")
	}
	return nil
}

// copying returns n prompts whose answers repeat much of them.
func copying(n int) (out [][]llm.Message) {
	for i := range n {
		query := fmt.Sprintf("SELECT a.name, b.title, SUM(s.copies) FROM authors a JOIN books b ON b.author_id = a.id "+
			"JOIN sales s ON s.book_id = b.id WHERE b.price > %d AND s.shop = 'shop %d' GROUP BY a.name, b.title", i+3,
			i)
		out = append(out, append(question("Which books sold best?"), llm.Message{Role: "assistant", Content: query},
			llm.Message{Role: "user",
				Content: fmt.Sprintf("Line %d: the ORDER BY is missing. Write the query again.", i)}))
	}
	return out
}

// steady is a clock by which every evaluation takes as long as any other, so that long drafts are always tried.
func steady() func() time.Time {
	var now time.Time
	return func() time.Time {
		now = now.Add(10 * time.Millisecond)
		return now
	}
}

// Drafts change no byte of an answer and none of the tokens that it is made of, greedy or drawn where any bit counts,
// alone or beside others, whether it ends by itself, at a stop text, at MaxTokens or at the window's end.
func TestDrafts(t *testing.T) {
	for _, name := range chosen()[:must.Long(1, len(chosen()))] {
		t.Run(name, func(t *testing.T) {
			all := copying(max(4, *manyPrompts))
			const window = 400
			kinds := func(i, prompt int) llm.Params {
				p := llm.Params{MaxTokens: 16}
				switch i % 4 {
				case 1:
					p.Temperature, p.Seed = 1.5, uint32(i)
				case 2:
					p.Stop = []string{"title"}
				case 3:
					p.MaxTokens = window - prompt
				}
				return p
			}
			want := make([]llm.Completion, len(all))
			for _, o := range []Options{{NoDraft: true}, {}, {Parallel: 3}} {
				o.Context = window
				m := open(t, name, o)
				m.do(func() { m.clock = steady() })
				var wg sync.WaitGroup
				var mu sync.Mutex
				var drafted, accepted, drawn int
				limit := make(chan struct{}, max(1, o.Parallel))
				for i, msgs := range all {
					limit <- struct{}{}
					wg.Go(func() {
						defer func() { <-limit }()
						parts, err := m.template.Parts(msgs)
						if err != nil {
							t.Error(err)
							return
						}
						prompt, err := m.tokenize(context.Background(), parts)
						if err != nil {
							t.Error(err)
							return
						}
						p := kinds(i, len(prompt))
						out, err := m.Generate(context.Background(), msgs, p)
						if err != nil {
							t.Error(err)
							return
						}
						mu.Lock()
						defer mu.Unlock()
						drafted, accepted, drawn = drafted+out.DraftedTokens, accepted+out.AcceptedTokens,
							drawn+out.OutputTokens
						if out.AcceptedTokens > out.DraftedTokens || out.AcceptedTokens > out.OutputTokens {
							t.Errorf("%+v", out)
						}
						out.Took, out.CachedTokens, out.DraftedTokens, out.AcceptedTokens = 0, 0, 0, 0
						if o.NoDraft {
							want[i] = out
						} else if diff := cmp.Diff(want[i], out); diff != "" {
							t.Errorf("parallel %d, prompt %d: %s", o.Parallel, i, diff)
						}
					})
				}
				wg.Wait()
				t.Logf("parallel %d: %d tokens drafted, %d accepted, of %d", o.Parallel, drafted, accepted, drawn)
				must.Be(t, o.NoDraft == (drafted == 0) && o.NoDraft == (accepted == 0),
					"parallel", o.Parallel, drafted, "tokens drafted", accepted, "accepted")
				must.Do(t, m.Close())
			}
		})
	}
}

// In fast mode too what a slot says to have is what it has, whatever was drafted and thrown away beside others.
func TestFastDrafts(t *testing.T) {
	m := open(t, "smollm2-135m", Options{Context: 1024, Parallel: 3, Fast: true})
	m.do(func() { m.clock = steady() })
	var wg sync.WaitGroup
	var mu sync.Mutex
	var drafted, accepted int
	limit := make(chan struct{}, 3)
	for i, msgs := range append(copying(6), prompts(t, 3)...) {
		limit <- struct{}{}
		wg.Go(func() {
			defer func() { <-limit }()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if i == 4 {
				time.AfterFunc(300*time.Millisecond, cancel)
			}
			out, err := m.Generate(ctx, msgs, llm.Params{MaxTokens: 20 + 10*(i%2), Temperature: float32(i%3) / 2})
			must.Be(t, err == nil || ctx.Err() != nil, err)
			mu.Lock()
			defer mu.Unlock()
			drafted, accepted = drafted+out.DraftedTokens, accepted+out.AcceptedTokens
		})
	}
	wg.Wait()
	must.Be(t, drafted != 0 && accepted != 0 && accepted != drafted,
		drafted, "tokens drafted", accepted, "accepted: nothing was thrown away")
	t.Logf("%d tokens drafted, %d accepted", drafted, accepted)
	for i := range m.slots {
		var kept, anew []float32
		var err error
		m.do(func() {
			s := &m.slots[i]
			eval := func(from, to int) {
				for at := from; err == nil && at < to; at += chunk {
					tokens := s.tokens[at:min(at+chunk, to)]
					pos := make([]int32, len(tokens))
					for j := range pos {
						pos[j] = int32(at + j)
					}
					err = m.decode(nil, tokens, pos, slices.Repeat([]int32{int32(s.id)}, len(pos)),
						slices.Repeat([]int8{1}, len(pos)))
				}
			}
			n := len(s.tokens)
			m.ctx.KvCacheSeqRm(s.id, n-1, -1)
			eval(n-1, n)
			kept = slices.Clone(m.ctx.Logits(-1))
			m.ctx.KvCacheSeqRm(s.id, 0, -1)
			eval(0, n)
			anew = slices.Clone(m.ctx.Logits(-1))
		})
		must.Do(t, err)
		var ab, aa, bb float64
		for j := range kept {
			a, b := float64(kept[j]), float64(anew[j])
			ab, aa, bb = ab+a*b, aa+a*a, bb+b*b
		}
		if cos := ab / math.Sqrt(aa*bb); !(cos > 0.999) {
			t.Errorf("slot %d: the logits of what it has and of its tokens read anew are %.5f alike", i, cos)
		}
	}
}
