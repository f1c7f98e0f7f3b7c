package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"nl2sql/cli/bundle"
	"nl2sql/llm"
	"nl2sql/llm/catalog"
	"nl2sql/llm/fetch"
	"nl2sql/llm/llamacpp"
	"nl2sql/llm/lora"
	"nl2sql/llm/openai"
	"nl2sql/runner"
	"nl2sql/runner/render"
)

type modelCmd struct {
	Fetch    modelFetchCmd    `cmd:"" help:"Get a model, checked by its SHA-256, into the cache folder; without a name, list those that there are."`
	Use      modelUseCmd      `cmd:"" help:"Choose the model of commands that are not told --model, in the settings file."`
	List     modelListCmd     `cmd:"" help:"List the models on this machine: in the folders of $NL2SQL_MODELS and in the caches of nl2sql, Ollama, LM Studio and Hugging Face."`
	Info     modelInfoCmd     `cmd:"" help:"Check a GGUF file and print what its header says."`
	Bench    modelBenchCmd    `cmd:"" help:"Measure the model of --model: speed of prompts and answers, alone and together, and memory."`
	Merge    modelMergeCmd    `cmd:"" help:"Add the LoRA adapter of --adapter to its base model's weights and write them as a GGUF file."`
	Quantize modelQuantizeCmd `cmd:"" help:"Write a GGUF file with its weights in another type."`
}

type modelFetchCmd struct {
	Name string `arg:"" optional:"" help:"One of the list."`
}

// Run prints the path of the model's file. What was broken off goes on from there.
func (c *modelFetchCmd) Run(ctx context.Context, con *console) error {
	folder, err := runner.CacheFolder()
	if err != nil {
		return err
	}
	bar := con.progress()
	defer bar.clear()
	cache := fetch.Cache{
		Dir: folder, Say: func(line string) { bar.above(func() { con.note(line) }) },
		Progress: func(what string, done, total int64) {
			bar.show("%s  %s of %s  %d %%", what, fetch.Size(done), fetch.Size(total), 100*done/total)
		},
	}
	if c.Name == "" {
		list := runner.Result{Columns: []string{"name", "size", "licence", "good for", "fetched"}}
		for _, m := range fetch.Models {
			fetched := "no"
			if cache.Have(m.File) {
				fetched = "yes"
			}
			list.Rows = append(list.Rows, []any{m.Name, fetch.Size(m.File.Bytes), m.Licence, m.Note, fetched})
		}
		return con.table(list, con.format("auto"))
	}
	m, err := fetch.Find(c.Name)
	if err != nil {
		return failure{exitUsage, err}
	}
	sources, err := fetch.Sources(fetch.Hub, fetch.Packages)
	if err != nil {
		return failure{exitUsage, err}
	}
	path, err := cache.Model(ctx, m, sources)
	if err != nil {
		return err
	}
	bar.clear()
	_, err = fmt.Fprintln(con, path)
	return err
}

type modelInfoCmd struct {
	File string `arg:"" help:"GGUF file, or a name that model list shows."`
}

// Run prints a line a fact; what the file does not say is left out.
func (c *modelInfoCmd) Run(ctx context.Context, con *console) error {
	g, err := readModel(ctx, c.File)
	if err != nil {
		return err
	}
	template, err := llm.FindTemplate(g.ChatTemplate)
	chat := template.Name
	if err != nil {
		chat = "none: " + err.Error()
	}
	res := runner.Result{Columns: []string{"fact", "value"}}
	for _, fact := range []struct{ name, value string }{
		{"name", g.Name},
		{"architecture", g.Architecture},
		{"parameters", fmt.Sprintf("%.1f million in %d tensors", float64(g.Parameters)/1e6, len(g.Tensors))},
		{"quantization", g.Quantization},
		{"layers", strconv.Itoa(g.Layers)},
		{"context", fmt.Sprintf("%d tokens", g.Context)},
		{"vocabulary", fmt.Sprintf("%d tokens, %s", g.Vocabulary, g.Tokenizer)},
		{"chat template", chat},
		{"licence", g.Licence},
		{"size", fmt.Sprintf("%d bytes", g.Bytes)},
	} {
		if fact.value != "" {
			res.Rows = append(res.Rows, []any{fact.name, fact.value})
		}
	}
	return con.table(res, con.format("auto"))
}

