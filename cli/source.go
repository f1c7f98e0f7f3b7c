package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"nl2sql/assets"
	"nl2sql/cli/bundle"
	"nl2sql/llm"
	"nl2sql/llm/catalog"
	"nl2sql/llm/fetch"
	"nl2sql/llm/llamacpp"
	"nl2sql/llm/lora"
	"nl2sql/llm/openai"
	"nl2sql/runner"
	"nl2sql/sqlcheck/syntax"
)

// AdapterFlag is of commands that take a LoRA adapter.
type AdapterFlag struct {
	Adapter string `help:"LoRA adapter of the model: a GGUF file, the folder that PEFT saved, none, or auto: the built-in one of this very model, with the prompts that it was trained on. Default ${default}." default:"auto" env:"NL2SQL_ADAPTER" placeholder:"PATH" group:"Model:"`
}

// named is the adapter's path, or "" where the flag names none.
func (f AdapterFlag) named() string {
	if f.Adapter == "auto" || f.Adapter == "none" {
		return ""
	}
	return f.Adapter
}

// SourceFlags are of commands that look at a model.
type SourceFlags struct {
	Model string `help:"GGUF file, a name that model list shows, openai:URL#NAME for a model on a server, or replay:FILE for scripted replies." env:"NL2SQL_MODEL" placeholder:"MODEL" group:"Model:"`
	AdapterFlag
}

// WindowFlags are of commands that compare a model's memory with this machine's.
type WindowFlags struct {
	Context int    `help:"Window of the model in tokens; 0 means 8192, or the model's own if that is less." default:"0" placeholder:"N" range:"0.." group:"Model:"`
	KV      string `name:"kv" help:"Type of the model's keys and values: f16, or q8_0 or q4_0, which take less memory and are less exact." enum:"f16,q8_0,q4_0" default:"f16" placeholder:"TYPE" group:"Model:"`
}

// ParallelFlag is of commands whose model may work on several prompts at once.
type ParallelFlag struct {
	Parallel int `help:"Prompts that the model works on at once, each with a window of its own, 64 at most; 0, the default, is what fits into GPUs beside the model, else 1." default:"0" placeholder:"N" range:"0..64" group:"Model:"`
}

// maxParallel is how many prompts the engine works on at once.
const maxParallel = 64

// KernelsFlag is of commands that run the engine, or tell of it.
type KernelsFlag struct {
	Kernels string `help:"Kernels of the engine: amx, avx512, avxvnni, avx2, on ARM i8mm, dotprod, neon. All give the same bits; the default is the fastest here." env:"NL2SQL_KERNELS" placeholder:"NAME" group:"Model:"`
}

// Validate chooses them, before any model is loaded.
func (f *KernelsFlag) Validate() error { return llamacpp.ChooseKernels(f.Kernels) }

// EngineFlags are of commands that load a model of a file.
type EngineFlags struct {
	KernelsFlag
	Threads int    `help:"Most CPU threads of the model, of the physical cores that are idle; 0 means all of those." default:"0" placeholder:"N" range:"0.." group:"Model:"`
	Fast    bool   `help:"Some speed instead of the promise of the same answer beside other prompts (--parallel)." group:"Model:"`
	NoDraft bool   `help:"Never guess the next words of an answer from its prompt or grammar, even where that was measured to be faster." group:"Model:"`
	GPU     string `name:"gpu-layers" help:"Layers of the model that NVIDIA GPUs take, in builds of make cuda; auto, the default, means all that fit, 0 none." default:"auto" placeholder:"N" group:"Model:"`
}

// Validate makes wrong values usage errors.
func (f *EngineFlags) Validate() error {
	switch {
	case f.Threads > runtime.NumCPU():
		return fmt.Errorf("--threads: %d is not possible: this machine has %d processors", f.Threads, runtime.NumCPU())
	case f.gpuLayers() < llamacpp.AllThatFit:
		return errors.New("--gpu-layers must be a number of layers, or auto")
	}
	return nil
}

// gpuLayers is the value of --gpu-layers as the engine takes it, or less if it is wrong.
func (f *EngineFlags) gpuLayers() int {
	if f.GPU == "auto" {
		return llamacpp.AllThatFit
	}
	n, err := strconv.ParseUint(f.GPU, 10, 16)
	if err != nil {
		return llamacpp.AllThatFit - 1
	}
	return int(n)
}

// ModelFlags are of commands that ask a model.
type ModelFlags struct {
	SourceFlags
	WindowFlags
	ParallelFlag
	EngineFlags

	Rate int `help:"Most requests a minute to a model on a server; 0 sets no limit." default:"0" placeholder:"N" range:"0.." group:"Model:"`
}

