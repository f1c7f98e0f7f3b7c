//go:build unix

package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"nl2sql/scripts/must"
)

// What is small by its nature is read no further, and no pipe is waited for.
func TestReadSmall(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{"ten": "0123456789", "eleven": "0123456789X", "empty": ""} {
		must.Do(t, os.WriteFile(at(name), []byte(text), 0o600))
	}
	must.Do(t, syscall.Mkfifo(at("pipe"), 0o600))
	for name, want := range map[string]string{
		"ten": "", "empty": "", "eleven": "eleven has more than 10 bytes", "pipe": "pipe is not a regular file",
		".": "is not a regular file", "none": "no such file",
	} {
		text, err := ReadSmall(at(name), 10)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %q, %v; want %q", name, text, err, want)
		}
	}
}

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
