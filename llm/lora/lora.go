// Package lora brings LoRA adapters to models: PEFT folders are converted to GGUF LoRAs, which llama.cpp applies, and
// adapters are merged into the weights of their base.
package lora

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nl2sql/llm"
	"nl2sql/llm/catalog"
	"nl2sql/runner/files"
)

// Open returns the adapter at path for a base model: a GGUF LoRA as it is, or what becomes of a PEFT folder
// (adapter_config.json and adapter_model.safetensors, or one of the two files). A converted adapter is kept in the
// folder dir under its SHA-256, and used again if it still has that. Open fails in one line that begins with
// "adapter NAME:".
func Open(ctx context.Context, path string, base llm.GGUF, dir string) (llm.Adapter, error) {
	name := filepath.Base(path)
	if name == "adapter_config.json" || name == "adapter_model.safetensors" || name == "adapter_model.bin" {
		path = filepath.Dir(path)
		name = filepath.Base(path)
	}
	st, err := os.Stat(path)
	if err == nil && !st.IsDir() {
		return llm.ReadAdapter(path, base)
	}
	if err == nil {
		path, err = convert(ctx, path, base, dir)
	}
	if err == nil {
		var a llm.Adapter
		if a, err = llm.ReadAdapter(path, base); err == nil {
			return a, nil
		}
		err = errors.Join(errors.Unwrap(err), os.Remove(path)) // the cached file's name says nothing to the user
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("%s: %w", filepath.Base(pe.Path), pe.Err)
		if filepath.Base(pe.Path) == name {
			err = pe.Err
		}
	}
	return llm.Adapter{}, fmt.Errorf("adapter %s: %w", name, err)
}

// maxConfig bounds adapter_config.json, in bytes.
const maxConfig = 1 << 20

// convert writes the GGUF LoRA of a PEFT folder unless it is there already, and returns its path.
func convert(ctx context.Context, peft string, base llm.GGUF, dir string) (string, error) {
	text, err := files.Regular(filepath.Join(peft, "adapter_config.json"), maxConfig)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", errors.New("is a folder without adapter_config.json: not PEFT's")
	case err != nil:
		return "", err
	}
	c, err := readConfig(text)
	if err != nil {
		return "", err
	}
	f, err := os.Open(filepath.Join(peft, "adapter_model.safetensors"))
	if errors.Is(err, fs.ErrNotExist) {
		if _, pickled := os.Stat(filepath.Join(peft, "adapter_model.bin")); pickled == nil {
			return "", errors.New("is pickled (adapter_model.bin), and reading that can run code: load it with PEFT and save it with save_pretrained(DIR, safe_serialization=True)")
		}
		return "", errors.New("has no adapter_model.safetensors")
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return "", err
	}
	tensors, err := readSafetensors(f, st.Size())
	if err != nil {
		return "", fmt.Errorf("adapter_model.safetensors: %w", err)
	}
	parts, err := plan(c, tensors, base)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	if err := write(&cancellable{ctx, sum}, c, parts, base, f); err != nil {
		return "", err
	}
	want := hex.EncodeToString(sum.Sum(nil))
	path := filepath.Join(dir, want[:32]+".gguf")
	if has(path, want) {
		return path, nil
	}
	return path, WriteFile(ctx, path, func(w io.Writer) error { return write(w, c, parts, base, f) })
}

// has says whether a file has that SHA-256.
func has(path, want string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return err == nil && hex.EncodeToString(sum.Sum(nil)) == want
}

// write writes the GGUF LoRA.
func write(w io.Writer, c config, parts []part, base llm.GGUF, from io.ReaderAt) error {
	var m llm.Metadata
	m.Text("general.architecture", base.Architecture)
	m.Text("general.type", "adapter")
	m.Text("adapter.type", "lora")
	m.Real("adapter.lora.alpha", c.alpha())
	m.Number("general.file_type", 0) // F32, or F16 where a tensor says so
	tensors := make([]llm.Tensor, len(parts))
	for i, p := range parts {
		tensors[i] = p.gguf
	}
	return llm.WriteGGUF(w, m, tensors, func(i int, w io.Writer) error {
		p := parts[i]
		values, err := p.floats(from)
		if err != nil {
			return err
		}
		row := int(p.shape[1])
		if p.gguf.Type == "F16" {
			halves := make([]byte, p.bytes)
			if _, err := from.ReadAt(halves, p.at); err != nil {
				return err
			}
			if p.heads > 0 {
				halves = permute(halves, 2*row, p.heads)
			}
			_, err = w.Write(halves)
			return err
		}
		if p.heads > 0 {
			values = permute(values, row, p.heads)
		}
		return writeFloats(w, values)
	})
}

func writeFloats(w io.Writer, values []float32) error {
	b := make([]byte, 4*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(v))
	}
	_, err := w.Write(b)
	return err
}

// WriteFile writes a file that is there whole or not at all. What was under the name before is replaced at the end.
func WriteFile(ctx context.Context, path string, write func(w io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	err = write(&cancellable{ctx, f})
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// cancellable is a writer that fails when its context has ended.
type cancellable struct {
	ctx context.Context
	w   io.Writer
}

func (c *cancellable) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}

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
