package llm

import (
	"cmp"
	"fmt"
	"sort"
	"strings"
)

// Use is how a model is to be run, as far as memory depends on it. The zero value is one sequence, of 8192 tokens or
// of what the model was trained for if that is less, with keys and values of 16 bits.
type Use struct {
	Context  int    // window of a sequence in tokens; 0 means 8192
	Parallel int    // sequences, each with a window of its own; 0 means 1
	KV       string // one of KVTypes; "" means the first
}

// KVTypes are the types in which keys and values of attention can be kept, from the most exact to the smallest.
var KVTypes = []string{"f16", "q8_0", "q4_0"}

// kvBytes are those of 32 numbers. Source: ggml-common.h.
var kvBytes = map[string]int64{"": 64, "f16": 64, "q8_0": 34, "q4_0": 18}

// Bytes: tokens of an evaluation, in 32 bits; a GPU reads more of a prompt at once in fast mode.
const (
	batch    = 128 * 4
	gpuBatch = 512 * 4
)

// Memory estimates the bytes that running the model takes: the weights, which are reordered in memory of their own,
// the keys and values, and the buffers of one evaluation.
func (g GGUF) Memory(u Use) int64 {
	return g.Bytes + int64(g.Layers)*g.layerKV(u) + batch*int64(g.Vocabulary+8*g.Embedding)
}

// layerKV returns the bytes of a layer's keys and values.
func (g GGUF) layerKV(u Use) int64 {
	u.Context = cmp.Or(u.Context, 8192)
	numbers := int64(g.Embedding) // a model whose heads vary: as if they were not shared
	if g.HeadSize > 0 {
		numbers = int64(g.KeyHeads) * int64(g.HeadSize)
	}
	return 2 * numbers * kvBytes[u.KV] / 32 * int64(min(u.Context, g.Context)) * int64(max(u.Parallel, 1))
}

// reserve is what a GPU needs beside a model: CUDA's context, cuBLAS's workspaces, pools of the kernels. Nobody tells
// beforehand; the number is a guess that no GPU has confirmed.
const reserve = 512 << 20

// Offload estimates how many layers fit into GPUs that have so many bytes free, at most Layers+1. They count from the
// model's end, as llama.cpp's n_gpu_layers does, except that the output is the last one to be taken. llama.cpp spreads
// layers over several GPUs in proportion to what is free there; what each gets must fit.
func (g GGUF) Offload(u Use, free []int64) int {
	for n := g.Layers + 1; n > 0; n-- {
		if g.fits(n, u, free) {
			return n
		}
	}
	return 0
}

// Sequences estimates how many sequences, at most so many, GPUs hold beside all layers of the model; 0 if not one.
func (g GGUF) Sequences(u Use, free []int64, most int) int {
	return sort.Search(most, func(n int) bool {
		u.Parallel = n + 1
		return !g.fits(g.Layers+1, u, free)
	})
}

// fits reports whether the last n layers fit. Source: llama-model.cpp, load_tensors.
func (g GGUF) fits(n int, u Use, free []int64) bool {
	var all float64
	for _, f := range free {
		all += float64(max(f, 0))
	}
	if all == 0 {
		return false
	}
	weights, output := g.layerWeights()
	need := make([]int64, len(free))
	first := max(g.Layers-n, 0)
	for l := first; l < first+n; l++ {
		device, sum := 0, float64(max(free[0], 0))
		for device < len(free)-1 && sum/all <= float64(l-first)/float64(n) {
			device++
			sum += float64(max(free[device], 0))
		}
		if l < g.Layers {
			need[device] += weights[l] + g.layerKV(u)
		} else {
			need[device] += output + gpuBatch*int64(g.Vocabulary)
		}
	}
	for i, f := range free {
		if need[i] > 0 && need[i]+g.gpuBuffers(u) > f {
			return false
		}
	}
	return true
}

// layerWeights returns the bytes of each layer's weights and of the output's. A model without output weights uses those
// of its tokens, of which a GPU then gets a copy.
func (g GGUF) layerWeights() (layers []int64, output int64) {
	layers = make([]int64, g.Layers)
	var tokens int64
	shared := true
	for _, t := range g.Tensors {
		var l int
		switch _, err := fmt.Sscanf(t.Name, "blk.%d.", &l); {
		case err == nil && l >= 0 && l < g.Layers:
			layers[l] += t.Bytes
		case t.Name == "token_embd.weight":
			tokens = t.Bytes
		case strings.HasPrefix(t.Name, "output"):
			output += t.Bytes
			shared = shared && t.Name != "output.weight"
		}
	}
	if shared {
		output += tokens
	}
	return layers, output
}

// gpuBuffers returns what a GPU needs beside weights, keys and values: activations, the mask of attention, and smaller
// keys and values in 16 bits, a layer at a time.
func (g GGUF) gpuBuffers(u Use) int64 {
	window := u
	window.KV = ""
	n := reserve + gpuBatch*8*int64(g.Embedding) + gpuBatch/4*6*g.layerKV(window)/g.layerKV(Use{Context: 1})
	if kvBytes[u.KV] < kvBytes[""] {
		n += g.layerKV(window)
	}
	return n
}
