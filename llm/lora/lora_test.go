package lora

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

// The base of the tests: one layer, 8 dimensions, 2 heads, 1 key head.
const dim, keys = 8, 4

func baseTensors(kind string) []llm.Tensor {
	t := func(name string, shape ...int64) llm.Tensor { return llm.Tensor{Name: name, Shape: shape, Type: kind} }
	return []llm.Tensor{t("token_embd.weight", dim, 3), t("blk.0.attn_q.weight", dim, dim),
		t("blk.0.attn_k.weight", dim, keys),
		t("blk.0.attn_v.weight", dim, keys), t("blk.0.ffn_down.weight", dim, dim), {Name: "output_norm.weight",
			Shape: []int64{dim}, Type: "F32"}}
}

// values are small whole numbers, so that products are exact in every float type.
func values(seed uint64, n int64) []float32 {
	random := rand.New(rand.NewPCG(seed, 1))
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(random.IntN(9) - 4)
	}
	return out
}

// writeBase writes the base model; tensor i holds values(i).
func writeBase(t *testing.T, architecture string) llm.GGUF {
	t.Helper()
	var m llm.Metadata
	m.Text("general.architecture", architecture)
	for key, n := range map[string]uint32{"context_length": 64, "block_count": 1, "embedding_length": dim,
		"attention.head_count": 2, "attention.head_count_kv": 1} {
		m.Number(architecture+"."+key, n)
	}
	m.Text("tokenizer.ggml.model", "gpt2")
	m.Texts("tokenizer.ggml.tokens", []string{"a", "b", "c"})
	path := filepath.Join(t.TempDir(), "base.gguf")
	must.Do(t, WriteFile(context.Background(), path, func(w io.Writer) error {
		tensors := baseTensors("F32")
		return llm.WriteGGUF(w, m, tensors, func(i int, w io.Writer) error {
			return writeFloats(w,
				values(uint64(i), tensors[i].Elements()))
		})
	}))
	return must.Get(llm.ReadGGUF(path))(t)
}

// matrix is a tensor of a safetensors file in a test.
type matrix struct {
	dtype  string
	rows   int64
	values []float32
}

func (m matrix) columns() int64 { return int64(len(m.values)) / m.rows }

// safetensors writes a file in that format.
func safetensors(tensors map[string]matrix) []byte {
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var data []byte
	for _, name := range slices.Sorted(maps.Keys(tensors)) {
		m := tensors[name]
		from := len(data)
		for _, v := range m.values {
			switch m.dtype {
			case "F32":
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
			case "BF16":
				data = binary.LittleEndian.AppendUint16(data, uint16(math.Float32bits(v)>>16))
			case "F16":
				data = binary.LittleEndian.AppendUint16(data, toHalf(v))
			case "I8":
				data = append(data, byte(int8(v)))
			}
		}
		header[name] = map[string]any{"dtype": m.dtype, "shape": []int64{m.rows, m.columns()},
			"data_offsets": []int{from, len(data)}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		panic(err)
	}
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, data)
}

// toHalf is right for the small whole numbers, infinities and NaNs of these tests.
func toHalf(v float32) uint16 {
	b := math.Float32bits(v)
	sign, exponent, fraction := uint16(b>>16&0x8000), int(b>>23&255), uint16(b>>13&1023)
	switch exponent {
	case 0:
		return sign
	case 255:
		return sign | 31<<10 | fraction
	}
	return sign | uint16(exponent-127+15)<<10 | fraction
}

const prefix = "base_model.model.model.layers.0."

// adapter is a PEFT folder: settings over the usual ones, and tensors.
type adapter struct {
	settings map[string]any
	tensors  map[string]matrix
}

// good adapts three weights with rank 2.
func good(dtype string) adapter {
	a := adapter{settings: map[string]any{"peft_type": "LORA", "r": 2, "lora_alpha": 8, "bias": "none",
		"init_lora_weights": true,
		"target_modules":    []string{"q_proj", "k_proj", "down_proj"}, "modules_to_save": nil,
		"rank_pattern": map[string]any{}}, tensors: map[string]matrix{}}
	for i, m := range []struct {
		name    string
		in, out int64
	}{{"self_attn.q_proj", dim, dim}, {"self_attn.k_proj", dim, keys}, {"mlp.down_proj", dim, dim}} {
		a.tensors[prefix+m.name+".lora_A.weight"] = matrix{dtype, 2, values(uint64(100+i), 2*m.in)}
		a.tensors[prefix+m.name+".lora_B.weight"] = matrix{dtype, m.out, values(uint64(200+i), 2*m.out)}
	}
	return a
}

