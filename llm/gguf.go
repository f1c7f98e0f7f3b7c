package llm

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"math"
	"math/bits"
	"path/filepath"
	"slices"
	"strings"
)

// GGUF is what the header of a model file says. Source: the GGUF specification, version 3 (ggml, docs/gguf.md).
type GGUF struct {
	Path         string // as given to ReadGGUF
	Start        int64  // of the model in the file, bytes; not 0 in a bundle
	Name         string // general.name; "" if the file has none
	Architecture string // "llama", "qwen2", …
	Quantization string // "Q4_K_M", …, or the type that most weights have
	Licence      string // general.license; "" if the file has none
	Tokenizer    string // vocabulary and its splitting rule, "gpt2/qwen2"
	Context      int    // tokens that the model was trained for
	Vocabulary   int    // tokens
	Layers       int
	Embedding    int   // dimensions of a token's vector
	Heads        int   // of attention; 0 if they vary by layer
	KeyHeads     int   // that keys and values have; 0 if they vary by layer
	HeadSize     int   // dimensions of a head's keys; 0 if the number of heads varies
	Parameters   int64 // weights, all tensors
	Bytes        int64 // of the model
	Tensors      []Tensor
	ChatTemplate string // Jinja text; "" if the file has none
}

// Tensor is one tensor of a file.
type Tensor struct {
	Name   string
	Shape  []int64 // ggml's order: the length of a row first
	Type   string  // "F32", "Q4_K", …
	Offset int64   // in the file, bytes
	Bytes  int64
}

// Walk returns what an answer's token reads of the weights, in bytes, and how many of them it is multiplied with.
// Experts count whole.
func (g GGUF) Walk() (bytes, products int64) {
	for t := range g.Walked() {
		bytes += t.Bytes
		if len(t.Shape) > 1 {
			products += t.Elements()
		}
	}
	return bytes, products
}

// Walked are the tensors that an answer's token reads: all but the vectors of tokens, of which one is read, unless the
// output is made of these.
func (g GGUF) Walked() iter.Seq[Tensor] {
	output := slices.ContainsFunc(g.Tensors, func(t Tensor) bool { return t.Name == "output.weight" })
	return func(yield func(Tensor) bool) {
		for _, t := range g.Tensors {
			if (!output || t.Name != "token_embd.weight") && !yield(t) {
				return
			}
		}
	}
}

//go:embed architectures.txt
var architectures string

// Architectures has what architectures.txt says of each kind of model that llama.cpp knows: words, or "-" and why it
// writes no answers.
var Architectures = func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(architectures) {
		if name, says, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name != "#" {
			all[name] = says
		}
	}
	return all
}()

// Is reports whether a word of architectures.txt is true of the model.
func (g GGUF) Is(word string) bool {
	return slices.Contains(strings.Fields(Architectures[g.Architecture]), word)
}

// Chats reports whether the model writes text; else it makes vectors of it alone.
func (g GGUF) Chats() bool { return !g.Is("vectors") }

// Limits of what a header may ask for; real files stay far below.
const (
	maxKeys    = 1 << 16
	maxTensors = 1 << 16
	maxName    = 64      // ggml's GGML_MAX_NAME, with its final zero
	maxKey     = 1 << 16 // the specification's
	maxText    = 1 << 20 // bytes of a value that is kept, such as a chat template
	maxAlign   = 1 << 20
)

// ggml types of metadata values.
const (
	ggufU8 = iota
	ggufI8
	ggufU16
	ggufI16
	ggufU32
	ggufI32
	ggufF32
	ggufBool
	ggufString
	ggufArray
	ggufU64
	ggufI64
	ggufF64
)

var scalarBytes = [...]int64{ggufU8: 1, ggufI8: 1, ggufU16: 2, ggufI16: 2, ggufU32: 4, ggufI32: 4, ggufF32: 4,
	ggufBool: 1, ggufString: 0, ggufArray: 0, ggufU64: 8, ggufI64: 8, ggufF64: 8}

//go:embed types.txt
var types string

