// Package llamacpp runs GGUF models in process, on the CPU and, in builds for them, on NVIDIA GPUs: it takes prompts,
// shares one model among them, and draws answers. What llama.cpp does lies in package engine; README.md says how that
// is built and how to move to another llama.cpp.
package llamacpp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"nl2sql/llm"
	"nl2sql/llm/llamacpp/engine"
	"nl2sql/llm/prefix"
)

// Model is a loaded GGUF file with one context. Its methods are safe for concurrent use.
type Model struct {
	file     llm.GGUF
	template llm.Template
	model    engine.Model
	ctx      engine.Context
	gpu      string // what lies on GPUs; "" if nothing does
	window   int    // tokens that prompt and answer may have together
	together int    // calls of one question
	anyBatch bool   // a token may be evaluated in any batch: it gets the same bits in all, or fast mode was chosen
	chunk    int    // most tokens of a prompt in a batch
	grain    int    // without anyBatch, a prompt is read in batches of a multiple of it, from a multiple of it on
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

	// The scheduler's own, as is the context.
	slots   []slot
	back    bool // tokens can be removed from the end of a sequence
	most    int  // generated tokens that may share a batch
	pace    pace
	clock   func() time.Time // for pace
	queue   []*request       // wait for a slot, in the order in which they came
	reading *slot            // whose prompt is evaluated; nil if there is none
	layout  layout
	tree    *prefix.Tree // nil if none is kept
	saved   saved
	buf     []byte                  // the last state
	threads int                     // most to use
	look    func() (activity, bool) // what the machine does: fewer threads are used where it is busy
	seen    activity                // of the machine, when it was looked at last
}

// Open loads a model whose header was read and checked. If ctx ends first, it returns at once, and what was loaded
// is freed when llama.cpp comes back.
func Open(ctx context.Context, file llm.GGUF, o Options) (*Model, error) {
	e, err := engine.Open()
	if err != nil {
		return nil, err
	}
	name := filepath.Base(file.Path)
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
	o.Parallel, o.Together, o.KV = cmp.Or(o.Parallel, 1), max(o.Together, 1), cmp.Or(o.KV, llm.KVTypes[0])
	switch {
	case !slices.Contains(llm.KVTypes, o.KV): // the engine would take f16
		return nil, fmt.Errorf("model %s: no type %q of keys and values: there are %s", name, o.KV,
			strings.Join(llm.KVTypes, ", "))
	case o.Threads < 0:
		return nil, fmt.Errorf("model %s: %d threads", name, o.Threads)
	case o.Parallel < AllThatFit || o.Parallel > maxParallel || o.Together > maxParallel:
		return nil, fmt.Errorf("model %s: %d sequences at once: want 1 to %d", name, o.Parallel, maxParallel)
	}
	e.Listen(o.Log)

	type result struct {
		m   *Model
		err error
	}
	loaded := make(chan result, 1)
	go func() {
		o := o
		o.Context = window
		m, err := load(ctx, e, file, o)
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
		go r.m.run()
		return r.m, nil
	}
}

// load puts what fits on GPUs; where that fails all the same, the CPU does the work.
func load(ctx context.Context, e engine.Engine, file llm.GGUF, o Options) (*Model, error) {
	layers, gpus := offload(file, o)
	if o.Parallel == AllThatFit {
		o.Parallel = sequences(file, layers, FreeMemory(gpus), o)
	}
	if layers == 0 {
		return loadLayers(ctx, e, file, 0, "", o)
	}
	gpu := fmt.Sprintf("%d of %d layers on", layers, file.Layers+1)
	for i, d := range gpus {
		gpu += []string{" ", ", "}[min(i, 1)] + d.Description
	}
	m, err := loadLayers(ctx, e, file, layers, gpu, o)
	if err == nil || ctx.Err() != nil {
		return m, err
	}
	o.warn(fmt.Sprintf("no GPU is used: %d layers on it: %v", layers, err))
	return loadLayers(ctx, e, file, 0, "", o)
}

