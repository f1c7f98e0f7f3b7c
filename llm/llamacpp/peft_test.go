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

// A PEFT adapter of random numbers, applied while the model is loaded, and merged into it, gives PyTorch's logits.
func TestAdaptersAgreeWithPyTorch(t *testing.T) {
	for name, ref := range reference(t) {
		t.Run(name, func(t *testing.T) {
			path := f32(t, fetched(t, name))
			base, err := llm.ReadGGUF(path)
			if err != nil {
				t.Fatal(err)
			}
			a, err := lora.Open(context.Background(), peft(t, base, ref), base, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			merged := filepath.Join(t.TempDir(), "merged.gguf")
			err = lora.WriteFile(context.Background(), merged, func(w io.Writer) error {
				return lora.Merge(context.Background(), w, base, a, Dequantize, func(float64) {})
			})
			if err != nil {
				t.Fatal(err)
			}
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