type modelUseCmd struct {
	Name string `arg:"" help:"What --model takes: a name that model list shows, a file, or openai:URL#NAME."`
	ProfileFlag
}

// Run looks at the model first. A name that is found again from every folder is kept as it is.
func (c *modelUseCmd) Run(ctx context.Context, con *console, set *set) error {
	name := c.Name
	switch {
	case strings.HasPrefix(name, "replay:"):
		name = "replay:" + bundle.Absolute(strings.TrimPrefix(name, "replay:"))
	case !strings.HasPrefix(name, "openai:"):
		if _, err := readModel(ctx, name); err != nil {
			return err
		}
		if _, err := os.Stat(name); err == nil {
			name = bundle.Absolute(name)
		}
	}
	return set.keep(con, "model", name)
}

type modelListCmd struct {
	Format string `help:"table, plain (tab-separated) or json; auto, the default, is table on a terminal, else plain." enum:"auto,table,plain,json" default:"auto" placeholder:"FORMAT"`
	WindowFlags
	ParallelFlag
}

// listedModel is a line of the list. What the file's header does not say, or could not be read, is left out.
type listedModel struct {
	Name         string `json:"name"` // what --model takes
	Source       string `json:"source"`
	Path         string `json:"path"`
	Architecture string `json:"architecture,omitempty"`
	Parameters   int64  `json:"parameters,omitempty"`
	Bytes        int64  `json:"bytes,omitempty"`
	Quantization string `json:"quantization,omitempty"`
	Context      int    `json:"context,omitempty"` // tokens
	Template     string `json:"template,omitempty"`
	Memory       int64  `json:"memory_bytes,omitempty"` // estimate, with --context, --parallel and --kv
	Fits         *bool  `json:"fits,omitempty"`         // in the memory that is free now
	GPU          string `json:"gpu,omitempty"`          // how many layers fit into GPUs, where there are any
	Problem      string `json:"problem,omitempty"`      // why it cannot be run
}

// Run reads the header of every file. It fails only if a folder of NL2SQL_MODELS cannot be read, after the list.
func (c *modelListCmd) Run(ctx context.Context, con *console) error {
	all, err := places()
	if err != nil {
		return err
	}
	bar := con.progress()
	files, problems := all.Files(ctx)
	free, known := catalog.FreeMemory()
	_, gpus, why := llamacpp.FindGPUs(cudaPlaces())
	if why != nil {
		slog.Debug("no GPU", "why", why)
	}
	list := []listedModel{} // JSON: [], not null
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		bar.show("reading %s", f.Name)
		list = append(list, describeModel(f, use(c.WindowFlags, c.ParallelFlag), free, known, gpus))
	}
	bar.clear()
	switch format := con.format(c.Format); {
	case format == render.JSON:
		err = writeObject(con, list)
	case len(list) > 0:
		err = con.table(modelTable(list), format)
	case problems == nil:
		con.note("no models: nl2sql model fetch lists some to get; or name folders of GGUF files in NL2SQL_MODELS")
	}
	if err != nil {
		return err
	}
	return problems
}

func describeModel(f catalog.File, use llm.Use, free int64, known bool, gpus []llamacpp.GPU) listedModel {
	m := listedModel{Name: f.Name, Source: f.Source, Path: f.Path, Problem: f.Problem}
	g, err := llm.ReadGGUF(f.Path)
	if err != nil {
		m.Problem = strings.TrimPrefix(err.Error(), "model "+filepath.Base(f.Path)+": ")
		return m
	}
	m.Architecture, m.Parameters, m.Bytes, m.Quantization, m.Context = g.Architecture, g.Parameters, g.Bytes,
		g.Quantization, g.Context
	m.Memory = g.Memory(use)
	if known {
		fits := m.Memory <= free
		m.Fits = &fits
	}
	if len(gpus) > 0 {
		m.GPU = gpuShare(g, use, gpus)
	}
	t, err := llm.FindTemplate(g.ChatTemplate)
	if m.Template = t.Name; err != nil && m.Problem == "" {
		m.Problem = err.Error()
	}
	return m
}