// loadLayers loads a model with so many layers on the GPUs that are named, and makes its context.
func loadLayers(
	ctx context.Context, e engine.Engine, file llm.GGUF, layers int, gpu string, o Options,
) (*Model, error) {
	seen, _ := readActivity()
	var told []engine.Matrix
	if layers == 0 {
		told = matrices(file)
	}
	lm, err := e.Load(file.Path, file.Start, layers, told, func(done float32) {
		if o.Progress != nil && ctx.Err() == nil {
			o.Progress(float64(done))
		}
	})
	if err != nil {
		return nil, err
	}
	by := llamaKernels
	if layers > 0 {
		by = gpuKernels
	} else if e.KernelsUsed() {
		by = ourKernels
	}
	m, err := fitted(lm, by, file.Place(), gpu, o)
	if err != nil {
		lm.Free()
		return nil, err
	}
	m.seen = seen
	return m, nil
}

// matrices are those that an answer's token is multiplied with.
func matrices(file llm.GGUF) (out []engine.Matrix) {
	for t := range file.Walked() {
		if number, known := llm.TypeNumber(t.Type); known && len(t.Shape) == 2 {
			out = append(out, engine.Matrix{Type: number, Row: t.Shape[0], Rows: t.Shape[1]})
		}
	}
	return out
}

// worker is whose kernels do a model's work.
type worker int

const (
	llamaKernels worker = iota // llama.cpp's, for processors
	ourKernels                 // all of it
	gpuKernels                 // some of it or all
)

// fitted is newModel with fewer sequences, down to those of a question, where a GPU has no memory for more after all.
func fitted(lm engine.Model, by worker, place llm.Place, gpu string, o Options) (*Model, error) {
	for want := o.Parallel; ; o.Parallel = max(o.Together, o.Parallel/2) {
		m, err := newModel(lm, by, place, gpu, o)
		if err == nil && o.Parallel < want {
			o.warn(fmt.Sprintf("the GPU has memory for %d of %d sequences: others wait", o.Parallel, want))
		}
		if err == nil || by != gpuKernels || o.Parallel <= o.Together {
			return m, err
		}
	}
}

// newModel makes the context of a loaded model, of which it becomes the owner unless it fails. place is where the
// model lies, gpu what of it lies on GPUs. Of o, Context and Parallel are positive.
func newModel(lm engine.Model, by worker, place llm.Place, gpu string, o Options) (*Model, error) {
	grain, most := block, chunk
	switch {
	case by == gpuKernels && o.Fast:
		most = gpuChunk
	case by == gpuKernels:
		grain, o.NoDraft = chunk, true
	}
	threads := threadsOf(o.Threads)
	lc, err := lm.NewContext(engine.Params{Tokens: (o.Context + grain - 1) / grain * grain * o.Parallel, Batch: most,
		Sequences: o.Parallel, Threads: threads, KV: o.KV,
		Adapter: o.Adapter.Path, AdapterStart: o.Adapter.Start})
	if err != nil {
		return nil, err
	}
	m := &Model{model: lm, ctx: lc, gpu: gpu, window: o.Context, anyBatch: o.Fast, chunk: most, grain: grain,
		clock: time.Now, drafts: !o.NoDraft, threads: threads, look: readActivity,
		submit: make(chan *request), tasks: make(chan func()), closing: make(chan struct{}), done: make(chan struct{}),
		slots: make([]slot, o.Parallel), together: o.Together}
	for i := range m.slots {
		m.slots[i].id = i
	}
	if err := m.probe(by, place, o); err != nil {
		lc.Free()
		return nil, err
	}
	return m, nil
}

// File returns what the model file's header says.
func (m *Model) File() llm.GGUF { return m.file }

// Window returns the number of tokens that prompt and answer may have together.
func (m *Model) Window() int { return m.window }

// Parallel implements [llm.Parallel].
func (m *Model) Parallel() int { return len(m.slots) }

// Questions is how many questions of Options.Together calls it works on at once.
func (m *Model) Questions() int { return max(1, len(m.slots)/max(1, m.together)) }

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
	m.model.Free()
}

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
