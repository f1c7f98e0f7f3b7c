//go:build cgo && llamacpp

package llamacpp

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

var largeFile = flag.String("large", "",
	"a file of 4.5 GB of Llama 3 8B's shape with random weights, which TestLarge makes if there is none")

// A model of Llama 3 8B's shape loads and answers.
func TestLarge(t *testing.T) {
	path := large(t)
	m := must.Get(openFile(t.Context(), path, onGPU(Options{Context: 2048})))(t)
	defer m.Close()
	out := generate(t, m, question(questions[0]), llm.Params{MaxTokens: 8})
	if out.OutputTokens == 0 && out.StopReason != llm.StopEnd {
		t.Errorf("%+v", out)
	}
	for _, n := range []int{128, 512} {
		took := must.Get(m.Speed(t.Context(), n, 1))(t)
		t.Logf("a prompt of %d tokens: %.0f tokens/s", n, float64(n)/took.Seconds())
	}
	took := must.Get(m.Speed(t.Context(), 1, 32))(t)
	t.Logf("an answer of 32 tokens: %.1f tokens/s; %s", 32/took.Seconds(), m.GPU())
}

// What is estimated to be enough memory of a GPU is enough, with all layers there and with half of them.
func TestOffloadIsEnough(t *testing.T) {
	if *gpuLayers == 0 {
		t.Skip("needs a GPU: -gpu -1")
	}
	paths := []string{*largeFile}
	for _, name := range chosen() {
		paths = append(paths, fetched(t, name))
	}
	for _, path := range slices.DeleteFunc(paths, func(p string) bool { return p == "" }) {
		file := must.Get(llm.ReadGGUF(path))(t)
		for _, o := range []Options{{Context: 8192}, {Context: 4096, Parallel: 5}} {
			o.Context = min(o.Context, file.Context)
			use := llm.Use{Context: o.Context, Parallel: o.Parallel}
			for _, layers := range []int{file.Layers + 1, file.Layers / 2} {
				o := onGPU(o)
				o.GPU = layers
				_, before, err := FindGPUs(o.CUDA)
				if err != nil || len(before) != 1 {
					t.Skipf("needs one GPU: %v, %v", before, err)
				}
				m := must.Get(openFile(t.Context(), path, o))(t)
				must.Get(m.Speed(t.Context(), 1024, 16))(t)
				_, after, err := FindGPUs(o.CUDA)
				must.Do(t, m.Close())
				if err != nil || m.GPU() == "" {
					t.Fatalf("%v; %q", err, m.GPU())
				}
				enough := sort.Search(int(before[0].Free>>20), func(mb int) bool {
					return file.Offload(use, []int64{int64(mb) << 20}) >= layers
				})
				took := int((before[0].Free - after[0].Free) >> 20)
				t.Logf("%s, %d of %d layers, %d sequences of %d tokens: estimated %d MiB, took %d MiB", path, layers,
					file.Layers+1, max(o.Parallel, 1), o.Context, enough, took)
				must.Be(t, took <= enough, path, layers, "layers", enough, "MiB are not enough: it took", took)
			}
		}
	}
}

// large returns the file of -large, which it makes if there is none.
func large(t *testing.T) string {
	t.Helper()
	if *largeFile == "" {
		t.Skip("needs 4.5 GB: -large FILE")
	}
	if _, err := os.Stat(*largeFile); err == nil {
		return *largeFile
	}
	const width, inner, kv, layers, words = 4096, 14336, 1024, 32, 128256
	var m llm.Metadata
	m.Text("general.architecture", "llama")
	m.Text("general.name", "random")
	for key, value := range map[string]uint32{"context_length": 8192, "embedding_length": width, "block_count": layers,
		"feed_forward_length": inner, "attention.head_count": 32, "attention.head_count_kv": 8,
		"rope.dimension_count": 128, "vocab_size": words} {
		m.Number("llama."+key, value)
	}
	m.Real("llama.attention.layer_norm_rms_epsilon", 1e-5)
	m.Real("llama.rope.freq_base", 500000)
	tokens, kinds := sketchTokens()
	end := uint32(len(tokens) - 2)
	for len(tokens) < words {
		tokens, kinds = append(tokens, fmt.Sprintf("w%d", len(tokens))), append(kinds, 1)
	}
	m.Text("tokenizer.ggml.model", "gpt2")
	m.Text("tokenizer.ggml.pre", "qwen2")
	m.Texts("tokenizer.ggml.tokens", tokens)
	m.Numbers("tokenizer.ggml.token_type", kinds)
	m.Texts("tokenizer.ggml.merges", []string{"t h"})
	m.Number("tokenizer.ggml.eos_token_id", end)
	m.Text("tokenizer.chat_template", "<|im_start|>")

	var tensors []llm.Tensor
	add := func(name, kind string, shape ...int64) {
		tensors = append(tensors, llm.Tensor{Name: name + ".weight", Type: kind, Shape: shape})
	}
	add("token_embd", "Q4_K", width, words)
	for l := range layers {
		layer := func(name string) string { return fmt.Sprintf("blk.%d.%s", l, name) }
		add(layer("attn_norm"), "F32", width)
		add(layer("attn_q"), "Q4_K", width, width)
		add(layer("attn_k"), "Q4_K", width, kv)
		add(layer("attn_v"), "Q4_K", width, kv)
		add(layer("attn_output"), "Q4_K", width, width)
		add(layer("ffn_norm"), "F32", width)
		add(layer("ffn_gate"), "Q4_K", width, inner)
		add(layer("ffn_up"), "Q4_K", width, inner)
		add(layer("ffn_down"), "Q4_K", inner, width)
	}
	add("output_norm", "F32", width)
	add("output", "Q4_K", width, words)

	// Blocks of 256 weights in 4 bits: two scales of 16 bits, 2^-15 and 2^-12, then 12 bytes of scales and the weights.
	random := rand.NewChaCha8([32]byte{8})
	blocks := make([]byte, 144*7281)
	must.Get(random.Read(blocks))(t)
	for at := 0; at < len(blocks); at += 144 {
		copy(blocks[at:], []byte{0, 2, 0, 12})
	}
	f := must.Get(os.Create(*largeFile))(t)
	defer f.Close()
	must.Do(t, llm.WriteGGUF(f, m, tensors, func(i int, w io.Writer) error {
		if strings.Contains(tensors[i].Name, "norm") {
			return sketchWeights(rand.New(rand.NewPCG(1, 2)), tensors[i], w)
		}
		left := must.Get(llm.TensorBytes(tensors[i].Type, tensors[i].Shape))(t)
		_, err := io.CopyN(w, &around{of: blocks}, left)
		return err
	}))
	return *largeFile
}

// around reads bytes again and again.
type around struct {
	of   []byte
	left bytes.Reader
}

func (a *around) Read(p []byte) (int, error) {
	if a.left.Len() == 0 {
		a.left.Reset(a.of)
	}
	return a.left.Read(p)
}
