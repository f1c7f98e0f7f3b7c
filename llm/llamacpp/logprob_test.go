//go:build cgo && llamacpp

package llamacpp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

func TestLogProb(t *testing.T) {
	logits := []float32{1, 3, float32(math.NaN()), -100, 2, float32(math.Inf(-1))}
	sum := math.Exp(1) + math.Exp(3) + math.Exp(2)
	for token, want := range map[int32]float64{0: math.Log(math.Exp(1) / sum), 1: math.Log(math.Exp(3) / sum),
		3: -100 - math.Log(sum), 5: math.Inf(-1)} {
		if got := logProb(logits, token); got != want && math.Abs(got-want) > 1e-6 {
			t.Errorf("token %d: %v, want %v", token, got, want)
		}
	}
}

// A greedy answer is likelier than what is drawn hot, its probability is that of its tokens, and drafts do not change
// it.
func TestLogProbOfAnswers(t *testing.T) {
	msgs := []llm.Message{{Role: "user", Content: "Count from one to ten."}}
	var last llm.Completion
	for _, o := range []Options{{Context: 512}, {Context: 512, NoDraft: true}} {
		m := open(t, "smollm2-135m", o)
		c := must.Get(m.Generate(t.Context(), msgs, llm.Params{MaxTokens: 24}))(t)
		hot := must.Get(m.Generate(t.Context(), msgs, llm.Params{MaxTokens: 24, Temperature: 3, Seed: 1}))(t)
		if c.LogProb >= 0 || c.LeastLogProb < c.LogProb || hot.LogProb >= c.LogProb {
			t.Errorf("greedy %v, its least %v; hot %v", c.LogProb, c.LeastLogProb, hot.LogProb)
		}
		must.Be(t, last.Text == "" || c.LogProb == last.LogProb && c.LeastLogProb == last.LeastLogProb,
			"with drafts", last.LogProb, "without", c.LogProb)
		last = c
	}
}

// The score of what the model has written is what it said when it wrote it, and no bit of a score depends on what was
// read before or is worked on beside.
func TestScore(t *testing.T) {
	if must.Long(true, false) {
		score(t)
		return // the other sets of kernels give the same bits, as TestKernelsAgree shows
	}
	onSets(t, score)
	t.Run("llama.cpp's", func(t *testing.T) {
		library.UseKernels(false)
		defer library.UseKernels(true)
		score(t)
	})
}

func score(t *testing.T) {
	msgs := []llm.Message{{Role: "user", Content: "Count from one to ten."}}
	m := open(t, "smollm2-135m", Options{Context: 1024, Parallel: 2})
	c := must.Get(m.Generate(t.Context(), msgs, llm.Params{MaxTokens: 24}))(t)
	// the last is longer than an evaluation
	texts := []string{c.Text, "Ten, nine, eight.", strings.Repeat("one two three four five ", 60)}
	of := func(m *Model, text string) float64 {
		s := must.Get(m.Score(t.Context(), msgs, text))(t)
		if s.Text != text || s.OutputTokens != 0 || s.LogProb >= 0 || s.LeastLogProb < s.LogProb {
			t.Errorf("score of %q: %+v", text, s)
		}
		return s.LogProb
	}
	var first []float64
	for _, text := range texts {
		first = append(first, of(m, text))
	}
	if diff := math.Abs(first[0] - c.LogProb); c.StopReason == llm.StopLength && diff > 0.01 {
		t.Errorf("what was written with %v has score %v", c.LogProb, first[0])
	}
	if first[1] >= first[0] {
		t.Errorf("what the model does not write, %v, is likelier than what it writes, %v", first[1], first[0])
	}
	fresh := open(t, "smollm2-135m", Options{Context: 1024})
	beside := make(chan error)
	for i := range 3 {
		go func() {
			_, err := m.Generate(t.Context(),
				[]llm.Message{{Role: "user", Content: fmt.Sprintf("Tell me of the number %d.", i)}},
				llm.Params{MaxTokens: 32})
			beside <- err
		}()
	}
	for i := len(texts) - 1; i >= 0; i-- {
		if again, alone := of(m, texts[i]), of(fresh, texts[i]); again != first[i] || alone != first[i] {
			t.Errorf("text %d: %v, again %v, in another order %v", i, first[i], again, alone)
		}
	}
	for range 3 {
		must.Succeed(t, <-beside)
	}
	if after, err := m.Generate(t.Context(), msgs, llm.Params{MaxTokens: 24}); err != nil || after.Text != c.Text ||
		after.LogProb != c.LogProb {
		t.Errorf("after scores %+v, %v; before %+v", after, err, c)
	}
	if _, err := m.Score(t.Context(), msgs, ""); err == nil {
		t.Error("a text of no tokens has a score")
	}
	if _, err := m.Score(t.Context(), msgs, strings.Repeat("one ", 2000)); !errors.Is(err, llm.ErrContextFull) {
		t.Errorf("a text that does not fit: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Score(ctx, msgs, texts[1]); !errors.Is(err, context.Canceled) {
		t.Errorf("without a caller: %v", err)
	}
}
