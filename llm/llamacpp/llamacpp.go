//go:build cgo && llamacpp

// Package llamacpp runs GGUF models in process through llama.cpp, on the CPU and, in builds for them, on NVIDIA GPUs.
//
// README.md beside it says how it is built and how to move to another llama.cpp.
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
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"nl2sql/llm"
	_ "nl2sql/llm/llamacpp/cpucheck" // ends the program on a processor that it was not built for
	"nl2sql/llm/llamacpp/llama"
	"nl2sql/llm/prefix"
)

var start = sync.OnceFunc(func() { C.nl2sql_init() })

// Model is a loaded GGUF file with one context. Its methods are safe for concurrent use.
type Model struct {
	file     llm.GGUF
	template llm.Template
	model    *llama.Model
	ctx      *llama.Context
	release  func() // frees the adapter, after the context
	leave    func() // says that the GPUs are not used any more
	gpu      string // what lies on GPUs; "" if nothing does
	window   int    // tokens that prompt and answer may have together
	anyBatch bool   // a token may be evaluated in any batch: it gets the same bits in all, or fast mode was chosen
	drafts   bool   // answers are drafted

	submit  chan *request
	tasks   chan func()   // what tests do with the context
	closing chan struct{} // closed by Close
	closed  sync.Once
	done    chan struct{} // closed when the scheduler has ended
	gone    error         // why no call can work any more, once done is closed
	life    sync.RWMutex  // held for reading by those who use the model beside the scheduler

	mu    sync.Mutex
	batch []*request // whose tokens are evaluated now
	stop  *C.int32_t // not 0: evaluation ends

	// The scheduler's own, as is the context.
	slots   []slot
	back    bool // tokens can be removed from the end of a sequence
	most    int  // generated tokens that may share a batch
	pace    pace
	clock   func() time.Time         // for pace
	splits  map[continuation][]int32 // what split found
	queue   []*request               // wait for a slot, in the order in which they came
	reading *slot                    // whose prompt is evaluated; nil if there is none
	layout  layout
	tree    *prefix.Tree // nil if none is kept
	saved   saved
	buf     []byte   // the last state
	threads int      // most to use
	auto    bool     // use fewer when the machine is busy
	seen    activity // of the machine, when it was looked at last
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
	if o.Parallel == 0 {
		o.Parallel = 1
	}
	if o.KV == "" {
		o.KV = llm.KVTypes[0]
	}
	switch {
	case !slices.Contains(llm.KVTypes, o.KV): // the Go package would take f16
		return nil, fmt.Errorf("model %s: no type %q of keys and values: there are %s", name, o.KV, strings.Join(llm.KVTypes, ", "))
	case o.Threads < 0:
		return nil, fmt.Errorf("model %s: %d threads", name, o.Threads)
	case o.Parallel < 0 || o.Parallel > maxParallel:
		return nil, fmt.Errorf("model %s: %d sequences at once: want 1 to %d", name, o.Parallel, maxParallel)
	}
	start()
	listen(o.Log)

	type result struct {
		m   *Model
		err error
	}
	loaded := make(chan result, 1)
	go func() {
		o := o
		o.Context = window
		m, err := load(ctx, file, o)
		loaded <- result{m, err}
	}()
	select {
	case <-ctx.Done():
		go func() {
			if r := <-loaded; r.m != nil {
				r.m.free()
			}
		}()
		return nil, fmt.Errorf("model %s: %w", name, ctx.Err())
	case r := <-loaded:
		if r.err != nil {
			return nil, fmt.Errorf("model %s: %w", name, r.err)
		}
		r.m.file, r.m.template = file, template
		r.m.recall(path, o)
		go r.m.run()
		return r.m, nil
	}
}

// load puts what fits on GPUs; where that fails all the same, the CPU does the work.
func load(ctx context.Context, file llm.GGUF, o Options) (*Model, error) {
	layers, gpus := offload(file, o)
	m, err := loadLayers(ctx, file.Path, layers, o)
	if layers == 0 {
		return m, err
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		o.warn(fmt.Sprintf("no GPU is used: %d layers on it: %v", layers, err))
		forgetErrors()
		return loadLayers(ctx, file.Path, 0, o)
	}
	m.gpu = fmt.Sprintf("%d of %d layers on", layers, file.Layers+1)
	for i, d := range gpus {
		m.gpu += []string{" ", ", "}[min(i, 1)] + d.Description
	}
	return m, nil
}

