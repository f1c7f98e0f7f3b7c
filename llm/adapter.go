package llm

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
)

// Adapter is what the header of a GGUF LoRA says: for some weights W of its base model two thin matrices A and B, so
// that W + Scale·B·A is the adapted weight.
type Adapter struct {
	Path  string // as given to ReadAdapter
	Start int64  // in the file, bytes
	Bytes int64
	Pairs []Pair // by the name of the weight
}

// Pair adapts one weight. A has the rows' length of the weight and Rank rows, B has the rank as its rows' length.
type Pair struct {
	Weight string // name of the base model's tensor
	A, B   Tensor
	Rank   int64
	Scale  float32
}

// ReadAdapter reads the header of a GGUF LoRA and checks that llama.cpp can apply it to the base model. It fails in one
// line that begins with "adapter FILE:". Source: llama-adapter.cpp of llama.cpp ec98e2002.
func ReadAdapter(path string, base GGUF) (Adapter, error) {
	return ReadAdapterPlace(Place{Path: path}, base)
}

// ReadAdapterPlace is [ReadAdapter] of what may be a part of a file.
func ReadAdapterPlace(p Place, base GGUF) (Adapter, error) {
	a, err := readAdapter(p, base)
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err
		}
		return Adapter{}, fmt.Errorf("adapter %s: %w", filepath.Base(p.Path), err)
	}
	return a, nil
}

func readAdapter(p Place, base GGUF) (Adapter, error) {
	f, r, err := p.Open()
	if err != nil {
		return Adapter{}, err
	}
	defer f.Close()
	a, err := parseAdapter(r, r.Size(), base)
	a.Path, a.Start = p.Path, p.Start
	for i := range a.Pairs {
		a.Pairs[i].A.Offset += p.Start
		a.Pairs[i].B.Offset += p.Start
	}
	return a, err
}

// Place is where the adapter lies; the zero Place where there is none.
func (a Adapter) Place() Place { return Place{a.Path, a.Start, a.Bytes} }

func parseAdapter(file io.Reader, size int64, base GGUF) (Adapter, error) {
	a := Adapter{Bytes: size}
	r := &ggufReader{r: bufio.NewReaderSize(file, 1<<18), size: size}
	meta, count, err := r.head()
	if err != nil {
		return a, err
	}
	alpha, kind := meta.real[keyAlpha], meta.kind[keyAlpha]
	switch {
	case meta.text["general.type"] != "adapter":
		return a, errors.New("is no adapter: a model is named with --model")
	case meta.text["adapter.type"] != "lora":
		return a, fmt.Errorf("is an adapter of type %q, want lora", clip(meta.text["adapter.type"]))
	case meta.text["general.architecture"] != base.Architecture:
		return a, fmt.Errorf("is for the architecture %q, the base model has %q",
			clip(meta.text["general.architecture"]), base.Architecture)
	case meta.kind["adapter.alora.invocation_tokens"] != 0:
		return a, errors.New("is an activated LoRA, which nl2sql cannot apply")
	case kind != 0 && kind != ggufF32 || math.IsNaN(float64(alpha)) || math.IsInf(float64(alpha), 0):
		return a, errors.New("is damaged: " + keyAlpha + " is no number")
	}
	tensors, err := r.tensors(count, meta.align)
	if err != nil {
		return a, err
	}
	if a.Pairs, err = pairs(tensors); err != nil {
		return a, err
	}
	shapes := make(map[string][]int64)
	for _, t := range base.Tensors {
		shapes[t.Name] = t.Shape
	}
	for i := range a.Pairs {
		p := &a.Pairs[i]
		shape, there := shapes[p.Weight]
		switch {
		case !there:
			return a, fmt.Errorf("adapts %s, which the base model does not have: made for another one", clip(p.Weight))
		case len(shape) != 2 || len(p.A.Shape) != 2 || len(p.B.Shape) != 2:
			return a, fmt.Errorf("adapts %s, which is no matrix", clip(p.Weight))
		case shape[0] != p.A.Shape[0] || shape[1] != p.B.Shape[1]:
			return a, fmt.Errorf("adapts %s of %d×%d, the base model's has %d×%d: made for another one", clip(p.Weight),
				p.B.Shape[1], p.A.Shape[0], shape[1], shape[0])
		case p.A.Shape[1] != p.B.Shape[0]:
			return a, fmt.Errorf("is damaged: %s has %d rows, %s %d columns", clip(p.A.Name), p.A.Shape[1],
				clip(p.B.Name), p.B.Shape[0])
		}
		p.Rank, p.Scale = p.B.Shape[0], 1
		if alpha != 0 {
			p.Scale = alpha / float32(p.Rank)
		}
	}
	return a, nil
}

const keyAlpha = "adapter.lora.alpha"

// pairs puts the matrices together.
func pairs(tensors []Tensor) ([]Pair, error) {
	byWeight := make(map[string]*Pair)
	for _, t := range tensors {
		weight, a := strings.CutSuffix(t.Name, ".lora_a")
		b := false
		if !a {
			weight, b = strings.CutSuffix(t.Name, ".lora_b")
		}
		if !a && !b {
			return nil, fmt.Errorf("changes %s, which is no LoRA: llama.cpp would leave it out", clip(t.Name))
		}
		if weight == "token_embd.weight" {
			return nil, errors.New("adapts the embedding of tokens, which nl2sql cannot apply")
		}
		p := byWeight[weight]
		if p == nil {
			p = &Pair{Weight: weight}
			byWeight[weight] = p
		}
		if a {
			p.A = t
		} else {
			p.B = t
		}
	}
	var out []Pair
	for weight, p := range byWeight {
		if p.A.Name == "" || p.B.Name == "" {
			return nil, fmt.Errorf("is damaged: %s has one matrix of two", clip(weight))
		}
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b Pair) int { return strings.Compare(a.Weight, b.Weight) })
	return out, nil
}
