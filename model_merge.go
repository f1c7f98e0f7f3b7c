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

	"nl2sql/evaluation/record"
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
func (c *modelMergeCmd) Run(ctx context.Context, con *console, app *cli) (err error) {
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
	dir, release, err := workFolder(c.Out, between+quantizedSize(base, c.Type))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	merged := filepath.Join(dir, "merged.gguf")
	bar := con.progress()
	err = lora.WriteFile(ctx, merged, func(w io.Writer) error {
		return lora.Merge(ctx, w, base, adapter, llamacpp.Dequantize, func(done float64) { bar.show("adding the adapter %3.0f %%", 100*done) })
	})
	bar.clear()
	if err != nil {
		return err
	}
	return writeQuantized(ctx, con, merged, dir, c.Out, c.Type)
}

type modelQuantizeCmd struct {
	In   string `required:"" help:"GGUF file, or a name that model list shows." placeholder:"MODEL"`
	Type string `required:"" help:"Quantization to write, such as F16, Q8_0, Q6_K or Q4_K_M." placeholder:"TYPE"`
	Out  string `required:"" help:"GGUF file to write; it must not exist." placeholder:"FILE"`
}

func (c *modelQuantizeCmd) Validate() error { return quantization(&c.Type) }

// Run writes the model's weights in another type.
func (c *modelQuantizeCmd) Run(ctx context.Context, con *console, app *cli) (err error) {
	in, err := app.readModel(ctx, c.In)
	if err != nil {
		return err
	}
	dir, release, err := workFolder(c.Out, quantizedSize(in, c.Type))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	return writeQuantized(ctx, con, in.Path, dir, c.Out, c.Type)
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

// workFolder makes a folder beside a file that is to be written, for the work until it is whole. It checks, before long
// work, that the file can be written: that the program can, that nothing is overwritten, and that the disk has room.
// The folder's name follows from the file's, so that what a killed run leaves is removed by the next.
func workFolder(file string, bytes int64) (dir string, release func() error, err error) {
	if llamacpp.Version() == "" {
		return "", nil, llamacpp.ErrNotBuilt
	}
	if _, err := os.Lstat(file); err == nil {
		return "", nil, fmt.Errorf("%s exists: remove it, or choose another name", file)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", nil, brief(err)
	}
	parent := filepath.Dir(file)
	if st, err := os.Stat(parent); err != nil {
		return "", nil, brief(err)
	} else if !st.IsDir() {
		return "", nil, fmt.Errorf("%s is no folder", parent)
	}
	dir = filepath.Join(parent, "."+filepath.Base(file)+".unfinished")
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", nil, brief(err)
	}
	lock, err := record.LockFolder(dir)
	if err != nil {
		return "", nil, err
	}
	release = func() error { return errors.Join(os.RemoveAll(dir), lock.Close()) }
	left, err := os.ReadDir(dir)
	for _, f := range left {
		err = errors.Join(err, os.Remove(filepath.Join(dir, f.Name())))
	}
	if err != nil {
		return "", nil, errors.Join(err, lock.Close())
	}
	if free, known := freeSpace(dir); known && free < bytes {
		err := fmt.Errorf("%s has %s free, and about %s are needed", parent, gigabytes(free), gigabytes(bytes))
		return "", nil, errors.Join(err, release())
	}
	return dir, release, nil
}

// writeQuantized writes a model's weights in another type, in the folder dir until the file is whole.
func writeQuantized(ctx context.Context, con *console, in, dir, out, kind string) error {
	whole := filepath.Join(dir, "quantized.gguf")
	bar := con.progress()
	err := llamacpp.Quantize(ctx, in, whole, kind, func(done float64) { bar.show("writing %s %3.0f %%", kind, 100*done) })
	bar.clear()
	if err != nil {
		return err
	}
	g, err := llm.ReadGGUF(whole)
	if err != nil {
		return err
	}
	if err := os.Rename(whole, out); err != nil {
		return err
	}
	_, err = fmt.Fprintf(con, "wrote %s: %s, %s\n", out, g.Quantization, gigabytes(g.Bytes))
	return err
}
