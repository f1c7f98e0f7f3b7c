//go:build cgo && llamacpp

package engine

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// ggml's numbers of the types that have kernels of ours.
var kernelTypes = map[string]int{"q4_0": 2, "q4_1": 3, "q5_0": 6, "q5_1": 7, "q8_0": 8, "q4_K": 12,
	"q5_K": 13, "q6_K": 14, "iq4_NL": 20, "iq4_XS": 23}
var floatTypes = map[string]int{"f32": 0, "f16": 1, "bf16": 30}

// onSets runs f on each set of kernels that this machine can run, the best last. Some sets are tested on few machines
// only.
func onSets(t *testing.T, f func(t *testing.T)) {
	start()
	best := library{}.Kernels()
	t.Cleanup(func() { choose(t, best) })
	for _, s := range slices.Backward(library{}.KernelSets()) {
		t.Run(s.Name, func(t *testing.T) {
			if !s.Runs {
				t.Skip("this machine cannot run them")
			}
			choose(t, s.Name)
			f(t)
		})
	}
}

func choose(t *testing.T, name string) {
	t.Helper()
	must.Have(t, (library{}).ChooseKernels(name), "kernels", name, "cannot run")
}

func normal(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// Products are those of the stored weights and of the rounded activations. A row's do not depend on the others, nor on
// the set.
func TestProducts(t *testing.T) {
	type product struct {
		kind string
		k    int
	}
	seen := make(map[product][]float32) // with the sets before
	onSets(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for _, kind := range slices.Sorted(maps.Keys(kernelTypes)) {
			for _, k := range []int{256, 576, 1536} {
				if k%max(32, together(kind)) != 0 {
					continue
				}
				products(t, r, kind, kernelTypes[kind], k, together(kind), seen[product{kind, k}],
					func(out []float32) { seen[product{kind, k}] = out })
			}
		}
		for _, kind := range slices.Sorted(maps.Keys(floatTypes)) {
			for _, k := range []int{4, 8, 16, 37, 64, 896} {
				products(t, r, kind, floatTypes[kind], k, 0, seen[product{kind, k}],
					func(out []float32) { seen[product{kind, k}] = out })
			}
		}
	})
}

// Few weights a row, as an adapter's second matrix has, go through code of their own: with zeros behind them, as many
// as make a long row of them, they give the same bits.
func TestProductsOfFewWeights(t *testing.T) {
	const long = 80
	onSets(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, kind := range slices.Sorted(maps.Keys(floatTypes)) {
			for _, k := range []int{1, 4, 8, 9, 16, 37, 64} {
				weights, x := normal(r, 16*k), normal(r, 5*k)
				padded := func(rows []float32) (out []float32) {
					for row := range slices.Chunk(rows, k) {
						out = append(append(out, row...), make([]float32, long-k)...)
					}
					return out
				}
				longWeights, longX := padded(weights), padded(x)
				got, _ := multiply(floatTypes[kind], k, weights, x)
				want, _ := multiply(floatTypes[kind], long, longWeights, longX)
				must.Same(t, got, want, kind, k, "with zeros behind them")
			}
		}
	})
}

// together is the number of activations that have one scale.
func together(kind string) int {
	if strings.HasSuffix(kind, "_K") || kind == "iq4_XS" {
		return 256
	}
	return 32
}

// products tests one type and length; together is 0 where activations are not rounded. known are the bits of another
// set, or nil, and tell is told those of this one.
func products(t *testing.T, r *rand.Rand, name string, kind, k, together int, known []float32, tell func([]float32)) {
	t.Helper()
	original := normal(r, 16*k)
	weights := slices.Clone(original)
	x := normal(r, 37*k)
	clear(x[:k/2]) // a run of zeros
	out, ours := multiply(kind, k, weights, x)
	must.Have(t, ours, name, "llama.cpp does it")
	must.Have(t, known == nil || slices.Equal(out, known), name, k, "weights: other bits than with another set")
	tell(out)
	for row := range len(x) / k {
		activations := slices.Clone(x[row*k:][:k])
		for at := 0; together > 0 && at < k; at += together {
			roundTo8(activations[at:][:together])
		}
		for lane := range 16 {
			var want, all float64
			for i, v := range activations {
				p := float64(v) * float64(weights[lane*k+i])
				want, all = want+p, all+math.Abs(p)
			}
			if got := float64(out[row*16+lane]); math.Abs(got-want) > 1e-6*all {
				t.Fatalf("%s, %d weights, row %d, lane %d: %g, want %g", name, k, row, lane, got, want)
			}
		}
	}
	for n := 1; n < 36; n++ {
		for from := 0; from+n <= len(x)/k; from += n {
			if got, _ := multiply(kind, k, slices.Clone(original), x[from*k:(from+n)*k]); !slices.Equal(got,
				out[from*16:(from+n)*16]) {
				t.Fatalf("%s: rows %d to %d alone give other bits", name, from, from+n-1)
			}
		}
	}
}

