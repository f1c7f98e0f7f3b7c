package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// engineModule carries the C++ sources that llm/llamacpp/llama compiles, unmodified.
const engineModule = "github.com/ollama/ollama"

// baselines are the processors, in gcc's words, that everything is compiled for: the least that nl2sql runs on. What uses
// more is compiled apart and chosen at run time.
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
	var include []string
	for _, d := range []string{"llama", "llama/llama.cpp/include", "ml/backend/ggml/ggml/include", "ml/backend/ggml/ggml/src", "ml/backend/ggml/ggml/src/ggml-cpu", "ml/backend/ggml"} {
		include = append(include, quoted("-I"+filepath.Join(module, d)))
	}
	// Where the module lies is not told to the program: failed assertions name their files.
	compile := "-O3 -march=" + march + " -mtune=generic " + quoted("-ffile-prefix-map="+module+"="+engineModule)
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	env := []string{
		"export CGO_ENABLED=1",
		"export GOAMD64=v1 GOARM64=v8.0",
		"export CGO_CPPFLAGS=" + quote(strings.Join(include, " ")),
		"export CGO_CFLAGS=" + quote(compile),
		"export CGO_CXXFLAGS=" + quote(compile),
	}
	if arch != runtime.GOARCH {
		cc, cxx, err := crossCompilers(ctx, c, arch)
		if err != nil {
			return "", err
		}
		env = append(env, "export GOARCH="+arch, "export CC="+quote(quoted(cc)), "export CXX="+quote(quoted(cxx)))
	}
	return strings.Join(env, "\n"), nil
}
