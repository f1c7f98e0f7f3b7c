//go:build cgo && llamacpp

package llamacpp

/*
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"nl2sql/llm"
	"nl2sql/llm/llamacpp/llama"
)

// Embedder makes vectors of texts, with a model that was made for that (BERT's family) or with the states of one that chats. Its methods
// are safe for concurrent use: texts are worked on one call after the other.
type Embedder struct {
	mu    sync.Mutex
	model *llama.Model // nil once closed
	ctx   *llama.Context
	own   bool // the model is freed with it
	stop  *C.int32_t
	name  string
	chats bool
}

const (
	maxEmbedded  = 256 // tokens of a text, and of all texts in a batch: the engine makes all outputs of a batch, each as wide as the vocabulary
	mostEmbedded = 16  // texts in a batch
)

// OpenEmbedder loads a GGUF file. Of o it takes Threads and Log.
func OpenEmbedder(ctx context.Context, path string, o Options) (*Embedder, error) {
	file, err := llm.ReadEmbedder(path)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	start()
	listen(o.Log)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.nl2sql_guard(true)
	defer C.nl2sql_guard(false)
	lm, err := llama.Load(path, 0, func(float32) {})
	if err != nil {
		return nil, fmt.Errorf("model %s: llama.cpp cannot load it%s", filepath.Base(path), because())
	}
	e, err := newEmbedder(lm, file, o.Threads)
	if err != nil {
		lm.Free()
		return nil, err
	}
	e.own = true
	return e, nil
}

// newEmbedder makes a context of its own beside a model's other one.
func newEmbedder(lm *llama.Model, file llm.GGUF, threads int) (*Embedder, error) {
	if threads == 0 {
		threads = physicalCores()
	}
	h := sha256.New()
	if err := llm.Fingerprint(h, file.Path); err != nil {
		return nil, err
	}
	lc, err := llama.NewContext(lm, llama.ContextParams{
		Tokens: maxEmbedded, Batch: maxEmbedded, Sequences: mostEmbedded, Threads: threads, Embeds: true, Mean: file.Chats()})
	if err != nil {
		return nil, fmt.Errorf("model %s: no context for vectors%s", filepath.Base(file.Path), because())
	}
	e := &Embedder{model: lm, ctx: lc, chats: file.Chats(), name: fmt.Sprintf("%s %x", filepath.Base(file.Path), h.Sum(nil)[:16])}
	e.stop = (*C.int32_t)(C.calloc(1, C.size_t(unsafe.Sizeof(*e.stop))))
	C.nl2sql_embed_on((*C.struct_llama_context)(lc.Pointer()), e.stop)
	return e, nil
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
	atomic.StoreInt32((*int32)(unsafe.Pointer(e.stop)), 0)
	defer context.AfterFunc(ctx, func() { atomic.StoreInt32((*int32)(unsafe.Pointer(e.stop)), 1) })()
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

// tokens takes a text apart, with what the model wants at its ends. Of a long text the beginning is left, and its last token.
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
	var tokens, pos, seq []int32
	for i, text := range batch {
		for j, t := range text {
			tokens, pos, seq = append(tokens, t), append(pos, int32(j)), append(seq, int32(i))
		}
	}
	want := make([]int8, len(tokens))
	for i := range want {
		want[i] = 1
	}
	c := (*C.struct_llama_context)(e.ctx.Pointer())
	e.ctx.KvCacheClear()
	code := C.nl2sql_decode(c, (*C.int32_t)(unsafe.SliceData(tokens)), (*C.int32_t)(unsafe.SliceData(pos)),
		(*C.int32_t)(unsafe.SliceData(seq)), (*C.int8_t)(unsafe.SliceData(want)), C.int32_t(len(tokens)))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if code != 0 {
		return nil, fmt.Errorf("llama.cpp cannot make vectors of %d tokens: code %d%s", len(tokens), code, because())
	}
	for i := range batch {
		v := C.nl2sql_embedding(c, C.int32_t(i))
		if v == nil {
			return nil, errors.New("llama.cpp made no vector")
		}
		width := int(C.nl2sql_width((*C.struct_llama_model)(e.model.Pointer())))
		out = append(out, append([]float32(nil), unsafe.Slice((*float32)(unsafe.Pointer(v)), width)...))
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
	e.ctx.Free()
	if e.own {
		e.model.Free()
	}
	C.free(unsafe.Pointer(e.stop))
	e.model = nil
	return nil
}

// Embedder makes vectors with the states of this model, in a context of its own. It must be closed before the model is.
func (m *Model) Embedder() (*Embedder, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.nl2sql_guard(true)
	defer C.nl2sql_guard(false)
	var e *Embedder
	err := m.alive(func() (err error) {
		e, err = newEmbedder(m.model, m.file, m.threads)
		return err
	})
	return e, err
}
