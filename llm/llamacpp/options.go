package llamacpp

import (
	"errors"

	"nl2sql/llm"
	"nl2sql/llm/llamacpp/engine"
)

// ErrNotBuilt is returned by builds without the engine: those without cgo or without the build tag llamacpp.
var ErrNotBuilt = engine.ErrNotBuilt

// ErrNoGPU is returned where the program was built without support for GPUs.
var ErrNoGPU = errors.New("this build has no GPU support: make cuda builds one that has")

// AllThatFit makes Open put as many layers on GPUs, or work on as many sequences there, as are estimated to fit.
const AllThatFit = -1

// Options of Open. The zero value is right for one user on a CPU.
type Options struct {
	Context int // window of a sequence in tokens; 0 means 8192 or the model's own, whichever is less
	// sequences that are worked on together, each with a window of its own; 0 means 1. AllThatFit means what fits into
	// GPUs beside all layers of the model, in steps of Together, and Together elsewhere
	Parallel int
	Together int    // sequences of one question; 0 means 1
	Fast     bool   // gives up the promise of the same bits for some speed; see README.md
	KV       string // type of keys and values, one of llm.KVTypes; "" means the first
	// evaluates one token of an answer at a time, even where drafts were measured to be faster
	NoDraft bool
	// most bytes of prompt beginnings that are kept beside the windows; 0 means 1 GiB, less than 0 none
	Cache int64
	// folder where they lie for the next process, in files of up to 256 MiB, 1 GiB in all; "" means nowhere
	Prefixes string
	Threads  int // most to use, of the physical cores that are idle, looked up as it works; 0 means all of them
	// layers that are put on GPUs, counted from the model's end; AllThatFit chooses, 0 uses the CPU alone
	GPU  int
	CUDA []string // where the library for NVIDIA GPUs is looked for: folders, or the file itself
	// receives what the user should know, such as that the CPU answers instead of a GPU; nil drops it
	Warn     func(line string)
	Adapter  llm.Place          // a GGUF LoRA that llm.ReadAdapter accepts; the zero Place means none
	Progress func(done float64) // called while loading, done in [0,1]; may be nil
	Log      func(line string)  // receives llama.cpp's log lines, from any thread; nil drops them
}
