// Package bundle knows files that hold this program with a model, a database and notes, and run alone: where each part
// lies, and that it is what it was. What the parts mean, the commands know.
//
// A bundle is a program, as it was built; behind it a head that says how long the whole is; the parts, each at a page's
// boundary, so that a model is mapped where it lies; an index of them in JSON; and a tail that finds and guards the
// index.
package bundle

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"nl2sql/llm"
	"nl2sql/runner"
)

// ErrNone is the error of a file that is no bundle.
var ErrNone = errors.New("is no bundle")

// Names of parts. Those of others begin with what they are: model/FILE, database/NAME/FILE.
const (
	Program  = "nl2sql"
	Notes    = "notes.txt"
	Licences = "licences.txt"
)

// Part is one of the files that a bundle holds.
type Part struct {
	Name   string `json:"name"`
	Start  int64  `json:"start"` // bytes before it
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // hex
}

// Bundle is an open one.
type Bundle struct {
	Path  string
	Bytes int64 // of all of it
	Parts []Part
	file  *os.File
	sum   [sha256.Size]byte // of the index
}

const (
	magic    = "nl2sql bundle 1\n"
	headSize = int64(len(magic) + 8)                   // magic, bytes of the whole
	tailSize = int64(len(magic) + 8 + 8 + sha256.Size) // magic, start and bytes of the index, its hash
	page     = 64 << 10                                // the largest page of a processor that nl2sql runs on
	maxIndex = 1 << 20
	maxParts = 1000
)

// Open opens a bundle and reads its index. The error of another file is ErrNone, that of one that lacks a piece or was
// changed there says so; the parts themselves are looked at by Verify.
func Open(path string) (*Bundle, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe waits for nobody
	if err != nil {
		return nil, err
	}
	b := &Bundle{Path: path, file: f}
	if err := b.read(); err != nil {
		f.Close()
		if errors.Is(err, ErrNone) {
			return nil, fmt.Errorf("%s %w", filepath.Base(path), err)
		}
		return nil, fmt.Errorf("the bundle %s %w: get it again", filepath.Base(path), err)
	}
	return b, nil
}

// Close closes the file.
func (b *Bundle) Close() error { return b.file.Close() }

func (b *Bundle) read() error {
	st, err := b.file.Stat()
	if err != nil {
		return err
	}
	end, err := programEnd(b.file)
	if err != nil || end <= 0 || end >= st.Size() || !st.Mode().IsRegular() {
		return ErrNone
	}
	head := make([]byte, min(headSize, st.Size()-end))
	if _, err := b.file.ReadAt(head, end); err != nil {
		return err
	}
	tail := make([]byte, min(tailSize, st.Size()-end))
	if _, err := b.file.ReadAt(tail, st.Size()-int64(len(tail))); err != nil {
		return err
	}
	begun := bytes.HasPrefix([]byte(magic), head[:min(len(head), len(magic))])
	whole := bytes.HasPrefix(tail, []byte(magic))
	switch {
	case !begun && !whole:
		return ErrNone
	case !begun:
		return errors.New("is damaged: its head is")
	case int64(len(head)) < headSize:
		return errors.New("is cut: it ends behind the program")
	}
	if size := int64(binary.LittleEndian.Uint64(head[len(magic):])); size != st.Size() {
		if size > st.Size() {
			return fmt.Errorf("is cut: %d of its %d bytes are here", st.Size(), size)
		}
		return fmt.Errorf("is damaged: it has %d bytes instead of %d", st.Size(), size)
	}
	b.Bytes = st.Size()
	if !whole {
		return errors.New("is damaged: its tail is")
	}
	return b.readIndex(tail, end, st.Size())
}

// readIndex reads the index that the tail of a file of so many bytes names; the program ends at end.
func (b *Bundle) readIndex(tail []byte, end, size int64) error {
	number := func(at int) int64 { return int64(binary.LittleEndian.Uint64(tail[len(magic)+at:])) }
	start, n := number(0), number(8)
	if start < end+headSize || n <= 0 || n > maxIndex || start+n != size-tailSize {
		return errors.New("is damaged: its tail is")
	}
	index := make([]byte, n)
	if _, err := b.file.ReadAt(index, start); err != nil {
		return err
	}
	b.sum = sha256.Sum256(index)
	if !bytes.Equal(b.sum[:], tail[len(magic)+16:]) {
		return errors.New("is damaged: its index is")
	}
	var err error
	if b.Parts, err = parse(index, end, start); err != nil {
		return fmt.Errorf("is damaged: its index %w", err)
	}
	return nil
}

