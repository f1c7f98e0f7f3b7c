package llamacpp

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"nl2sql/llm"
	"nl2sql/llm/llamacpp/engine"
)

// Embedder makes vectors of texts, with a model that was made for that (BERT's family) or with the states of one that
// chats. Its methods are safe for concurrent use: texts are worked on one call after the other.
type Embedder struct {
	mu      sync.Mutex
	model   engine.Model // nil once closed
	vectors engine.Vectors
	own     bool // the model is freed with it
	name    string
	chats   bool
}

const (
	// tokens of a text, and of all texts in a batch: the engine makes all outputs of a batch, each as wide as the
	// vocabulary
	maxEmbedded  = 256
	mostEmbedded = 16 // texts in a batch
)

// OpenEmbedder loads a GGUF file. Of o it takes Threads and Log.
func OpenEmbedder(ctx context.Context, path string, o Options) (*Embedder, error) {
	e, err := engine.Open()
	if err != nil {
		return nil, err
	}
	file, err := llm.ReadEmbedder(path)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e.Listen(o.Log)
	lm, err := e.Load(path, file.Start, 0, nil, func(float32) {}) // without a function it would print dots
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", filepath.Base(path), err)
	}
	made, err := newEmbedder(lm, file, o.Threads)
	if err != nil {
		lm.Free()
		return nil, err
	}
	made.own = true
	return made, nil
}

// newEmbedder makes a context of its own beside a model's other one.
func newEmbedder(lm engine.Model, file llm.GGUF, threads int) (*Embedder, error) {
	threads = threadsOf(threads)
	h := sha256.New()
	if err := file.Place().Fingerprint(h); err != nil {
		return nil, err
	}
	vectors, err := lm.NewVectors(engine.VectorParams{Tokens: maxEmbedded, Texts: mostEmbedded, Threads: threads,
		Mean: file.Chats()})
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", filepath.Base(file.Path), err)
	}
	name := fmt.Sprintf("%s %x", filepath.Base(file.Path), h.Sum(nil)[:16])
	return &Embedder{model: lm, vectors: vectors, chats: file.Chats(), name: name}, nil
}

// Embedding implements [llm.Embedder].
func (e *Embedder) Embedding() string { return e.name }

// Embed implements [llm.Embedder]. When ctx ends, it returns soon with ctx's error.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.model == nil {
		return nil, errClosed
	}
	e.vectors.Stop(false)
	defer context.AfterFunc(ctx, func() { e.vectors.Stop(true) })()
	out := make([][]float32, 0, len(texts))
	var batch [][]int32
	size := 0
	flush := func() error {
		vectors, err := e.evaluate(ctx, batch)
		out, batch, size = append(out, vectors...), nil, 0
		return err
	}
	for _, text := range texts {
		tokens, err := e.tokens(text)
		if err != nil {
			return nil, err
		}
		if size+len(tokens) > maxEmbedded || len(batch) == mostEmbedded {
			if err := flush(); err != nil {
				return nil, err
			}
		}
		batch, size = append(batch, tokens), size+len(tokens)
	}
	if len(batch) > 0 {
		if err := flush(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// tokens takes a text apart, with what the model wants at its ends. Of a long text the beginning is left, and its last
// token.
func (e *Embedder) tokens(text string) ([]int32, error) {
	const enough = 8 * maxEmbedded // bytes
	ids, err := e.model.Tokenize(text[:min(len(text), enough)], !e.chats || e.model.AddBOSToken(), false)
	switch {
	case err != nil:
		return nil, fmt.Errorf("tokenize: %w", err)
	case len(ids) == 0:
		return nil, errors.New("a text of no tokens has no vector")
	case len(ids) > maxEmbedded:
		ids = append(ids[:maxEmbedded-1], ids[len(ids)-1])
	}
	tokens := make([]int32, len(ids))
	for i, id := range ids {
		tokens[i] = int32(id)
	}
	return tokens, nil
}

// evaluate makes the vectors of a batch, a sequence each.
func (e *Embedder) evaluate(ctx context.Context, batch [][]int32) (out [][]float32, err error) {
	out, err = e.vectors.Embed(batch)
	if gone := ctx.Err(); gone != nil {
		return nil, gone
	}
	if err != nil {
		return nil, fmt.Errorf("llama.cpp cannot make vectors of %d texts: %w", len(batch), err)
	}
	return out, nil
}

// Close frees what the embedder holds.
func (e *Embedder) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.model == nil {
		return nil
	}
	e.vectors.Free()
	if e.own {
		e.model.Free()
	}
	e.model = nil
	return nil
}

// Embedder makes vectors with the states of this model, in a context of its own. It must be closed before the model is.
func (m *Model) Embedder() (*Embedder, error) {
	var e *Embedder
	err := m.alive(func() (err error) {
		e, err = newEmbedder(m.model, m.file, m.threads)
		return err
	})
	return e, err
}
