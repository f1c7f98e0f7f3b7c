package llamacpp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nl2sql/llm"
	"nl2sql/llm/llamacpp/engine"
	"nl2sql/scripts/must"
)

// Whatever was read before, is drafted or is worked on beside, an answer has the bits that it has alone: with kernels
// like ours, with such as give other bits in other batches, as on a GPU, and with a model that cannot remove tokens.
func TestSharedAnswersAreExact(t *testing.T) {
	const calls = 24
	for name, f := range map[string]*fake{"ours": {}, "llama.cpp's": {rows: true}, "a GPU's": {gpu: true},
		"forward": {forward: true}} {
		t.Run(name, func(t *testing.T) {
			want := answersOf(t, f, calls)
			for _, o := range []Options{{}, {NoDraft: true}, {Parallel: 3}, {Parallel: 8}, {Parallel: 3, Cache: -1},
				{Parallel: 3, Cache: 1 << 14}} {
				m := openFake(t, f, o)
				var wg sync.WaitGroup
				var mu sync.Mutex
				var cached, drafted, accepted int
				for i := range 2 * calls {
					wg.Go(func() {
						ctx := t.Context()
						if i >= calls && i%3 == 0 { // some go early
							gone, cancel := context.WithTimeout(ctx, time.Duration(i)*100*time.Microsecond)
							defer cancel()
							ctx = gone
						}
						out, err := m.Generate(ctx, talk(i%calls), kind(i%calls))
						switch {
						case err != nil && ctx.Err() == nil:
							t.Error(err)
						case err == nil && !same(out, want[i%calls]):
							t.Errorf("%+v, call %d: %+v, alone %+v", o, i, out, want[i%calls])
						}
						mu.Lock()
						defer mu.Unlock()
						cached, drafted, accepted = cached+out.CachedTokens, drafted+out.DraftedTokens, accepted+
							out.AcceptedTokens
					})
				}
				wg.Wait()
				m.Close()
				t.Logf("%+v: %d tokens cached, %d drafted, %d accepted", o, cached, drafted, accepted)
				switch mayDraft := !o.NoDraft && !f.forward && !f.gpu; {
				case cached == 0 && !f.forward, !mayDraft && drafted > 0, mayDraft && !f.rows && accepted == 0:
					t.Errorf("%+v: %d tokens cached, %d drafted, %d accepted", o, cached, drafted, accepted)
				}
			}
		})
	}
}

// Votes that wait together read their prompt once, as many as there are slots, and get what each gets alone.
func TestSharedVotes(t *testing.T) {
	const votes, slots = 6, 4
	vote := func(i int) llm.Params { return llm.Params{MaxTokens: 20, Temperature: 3, Seed: uint32(i)} }
	for name, f := range map[string]*fake{"ours": {}, "llama.cpp's": {rows: true}, "a GPU's": {gpu: true},
		"forward": {forward: true}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := openFake(t, f, Options{Parallel: slots})
				hold := make(chan struct{})
				go m.do(func() { <-hold })
				synctest.Wait()
				var wg sync.WaitGroup
				out := make([]llm.Completion, votes)
				for i := range out {
					wg.Go(func() { out[i], _ = m.Generate(t.Context(), talk(1), vote(i)) })
				}
				synctest.Wait() // all are submitting
				close(hold)
				wg.Wait()
				m.Close()
				whole := 0
				for i := range out {
					if out[i].CachedTokens == out[i].PromptTokens {
						whole++
					}
					alone := openFake(t, f, Options{NoDraft: true, Cache: -1})
					want := must.Get(alone.Generate(t.Context(), talk(1), vote(i)))(t)
					alone.Close()
					must.Be(t, same(out[i], want), "vote", i, out[i], "alone", want)
				}
				must.Be(t, f.forward && whole == 0 || !f.forward && whole >= slots-1, whole, "votes that read nothing")
			})
		})
	}
}

// What is scored has the likelihood with which it was written.
func TestSharedScores(t *testing.T) {
	for name, f := range map[string]*fake{"ours": {}, "llama.cpp's": {rows: true}, "a GPU's": {gpu: true}} {
		t.Run(name, func(t *testing.T) {
			m := openFake(t, f, Options{Parallel: 3})
			var wg sync.WaitGroup
			for i := range 12 {
				wg.Go(func() {
					text := strings.Repeat("select name ", i%4+1)
					first, err := m.Score(t.Context(), talk(i), text)
					must.Succeed(t, err)
					again, err := m.Score(t.Context(), talk(i), text)
					if err != nil || first.LogProb != again.LogProb || first.LogProb >= 0 {
						t.Errorf("%q: %v, then %v, %v", text, first.LogProb, again.LogProb, err)
					}
				})
			}
			wg.Wait()
		})
	}
}

// Who leaves is let go at once, in the middle of an evaluation too; the others get their answers.
func TestSharedCancel(t *testing.T) {
	m := openFake(t, &fake{slow: 20 * time.Millisecond}, Options{Parallel: 2})
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%2 == 0 {
				time.AfterFunc(time.Duration(10+7*i)*time.Millisecond, cancel)
			}
			_, err := m.Generate(ctx, talk(i), llm.Params{MaxTokens: 4})
			must.Be(t, (err == nil) == (ctx.Err() == nil) && (err == nil || errors.Is(err, context.Canceled)),
				"call", i, err)
		})
	}
	wg.Wait()
}