// loadLayers loads a model with so many layers on GPUs and makes its context.
func loadLayers(ctx context.Context, path string, layers int, o Options) (m *Model, err error) {
	leave := holdGPUs(layers)
	defer func() {
		if err != nil {
			leave()
		}
	}()
	window := o.Context
	progress := func(done float32) {
		if o.Progress != nil && ctx.Err() == nil {
			o.Progress(float64(done))
		}
	}
	seen, _ := readActivity()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.nl2sql_guard(true)
	defer C.nl2sql_guard(false)
	lm, err := llama.Load(path, layers, progress)
	if err != nil {
		return nil, fmt.Errorf("llama.cpp cannot load it%s", because())
	}
	threads := o.Threads
	if threads == 0 {
		threads = physicalCores()
	}
	lc, err := llama.NewContext(lm, llama.ContextParams{Tokens: (window + block - 1) / block * block * o.Parallel, Batch: chunk, Sequences: o.Parallel, Threads: threads, KV: o.KV})
	if err != nil {
		lm.Free()
		return nil, fmt.Errorf("no context of %d tokens for %d sequences%s", window, o.Parallel, because())
	}
	release, err := adapt(lm, lc, o.Adapter, layers == 0 && kernelsUsed())
	if err != nil {
		lc.Free()
		lm.Free()
		return nil, err
	}
	m = &Model{model: lm, ctx: lc, release: release, leave: leave, window: window, anyBatch: o.Fast, clock: time.Now,
		drafts:  !o.NoDraft && (o.Fast || layers == 0), // a GPU's kernels may differ where the text is longer than probe's
		threads: threads, auto: o.Threads == 0, seen: seen,
		submit: make(chan *request), tasks: make(chan func()), closing: make(chan struct{}), done: make(chan struct{}),
		slots: make([]slot, o.Parallel)}
	m.stop = (*C.int32_t)(C.calloc(1, C.size_t(unsafe.Sizeof(*m.stop))))
	C.nl2sql_adopt(m.c(), m.stop)
	for i := range m.slots {
		m.slots[i].id = i
	}
	if err := m.probe(o.Cache, layers == 0 && kernelsUsed()); err != nil {
		m.free()
		return nil, err
	}
	return m, nil
}

// c and v return llama.cpp's own pointers.
func (m *Model) c() *C.struct_llama_context { return (*C.struct_llama_context)(m.ctx.Pointer()) }
func (m *Model) v() *C.struct_llama_model   { return (*C.struct_llama_model)(m.model.Pointer()) }

// File returns what the model file's header says.
func (m *Model) File() llm.GGUF { return m.file }

// Window returns the number of tokens that prompt and answer may have together.
func (m *Model) Window() int { return m.window }

// Parallel implements [llm.Parallel].
func (m *Model) Parallel() int { return len(m.slots) }

// GPU tells how many layers lie on which GPUs, or "" if the CPU does all the work.
func (m *Model) GPU() string { return m.gpu }

var errClosed = errors.New("model is closed")

// Close frees the model and its context, after the calls that are at work. Later calls fail.
func (m *Model) Close() error {
	m.closed.Do(func() { close(m.closing) })
	<-m.done
	return nil
}

func (m *Model) free() {
	m.ctx.Free()
	m.release()
	m.model.Free()
	m.leave()
	C.free(unsafe.Pointer(m.stop))
}

// Version returns the commit of llama.cpp that the Go module carries.
func Version() string { return C.GoString(C.nl2sql_commit()) }

// lanes is the version of our kernels' arithmetic, the same in all sets. Whoever changes a bit of a result raises it.
const lanes = 2

// Bits names what an evaluation's bits follow from, beside the model: the features that llama.cpp was compiled for, as it
// lists them, and the version of our kernels' arithmetic. Programs that say the same give the same bits on every processor
// and with every set of kernels. Kept prompts and run cards go by it.
func Bits() string {
	start()
	s := strings.TrimSpace(C.GoString(C.nl2sql_system_info()))
	if kernelsUsed() {
		s += fmt.Sprintf(" LANES = %d |", lanes)
	}
	return s
}

// logits returns those after the i-th token of the last evaluation, valid until the next; -1 means the last token.
func logits(m *Model, i int) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(C.nl2sql_logits(m.c(), C.int32_t(i)))), m.model.NumVocab())
}

// Tests cannot use cgo; these are theirs.
func setThreads(m *Model, n int) { C.nl2sql_threads(m.c(), C.int32_t(n)) }
func trained(m *Model) int       { return int(C.nl2sql_trained(m.v())) }
func window(m *Model) int        { return int(C.nl2sql_window(m.c())) }
