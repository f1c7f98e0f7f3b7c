//go:build cgo && llamacpp

// Package llamacpp runs GGUF models in process through llama.cpp, on the CPU.
//
// It stands on github.com/ollama/ollama/llama and adds what that leaves out (shim.h). README.md beside it says how it
// is built and how to move to another llama.cpp.
package llamacpp

/*
#include <stdlib.h>
#include "shim.h"
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"github.com/ollama/ollama/llama"
	"github.com/ollama/ollama/ml"

	"nl2sql/llm"
	_ "nl2sql/llm/llamacpp/cpucheck" // ends the program on a processor that it was not built for
)

var start = sync.OnceFunc(func() { C.nl2sql_init() })

// Model is a loaded GGUF file with one context. Its methods are safe for concurrent use; calls take turns.
type Model struct {
	file     llm.GGUF
	template llm.Template
	model    *llama.Model
	ctx      *llama.Context
	release  func()        // frees the adapter, after the context
	stop     *C.int32_t    // not 0: evaluation ends
	turn     chan struct{} // holds one token: who has it owns what follows, and the context
	gone     error         // why no call can work any more: closed, or llama.cpp failed
	closed   bool
	threads  int       // most to use
	auto     bool      // use fewer when the machine is busy
	tuned    time.Time // when that was looked at last
	cached   []int32   // tokens of prompts whose keys and values are in the context, a multiple of block
}

// Open checks and loads a model file. If ctx ends first, Open returns at once, and what was loaded is freed when
// llama.cpp comes back.
func Open(ctx context.Context, path string, o Options) (*Model, error) {
	file, err := llm.ReadGGUF(path)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(path)
	template, err := llm.FindTemplate(file.ChatTemplate)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", name, err)
	}
	window := o.Context
	switch {
	case window == 0:
		window = min(8192, file.Context)
	case window < 0 || window > file.Context:
		return nil, fmt.Errorf("model %s: a context of %d tokens: want 1 to %d", name, window, file.Context)
	}
	if o.Threads < 0 {
		return nil, fmt.Errorf("model %s: %d threads", name, o.Threads)
	}
	start()
	listen(o.Log)

	type result struct {
		m   *Model
		err error
	}
	loaded := make(chan result, 1)
	go func() {
		m, err := load(ctx, path, window, o)
		loaded <- result{m, err}
	}()
	select {
	case <-ctx.Done():
		go func() {
			if r := <-loaded; r.m != nil {
				r.m.Close()
			}
		}()
		return nil, fmt.Errorf("model %s: %w", name, ctx.Err())
	case r := <-loaded:
		if r.err != nil {
			return nil, fmt.Errorf("model %s: %w", name, r.err)
		}
		r.m.file, r.m.template = file, template
		return r.m, nil
	}
}

func load(ctx context.Context, path string, window int, o Options) (*Model, error) {
	progress := func(done float32) {
		if o.Progress != nil && ctx.Err() == nil {
			o.Progress(float64(done))
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.nl2sql_guard(true)
	defer C.nl2sql_guard(false)
	lm, err := llama.LoadModelFromFile(path, llama.ModelParams{UseMmap: true, Progress: progress})
	if err != nil {
		return nil, fmt.Errorf("llama.cpp cannot load it%s", because())
	}
	threads := o.Threads
	if threads == 0 {
		threads = physicalCores()
	}
	params := llama.NewContextParams(window, chunk, 1, threads, ml.FlashAttentionEnabled, "")
	lc, err := llama.NewContextWithModel(lm, params)
	if err != nil {
		llama.FreeModel(lm)
		return nil, fmt.Errorf("no context of %d tokens%s", window, because())
	}
	release, err := adapt(lm, lc, o.Adapter)
	if err != nil {
		C.nl2sql_free(*(**C.struct_llama_context)(unsafe.Pointer(lc)))
		llama.FreeModel(lm)
		return nil, err
	}
	m := &Model{model: lm, ctx: lc, release: release, turn: make(chan struct{}, 1), threads: threads, auto: o.Threads == 0}
	m.stop = (*C.int32_t)(C.calloc(1, C.size_t(unsafe.Sizeof(*m.stop))))
	C.nl2sql_adopt(m.c(), m.stop)
	m.turn <- struct{}{}
	return m, nil
}

// c and v return llama.cpp's own pointers, the first fields of the Go package's types. TestLayout guards that.
func (m *Model) c() *C.struct_llama_context {
	return *(**C.struct_llama_context)(unsafe.Pointer(m.ctx))
}
func (m *Model) v() *C.struct_llama_model { return *(**C.struct_llama_model)(unsafe.Pointer(m.model)) }

// File returns what the model file's header says.
func (m *Model) File() llm.GGUF { return m.file }

// Window returns the number of tokens that prompt and answer may have together.
func (m *Model) Window() int { return int(C.nl2sql_window(m.c())) }

var errClosed = errors.New("model is closed")

// acquire waits for the context.
func (m *Model) acquire(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-m.turn:
	}
	if m.gone != nil {
		m.turn <- struct{}{}
		return m.gone
	}
	return nil
}

// Close frees the model and its context, after the call that is at work. Later calls fail.
func (m *Model) Close() error {
	<-m.turn
	defer func() { m.turn <- struct{}{} }()
	if m.closed {
		return nil
	}
	m.closed, m.gone = true, errClosed
	C.nl2sql_free(m.c())
	m.release()
	llama.FreeModel(m.model)
	C.free(unsafe.Pointer(m.stop))
	return nil
}

// Generate implements [llm.Generator]. When ctx ends, it returns within 0.2 s with what there is and ctx's error.
func (m *Model) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	began := time.Now()
	if p.MaxTokens == 0 {
		p.MaxTokens = 256
	}
	if p.MaxTokens < 0 || p.Temperature < 0 || p.TopP < 0 || p.TopP > 1 {
		return llm.Completion{}, fmt.Errorf("model parameters out of range: %+v", p)
	}
	parts, err := m.template.Parts(msgs)
	if err != nil {
		return llm.Completion{}, err
	}
	if err := m.acquire(ctx); err != nil {
		return llm.Completion{}, err
	}
	defer func() { m.turn <- struct{}{} }()
	out, err := m.generate(ctx, parts, p)
	out.Took = time.Since(began)
	return out, err
}

// Version returns the commit of llama.cpp that the Go module carries.
func Version() string { return C.GoString(C.nl2sql_commit()) }

// CPUFeatures returns the processor features that llama.cpp was compiled for, as it lists them.
func CPUFeatures() string {
	start()
	return C.GoString(C.nl2sql_system_info())
}

// Tests cannot use cgo; these are theirs.
func setThreads(m *Model, n int) { C.nl2sql_threads(m.c(), C.int32_t(n)) }
func trained(m *Model) int       { return int(C.nl2sql_trained(m.v())) }
func logits(m *Model) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(C.nl2sql_logits(m.c()))), m.model.NumVocab())
}
