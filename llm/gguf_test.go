package llm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nl2sql/scripts/must"
)

// gguf writes files. kv values are string, uint32, uint64, float32, bool, []string, []float32 or []int32.
type gguf struct {
	version uint32
	kv      []kv
	tensors []tensor
	counts  [2]uint64 // instead of the true numbers of tensors and keys, if not 0
}
type kv struct {
	key   string
	value any
}
type tensor struct {
	name   string
	dims   []uint64
	kind   uint32
	offset uint64
	bytes  int
}

func (g gguf) file() []byte {
	b, _ := g.fields()
	return b
}

// field is where a number of the header lies that is no value of the metadata: a count, a length, a type, a size.
type field struct {
	what      string
	at, width int
}

// fields returns the file, and where its numbers are.
func (g gguf) fields() ([]byte, []field) {
	var b bytes.Buffer
	var fields []field
	put := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) } // a buffer takes all
	mark := func(what string, width int) { fields = append(fields, field{what, b.Len(), width}) }
	text := func(s string) { mark("length", 8); put(uint64(len(s))); b.WriteString(s) }
	mark("magic", 4)
	b.WriteString("GGUF")
	mark("version", 4)
	put(g.version)
	counts := [2]uint64{uint64(len(g.tensors)), uint64(len(g.kv))}
	for i, c := range g.counts {
		if c != 0 {
			counts[i] = c
		}
	}
	mark("tensors", 8)
	put(counts[0])
	mark("keys", 8)
	put(counts[1])
	for _, p := range g.kv {
		text(p.key)
		mark("type of "+p.key, 4)
		switch v := p.value.(type) {
		case string:
			put(uint32(ggufString))
			text(v)
		case uint32:
			put(uint32(ggufU32))
			put(v)
		case uint64:
			put(uint32(ggufU64))
			put(v)
		case float32:
			put(uint32(ggufF32))
			put(v)
		case bool:
			put(uint32(ggufBool))
			put(v)
		case []string:
			put(uint32(ggufArray))
			mark("type of the list "+p.key, 4)
			put(uint32(ggufString))
			mark("length of the list "+p.key, 8)
			put(uint64(len(v)))
			for _, s := range v {
				text(s)
			}
		case []float32:
			put(uint32(ggufArray))
			mark("type of the list "+p.key, 4)
			put(uint32(ggufF32))
			mark("length of the list "+p.key, 8)
			put(uint64(len(v)))
			put(v)
		case []int32:
			put(uint32(ggufArray))
			mark("type of the list "+p.key, 4)
			put(uint32(ggufI32))
			mark("length of the list "+p.key, 8)
			put(uint64(len(v)))
			put(v)
		case []byte: // type and value, as they are
			b.Write(v)
		default:
			panic(fmt.Sprintf("%T", v))
		}
	}
	for _, t := range g.tensors {
		text(t.name)
		mark("dimensions of "+t.name, 4)
		put(uint32(len(t.dims)))
		for _, d := range t.dims {
			mark("a dimension of "+t.name, 8)
			put(d)
		}
		mark("type of "+t.name, 4)
		put(t.kind)
		mark("offset of "+t.name, 8)
		put(t.offset)
	}
	for b.Len()%32 != 0 {
		b.WriteByte(0)
	}
	for _, t := range g.tensors {
		b.Write(make([]byte, t.bytes))
		for b.Len()%32 != 0 {
			b.WriteByte(0)
		}
	}
	return b.Bytes(), fields
}

