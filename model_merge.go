package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
}

func (c *modelMergeCmd) Validate() error { return quantization(&c.Type) }

// Run adds the adapter to the weights in a file of its own beside the output, and quantizes that.
func (c *modelMergeCmd) Run(ctx context.Context, con *console, app *cli) error {
	if app.Adapter == "" {
		return failure{exitUsage, errors.New("--adapter is missing: what is to be merged")}
	}
	base, err := app.readModel(ctx, c.Base)
	if err != nil {
		return err
	}
	adapter, err := app.openAdapter(ctx, base)
	if err != nil {
		return err
	}
	// Adapted weights are 32-bit numbers on the way; the rest stays as it is.
	between := base.Bytes
	for _, t := range base.Tensors {
		if slices.ContainsFunc(adapter.Pairs, func(p llm.Pair) bool { return p.Weight == t.Name }) {
			between += 4*t.Elements() - t.Bytes
		}
	}
	if err := writable(c.Out, between+quantizedSize(base, c.Type)); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(c.Out), ".merge-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	merged := filepath.Join(dir, filepath.Base(c.Out))
	bar := con.progress()
	err = lora.WriteFile(ctx, merged, func(w io.Writer) error {
		return lora.Merge(ctx, w, base, adapter, llamacpp.Dequantize, func(done float64) { bar.show("adding the adapter %3.0f %%", 100*done) })
	})
	bar.clear()
	if err != nil {
		return err
	}
	return writeQuantized(ctx, con, merged, c.Out, c.Type)
}

type modelQuantizeCmd struct {
	In   string `required:"" help:"GGUF file, or a name that model list shows." placeholder:"MODEL"`
	Type string `required:"" help:"Quantization to write, such as F16, Q8_0, Q6_K or Q4_K_M." placeholder:"TYPE"`
	Out  string `required:"" help:"GGUF file to write; it must not exist." placeholder:"FILE"`
}

func (c *modelQuantizeCmd) Validate() error { return quantization(&c.Type) }

// Run writes the model's weights in another type.
func (c *modelQuantizeCmd) Run(ctx context.Context, con *console, app *cli) error {
	in, err := app.readModel(ctx, c.In)
	if err != nil {
		return err
	}
	if err := writable(c.Out, quantizedSize(in, c.Type)); err != nil {
		return err
	}
	return writeQuantized(ctx, con, in.Path, c.Out, c.Type)
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

// quantizedSize estimates a file's size in bytes: what the type itself takes, and a seventh for the tensors that keep
// more bits.
func quantizedSize(g llm.GGUF, kind string) int64 {
	for _, end := range []string{"_S", "_M", "_L"} { // "Q4_K_M" is a mix that is mostly Q4_K
		kind = strings.TrimSuffix(kind, end)
	}
	const values = 256 // a multiple of every type's block
	bytes, err := llm.TensorBytes(kind, []int64{values})
	if err != nil {
		return 0 // no type that quantization lets through
	}
	return g.Parameters / values * bytes * 8 / 7
}

// writable checks, before long work, that the file can be written: that the program can, that nothing is overwritten,
// and that the disk has room.
func writable(path string, bytes int64) error {
	if llamacpp.Version() == "" {
		return llamacpp.ErrNotBuilt
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s exists: remove it, or choose another name", path)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return brief(err)
	}
	dir := filepath.Dir(path)
	if st, err := os.Stat(dir); err != nil {
		return brief(err)
	} else if !st.IsDir() {
		return fmt.Errorf("%s is no folder", dir)
	}
	if free, known := freeSpace(dir); known && free < bytes {
		return fmt.Errorf("%s has %s free, and about %s are needed", dir, gigabytes(free), gigabytes(bytes))
	}
	return nil
}

func writeQuantized(ctx context.Context, con *console, in, out, kind string) error {
	bar := con.progress()
	err := llamacpp.Quantize(ctx, in, out, kind, func(done float64) { bar.show("writing %s %3.0f %%", kind, 100*done) })
	bar.clear()
	if err != nil {
		return err
	}
	g, err := llm.ReadGGUF(out)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(con, "wrote %s: %s, %s\n", out, g.Quantization, gigabytes(g.Bytes))
	return err
}