// weightType is a type of tensors: a row is made of blocks of elements, each of some bytes.
type weightType struct {
	name            string
	elements, bytes uint64
}

// weightTypes and fileTypes are what types.txt says of tensors and of general.file_type.
var weightTypes, fileTypes = map[uint32]weightType{}, map[uint64]string{}

func init() {
	for line := range strings.Lines(types) {
		var kind uint32
		var t weightType
		if _, err := fmt.Sscan(line, &kind, &t.name, &t.elements, &t.bytes); err == nil {
			weightTypes[kind] = t
		} else if _, err := fmt.Sscanf(line, "file %d %s", &kind, &t.name); err == nil {
			fileTypes[uint64(kind)] = t.name
		}
	}
}

// ReadGGUF reads a model file's header and checks it before C++ code sees the file: that it is whole, that its counts,
// types and offsets make sense and that nl2sql can run what it describes. It fails in one line that begins with
// "model FILE:".
func ReadGGUF(path string) (GGUF, error) { return ReadPlace(Place{Path: path}) }

// ReadPlace is [ReadGGUF] of what may be a part of a file.
func ReadPlace(p Place) (GGUF, error) {
	g, err := readEmbedder(p)
	if err == nil && !g.Chats() {
		return GGUF{}, fmt.Errorf("model %s: makes vectors of texts and writes none: name it with --embedding",
			filepath.Base(p.Path))
	}
	return g, err
}

// ReadEmbedder is [ReadGGUF] of a model that need not chat.
func ReadEmbedder(path string) (GGUF, error) { return readEmbedder(Place{Path: path}) }

func readEmbedder(p Place) (GGUF, error) {
	g, err := readGGUF(p)
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err
		}
		return GGUF{}, fmt.Errorf("model %s: %w", filepath.Base(p.Path), err)
	}
	return g, nil
}

func readGGUF(p Place) (GGUF, error) {
	f, r, err := p.Open()
	if err != nil {
		return GGUF{}, err
	}
	defer f.Close()
	g, err := parseGGUF(r, r.Size())
	g.Path, g.Start = p.Path, p.Start
	for i := range g.Tensors {
		g.Tensors[i].Offset += p.Start
	}
	return g, err
}

// Place is where the model lies.
func (g GGUF) Place() Place { return Place{g.Path, g.Start, g.Bytes} }

// ggufArrays are the vocabulary's lists. llama.cpp trusts their types, and that they are equally long.
var ggufArrays = map[string]uint32{"tokenizer.ggml.tokens": ggufString, "tokenizer.ggml.scores": ggufF32,
	"tokenizer.ggml.token_type": ggufI32, "tokenizer.ggml.merges": ggufString}

func parseGGUF(file io.Reader, size int64) (GGUF, error) {
	r := &ggufReader{r: bufio.NewReaderSize(file, 1<<18), size: size}
	meta, tensors, err := r.head()
	if err != nil {
		return GGUF{}, err
	}
	g, err := meta.describe()
	if err != nil {
		return GGUF{}, err
	}
	g.Bytes = size
	if g.Tensors, err = r.tensors(tensors, meta.align); err != nil {
		return g, err
	}
	return g, g.weigh()
}

// head reads what comes before the list of tensors, and returns how many of them there are.
func (r *ggufReader) head() (m metadata, tensors uint64, err error) {
	if err := r.magic(); err != nil {
		return m, 0, err
	}
	version := r.u32()
	tensors, keys := r.u64(), r.u64()
	switch {
	case r.err != nil:
		return m, 0, r.err
	case version&0xffff == 0:
		return m, 0, errors.New("is big-endian, which llama.cpp cannot read here")
	case version < 2 || version > 3:
		return m, 0, fmt.Errorf("has GGUF version %d, want 2 or 3", version)
	case tensors == 0:
		return m, 0, errors.New("holds no tensors: a vocabulary or a description, not a model")
	case tensors > maxTensors || keys > maxKeys:
		return m, 0, fmt.Errorf("is damaged: %d tensors and %d metadata keys", tensors, keys)
	}
	m, err = r.metadata(keys)
	return m, tensors, err
}

