//go:build cgo && llamacpp

package llamacpp

import (
	"math"
	"testing"

	"nl2sql/llm"
)

func TestLogProb(t *testing.T) {
	logits := []float32{1, 3, float32(math.NaN()), -100, 2, float32(math.Inf(-1))}
	sum := math.Exp(1) + math.Exp(3) + math.Exp(2)
	for token, want := range map[int32]float64{0: math.Log(math.Exp(1) / sum), 1: math.Log(math.Exp(3) / sum), 3: -100 - math.Log(sum), 5: math.Inf(-1)} {
		if got := logProb(logits, token); got != want && math.Abs(got-want) > 1e-6 {
			t.Errorf("token %d: %v, want %v", token, got, want)
		}
	}
}

// A greedy answer is likelier than what is drawn hot, its probability is that of its tokens, and drafts do not change it.
func TestLogProbOfAnswers(t *testing.T) {
	msgs := []llm.Message{{Role: "user", Content: "Count from one to ten."}}
	var last llm.Completion
	for _, o := range []Options{{Context: 512}, {Context: 512, NoDraft: true}} {
		m := open(t, "smollm2-135m", o)
		c, err := m.Generate(t.Context(), msgs, llm.Params{MaxTokens: 24})
		if err != nil {
			t.Fatal(err)
		}
		hot, err := m.Generate(t.Context(), msgs, llm.Params{MaxTokens: 24, Temperature: 3, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if c.LogProb >= 0 || c.LeastLogProb < c.LogProb || hot.LogProb >= c.LogProb {
			t.Errorf("greedy %v, its least %v; hot %v", c.LogProb, c.LeastLogProb, hot.LogProb)
		}
		if last.Text != "" && (c.LogProb != last.LogProb || c.LeastLogProb != last.LeastLogProb) {
			t.Errorf("with drafts %v, without %v", last.LogProb, c.LogProb)
		}
		last = c
	}
}
