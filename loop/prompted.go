package loop

import (
	"context"

	"nl2sql/llm"
)

// telling is a model whose prompts are told before it reads them, and whose texts are told while it writes them: of
// several that it writes at once, one.
type telling struct {
	llm.Generator
	r *Recorder
}

// Generate implements [llm.Generator].
func (t telling) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	t.r.Prompt(msgs)
	if t.r.pen.TryLock() {
		defer t.r.pen.Unlock()
		p.Told = t.r.writing
	}
	return t.Generator.Generate(ctx, msgs, p)
}

// Score implements [llm.Scorer], where the model does.
func (t telling) Score(ctx context.Context, msgs []llm.Message, answer string) (llm.Completion, error) {
	t.r.Prompt(msgs)
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