// metadata holds the values that matter here.
type metadata struct {
	keys   uint64 // how many there are
	text   map[string]string
	number map[string]uint64 // unsigned and signed integers, if not negative
	real   map[string]float32
	kind   map[string]uint32
	length map[string]uint64 // of arrays
	align  uint64            // of tensors, bytes
}

func (r *ggufReader) metadata(keys uint64) (metadata, error) {
	m := metadata{keys, map[string]string{}, map[string]uint64{}, map[string]float32{}, map[string]uint32{},
		map[string]uint64{}, 32}
	for range keys {
		key := r.str(maxKey)
		if !printable(key) {
			r.fail("a metadata key is no text")
		}
		kind := r.u32()
		if r.err == nil {
			if _, twice := m.kind[key]; twice {
				r.fail("metadata key %s comes twice", key)
			}
			m.kind[key] = kind
		}
		switch {
		case r.err != nil:
			return m, r.err
		case kind == ggufString:
			m.text[key] = r.str(maxText)
		case kind == ggufArray:
			of, n := r.u32(), r.u64()
			if want, known := ggufArrays[key]; known && of != want {
				r.fail("%s is a list of type %d, want %d", key, of, want)
			}
			m.length[key] = n
			if key == "tokenizer.ggml.tokens" {
				r.distinct(key, n)
			} else {
				r.skipArray(key, of, n)
			}
		case kind < uint32(len(scalarBytes)):
			v, integer := r.scalar(kind)
			switch {
			case integer:
				m.number[key] = v
			case kind == ggufF32:
				m.real[key] = math.Float32frombits(uint32(v))
			}
		default:
			r.fail("metadata key %s has unknown type %d", key, kind)
		}
		if r.err != nil {
			return m, r.err
		}
	}
	if kind, ok := m.kind["general.alignment"]; ok {
		m.align = m.number["general.alignment"]
		if kind != ggufU32 || bits.OnesCount64(m.align) != 1 || m.align > maxAlign {
			return m, errors.New("is damaged: general.alignment is no power of two")
		}
	}
	return m, nil
}

