//go:build cgo && llamacpp && amd64

package llamacpp

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// buildCheck compiles the check into a C program whose C++-like constructor speaks before main, built for the features
// of the mask.
func buildCheck(t *testing.T, mask string) string {
	t.Helper()
	dir := t.TempDir()
	main := `#include <stdio.h>
const unsigned long long nl2sql_built_for = ` + mask + `;
__attribute__((constructor)) static void early(void) { puts("constructor"); }
int main(void) { puts("main"); return 0; }
`
	must.Do(t, os.WriteFile(filepath.Join(dir, "main.c"), []byte(main), 0o600))
	bin := filepath.Join(dir, "check")
	out, err := exec.Command("gcc", "-Wall", "-Werror", "-march=x86-64", "-static", "-o", bin,
		filepath.Join(dir, "main.c"), "cpucheck/check.c").CombinedOutput()
	must.Do(t, err, "gcc", out)
	return bin
}

func TestCPUCheck(t *testing.T) {
	out, err := exec.Command(buildCheck(t, "0")).CombinedOutput()
	must.Be(t, err == nil && string(out) == "constructor\nmain\n", "built for nothing special", err, out)

	// Every feature there is: no processor has them all (sse4a, xop and fma4 are AMD's, amx is Intel's).
	out, err = exec.Command(buildCheck(t, "~0ULL")).CombinedOutput()
	ee := (*exec.ExitError)(nil)
	must.Be(t, errors.As(err, &ee) && ee.ExitCode() == 1, "built for everything", err, "want exit code 1")
	text := string(out)
	if !strings.HasPrefix(text, "nl2sql: this processor lacks what the program was built for: ") ||
		strings.Count(text, "\n") != 1 || strings.Contains(text, "constructor") {
		t.Errorf("built for everything: %q, want one line before all else", text)
	}

	// Only what the processor says that it has, and one thing more at a time.
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skipf("no /proc/cpuinfo to compare with: %v", err)
	}
	for bit, flag := range map[string]string{"11": " avx2 ", "2": " fma ", "13": " avx512f ", "28": " amx_tile "} {
		out, _ := exec.Command(buildCheck(t, "1ULL << "+bit)).CombinedOutput()
		if has, ran := strings.Contains(string(info), flag), strings.Contains(string(out), "main"); has != ran {
			t.Errorf("bit %s: /proc/cpuinfo has%s%v, the check says %q", bit, flag, has, out)
		}
	}
}