// modelTable is the list for people: a model that does not run says why.
func modelTable(list []listedModel) runner.Result {
	res := runner.Result{Columns: []string{"name", "source", "architecture", "size", "quantization", "context",
		"template", "memory", "runs"}}
	for _, m := range list {
		runs := "yes"
		switch {
		case m.Problem != "":
			runs = "no: " + m.Problem
		case m.Fits == nil:
			runs = "if memory is enough"
		case !*m.Fits:
			runs = "no: less memory is free"
		}
		if m.Problem == "" && m.GPU != "" {
			runs += ", on GPU: " + m.GPU
		}
		row := []any{m.Name, m.Source, m.Architecture, "", m.Quantization, "", m.Template, "", runs}
		if m.Bytes > 0 {
			row[3], row[5], row[7] = gigabytes(m.Bytes), int64(m.Context), gigabytes(m.Memory)
		}
		res.Rows = append(res.Rows, row)
	}
	return res
}

func gigabytes(n int64) string { return fmt.Sprintf("%.2f GB", float64(n)/1e9) }

type modelMergeCmd struct {
	Base string `required:"" help:"Model that the adapter was trained on: a GGUF file, or a name that model list shows." placeholder:"MODEL"`
	Type string `help:"Quantization to write, such as F16, Q8_0, Q6_K or Q4_K_M (${default})." default:"Q4_K_M" placeholder:"TYPE"`
	Out  string `required:"" help:"File to write; it must not exist." placeholder:"FILE"`
	AdapterFlag
}

func (c *modelMergeCmd) Validate() error { return quantization(&c.Type) }

// Run merges.
func (c *modelMergeCmd) Run(ctx context.Context, con *console) error {
	base, err := readModel(ctx, c.Base)
	if err != nil {
		return err
	}
	adapter, err := c.adapter(ctx, base)
	if err != nil {
		return err
	}
	return writeModel(con, c.Out,
		func(w lora.Writer) (llm.GGUF, error) { return w.Merge(ctx, base, adapter, c.Type, c.Out) })
}

func (c *modelMergeCmd) adapter(ctx context.Context, base llm.GGUF) (llm.Adapter, error) {
	if path := c.named(); path != "" {
		return openAdapter(ctx, path, base)
	}
	a, err := builtIn(base)
	switch {
	case err != nil:
		return llm.Adapter{}, err
	case c.Adapter == "none" || a.Name == "":
		return llm.Adapter{},
			failure{exitUsage,
				errors.New("--adapter is missing: what is to be merged (none is built in for this model)")}
	}
	return unpackAdapter(ctx, a, base)
}

type modelQuantizeCmd struct {
	In   string `required:"" help:"GGUF file, or a name that model list shows." placeholder:"MODEL"`
	Type string `required:"" help:"Quantization to write, such as F16, Q8_0, Q6_K or Q4_K_M." placeholder:"TYPE"`
	Out  string `required:"" help:"File to write; it must not exist." placeholder:"FILE"`
}

func (c *modelQuantizeCmd) Validate() error { return quantization(&c.Type) }

// Run writes the model's weights in another type.
func (c *modelQuantizeCmd) Run(ctx context.Context, con *console) error {
	in, err := readModel(ctx, c.In)
	if err != nil {
		return err
	}
	return writeModel(con, c.Out, func(w lora.Writer) (llm.GGUF, error) { return w.Convert(ctx, in, c.Type, c.Out) })
}

// quantization makes the letters of a type upper case and checks that it can be written.
func quantization(name *string) error {
	upper := strings.ToUpper(*name)
	if *name != "" && !slices.Contains(llamacpp.Quantizations, upper) {
		return fmt.Errorf("--type %s: there are %s", *name, strings.Join(llamacpp.Quantizations, ", "))
	}
	*name = upper
	return nil
}

