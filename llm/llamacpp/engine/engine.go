// Package engine is llama.cpp in the process: the Go package github.com/ollama/ollama/llama, what that leaves out of
// llama.cpp, and kernels of ours. No other package of nl2sql calls C for it.
//
// It knows models, contexts, tokens, logits and states, and nothing of prompts and answers: those are llamacpp's,
// which uses what this file says, and whose tests put something else in its place. Builds without cgo or without the
// build tag llamacpp have this file and an Open that fails. Begin reading with llama.go.
package engine

import (
	"context"
	"errors"
	"fmt"
)

// ErrNotBuilt is returned by builds without the engine: those without cgo or without the build tag llamacpp.
var ErrNotBuilt = errors.New("this build has no model engine: build with make, or use --model replay:FILE")

// Engine is what this build has. Its log, its kernels and its list of GPUs are the process's. Its methods are safe for
// concurrent use, but for the choice of kernels, which is made before a model is loaded.
type Engine interface {
	Version() string  // commit of llama.cpp
	Features() string // of the processor, that it was compiled for, as llama.cpp lists them
	Listen(sink func(line string))
	// Load maps a GGUF file, or one that begins start bytes behind the beginning of a file. For matrices that are told
	// memory is made ready early.
	Load(path string, start int64, gpuLayers int, told []Matrix, progress func(done float32)) (Model, error)
	Quantize(ctx context.Context, in, out string, fileType uint32, threads int, progress func(done float64)) error
	Dequantize(kind uint32, from []byte, to []float32) bool // reports whether it can
	GPUs(library, version string) ([]GPU, error)

	Kernels() string // the name of the set that is used
	KernelSets() []KernelSet
	ChooseKernels(name string) bool // reports whether this machine can run that set
	UseKernels(use bool)            // by models that are loaded from now on; without, llama.cpp's own do the work
	KernelsUsed() bool
	MeasureReading(threads int, bytes int64, seconds float64) float64 // bytes read a second
	MeasureProducts(threads int, seconds float64) float64             // products of bytes a second
}

// Matrix is the form of a matrix of weights.
type Matrix struct {
	Type      uint32 // ggml's number
	Row, Rows int64  // weights of a row; rows
}

// GPU is a device that layers can be put on.
type GPU struct {
	Name        string // ggml's, "CUDA0"
	Description string // the maker's
	Free, Total int64  // bytes of memory
}

// KernelSet is one of the sets of kernels that a build has.
type KernelSet struct {
	Name string
	Runs bool // here
}

// Model is a loaded GGUF file. Its methods are safe for concurrent use, but for Free, before which its contexts must
// be free.
type Model interface {
	NumVocab() int
	TokenIsEog(token int) bool // whether it ends an answer
	AddBOSToken() bool         // whether texts begin with BOS
	BOS() (token int32, ok bool)
	// Tokenize takes a text apart. addSpecial adds the tokens that begin and end texts; with parseSpecial, control
	// tokens that are spelled out become such.
	Tokenize(text string, addSpecial, parseSpecial bool) ([]int, error)
	Piece(token int32) string // the token's text, maybe a part of a character; "" of control tokens
	NewContext(Params) (Context, error)
	NewVectors(VectorParams) (Vectors, error)
	Free()
}

// Params are the sizes of a context.
type Params struct {
	Tokens    int    // of all sequences together
	Batch     int    // most tokens that are evaluated at once, of a sequence
	Sequences int    // most sequences
	Threads   int    // of an evaluation
	KV        string // type of keys and values: "f16", "q8_0", "q4_0"
	Adapter   string // a GGUF LoRA that is applied for good; "" means none
	// where it begins in its file, bytes
	AdapterStart int64
}

// Context is what a model remembers of sequences. One goroutine at a time may use it, but for Stop.
type Context interface {
	Window() int // tokens of a sequence
	// Decode evaluates tokens, each at a position of a sequence, and keeps the logits after those that want them.
	// An error is an *EvaluationError.
	Decode(tokens, pos, seq []int32, want []int8) error
	// Logits returns those after the i-th token of the last Decode, valid until the next, or nil; -1 means the last
	// token.
	Logits(i int) []float32
	KvCacheClear() // forgets all sequences
	// KvCacheSeqRm forgets the tokens of a sequence at positions from begin up to before end, -1 for all that follow.
	// False says that the model cannot forget a part.
	KvCacheSeqRm(seq, begin, end int) bool
	// State writes what the context holds of a sequence, into buf if that is large enough; nil if it cannot.
	State(seq int, buf []byte) []byte
	SetState(seq int, state []byte) bool // puts what State wrote in the place of a sequence
	Synchronize()                        // waits until all evaluations are done
	SetThreads(n int)
	Stop(stop bool) // true makes Decode fail soon, false lets the next one work
	Free()
}

// EvaluationError says why tokens were not evaluated.
type EvaluationError struct {
	Code   int    // llama_decode's
	Broken bool   // nobody knows what state the context is in
	Why    string // ": " and llama.cpp's first error line, or ""
}

func (e *EvaluationError) Error() string { return fmt.Sprintf("code %d%s", e.Code, e.Why) }

// VectorParams are the sizes of a context that makes vectors.
type VectorParams struct {
	Tokens  int  // of all texts of a batch together
	Texts   int  // most texts of a batch
	Threads int  // of an evaluation
	Mean    bool // takes the mean of all tokens' states instead of what the model's file names
}

// Vectors makes vectors of texts. One goroutine at a time may use it, but for Stop.
type Vectors interface {
	// Embed returns the vector of each text. An error is an *EvaluationError.
	Embed(texts [][]int32) ([][]float32, error)
	Stop(stop bool) // true makes Embed fail soon, false lets the next one work
	Free()
}
