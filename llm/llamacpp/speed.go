//go:build cgo && llamacpp

package llamacpp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"nl2sql/llm"
)

// Speed reads a prompt of so many tokens, of which nothing is cached, writes an answer of so many, at least 1 each, and
// returns how long that took. The tokens are random, as llama-bench has them: no answer ends early, and no draft of one is
// right. Each token of the answer is chosen all the same, greedily, before a random one takes its place.
func (m *Model) Speed(ctx context.Context, prompt, answer int) (time.Duration, error) {
	if prompt < 1 || answer < 1 {
		return 0, fmt.Errorf("speed of %d tokens and %d: at least 1 each", prompt, answer)
	}
	r := &request{ctx: ctx, p: llm.Params{MaxTokens: answer}, done: make(chan struct{})}
	err := m.alive(func() error {
		for range prompt {
			r.prompt = append(r.prompt, m.anyToken())
		}
		choose := m.sampler(r.p, nil)
		r.next = func(i int) (int32, error) {
			_, err := choose(i)
			return m.anyToken(), err
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	began := time.Now()
	out, err := m.serve(r)
	took := time.Since(began)
	if err == nil && (out.CachedTokens > 0 || out.OutputTokens != answer) { // the one in a million
		return 0, fmt.Errorf("speed: %d tokens were cached and %d written: measure again", out.CachedTokens, out.OutputTokens)
	}
	return took, err
}

// anyToken is a random token that ends no answer.
func (m *Model) anyToken() int32 {
	for {
		if token := rand.IntN(m.model.NumVocab()); !m.model.TokenIsEog(token) {
			return int32(token)
		}
	}
}
