package llm

import (
	"fmt"
	"testing"

	"nl2sql/scripts/must"
)

func TestMemory(t *testing.T) {
	g := GGUF{Bytes: 1000, Layers: 2, Embedding: 64, Heads: 2, KeyHeads: 1, HeadSize: 32,
		Context: 10_000, Vocabulary: 10}
	const fixed = 1000 + 512*(10+8*64)
	for _, tt := range []struct {
		use  Use
		want int64 // beside what is fixed
	}{
		{Use{}, 2 * 2 * 64 * 8192},
		{Use{Context: 100}, 2 * 2 * 64 * 100},
		{Use{Context: 20_000, KV: "f16"}, 2 * 2 * 64 * 10_000}, // more than it was trained for
		{Use{Context: 100, Parallel: 4, KV: "q8_0"}, 2 * 2 * 34 * 100 * 4},
		{Use{Context: 100, KV: "q4_0"}, 2 * 2 * 18 * 100},
	} {
		if got := g.Memory(tt.use) - fixed; got != tt.want {
			t.Errorf("%+v: %d bytes, want %d", tt.use, got, tt.want)
		}
	}
	g.HeadSize = 0 // heads vary by layer
	must.Equal(t, g.Memory(Use{Context: 100})-fixed, 2*2*128*100, "bytes")
}

func TestOffload(t *testing.T) {
	const mb = 1 << 20
	g := GGUF{Layers: 4, Embedding: 64, Heads: 2, KeyHeads: 1, HeadSize: 32, Context: 1 << 20, Vocabulary: 1000}
	for l := range g.Layers {
		g.Tensors = append(g.Tensors, Tensor{Name: fmt.Sprintf("blk.%d.attn_q.weight", l), Bytes: 60 * mb},
			Tensor{Name: fmt.Sprintf("blk.%d.ffn_up.weight", l), Bytes: 40 * mb})
	}
	g.Tensors = append(g.Tensors, Tensor{Name: "token_embd.weight", Bytes: 500 * mb}, Tensor{Name: "output.weight",
		Bytes: 50 * mb}, Tensor{Name: "output_norm.weight", Bytes: 10})
	tied := g
	tied.Tensors = g.Tensors[:len(g.Tensors)-2]
	// A GPU needs 512 MB beside the model, and a little for activations and the mask.
	small, large := Use{Context: 1024}, Use{Context: 1 << 18} // keys and values of a layer: 128 kB and 32 MB
	for _, tt := range []struct {
		name string
		g    GGUF
		use  Use
		free []int64
		want int
	}{
		{"no GPU", g, small, nil, 0},
		{"a full one", g, small, []int64{0}, 0},
		{"too little for a layer", g, small, []int64{600 * mb}, 0},
		{"one layer", g, small, []int64{620 * mb}, 1},
		{"three layers", g, small, []int64{900 * mb}, 3},
		{"all layers without the output", g, small, []int64{940 * mb}, 4},
		{"everything", g, small, []int64{980 * mb}, 5},
		{"output shares its weights with the tokens", tied, small, []int64{980 * mb}, 4},
		{"and fits", tied, small, []int64{1420 * mb}, 5},
		{"a larger window", g, large, []int64{1516 * mb}, 1}, // its mask takes 768 MB
		{"in eight bits", g, Use{Context: 1 << 18, KV: "q8_0"}, []int64{1516 * mb}, 1},
		{"four windows", g, Use{Context: 1 << 16, Parallel: 4}, []int64{1516 * mb}, 1},
		{"two GPUs", g, small, []int64{720 * mb, 720 * mb}, 4},
		{"two GPUs, everything", g, small, []int64{830 * mb, 830 * mb}, 5},
		{"one of two is full", g, small, []int64{980 * mb, 0}, 5},
		{"the first is full", g, small, []int64{0, 980 * mb}, 5},
		{"the second cannot hold the output", g, small, []int64{2000 * mb, 550 * mb}, 4},
	} {
		must.Equal(t, tt.g.Offload(tt.use, tt.free), tt.want, tt.name)
	}
	// All layers and the output take 964 MB with what a GPU needs, a window of 1024 tokens 512 kB and its mask 3 MB.
	for _, tt := range []struct {
		free []int64
		most int
		want int
	}{
		{nil, 64, 0},
		{[]int64{900 * mb}, 64, 0},
		{[]int64{980 * mb}, 64, 4},
		{[]int64{980 * mb}, 3, 3},
		{[]int64{80_000 * mb}, 64, 64},
		{[]int64{830 * mb, 830 * mb}, 64, 5},
	} {
		got := g.Sequences(small, tt.free, tt.most)
		must.Equal(t, got, tt.want, tt.free)
		if got > 0 && got < tt.most { // one more leaves a layer out
			more := small
			more.Parallel = got + 1
			must.Be(t, g.Offload(more, tt.free) < g.Layers+1, tt.free)
		}
	}
}