// roundTo8 rounds activations to 127 steps of the largest on either side.
func roundTo8(x []float32) {
	var largest float64
	for _, v := range x {
		largest = max(largest, math.Abs(float64(v)))
	}
	for i, v := range x {
		if largest > 0 {
			x[i] = float32(math.RoundToEven(float64(v*float32(127/float32(largest)))) * largest / 127)
		}
	}
}

// halves draws numbers of 16 bits of either sign, from 1/128 to 2, and returns them as such and as others.
func halves(r *rand.Rand, n int) ([]uint16, []float64) {
	bits, x := make([]uint16, n), make([]float64, n)
	for i := range bits {
		exponent, fraction, sign := 8+r.IntN(8), r.IntN(1024), r.IntN(2)
		bits[i] = uint16(sign<<15 | exponent<<10 | fraction)
		x[i] = math.Ldexp(1+float64(fraction)/1024, exponent-15) * float64(1-2*sign)
	}
	return bits, x
}

// Attention is what its definition says, and a token's does not depend on the others, on threads, on later cells or on
// the set.
func TestAttention(t *testing.T) {
	seen := make(map[heads][]float32) // with the sets before
	onSets(t, func(t *testing.T) { attention(t, seen) })
}

func attention(t *testing.T, seen map[heads][]float32) {
	const minusInfinity, hidden = 0xfc00, 2 // every other token sees nothing of the first cells, as one of another text
	r := rand.New(rand.NewPCG(3, 4))
	for _, h := range []heads{
		{64, 14, 2, 37, 256}, {128, 12, 2, 5, 512}, {64, 9, 3, 20, 128}, {80, 4, 4, 3, 64}, {256, 8, 1, 2, 128},
		{128, 32, 8, 1, 256},
	} {
		q := normal(r, h.size*h.queries*h.tokens)
		k, keys := halves(r, h.size*h.keys*h.cells)
		v, values := halves(r, h.size*h.keys*h.cells)
		mask := make([]uint16, h.tokens*h.cells)
		first := h.cells - h.tokens - 10 // the last cells are empty
		for token := range h.tokens {
			for cell := range h.cells {
				if cell > first+token || token%2 == 1 && cell < h.cells/hidden {
					mask[token*h.cells+cell] = minusInfinity
				}
			}
		}
		scale := float32(1 / math.Sqrt(float64(h.size)))
		out, ours := attend(1, h, q, k, v, mask, scale)
		must.Have(t, ours, h, "llama.cpp does it")
		if known := seen[h]; known != nil && !slices.Equal(out, known) {
			t.Fatalf("%v: other bits than with another set", h)
		}
		seen[h] = out
		if more, _ := attend(3, h, q, k, v, mask, scale); !slices.Equal(more, out) {
			t.Errorf("%v: on three threads it is another", h)
		}
		for token := range h.tokens {
			alone := h
			alone.tokens = 1
			var query []float32
			for head := range h.queries {
				query = append(query, q[(head*h.tokens+token)*h.size:][:h.size]...)
			}
			got := out[token*h.queries*h.size:][:h.queries*h.size]
			if one, _ := attend(2, alone, query, k, v, mask[token*h.cells:][:h.cells], scale); !slices.Equal(one, got) {
				t.Fatalf("%v: token %d alone is another", h, token)
			}
			for head := range h.queries {
				group := head / (h.queries / h.keys)
				want := make([]float64, h.size)
				var all float64
				for cell := range h.cells {
					if mask[token*h.cells+cell] != 0 {
						continue
					}
					var score float64
					for i := range h.size {
						score += float64(query[head*h.size+i]) * keys[(group*h.cells+cell)*h.size+i]
					}
					weight := math.Exp(score * float64(scale))
					all += weight
					for i := range want {
						want[i] += weight * values[(group*h.cells+cell)*h.size+i]
					}
				}
				for i := range want {
					if d := math.Abs(float64(got[head*h.size+i]) - want[i]/all); d > 1e-5 {
						t.Fatalf("%v: token %d, head %d, number %d: %g, want %g", h, token, head, i,
							got[head*h.size+i], want[i]/all)
					}
				}
			}
		}
	}
}