// source is what --model and --adapter name: a file with the adapter to apply, a model on a server, or scripted
// replies.
type source struct {
	file    llm.GGUF
	adapter llm.Adapter // no Path if there is none
	remote  *openai.Model
	replay  *llm.Replay
}

// inProcess says that the model runs in this program.
func (s source) inProcess() bool { return s.remote == nil && s.replay == nil }

// source looks at what --model and --adapter name, and loads no weights: what is wrong is told before a database is
// opened. Where no model is named, it says which one it takes. o is of a model on a server.
func (f *SourceFlags) source(ctx context.Context, con *console, open *opened, o openai.Options) (source, error) {
	if f.Model == "" {
		model, why, err := guessed(ctx)
		if err != nil {
			return source{}, err
		}
		con.note(fmt.Sprintf("model %s, %s: nl2sql model use NAME chooses one", model.Name, why))
		f.Model = model.Path
	}
	s, err := findSource(ctx, f.Model, f.named(), o)
	if err == nil && f.Adapter == "auto" {
		s.adapter, err = bundledAdapter(ctx, s.file, adapterPart)
	}
	if err == nil && s.remote != nil {
		open.add(s.remote.Close)
	}
	return s, err
}

func (f *ModelFlags) remote() openai.Options {
	return openai.Options{Parallel: max(1, f.Parallel), PerMinute: f.Rate}
}

// guessed is the model that is meant where none is named: the only one in the cache, else the best one there that
// nl2sql model fetch knows, else the only one on this machine; and why.
func guessed(ctx context.Context) (model catalog.File, why string, err error) {
	all, err := usableModels(ctx)
	if err != nil {
		return model, "", err
	}
	ours := syntax.Filter(all, func(f catalog.File) bool { return f.Source == catalog.Own })
	switch {
	case len(ours) == 1:
		return ours[0], "the only one in the cache", nil
	case len(ours) == 0 && len(all) == 1:
		return all[0], "the only one on this machine", nil
	case len(all) == 0:
		return model, "", errors.New("no model: `nl2sql model fetch qwen2.5-coder-0.5b` gets one, 491 MB; or name " +
			"one with --model or NL2SQL_MODEL, see `nl2sql model list`")
	}
	larger := func(a, b fetch.Model) int { return cmp.Compare(b.File.Bytes, a.File.Bytes) } // and better
	for _, m := range slices.SortedFunc(slices.Values(fetch.Models), larger) {
		for _, f := range ours {
			if filepath.Base(f.Path) == filepath.Base(m.File.Name) {
				return f, fmt.Sprintf("the best known of %d in the cache", len(ours)), nil
			}
		}
	}
	return model, "", fmt.Errorf("no model chosen, and there are %d: nl2sql model use NAME chooses one, nl2sql model "+
		"list shows them", len(all))
}

// usableModels are the files on this machine that can answer questions. What cannot be read is none.
func usableModels(ctx context.Context) (usable []catalog.File, err error) {
	all, err := places()
	if err != nil {
		return nil, err
	}
	files, err := all.Files(ctx)
	for _, f := range files {
		if g, err := llm.ReadGGUF(f.Path); err == nil && f.Problem == "" {
			if _, err := llm.FindTemplate(g.ChatTemplate); err == nil {
				usable = append(usable, f)
			}
		}
	}
	if err != nil && len(usable) > 0 && ctx.Err() == nil {
		slog.Debug("some folders of models cannot be read", "err", err)
		err = nil
	}
	return usable, err
}

func findSource(ctx context.Context, model, adapter string, o openai.Options) (s source, err error) {
	url, remote := strings.CutPrefix(model, "openai:")
	file, scripted := strings.CutPrefix(model, "replay:")
	if adapter != "" && (remote || scripted) {
		return s, errors.New("--adapter needs a GGUF model: a server applies adapters of its own, scripted replies none")
	}
	if remote {
		named, err := openai.Parse(url)
		if err != nil {
			return s, fmt.Errorf("model: %w", err)
		}
		named.Key, named.Parallel, named.PerMinute = os.Getenv("NL2SQL_API_KEY"), o.Parallel, o.PerMinute
		if s.remote, err = openai.Open(ctx, named); err != nil {
			return s, fmt.Errorf("model: %w", err)
		}
		return s, nil
	}
	if scripted {
		text, err := readScripted(ctx, file)
		if err != nil {
			return s, fmt.Errorf("open model: %w", err)
		}
		s.replay = llm.NewReplay(text)
		return s, nil
	}
	if s.file, err = readModel(ctx, model); err == nil && adapter != "" {
		s.adapter, err = openAdapter(ctx, adapter, s.file)
	}
	return s, err
}