// parse reads an index: names that are paths, each once; the program first, up to end; the others behind each other,
// up to limit.
func parse(index []byte, end, limit int64) (parts []Part, err error) {
	d := json.NewDecoder(bytes.NewReader(index))
	d.DisallowUnknownFields()
	if err := d.Decode(&parts); err != nil {
		return nil, errors.New("cannot be read")
	}
	if len(parts) == 0 || len(parts) > maxParts || parts[0].Name != Program || parts[0].Start != 0 ||
		parts[0].Bytes != end {
		return nil, errors.New("does not begin with the program")
	}
	seen, at := map[string]bool{}, int64(0)
	for _, p := range parts {
		sum, err := hex.DecodeString(p.SHA256)
		switch {
		case !fs.ValidPath(p.Name) || p.Name == "." || strings.ContainsFunc(p.Name, control) || len(p.Name) > 255:
			return nil, errors.New("has a name that is none")
		case seen[p.Name]:
			return nil, fmt.Errorf("names %s twice", p.Name)
		case err != nil || len(sum) != sha256.Size:
			return nil, fmt.Errorf("has no hash of %s", p.Name)
		case p.Start < at || p.Bytes < 0 || p.Bytes > limit-p.Start:
			return nil, fmt.Errorf("has %s where it cannot be", p.Name)
		}
		seen[p.Name] = true
		at = p.Start + p.Bytes
	}
	return parts, nil
}

