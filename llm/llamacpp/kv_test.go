//go:build cgo && llamacpp

package llamacpp

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

// With smaller keys and values, too, a prompt gives the same bits whatever is cached and worked on beside it; their
// states can be taken apart, put together and saved, and are as much smaller as llm.Use says.
func TestKV(t *testing.T) {
	questions := questions[:2]
	for _, name := range chosen()[:must.Long(1, len(chosen()))] {
		all := open(t, name, Options{Context: 1024}).layout.bytes()
		for kv, ratio := range map[string]int{"q8_0": 34, "q4_0": 18} {
			t.Run(name+"/"+kv, func(t *testing.T) {
				m := open(t, name, Options{Context: 1024, Parallel: 2, KV: kv})
				must.Have(t, m.tree != nil, "no tree")
				must.Equal(t, m.layout.bytes()*64, all*ratio, "bytes a token", all, "with f16")
				var want [][]float32
				var text []string
				for _, q := range questions {
					cold(m)
					want = append(want, promptLogits(t, m, question(q)))
					text = append(text, generate(t, m, question(q),
						llm.Params{MaxTokens: 8, Temperature: 1.5, Seed: 3}).Text)
				}
				for i := range questions {
					got := promptLogits(t, m, question(questions[i]))
					if n := differ(got, want[i]); n > 0 {
						t.Errorf("%.40q: %d of %d logits differ from a cold start", questions[i], n, len(got))
					}
				}
				cold(m)
				var wg sync.WaitGroup
				for i := range questions {
					wg.Go(func() {
						out, err := m.Generate(context.Background(), question(questions[i]),
							llm.Params{MaxTokens: 8, Temperature: 1.5, Seed: 3})
						if err != nil || out.Text != text[i] {
							t.Errorf("%.40q beside others: %q, %v, want %q", questions[i], out.Text, err, text[i])
						}
					})
				}
				wg.Wait()
				cold(m)
				out := generate(t, m, question(questions[0]), llm.Params{MaxTokens: 1})
				var err error
				m.do(func() { err = roundTrip(m, out.PromptTokens) })
				must.Succeed(t, err)
			})
		}
	}
}

// What was saved with one type is not taken for another's.
func TestKVSaved(t *testing.T) {
	folder := t.TempDir()
	for i, kv := range []string{"f16", "q8_0", "q8_0"} {
		m := must.Get(openFile(context.Background(), fetched(t, "smollm2-135m"), Options{Context: 512, KV: kv,
			Prefixes: folder}))(t)
		out := generate(t, m, question(questions[0]), llm.Params{MaxTokens: 2})
		must.Do(t, m.Close())
		must.Equal(t, out.CachedTokens > 0, i == 2, "call", i, kv, out.CachedTokens, "tokens cached")
	}
	if files, _ := filepath.Glob(filepath.Join(folder, "*.prefixes")); len(files) != 2 {
		t.Errorf("%v, want a file for each type", files)
	}
	_, err := openFile(context.Background(), fetched(t, "smollm2-135m"), Options{KV: "q5_1"})
	if err == nil || !strings.HasSuffix(err.Error(), `no type "q5_1" of keys and values: there are f16, q8_0, q4_0`) {
		t.Error(err)
	}
	must.Same(t, llm.KVTypes, []string{"f16", "q8_0", "q4_0"},
		"the Go package takes types that it does not know for f16")
}