// readModel reads the header of the file that a name or path means.
func readModel(ctx context.Context, name string) (llm.GGUF, error) {
	file, err := findModel(ctx, name)
	if err != nil {
		return llm.GGUF{}, err
	}
	b, p, err := partOf(ctx, file, modelPart)
	if errors.Is(err, bundle.ErrNone) || errors.Is(err, os.ErrNotExist) {
		return llm.ReadGGUF(file)
	}
	if err != nil {
		return llm.GGUF{}, brief(err)
	}
	defer b.Close()
	return llm.ReadPlace(b.Place(p))
}

// findModel returns the path of a file, or of a model that model list shows.
func findModel(ctx context.Context, name string) (string, error) {
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	all, err := places()
	if err != nil {
		return "", err
	}
	f, err := all.Find(ctx, name)
	if errors.Is(err, catalog.ErrNotFound) && filepath.Ext(name) == ".gguf" {
		return name, nil // opening it says what is wrong
	}
	if err == nil {
		slog.Debug("model found", "name", f.Name, "source", f.Source, "path", f.Path)
	}
	return f.Path, err
}

// places are the folders where models are looked for.
func places() (catalog.Places, error) {
	cache, err := runner.CacheFolder()
	return catalog.DefaultPlaces(cache), err
}

// use is how the flags say that a model is to be run.
func use(window WindowFlags, parallel ParallelFlag) llm.Use {
	return llm.Use{Context: window.Context, Parallel: parallel.Parallel, KV: window.KV}
}

// spare is what windows may take, in bytes, that only draws after a failed query use.
const spare = 512 << 20

// load loads the weights of a source that is a file; closer is nil for other sources, and if there is an error.
// together are the calls of the model that one question makes at once, 0 means 1; draws are those after a failure, at
// once as far as memory is spared for that.
func (f *ModelFlags) load(
	ctx context.Context, con *console, s source, together, draws int,
) (model llm.Generator, closer func() error, err error) {
	switch {
	case s.replay != nil:
		return s.replay, nil, nil
	case s.remote != nil:
		return s.remote, nil, nil
	}
	prefixes := ""
	if cache, err := runner.CacheFolder(); err == nil {
		prefixes = filepath.Join(cache, "prefixes")
	} else { // of who has no home
		slog.Debug("what prompts begin with is not kept", "err", err)
	}
	bar := con.progress()
	defer bar.clear()
	o := engineOptions(con, bar, s, f.WindowFlags, f.EngineFlags)
	windows := max(1, f.Parallel) * max(1, together)
	if draws > windows {
		use := llm.Use{Context: f.Context, KV: f.KV, Parallel: windows}
		more := use
		more.Parallel++
		windows = min(draws, windows+int(spare/max(1, s.file.Memory(more)-s.file.Memory(use))))
	}
	o.Parallel, o.Prefixes = min(windows, maxParallel), prefixes
	o.Together = min(max(1, together), maxParallel)
	use := llm.Use{Context: f.Context, KV: f.KV, Parallel: o.Parallel}
	if f.Parallel == 0 {
		o.Parallel, o.Together = llamacpp.AllThatFit, o.Parallel
	}
	if err := fitsAddresses(s.file, use, catalog.AddressSpace); err != nil {
		return nil, nil, err
	}
	m, err := llamacpp.Open(ctx, s.file, o)
	if err != nil {
		return nil, nil, err
	}
	return m, m.Close, nil
}

// atOnce is how many questions the model works on at once.
func (f *ModelFlags) atOnce(model llm.Generator) int {
	if m, ok := model.(*llamacpp.Model); ok && f.Parallel == 0 {
		return m.Questions()
	}
	return max(1, f.Parallel)
}

// fitsAddresses refuses a model for which a limit of addresses leaves too few: it would run out of them while it is
// loaded, or later. The file is mapped beside what Memory counts, and each thread needs some.
func fitsAddresses(g llm.GGUF, use llm.Use, left func() (int64, bool)) error {
	const beside = 512 << 20
	have, limited := left()
	if need := g.Memory(use) + g.Bytes + beside; limited && have < need {
		return fmt.Errorf("model %s: it needs about %d MB of addresses, and the limit (ulimit -v) leaves %d MB: "+
			"raise it, or take a smaller model or --context", filepath.Base(g.Path), need>>20, have>>20)
	}
	return nil
}