// writeModel shows how write gets on, and says what it wrote.
func writeModel(con *console, out string, write func(lora.Writer) (llm.GGUF, error)) error {
	if llamacpp.Version() == "" {
		return llamacpp.ErrNotBuilt
	}
	bar := con.progress()
	g, err := write(lora.Writer{
		Dequantize: llamacpp.Dequantize, Quantize: llamacpp.Quantize,
		Progress: func(step string, done float64) { bar.show("%s %3.0f %%", step, 100*done) },
	})
	bar.clear()
	if err != nil {
		return brief(err)
	}
	_, err = fmt.Fprintf(con, "wrote %s: %s, %s\n", out, g.Quantization, gigabytes(g.Bytes))
	return err
}

// modelBenchCmd measures prompts and answers as llama-bench does (pp and tg): random tokens after a warm-up, each
// answer from an empty window.
type modelBenchCmd struct {
	PromptTokens int    `help:"Tokens of a prompt (${default})." default:"512" placeholder:"N" range:"100.."`
	Tokens       int    `help:"Tokens of an answer (${default})." default:"32" placeholder:"N" range:"2.."`
	Rounds       int    `help:"Rounds; the median counts (${default})." default:"3" placeholder:"N" range:"1.."`
	Sequences    []int  `help:"Numbers of prompts that are worked on at once (${default})." default:"1,4,8" placeholder:"N" range:"1..64"`
	Format       string `help:"table, plain (tab-separated) or json; auto, the default, is table on a terminal, else plain." enum:"auto,table,plain,json" default:"auto" placeholder:"FORMAT"`
	ProfileFlag
	SourceFlags
	WindowFlags
	EngineFlags
}

// benchmark is what model bench measures: medians of the rounds.
type benchmark struct {
	Model        string          `json:"model"`
	Quantization string          `json:"quantization"`
	Parameters   int64           `json:"parameters"`
	LlamaCPP     string          `json:"llama_cpp"`
	Bits         string          `json:"bits"`    // what an answer's bits follow from, beside the model
	Kernels      string          `json:"kernels"` // the set that was used
	Processors   int             `json:"processors"`
	Threads      int             `json:"threads"` // 0: those that are idle
	Fast         bool            `json:"fast"`
	NoDraft      bool            `json:"no_draft,omitempty"`
	KV           string          `json:"kv"`
	GPU          string          `json:"gpu,omitempty"` // how many layers lie on which GPUs
	Rounds       int             `json:"rounds"`
	PromptTokens int             `json:"prompt_tokens"`
	Load         time.Duration   `json:"load_ns"`
	Prompt       float64         `json:"prompt_tokens_per_second"` // nothing cached
	FirstCold    time.Duration   `json:"first_token_cold_ns"`
	FirstWarm    time.Duration   `json:"first_token_warm_ns"` // another question about the same schema
	Reused       float64         `json:"reused"`              // share of that prompt's tokens
	Generation   []scaling       `json:"generation"`
	Repeating    repeating       `json:"repeating"`
	Limits       llamacpp.Limits `json:"limits"`
	PromptShare  float64         `json:"prompt_share"` // of the products that the machine could do
	AnswerShare  float64         `json:"answer_share"` // of the bytes that the machine could read, alone
	// most that was resident; 0 if the system does not tell
	Memory int64 `json:"memory_bytes,omitempty"`
}

// scaling is the speed of all answers together.
type scaling struct {
	Sequences int     `json:"sequences"`
	Speed     float64 `json:"tokens_per_second"`
}

// repeating is the speed of an answer that repeats its prompt: the most that drafts bring.
type repeating struct {
	Speed    float64 `json:"tokens_per_second"`
	Drafted  float64 `json:"drafted"` // share of the answer's tokens that were guessed before they were drawn
	Accepted float64 `json:"accepted"`
}

