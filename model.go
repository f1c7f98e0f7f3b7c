package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"text/tabwriter"

	"nl2sql/llm"
	"nl2sql/llm/llamacpp"
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
func (c *modelInfoCmd) Run(ctx context.Context, con *console, app *cli) error {
	g, err := app.readModel(ctx, c.File)
	if err != nil {
		return err
	}
	template, err := llm.FindTemplate(g.ChatTemplate)
	chat := template.Name
	if err != nil {
		chat = "none: " + err.Error()
	}
	tw := tabwriter.NewWriter(con, 0, 8, 2, ' ', 0)
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
			fmt.Fprintf(tw, "%s\t%s\n", fact.name, render.Visible(fact.value))
		}
	}
	return tw.Flush()
}

type versionCmd struct{}

// commit is set by the Makefile with -X main.commit=…; builds inside a checkout know it by themselves.
var commit string

// Run says what was built from what.
func (*versionCmd) Run(con *console) error {
	fmt.Fprintf(con, "nl2sql %s %s %s/%s\n", revision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if v := llamacpp.Version(); v != "" {
		fmt.Fprintf(con, "llama.cpp %s\n%s\nkernels: %s\n", v, llamacpp.Bits(), kernelSets())
	} else {
		fmt.Fprintln(con, llamacpp.ErrNotBuilt)
	}
	return nil
}

// kernelSets names the set of kernels that is used, and the others that this machine can run.
func kernelSets() string {
	text := llamacpp.Kernels()
	var more []string
	for _, s := range llamacpp.KernelSets() {
		if s.Runs && s.Name != text {
			more = append(more, s.Name)
		}
	}
	if len(more) > 0 {
		text += " (--kernels takes " + strings.Join(more, ", ") + " too)"
	}
	return text
}

// revision is the commit, with "+changes" if the checkout had any.
func revision() string {
	if commit != "" {
		return commit
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	rev, dirty := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	return rev + dirty
}
