package llm

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// tinyAdapter fits the model of tiny() if that has a weight of 64×32, as adaptable has.
func tinyAdapter() gguf {
	return gguf{version: 3, kv: []kv{
		{"general.architecture", "llama"}, {"general.type", "adapter"}, {"adapter.type", "lora"},
		{"adapter.lora.alpha", float32(8)},
	}, tensors: []tensor{
		{"blk.0.attn_q.weight.lora_b", []uint64{2, 32}, 0, 0, 256},
		{"blk.0.attn_q.weight.lora_a", []uint64{64, 2}, 1, 256, 256},
	}}
}

func adaptable() GGUF {
	return GGUF{Architecture: "llama",
		Tensors: []Tensor{{Name: "blk.0.attn_q.weight", Shape: []int64{64, 32}, Type: "Q4_0"},
			{Name: "output_norm.weight", Shape: []int64{64}, Type: "F32"}}}
}

func TestReadAdapter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.gguf")
	b := tinyAdapter().file()
	must.Do(t, os.WriteFile(path, b, 0o600))
	got := must.Get(ReadAdapter(path, adaptable()))(t)
	want := Adapter{Path: path, Bytes: int64(len(b)), Pairs: []Pair{{Weight: "blk.0.attn_q.weight", Rank: 2, Scale: 4,
		A: Tensor{"blk.0.attn_q.weight.lora_a", []int64{64, 2}, "F16", int64(len(b) - 256), 256},
		B: Tensor{"blk.0.attn_q.weight.lora_b", []int64{2, 32}, "F32", int64(len(b) - 512), 256}}}}
	must.Same(t, got, want)
	b = tinyAdapter().with("adapter.lora.alpha", nil).file()
	if got, err := parseAdapter(bytes.NewReader(b), int64(len(b)), adaptable()); err != nil || got.Pairs[0].Scale != 1 {
		t.Errorf("without alpha: %+v, %v; want scale 1", got.Pairs, err)
	}
	if _, err := ReadAdapter(filepath.Join(t.TempDir(), "no.gguf"), adaptable()); err == nil ||
		err.Error() != "adapter no.gguf: no such file or directory" {
		t.Errorf("no file: %v", err)
	}
	// and the other way round
	if _, err := ReadGGUF(path); err == nil || !strings.Contains(err.Error(), "is an adapter, not a model") {
		t.Errorf("as a model: %v", err)
	}
}

func TestReadAdapterErrors(t *testing.T) {
	good := tinyAdapter()
	for _, tt := range []struct {
		name string
		file gguf
		want string
	}{
		{"a model", tiny(), "is no adapter: a model is named with --model"},
		{"another type", good.with("adapter.type", "control_vector"),
			`is an adapter of type "control_vector", want lora`},
		{"another architecture", good.with("general.architecture", "qwen2"),
			`is for the architecture "qwen2", the base model has "llama"`},
		{"activated", good.with("adapter.alora.invocation_tokens", []int32{1}), "is an activated LoRA"},
		{"alpha is an integer", good.with("adapter.lora.alpha", uint32(8)), "adapter.lora.alpha is no number"},
		{"alpha is no number", good.with("adapter.lora.alpha", float32(math.NaN())), "adapter.lora.alpha is no number"},
		{"one of two", good.tensor(0, func(t *tensor) { t.name = "blk.1.attn_q.weight.lora_b" }),
			"has one matrix of two"},
		{"a norm", good.tensor(0, func(t *tensor) { t.name = "output_norm.weight" }),
			"changes output_norm.weight, which is no LoRA"},
		{"embedding", good.tensor(0, func(t *tensor) { t.name = "token_embd.weight.lora_a" }),
			"adapts the embedding of tokens"},
		{"longer rows", good.tensor(1, func(t *tensor) { t.dims = []uint64{32, 4} }),
			"adapts blk.0.attn_q.weight of 32×32, the base model's has 32×64"},
		{"more rows", good.tensor(0, func(t *tensor) { t.dims = []uint64{1, 64} }),
			"adapts blk.0.attn_q.weight of 64×64, the base model's has 32×64"},
		{"ranks differ", good.tensor(1, func(t *tensor) { t.dims, t.kind = []uint64{64, 1}, 0 }), "lora_a has 1 rows"},
		{"three dimensions", good.tensor(0, func(t *tensor) { t.dims = []uint64{2, 32, 1} }),
			"adapts blk.0.attn_q.weight, which is no matrix"},
	} {
		b := tt.file.file()
		_, err := parseAdapter(bytes.NewReader(b), int64(len(b)), adaptable())
		must.Says(t, err, tt.want, tt.name)
	}
	b := good.file()
	if _, err := parseAdapter(bytes.NewReader(b), int64(len(b)), GGUF{Architecture: "llama"}); err == nil ||
		!strings.Contains(err.Error(), "which the base model does not have") {
		t.Errorf("another base: %v", err)
	}
}

