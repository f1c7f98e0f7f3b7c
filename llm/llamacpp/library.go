package llamacpp

import (
	"fmt"
	"runtime/debug"
	"strings"

	"nl2sql/llm/llamacpp/engine"
)

// of is what the engine says; the zero value in a build without it.
func of[V any](says func(engine.Engine) V) (v V) {
	if e, err := engine.Open(); err == nil {
		v = says(e)
	}
	return v
}

// Version returns the commit of llama.cpp, or "" in a build without it.
func Version() string { return of(engine.Engine.Version) }

// ModuleVersion returns the version of the Go module github.com/ollama/ollama, whose package llama is llama.cpp here;
// "unknown" in a program without it.
func ModuleVersion() string {
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == "github.com/ollama/ollama" {
				if version = d.Version; d.Replace != nil {
					version = d.Replace.Version
				}
			}
		}
	}
	return version
}

// lanes is the version of our kernels' arithmetic, the same in all sets. Whoever changes a bit of a result raises it.
const lanes = 3

// Bits names what an evaluation's bits follow from, beside the model: the features that llama.cpp was compiled for, as
// it lists them, and the version of our kernels' arithmetic. Programs that say the same give the same bits on every
// processor and with every set of kernels. Kept prompts and run cards go by it. It is "" in a build without llama.cpp.
func Bits() string {
	e, err := engine.Open()
	if err != nil {
		return ""
	}
	s := e.Features()
	if e.KernelsUsed() {
		s += fmt.Sprintf(" LANES = %d |", lanes)
	}
	return s
}

// KernelSet is one of the sets of kernels that a build has.
type KernelSet = engine.KernelSet

// Kernels names the set of our kernels that computes products and attention: the one that was chosen, or the best that
// the processor and the system can run. It is "" in a build without the engine.
func Kernels() string { return of(engine.Engine.Kernels) }

// KernelSets lists the sets that this build has, the best first.
func KernelSets() []KernelSet { return of(engine.Engine.KernelSets) }

// ChooseKernels takes a set by its name; "" leaves the choice to the program. It is called before a model is opened.
func ChooseKernels(name string) error {
	if name == "" {
		return nil
	}
	e, err := engine.Open()
	if err != nil {
		return fmt.Errorf("no kernels %q: %w", name, err)
	}
	var names []string
	for _, s := range e.KernelSets() {
		if s.Name == name && !s.Runs {
			return fmt.Errorf("kernels %s: this processor or system cannot run them", name)
		}
		names = append(names, s.Name)
	}
	if !e.ChooseKernels(name) {
		return fmt.Errorf("no kernels %q: there are %s", name, strings.Join(names, ", "))
	}
	return nil
}

// Limits are what this machine does at most, with the kernels in use, on so many threads.
type Limits struct {
	Reading  float64 `json:"bytes_read_per_second"` // of memory as large as the weights
	Products float64 `json:"products_per_second"`   // of bytes, each added to a sum
}

// MeasureLimits measures them for about a second; bytes is how many weights there are to read. threads 0 means all
// cores. They are 0 in a build without the engine.
func MeasureLimits(threads int, bytes int64) Limits {
	e, err := engine.Open()
	if err != nil {
		return Limits{}
	}
	threads = threadsOf(threads)
	const most = 1 << 30 // no cache holds that much
	return Limits{Reading: e.MeasureReading(threads, min(bytes, most), 0.5), Products: e.MeasureProducts(threads, 0.3)}
}