// Run measures the model of --model, alone in this process.
func (c *modelBenchCmd) Run(ctx context.Context, con *console, open *opened) error {
	s, err := c.source(ctx, con, open, openai.Options{})
	if err != nil {
		return err
	}
	if s.file.Path == "" {
		return failure{exitUsage, errors.New("model bench measures GGUF files: name one with --model")}
	}
	needed := min(s.file.Context, 2*c.PromptTokens+2*c.Tokens+256) // so that memory holds many
	bar := con.progress()
	defer bar.clear()
	began := time.Now()
	o := engineOptions(con, bar, s, c.WindowFlags, c.EngineFlags)
	o.Context, o.Parallel = cmp.Or(c.Context, needed), slices.Max(c.Sequences)
	m, err := llamacpp.Open(ctx, s.file, o)
	if err != nil {
		return err
	}
	open.add(m.Close)
	b := benchmark{Model: s.file.Path, Quantization: s.file.Quantization, Parameters: s.file.Parameters,
		LlamaCPP: llamacpp.Version(), Bits: llamacpp.Bits(), Kernels: llamacpp.Kernels(), Processors: runtime.NumCPU(),
		Threads: c.Threads, Fast: c.Fast, NoDraft: c.NoDraft, KV: c.KV, GPU: m.GPU(), Rounds: c.Rounds,
		PromptTokens: c.PromptTokens, Load: time.Since(began)}
	if err := c.prompts(ctx, m, &b, bar); err != nil {
		return err
	}
	for _, n := range c.Sequences {
		bar.show("%d answers at once", n)
		speed, err := c.answers(ctx, m, n)
		if err != nil {
			return err
		}
		b.Generation = append(b.Generation, scaling{n, speed})
	}
	bar.show("an answer that repeats its prompt")
	if b.Repeating, err = c.repeat(ctx, m); err != nil {
		return err
	}
	b.Memory = catalog.PeakMemory()
	if m.GPU() == "" { // the limits are those of processors
		bar.show("the machine's limits")
		weights, _ := s.file.Walk()
		b.compare(s.file, llamacpp.MeasureLimits(c.Threads, weights))
	}
	bar.clear()
	if format := con.format(c.Format); format != render.JSON {
		return con.table(b.table(), format)
	}
	return writeObject(con, b)
}

// compare compares the speeds with what the machine could do. Only a prompt's last token goes through the output, so
// that a prompt does not multiply with all weights; that of one answer reads all of them.
func (b *benchmark) compare(file llm.GGUF, limits llamacpp.Limits) {
	b.Limits = limits
	bytes, products := file.Walk()
	products -= int64(file.Vocabulary) * int64(file.Embedding)
	if limits.Products > 0 {
		b.PromptShare = b.Prompt * float64(products) / limits.Products
	}
	for _, g := range b.Generation {
		if g.Sequences == 1 && limits.Reading > 0 {
			b.AnswerShare = g.Speed * float64(bytes) / limits.Reading
		}
	}
}

// prompts measures how fast prompts are read, and what it brings that they begin like earlier ones.
func (c *modelBenchCmd) prompts(ctx context.Context, m *llamacpp.Model, b *benchmark, bar *progress) error {
	bar.show("warming up")
	if _, err := m.Speed(ctx, c.PromptTokens, 1); err != nil {
		return err
	}
	size := c.PromptTokens // of the schema
	var speed, reused []float64
	var cold, warm []time.Duration
	for round := range c.Rounds {
		bar.show("prompt %d of %d", round+1, c.Rounds)
		took, err := m.Speed(ctx, c.PromptTokens, 1)
		if err != nil {
			return err
		}
		speed = append(speed, float64(c.PromptTokens)/took.Seconds())
		schema := madeUpSchema(round, size)
		out, err := m.Generate(ctx, aboutSchema(schema, "How many are there?"), llm.Params{MaxTokens: 1})
		for errors.Is(err, llm.ErrContextFull) && size > 1 { // a vocabulary that knows few words
			size /= 2
			schema = madeUpSchema(round, size)
			out, err = m.Generate(ctx, aboutSchema(schema, "How many are there?"), llm.Params{MaxTokens: 1})
		}
		if err != nil {
			return err
		}
		cold = append(cold, out.Took)
		out, err = m.Generate(ctx, aboutSchema(schema, "Which of them is the oldest one?"), llm.Params{MaxTokens: 1})
		if err != nil {
			return err
		}
		warm = append(warm, out.Took)
		reused = append(reused, float64(out.CachedTokens)/float64(out.PromptTokens))
	}
	b.Prompt, b.FirstCold, b.FirstWarm, b.Reused = median(speed), median(cold), median(warm), median(reused)
	return nil
}

