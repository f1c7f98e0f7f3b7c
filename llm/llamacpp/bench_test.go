//go:build cgo && llamacpp

package llamacpp

import (
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
