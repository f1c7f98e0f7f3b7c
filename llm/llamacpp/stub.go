//go:build !(cgo && llamacpp)

// Package llamacpp runs GGUF models in process through llama.cpp.
// This is the build without the engine: every call fails with [ErrNotBuilt].
package llamacpp

import (
	"context"
	"fmt"
	"time"

	"nl2sql/llm"
)

const gpuBuild = false

func loadGPUs(string) ([]GPU, error) { return nil, ErrNoGPU }

// Model is a loaded GGUF file.
type Model struct{}

// Open fails: this build has no engine.
func Open(ctx context.Context, path string, o Options) (*Model, error) { return nil, ErrNotBuilt }

// Generate implements [llm.Generator].
func (*Model) Generate(context.Context, []llm.Message, llm.Params) (llm.Completion, error) {
	return llm.Completion{}, ErrNotBuilt
}

// Score implements [llm.Scorer].
func (*Model) Score(context.Context, []llm.Message, string) (llm.Completion, error) {
	return llm.Completion{}, ErrNotBuilt
}

// Speed fails: this build has no engine.
func (*Model) Speed(ctx context.Context, prompt, answer int) (time.Duration, error) {
	return 0, ErrNotBuilt
}

// SpeedOfRepeating fails: this build has no engine.
func (*Model) SpeedOfRepeating(ctx context.Context, answer int) (llm.Completion, error) {
	return llm.Completion{}, ErrNotBuilt
}

// Parallel implements [llm.Parallel].
func (*Model) Parallel() int { return 1 }

// GPU returns "": there is none.
func (*Model) GPU() string { return "" }

// Close does nothing.
func (*Model) Close() error { return nil }

// Embedder makes vectors of texts.
type Embedder struct{}

// OpenEmbedder fails: this build has no engine.
func OpenEmbedder(ctx context.Context, path string, o Options) (*Embedder, error) {
	return nil, ErrNotBuilt
}

// Embedder fails: this build has no engine.
func (*Model) Embedder() (*Embedder, error) { return nil, ErrNotBuilt }

// Embed implements [llm.Embedder].
func (*Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return nil, ErrNotBuilt
}

// Embedding implements [llm.Embedder].
func (*Embedder) Embedding() string { return "" }

// Close does nothing.
func (*Embedder) Close() error { return nil }

// Quantize fails: this build has no engine.
func Quantize(ctx context.Context, in, out, kind string, progress func(done float64)) error {
	if _, err := quantization(kind); err != nil {
		return err
	}
	return ErrNotBuilt
}

// Dequantize fails: this build has no engine.
func Dequantize(kind string, from []byte, to []float32) error { return ErrNotBuilt }

// Version returns "": there is no llama.cpp in this build.
func Version() string { return "" }

// Bits returns "": there is no llama.cpp in this build.
func Bits() string { return "" }

// Kernels returns "": there are none in this build.
func Kernels() string { return "" }

// KernelSet is one of the sets of kernels of builds with an engine.
type KernelSet struct {
	Name string
	Runs bool // here
}

// KernelSets returns nothing.
func KernelSets() []KernelSet { return nil }

// Limits are what a machine does at most.
type Limits struct{ Reading, Products float64 }

// MeasureLimits returns zeros.
func MeasureLimits(threads int, bytes int64) Limits { return Limits{} }

// ChooseKernels takes "" alone.
func ChooseKernels(name string) error {
	if name == "" {
		return nil
	}
	return fmt.Errorf("no kernels %q: %w", name, ErrNotBuilt)
}
