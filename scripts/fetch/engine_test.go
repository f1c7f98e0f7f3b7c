package main

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// What the compiler is told holds the baseline and nothing that this machine has.
func TestCgoEnv(t *testing.T) {
	t.Chdir("../..")
	installCross(t) // nothing is fetched
	for _, tt := range []struct{ args, march, fails string }{
		{"amd64", "x86-64-v3", ""},
		{"arm64", "armv8-a", ""},
		{"amd64 x86-64-v2", "x86-64-v2", ""},
		{"amd64 native", "", "MARCH=native"},
		{"mips", "", "no baseline"},
	} {
		out, err := cgoEnv(t.Context(), newCache(t.TempDir()), strings.Fields(tt.args))
		if tt.fails != "" {
			must.Says(t, err, tt.fails, tt.args)
			continue
		}
		must.Do(t, err)
		// gcc's -H marks with an exclamation mark that it took the precompiled header.
		if _, err := exec.LookPath("g++"); err == nil && strings.HasPrefix(tt.args, runtime.GOARCH) {
			look := out + "; g++ -I. -fPIC -pthread $CGO_CPPFLAGS $CGO_CXXFLAGS -std=c++17 -H -fsyntax-only -x c++ /dev/null 2>&1"
			if seen := string(must.Get(exec.Command("sh", "-c", look).Output())(t)); !strings.HasPrefix(seen, "! ") {
				t.Errorf("%s: the precompiled header was not taken:\n%s", tt.args, seen)
			}
		}
		// A shell reads it back as it is.
		flags := must.Get(exec.Command("sh", "-c", out+`; printf '%s\n%s' "$CGO_CFLAGS" "$CGO_CXXFLAGS"`).Output())(t)
		for line := range strings.Lines(string(flags)) {
			if !strings.HasPrefix(line, "-O3 -march="+tt.march+" -mtune=generic ") ||
				strings.Count(line, "-march=") != 1 || strings.Contains(line, "native") {
				t.Errorf("%s: flags %s", tt.args, line)
			}
		}
	}
}
