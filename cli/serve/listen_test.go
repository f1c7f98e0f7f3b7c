package serve

import (
	"os"
	"path/filepath"
	"testing"

	"nl2sql/scripts/must"
)

// A path that holds anything but a socket keeps it; what a killed server left is taken over.
func TestListenOnPath(t *testing.T) {
	dir := t.TempDir()
	note := filepath.Join(dir, "note.txt")
	must.Do(t, os.WriteFile(note, []byte("keep"), 0o600))
	for _, path := range []string{note, dir, ""} {
		_, err := Listen("unix:" + path)
		must.Says(t, err, "is no socket", path)
	}
	must.Equal(t, string(must.Get(os.ReadFile(note))(t)), "keep")
	l := must.Get(Listen("unix:" + filepath.Join(dir, "s")))(t)
	must.Close(t, l)
	_, err := Listen("unix:" + filepath.Join(dir, "s"))
	must.Says(t, err, "another server has")
}