func control(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' || r == '\\' }

// Part is that of a name.
func (b *Bundle) Part(name string) (Part, bool) {
	return b.first(func(p Part) bool { return p.Name == name })
}

// Below is the first part below a folder: "model".
func (b *Bundle) Below(folder string) (Part, bool) {
	return b.first(func(p Part) bool { return strings.HasPrefix(p.Name, folder+"/") })
}

func (b *Bundle) first(is func(Part) bool) (Part, bool) {
	i := slices.IndexFunc(b.Parts, is)
	if i < 0 {
		return Part{}, false
	}
	return b.Parts[i], true
}

// Reader reads a part, which nobody has looked at yet.
func (b *Bundle) Reader(p Part) *io.SectionReader {
	return io.NewSectionReader(b.file, p.Start, p.Bytes)
}

// Place is where a part lies.
func (b *Bundle) Place(p Part) llm.Place {
	return llm.Place{Path: b.Path, Start: p.Start, Bytes: p.Bytes}
}

// Extract writes a part into a file that is not there yet.
func (b *Bundle) Extract(p Part, at string, mode fs.FileMode) error {
	f, err := os.OpenFile(at, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, b.Reader(p))
	return errors.Join(err, f.Close())
}

// FS is a folder of the bundle, without folders in it. Who verified its parts may open them.
func (b *Bundle) FS(folder string) fs.FS { return tree{b, folder} }

type tree struct {
	b      *Bundle
	folder string
}

// Open implements [fs.FS].
func (f tree) Open(name string) (fs.File, error) {
	p, is := f.b.Part(path.Join(f.folder, name))
	if !is {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return file{f.b.Reader(p), p}, nil
}

// file is an open part.
type file struct {
	*io.SectionReader
	part Part
}

func (f file) Close() error               { return nil }
func (f file) Stat() (fs.FileInfo, error) { return info{f.part}, nil }

// info implements [fs.FileInfo].
type info struct{ part Part }

func (i info) Name() string     { return path.Base(i.part.Name) }
func (i info) Size() int64      { return i.part.Bytes }
func (info) Mode() fs.FileMode  { return 0o444 }
func (info) ModTime() time.Time { return time.Time{} }
func (info) IsDir() bool        { return false }
func (info) Sys() any           { return nil }

// programEnd is where a program of Linux ends, by its own headers; what lies behind is not its.
func programEnd(r io.ReaderAt) (int64, error) {
	var h elf.Header64
	if err := binary.Read(io.NewSectionReader(r, 0, 64), binary.LittleEndian, &h); err != nil {
		return 0, err
	}
	if string(h.Ident[:4]) != elf.ELFMAG || elf.Class(h.Ident[elf.EI_CLASS]) != elf.ELFCLASS64 ||
		elf.Data(h.Ident[elf.EI_DATA]) != elf.ELFDATA2LSB || h.Shentsize != 64 || h.Phentsize != 56 {
		return 0, ErrNone
	}
	end := max(h.Shoff+uint64(h.Shnum)*64, h.Phoff+uint64(h.Phnum)*56)
	sections := make([]elf.Section64, h.Shnum)
	if err := binary.Read(io.NewSectionReader(r, int64(h.Shoff), int64(h.Shnum)*64), binary.LittleEndian,
		sections); err != nil {
		return 0, err
	}
	for _, s := range sections {
		if elf.SectionType(s.Type) != elf.SHT_NOBITS {
			end = max(end, s.Off+s.Size)
		}
	}
	programs := make([]elf.Prog64, h.Phnum)
	if err := binary.Read(io.NewSectionReader(r, int64(h.Phoff), int64(h.Phnum)*56), binary.LittleEndian,
		programs); err != nil {
		return 0, err
	}
	for _, p := range programs {
		end = max(end, p.Off+p.Filesz)
	}
	return int64(end), nil
}

// remembered is how long it is remembered that the parts of a bundle are whole which nobody uses.
const remembered = 90 * 24 * time.Hour

// Verify looks at parts: whether each is what the index says. What was whole once, in a file that is still the same, is
// not read again: a note in the folder says so. Without a folder, or where it cannot be written to, it is read
// each time.
func (b *Bundle) Verify(ctx context.Context, folder string, progress func(done, of int64), parts ...Part) error {
	sum := sha256.Sum256([]byte(Absolute(b.Path)))
	note := filepath.Join(folder, hex.EncodeToString(sum[:12])+".whole")
	self, err := b.identity()
	if err != nil {
		return err
	}
	whole := []string{self}
	if text, err := os.ReadFile(note); err == nil && folder != "" {
		if kept := strings.Split(strings.TrimSpace(string(text)), "\n"); kept[0] == self {
			whole = kept
		}
	}
	parts = slices.DeleteFunc(slices.Clone(parts), func(p Part) bool { return slices.Contains(whole, p.SHA256) })
	var done, of int64
	for _, p := range parts {
		of += p.Bytes
	}
	for _, p := range parts {
		sum := sha256.New()
		in := &counted{ctx, b.Reader(p), func(n int) {
			if done += int64(n); progress != nil {
				progress(done, of)
			}
		}}
		if _, err := io.CopyBuffer(sum, in, make([]byte, 1<<20)); err != nil {
			return fmt.Errorf("the bundle %s: %s: %w", filepath.Base(b.Path), p.Name, err)
		}
		if got := hex.EncodeToString(sum.Sum(nil)); got != p.SHA256 {
			return fmt.Errorf("the bundle %s is damaged: its part %s is (SHA-256 %.12s…, want %.12s…): get it again",
				filepath.Base(b.Path), p.Name, got, p.SHA256)
		}
		whole = append(whole, p.SHA256)
	}
	if len(parts) > 0 && folder != "" {
		err := runner.KeepFile(note, []byte(strings.Join(whole, "\n")+"\n"), remembered)
		slog.Debug("bundle verified", "parts", len(parts), "bytes", of, "note", note, "err", err)
	}
	return nil
}

// identity tells the file from what it may be changed into: its index, size, inode and times.
func (b *Bundle) identity() (string, error) {
	st, err := b.file.Stat()
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%x %d %d", b.sum, st.Size(), st.ModTime().UnixNano())
	if sys, is := st.Sys().(*syscall.Stat_t); is {
		text += fmt.Sprintf(" %d %d", sys.Dev, sys.Ino)
	}
	return text, nil
}

// Absolute is a path that means the same in every folder.
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// counted tells of the bytes that are read, and ends with its context.
type counted struct {
	ctx context.Context
	io.Reader
	tell func(n int)
}

// Read implements [io.Reader].
func (c *counted) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.Reader.Read(p)
	c.tell(n)
	return n, err
}
