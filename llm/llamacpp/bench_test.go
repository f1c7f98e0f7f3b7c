//go:build cgo && llamacpp

package llamacpp

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"nl2sql/llm"
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
				if err := cmd.Start(); err != nil {
					b.Fatal(err)
				}
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

func benchmark(b *testing.B, f func(*Model) (int, time.Duration)) {
	for _, name := range []string{"smollm2-135m", "qwen2.5-coder-0.5b"} {
		b.Run(name, func(b *testing.B) {
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
}