// tiny is a well-formed file of a model that could be.
func tiny() gguf {
	return gguf{version: 3, kv: []kv{
		{"general.architecture", "llama"}, {"general.name", "Tiny"}, {"general.license", "mit"},
		{"general.file_type", uint32(2)},
		{"llama.context_length", uint32(128)}, {"llama.block_count", uint32(1)}, {"llama.embedding_length", uint32(64)},
		{"llama.attention.head_count", uint32(4)}, {"llama.attention.head_count_kv", uint32(2)},
		{"llama.rope.freq_base", float32(1e4)},
		{"tokenizer.ggml.model", "gpt2"}, {"tokenizer.ggml.pre", "llama-bpe"}, {"tokenizer.ggml.tokens",
			[]string{"a", "b", "c"}},
		{"tokenizer.ggml.scores", []float32{0, 1, 2}}, {"tokenizer.ggml.token_type", []int32{1, 1, 3}},
		{"tokenizer.ggml.bos_token_id", uint32(2)},
		{"tokenizer.chat_template", "<|im_start|>"}, {"tokenizer.ggml.add_bos_token", true},
	}, tensors: []tensor{
		{"token_embd.weight", []uint64{64, 3}, 2, 0, 64 * 3 / 32 * 18},
		{"output_norm.weight", []uint64{64}, 0, 128, 256},
	}}
}

// with returns the file with one key changed, or removed if value is nil.
func (g gguf) with(key string, value any) gguf {
	var out []kv
	for _, p := range g.kv {
		if p.key != key {
			out = append(out, p)
		}
	}
	if value != nil {
		out = append(out, kv{key, value})
	}
	g.kv = out
	return g
}

func (g gguf) tensor(i int, f func(*tensor)) gguf {
	g.tensors = append([]tensor(nil), g.tensors...)
	f(&g.tensors[i])
	return g
}

func TestReadGGUF(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	b := tiny().file()
	must.Do(t, os.WriteFile(path, b, 0o600))
	got, err := ReadGGUF(path)
	must.Do(t, err)
	want := GGUF{Path: path, Name: "Tiny", Architecture: "llama", Quantization: "Q4_0", Licence: "mit",
		Tokenizer: "gpt2/llama-bpe",
		Context:   128, Vocabulary: 3, Layers: 1, Embedding: 64, Heads: 4, KeyHeads: 2, HeadSize: 16,
		Parameters: 64*3 + 64, Bytes: int64(len(b)), ChatTemplate: "<|im_start|>",
		Tensors: []Tensor{
			{Name: "token_embd.weight", Shape: []int64{64, 3}, Type: "Q4_0", Offset: int64(len(b) - 384), Bytes: 108},
			{Name: "output_norm.weight", Shape: []int64{64}, Type: "F32", Offset: int64(len(b) - 256), Bytes: 256},
		}}
	must.Same(t, got, want)
	got, err = parseGGUF(bytes.NewReader(tiny().with("general.file_type", nil).file()), int64(len(b)))
	must.Be(t, err == nil && got.Quantization == "Q4_0",
		"without a file type", got.Quantization, err, "want the type of most weights")
}

