//go:build cgo && llamacpp

package llamacpp

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

// BenchmarkPrompt reads a prompt of about 190 tokens that is not cached.
func BenchmarkPrompt(b *testing.B) {
	benchmark(b, func(m *Model) (tokens int, took time.Duration) {
		cold(m)
		out := generate(b, m, question(questions[0]), llm.Params{MaxTokens: 1})
		return out.PromptTokens, out.Took
	})
}

// BenchmarkAnswer draws 32 tokens after a prompt that is cached.
func BenchmarkAnswer(b *testing.B) {
	poem := []llm.Message{{Role: "user", Content: "Count from one to a hundred, in words."}}
	benchmark(b, func(m *Model) (tokens int, took time.Duration) {
		out := generate(b, m, poem, llm.Params{MaxTokens: 32})
		return out.OutputTokens, out.Took
	})
}

// BenchmarkBeside draws 32 tokens beside processes that are always busy, and tells what is left of the speed without.
func BenchmarkBeside(b *testing.B) {
	m := open(b, "qwen2.5-coder-0.5b", Options{Context: 2048})
	poem := []llm.Message{{Role: "user", Content: "Count from one to a hundred, in words."}}
	generate(b, m, poem, llm.Params{MaxTokens: 1})
	var idle float64
	for busy := range 3 {
		b.Run(fmt.Sprintf("%d busy", busy), func(b *testing.B) {
			for range busy {
				cmd := exec.Command(os.Args[0], "-test.run=^TestSpin$")
				cmd.Env = append(os.Environ(), "NL2SQL_TEST_SPIN=1")
				must.Do(b, cmd.Start())
				defer func() {
					cmd.Process.Kill()
					cmd.Wait() // an error says that it was killed
				}()
			}
			generate(b, m, poem, llm.Params{MaxTokens: 16}) // the engine sees the others
			var tokens int
			var took time.Duration
			for b.Loop() {
				out := generate(b, m, poem, llm.Params{MaxTokens: 32})
				tokens, took = tokens+out.OutputTokens, took+out.Took
			}
			speed := float64(tokens) / took.Seconds()
			if busy == 0 {
				idle = speed
			}
			b.ReportMetric(speed, "tokens/s")
			if idle > 0 {
				b.ReportMetric(speed/idle, "of-idle")
			}
		})
	}
}

// TestSpin is the busy process of BenchmarkBeside.
func TestSpin(t *testing.T) {
	if os.Getenv("NL2SQL_TEST_SPIN") == "" {
		t.Skip("only BenchmarkBeside runs it")
	}
	for parent := os.Getppid(); os.Getppid() == parent; { // it ends with the benchmark, however that ends
		for range 1 << 28 {
		}
	}
}

// onKernels runs f with each model, on our kernels and on llama.cpp's.
func onKernels(b *testing.B, f func(b *testing.B, name string)) {
	for _, name := range []string{"smollm2-135m", "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"} {
		b.Run(name+"/ours", func(b *testing.B) { f(b, name) })
		b.Run(name+"/llama.cpp", func(b *testing.B) {
			library.UseKernels(false)
			b.Cleanup(func() { library.UseKernels(true) })
			f(b, name)
		})
	}
}

func benchmark(b *testing.B, f func(*Model) (int, time.Duration)) {
	onKernels(b, func(b *testing.B, name string) {
		m := open(b, name, Options{Context: 2048})
		f(m)
		var tokens int
		var took time.Duration
		for b.Loop() {
			n, t := f(m)
			tokens, took = tokens+n, took+t
		}
		b.ReportMetric(float64(tokens)/took.Seconds(), "tokens/s")
	})
}

// BenchmarkDraft writes answers with drafts and without in turn, so that what else the machine does meets both: a query
// that is to be repaired and written again, and a text that repeats nothing.
func BenchmarkDraft(b *testing.B) {
	for _, name := range []string{"smollm2-135m", "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"} {
		for _, mode := range []string{"exact", "fast"} {
			b.Run(name+"/"+mode, func(b *testing.B) {
				o := Options{Context: 1024, Fast: mode == "fast"}
				with := open(b, name, o)
				o.NoDraft = true
				without := open(b, name, o)
				b.Run("repair", func(b *testing.B) { compare(b, with, without, copying(1)[0]) })
				b.Run("story", func(b *testing.B) {
					compare(b, with, without,
						[]llm.Message{{Role: "user", Content: "Write a short story about a ship and its cook."}})
				})
			})
		}
	}
}

// compare writes the same answer with two models in turn.
func compare(b *testing.B, with, without *Model, msgs []llm.Message) {
	var took [2]time.Duration
	var tokens [2]int
	var drafted, accepted int
	write := func(i int) {
		m := []*Model{without, with}[i]
		first := generate(b, m, msgs, llm.Params{MaxTokens: 1}) // the prompt's end is read each time
		out := generate(b, m, msgs, llm.Params{MaxTokens: 96})
		tokens[i], took[i] = tokens[i]+out.OutputTokens-1, took[i]+out.Took-first.Took
		drafted, accepted = drafted+out.DraftedTokens, accepted+out.AcceptedTokens
	}
	write(0) // reads the prompt
	write(1)
	took, tokens, drafted, accepted = [2]time.Duration{}, [2]int{}, 0, 0
	for b.Loop() {
		write(0)
		write(1)
	}
	plain, fast := float64(tokens[0])/took[0].Seconds(), float64(tokens[1])/took[1].Seconds()
	b.ReportMetric(plain, "tokens/s-without")
	b.ReportMetric(fast, "tokens/s")
	b.ReportMetric(fast/plain, "times")
	b.ReportMetric(float64(drafted)/float64(tokens[1]), "drafted/token")
	b.ReportMetric(float64(accepted)/float64(tokens[1]), "accepted/token")
}

// BenchmarkRows evaluates some tokens of one text in one batch, beside one token alone: what drafts cost.
func BenchmarkRows(b *testing.B) {
	onKernels(b, func(b *testing.B, name string) {
		m := open(b, name, Options{Context: 1024})
		generate(b, m, copying(1)[0], llm.Params{MaxTokens: 1})
		sizes := []int{1, 2, 3, 4, 8, 16}
		took := make([]time.Duration, len(sizes))
		var err error
		rows := func() {
			s := &m.slots[0]
			for i, n := range sizes {
				pos := make([]int32, n)
				for j := range pos {
					pos[j] = int32(len(s.tokens) + j)
				}
				m.ctx.KvCacheSeqRm(s.id, len(s.tokens), -1)
				began := time.Now()
				if err = m.decode(nil, s.tokens[:n], pos, make([]int32, n), slices.Repeat([]int8{1}, n)); err != nil {
					return
				}
				m.ctx.Synchronize()
				took[i] += time.Since(began)
			}
		}
		for b.Loop() {
			if m.do(rows); err != nil {
				b.Fatal(err)
			}
		}
		for i, n := range sizes[1:] {
			b.ReportMetric(float64(took[i+1])/float64(took[0]), fmt.Sprintf("times-%d-rows", n))
		}
		b.ReportMetric(took[0].Seconds()*1000/float64(b.N), "ms-1-row")
	})
}
