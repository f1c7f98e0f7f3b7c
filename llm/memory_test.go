package llm

import "testing"

func TestMemory(t *testing.T) {
	g := GGUF{Bytes: 1000, Layers: 2, Embedding: 64, Heads: 2, KeyHeads: 1, HeadSize: 32, Context: 10_000, Vocabulary: 10}
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
	if got := g.Memory(Use{Context: 100}) - fixed; got != 2*2*128*100 {
		t.Errorf("%d bytes", got)
	}
}
