package llamacpp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"nl2sql/llm"
)

// Speed reads a prompt of so many tokens, of which nothing is cached, writes an answer of so many, at least 1 each, and
// returns how long that took. The tokens are random, as llama-bench has them: no answer ends early, and no draft of
// one is right. Each token of the answer is chosen all the same, greedily, before a random one takes its place.
func (m *Model) Speed(ctx context.Context, prompt, answer int) (time.Duration, error) {
	if prompt < 1 || answer < 1 {
		return 0, fmt.Errorf("speed of %d tokens and %d: at least 1 each", prompt, answer)
	}
	began := time.Now()
	_, err := m.write(ctx, prompt, answer, func(int, []int32) int32 { return m.anyToken() })
	return time.Since(began), err
}

// SpeedOfRepeating is the same of an answer of so many tokens, at least 2, that repeats its prompt, so that nearly all
// drafts are right. The time is that after the answer's first token.
func (m *Model) SpeedOfRepeating(ctx context.Context, answer int) (llm.Completion, error) {
	if answer < 2 {
		return llm.Completion{}, fmt.Errorf("speed of %d repeated tokens: at least 2", answer)
	}
	var began time.Time
	out, err := m.write(ctx, answer, answer, func(i int, prompt []int32) int32 {
		if i == 0 {
			began = time.Now()
		}
		return prompt[i]
	})
	if err != nil {
		return out, err
	}
	out.Took = time.Since(began)
	return out, nil
}

// write works on a prompt of random tokens and an answer of those that token returns.
func (m *Model) write(ctx context.Context, prompt, answer int,
	token func(i int, prompt []int32) int32) (out llm.Completion, err error) {
	r := &request{ctx: ctx, p: llm.Params{MaxTokens: answer}, done: make(chan struct{})}
	err = m.alive(func() error {
		for range prompt {
			r.prompt = append(r.prompt, m.anyToken())
		}
		choose := m.sampler(r.p)
		written := 0
		r.next = func(logits []float32) (int32, error) {
			_, err := choose(logits)
			written++
			return token(written-1, r.prompt), err
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	out, err = m.serve(r)
	if err == nil && (out.CachedTokens > 0 || out.OutputTokens != answer) { // the one in a million
		err = fmt.Errorf("speed: %d tokens were cached and %d written: measure again",
			out.CachedTokens, out.OutputTokens)
	}
	return out, err
}

// anyToken is a random token that ends no answer.
func (m *Model) anyToken() int32 {
	for {
		if token := rand.IntN(m.model.NumVocab()); !m.model.TokenIsEog(token) {
			return int32(token)
		}
	}
}
