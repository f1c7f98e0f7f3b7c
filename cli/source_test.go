package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/scripts/must"
)

// A built-in adapter is taken from the cache only if its bytes are those that are built in.
func TestUnpackAdapter(t *testing.T) {
	all, err := assets.Adapters()
	must.Have(t, err == nil && len(all) != 0 && all[0].Name == "qwen2.5-coder-0.5b", all, err)
	base := llm.GGUF{Architecture: "qwen2"} // with the matrices of qwen2.5-coder-0.5b
	for layer := range 24 {
		for name, shape := range map[string][]int64{
			"attn_q": {896, 896}, "attn_k": {896, 128}, "attn_v": {896, 128}, "attn_output": {896, 896},
			"ffn_gate": {896, 4864}, "ffn_up": {896, 4864}, "ffn_down": {4864, 896},
		} {
			tensor := llm.Tensor{Name: fmt.Sprintf("blk.%d.%s.weight", layer, name), Shape: shape}
			base.Tensors = append(base.Tensors, tensor)
		}
	}
	want, err := all[0].GGUF()
	must.Do(t, err)
	other := bytes.Clone(want)
	other[len(other)-1] ^= 1 // a weight: nothing else that is read of the file tells
	for name, kept := range map[string][]byte{"nothing": nil, "the adapter": want, "another": other,
		"cut off": want[:1000]} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("NL2SQL_CACHE", t.TempDir())
			file := filepath.Join(os.Getenv("NL2SQL_CACHE"), "adapters", all[0].Name+"-"+all[0].SHA256[:16]+".gguf")
			if kept != nil {
				must.Do(t, os.MkdirAll(filepath.Dir(file), 0o700))
				must.Do(t, os.WriteFile(file, kept, 0o600))
			}
			if _, err := unpackAdapter(t.Context(), all[0], base); err != nil {
				t.Error(err)
			}
			if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes lie in the cache, %v", len(got), err)
			}
		})
	}
}

// A model that a limit of addresses leaves no room for is refused before it is loaded.
func TestFitsAddresses(t *testing.T) {
	g := llm.GGUF{Path: "/x/m", Bytes: 100 << 20, Layers: 1, Embedding: 64, Context: 8192}
	for _, tt := range []struct {
		left    int64
		limited bool
		want    string
	}{
		{0, false, ""}, {4 << 30, true, ""},
		{500 << 20, true, "model m: it needs about 714 MB of addresses, and the limit (ulimit -v) leaves 500 MB"},
	} {
		err := fitsAddresses(g, llm.Use{}, func() (int64, bool) { return tt.left, tt.limited })
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.want)) {
			t.Errorf("%d, %v: %v", tt.left, tt.limited, err)
		}
	}
}