func (a adapter) with(key string, value any) adapter {
	a.settings = maps.Clone(a.settings)
	a.settings[key] = value
	return a
}

func (a adapter) tensor(name string, m matrix) adapter {
	a.tensors = maps.Clone(a.tensors)
	a.tensors[name] = m
	return a
}

func (a adapter) write(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "adapter")
	text := must.Get(json.Marshal(a.settings))(t)
	writeAll(t, dir, map[string][]byte{"adapter_config.json": text,
		"adapter_model.safetensors": safetensors(a.tensors)})
	return dir
}

func writeAll(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	must.Do(t, os.MkdirAll(dir, 0o755))
	for name, b := range files {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), b, 0o644))
	}
}

// plain is the dequantizer of F32 and F16.
func plain(kind string, from []byte, to []float32) error {
	if kind == "F16" && len(from) == 2*len(to) {
		for i := range to {
			to[i] = half(binary.LittleEndian.Uint16(from[2*i:]))
		}
		return nil
	}
	if kind != "F32" || len(from) != 4*len(to) {
		return fmt.Errorf("%d bytes of %s", len(from), kind)
	}
	for i := range to {
		to[i] = math.Float32frombits(binary.LittleEndian.Uint32(from[4*i:]))
	}
	return nil
}

// load reads all tensors of a file of F32.
func load(t *testing.T, path string, tensors []llm.Tensor) map[string][]float32 {
	t.Helper()
	f, err := os.Open(path)
	must.Do(t, err)
	defer f.Close()
	out := make(map[string][]float32)
	for _, tensor := range tensors {
		if out[tensor.Name], err = read(f, tensor, plain); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// An adapter is added to the weights as PEFT does it: W + scale·B·A, in the order of the transformers library.
func TestMergedWeights(t *testing.T) {
	// toHF is the inverse of what convert_hf_to_gguf.py does to a matrix of query or key rows: the even rows of each
	// head first, then the odd ones.
	toHF := func(m []float32, columns, heads int) []float32 {
		var out []float32
		per := len(m) / columns / heads
		for h := range heads {
			for _, odd := range []int{0, 1} {
				for i := odd; i < per; i += 2 {
					out = append(out, m[(h*per+i)*columns:(h*per+i+1)*columns]...)
				}
			}
		}
		return out
	}
	for _, tt := range []struct {
		name, architecture, dtype string
		settings                  map[string]any
		scale                     float32
	}{
		{"llama", "llama", "F32", nil, 4},
		{"qwen2", "qwen2", "BF16", nil, 4},
		{"half", "llama", "F16", nil, 4},
		{"rsLoRA", "llama", "BF16", map[string]any{"use_rslora": true, "lora_alpha": 2.5}, 2.5 / float32(math.Sqrt2)},
		{"gaussian", "qwen2", "F32", map[string]any{"init_lora_weights": "gaussian", "lora_alpha": 1}, 0.5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base := writeBase(t, tt.architecture)
			in := good(tt.dtype)
			for key, v := range tt.settings {
				in = in.with(key, v)
			}
			a, err := Open(context.Background(), in.write(t), base, t.TempDir())
			must.Do(t, err)
			path := filepath.Join(t.TempDir(), "merged.gguf")
			last := -1.0
			err = WriteFile(context.Background(), path, func(w io.Writer) error {
				return Merge(context.Background(), w, base, a, plain, func(done float64) {
					if done < last || done > 1 {
						t.Errorf("progress from %v to %v", last, done)
					}
					last = done
				})
			})
			must.Do(t, err)
			merged := must.Get(llm.ReadGGUF(path))(t)
			before, after := load(t, base.Path, base.Tensors), load(t, path, merged.Tensors)
			names := map[string]string{"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj",
				"ffn_down": "mlp.down_proj"}
			for name, w := range before {
				got := after[name]
				module := names[strings.TrimSuffix(strings.TrimPrefix(name, "blk.0."), ".weight")]
				if module == "" {
					must.Same(t, got, w, name)
					continue
				}
				if heads := map[string]int{"self_attn.q_proj": 2, "self_attn.k_proj": 1}[module]; heads > 0 &&
					tt.architecture == "llama" {
					w, got = toHF(w, dim, heads), toHF(got, dim, heads)
				}
				A, B := in.tensors[prefix+module+".lora_A.weight"], in.tensors[prefix+module+".lora_B.weight"]
				for i := range w {
					row, column := int64(i)/dim, int64(i)%dim
					want := w[i] + tt.scale*(B.values[2*row]*A.values[column]+B.values[2*row+1]*A.values[dim+column])
					if math.Abs(float64(got[i]-want)) > 1e-4 {
						t.Fatalf("%s row %d column %d: %v, want %v", name, row, column, got[i], want)
					}
				}
			}
		})
	}
}

func TestPermute(t *testing.T) {
	// two heads of four rows, one column: halves (a b | c d) become pairs (a c, b d)
	got := permute([]float32{1, 2, 3, 4, 5, 6, 7, 8}, 1, 2)
	must.Same(t, got, []float32{1, 3, 2, 4, 5, 7, 6, 8})
}

// A converted adapter is used again, made anew when it is damaged, and another when its files change.
func TestOpenKeeps(t *testing.T) {
	base, dir, cache := writeBase(t, "llama"), good("F32").write(t), t.TempDir()
	open := func(path string) llm.Adapter {
		t.Helper()
		return must.Get(Open(context.Background(), path, base, cache))(t)
	}
	first := open(dir)
	st := must.Get(os.Stat(first.Path))(t)
	for _, path := range []string{dir, filepath.Join(dir, "adapter_config.json"),
		filepath.Join(dir, "adapter_model.safetensors"), first.Path} {
		again := open(path)
		must.Same(t, again, first, path)
	}
	if now, err := os.Stat(first.Path); err != nil || !os.SameFile(st, now) {
		t.Errorf("converted again: %v", err)
	}
	whole := must.Get(os.ReadFile(first.Path))(t)
	another := bytes.Clone(whole)
	another[len(another)-1] ^= 1 // a weight: the header says nothing of it
	for name, damaged := range map[string][]byte{"cut off": whole[:len(whole)-9], "another weight": another} {
		must.Do(t, os.WriteFile(first.Path, damaged, 0o644))
		must.Same(t, open(dir), first, name)
		must.Same(t, must.Get(os.ReadFile(first.Path))(t), whole, name, "it is used all the same")
	}
	must.Be(t, open(good("F32").with("lora_alpha", 5).write(t)).Path != first.Path,
		"another adapter under the same name")
	files, err := filepath.Glob(filepath.Join(cache, "*"))
	must.Be(t, err == nil && len(files) == 2, files, err, "want two files and nothing half-written")
}

func TestOpenErrors(t *testing.T) {
	q := prefix + "self_attn.q_proj"
	square := matrix{"F32", 2, values(1, 16)}
	nan := matrix{"F16", 2, slices.Concat([]float32{float32(math.NaN())}, values(1, 15))}
	for _, tt := range []struct {
		name string
		in   adapter
		want string
	}{
		{"prefix tuning", good("F32").with("peft_type", "PREFIX_TUNING"),
			`is of type "PREFIX_TUNING": nl2sql applies LORA`},
		{"DoRA", good("F32").with("use_dora", true),
			"is a DoRA, which llama.cpp cannot apply: merge it into its base with PEFT"},
		{"modules", good("F32").with("modules_to_save", []string{"lm_head", "embed_tokens"}),
			"modules_to_save: lm_head, embed_tokens"},
		{"bias", good("F32").with("bias", "all"), "was trained with biases"},
		{"transposed", good("F32").with("fan_in_fan_out", true), "fan_in_fan_out"},
		{"layers", good("F32").with("layer_replication", [][]int{{0, 1}}), "layer_replication"},
		{"tokens", good("F32").with("trainable_token_indices", []int{1}), "trainable_token_indices"},
		{"activated", good("F32").with("alora_invocation_tokens", []int{1}), "alora_invocation_tokens"},
		{"alphas", good("F32").with("alpha_pattern", map[string]int{"q_proj": 3}), "alpha_pattern"},
		{"ranks", good("F32").with("rank_pattern", map[string]int{"q_proj": 3}).with("use_rslora",
			true), "rank_pattern"},
		{"PiSSA", good("F32").with("init_lora_weights", "pissa_niter_4"), "path_initial_model_for_weight_conversion"},
		{"no rank", good("F32").with("r", 0), "rank r = 0"},
		{"rank is a text", good("F32").with("r", "two"), "adapter_config.json: json: cannot unmarshal"},
		{"other rank", good("F32").with("r", 3), "has rank 2, adapter_config.json says 3"},
		{"unknown module", good("F32").tensor(prefix+"mlp.experts.lora_A.weight", square),
			"adapts base_model.model.model.layers.0.mlp.experts.lora_A.weight, which nl2sql cannot convert: it knows q_proj"},
		{"embedding", good("F32").tensor("base_model.model.model.embed_tokens.lora_embedding_A", square),
			"adapts base_model.model.model.embed_tokens.lora_embedding_A, which nl2sql cannot convert"},
		{"magnitude", good("F32").tensor(q+".lora_magnitude_vector", square), "which nl2sql cannot convert"},
		{"whole head", good("F32").tensor("base_model.model.lm_head.weight", square),
			"adapts base_model.model.lm_head.weight, which nl2sql cannot convert"},
		{"tied head", good("F32").tensor("base_model.model.lm_head.lora_A.weight",
			square).tensor("base_model.model.lm_head.lora_B.weight", matrix{"F32", 3, values(1, 6)}),
			"adapts output.weight, which the base model does not have"},
		{"layer", good("F32").tensor(strings.Replace(q, ".0.", ".7.", 1)+".lora_A.weight",
			square).tensor(strings.Replace(q, ".0.", ".7.", 1)+".lora_B.weight", matrix{"F32", 8, values(1, 16)}),
			"adapts blk.7.attn_q.weight, which the base model does not have: made for another one"},
		{"half a pair", good("F32").tensor(prefix+"self_attn.v_proj.lora_A.weight", square),
			"blk.0.attn_v.weight has one matrix of two"},
		{"columns", good("F32").tensor(q+".lora_A.weight", matrix{"F32", 2, values(1, 12)}),
			"adapts blk.0.attn_q.weight of 8×6, the base model's has 8×8: made for another one"},
		{"rows", good("F32").tensor(q+".lora_B.weight", matrix{"F32", 12, values(1, 24)}),
			"adapts blk.0.attn_q.weight of 12×8, the base model's has 8×8"},
		{"odd heads", good("F32").tensor(q+".lora_B.weight", matrix{"F32", 6, values(1, 12)}),
			"adapts 6 rows of attn_q, the base model has 2 heads"},
		{"not a number", good("F32").tensor(q+".lora_A.weight", nan), "holds values that are no numbers"},
		{"whole numbers", good("F32").tensor(q+".lora_A.weight", matrix{"I8", 2, values(1, 16)}),
			"has the type I8: want F32, F16 or BF16"},
		{"nothing", adapter{good("F32").settings, nil}, "holds no weights"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Open(context.Background(), tt.in.write(t), writeBase(t, "llama"), t.TempDir())
			if err == nil || !strings.HasPrefix(err.Error(), "adapter adapter: ") ||
				!strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want one line with %q", err, tt.want)
			}
		})
	}
	if _, err := Open(context.Background(), good("F32").write(t), writeBase(t, "gemma2"), t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "not gemma2") {
		t.Errorf("another architecture: %v", err)
	}
}

