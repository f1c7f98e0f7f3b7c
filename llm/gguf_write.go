package llm

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Metadata are the keys and values of a GGUF file in its own encoding. The zero value has none.
type Metadata struct {
	keys  uint64
	bytes []byte
	align uint64 // of tensors, as the keys say; 0 means 32
}

func (m *Metadata) key(key string, kind uint32) {
	m.keys++
	m.bytes = appendText(m.bytes, key)
	m.bytes = binary.LittleEndian.AppendUint32(m.bytes, kind)
}

// Text adds a text.
func (m *Metadata) Text(key, value string) {
	m.key(key, ggufString)
	m.bytes = appendText(m.bytes, value)
}

// Number adds a 32-bit unsigned integer.
func (m *Metadata) Number(key string, value uint32) {
	m.key(key, ggufU32)
	m.bytes = binary.LittleEndian.AppendUint32(m.bytes, value)
}

// Real adds a 32-bit floating-point number.
func (m *Metadata) Real(key string, value float32) {
	m.key(key, ggufF32)
	m.bytes = binary.LittleEndian.AppendUint32(m.bytes, math.Float32bits(value))
}

// Texts adds a list of texts.
func (m *Metadata) Texts(key string, values []string) {
	m.key(key, ggufArray)
	m.bytes = binary.LittleEndian.AppendUint32(m.bytes, ggufString)
	m.bytes = binary.LittleEndian.AppendUint64(m.bytes, uint64(len(values)))
	for _, v := range values {
		m.bytes = appendText(m.bytes, v)
	}
}

// Flag adds a truth value.
func (m *Metadata) Flag(key string, value bool) {
	m.key(key, ggufBool)
	number := byte(0)
	if value {
		number = 1
	}
	m.bytes = append(m.bytes, number)
}

// Numbers adds a list of 32-bit integers.
func (m *Metadata) Numbers(key string, values []int32) {
	m.key(key, ggufArray)
	m.bytes = binary.LittleEndian.AppendUint32(m.bytes, ggufI32)
	m.bytes = binary.LittleEndian.AppendUint64(m.bytes, uint64(len(values)))
	for _, v := range values {
		m.bytes = binary.LittleEndian.AppendUint32(m.bytes, uint32(v))
	}
}

// Reals adds a list of 32-bit floating-point numbers.
func (m *Metadata) Reals(key string, values []float32) {
	m.key(key, ggufArray)
	m.bytes = binary.LittleEndian.AppendUint32(m.bytes, ggufF32)
	m.bytes = binary.LittleEndian.AppendUint64(m.bytes, uint64(len(values)))
	for _, v := range values {
		m.bytes = binary.LittleEndian.AppendUint32(m.bytes, math.Float32bits(v))
	}
}

func appendText(b []byte, text string) []byte {
	return append(binary.LittleEndian.AppendUint64(b, uint64(len(text))), text...)
}

// Metadata reads the file's keys and values again, all of them, as they are.
func (g GGUF) Metadata() (Metadata, error) {
	f, part, err := g.Place().Open()
	if err != nil {
		return Metadata{}, err
	}
	defer f.Close()
	r := &ggufReader{r: bufio.NewReaderSize(part, 1<<18), size: part.Size()}
	meta, _, err := r.head()
	if err != nil {
		return Metadata{}, err
	}
	const first = 24 // magic, version and the two counts
	m := Metadata{keys: meta.keys, bytes: make([]byte, r.pos-first), align: meta.align}
	_, err = part.ReadAt(m.bytes, first)
	return m, err
}

// TensorBytes returns the size of a tensor of that type and shape, or an error if there is no such type or a row does
// not hold whole blocks.
func TensorBytes(kind string, shape []int64) (int64, error) {
	number, known := TypeNumber(kind)
	if !known {
		return 0, fmt.Errorf("no tensor type %q", kind)
	}
	t := weightTypes[number]
	if len(shape) == 0 || shape[0]%int64(t.elements) != 0 {
		return 0, fmt.Errorf("rows of %s have a multiple of %d values", kind, t.elements)
	}
	return Tensor{Shape: shape}.Elements() / int64(t.elements) * int64(t.bytes), nil
}

// WriteGGUF writes a file, version 3. Of the tensors it takes names, shapes and types; data is asked for each in turn
// and must write exactly as many bytes as the type and shape need.
func WriteGGUF(w io.Writer, m Metadata, tensors []Tensor, data func(i int, w io.Writer) error) error {
	align := cmp.Or(int64(m.align), 32)
	out := &counter{w: bufio.NewWriterSize(w, 1<<20)}
	head := []byte("GGUF\x03\x00\x00\x00")
	head = binary.LittleEndian.AppendUint64(head, uint64(len(tensors)))
	head = binary.LittleEndian.AppendUint64(head, m.keys)
	head = append(head, m.bytes...)
	sizes := make([]int64, len(tensors))
	var at int64
	for i, t := range tensors {
		var err error
		if sizes[i], err = TensorBytes(t.Type, t.Shape); err != nil {
			return fmt.Errorf("tensor %s: %w", t.Name, err)
		}
		head = appendText(head, t.Name)
		head = binary.LittleEndian.AppendUint32(head, uint32(len(t.Shape)))
		for _, d := range t.Shape {
			head = binary.LittleEndian.AppendUint64(head, uint64(d))
		}
		kind, _ := TypeNumber(t.Type) // TensorBytes knows it
		head = binary.LittleEndian.AppendUint32(head, kind)
		head = binary.LittleEndian.AppendUint64(head, uint64(at))
		at += (sizes[i] + align - 1) / align * align
	}
	if _, err := out.Write(head); err != nil {
		return err
	}
	if err := out.pad(align); err != nil {
		return err
	}
	for i, t := range tensors {
		from := out.n
		if err := data(i, out); err != nil {
			return err
		}
		if wrote := out.n - from; wrote != sizes[i] {
			return fmt.Errorf("tensor %s: wrote %d bytes, want %d", t.Name, wrote, sizes[i])
		}
		if err := out.pad(align); err != nil {
			return err
		}
	}
	return out.w.Flush()
}

// TypeNumber returns ggml's number of a tensor type.
func TypeNumber(name string) (number uint32, known bool) {
	for number, t := range weightTypes {
		if t.name == name {
			return number, true
		}
	}
	return 0, false
}

// FileType returns llama.cpp's number of a file's quantization, such as "Q4_K_M".
func FileType(name string) (number uint32, known bool) {
	for number, n := range fileTypes {
		if n == name {
			return uint32(number), true
		}
	}
	return 0, false
}

// counter knows how many bytes went through.
type counter struct {
	w *bufio.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

func (c *counter) pad(align int64) error {
	_, err := c.Write(make([]byte, (align-c.n%align)%align))
	return err
}