// describe checks the metadata and returns what the header says.
func (m metadata) describe() (g GGUF, err error) {
	arch := m.text["general.architecture"]
	g = GGUF{
		Name: m.text["general.name"], Architecture: arch, Licence: m.text["general.license"],
		Quantization: fileTypes[m.number["general.file_type"]],
		Tokenizer:    m.text["tokenizer.ggml.model"],
		ChatTemplate: m.text["tokenizer.chat_template"],
	}
	if _, ok := m.number["general.file_type"]; !ok {
		g.Quantization = ""
	}
	if pre := m.text["tokenizer.ggml.pre"]; pre != "" {
		g.Tokenizer += "/" + pre
	}
	switch {
	case arch == "":
		return g, errors.New("names no architecture (general.architecture)")
	case m.text["general.type"] == "adapter":
		return g, errors.New("is an adapter, not a model: name its base model, and this file with --adapter")
	case strings.HasPrefix(Architectures[arch], "- "):
		return g, fmt.Errorf("has architecture %q, which %s", arch, Architectures[arch][2:])
	case Architectures[arch] == "":
		return g, fmt.Errorf("has architecture %q, which llama.cpp of this build does not know", clip(arch))
	case m.number["split.count"] > 1:
		return g, fmt.Errorf("is part %d of %d: join the parts with llama.cpp's llama-gguf-split --merge",
			m.number["split.no"]+1, m.number["split.count"])
	}
	// What llama.cpp divides by, or allocates from. Lists are allowed for the heads: some models vary them by layer.
	var n [4]int
	for i, key := range []string{".context_length", ".block_count", ".embedding_length", ".attention.head_count"} {
		v, ok := m.number[arch+key]
		if _, list := m.length[arch+key]; list && key == ".attention.head_count" {
			v, ok = 1, true
		}
		if key == ".attention.head_count" && v == 0 && g.Is("state") {
			v, ok = 1, true
		}
		if !ok || v == 0 || v > 1<<24 {
			return g, fmt.Errorf("is damaged: no usable %s", arch+key)
		}
		n[i] = int(v)
	}
	g.Context, g.Layers, g.Embedding = n[0], n[1], n[2]
	if all, used := m.number[arch+".expert_count"], m.number[arch+".expert_used_count"]; g.Is("experts") &&
		(used == 0 || used > all) {
		return g, fmt.Errorf("is damaged: of %d experts a token meets %d", all, used)
	}
	if n[2]%n[3] != 0 && m.number[arch+".attention.key_length"] == 0 {
		return g, fmt.Errorf("is damaged: %d embedding dimensions for %d heads", n[2], n[3])
	}
	kv, ok := m.number[arch+".attention.head_count_kv"]
	if ok && (kv == 0 || uint64(n[3])%kv != 0) && !g.Is("state") {
		return g, fmt.Errorf("is damaged: %d heads for %d key heads", n[3], kv)
	}
	_, varies := m.length[arch+".attention.head_count"]
	if _, list := m.length[arch+".attention.head_count_kv"]; !varies && !list {
		g.Heads, g.KeyHeads, g.HeadSize = n[3], n[3], n[2]/n[3]
		if ok {
			g.KeyHeads = int(kv)
		}
		if size := m.number[arch+".attention.key_length"]; size > 0 && size < 1<<16 {
			g.HeadSize = int(size)
		}
	}
	if err := m.reals(arch); err != nil {
		return g, err
	}
	words := m.length["tokenizer.ggml.tokens"]
	if words == 0 {
		return g, errors.New("holds no vocabulary")
	}
	g.Vocabulary = int(words)
	for _, key := range []string{"tokenizer.ggml.scores", "tokenizer.ggml.token_type"} {
		if _, there := m.kind[key]; there && m.length[key] != words {
			return g, fmt.Errorf("is damaged: %d tokens, but %s lists %d", words, key, m.length[key])
		}
	}
	for _, key := range []string{"tokens", "scores", "token_type", "merges"} {
		key = "tokenizer.ggml." + key
		if kind, there := m.kind[key]; there && kind != ggufArray {
			return g, fmt.Errorf("is damaged: %s is no list", key)
		}
	}
	for key, id := range m.number {
		if strings.HasPrefix(key, "tokenizer.ggml.") && strings.HasSuffix(key, "_token_id") && id >= words &&
			id != math.MaxUint32 {
			return g, fmt.Errorf("is damaged: %s is %d of %d tokens", key, id, words)
		}
	}
	return g, nil
}

// divisors are what llama.cpp divides by, or takes a power of, behind the architecture's name.
var divisors = []string{".rope.freq_base", ".rope.freq_base_swa", ".attention.layer_norm_epsilon",
	".attention.layer_norm_rms_epsilon"}

// reals refuses numbers with which every answer would be none: llama.cpp computes with them as they are.
func (m metadata) reals(arch string) error {
	for _, key := range slices.Sorted(maps.Keys(m.real)) {
		name, ours := strings.CutPrefix(key, arch)
		if v := float64(m.real[key]); ours && (math.IsNaN(v) || math.IsInf(v, 0) || v <= 0 &&
			slices.Contains(divisors, name)) {
			return fmt.Errorf("is damaged: %s is %v", key, m.real[key])
		}
	}
	return nil
}

