package llm

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

// Memory estimates the bytes that running the model takes: the weights, which are reordered in memory of their own,
// the keys and values, and the buffers of one evaluation.
func (g GGUF) Memory(u Use) int64 {
	const batch = 128 * 4 // tokens of an evaluation, in 32 bits
	return g.Bytes + int64(g.Layers)*g.layerKV(u) + batch*int64(g.Vocabulary+8*g.Embedding)
}

// layerKV returns the bytes of a layer's keys and values.
func (g GGUF) layerKV(u Use) int64 {
	if u.Context == 0 {
		u.Context = 8192
	}
	numbers := int64(g.Embedding) // a model whose heads vary: as if they were not shared
	if g.HeadSize > 0 {
		numbers = int64(g.KeyHeads) * int64(g.HeadSize)
	}
	return 2 * numbers * kvBytes[u.KV] / 32 * int64(min(u.Context, g.Context)) * int64(max(u.Parallel, 1))
}
