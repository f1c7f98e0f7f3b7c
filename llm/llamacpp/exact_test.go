//go:build cgo && llamacpp

package llamacpp

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

var manyPrompts = flag.Int("prompts", must.Long(0, 200),
	"number of prompts of TestExact; 0 means 4, and fewer ways to work on them")

// prompts returns n different prompts about the same tables, of many lengths: questions of the benchmark, every other
// behind two exemplars as few-shot prompts have them, the others with a transcript that grows as an agent's does.
func prompts(t *testing.T, n int) (out [][]llm.Message) {
	t.Helper()
	f := must.Get(os.Open("../../assets/data/benchmark.jsonl"))(t)
	defer f.Close()
	type item struct{ NLQ, SQL string }
	var items []item
	for d := json.NewDecoder(f); ; {
		var it item
		if err := d.Decode(&it); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		items = append(items, it)
	}
	must.Have(t, n <= len(items), n, "prompts: there are", len(items), "questions")
	random := rand.New(rand.NewPCG(8, 15))
	random.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	turn := func(role, format string, args ...any) llm.Message {
		return llm.Message{Role: role, Content: fmt.Sprintf(format, args...)}
	}
	for i, it := range items[:n] {
		msgs := []llm.Message{turn("system", "%s", schemaTurn)}
		if i%2 == 0 {
			for range 2 {
				shot := items[random.IntN(4)]
				msgs = append(msgs, turn("user", "%s", shot.NLQ), turn("assistant", "%s", shot.SQL))
			}
			out = append(out, append(msgs, turn("user", "%s", it.NLQ)))
			continue
		}
		msgs = append(msgs, turn("user", "Question: %s", it.NLQ))
		for _, step := range [][2]string{{"extract_constraints", "one value"}, {"generate_sql", it.SQL},
			{"validate_sql", "ok"}}[:random.IntN(4)] {
			msgs = append(msgs, turn("assistant", "Thought: the next step.\nAction: %s[{}]", step[0]),
				turn("user", "Observation: %s", step[1]))
		}
		out = append(out, msgs)
	}
	return out
}

// params are those of the i-th prompt: half of them are drawn at a high temperature, where a text follows each bit of
// the logits.
func params(i int) llm.Params {
	p := llm.Params{MaxTokens: 24}
	if i%4 >= 2 {
		p.Temperature, p.Seed = 1.5, uint32(i)
	}
	return p
}

// The same bytes, however many sequences are worked on together, in whatever order, with the cache and without, with
// drafts and without.
func TestExact(t *testing.T) {
	n, ways := 4, []Options{{Parallel: 8}}
	if *manyPrompts > 0 {
		n, ways = *manyPrompts, []Options{{Parallel: 1}, {Parallel: 1, Cache: -1}, {Parallel: 4, NoDraft: true},
			{Parallel: 4, Cache: -1},
			{Parallel: 8}, {Parallel: 8, Cache: -1, NoDraft: true}}
	}
	for _, name := range chosen() {
		t.Run(name, func(t *testing.T) { exactly(t, name, prompts(t, n), ways) })
	}
}

// llama.cpp's own kernels give other bits in other batches; exact mode then keeps to the batches in which they do not.
func TestExactWithoutKernels(t *testing.T) {
	library.UseKernels(false)
	defer library.UseKernels(true)
	must.Be(t, !open(t, "smollm2-135m", Options{Context: 1024}).anyBatch,
		"llama.cpp's kernels give the same bits in all batches: scheduler.go's rules can go")
	exactly(t, "smollm2-135m", prompts(t, must.Long(2, 6)), []Options{{Parallel: 4}})
}

// Our kernels do all that depends on a batch.
func TestAnyBatch(t *testing.T) {
	each(t, func(t *testing.T, m *Model) {
		must.Equal(t, m.anyBatch, library.KernelsUsed(), "the same bits in all batches", "our kernels")
	})
}

// exactly compares answers in several ways with those that are given alone and cold.
func exactly(t *testing.T, name string, all [][]llm.Message, ways []Options) {
	t.Helper()
	began := time.Now()
	want := make([]llm.Completion, len(all))
	alone := open(t, name, Options{Context: 1024, Cache: -1, NoDraft: true})
	for i := range all {
		cold(alone)
		if want[i] = generate(t, alone, all[i], params(i)); want[i].CachedTokens > 0 {
			t.Fatalf("%d tokens cached, want a cold start", want[i].CachedTokens)
		}
	}
	must.Do(t, alone.Close())
	compared, differ := 0, 0
	for _, o := range ways {
		o.Context = 1024
		c, d := exact(t, name, o, all, want)
		compared, differ = compared+c, differ+d
	}
	t.Logf("summary: %d prompts, %d comparisons with answers given alone and cold, %d differ; it took %v", len(all),
		compared, differ, time.Since(began).Round(time.Second))
}

// exact answers all prompts in a random order and counts the answers, and those that are not as wanted.
func exact(t *testing.T, name string, o Options, all [][]llm.Message, want []llm.Completion) (compared, differ int) {
	t.Helper()
	m := open(t, name, o)
	must.Have(t, o.Cache != 0 || m.tree != nil, "no tree")
	m.do(func() { m.clock = steady() })
	way := fmt.Sprintf("parallel %d, cache %v, drafts %v", o.Parallel, o.Cache == 0, !o.NoDraft)
	var wg sync.WaitGroup
	var mu sync.Mutex
	cached, prompt, drafted := 0, 0, 0
	limit := make(chan struct{}, 2*o.Parallel)
	for _, i := range rand.New(rand.NewPCG(uint64(o.Parallel), uint64(o.Cache))).Perm(len(all)) {
		limit <- struct{}{}
		wg.Go(func() {
			defer func() { <-limit }()
			out, err := m.Generate(context.Background(), all[i], params(i))
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
				return
			}
			compared, cached, prompt, drafted = compared+1, cached+out.CachedTokens, prompt+out.PromptTokens,
				drafted+out.DraftedTokens
			if out.Text != want[i].Text || out.OutputTokens != want[i].OutputTokens ||
				out.StopReason != want[i].StopReason {
				differ++
				t.Errorf("%s, prompt %d: %q, want %q", way, i, out.Text, want[i].Text)
			}
		})
	}
	wg.Wait()
	t.Logf("%s: %d answers, %d differ; %d of %d prompt tokens cached, %d drafted", way, compared, differ,
		cached, prompt, drafted)
	must.Be(t, o.Cache != 0 || cached != 0, "nothing was ever cached")
	must.Do(t, m.Close())
	return compared, differ
}
