package lora

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
	"nl2sql/llm/catalog"
	"nl2sql/runner/files"
)

// Writer writes models as GGUF files. Its functions are the engine's.
type Writer struct {
	Dequantize Dequantizer
	Quantize   func(ctx context.Context, in, out, kind string, progress func(done float64)) error

	Progress func(step string, done float64) // done is the step's share, in [0,1]
}

// Merge adds an adapter to the weights of its base and writes them, in the type kind, as the file out, which must not
// exist. It works in a hidden folder beside it.
func (w Writer) Merge(ctx context.Context, base llm.GGUF, a llm.Adapter, kind, out string) (_ llm.GGUF, err error) {
	// Adapted weights are 32-bit numbers on the way; the rest stays as it is.
	between := base.Bytes
	for _, t := range base.Tensors {
		if slices.ContainsFunc(a.Pairs, func(p llm.Pair) bool { return p.Weight == t.Name }) {
			between += 4*t.Elements() - t.Bytes
		}
	}
	dir, release, err := workFolder(out, between+quantizedSize(base, kind))
	if err != nil {
		return llm.GGUF{}, err
	}
	defer func() { err = errors.Join(err, release()) }()
	merged := filepath.Join(dir, "merged.gguf")
	err = WriteFile(ctx, merged, func(to io.Writer) error {
		return Merge(ctx, to, base, a, w.Dequantize, func(done float64) { w.Progress("adding the adapter", done) })
	})
	if err != nil {
		return llm.GGUF{}, err
	}
	return w.quantize(ctx, merged, dir, kind, out)
}

// Convert writes a model's weights in the type kind as the file out, which must not exist.
func (w Writer) Convert(ctx context.Context, in llm.GGUF, kind, out string) (_ llm.GGUF, err error) {
	dir, release, err := workFolder(out, quantizedSize(in, kind))
	if err != nil {
		return llm.GGUF{}, err
	}
	defer func() { err = errors.Join(err, release()) }()
	return w.quantize(ctx, in.Path, dir, kind, out)
}

// quantize works in the folder dir until the file is whole.
func (w Writer) quantize(ctx context.Context, in, dir, kind, out string) (llm.GGUF, error) {
	whole := filepath.Join(dir, "quantized.gguf")
	if err := w.Quantize(ctx, in, whole, kind, func(done float64) { w.Progress("writing "+kind, done) }); err != nil {
		return llm.GGUF{}, err
	}
	g, err := llm.ReadGGUF(whole)
	if err != nil {
		return llm.GGUF{}, err
	}
	return g, os.Rename(whole, out)
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
		return 0 // no type that the engine writes
	}
	return g.Parameters / values * bytes * 8 / 7
}

// workFolder makes a folder beside a file that is to be written, for the work until it is whole. It checks, before long
// work, that the file can be written: that nothing is overwritten, and that the disk has room.
// The folder's name follows from the file's, so that what a killed run leaves is removed by the next.
func workFolder(file string, bytes int64) (dir string, release func() error, err error) {
	if _, err := os.Lstat(file); err == nil {
		return "", nil, fmt.Errorf("%s exists: remove it, or choose another name", file)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", nil, err
	}
	parent := filepath.Dir(file)
	if st, err := os.Stat(parent); err != nil {
		return "", nil, err
	} else if !st.IsDir() {
		return "", nil, fmt.Errorf("%s is no folder", parent)
	}
	dir = filepath.Join(parent, "."+filepath.Base(file)+".unfinished")
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", nil, err
	}
	lock, err := files.LockFolder(dir)
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
	if free, known := catalog.FreeSpace(dir); known && free < bytes {
		err := fmt.Errorf("%s has %.2f GB free, and about %.2f GB are needed", parent, float64(free)/1e9,
			float64(bytes)/1e9)
		return "", nil, errors.Join(err, release())
	}
	return dir, release, nil
}
