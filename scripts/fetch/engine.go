package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"nl2sql/llm/llamacpp/engine/headers"
)

// engineModule holds the Go package with llama.cpp that llm/llamacpp/engine imports, unmodified.
const engineModule = "github.com/ollama/ollama"

// baselines are the processors, in gcc's words, that everything is compiled for: the least that nl2sql runs on. What
// uses more is compiled apart and chosen at run time.
var baselines = map[string]string{"amd64": "x86-64-v3", "arm64": "armv8-a"}

// cgoEnv returns shell lines that set what cgo needs to build the engine for GOARCH, ours by default, and for another
// processor than its baseline if MARCH (gcc's -march) names one. Nothing here depends on the processor that builds.
func cgoEnv(ctx context.Context, c cache, args []string) (string, error) {
	arch := runtime.GOARCH
	if len(args) > 0 {
		arch = args[0]
	}
	march, ok := baselines[arch]
	if !ok {
		return "", fmt.Errorf("no baseline for GOARCH %q: known are amd64 and arm64", arch)
	}
	if len(args) > 1 && args[1] != "" {
		march = args[1]
	}
	if march == "native" {
		return "", errors.New("MARCH=native: Go's build cache cannot know what native was; name a processor, as x86-64-v2")
	}
	if _, err := goCommand(ctx, "mod", "download", engineModule); err != nil {
		return "", err
	}
	out, err := goCommand(ctx, "list", "-m", "-f", "{{.Dir}}", engineModule)
	if err != nil {
		return "", err
	}
	module := strings.TrimSpace(string(out))
	quoted := func(flag string) string {
		if strings.ContainsAny(flag, " \t\"") {
			return `'` + flag + `'`
		}
		return flag
	}
	missing, err := writeHeaders(c)
	if err != nil {
		return "", fmt.Errorf("headers of the engine: %w", err)
	}
	include := []string{quoted("-I" + missing)}
	for _, d := range []string{"llama", "llama/llama.cpp/include", "ml/backend/ggml/ggml/include",
		"ml/backend/ggml/ggml/src"} {
		include = append(include, quoted("-I"+filepath.Join(module, d)))
	}
	// llama.cpp reorders weights that our kernels do not know. The module's own build leaves that out.
	include = append(include, "-DGGML_USE_CPU_REPACK")
	standard := filepath.Join(missing, "standard", "standard.hpp")
	// Where the module lies is not told to the program: failed assertions name their files.
	compile := "-O3 -march=" + march + " -mtune=generic " + quoted("-ffile-prefix-map="+module+"="+engineModule)
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	env := []string{
		"export CGO_ENABLED=1",
		"export GOAMD64=v1 GOARM64=v8.0",
		"export CGO_CPPFLAGS=" + quote(strings.Join(include, " ")),
		"export CGO_CFLAGS=" + quote(compile),
		"export CGO_CXXFLAGS=" +
			quote(compile+" -Wno-stringop-overflow -include "+quoted(standard)), // gcc is wrong about one in repack.cpp
	}
	var compiler []string // of C++
	if arch == runtime.GOARCH {
		out, err := goCommand(ctx, "env", "CXX")
		if err != nil {
			return "", err
		}
		compiler = strings.Fields(string(out))
	} else {
		cc, cxx, err := crossCompilers(ctx, c, arch)
		if err != nil {
			return "", err
		}
		env = append(env, "export GOARCH="+arch, "export CC="+quote(quoted(cc)), "export CXX="+quote(quoted(cxx)))
		compiler = []string{cxx}
	}
	if err := precompile(ctx, compiler, standard, march); err != nil {
		say("no precompiled header, so C++ takes half as long again to compile: %v", err)
	}
	return strings.Join(env, "\n"), nil
}

const crossPrefix = "aarch64-linux-gnu-"

// crossCompilers returns the C and C++ compilers for another GOARCH than ours: those on PATH, or else Debian's,
// fetched once.
func crossCompilers(ctx context.Context, c cache, arch string) (cc, cxx string, err error) {
	if arch != "arm64" {
		return "", "", fmt.Errorf("there is no compiler for %s to fetch: build on such a machine", arch)
	}
	cc, ccErr := exec.LookPath(crossPrefix + "gcc")
	cxx, cxxErr := exec.LookPath(crossPrefix + "g++")
	if ccErr != nil || cxxErr != nil {
		cxx, err = c.getNamed(ctx, "cross-arm64")
		cc = filepath.Join(filepath.Dir(cxx), "gcc")
	}
	return cc, cxx, err
}

// goCommand runs the go command and returns its stdout.
func goCommand(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

// precompile lets gcc read the header at a path once for all files of C++ that follow: it looks beside a header for a
// folder of this name, and takes what the same compiler and flags have made there. With another compiler than gcc it
// does nothing.
func precompile(ctx context.Context, cxx []string, header, march string) error {
	run := func(args ...string) ([]byte, error) {
		args = append(slices.Clone(cxx), args...)
		out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%s: %w %s", args[0], err, bytes.TrimSpace(out))
		}
		return out, err
	}
	version, err := run("--version")
	if err != nil {
		return err
	}
	if !bytes.Contains(version, []byte("Free Software Foundation")) {
		return nil
	}
	// Those of cgo that gcc compares.
	flags := []string{"-std=c++17", "-O3", "-march=" + march, "-mtune=generic", "-fPIC", "-pthread"}
	name := sha256.Sum256(fmt.Appendf(nil, "%s %s %q", cxx, version, flags))
	made := filepath.Join(header+".gch", fmt.Sprintf("%x", name[:6]))
	if _, err := os.Stat(made); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(made), 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(filepath.Dir(made)), "new-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	file := filepath.Join(tmp, "made")
	if _, err := run(append(flags, "-x", "c++-header", header, "-o", file)...); err != nil {
		return err
	}
	return os.Rename(file, made)
}

// writeHeaders puts the headers that the module lacks into a folder of the cache and returns it. Its name follows from
// what they say: Go's build cache knows the path alone, so that all checkouts share one build and none is of other
// headers.
func writeHeaders(c cache) (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(headers.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := headers.Files.ReadFile(name)
		fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
		return err
	})
	if err != nil {
		return "", err
	}
	dir := c.Path("headers", fmt.Sprintf("%x", sum.Sum(nil)[:6]))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "new-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	if err := errors.Join(os.CopyFS(tmp, headers.Files), os.Chmod(tmp, 0o755)); err != nil {
		return "", err
	}
	if err := os.Rename(tmp, dir); err != nil {
		if _, there := os.Stat(dir); there != nil { // not made by somebody else meanwhile
			return "", err
		}
	}
	return dir, nil
}
