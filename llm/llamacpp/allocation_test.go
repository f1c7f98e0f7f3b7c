//go:build cgo && llamacpp

package llamacpp

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/llm/llamacpp/engine"
	"nl2sql/scripts/must"
)

// Whichever allocation fails first, of weights, context, graph or adapter, opening a model is an error of one line, and
// where it goes well answers come or are errors. What glibc is told fills memory that was freed, so that its use shows.
func TestFailedAllocations(t *testing.T) {
	const told = "GLIBC_TUNABLES=glibc.malloc.perturb=165:glibc.malloc.tcache_count=0"
	path := fetched(t, "smollm2-135m")
	if !strings.Contains(os.Getenv("GLIBC_TUNABLES"), "perturb") {
		child := exec.Command(os.Args[0], "-test.run", "^TestFailedAllocations$")
		child.Env = append(os.Environ(), told)
		out, err := child.CombinedOutput()
		must.Be(t, err == nil, err, string(out))
		return
	}
	_, a := adapter(t, path, reference(t)["smollm2-135m"])
	defer engine.FailAllocations(-1)
	failed := 0
	for n := 0; ; n++ {
		engine.FailAllocations(n)
		m, err := openFile(t.Context(), path, Options{Context: 256, Parallel: 2, Cache: -1, Adapter: a.Place()})
		if err == nil {
			engine.FailAllocations(0)
			if _, err := m.Generate(t.Context(), question("x"), llm.Params{MaxTokens: 4}); err != nil {
				t.Log(err)
			}
			engine.FailAllocations(-1)
			must.Do(t, m.Close())
			break
		}
		failed++
		t.Log(n, err)
		must.Be(t, strings.HasPrefix(err.Error(), "model ") && !strings.Contains(err.Error(), "\n"), err)
	}
	must.Be(t, failed >= 3, failed, "allocations failed")
}
