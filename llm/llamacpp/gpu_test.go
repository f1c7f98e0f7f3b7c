package llamacpp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

// Where a GPU has less memory than was estimated, fewer sequences are taken, never fewer than a question has, and one
// warning says so. Elsewhere as many as were asked for are made, or it is an error.
func TestFewerSequences(t *testing.T) {
	for _, tt := range []struct {
		name                  string
		by                    worker
		want, together, holds int
		got                   int // 0: an error
		warned                bool
	}{
		{"all of them", gpuKernels, 40, 5, 0, 40, false},
		{"a quarter", gpuKernels, 40, 5, 12, 10, true},
		{"those of a question", gpuKernels, 40, 5, 9, 5, true},
		{"not even those", gpuKernels, 40, 5, 4, 0, false},
		{"on the processor", ourKernels, 40, 5, 12, 0, false},
	} {
		var warned []string
		f := &fake{t: t, holds: tt.holds, gpu: true}
		m, err := fitted(f, tt.by, llm.Place{}, "a GPU", Options{Context: 256, Parallel: tt.want, Together: tt.together,
			Warn: func(line string) { warned = append(warned, line) }})
		if must.Equal(t, err != nil, tt.got == 0, tt.name, err); err == nil {
			must.Equal(t, m.Parallel(), tt.got, tt.name)
			must.Equal(t, m.Questions(), tt.got/tt.together, tt.name)
			m.free()
		}
		must.Equal(t, f.made.Load(), 0, tt.name, "contexts are not freed")
		var want []string
		if tt.warned {
			want = []string{fmt.Sprintf("the GPU has memory for %d of %d sequences: others wait", tt.got, tt.want)}
		}
		must.Same(t, warned, want, tt.name)
	}
}

// AllThatFit sequences are those of whole questions beside all layers, and else those of one question.
func TestAllSequences(t *testing.T) {
	const gb = 1 << 30
	g := llm.GGUF{Layers: 24, Embedding: 896, Heads: 14, KeyHeads: 2, HeadSize: 64, Context: 32_768,
		Vocabulary: 151_936, Bytes: gb / 2}
	for _, tt := range []struct {
		layers, together int
		free             int64
		want             int
	}{
		{25, 5, 80 * gb, 60},
		{25, 1, 80 * gb, 64},
		{25, 5, 3 * gb, 15},
		{25, 5, gb, 5},
		{24, 5, 80 * gb, 5},
		{0, 5, 0, 5},
	} {
		got := sequences(g, tt.layers, []int64{tt.free}, Options{Context: 8192, Together: tt.together})
		must.Equal(t, got, tt.want, tt)
	}
}

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
