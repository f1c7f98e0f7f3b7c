package prefix

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"nl2sql/scripts/must"
)

// What a killed program left of a file is removed by the next one that saves it; what another saves now stays.
func TestHalves(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for name, age := range map[string]time.Duration{".1.tmp": time.Minute, ".2.tmp": 0} {
		must.Do(t, os.WriteFile(path+name, []byte("half"), 0o600))
		when := time.Now().Add(-age)
		must.Do(t, os.Chtimes(path+name, when, when))
	}
	removeHalves(path)
	must.Same(t, must.Get(filepath.Glob(path+"*"))(t), []string{path + ".2.tmp"})
}
