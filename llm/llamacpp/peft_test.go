//go:build cgo && llamacpp

package llamacpp

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/llm/lora"
	"nl2sql/scripts/must"
)

// torch is what scripts/train/reference.py wrote: PyTorch's logits with and without an adapter.
type torch struct {
	Rank    int     `json:"r"`
	Alpha   float64 `json:"lora_alpha"`
	RSLoRA  bool    `json:"use_rslora"`
	Every   int     `json:"every"`
	Tokens  []int   `json:"tokens"`
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
	text := must.Get(os.ReadFile("testdata/peft.json"))(t)
	var out map[string]torch
	must.Do(t, json.Unmarshal(text, &out))
	return out
}

// scaled is the same adapter with the scale of LoRA, alpha/r, or of rsLoRA, alpha/√r, and the alpha that leaves it
// equal.
func (r torch) scaled(rsLoRA bool) torch {
	divisor := func(rs bool) float64 {
		if rs {
			return math.Sqrt(float64(r.Rank))
		}
		return float64(r.Rank)
	}
	r.Alpha, r.RSLoRA = r.Alpha/divisor(r.RSLoRA)*divisor(rsLoRA), rsLoRA
	return r
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
	modules := map[string]string{"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj",
		"attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
		"ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj"}
	header := make(map[string]any)
	var data []byte
	add := func(name string, rows, columns int64, scale float32) {
		from := len(data)
		for i := range rows * columns {
			data = binary.LittleEndian.AppendUint16(data, uint16(math.Float32bits(scale*number(name, int(i)))>>16))
		}
		header[name] = map[string]any{"dtype": "BF16", "shape": []int64{rows, columns},
			"data_offsets": []int{from, len(data)}}
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
	head := must.Get(json.Marshal(header))(t)
	dir := t.TempDir()
	config := fmt.Sprintf(`{"peft_type":"LORA","r":%d,"lora_alpha":%v,"use_rslora":%v,"bias":"none"}`, ref.Rank,
		ref.Alpha, ref.RSLoRA)
	for name, b := range map[string][]byte{"adapter_config.json": []byte(config),
		"adapter_model.safetensors": slices.Concat(binary.LittleEndian.AppendUint64(nil,
			uint64(len(head))), head, data)} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), b, 0o600))
	}
	return dir
}

// evaluate returns the logits after each token, with a GGUF LoRA or without.
func evaluate(t *testing.T, model, adapter string, tokens []int) [][]float32 {
	t.Helper()
	m, err := openFile(t.Context(), model,
		onGPU(Options{Context: 256, Threads: 2, Adapter: llm.Place{Path: adapter}}))
	must.Do(t, err)
	defer m.Close()
	var text, pos, seq []int32
	var want []int8
	for i, token := range tokens {
		text, pos, seq, want = append(text, int32(token)), append(pos, int32(i)), append(seq, 0), append(want, 1)
	}
	out := make([][]float32, len(tokens))
	m.do(func() {
		m.ctx.KvCacheClear()
		if err = m.decode(nil, text, pos, seq, want); err != nil {
			return
		}
		for i := range out {
			out[i] = slices.Clone(m.ctx.Logits(i))
		}
	})
	must.Do(t, err)
	return out
}

func top(logits []float32) int {
	return slices.Index(logits, slices.Max(logits))
}

// compare returns the largest difference from PyTorch's sample and the root of the mean square, and the positions with
// another likeliest token.
func (r torchLogits) compare(got [][]float32, every int) (most, rms float64, tops int) {
	var sum float64
	n := 0
	for i, at := range r.At {
		for j, want := range r.Logits[i] {
			d := math.Abs(float64(got[at][j*every]) - want)
			most, sum, n = max(most, d), sum+d*d, n+1
		}
	}
	for i, want := range r.Top {
		if top(got[i]) != want {
			tops++
		}
	}
	return most, math.Sqrt(sum / float64(n)), tops
}

// f32 writes a model with all weights as numbers of 32 bits: a conversion is judged without the noise of quantization.
func f32(t *testing.T, model string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f32.gguf")
	last := 0.0
	must.Do(t, Quantize(context.Background(), model, path, "F32",
		func(done float64) { last = max(last, done) }))
	must.Equal(t, last, 1, "progress ended at")
	return path
}

