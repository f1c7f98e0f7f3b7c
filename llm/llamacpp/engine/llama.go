//go:build cgo && llamacpp

package engine

/*
#cgo CXXFLAGS: -std=c++17
#cgo LDFLAGS: -Wl,--wrap=ggml_fopen -Wl,--wrap=ggml_backend_buffer_clear -Wl,--wrap=ggml_backend_free -Wl,--wrap=mmap
#cgo LDFLAGS: -Wl,--wrap=ggml_backend_buft_alloc_buffer
#include <stdlib.h>
#include "adapter.h"
#include "part.h"
#include "shim.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ollama/ollama/llama"
	"github.com/ollama/ollama/ml"

	_ "nl2sql/llm/llamacpp/cpucheck" // ends the program on a processor that it was not built for
	_ "nl2sql/llm/llamacpp/kernels"
)

var start = sync.OnceFunc(func() { C.nl2sql_init() })

// Open returns llama.cpp.
func Open() (Engine, error) { return library{}, nil }

// FailAllocations lets allocations fail behind so many that go well, -1 none: tests see what then becomes of a program.
func FailAllocations(after int) { C.nl2sql_fail(C.int32_t(after)) }

type library struct{}

func (library) Version() string { return C.GoString(C.nl2sql_commit()) }

func (library) Features() string {
	start()
	return strings.TrimSpace(C.GoString(C.nl2sql_system_info()))
}

// guarded makes failed assertions of llama.cpp errors while f works.
func guarded(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	C.nl2sql_guard(true)
	defer C.nl2sql_guard(false)
	f()
}

// pointer returns llama.cpp's own pointer in a model or a context of the Go package, which hides it in a field named c.
func pointer(of any) unsafe.Pointer {
	return reflect.ValueOf(of).Elem().FieldByName("c").UnsafePointer()
}

// model is a Model. Most of its methods are the Go package's.
type model struct {
	*llama.Model
	vocab *C.struct_llama_vocab
	ours  bool   // our kernels do all of its work
	leave func() // says that the GPUs are not used any more
}

// Load implements [Engine]. progress is told what part of it is done.
func (l library) Load(
	path string, from int64, gpuLayers int, told []Matrix, progress func(done float32),
) (Model, error) {
	start()
	leave := holdGPUs(gpuLayers)
	forgetErrors()
	var lm *llama.Model
	var err error
	guarded(func() {
		C.nl2sql_part(C.long(from))
		defer C.nl2sql_part(0)
		clearAhead(told)
		defer clearAhead(nil) // what was not used
		lm, err = llama.LoadModelFromFile(path, llama.ModelParams{NumGpuLayers: gpuLayers, UseMmap: true,
			Progress: progress})
	})
	if err != nil {
		leave()
		return nil, fmt.Errorf("llama.cpp cannot load it%s", because())
	}
	vocab := (*C.struct_llama_vocab)(unsafe.Pointer(lm.Vocab()))
	return &model{lm, vocab, gpuLayers == 0 && l.KernelsUsed(), leave}, nil
}

// Free implements [Model].
func (m *model) Free() {
	llama.FreeModel(m.Model)
	m.leave()
}

// BOS implements [Model].
func (m *model) BOS() (int32, bool) {
	token := int32(C.nl2sql_bos(m.vocab))
	return token, token >= 0
}

// Piece implements [Model].
func (m *model) Piece(token int32) string {
	buf := make([]byte, 64)
	n := C.nl2sql_piece(m.vocab, C.int32_t(token), (*C.char)(unsafe.Pointer(&buf[0])), C.int32_t(len(buf)))
	if n < 0 {
		buf = make([]byte, -n)
		n = C.nl2sql_piece(m.vocab, C.int32_t(token), (*C.char)(unsafe.Pointer(&buf[0])), C.int32_t(len(buf)))
	}
	return string(buf[:max(n, 0)])
}

// NewContext makes a context with flash attention.
func (m *model) NewContext(p Params) (Context, error) {
	forgetErrors()
	var lc *llama.Context
	var err error
	guarded(func() {
		C.nl2sql_hold(true)
		defer C.nl2sql_hold(false)
		sizes := llama.NewContextParams(p.Tokens, p.Batch, p.Sequences, p.Threads, ml.FlashAttentionEnabled, p.KV)
		lc, err = llama.NewContextWithModel(m.Model, sizes)
	})
	if err != nil {
		return nil, fmt.Errorf("no context of %d tokens for %d sequences%s", p.Tokens/p.Sequences,
			p.Sequences, because())
	}
	c := &sequences{Context: lc, c: (*C.struct_llama_context)(pointer(lc)), words: m.NumVocab(), stop: newFlag()}
	C.nl2sql_adopt(c.c, c.stop.c)
	if p.Adapter != "" {
		if err := c.adapt(p.Adapter, p.AdapterStart, m.ours); err != nil {
			c.Free()
			return nil, err
		}
	}
	return c, nil
}

// sequences is a Context. Some of its methods are the Go package's.
type sequences struct {
	*llama.Context
	c       *C.struct_llama_context
	adapter *C.struct_llama_adapter_lora // nil if there is none
	words   int                          // of the vocabulary
	stop    flag
}

// Window implements [Context].
func (c *sequences) Window() int { return int(C.nl2sql_window(c.c)) }

// Decode implements [Context].
func (c *sequences) Decode(tokens, pos, seq []int32, want []int8) error {
	return decode(c.c, tokens, pos, seq, want)
}

func decode(c *C.struct_llama_context, tokens, pos, seq []int32, want []int8) error {
	const exception = -100 // llama.cpp threw
	forgetErrors()
	ints := func(x []int32) *C.int32_t { return (*C.int32_t)(unsafe.SliceData(x)) }
	code := C.nl2sql_decode(c, ints(tokens), ints(pos), ints(seq), (*C.int8_t)(unsafe.SliceData(want)),
		C.int32_t(len(tokens)))
	if code == 0 {
		return nil
	}
	return &EvaluationError{int(code), code == exception, because()}
}

// Logits implements [Context].
func (c *sequences) Logits(i int) []float32 {
	at := C.nl2sql_logits(c.c, C.int32_t(i))
	if at == nil {
		return nil
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(at)), c.words)
}

// State implements [Context].
func (c *sequences) State(seq int, buf []byte) []byte {
	n := int(C.nl2sql_state(c.c, C.int32_t(seq), nil, 0))
	if n == 0 {
		return nil
	}
	if cap(buf) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	if int(C.nl2sql_state(c.c, C.int32_t(seq), (*C.uint8_t)(unsafe.SliceData(buf)), C.size_t(n))) != n {
		return nil
	}
	return buf
}

// SetState implements [Context].
func (c *sequences) SetState(seq int, state []byte) bool {
	return bool(C.nl2sql_set_state(c.c, C.int32_t(seq), (*C.uint8_t)(unsafe.SliceData(state)), C.size_t(len(state))))
}

// SetThreads implements [Context].
func (c *sequences) SetThreads(n int) { C.nl2sql_threads(c.c, C.int32_t(n)) }

// Stop implements [Context].
func (c *sequences) Stop(stop bool) { c.stop.set(stop) }

// Free implements [Context]. The adapter goes after it.
func (c *sequences) Free() {
	C.nl2sql_free(c.c)
	if c.adapter != nil {
		C.nl2sql_adapter_free(c.adapter)
	}
	c.stop.free()
}

// vectors is a Vectors. The Go package cannot make such a context.
type vectors struct {
	c    *C.struct_llama_context
	stop flag
}

// NewVectors implements [Model].
func (m *model) NewVectors(p VectorParams) (Vectors, error) {
	forgetErrors()
	stop := newFlag()
	c := C.nl2sql_vectors((*C.struct_llama_model)(pointer(m.Model)), C.int32_t(p.Tokens), C.int32_t(p.Texts),
		C.int32_t(p.Threads),
		C.bool(p.Mean), stop.c)
	if c == nil {
		stop.free()
		return nil, fmt.Errorf("no context for vectors%s", because())
	}
	return &vectors{c, stop}, nil
}

// Embed implements [Vectors].
func (v *vectors) Embed(texts [][]int32) (out [][]float32, err error) {
	var tokens, pos, seq []int32
	var want []int8
	for i, text := range texts {
		for j, t := range text {
			tokens, pos, seq, want = append(tokens, t), append(pos, int32(j)), append(seq, int32(i)), append(want, 1)
		}
	}
	C.nl2sql_forget(v.c)
	if err := decode(v.c, tokens, pos, seq, want); err != nil {
		return nil, err
	}
	width := int(C.nl2sql_width(v.c))
	for i := range texts {
		at := C.nl2sql_embedding(v.c, C.int32_t(i))
		if at == nil {
			return nil, errors.New("llama.cpp made no vector")
		}
		out = append(out, append([]float32(nil), unsafe.Slice((*float32)(unsafe.Pointer(at)), width)...))
	}
	return out, nil
}

// Stop implements [Vectors].
func (v *vectors) Stop(stop bool) { v.stop.set(stop) }

// Free implements [Vectors].
func (v *vectors) Free() {
	C.nl2sql_free(v.c)
	v.stop.free()
}

// flag is a number that C reads while Go writes it. It lies in C's memory.
type flag struct{ c *C.int32_t }

func newFlag() flag { return flag{(*C.int32_t)(C.calloc(1, C.size_t(unsafe.Sizeof(C.int32_t(0)))))} }

func (f flag) set(on bool) {
	var number int32
	if on {
		number = 1
	}
	atomic.StoreInt32((*int32)(unsafe.Pointer(f.c)), number)
}

func (f flag) free() { C.free(unsafe.Pointer(f.c)) }
