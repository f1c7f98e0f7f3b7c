package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"nl2sql/llm"
	"nl2sql/llm/llamacpp"
	"nl2sql/llm/lora"
)

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
	return writeModel(con, c.Out, func(w lora.Writer) (llm.GGUF, error) { return w.Merge(ctx, base, adapter, c.Type, c.Out) })
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
		return llm.Adapter{}, failure{exitUsage, errors.New("--adapter is missing: what is to be merged (none is built in for this model)")}
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
