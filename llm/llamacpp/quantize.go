package llamacpp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nl2sql/llm"
	"nl2sql/llm/llamacpp/engine"
)

// Quantize writes the model file in with its weights in another type, one of [Quantizations]. Norms and the like stay
// as they are. The file out is there whole or not at all; if ctx ends, Quantize returns after the tensor at work.
func Quantize(ctx context.Context, in, out, kind string, progress func(done float64)) error {
	ftype, err := quantization(kind)
	if err != nil {
		return err
	}
	e, err := engine.Open()
	if err != nil {
		return err
	}
	if _, err := llm.ReadGGUF(in); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(out), "."+filepath.Base(out)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // after the renaming there is none
	if err := errors.Join(tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	if err := e.Quantize(ctx, in, tmp.Name(), ftype, physicalCores(), progress); err != nil {
		return err
	}
	if _, err := llm.ReadGGUF(tmp.Name()); err != nil {
		return fmt.Errorf("llama.cpp wrote a file that cannot be used: %w", err)
	}
	if err := flush(tmp.Name()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), out)
}

// flush waits until the file is on the disk.
func flush(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Dequantize turns blocks of a tensor type, such as "Q4_K", into numbers: from holds exactly those that to takes.
func Dequantize(kind string, from []byte, to []float32) error {
	number, known := llm.TypeNumber(kind)
	want, err := llm.TensorBytes(kind, []int64{int64(len(to))})
	if err != nil {
		return err
	}
	if len(to) == 0 || want != int64(len(from)) {
		return fmt.Errorf("%d bytes of %s are no %d values", len(from), kind, len(to))
	}
	e, err := engine.Open()
	if err != nil {
		return err
	}
	if !known || !e.Dequantize(number, from, to) {
		return fmt.Errorf("llama.cpp cannot dequantize %s", kind)
	}
	return nil
}

// Quantizations are the types that [Quantize] writes, largest first: those that need no importance matrix.
var Quantizations = []string{"F32", "F16", "BF16", "Q8_0", "Q6_K", "Q5_K_M", "Q5_K_S", "Q5_1", "Q5_0", "Q4_K_M",
	"Q4_K_S", "Q4_1", "Q4_0", "IQ4_NL",
	"IQ4_XS", "Q3_K_L", "Q3_K_M", "Q3_K_S", "Q2_K"}

// quantization returns llama.cpp's number of a type.
func quantization(name string) (uint32, error) {
	number, known := llm.FileType(name)
	if !known || !slices.Contains(Quantizations, name) {
		return 0, fmt.Errorf("no quantization %q: there are %s", name, strings.Join(Quantizations, ", "))
	}
	return number, nil
}