// A context of which nobody knows the state is not used again: all calls fail with what broke it. Another failure is
// one call's.
func TestSharedFailures(t *testing.T) {
	for _, broken := range []bool{true, false} {
		f := &fake{fail: &engine.EvaluationError{Code: -3, Broken: broken, Why: ": no memory"}}
		f.after.Store(1 << 40)
		m := openFake(t, f, Options{Parallel: 2})
		f.after.Store(6) // in the middle of the first calls, however many tokens come true of a draft
		var wg sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			wg.Go(func() { _, errs[i] = m.Generate(t.Context(), talk(i), llm.Params{MaxTokens: 64}) })
		}
		wg.Wait()
		f.after.Store(1 << 40)
		_, again := m.Generate(t.Context(), talk(1), llm.Params{MaxTokens: 2})
		must.Be(t, (again != nil) == broken && (!broken || strings.Contains(again.Error(), "code -3: no memory")),
			"broken", broken, "a later call gets", again)
		failed := 0
		for _, err := range errs {
			if err != nil {
				failed++
			}
		}
		must.Be(t, failed != 0, "broken", broken, "no call failed")
	}
}

// Closing waits for those at work and turns the others away.
func TestSharedClose(t *testing.T) {
	m := openFake(t, &fake{slow: time.Millisecond}, Options{Parallel: 2})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			out, err := m.Generate(context.Background(), talk(i), llm.Params{MaxTokens: 8})
			if err != nil && !errors.Is(err, errClosed) || err == nil && out.OutputTokens == 0 {
				t.Errorf("call %d: %+v, %v", i, out, err)
			}
		})
	}
	time.Sleep(5 * time.Millisecond)
	m.Close()
	wg.Wait()
	if _, err := m.Generate(context.Background(), talk(0), llm.Params{}); !errors.Is(err, errClosed) {
		t.Errorf("after closing: %v", err)
	}
}

// What one process read the next has; another model does not.
func TestSharedPrefixes(t *testing.T) {
	dir := t.TempDir()
	ask := func(weights string) llm.Completion {
		t.Helper()
		file := filepath.Join(dir, weights)
		must.Do(t, os.WriteFile(file, []byte(weights), 0o600))
		o := Options{Parallel: 2, Prefixes: filepath.Join(dir, "prefixes")}
		m := openFake(t, &fake{place: llm.Place{Path: file}}, o)
		out := must.Get(m.Generate(t.Context(), talk(0), llm.Params{MaxTokens: 8}))(t)
		m.Close()
		return out
	}
	cold, warm, other := ask("one"), ask("one"), ask("another")
	if cold.CachedTokens != 0 || warm.CachedTokens < warm.PromptTokens-block || !same(cold, warm) ||
		other.CachedTokens != 0 {
		t.Errorf("cold %+v, warm %+v, of other weights %+v", cold, warm, other)
	}
}

// What one process found out of a model the next knows, if it runs the model alike and the file is whole.
func TestSharedNature(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "weights")
	must.Do(t, os.WriteFile(file, []byte("weights"), 0o600))
	for _, rows := range []bool{false, true} {
		folder := filepath.Join(dir, fmt.Sprint(rows))
		open := func(slots int) (evals int, n nature) {
			f := &fake{place: llm.Place{Path: file}, rows: rows}
			m := openFake(t, f, Options{Parallel: slots, Prefixes: folder})
			m.do(func() { evals, n = f.evals, nature{m.back, m.anyBatch, m.most} })
			m.Close()
			return evals, n
		}
		first, found := open(2)
		second, kept := open(2)
		other, _ := open(3)
		must.Have(t, second == 1 && first > 2 && other > 2 && kept == found && found.AnyBatch != rows, rows, first,
			"evaluations, then", second, "with more slots", other, found, kept)
		files := must.Get(filepath.Glob(filepath.Join(folder, "*.nature")))(t)
		must.Equal(t, len(files), 2, "files", files)
		for _, text := range []string{"", `{"Most":0}`, `{"Most":65}`, "[]"} {
			for _, file := range files {
				must.Do(t, os.WriteFile(file, []byte(text), 0o600))
			}
			again, mended := open(2)
			must.Have(t, again == first && mended == found, text, again, mended)
		}
	}
}

// A prompt and its answer that are too long for the window are an error before anything is read.
func TestSharedWindow(t *testing.T) {
	m := openFake(t, &fake{}, Options{Context: 128})
	if _, err := m.Generate(t.Context(), talk(0), llm.Params{MaxTokens: 8}); !errors.Is(err, llm.ErrContextFull) {
		t.Error(err)
	}
	short := []llm.Message{{Role: "user", Content: "x"}}
	parts := must.Get(m.template.Parts(short))(t)
	prompt := must.Get(m.tokenize(t.Context(), parts))(t)
	out, err := m.Generate(t.Context(), short, llm.Params{MaxTokens: 128 - len(prompt)})
	if err != nil || out.OutputTokens == 0 {
		t.Error(fmt.Errorf("up to the window's end: %+v, %w", out, err))
	}
}