// firstLayers writes a model with its first layers only, so that files stay small.
func firstLayers(t *testing.T, model string, layers uint32) string {
	t.Helper()
	base := must.Get(llm.ReadGGUF(model))(t)
	meta := must.Get(base.Metadata())(t)
	var tensors []llm.Tensor
	for _, w := range base.Tensors {
		var layer uint32
		if n, _ := fmt.Sscanf(w.Name, "blk.%d.", &layer); n == 0 || layer < layers { // else it is of a layer
			tensors = append(tensors, w)
		}
	}
	from := must.Get(os.Open(model))(t)
	defer from.Close()
	var out bytes.Buffer
	must.Do(t, llm.WriteGGUF(&out, meta, tensors, func(i int, w io.Writer) error {
		_, err := io.Copy(w, io.NewSectionReader(from, tensors[i].Offset, tensors[i].Bytes))
		return err
	}))
	count := func(n uint32) []byte {
		const u32 = 4
		b := binary.LittleEndian.AppendUint32([]byte(base.Architecture+".block_count"), u32)
		return binary.LittleEndian.AppendUint32(b, n)
	}
	path := filepath.Join(t.TempDir(), "cut.gguf")
	must.Do(t, os.WriteFile(path, bytes.Replace(out.Bytes(), count(uint32(base.Layers)), count(layers), 1),
		0o600))
	return path
}

// adapter opens the adapter of a reference for a model.
func adapter(t *testing.T, model string, ref torch) (llm.GGUF, llm.Adapter) {
	t.Helper()
	base := must.Get(llm.ReadGGUF(model))(t)
	a := must.Get(lora.Open(context.Background(), peft(t, base, ref), base, t.TempDir()))(t)
	return base, a
}

// merge writes the base with an adapter added.
func merge(t *testing.T, base llm.GGUF, a llm.Adapter) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "merged.gguf")
	must.Do(t, lora.WriteFile(context.Background(), path, func(w io.Writer) error {
		return lora.Merge(context.Background(), w, base, a, Dequantize, func(float64) {})
	}))
	return path
}

var wholeAdapters = flag.Bool("adapters", false,
	"test adapters on whole models in full precision, which takes 5 GB of the temporary folder")

