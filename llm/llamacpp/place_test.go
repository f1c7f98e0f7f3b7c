//go:build cgo && llamacpp

package llamacpp

import (
	"context"
	"os"
	"path/filepath"
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
	m := must.Get(OpenRead(context.Background(), g, o))(t)
	defer m.Close()
	if got := generate(t, m, question("x"), llm.Params{MaxTokens: 20}); got.Text != alone.Text {
		t.Errorf("within a file it says %q, alone %q", got.Text, alone.Text)
	}
	if maps := must.Get(os.ReadFile("/proc/self/maps"))(t); !strings.Contains(string(maps), of.Path) {
		t.Errorf("%s is not mapped", of.Path)
	}
}