func TestOpenNoAdapter(t *testing.T) {
	base := writeBase(t, "llama")
	empty, pickled, bare := t.TempDir(), t.TempDir(), t.TempDir()
	writeAll(t, pickled, map[string][]byte{"adapter_config.json": []byte(`{"peft_type":"LORA","r":2,"lora_alpha":2}`),
		"adapter_model.bin": []byte("PK")})
	writeAll(t, bare, map[string][]byte{"adapter_config.json": []byte(`{"peft_type":"LORA","r":2,"lora_alpha":2}`)})
	for path, want := range map[string]string{
		empty:                          "is a folder without adapter_config.json",
		pickled:                        "is pickled (adapter_model.bin), and reading that can run code: load it with PEFT and save it with save_pretrained(DIR, safe_serialization=True)",
		pickled + "/adapter_model.bin": "is pickled",
		bare:                           "has no adapter_model.safetensors",
		bare + "/nothing":              "adapter nothing: no such file or directory",
		base.Path:                      "adapter base.gguf: is no adapter",
	} {
		if _, err := Open(context.Background(), path, base, t.TempDir()); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	cache := t.TempDir()
	if _, err := Open(ctx, good("F32").write(t), base, cache); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if files, err := os.ReadDir(cache); len(files) > 0 || err != nil {
		t.Errorf("left behind: %v %v", files, err)
	}
}

// However a file is cut or changed, it is refused or read: never a crash, and never more memory than the file has.
func TestDamagedSafetensors(t *testing.T) {
	whole := safetensors(good("BF16").tensors)
	header := 8 + int(binary.LittleEndian.Uint64(whole))
	for n := range len(whole) {
		if _, err := readSafetensors(bytes.NewReader(whole[:n]), int64(n)); err == nil {
			t.Errorf("cut to %d bytes of %d: accepted", n, len(whole))
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	refused := 0
	const tries = 2000
	for range tries {
		b := bytes.Clone(whole)
		b[random.IntN(header)] ^= byte(1 + random.IntN(255))
		if !readable(t, b) {
			refused++
		}
	}
	t.Logf("%d of %d changed headers refused", refused, tries)
	must.Be(t, refused != 0, "no damage was refused")
	for name, b := range map[string][]byte{
		"huge header": slices.Concat(binary.LittleEndian.AppendUint64(nil, 1<<62), whole[8:]),
		"no object":   slices.Concat(binary.LittleEndian.AppendUint64(nil, 2), []byte("[]")),
		"overflow":    object(`{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, 0),
		"negative":    object(`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, 4),
		"overlap":     object(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, 8),
		"gap":         object(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, 8),
		"rest":        object(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 8),
		"beyond":      object(`{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}`, 8),
		"type":        object(`{"a":{"dtype":"F99","shape":[1],"data_offsets":[0,4]}}`, 4),
	} {
		must.Be(t, !readable(t, b), name, "accepted")
	}
}

func object(text string, data int) []byte {
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), []byte(text), make([]byte, data))
}

// readable reports whether the file is accepted, and then reads all of it.
func readable(t *testing.T, b []byte) bool {
	tensors, err := readSafetensors(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return false
	}
	var sum int64
	for _, s := range tensors {
		sum += s.bytes
		if _, err := s.floats(bytes.NewReader(b)); err == nil && s.bytes > 0 && len(s.shape) == 0 && s.bytes > 4 {
			t.Errorf("tensor %q has no shape and %d bytes", s.name, s.bytes)
		}
	}
	must.Be(t, sum <= int64(len(b)), sum, "bytes of tensors in a file of", len(b))
	return true
}

func FuzzSafetensors(f *testing.F) {
	f.Add(safetensors(good("F32").tensors))
	f.Add(safetensors(good("F16").tensors)[:200])
	f.Add(object(`{"a":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}}`, 2))
	f.Fuzz(func(t *testing.T, b []byte) { readable(t, b) })
}

func TestHalf(t *testing.T) {
	for h, want := range map[uint16]float32{0: 0, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0001: 0x1p-24,
		0x03ff: 1023 * 0x1p-24, 0x0400: 0x1p-14, 0x3555: 0.333251953125} {
		if got := half(h); got != want {
			t.Errorf("%#04x: %v, want %v", h, got, want)
		}
	}
	must.Be(t, math.IsInf(float64(half(0xfc00)), -1) && math.IsNaN(float64(half(0x7e00))), "infinity and NaN")
}
