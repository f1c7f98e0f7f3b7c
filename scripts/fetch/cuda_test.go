package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
)

func TestGencode(t *testing.T) {
	got, err := gencode([]string{"86", "90a"})
	want := []string{"-gencode", "arch=compute_86,code=sm_86", "-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	for _, bad := range [][]string{nil, {""}, {"8.6"}, {"sm_86"}, {"86", "9"}, {"-o"}} {
		if _, err := gencode(bad); err == nil || !strings.Contains(err.Error(), "no compute capability") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// fake makes an installed toolkit: a script for nvcc and empty files.
func fake(t *testing.T, script string, files ...string) (home string) {
	t.Helper()
	home = t.TempDir()
	for _, name := range append(files, "bin/nvcc") {
		path := filepath.Join(home, name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755))
	}
	return home
}

func TestOpenToolkit(t *testing.T) {
	const version = "echo 'Cuda compilation tools, release 12.4, V12.4.131'"
	home := fake(t, version, "lib64/libcudart_static.a", "lib64/libcublas.so.12",
		"lib64/libcublas.so.12.4.5", "include/cuda.h")
	t.Setenv("CUDA_HOME", home)
	got, err := findToolkit(t.Context(), newCache(t.TempDir()))
	must.Do(t, err)
	want := toolkit{home + "/bin/nvcc", "12.4.131", home + "/lib64", home + "/lib64/libcublas.so.12",
		[]string{"-I" + home + "/include"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(toolkit{})); diff != "" {
		t.Error(diff)
	}
	t.Setenv("CUDA_HOME", "")
	t.Setenv("PATH", filepath.Join(home, "bin")+":"+os.Getenv("PATH"))
	if got, err = findToolkit(t.Context(), newCache(t.TempDir())); err != nil || got.nvcc != want.nvcc {
		t.Errorf("on PATH: %+v, %v", got, err)
	}
	for _, tt := range []struct{ home, want string }{
		{t.TempDir(), "no CUDA compiler: "},
		{fake(t, "echo broken >&2; exit 3"), "the CUDA compiler does not work: "},
		{fake(t, "echo hello"), "does not tell its version: hello"},
		{fake(t, version, "lib64/libcublas.so.12"), "lacks libcudart_static.a or libcublas: install all of it"},
	} {
		t.Setenv("CUDA_HOME", tt.home)
		if _, err := fetchCUDA(t.Context(), newCache(t.TempDir()), []string{"90"}); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
}

// The files that are compiled are there, each has an object of its own, and what makes them another is in the key.
func TestCUDASteps(t *testing.T) {
	t.Chdir("../..")
	arch := must.Get(gencode([]string{"90"}))(t)
	b, err := newCUDABuild(t.Context(), toolkit{nvcc: "nvcc", version: "13.0.88"}, arch)
	if err != nil {
		t.Skipf("no module or no C++ compiler here: %v", err)
	}
	steps := must.Get(b.steps())(t)
	objects := map[string]bool{}
	cuda := 0
	for _, s := range steps {
		if _, err := os.Stat(s.source); err != nil {
			t.Error(err)
		}
		must.Be(t, !objects[s.object], "two files make", s.object)
		objects[s.object] = true
		if strings.HasPrefix(s.command, "nvcc ") {
			cuda++
		}
	}
	must.Be(t, cuda == 126 && len(steps) == cuda+10, len(steps), "files", cuda, "of them CUDA's")
	key := b.key()
	b.toolkit.version = "12.4.131"
	must.Be(t, !strings.Contains(strings.Join(b.flags(), " "), "compress-mode"),
		"CUDA 12.4 does not know -compress-mode")
	must.Be(t, b.key() != key, "another compiler, the same key")
}

// What was compiled stays when a file fails, and the rest is compiled by the next run.
func TestMakeAll(t *testing.T) {
	dir := t.TempDir()
	steps := func(second string) []step {
		return []step{{"a", "a.o", "sh -c 'echo code > \"$$1\"'"}, {"b", "b.o", second}}
	}
	link := "sh -c 'cat a.o b.o > \"$$1\"'" // $0 is -o
	must.Be(t, makeAll(t.Context(), dir, "library", link, steps("false")) != nil, "a file fails")
	made := must.Get(os.Stat(filepath.Join(dir, "a.o")))(t).ModTime()
	must.Do(t, makeAll(t.Context(), dir, "library", link, steps("sh -c 'echo more > \"$$1\"'")))
	must.Be(t, must.Get(os.Stat(filepath.Join(dir, "a.o")))(t).ModTime().Equal(made), "what was there was made anew")
	must.Equal(t, string(must.Get(os.ReadFile(filepath.Join(dir, "library")))(t)), "code\nmore\n")
	left := must.Get(filepath.Glob(dir + "/new-*"))(t)
	must.Be(t, len(left) == 0, "left", left)
}

func TestShellLine(t *testing.T) {
	must.Equal(t, shellLine("-O3", `-DX="0"`, "code=[sm_90]", "-rpath,$ORIGIN"), `-O3 '-DX="0"' 'code=[sm_90]' '-rpath,$$ORIGIN'`)
}
