package llamacpp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// The library is taken from the first place that has it, and only if its name is that of this program's version.
func TestFindLibrary(t *testing.T) {
	const name = "libggml-cuda-v1-abc.so"
	dir := t.TempDir()
	for _, file := range []string{"a/" + name, "b/" + name, "old/libggml-cuda-v0-abc.so"} {
		path := filepath.Join(dir, file)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, nil, 0o600))
	}
	for link, target := range map[string]string{"new.so": "a/" + name, "b/x.so": "../old/libggml-cuda-v0-abc.so"} {
		must.Do(t, os.Symlink(target, filepath.Join(dir, link)))
	}
	for _, tt := range []struct{ places, want, err string }{
		{places: "a b", want: "a/" + name},
		{places: "nowhere b a", want: "b/" + name},
		{places: "a/" + name, want: "a/" + name},
		{places: "new.so", want: "new.so"},
		{places: "nowhere old", err: "no " + name + " in "},
		{places: "", err: "no " + name + " in "},
		{places: "old/libggml-cuda-v0-abc.so a", err: " is not " + name +
			", which belongs to this program: make cuda builds it"},
		{places: "b/x.so", err: " is not " + name},
	} {
		var places []string
		for _, p := range strings.Fields(tt.places) {
			places = append(places, filepath.Join(dir, p))
		}
		got, err := findLibrary(name, places)
		switch {
		case tt.err == "" && (err != nil || got != filepath.Join(dir, tt.want)):
			t.Errorf("%s: %s, %v, want %s", tt.places, got, err, tt.want)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("%s: %v, want %s", tt.places, err, tt.err)
		}
	}
}
