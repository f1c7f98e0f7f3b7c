package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

// made writes a bundle of this test's program and two parts.
func made(t testing.TB) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "demo")
	self := must.Get(os.Executable())(t)
	must.Do(t, Write(out, []File{{Name: "model/m.gguf", Text: strings.Repeat("weights ", 20000)},
		{Name: Program, Place: llm.Place{Path: self}}, {Name: Notes, Text: "dear = price"}}, nil))
	return out
}

// What was written comes back: each part at a page's boundary, whatever the order in which they were given.
func TestWrite(t *testing.T) {
	out := made(t)
	b := must.Get(Open(out))(t)
	defer b.Close()
	want := []string{Program, "model/m.gguf", Notes}
	for i, p := range b.Parts {
		if p.Name != want[i] || p.Start%page != 0 {
			t.Errorf("part %d is %+v, want %s at a page's boundary", i, p, want[i])
		}
	}
	must.Do(t, b.Verify(t.Context(), t.TempDir(), nil, b.Parts...))
	p, _ := b.Part(Notes)
	must.Equal(t, string(must.Get(io.ReadAll(b.Reader(p)))(t)), "dear = price", "the notes are")
	self := must.Get(os.ReadFile(must.Get(os.Executable())(t)))(t)
	program := must.Get(io.ReadAll(b.Reader(b.Parts[0])))(t)
	must.Be(t, bytes.Equal(program, self), "the program has", len(program), "bytes", len(self))
	again := filepath.Join(t.TempDir(), "again") // of the program in the bundle, without what lies behind it
	must.Do(t, Write(again, []File{{Name: Notes, Text: "dear = price"}, {Name: Program, Place: llm.Place{Path: out}},
		{Name: "model/m.gguf", Place: b.Place(b.Parts[1])}}, nil))
	must.Be(t, bytes.Equal(must.Get(os.ReadFile(again))(t), must.Get(os.ReadFile(out))(t)),
		"the same parts give other bytes")
	must.Equal(t, must.Get(os.Stat(out))(t).Mode(), 0o755, "its mode is")
}

