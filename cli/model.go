package cli

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"

	"nl2sql/llm"
	"nl2sql/llm/catalog"
	"nl2sql/llm/llamacpp"
	"nl2sql/runner"
	"nl2sql/runner/render"
)

type modelCmd struct {
	List     modelListCmd     `cmd:"" help:"List the models on this machine: in the folders of $NL2SQL_MODELS and in the caches of nl2sql, Ollama, LM Studio and Hugging Face."`
	Info     modelInfoCmd     `cmd:"" help:"Check a GGUF file and print what its header says."`
	Bench    modelBenchCmd    `cmd:"" help:"Measure the model of --model: speed of prompts and answers, alone and together, and memory."`
	Merge    modelMergeCmd    `cmd:"" help:"Add the LoRA adapter of --adapter to its base model's weights and write them as a GGUF file."`
	Quantize modelQuantizeCmd `cmd:"" help:"Write a GGUF file with its weights in another type."`
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
	Memory       int64  `json:"memory_bytes,omitempty"` // estimate, with the windows of --context and --parallel and the type of --kv
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
		con.note("no models: get one with `make model`, or name folders of GGUF files in NL2SQL_MODELS")
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
	m.Architecture, m.Parameters, m.Bytes, m.Quantization, m.Context = g.Architecture, g.Parameters, g.Bytes, g.Quantization, g.Context
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
	res := runner.Result{Columns: []string{"name", "source", "architecture", "size", "quantization", "context", "template", "memory", "runs"}}
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