func TestReadGGUFErrors(t *testing.T) {
	raw := func(kind uint32, value string) []byte {
		return append(binary.LittleEndian.AppendUint32(nil, kind), value...)
	}
	long := strings.Repeat("x", 100)
	for _, tt := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "is empty"},
		{"one letter", []byte("G"), "truncated: needs 24 bytes, has 1"},
		{"text", []byte("hello, I am a model"), `is not a GGUF file: begins with "hell"`},
		{"web page", []byte("\n<!DOCTYPE html><html>"), "is a web page"},
		{"LFS pointer", []byte("version https://git-lfs.github.com/spec/v1\noid sha256:1"), "is a Git LFS pointer"},
		{"safetensors", append([]byte{9, 0, 0, 0, 0, 0, 0, 0}, `{"a":{}}  `...), "is a safetensors file"},
		{"PyTorch", []byte("PK\x03\x04 archive/data.pkl"), "is a PyTorch file"},
		{"pickle", []byte("\x80\x02}q\x00"), "is a PyTorch file"},
		{"GGML", []byte("lmgg\x01\x00"), "is in a GGML format"},
		{"big-endian magic", []byte("FUGG\x00"), "is big-endian"},
		{"big-endian", append([]byte("GGUF\x00\x00\x00\x03"), make([]byte, 64)...), "is big-endian"},
		{"version 1", gguf{version: 1}.file(), "has GGUF version 1"},
		{"version 9", gguf{version: 9}.file(), "has GGUF version 9"},
		{"no tensors", gguf{version: 3}.file(), "holds no tensors"},
		{"a billion tensors", gguf{version: 3, counts: [2]uint64{1e9, 1}}.file(), "is damaged: 1000000000 tensors"},
		{"2^63 keys", gguf{version: 3, counts: [2]uint64{1, 1 << 63}}.file(),
			"is damaged: 1 tensors and 9223372036854775808"},
		{"key twice", gguf{version: 3, kv: []kv{{"a", "x"}, {"a", "y"}}, tensors: tiny().tensors}.file(),
			"key a comes twice"},
		{"key is no text", tiny().with("a\x00\xff", "x").file(), "a metadata key is no text"},
		{"unknown value type", tiny().with("a", raw(77, "")).file(), "key a has unknown type 77"},
		{"list of lists", tiny().with("a", raw(ggufArray, "\x09\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00")).file(),
			"a is a list of unknown type 9"},
		{"huge list", tiny().with("a", raw(ggufArray, "\x04\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff")).file(),
			"truncated"},
		{"huge list of texts",
			tiny().with("a", raw(ggufArray, "\x08\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff")).file(), "truncated"},
		{"huge text", tiny().with("a", raw(ggufString, "\xff\xff\xff\xff\xff\xff\xff\xff")).file(), "truncated"},
		{"bad truth value", tiny().with("a", raw(ggufBool, "\x07")).file(), "a truth value of 7"},
		{"no architecture", tiny().with("general.architecture", nil).file(), "names no architecture"},
		{"unfit architecture", tiny().with("general.architecture", "t5").file(),
			`has architecture "t5", which reads with an encoder`},
		{"another architecture", tiny().with("general.architecture", "warp9").file(),
			`has architecture "warp9", which llama.cpp of this build does not know`},
		{"adapter", tiny().with("general.type", "adapter").file(), "is an adapter"},
		{"part of a model", tiny().with("split.count", uint32(3)).file(), "is part 1 of 3"},
		{"alignment", tiny().with("general.alignment", uint32(33)).file(), "general.alignment is no power of two"},
		{"alignment of another type", tiny().with("general.alignment", uint64(32)).file(),
			"general.alignment is no power of two"},
		{"no base of positions", tiny().with("llama.rope.freq_base", float32(0)).file(),
			"is damaged: llama.rope.freq_base is 0"},
		{"a base of positions that is none", tiny().with("llama.rope.freq_base", float32(math.NaN())).file(),
			"is damaged: llama.rope.freq_base is NaN"},
		{"endless epsilon", tiny().with("llama.attention.layer_norm_rms_epsilon", float32(math.Inf(1))).file(),
			"is damaged: llama.attention.layer_norm_rms_epsilon is +Inf"},
		{"negative epsilon", tiny().with("llama.attention.layer_norm_rms_epsilon", float32(-1e-5)).file(),
			"is damaged: llama.attention.layer_norm_rms_epsilon is -1e-05"},
		{"a scale that is none", tiny().with("llama.rope.scaling.factor", float32(math.NaN())).file(),
			"is damaged: llama.rope.scaling.factor is NaN"},
		{"no context", tiny().with("llama.context_length", nil).file(), "no usable llama.context_length"},
		{"no heads", tiny().with("llama.attention.head_count", uint32(0)).file(),
			"no usable llama.attention.head_count"},
		{"odd heads", tiny().with("llama.attention.head_count", uint32(5)).file(),
			"64 embedding dimensions for 5 heads"},
		{"no key heads", tiny().with("llama.attention.head_count_kv", uint32(0)).file(), "4 heads for 0 key heads"},
		{"no vocabulary", tiny().with("tokenizer.ggml.tokens", nil).file(), "holds no vocabulary"},
		{"vocabulary of numbers", tiny().with("tokenizer.ggml.tokens", []float32{1}).file(),
			"tokenizer.ggml.tokens is a list of type 6, want 8"},
		{"token twice", tiny().with("tokenizer.ggml.tokens", []string{"a", "b", "a"}).file(),
			`tokenizer.ggml.tokens lists "a" twice`},
		{"scores too short", tiny().with("tokenizer.ggml.scores", []float32{1}).file(),
			"3 tokens, but tokenizer.ggml.scores lists 1"},
		{"types are no list", tiny().with("tokenizer.ggml.merges", uint32(1)).file(),
			"tokenizer.ggml.merges is no list"},
		{"token out of range", tiny().with("tokenizer.ggml.bos_token_id", uint32(3)).file(),
			"tokenizer.ggml.bos_token_id is 3 of 3 tokens"},
		{"tensor name too long", tiny().tensor(0, func(t *tensor) { t.name = long }).file(), "a text of 100 bytes"},
		{"tensor twice", tiny().tensor(1, func(t *tensor) { t.name = "token_embd.weight" }).file(),
			"token_embd.weight comes twice"},
		{"no embedding", tiny().tensor(0, func(t *tensor) { t.name = "x" }).file(), "token_embd.weight is missing"},
		{"five dimensions", tiny().tensor(0, func(t *tensor) { t.dims = []uint64{1, 1, 1, 1, 1} }).file(),
			"has 5 dimensions"},
		{"empty dimension", tiny().tensor(0, func(t *tensor) { t.dims[1] = 0 }).file(), "impossible dimensions"},
		{"overflow", tiny().tensor(0, func(t *tensor) { t.dims = []uint64{1 << 32, 1 << 32, 2} }).file(),
			"impossible dimensions"},
		{"overflow of bytes", tiny().tensor(0, func(t *tensor) { t.dims, t.kind = []uint64{1 << 62}, 28 }).file(),
			"impossible dimensions"},
		{"unknown tensor type", tiny().tensor(0, func(t *tensor) { t.kind = 31 }).file(),
			"unknown type 31: made for another llama.cpp"},
		{"odd row", tiny().tensor(0, func(t *tensor) { t.dims = []uint64{48, 4} }).file(),
			"rows of 48, no multiple of 32"},
		{"offset", tiny().tensor(1, func(t *tensor) { t.offset = 1 << 40 }).file(), "lies at 1099511627776, want 128"},
		{"data cut off", tiny().file()[:len(tiny().file())-100], "truncated: needs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.gguf")
			must.Do(t, os.WriteFile(path, tt.file, 0o600))
			_, err := ReadGGUF(path)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(),
				"model x.gguf: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want one line %q", err, "model x.gguf: … "+tt.want)
			}
		})
	}
}