// A PEFT adapter of random numbers, with the scale of LoRA and of rsLoRA, gives PyTorch's logits: in full precision
// nearly the same, on quantized weights as near as the base model comes to its own.
func TestAdaptersAgreeWithPyTorch(t *testing.T) {
	for name, ref := range reference(t) {
		t.Run(name, func(t *testing.T) {
			path := fetched(t, name)
			precise := *wholeAdapters || name == "smollm2-135m"
			if precise {
				path = f32(t, path)
			}
			var noise float64
			near := func(what string, got [][]float32, want torchLogits) float64 {
				most, rms, tops := want.compare(got, ref.Every)
				t.Logf("%s: differs from PyTorch's logits by at most %.4f, %.4f in the mean; %d of %d likeliest tokens differ", what, most, rms, tops, len(ref.Tokens))
				if precise && (most > 0.05 || tops > 0) || noise > 0 && rms > 2*noise {
					t.Errorf("%s: too far from PyTorch", what)
				}
				return rms
			}
			plain := evaluate(t, path, "", ref.Tokens)
			noise = near("no adapter", plain, ref.Base)
			_, effect, _ := ref.Adapted.compare(plain, ref.Every)
			t.Logf("the adapter changes logits by %.4f in the mean", effect)
			if effect < 5*noise {
				t.Error("the adapter changes too little to prove anything")
			}
			for _, rsLoRA := range []bool{false, true} {
				base, a := adapter(t, path, ref.scaled(rsLoRA))
				near(fmt.Sprintf("applied, rsLoRA %v", rsLoRA), evaluate(t, path, a.Path, ref.Tokens), ref.Adapted)
				if *wholeAdapters && rsLoRA == ref.RSLoRA {
					near("merged", evaluate(t, merge(t, base, a), "", ref.Tokens), ref.Adapted)
				}
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

// A merged and quantized model is as far from the adapter applied in full precision as the base in that type is from
// the base, give or take: the merging adds no error of its own.
func TestMergedWithinNoise(t *testing.T) {
	for name, ref := range reference(t) {
		for _, rsLoRA := range []bool{false, true} {
			if !*wholeAdapters && (name != "smollm2-135m" || rsLoRA) {
				continue
			}
			t.Run(fmt.Sprintf("%s, rsLoRA %v", name, rsLoRA), func(t *testing.T) {
				path := fetched(t, name)
				if !*wholeAdapters {
					path = firstLayers(t, path, 4)
				}
				path = f32(t, path)
				base, a := adapter(t, path, ref.scaled(rsLoRA))
				merged := merge(t, base, a)
				plain, applied := evaluate(t, path, "", ref.Tokens), evaluate(t, path, a.Path, ref.Tokens)
				change := rms(plain, applied)
				off := rms(evaluate(t, merged, "", ref.Tokens), applied)
				t.Logf("F32: merged and applied differ by %.4f (rms of all logits), the adapter's effect is %.4f", off,
					change)
				if off > 0.01*change {
					t.Error("merging is not applying")
				}
				for _, kind := range []string{"F16", "Q8_0", "Q4_K_M"} {
					noise, off := rms(quantized(t, path, kind, ref.Tokens), plain),
						rms(quantized(t, merged, kind, ref.Tokens), applied)
					t.Logf("%s: merged and applied differ by %.4f, the base and itself in that type by %.4f", kind, off,
						noise)
					if off > 2*noise || kind == "F16" && off > 0.05*change {
						t.Errorf("%s: merging costs more than the type does", kind)
					}
				}
			})
		}
	}
}

// quantized returns the logits of a model in another type.
func quantized(t *testing.T, in, kind string, tokens []int) [][]float32 {
	t.Helper()
	out := filepath.Join(t.TempDir(), kind+".gguf")
	must.Do(t, Quantize(context.Background(), in, out, kind, nil))
	g, err := llm.ReadGGUF(out)
	if err != nil || g.Quantization != kind {
		t.Fatalf("%+v, %v: want %s", g.Quantization, err, kind)
	}
	logits := evaluate(t, out, "", tokens)
	must.Do(t, os.Remove(out))
	return logits
}

func TestQuantizeErrors(t *testing.T) {
	path := fetched(t, "smollm2-135m")
	dir := t.TempDir()
	out := filepath.Join(dir, "out.gguf")
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	soon, stop := context.WithCancel(context.Background())
	text := filepath.Join(t.TempDir(), "text.gguf")
	must.Do(t, os.WriteFile(text, []byte("no model"), 0o600))
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
		must.Says(t, Quantize(tt.ctx, tt.in, out, tt.kind, tt.progress), tt.want, tt.name)
		if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
			t.Errorf("%s: left %v, %v", tt.name, files, err)
		}
	}
	must.Be(t, Dequantize("Q4_K", make([]byte, 144), make([]float32, 255)) != nil, "half a block was dequantized")
	if err := Dequantize("I8", make([]byte, 4), make([]float32, 4)); err == nil ||
		err.Error() != "llama.cpp cannot dequantize I8" {
		t.Errorf("a type of whole numbers: %v", err)
	}
}

// What llama.cpp refuses after all is an error, and closing frees the adapter.
func TestOpenWithAdapter(t *testing.T) {
	path := fetched(t, "smollm2-135m")
	o := Options{Context: 256, Adapter: llm.Place{Path: path}}
	if _, err := openFile(context.Background(), path, o); err == nil ||
		!strings.Contains(err.Error(), "cannot apply the adapter SmolLM2") {
		t.Errorf("a model as an adapter: %v", err)
	}
	_, a := adapter(t, path, reference(t)["smollm2-135m"])
	without := generate(t, open(t, "smollm2-135m", Options{Context: 512}), question("x"), llm.Params{MaxTokens: 20})
	m := open(t, "smollm2-135m", Options{Context: 512, Adapter: a.Place()})
	with := generate(t, m, question("x"), llm.Params{MaxTokens: 20})
	must.Be(t, with.Text != without.Text, "the adapter changes nothing", with.Text)
	if again := generate(t, m, question("x"), llm.Params{MaxTokens: 20}); again.Text != with.Text ||
		again.CachedTokens == 0 {
		t.Errorf("then %q with %d tokens cached, first %q", again.Text, again.CachedTokens, with.Text)
	}
}