// tensors reads and checks the list of tensors, and that the file holds them.
func (r *ggufReader) tensors(count, align uint64) (out []Tensor, err error) {
	names := make(map[string]bool)
	var end uint64 // of the data so far, aligned
	var last uint64
	for range count {
		name := r.str(maxName - 1)
		if !printable(name) {
			r.fail("a tensor's name is no text")
		}
		dims := r.u32()
		if dims > 4 {
			r.fail("tensor %s has %d dimensions", name, dims)
		}
		elements, row := uint64(1), uint64(1)
		var shape []int64
		for i := range min(dims, 4) {
			d := r.u64()
			shape = append(shape, int64(d))
			hi, lo := bits.Mul64(elements, d)
			if d == 0 || hi != 0 || lo > math.MaxInt64 {
				r.fail("tensor %s has impossible dimensions", name)
			}
			if elements = lo; i == 0 {
				row = d
			}
		}
		kind, offset := r.u32(), r.u64()
		if r.err != nil {
			return nil, r.err
		}
		t, known := weightTypes[kind]
		hi, lo := bits.Mul64(elements/max(t.elements, 1), t.bytes)
		switch {
		case names[name]:
			return nil, fmt.Errorf("is damaged: tensor %s comes twice", name)
		case !known:
			return nil, fmt.Errorf("has tensor %s of unknown type %d: made for another llama.cpp", name, kind)
		case row%t.elements != 0:
			return nil, fmt.Errorf("is damaged: tensor %s has rows of %d, no multiple of %d", name, row, t.elements)
		case hi != 0 || lo > math.MaxInt64/2 || end > math.MaxInt64/2:
			return nil, fmt.Errorf("is damaged: tensor %s has impossible dimensions", name)
		case offset != end:
			return nil, fmt.Errorf("is damaged: tensor %s lies at %d, want %d", name, offset, end)
		}
		names[name] = true
		out = append(out, Tensor{Name: name, Shape: shape, Type: t.name, Offset: int64(offset), Bytes: int64(lo)})
		last = end + lo
		end = (last + align - 1) / align * align
	}
	start := (uint64(r.pos) + align - 1) / align * align
	if need := start + last; need > uint64(r.size) {
		return nil, truncated(int64(need), r.size)
	}
	for i := range out {
		out[i].Offset += int64(start)
	}
	return out, nil
}

// Elements is the number of values.
func (t Tensor) Elements() int64 {
	n := int64(1)
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// weigh counts the weights, and says what most of them are if the header does not.
func (g *GGUF) weigh() error {
	weights := make(map[string]int64)
	embedded := false
	for _, t := range g.Tensors {
		weights[t.Type] += t.Elements()
		g.Parameters += t.Elements()
		embedded = embedded || t.Name == "token_embd.weight"
	}
	if !embedded {
		return errors.New("is damaged: tensor token_embd.weight is missing")
	}
	if g.Quantization == "" {
		for name, n := range weights {
			if m := weights[g.Quantization]; n > m || n == m && name < g.Quantization {
				g.Quantization = name
			}
		}
	}
	return nil
}

func truncated(need, have int64) error {
	return fmt.Errorf("truncated: needs %d bytes, has %d", need, have)
}

// ggufReader reads little-endian values. The first failure stays in err; what is read after it is zero.
type ggufReader struct {
	r         *bufio.Reader
	pos, size int64
	buf       []byte // what take gave last
	err       error
}

func (r *ggufReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("is damaged: "+format, args...)
	}
}

// fits reports whether n more bytes are there; if not, the file has been cut off.
func (r *ggufReader) fits(n uint64) bool {
	if r.err == nil && n > uint64(r.size-r.pos) {
		r.err = fmt.Errorf("truncated: has %d bytes, its header alone needs more", r.size)
	}
	return r.err == nil
}

// take reads n bytes, which are good until it is called again, or gives zeros: 8 at most, which is what numbers need.
func (r *ggufReader) take(n int64) []byte {
	if !r.fits(uint64(n)) {
		return make([]byte, min(n, 8))
	}
	r.buf = slices.Grow(r.buf[:0], int(n))[:n]
	if _, err := io.ReadFull(r.r, r.buf); err != nil {
		r.err = err
	}
	r.pos += n
	return r.buf
}

func (r *ggufReader) skip(n uint64) {
	if !r.fits(n) {
		return
	}
	for r.err == nil && n > 0 {
		d, err := r.r.Discard(int(min(n, 1<<30)))
		n, r.pos, r.err = n-uint64(d), r.pos+int64(d), err
	}
}