func TestReadGGUFNoFile(t *testing.T) {
	dir := t.TempDir()
	locked := filepath.Join(dir, "locked.gguf")
	must.Do(t, os.WriteFile(locked, tiny().file(), 0))
	for path, want := range map[string]string{
		filepath.Join(dir, "no.gguf"): "model no.gguf: no such file or directory",
		dir:                           "is a folder",
		"/dev/null":                   "model null: is not a regular file",
		locked:                        "model locked.gguf: permission denied",
	} {
		_, err := ReadGGUF(path)
		if path == locked && os.Getuid() == 0 {
			continue // root may read anything
		}
		must.Says(t, err, want)
	}
}

// samples are the files that are cut and damaged: the tiny one always, a real one if it is there.
func samples(t *testing.T) map[string][]byte {
	out := map[string][]byte{"tiny": tiny().file()}
	base := os.Getenv("NL2SQL_CACHE")
	if dir, err := os.UserCacheDir(); base == "" && err == nil {
		base = filepath.Join(dir, "nl2sql")
	}
	path := filepath.Join(base, "models", "SmolLM2-135M-Instruct.Q4_1.gguf")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Logf("only the tiny file is damaged, no real one: make model MODEL=smollm2-135m (%v)", err)
		return out
	}
	out["real"] = b
	return out
}