func TestDamagedAdapters(t *testing.T) {
	whole := tinyAdapter().file()
	for n := range len(whole) {
		if _, err := parseAdapter(bytes.NewReader(whole[:n]), int64(n), adaptable()); err == nil {
			t.Errorf("cut to %d of %d bytes: accepted", n, len(whole))
		}
	}
	random := rand.New(rand.NewPCG(3, 3))
	refused := 0
	const tries, header = 1000, 300
	for range tries {
		b := bytes.Clone(whole)
		b[random.IntN(header)] ^= byte(1 + random.IntN(255))
		if _, err := parseAdapter(bytes.NewReader(b), int64(len(b)), adaptable()); err != nil {
			refused++
		}
	}
	t.Logf("%d of %d flips refused", refused, tries)
	must.Be(t, refused != 0, "no flip was refused")
}

func FuzzAdapter(f *testing.F) {
	f.Add(tinyAdapter().file())
	f.Add(tinyAdapter().file()[:150])
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := parseAdapter(bytes.NewReader(b), int64(len(b)), adaptable())
		for _, p := range a.Pairs {
			for _, m := range []Tensor{p.A, p.B} {
				if err == nil && (m.Bytes <= 0 || m.Offset < 0 || m.Offset+m.Bytes > int64(len(b)) || p.Rank < 1) {
					t.Errorf("accepted without sense: %+v", p)
				}
			}
		}
	})
}

// What WriteGGUF writes, ReadGGUF reads, at another alignment too.
func TestWriteGGUF(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	must.Do(t, os.WriteFile(path, tiny().file(), 0o600))
	g, err := ReadGGUF(path)
	must.Do(t, err)
	m := must.Get(g.Metadata())(t)
	m.Number("general.alignment", 64)
	m.align = 64
	var out bytes.Buffer
	err = WriteGGUF(&out, m, g.Tensors, func(i int, w io.Writer) error {
		_, err := w.Write(make([]byte, g.Tensors[i].Bytes))
		return err
	})
	must.Do(t, err)
	again := must.Get(parseGGUF(&out, int64(out.Len())))(t)
	for i := range again.Tensors {
		must.Equal(t, again.Tensors[i].Offset%64, 0, again.Tensors[i].Name, "lies at", again.Tensors[i].Offset)
		again.Tensors[i].Offset = g.Tensors[i].Offset
	}
	again.Bytes, again.Path = g.Bytes, g.Path
	must.Same(t, again, g)
	err = WriteGGUF(&bytes.Buffer{}, Metadata{}, []Tensor{{Name: "x", Shape: []int64{32}, Type: "Q4_0"}},
		func(i int, w io.Writer) error {
			_, err := w.Write(make([]byte, 17))
			return err
		})
	must.Be(t, err != nil && err.Error() == "tensor x: wrote 17 bytes, want 18", "too few bytes", err)
	if _, err := TensorBytes("Q4_K", []int64{64}); err == nil ||
		err.Error() != "rows of Q4_K have a multiple of 256 values" {
		t.Errorf("half a block: %v", err)
	}
	if _, err := TensorBytes("Q99", []int64{64}); err == nil {
		t.Error("an unknown type has a size")
	}
}
