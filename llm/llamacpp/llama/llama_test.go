//go:build cgo && llamacpp

package llama_test // a test within the package would compile llama.cpp again

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/llm"
)

// model.cpp compiles the graphs that llama-model.cpp builds for llm.Architectures and llm.Embedders, and no other.
func TestGraphs(t *testing.T) {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/ollama/ollama").Output()
	if err != nil {
		t.Fatal(err)
	}
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	_, graphs, ok := strings.Cut(read(filepath.Join(strings.TrimSpace(string(module)), "llama/llama.cpp/src/llama-model.cpp")), "ggml_cgraph * llama_model::build_graph(")
	if !ok {
		t.Fatal("llama-model.cpp has no build_graph")
	}
	first := func(re, text string) (found []string) {
		for _, m := range regexp.MustCompile(re).FindAllStringSubmatch(text, -1) {
			found = append(found, m[1])
		}
		return found
	}
	var want []string
	for _, arch := range slices.Concat(llm.Architectures, llm.Embedders) {
		_, body, _ := strings.Cut(graphs, "case LLM_ARCH_"+strings.ToUpper(strings.ReplaceAll(arch, "-", "_"))+":")
		body, _, _ = strings.Cut(body, "break;")
		names := first(`make_unique<(llm_build_\w+(?:<\w+>)?)>`, body)
		if len(names) == 0 {
			t.Errorf("llama-model.cpp builds no graph for %s", arch)
		}
		want = append(want, names...)
	}
	compiled := first(`(?m)^COMPILED\((.+)\);$`, read("model.cpp"))
	slices.Sort(want)
	slices.Sort(compiled)
	if diff := cmp.Diff(slices.Compact(want), compiled); diff != "" {
		t.Errorf("graphs, -needed +compiled: %s", diff)
	}
}
