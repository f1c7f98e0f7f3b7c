package loop

import (
	"context"
	"slices"
	"sync"

	"nl2sql/llm"
)

// prompted is the last prompt of which OnEvent was told. The candidates of a vote read the same one, perhaps at once.
type prompted struct {
	mu   sync.Mutex
	msgs []llm.Message
}

func (p *prompted) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.msgs = nil
}

// telling is a model whose prompts OnEvent is told of, before the model reads them.
type telling struct {
	llm.Generator
	r *run
}

// Generate implements [llm.Generator].
func (t telling) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	t.tell(msgs)
	return t.Generator.Generate(ctx, msgs, p)
}

func (t telling) tell(msgs []llm.Message) {
	told := &t.r.told
	told.mu.Lock()
	if !slices.Equal(told.msgs, msgs) {
		told.msgs = msgs
		t.r.OnEvent(Event{Step: t.r.step, Kind: KindPrompt, OK: true, Prompt: msgs})
	}
	told.mu.Unlock()
}

// Score implements [llm.Scorer], where the model does.
func (t telling) Score(ctx context.Context, msgs []llm.Message, answer string) (llm.Completion, error) {
	t.tell(msgs)
	return t.Generator.(llm.Scorer).Score(ctx, msgs, answer)
}

// tells is a model as one that tells how likely a text is, if it does.
func tells(g llm.Generator) (llm.Scorer, bool) {
	model := g
	if t, ok := g.(telling); ok {
		model = t.Generator
	}
	if _, ok := model.(llm.Scorer); !ok {
		return nil, false
	}
	return g.(llm.Scorer), true
}

// Parallel implements [llm.Parallel].
func (t telling) Parallel() int {
	if p, ok := t.Generator.(llm.Parallel); ok {
		return p.Parallel()
	}
	return 1
}