func (r *ggufReader) u32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *ggufReader) u64() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }

// str reads a text of at most limit bytes.
func (r *ggufReader) str(limit uint64) string {
	n := r.u64()
	if r.fits(n) && n > limit {
		r.fail("a text of %d bytes where at most %d are allowed", n, limit)
	}
	if r.err != nil {
		return ""
	}
	return string(r.take(int64(n)))
}

// scalar reads a number's bits; integer says that they are one that is not negative.
func (r *ggufReader) scalar(kind uint32) (v uint64, integer bool) {
	b := r.take(scalarBytes[kind])
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	switch kind {
	case ggufU8, ggufU16, ggufU32, ggufU64:
		return v, true
	case ggufI8, ggufI16, ggufI32, ggufI64:
		return v, b[len(b)-1] < 0x80
	case ggufBool:
		if v > 1 {
			r.fail("a truth value of %d", v)
		}
	}
	return v, false
}

func (r *ggufReader) skipArray(key string, of uint32, n uint64) {
	switch {
	case of == ggufString:
		for i := uint64(0); i < n && r.fits(8*(n-i)); i++ { // a text has at least its length
			r.skip(r.u64())
		}
	case of < uint32(len(scalarBytes)) && of != ggufArray:
		if r.fits(n) { // so that the product is small
			r.skip(n * uint64(scalarBytes[of]))
		}
	default:
		r.fail("%s is a list of unknown type %d", key, of)
	}
}

// distinct reads a list of texts, none of which may come twice. llama.cpp replaces empty ones.
func (r *ggufReader) distinct(key string, n uint64) {
	seen := make(map[string]bool, min(n, 1<<18)) // more than most vocabularies have
	for i := uint64(0); i < n && r.fits(8*(n-i)); i++ {
		s := r.str(maxText)
		if s == "" {
			s = fmt.Sprintf("[EMPTY_%d]", i)
		}
		if seen[s] {
			r.fail("%s lists %q twice", key, clip(s))
		}
		seen[s] = true
	}
}

// magic checks the first four bytes, and says what the file is instead if it is a common mistake.
func (r *ggufReader) magic() error {
	head, err := r.r.Peek(int(min(r.size, 512)))
	if err != nil {
		return err
	}
	if bytes.HasPrefix(head, []byte("GGUF")) {
		r.take(4)
		return nil
	}
	lower := bytes.ToLower(bytes.TrimSpace(head))
	switch {
	case bytes.HasPrefix(head, []byte("version https://git-lfs")):
		return errors.New("is a Git LFS pointer, not the model: run git lfs pull")
	case bytes.HasPrefix(lower, []byte("<!doctype")), bytes.HasPrefix(lower, []byte("<html")):
		return errors.New("is a web page, not a GGUF file: the download went wrong")
	case bytes.HasPrefix(head, []byte("FUGG")):
		return errors.New("is big-endian, which llama.cpp cannot read here")
	case len(head) > 9 && head[8] == '{':
		return errors.New("is a safetensors file: convert it to GGUF with llama.cpp's convert_hf_to_gguf.py")
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("\x80\x02")):
		return errors.New("is a PyTorch file: convert it to GGUF with llama.cpp's convert_hf_to_gguf.py")
	case bytes.HasPrefix(head, []byte("lmgg")), bytes.HasPrefix(head, []byte("tjgg")),
		bytes.HasPrefix(head, []byte("fmgg")):
		return errors.New("is in a GGML format from before 2023: get a GGUF file")
	case len(head) < 4 && bytes.HasPrefix([]byte("GGUF"), head):
		return truncated(24, r.size)
	}
	return fmt.Errorf("is not a GGUF file: begins with %q", head[:min(len(head), 4)])
}

func printable(s string) bool {
	return strings.IndexFunc(s, func(c rune) bool { return c < ' ' || c == 0x7f || c == '\uFFFD' }) < 0
}

// clip shortens a text of the file's for an error line.
func clip(s string) string {
	if len(s) > 40 {
		s = strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}
