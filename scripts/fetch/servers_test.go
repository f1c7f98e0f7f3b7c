package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"nl2sql/scripts/must"
)

func TestServerIsFetchedOnce(t *testing.T) {
	c := newCache(t.TempDir())
	calls := 0
	fill := func(dir string) error {
		calls++
		if err := os.MkdirAll(filepath.Join(dir, "server", "bin"), 0o755); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, "server", "bin", "x"), []byte{byte('0' + calls)}, 0o755)
	}
	for _, tt := range []struct {
		pin   string
		calls int
		want  string
	}{{"one", 1, "1"}, {"one", 1, "1"}, {"two", 2, "2"}} {
		path, err := c.server(t.Context(), "s", "bin/x", tt.pin, fill)
		if err != nil {
			t.Skip(err) // another platform
		}
		got, err := os.ReadFile(path)
		must.Be(t, err == nil && string(got) == tt.want && calls == tt.calls, "pin", tt.pin, calls, "calls", got, err)
	}
	broken := errors.New("broken")
	if _, err := c.server(t.Context(), "s", "bin/x", "three",
		func(string) error { return broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err := os.Stat(c.Path("s", "bin", "x")); err != nil {
		t.Errorf("a failed fetch took the old one away: %v", err)
	}
	if left, err := filepath.Glob(c.Path("downloads", "s-*")); err != nil || left != nil {
		t.Errorf("left over: %q, %v", left, err)
	}
}

// jarWith makes a jar with one archive of the given entries.
func jarWith(t *testing.T, entries ...*tar.Header) string {
	t.Helper()
	var archive bytes.Buffer
	z := gzip.NewWriter(&archive)
	w := tar.NewWriter(z)
	for _, h := range entries {
		must.Do(t, w.WriteHeader(h))
		must.Get(w.Write(bytes.Repeat([]byte("x"), int(h.Size))))(t)
	}
	must.Do(t, errors.Join(w.Close(), z.Close()))
	path := filepath.Join(t.TempDir(), "a.jar")
	f := must.Get(os.Create(path))(t)
	jar := zip.NewWriter(f)
	part := must.Get(jar.Create("a.tar.gz"))(t)
	must.Get(part.Write(archive.Bytes()))(t)
	must.Do(t, errors.Join(jar.Close(), f.Close()))
	return path
}

func TestUnpackJar(t *testing.T) {
	into := filepath.Join(t.TempDir(), "server")
	jar := jarWith(t,
		&tar.Header{Name: "lib/a.so.1", Typeflag: tar.TypeReg, Size: 3, Mode: 0o644},
		&tar.Header{Name: "lib/a.so", Typeflag: tar.TypeSymlink, Linkname: "a.so.1"},
		&tar.Header{Name: "bin/p", Typeflag: tar.TypeReg, Size: 1, Mode: 0o755})
	must.Do(t, unpackJar(jar, "a.tar.gz", into))
	got, err := os.ReadFile(filepath.Join(into, "lib/a.so"))
	st, statErr := os.Stat(filepath.Join(into, "bin/p"))
	if err != nil || statErr != nil || string(got) != "xxx" || st.Mode().Perm() != 0o755 {
		t.Errorf("%q, %v, %v, %v", got, err, st, statErr)
	}
	// Nothing leads out of the folder.
	for _, entries := range [][]*tar.Header{
		{{Name: "../out", Typeflag: tar.TypeReg, Mode: 0o644}},
		{{Name: "l", Typeflag: tar.TypeSymlink, Linkname: ".."}, {Name: "l/out", Typeflag: tar.TypeReg, Mode: 0o644}},
	} {
		dir := t.TempDir()
		if err := unpackJar(jarWith(t, entries...), "a.tar.gz", filepath.Join(dir, "server")); err == nil {
			t.Errorf("%s was unpacked", entries[len(entries)-1].Name)
		}
		if _, err := os.Stat(filepath.Join(dir, "out")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a file outside: %v", err)
		}
	}
}

func TestLastLine(t *testing.T) {
	tests := map[string]string{
		"a\nb\n": "b",
		"\x1b[0m\x1b[0m[ERROR] no repository\n[ERROR] \nhelp": "[ERROR] no repository",
		"W: x\nE: no such package\nmore":                      "E: no such package",
		"":                                                    "",
	}
	for in, want := range tests {
		must.Equal(t, lastLine([]byte(in)), want, "lastLine", in)
	}
}

func TestMissingLibraries(t *testing.T) {
	got := notFound.FindAllStringSubmatch("\tlibaio.so.1 => not found\n\tlibm.so.6 => /lib/libm.so.6 (0x1)\n\tlibnuma.so.1 => not found\n", -1)
	var names []string
	for _, m := range got {
		names = append(names, m[1])
	}
	must.Same(t, names, []string{"libaio.so.1", "libnuma.so.1"})
}
