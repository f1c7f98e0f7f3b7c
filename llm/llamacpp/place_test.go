//go:build cgo && llamacpp

package llamacpp

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

// A model and an adapter within a larger file give the very answer that they give alone, and are mapped there.
func TestPlaces(t *testing.T) {
	path := fetched(t, "smollm2-135m")
	_, a := adapter(t, path, reference(t)["smollm2-135m"])
	o := Options{Context: 512, Adapter: a.Place(), Threads: 1}
	alone := generate(t, open(t, "smollm2-135m", o), question("x"), llm.Params{MaxTokens: 20})

	const page = 4096
	whole := make([]byte, page)
	add := func(path string) llm.Place {
		text := must.Get(os.ReadFile(path))(t)
		p := llm.Place{Start: int64(len(whole)), Bytes: int64(len(text))}
		whole = append(whole, text...)
		whole = append(whole, make([]byte, page-len(whole)%page)...)
		return p
	}
	of, model := add(a.Path), add(path)
	of.Path = filepath.Join(t.TempDir(), "all")
	model.Path = of.Path
	must.Do(t, os.WriteFile(of.Path, whole, 0o600))

	g := must.Get(llm.ReadPlace(model))(t)
	if within := must.Get(llm.ReadAdapterPlace(of, g))(t); within.Place() != of || g.Place() != model {
		t.Errorf("the model lies at %v, want %v; the adapter at %v, want %v", g.Place(), model, within.Place(), of)
	}
	o.Adapter = of
	m := must.Get(Open(context.Background(), g, o))(t)
	defer m.Close()
	must.Equal(t, generate(t, m, question("x"), llm.Params{MaxTokens: 20}).Text, alone.Text, "within a file it says")
	must.Be(t, strings.Contains(string(must.Get(os.ReadFile("/proc/self/maps"))(t)), of.Path),
		of.Path, "is not mapped")
}

// A model takes the memory of its weights once, and of keys and values for what it has read.
func TestMemory(t *testing.T) {
	for _, name := range chosen() {
		t.Run(name, func(t *testing.T) {
			path := fetched(t, name)
			size := must.Get(os.Stat(path))(t).Size()
			before := residentPages(t, "")
			m := open(t, name, Options{Context: 2048, Parallel: 16, Cache: -1, Threads: 1})
			generate(t, m, question("x"), llm.Params{MaxTokens: 8})
			if grown := residentPages(t, "") - before; grown > 2*size+(200<<20) {
				t.Errorf("%d MB for a model of %d MB", grown>>20, size>>20)
			}
			// Of this model the kernels have all but the embeddings in their own order.
			if mapped := residentPages(t, path); name == "qwen2.5-coder-0.5b" && *gpuLayers == 0 && mapped > size/3 {
				t.Errorf("%d MB of the file are in memory beside the ordered weights", mapped>>20)
			}
		})
	}
}

// residentPages is how many bytes of the process's memory are in memory: all of them, or of one mapped file.
func residentPages(t *testing.T, path string) (bytes int64) {
	t.Helper()
	counts := false
	for line := range strings.Lines(string(must.Get(os.ReadFile("/proc/self/smaps"))(t))) {
		f := strings.Fields(line)
		switch {
		case !strings.HasSuffix(f[0], ":"): // the head of a mapping
			counts = path == "" || len(f) > 5 && f[5] == path
		case counts && f[0] == "Rss:":
			bytes += must.Get(strconv.ParseInt(f[1], 10, 64))(t) << 10
		}
	}
	return bytes
}
