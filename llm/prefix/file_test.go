package prefix

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// What a killed program left of a file is removed by the next one that saves it; what another saves now stays.
func TestHalves(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for name, age := range map[string]time.Duration{".1.tmp": time.Minute, ".2.tmp": 0} {
		if err := os.WriteFile(path+name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(-age)
		if err := os.Chtimes(path+name, when, when); err != nil {
			t.Fatal(err)
		}
	}
	removeHalves(path)
	if left, err := filepath.Glob(path + "*"); err != nil || !slices.Equal(left, []string{path + ".2.tmp"}) {
		t.Errorf("%v, %v", left, err)
	}
}
