package lora

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"nl2sql/llm"
)

// Dequantizer turns the blocks of a tensor type into numbers, as llamacpp.Dequantize does.
type Dequantizer func(kind string, from []byte, to []float32) error

// Merge writes the base model with the adapter added to its weights. Those become F32; everything else is copied as it
// is, so the file is a step on the way to a quantized one. progress is told how much is done, in [0,1].
func Merge(ctx context.Context, w io.Writer, base llm.GGUF, a llm.Adapter, dequantize Dequantizer,
	progress func(done float64)) error {
	meta, err := base.Metadata()
	if err != nil {
		return err
	}
	from, err := os.Open(base.Path)
	if err != nil {
		return err
	}
	defer from.Close()
	deltas, err := os.Open(a.Path)
	if err != nil {
		return err
	}
	defer deltas.Close()
	pairs := make(map[string]llm.Pair)
	for _, p := range a.Pairs {
		pairs[p.Weight] = p
	}
	tensors := make([]llm.Tensor, len(base.Tensors))
	for i, t := range base.Tensors {
		if _, adapted := pairs[t.Name]; adapted {
			t.Type = "F32"
		}
		tensors[i] = t
	}
	var done, all int64
	for _, t := range base.Tensors {
		all += t.Bytes
	}
	return llm.WriteGGUF(w, meta, tensors, func(i int, w io.Writer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		t := base.Tensors[i]
		progress(float64(done) / float64(all))
		done += t.Bytes
		p, adapted := pairs[t.Name]
		if !adapted {
			_, err := io.Copy(w, io.NewSectionReader(from, t.Offset, t.Bytes))
			return err
		}
		m := product{rank: int(p.Rank), columns: int(t.Shape[0]), scale: p.Scale}
		if m.a, err = read(deltas, p.A, dequantize); err != nil {
			return err
		}
		if m.b, err = read(deltas, p.B, dequantize); err != nil {
			return err
		}
		return m.add(ctx, w, from, t, dequantize)
	})
}

// read returns all values of a tensor.
func read(r io.ReaderAt, t llm.Tensor, dequantize Dequantizer) ([]float32, error) {
	blocks := make([]byte, t.Bytes)
	if _, err := r.ReadAt(blocks, t.Offset); err != nil {
		return nil, err
	}
	values := make([]float32, t.Elements())
	if err := dequantize(t.Type, blocks, values); err != nil {
		return nil, fmt.Errorf("tensor %s: %w", t.Name, err)
	}
	return values, nil
}

// product is scale·B·A: b holds rank values for each row, a rank rows of so many columns.
type product struct {
	a, b          []float32
	rank, columns int
	scale         float32
}

// add writes the tensor's rows with the product added, a few at a time, on all processors.
func (m product) add(ctx context.Context, w io.Writer, from io.ReaderAt, t llm.Tensor, dequantize Dequantizer) error {
	const each = 64 // rows
	rows := int(t.Shape[1])
	workers := runtime.GOMAXPROCS(0)
	for first := 0; first < rows; first += each * workers {
		if err := ctx.Err(); err != nil {
			return err
		}
		chunks := make([][]float32, workers)
		errs := make([]error, workers)
		var wg sync.WaitGroup
		for i := range workers {
			lo, hi := first+i*each, min(rows, first+(i+1)*each)
			if lo >= hi {
				break
			}
			wg.Go(func() {
				part := t
				perRow := t.Bytes / t.Shape[1]
				part.Shape, part.Offset, part.Bytes = []int64{t.Shape[0], int64(hi - lo)}, t.Offset+int64(lo)*perRow,
					int64(hi-lo)*perRow
				if chunks[i], errs[i] = read(from, part, dequantize); errs[i] == nil {
					m.addRows(chunks[i], lo)
				}
			})
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			return err
		}
		for _, values := range chunks {
			if err := writeFloats(w, values); err != nil {
				return err
			}
		}
	}
	return nil
}

// addRows adds the product to some rows of the weight, the first of which has that number.
func (m product) addRows(rows []float32, first int) {
	for i := range len(rows) / m.columns {
		row := rows[i*m.columns : (i+1)*m.columns]
		for k := range m.rank {
			c := m.scale * m.b[(first+i)*m.rank+k]
			for j, a := range m.a[k*m.columns : (k+1)*m.columns] {
				row[j] += c * a
			}
		}
	}
}
