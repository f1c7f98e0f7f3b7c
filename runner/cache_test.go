package runner_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

// What a killed program left goes with the next file that is kept, not after a day; what another writes now stays.
func TestKeepFileUnfinished(t *testing.T) {
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{"new-1": time.Minute, "new-2": 0, "used": time.Minute,
		"old": 48 * time.Hour} {
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, []byte("half"), 0o600))
		when := time.Now().Add(-age)
		must.Do(t, os.Chtimes(path, when, when))
	}
	must.Do(t, runner.KeepFile(filepath.Join(dir, "kept"), []byte("whole"), 24*time.Hour))
	entries := must.Get(os.ReadDir(dir))(t)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"kept", "new-2", "used"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
}
