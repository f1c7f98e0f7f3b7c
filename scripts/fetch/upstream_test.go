package main

import (
	"archive/tar"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"
)

func TestUntarFile(t *testing.T) {
	dir := t.TempDir()
	archive, out := filepath.Join(dir, "a.tgz"), filepath.Join(dir, "out")
	f, err := os.Create(archive)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	w := tar.NewWriter(z)
	for name, text := range map[string]string{"package/other": "no", "package/llama/bundle": "yes"} {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, close := range []func() error{w.Close, z.Close, f.Close} {
		if err := close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := untarFile(archive, "package/llama/bundle", out); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(out); string(got) != "yes" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if err := untarFile(archive, "bundle", out); err == nil || err.Error() != "no bundle" {
		t.Errorf("what is not there: %v", err)
	}
	if err := os.Truncate(archive, 40); err != nil {
		t.Fatal(err)
	}
	if err := untarFile(archive, "package/llama/bundle", out); err == nil {
		t.Error("half an archive is no error")
	}
}
