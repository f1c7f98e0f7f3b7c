//go:build cgo && llamacpp

package llamacpp

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ollama/ollama/llama"
	"github.com/ollama/ollama/ml"

	"nl2sql/llm"
	"nl2sql/llm/lora"
)

// torch is what scripts/peft/reference.py wrote: PyTorch's logits with and without an adapter.
type torch struct {
	Rank    int   `json:"r"`
	Alpha   int   `json:"lora_alpha"`
	RSLoRA  bool  `json:"use_rslora"`
	Every   int   `json:"every"`
	Tokens  []int `json:"tokens"`
	Base    torchLogits
	Adapted torchLogits
}

type torchLogits struct {
	At     []int       // positions
	Logits [][]float64 // at each, of one token in Every
	Top    []int       // likeliest token at every position
}

func reference(t *testing.T) map[string]torch {
	t.Helper()
	text, err := os.ReadFile("testdata/peft.json")
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]torch
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// number gives the i-th of the numbers that reference.py gives a tensor of that name.
func number(name string, i int) float32 {
	h := fnv.New64a()
	h.Write([]byte(name))
	z := h.Sum64() + uint64(i+1)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return float32(int(z>>56)-128) / 128
}

// peft writes the folder that PEFT would save for the adapter of a reference: all modules of all layers, in bfloat16.
func peft(t *testing.T, base llm.GGUF, ref torch) string {
	t.Helper()
	modules := map[string]string{"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
		"ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj"}
	header := make(map[string]any)
	var data []byte
	add := func(name string, rows, columns int64, scale float32) {
		from := len(data)
		for i := range rows * columns {
			data = binary.LittleEndian.AppendUint16(data, uint16(math.Float32bits(scale*number(name, int(i)))>>16))
		}
		header[name] = map[string]any{"dtype": "BF16", "shape": []int64{rows, columns}, "data_offsets": []int{from, len(data)}}
	}
	for _, w := range base.Tensors {
		part := strings.Split(w.Name, ".") // blk.0.attn_q.weight
		if len(part) != 4 || part[3] != "weight" || modules[part[2]] == "" {
			continue
		}
		name := "base_model.model.model.layers." + part[1] + "." + modules[part[2]]
		add(name+".lora_A.weight", int64(ref.Rank), w.Shape[0], 1./8)
		add(name+".lora_B.weight", w.Shape[1], int64(ref.Rank), 1./32)
	}
	head, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	config := fmt.Sprintf(`{"peft_type":"LORA","r":%d,"lora_alpha":%d,"use_rslora":%v,"bias":"none"}`, ref.Rank, ref.Alpha, ref.RSLoRA)
	for name, b := range map[string][]byte{"adapter_config.json": []byte(config),
		"adapter_model.safetensors": slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head, data)} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// evaluate returns the logits after each token, with a GGUF LoRA or without.