// A folder of a bundle is a file system.
func TestFS(t *testing.T) {
	b := must.Get(Open(made(t)))(t)
	defer b.Close()
	folder := b.FS("model")
	if text := must.Get(fs.ReadFile(folder, "m.gguf"))(t); !bytes.HasPrefix(text, []byte("weights ")) {
		t.Errorf("it is %.20q", text)
	}
	if _, err := folder.Open("other"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	must.Equal(t, must.Get(must.Get(folder.Open("m.gguf"))(t).Stat())(t).Size(), 160000, "its size is another")
}

// Whatever is cut off is told; no file of another kind is taken for a bundle.
func TestCut(t *testing.T) {
	whole := must.Get(os.ReadFile(made(t)))(t)
	end := must.Get(programEnd(bytes.NewReader(whole)))(t)
	open := func(text []byte) error {
		at := filepath.Join(t.TempDir(), "demo")
		must.Do(t, os.WriteFile(at, text, 0o600))
		b, err := Open(at)
		if err == nil {
			b.Close()
		}
		return err
	}
	must.Do(t, open(whole))
	size := int64(len(whole))
	for _, n := range []int64{end + 1, end + 10, end + headSize - 1, end + headSize, end + 5000, size - 70000,
		size - tailSize, size - 1} {
		must.Says(t, open(whole[:n]), "the bundle demo is cut: ", n, len(whole), "bytes", end, "of them the program")
	}
	must.Says(t, open(append(bytes.Clone(whole), 0)), "damaged: it has", "with a byte more")
	for name, at := range map[string]int64{"head": end + 3, "tail": int64(len(whole)) - tailSize + 3,
		"index": int64(len(whole)) - tailSize - 5} {
		text := bytes.Clone(whole)
		text[at] ^= 1
		must.Says(t, open(text), "demo is damaged: its "+name+" is", "another byte in the", name)
	}
	for name, text := range map[string][]byte{"nothing": nil, "a text": []byte("GGUF and more, and no program at all"),
		"a program": whole[:end], "a part of a program": whole[:end/2],
		"a program with something behind it": append(bytes.Clone(whole[:end]), strings.Repeat("other ", 100)...)} {
		if err := open(text); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, ErrNone) {
		t.Errorf("a folder: %v", err)
	}
}

// A part is read once, as long as the file is the same; one that was changed is named.
func TestVerify(t *testing.T) {
	out, folder := made(t), filepath.Join(t.TempDir(), "bundles")
	read := func() (n int64, err error) {
		b := must.Get(Open(out))(t)
		defer b.Close()
		err = b.Verify(t.Context(), folder, func(done, of int64) { n = of }, b.Parts...)
		return n, err
	}
	if n, err := read(); n == 0 || err != nil {
		t.Errorf("first %d bytes are read: %v", n, err)
	}
	if n, err := read(); n != 0 || err != nil {
		t.Errorf("then %d bytes are read: %v", n, err)
	}
	must.Do(t, os.Chtimes(out, time.Time{}, time.Now().Add(time.Second)))
	if n, err := read(); n == 0 || err != nil {
		t.Errorf("of a newer file %d bytes are read: %v", n, err)
	}
	b := must.Get(Open(out))(t)
	at := b.Parts[1].Start
	b.Close()
	f := must.Get(os.OpenFile(out, os.O_RDWR, 0))(t)
	must.Get(f.WriteAt([]byte("W"), at))(t)
	must.Do(t, f.Close())
	must.Do(t, os.Chtimes(out, time.Time{}, time.Now().Add(2*time.Second)))
	if _, err := read(); err == nil || !strings.Contains(err.Error(), "its part model/m.gguf is (SHA-256 ") {
		t.Errorf("a part that was changed: %v", err)
	}
	folder = "/dev/null/x"
	if n, err := read(); n == 0 || err == nil {
		t.Errorf("without a folder %d bytes are read: %v", n, err)
	}
}

// Whatever an index says, what is accepted lies within the file, each part behind the one before it.
func FuzzIndex(f *testing.F) {
	sum := strings.Repeat("0a", 32)
	good := []Part{{Program, 0, 1000, sum}, {"model/m.gguf", 65536, 10, sum}, {"notes.txt", 131072, 0, sum}}
	f.Add(must.Get(json.Marshal(good))(f))
	for _, bad := range []string{`[]`, `null`, `[{"name":"nl2sql"}]`, `[{"name":"../x","start":-1}]`, `[1]`, `{`, "",
		`[{"name":"nl2sql","bytes":1000,"sha256":"` + sum + `"},{"name":"a","start":9223372036854775807,"bytes":` +
			`9223372036854775807,"sha256":"` + sum + `"}]`} {
		f.Add([]byte(bad))
	}
	const end, limit = 1000, 1 << 20
	f.Fuzz(func(t *testing.T, index []byte) {
		parts, err := parse(index, end, limit)
		if err != nil {
			return
		}
		at, seen := int64(0), map[string]bool{}
		for _, p := range parts {
			if p.Start < at || p.Bytes < 0 || p.Start+p.Bytes > limit || seen[p.Name] || !fs.ValidPath(p.Name) ||
				strings.ContainsAny(p.Name, "\x1b\n\\") {
				t.Errorf("accepted %+v", parts)
			}
			at, seen[p.Name] = p.Start+p.Bytes, true
		}
		if parts[0].Name != Program || parts[0].Bytes != end {
			t.Errorf("accepted %+v without the program", parts)
		}
	})
}

// Nor does what stands in the headers of a program, or in the tail, lead out of the file.
func FuzzOpen(f *testing.F) {
	head := append([]byte("\x7fELF\x02\x01\x01"), make([]byte, 57)...)
	head[54], head[58] = 56, 64 // the sizes of headers of segments and sections
	f.Add(append(append(head, "nl2sql bundle 1\n"...), make([]byte, 200)...))
	f.Fuzz(func(t *testing.T, text []byte) {
		at := filepath.Join(t.TempDir(), "f")
		must.Do(t, os.WriteFile(at, text, 0o600))
		b, err := Open(at)
		if err != nil {
			return
		}
		defer b.Close()
		for _, p := range b.Parts {
			if p.Start+p.Bytes > int64(len(text)) {
				t.Errorf("part %+v of %d bytes", p, len(text))
			}
		}
	})
}
