package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"nl2sql/llm"
	"nl2sql/llm/catalog"
	"nl2sql/llm/fetch"
	"nl2sql/llm/llamacpp"
	"nl2sql/llm/lora"
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
		name = "replay:" + absolute(strings.TrimPrefix(name, "replay:"))
	case !strings.HasPrefix(name, "openai:"):
		if _, err := readModel(ctx, name); err != nil {
			return err
		}
		if _, err := os.Stat(name); err == nil {
			name = absolute(name)
		}
	}
	return set.keep(con, "model", name)
}

// absolute is a path that means the same in every folder.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
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
	Out  string `required:"" help:"GGUF file to write; it must not exist." placeholder:"FILE"`
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
	Out  string `required:"" help:"GGUF file to write; it must not exist." placeholder:"FILE"`
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