// engineOptions are how the flags say that a model of a file is to be loaded, with progress shown on bar.
func engineOptions(con *console, bar *progress, s source, window WindowFlags, engine EngineFlags) llamacpp.Options {
	o := llamacpp.Options{
		Context: window.Context, KV: window.KV, Threads: engine.Threads, Fast: engine.Fast, NoDraft: engine.NoDraft,
		Adapter: s.adapter.Place(), GPU: engine.gpuLayers(), CUDA: cudaPlaces(),
		Warn:     func(line string) { bar.above(func() { con.warn(line) }) },
		Progress: func(done float64) { bar.show("loading the model %3.0f %%", 100*done) },
	}
	if slog.Default().Enabled(context.Background(), levelEngine) {
		o.Log = func(line string) { slog.Log(context.Background(), levelEngine, "llama.cpp: "+strings.TrimSpace(line)) }
	}
	return o
}

// cudaPlaces are where the library for NVIDIA GPUs may lie: what NL2SQL_CUDA names, or else beside the program or in
// the cache folder.
func cudaPlaces() []string {
	if place := os.Getenv("NL2SQL_CUDA"); place != "" {
		return []string{place}
	}
	var places []string
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		places = append(places, filepath.Dir(self), filepath.Join(filepath.Dir(self), "lib"))
	}
	if cache, err := runner.CacheFolder(); err == nil {
		places = append(places, filepath.Join(cache, "cuda"))
	}
	return places
}

// openAdapter checks an adapter against its base; a PEFT folder is converted into the cache.
func openAdapter(ctx context.Context, path string, base llm.GGUF) (llm.Adapter, error) {
	cache, err := runner.CacheFolder()
	if err != nil {
		return llm.Adapter{}, err
	}
	a, err := lora.Open(ctx, path, base, filepath.Join(cache, "adapters"))
	slog.Debug("adapter", "path", a.Path, "weights", len(a.Pairs))
	return a, err
}

// builtIn finds the built-in adapter of a model. Its Name is "" if there is none.
func builtIn(base llm.GGUF) (assets.Adapter, error) {
	all, err := assets.Adapters()
	if err != nil || base.Path == "" {
		return assets.Adapter{}, err
	}
	sum := sha256.New()
	if err := base.Place().Fingerprint(sum); err != nil {
		return assets.Adapter{}, fmt.Errorf("open model: %w", brief(err))
	}
	for _, a := range all {
		if a.Base == fmt.Sprintf("%x", sum.Sum(nil)) {
			return a, nil
		}
	}
	return assets.Adapter{}, nil
}

// unpackAdapter writes a built-in adapter into the cache, unless it is there with its very bytes, and checks it against
// its base.
func unpackAdapter(ctx context.Context, a assets.Adapter, base llm.GGUF) (llm.Adapter, error) {
	bundled, err := bundledAdapter(ctx, base, path.Join(builtInPart, a.SHA256))
	if err != nil || bundled.Path != "" {
		return bundled, err
	}
	cache, err := runner.CacheFolder()
	if err != nil {
		return llm.Adapter{}, err
	}
	file := filepath.Join(cache, "adapters", a.Name+"-"+a.SHA256[:16]+".gguf")
	if kept, err := os.ReadFile(file); err == nil && a.Is(kept) {
		return llm.ReadAdapter(file, base)
	}
	text, err := a.GGUF()
	if err != nil {
		return llm.Adapter{}, err
	}
	write := func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
	if err := lora.WriteFile(ctx, file, write); err != nil {
		return llm.Adapter{}, fmt.Errorf("unpack the adapter: %w", brief(err))
	}
	return llm.ReadAdapter(file, base)
}

// withPrompts is a source with the set that --prompts means for it: auto is what its built-in adapter was trained on,
// or default. Where the prompts are those of the built-in adapter, --adapter auto applies it; taught is false where the
// model is asked for more than SQL.
func (f *ModelFlags) withPrompts(ctx context.Context, s source, prompts string, taught bool) (source, string, error) {
	if f.Adapter == "auto" && taught && s.adapter.Path == "" {
		a, err := builtIn(s.file)
		if err != nil {
			return s, prompts, err
		}
		if a.Name != "" && (prompts == "auto" || prompts == a.Prompts) {
			s.adapter, err = unpackAdapter(ctx, a, s.file)
			return s, a.Prompts, err
		}
	}
	if prompts == "auto" {
		prompts = "default"
	}
	return s, prompts, nil
}
