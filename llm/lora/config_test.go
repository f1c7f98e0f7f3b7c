//go:build unix

package lora

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

// A configuration that is a pipe or larger than any is refused at once.
func TestConfigIsSmall(t *testing.T) {
	for want, make := range map[string]func(path string) error{
		"adapter_config.json: is not a regular file": func(path string) error {
			return syscall.Mkfifo(path,
				0o600)
		},
		"adapter_config.json: has more than 1048576 bytes, the most that is read": func(path string) error {
			return os.WriteFile(path, nil,
				0o600)
		},
	} {
		dir := filepath.Join(t.TempDir(), "adapter")
		path := filepath.Join(dir, "adapter_config.json")
		must.Do(t, os.Mkdir(dir, 0o700))
		must.Do(t, make(path))
		if strings.Contains(want, "bytes") {
			if err := os.Truncate(path, 1<<40); err != nil { // a file of zeros that takes no place
				t.Skip(err)
			}
		}
		_, err := Open(t.Context(), dir, llm.GGUF{Architecture: "llama"}, t.TempDir())
		must.Be(t, err != nil && err.Error() == "adapter adapter: "+want, err, want)
	}
}
