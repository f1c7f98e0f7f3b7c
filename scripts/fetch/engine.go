package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// The engine is compiled by Go from this module, unmodified. Go leaves directories named vendor out of modules, and
// with them four headers: two come from an older release of the module, where they lie elsewhere, and two are stubs
// of ours, since nl2sql decodes neither sound nor pictures.
const (
	engineModule  = "github.com/ollama/ollama"
	headersModule = "github.com/ollama/ollama@v0.11.4" // 10 MB, the last one with json.hpp
	stubs         = "llm/llamacpp/headers"
)

var jsonHeader = file{"llama/llama.cpp/common/json.hpp", 0, "5b4b37308d67f9820b5926486374246054fdd06baae85309b820a8315f23caca"}

// baselines are the processors, in gcc's words, that everything is compiled for: the least that nl2sql runs on. What uses
// more is compiled apart and chosen at run time.
var baselines = map[string]string{"amd64": "x86-64-v3", "arm64": "armv8-a"}

// cgoEnv returns shell lines that set what cgo needs to build the engine for GOARCH, ours by default, and for another
// processor than its baseline if MARCH (gcc's -march) names one. Nothing here depends on the machine that builds.
// The headers lie in the cache folder, under a name that follows from their content: the path is a part of Go's
// build cache key, so that all checkouts share one build of llama.cpp and none uses stale headers.
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
	dir, err := headers(ctx, c)
	if err != nil {
		return "", fmt.Errorf("headers of the engine: %w", err)
	}
	if _, err := goCommand(ctx, "mod", "download", engineModule); err != nil {
		return "", err
	}
	out, err := goCommand(ctx, "list", "-m", "-f", "{{.Dir}}", engineModule)
	if err != nil {
		return "", err
	}
	module := strings.TrimSpace(string(out))
	var include []string
	for _, d := range []string{dir, filepath.Join(module, "llama/llama.cpp/include"), filepath.Join(module, "ml/backend/ggml/ggml/include"), filepath.Join(module, "ml/backend/ggml/ggml/src")} {
		flag := "-I" + d
		if strings.ContainsAny(d, " \t\"") {
			flag = `'` + flag + `'`
		}
		include = append(include, flag)
	}
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
	compile := quote("-O3 -march=" + march + " -mtune=generic")
	return strings.Join([]string{
		"export CGO_ENABLED=1",
		"export CGO_CPPFLAGS=" + quote(strings.Join(include, " ")+" -DGGML_USE_CPU_REPACK"),
		"export CGO_CFLAGS=" + compile,
		"export CGO_CXXFLAGS=" + compile,
	}, "\n"), nil
}

// headers returns a folder with the four headers.
func headers(ctx context.Context, c cache) (string, error) {
	content := map[string][]byte{"nlohmann/json_fwd.hpp": []byte("#include \"json.hpp\"\n")}
	names := []string{"nlohmann/json_fwd.hpp", "miniaudio/miniaudio.h", "stb/stb_image.h"}
	for _, name := range names[1:] {
		b, err := os.ReadFile(filepath.Join(stubs, name))
		if err != nil {
			return "", fmt.Errorf("%w (run this in the module's root)", err)
		}
		content[name] = b
	}
	key := sha256.New()
	io.WriteString(key, jsonHeader.SHA256)
	for _, name := range names {
		fmt.Fprintf(key, "%s %d\n%s", name, len(content[name]), content[name])
	}
	dir := c.path("headers", hex.EncodeToString(key.Sum(nil))[:12])
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	out, err := goCommand(ctx, "mod", "download", "-json", headersModule)
	if err != nil {
		return "", err
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil {
		return "", err
	}
	b, err := os.ReadFile(filepath.Join(got.Dir, jsonHeader.Name))
	if err != nil {
		return "", err
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != jsonHeader.SHA256 {
		return "", fmt.Errorf("%s: got SHA-256 %x, want %s", jsonHeader.Name, sum, jsonHeader.SHA256)
	}
	content["nlohmann/json.hpp"] = b
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), "new-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	for name, b := range content {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(tmp, name)), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(tmp, name), b, 0o644); err != nil {
			return "", err
		}
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return "", err
	}
	if err := os.Rename(tmp, dir); err != nil {
		if _, again := os.Stat(dir); again != nil { // not made by somebody else meanwhile
			return "", err
		}
	}
	return dir, nil
}
