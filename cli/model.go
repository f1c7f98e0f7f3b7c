package cli

import (
	"context"
	"fmt"
	"strconv"

	"nl2sql/llm"
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
	var rows [][]string
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
			rows = append(rows, []string{fact.name, fact.value})
		}
	}
	return render.WriteColumns(con, rows, 0)
}