// answers measures n answers that are written at once.
func (c *modelBenchCmd) answers(ctx context.Context, m *llamacpp.Model, n int) (float64, error) {
	var speeds []float64
	for range c.Rounds {
		errs := make([]error, n)
		began := time.Now()
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() { _, errs[i] = m.Speed(ctx, 1, c.Tokens) })
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			return 0, err
		}
		speeds = append(speeds, float64(n*c.Tokens)/time.Since(began).Seconds())
	}
	return median(speeds), nil
}

// repeat measures an answer that repeats its prompt, once the model has seen what drafts cost.
func (c *modelBenchCmd) repeat(ctx context.Context, m *llamacpp.Model) (repeating, error) {
	var speeds, drafted, accepted []float64
	for round := range c.Rounds + 1 {
		out, err := m.SpeedOfRepeating(ctx, c.Tokens)
		if err != nil {
			return repeating{}, err
		}
		if round > 0 {
			n := float64(out.OutputTokens)
			speeds = append(speeds, n/out.Took.Seconds())
			drafted, accepted = append(drafted, float64(out.DraftedTokens)/n),
				append(accepted, float64(out.AcceptedTokens)/n)
		}
	}
	return repeating{median(speeds), median(drafted), median(accepted)}, nil
}

func aboutSchema(schema, question string) []llm.Message {
	return []llm.Message{{Role: "system", Content: schema}, {Role: "user", Content: question}}
}

// madeUpSchema is a text of about that many tokens that begins in another way for each number.
func madeUpSchema(number, tokens int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Schema %d.\n", number)
	for i := 0; b.Len() < tokens*5/2; i++ { // such text has 2.5 bytes a token, more or less
		fmt.Fprintf(&b, "CREATE TABLE t%d_%d (id INT PRIMARY KEY, name VARCHAR(%d), born DATE);\n", number, i, 20+i%60)
	}
	return b.String()
}

func median[T int | float64 | time.Duration](list []T) T {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

// table is the benchmark for people.
func (b benchmark) table() runner.Result {
	res := runner.Result{Columns: []string{"measure", "value", "unit"}}
	add := func(name string, format string, value any, unit string) {
		res.Rows = append(res.Rows, []any{name, fmt.Sprintf(format, value), unit})
	}
	add("load", "%.2f", b.Load.Seconds(), "s")
	add(fmt.Sprintf("prompt of %d tokens", b.PromptTokens), "%.1f", b.Prompt, "tokens/s")
	add("first token about a schema", "%.2f", b.FirstCold.Seconds(), "s")
	add("first token, same schema", "%.2f", b.FirstWarm.Seconds(), "s")
	add("tokens used again then", "%.0f", 100*b.Reused, "%")
	for _, g := range b.Generation {
		add(fmt.Sprintf("answers, %d at once", g.Sequences), "%.1f", g.Speed, "tokens/s")
	}
	add("an answer that repeats its prompt", "%.1f", b.Repeating.Speed, "tokens/s")
	add("tokens drafted for it", "%.0f", 100*b.Repeating.Drafted, "%")
	add("tokens accepted of them", "%.0f", 100*b.Repeating.Accepted, "%")
	if b.Limits.Reading > 0 {
		add("this machine reads memory at most with", "%.1f", b.Limits.Reading/1e9, "GB/s")
		add("and multiplies bytes with", "%.0f", b.Limits.Products/1e9, "billion/s")
		add("prompts reach of its products", "%.0f", 100*b.PromptShare, "%")
		if b.AnswerShare > 0 {
			add("one answer reaches of its reading", "%.0f", 100*b.AnswerShare, "%")
		}
		add("so", "%s", "a token of an answer waits for memory, which several answers at once, or drafts, share; one "+
			"of a prompt for arithmetic", "")
	}
	if b.Memory > 0 {
		add("memory", "%.2f", float64(b.Memory)/1e9, "GB")
	}
	return res
}
