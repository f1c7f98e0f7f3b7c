//go:build cgo && llamacpp

// Package llama compiles llama.cpp, from the C++ sources that the Go module github.com/ollama/ollama carries, and binds what
// nl2sql needs of llama.h. Only what can be reached is compiled: the module's own Go package would add a hundred model
// architectures, pictures and sound. Each C++ file here includes some of the module's.
package llama

/*
#cgo CXXFLAGS: -std=c++17
#include <stdlib.h>
#include "llama.h"

bool goLlamaProgress(float done, void *progress);
*/
import "C"

import (
	"fmt"
	"runtime/cgo"
	"unsafe"

	_ "github.com/ollama/ollama/version" // names the module, whose other Go packages are not used, in go.mod and in the program

	_ "nl2sql/llm/llamacpp/llama/ggml"
)

// Model is a loaded GGUF file.
type Model struct{ c *C.struct_llama_model }

// Load maps a GGUF file, with so many layers on GPUs, and tells progress what part of it is done. llama.cpp's log says why it
// cannot.
func Load(path string, gpuLayers int, progress func(done float32)) (*Model, error) {
	file := C.CString(path)
	defer C.free(unsafe.Pointer(file))
	handle := cgo.NewHandle(progress)
	defer handle.Delete()
	// C gets the handle's address in memory of its own: it may keep no pointer to Go's.
	user := (*cgo.Handle)(C.malloc(C.size_t(unsafe.Sizeof(handle))))
	defer C.free(unsafe.Pointer(user))
	*user = handle
	params := C.llama_model_default_params()
	params.n_gpu_layers = C.int32_t(gpuLayers)
	params.use_mmap = true
	params.progress_callback = C.llama_progress_callback(C.goLlamaProgress)
	params.progress_callback_user_data = unsafe.Pointer(user)
	c := C.llama_model_load_from_file(file, params)
	if c == nil {
		return nil, fmt.Errorf("llama.cpp cannot load %s", path)
	}
	return &Model{c}, nil
}

//export goLlamaProgress
func goLlamaProgress(done C.float, progress unsafe.Pointer) C.bool {
	(*cgo.Handle)(progress).Value().(func(float32))(float32(done))
	return true
}

// Pointer returns llama.cpp's own struct llama_model.
func (m *Model) Pointer() unsafe.Pointer { return unsafe.Pointer(m.c) }

// Free frees the model. Its contexts must be gone.
func (m *Model) Free() { C.llama_model_free(m.c) }

// NumVocab returns the number of tokens that there are.
func (m *Model) NumVocab() int { return int(C.llama_vocab_n_tokens(m.vocab())) }

// TokenIsEog reports whether a token ends an answer.
func (m *Model) TokenIsEog(token int) bool {
	return bool(C.llama_vocab_is_eog(m.vocab(), C.llama_token(token)))
}

// AddBOSToken reports whether the model wants a token at the beginning of texts.
func (m *Model) AddBOSToken() bool { return bool(C.llama_vocab_get_add_bos(m.vocab())) }

// Tokenize takes a text apart. addSpecial adds the tokens that begin and end texts; with parseSpecial, control tokens that are
// spelled out become such.
func (m *Model) Tokenize(text string, addSpecial, parseSpecial bool) ([]int, error) {
	in := C.CString(text)
	defer C.free(unsafe.Pointer(in))
	tokens := make([]C.llama_token, len(text)+2)
	for {
		n := C.llama_tokenize(m.vocab(), in, C.int32_t(len(text)), unsafe.SliceData(tokens), C.int32_t(len(tokens)), C.bool(addSpecial), C.bool(parseSpecial))
		switch {
		case n >= 0:
			out := make([]int, n)
			for i := range out {
				out[i] = int(tokens[i])
			}
			return out, nil
		case int(-n) <= len(tokens):
			return nil, fmt.Errorf("llama.cpp cannot take %d bytes of text apart", len(text))
		}
		tokens = make([]C.llama_token, -n)
	}
}

func (m *Model) vocab() *C.struct_llama_vocab { return C.llama_model_get_vocab(m.c) }

// ContextParams are the sizes of a context.
type ContextParams struct {
	Tokens    int    // of all sequences together
	Batch     int    // most tokens that are evaluated at once, of a sequence
	Sequences int    // most sequences
	Threads   int    // of an evaluation
	KV        string // type of keys and values: "f16" or "", "q8_0", "q4_0"
	Embeds    bool   // makes a vector of each sequence, by the pooling that the model's file names; a sequence lies within a batch
	Mean      bool   // of Embeds: the mean of all tokens' states instead
}

var kvTypes = map[string]C.enum_ggml_type{"": C.GGML_TYPE_F16, "f16": C.GGML_TYPE_F16, "q8_0": C.GGML_TYPE_Q8_0, "q4_0": C.GGML_TYPE_Q4_0}

// Context is what a model remembers of sequences. One goroutine at a time may use it.
type Context struct{ c *C.struct_llama_context }

// NewContext makes a context with flash attention. llama.cpp's log says why it cannot.
func NewContext(m *Model, p ContextParams) (*Context, error) {
	kv, ok := kvTypes[p.KV]
	if !ok {
		return nil, fmt.Errorf("no type %q of keys and values", p.KV)
	}
	params := C.llama_context_default_params()
	params.n_ctx = C.uint32_t(p.Tokens)
	params.n_batch = C.uint32_t(p.Batch * p.Sequences)
	params.n_ubatch = C.uint32_t(p.Batch)
	params.n_seq_max = C.uint32_t(p.Sequences)
	params.n_threads = C.int32_t(p.Threads)
	params.n_threads_batch = params.n_threads
	params.flash_attn_type = C.LLAMA_FLASH_ATTN_TYPE_ENABLED
	params.type_k, params.type_v = kv, kv
	if p.Embeds { // one memory for all sequences: they may then share a batch, whatever their lengths
		params.embeddings, params.kv_unified = true, true
		params.n_batch = params.n_ubatch
		if p.Mean {
			params.pooling_type = C.LLAMA_POOLING_TYPE_MEAN
		}
	}
	c := C.llama_init_from_model(m.c, params)
	if c == nil {
		return nil, fmt.Errorf("llama.cpp cannot make a context of %d tokens", p.Tokens)
	}
	return &Context{c}, nil
}

// Pointer returns llama.cpp's own struct llama_context.
func (c *Context) Pointer() unsafe.Pointer { return unsafe.Pointer(c.c) }

// Free frees the context.
func (c *Context) Free() { C.llama_free(c.c) }

// KvCacheClear forgets all sequences.
func (c *Context) KvCacheClear() { C.llama_memory_clear(C.llama_get_memory(c.c), true) }

// KvCacheSeqRm forgets the tokens of a sequence at positions from begin up to before end, -1 for all that follow. False says
// that the model cannot forget a part.
func (c *Context) KvCacheSeqRm(seq, begin, end int) bool {
	return bool(C.llama_memory_seq_rm(C.llama_get_memory(c.c), C.llama_seq_id(seq), C.llama_pos(begin), C.llama_pos(end)))
}

// Synchronize waits until all evaluations are done.
func (c *Context) Synchronize() { C.llama_synchronize(c.c) }