// However a file is cut, it is refused: by its length alone, or when its data are counted.
func TestTruncations(t *testing.T) {
	for name, whole := range samples(t) {
		header := min(len(whole), 1_800_000)
		if name == "tiny" {
			header = len(whole)
		}
		random := rand.New(rand.NewPCG(1, 1))
		cuts := []int{1, 3, 4, 7, 8, 23, 24, 25, header - 1, header / 2, len(whole) - 65, len(whole) / 2}
		for range 60 {
			cuts = append(cuts, 1+random.IntN(header-1))
		}
		for _, n := range cuts {
			_, err := parseGGUF(bytes.NewReader(whole[:n]), int64(n))
			must.Says(t, err, "truncated", name, "cut to", n)
		}
		if _, err := parseGGUF(bytes.NewReader(whole), int64(len(whole))); err != nil {
			t.Errorf("%s whole: %v", name, err)
		}
	}
}

// Every field of the header that is not a value, set to nothing, to all bits, or with its highest or a low bit flipped,
// and the file cut at every field, are refused in one line: more than 100 damaged files.
func TestDamagedFields(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.gguf")
	files := 0
	var slowest time.Duration
	refuse := func(what string, b []byte, read func(string) error) {
		t.Helper()
		must.Do(t, os.WriteFile(path, b, 0o600))
		files++
		began := time.Now()
		err := read(path)
		slowest = max(slowest, time.Since(began))
		must.Be(t, err != nil && !strings.Contains(err.Error(), "\n") && strings.Contains(err.Error(), " x.gguf: "),
			what, err, "want one line that names the file")
	}
	for kind, of := range map[string]struct {
		file gguf
		read func(string) error
	}{
		"model":   {tiny(), func(path string) error { _, err := ReadGGUF(path); return err }},
		"adapter": {tinyAdapter(), func(path string) error { _, err := ReadAdapter(path, adaptable()); return err }},
	} {
		whole, fields := of.file.fields()
		for _, f := range fields {
			refuse(fmt.Sprintf("%s cut before the %s", kind, f.what), whole[:f.at], of.read)
			for name, change := range map[string]func(b []byte){
				"nothing":  func(b []byte) { clear(b) },
				"all bits": func(b []byte) { copy(b, "\xff\xff\xff\xff\xff\xff\xff\xff") },
				"high bit": func(b []byte) { b[len(b)-1] ^= 0x80 },
				"low bit":  func(b []byte) { b[0] ^= 0x10 },
			} {
				b := bytes.Clone(whole)
				change(b[f.at : f.at+f.width])
				// a truth value that says it is a byte is a good file of another meaning, which llama.cpp refuses
				if !bytes.Equal(b, whole) && !(name == "nothing" && strings.HasSuffix(f.what, "add_bos_token")) {
					refuse(fmt.Sprintf("%s: %s of the %s", kind, name, f.what), b, of.read)
				}
			}
		}
	}
	t.Logf("%d damaged files, the slowest took %v", files, slowest.Round(time.Millisecond))
	must.Be(t, files >= 200, "only", files, "damaged files")
}

// A header with flipped bytes is refused or read; it never crashes, hangs or eats memory.
func TestFlippedBytes(t *testing.T) {
	for name, whole := range samples(t) {
		head := bytes.Clone(whole[:min(len(whole), 1_800_000)])
		random := rand.New(rand.NewPCG(2, 2))
		refused := 0
		const tries = 200
		for i := range tries {
			at := random.IntN(min(len(head), 2000)) // where counts, types and names are
			if i%2 == 0 {
				at = random.IntN(len(head))
			}
			old := head[at]
			head[at] ^= byte(1 + random.IntN(255))
			if _, err := parseGGUF(bytes.NewReader(head), int64(len(whole))); err != nil {
				refused++
			}
			head[at] = old
		}
		t.Logf("%s: %d of %d flips refused", name, refused, tries)
		must.Be(t, refused != 0, name, "no flip was refused")
	}
}

func FuzzGGUF(f *testing.F) {
	f.Add(tiny().file())
	f.Add(tiny().file()[:300])
	f.Add([]byte("GGUF\x03\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := parseGGUF(bytes.NewReader(b), int64(len(b)))
		if err == nil && (g.Context <= 0 || g.Vocabulary <= 0 || g.Parameters <= 0 || len(g.Tensors) == 0 ||
			g.Memory(Use{}) <= g.Bytes) {
			t.Errorf("accepted without sense: %+v", g)
		}
	})
}
