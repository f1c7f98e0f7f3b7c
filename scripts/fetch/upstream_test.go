package main

import (
	"archive/tar"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"nl2sql/scripts/must"
)

func TestUntarFile(t *testing.T) {
	dir := t.TempDir()
	archive, out := filepath.Join(dir, "a.tgz"), filepath.Join(dir, "out")
	f := must.Get(os.Create(archive))(t)
	z := gzip.NewWriter(f)
	w := tar.NewWriter(z)
	for name, text := range map[string]string{"package/other": "no", "package/llama/bundle": "yes"} {
		must.Do(t, w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}))
		must.Get(w.Write([]byte(text)))(t)
	}
	for _, close := range []func() error{w.Close, z.Close, f.Close} {
		must.Do(t, close())
	}
	must.Do(t, untarFile(archive, "package/llama/bundle", out))
	if got, err := os.ReadFile(out); string(got) != "yes" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if err := untarFile(archive, "bundle", out); err == nil || err.Error() != "no bundle" {
		t.Errorf("what is not there: %v", err)
	}
	must.Do(t, os.Truncate(archive, 40))
	must.Be(t, untarFile(archive, "package/llama/bundle", out) != nil, "half an archive is no error")
}
