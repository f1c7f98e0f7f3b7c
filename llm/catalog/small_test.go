//go:build unix

package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// A limit of addresses leaves what is not in use.
func TestAddressSpace(t *testing.T) {
	dir := t.TempDir()
	write := func(file, text string) {
		must.Do(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	}
	const limits = "Limit                     Soft Limit           Hard Limit           Units     \n" +
		"Max resident set          unlimited            unlimited            bytes     \n" +
		"Max address space         SOFT                 unlimited            bytes     \n"
	write("status", "Name:\tnl2sql\nVmPeak:\t 2000 kB\nVmSize:\t 1000 kB\nVmRSS:\t 10 kB\n")
	for soft, want := range map[string]int64{"4096000": 4096000 - 1000<<10, "1000": 0, "unlimited": -1} {
		write("limits", strings.ReplaceAll(limits, "SOFT", soft))
		left, limited := addressSpace(dir)
		if limited != (want >= 0) || limited && left != want {
			t.Errorf("%s: %d, %t; want %d", soft, left, limited, want)
		}
	}
	if _, limited := addressSpace(filepath.Join(dir, "none")); limited {
		t.Error("a system that does not tell has a limit")
	}
}
