package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"nl2sql/scripts/must"
)

// installCross puts compilers for arm64 that do nothing into a folder of the PATH, and returns it.
func installCross(t *testing.T) (path string) {
	t.Helper()
	path = t.TempDir()
	for _, tool := range []string{"gcc", "g++"} {
		must.Do(t, os.WriteFile(filepath.Join(path, crossPrefix+tool), []byte("#!/bin/sh\n"), 0o700))
	}
	t.Setenv("PATH", path+":"+os.Getenv("PATH"))
	return path
}

// What is installed is taken; the wrapper of what is fetched works wherever its folder lies.
func TestCrossCompilers(t *testing.T) {
	path := installCross(t)
	cc, cxx, err := crossCompilers(t.Context(), newCache(t.TempDir()), "arm64")
	if err != nil || cc != filepath.Join(path, crossPrefix+"gcc") || cxx != filepath.Join(path, crossPrefix+"g++") {
		t.Errorf("installed: %q, %q, %v", cc, cxx, err)
	}
	if _, _, err := crossCompilers(t.Context(), newCache(t.TempDir()), "riscv64"); err == nil {
		t.Error("riscv64 passes")
	}

	root := filepath.Join(t.TempDir(), "a folder")
	for name, text := range map[string]string{"bin/g++": crossWrapper, "usr/bin/" + crossPrefix +
		"g++": "#!/bin/sh\necho \"$0\" \"$@\"\n"} {
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700))
		must.Do(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o700))
	}
	out, err := exec.Command(filepath.Join(root, "bin/g++"), "-c", "a b.c").Output()
	if want := root + "/usr/bin/" + crossPrefix + "g++ --sysroot=" + root + " -c a b.c\n"; err != nil ||
		string(out) != want {
		t.Errorf("%v: %q, want %q", err, out, want)
	}
}