func evaluate(t *testing.T, model, adapter string, tokens []int) [][]float32 {
	t.Helper()
	start()
	lm, err := llama.LoadModelFromFile(model, llama.ModelParams{UseMmap: true, Progress: func(float32) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer llama.FreeModel(lm)
	lc, err := llama.NewContextWithModel(lm, llama.NewContextParams(64, 64, 1, 2, ml.FlashAttentionEnabled, ""))
	if err != nil {
		t.Fatal(err)
	}
	release, err := adapt(lm, lc, adapter)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	batch, err := llama.NewBatch(len(tokens), 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer batch.Free()
	for i, token := range tokens {
		batch.Add(token, nil, i, true, 0)
	}
	if err := lc.Decode(batch); err != nil {
		t.Fatal(err)
	}
	out := make([][]float32, len(tokens))
	for i := range out {
		out[i] = lc.GetLogitsIth(i)
	}
	return out
}

func top(logits []float32) int {
	return slices.Index(logits, slices.Max(logits))
}

// difference is the largest between two lists of logits, and their number of positions with another likeliest token.
func difference(a, b [][]float32) (most float64, tops int) {
	for i := range a {
		for j := range a[i] {
			most = max(most, math.Abs(float64(a[i][j]-b[i][j])))
		}
		if top(a[i]) != top(b[i]) {
			tops++
		}
	}
	return most, tops
}

// compare returns the largest difference from PyTorch's sample, and the positions with another likeliest token.
func (r torchLogits) compare(t *testing.T, got [][]float32, every int) (most float64, tops int) {
	t.Helper()
	for i, at := range r.At {
		for j, want := range r.Logits[i] {
			most = max(most, math.Abs(float64(got[at][j*every])-want))
		}
	}
	for i, want := range r.Top {
		if top(got[i]) != want {
			tops++
		}
	}
	return most, tops
}

// f32 writes a model with all weights as numbers of 32 bits: a conversion is judged without the noise of quantization.
func f32(t *testing.T, model string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f32.gguf")
	last := 0.0
	if err := Quantize(context.Background(), model, path, "F32", func(done float64) { last = max(last, done) }); err != nil {
		t.Fatal(err)
	}
	if last != 1 {
		t.Errorf("progress ended at %v", last)
	}
	return path
}

// merge opens the adapter of a reference and writes the base with it added.
func merge(t *testing.T, model string, ref torch) (a llm.Adapter, merged string) {
	t.Helper()
	base, err := llm.ReadGGUF(model)
	if err != nil {
		t.Fatal(err)
	}
	if a, err = lora.Open(context.Background(), peft(t, base, ref), base, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	merged = filepath.Join(t.TempDir(), "merged.gguf")
	err = lora.WriteFile(context.Background(), merged, func(w io.Writer) error {
		return lora.Merge(context.Background(), w, base, a, Dequantize, func(float64) {})
	})
	if err != nil {
		t.Fatal(err)
	}
	return a, merged
}

// A PEFT adapter of random numbers, applied while the model is loaded, and merged into it, gives PyTorch's logits.
func TestAdaptersAgreeWithPyTorch(t *testing.T) {
	for name, ref := range reference(t) {
		t.Run(name, func(t *testing.T) {
			path := f32(t, fetched(t, name))
			a, merged := merge(t, path, ref)
			plain, applied, together := evaluate(t, path, "", ref.Tokens), evaluate(t, path, a.Path, ref.Tokens), evaluate(t, merged, "", ref.Tokens)
			for _, tt := range []struct {
				what string
				got  [][]float32
				want torchLogits
			}{{"no adapter", plain, ref.Base}, {"applied", applied, ref.Adapted}, {"merged", together, ref.Adapted}} {
				most, tops := tt.want.compare(t, tt.got, ref.Every)
				t.Logf("%s: the largest difference from PyTorch's logits is %.4f; %d of %d likeliest tokens differ", tt.what, most, tops, len(ref.Tokens))
				if most > 0.05 || tops > 0 {
					t.Errorf("%s: too far from PyTorch", tt.what)
				}
			}
			most, tops := difference(plain, applied)
			t.Logf("the adapter changes a logit by up to %.2f, and %d of %d likeliest tokens", most, tops, len(ref.Tokens))
			if most < 1 {
				t.Error("the adapter changes too little to prove anything")
			}
		})
	}
}

// rms is the root of the mean square of the differences.
func rms(a, b [][]float32) float64 {
	var sum float64
	n := 0
	for i := range a {
		for j := range a[i] {
			d := float64(a[i][j] - b[i][j])
			sum += d * d
			n++
		}
	}
	return math.Sqrt(sum / float64(n))
}

// A merged and quantized model is as far from the adapter applied in full precision as the base in that type is from the
// base, give or take: the merging adds no error of its own.
func TestMergedWithinNoise(t *testing.T) {
	ref := reference(t)["smollm2-135m"]
	path := f32(t, fetched(t, "smollm2-135m"))
	a, merged := merge(t, path, ref)
	plain, applied := evaluate(t, path, "", ref.Tokens), evaluate(t, path, a.Path, ref.Tokens)
	change := rms(plain, applied)
	for _, kind := range []string{"F16", "Q8_0", "Q4_K_M"} {
		quantized := func(in string) [][]float32 {
			out := filepath.Join(t.TempDir(), kind+".gguf")
			if err := Quantize(context.Background(), in, out, kind, nil); err != nil {
				t.Fatal(err)
			}
			g, err := llm.ReadGGUF(out)
			if err != nil || g.Quantization != kind {
				t.Fatalf("%+v, %v: want %s", g.Quantization, err, kind)
			}
			return evaluate(t, out, "", ref.Tokens)
		}
		noise, off := rms(quantized(path), plain), rms(quantized(merged), applied)
		t.Logf("%s: merged and applied differ by %.4f (rms of all logits), the base and itself in that type by %.4f, the adapter's effect is %.4f", kind, off, noise, change)
		if off > 2*noise || kind == "F16" && off > 0.05*change {
			t.Errorf("%s: merging costs more than the type does", kind)
		}
	}
}

func TestQuantizeErrors(t *testing.T) {
	path := fetched(t, "smollm2-135m")
	dir := t.TempDir()
	out := filepath.Join(dir, "out.gguf")
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	soon, stop := context.WithCancel(context.Background())
	text := filepath.Join(t.TempDir(), "text.gguf")
	if err := os.WriteFile(text, []byte("no model"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		ctx      context.Context
		in, kind string
		progress func(float64)
		want     string
	}{
		{"type", context.Background(), path, "IQ1_S", nil, `no quantization "IQ1_S": there are F32, `},
		{"no model", context.Background(), text, "Q8_0", nil, "model text.gguf: is not a GGUF file"},
		{"cancelled before", gone, path, "Q8_0", nil, "context canceled"},
		{"cancelled at work", soon, path, "Q8_0", func(float64) { stop() }, "context canceled"},
	} {
		if err := Quantize(tt.ctx, tt.in, out, tt.kind, tt.progress); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
			t.Errorf("%s: left %v, %v", tt.name, files, err)
		}
	}
	if err := Dequantize("Q4_K", make([]byte, 144), make([]float32, 255)); err == nil {
		t.Error("half a block was dequantized")
	}
	if err := Dequantize("I8", make([]byte, 4), make([]float32, 4)); err == nil || err.Error() != "llama.cpp cannot dequantize I8" {
		t.Errorf("a type of whole numbers: %v", err)
	}
}

// What llama.cpp refuses after all is an error, and closing frees the adapter.
func TestOpenWithAdapter(t *testing.T) {
	path := fetched(t, "smollm2-135m")
	if _, err := Open(context.Background(), path, Options{Context: 256, Adapter: path}); err == nil || !strings.Contains(err.Error(), "cannot apply the adapter SmolLM2") {
		t.Errorf("a model as an adapter: %v", err)
	}
	base, err := llm.ReadGGUF(path)
	if err != nil {
		t.Fatal(err)
	}
	a, err := lora.Open(context.Background(), peft(t, base, reference(t)["smollm2-135m"]), base, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	without := generate(t, open(t, "smollm2-135m", Options{Context: 512}), question("x"), llm.Params{MaxTokens: 20})
	m := open(t, "smollm2-135m", Options{Context: 512, Adapter: a.Path})
	with := generate(t, m, question("x"), llm.Params{MaxTokens: 20})
	if with.Text == without.Text {
		t.Errorf("the adapter changes nothing: %q", with.Text)
	}
	if again := generate(t, m, question("x"), llm.Params{MaxTokens: 20}); again.Text != with.Text || again.CachedTokens == 0 {
		t.Errorf("then %q with %d tokens cached, first %q", again.Text, again.CachedTokens, with.Text)
	}
}
