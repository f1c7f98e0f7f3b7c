package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"nl2sql/llm/fetch"
)

// fetchModel returns the path of a model's file, which it gets first if need be. Python packages come first: where
// programs are built, they are had more often than the hub.
func fetchModel(ctx context.Context, c cache, args []string) (string, error) {
	if len(args) == 0 {
		return modelList(c), nil
	}
	m, err := fetch.Find(args[0])
	if err != nil {
		return "", err
	}
	sources, err := fetch.Sources(fetch.Packages, fetch.Hub)
	if err != nil {
		return "", err
	}
	return c.Model(ctx, m, sources)
}

func modelList(c cache) string {
	var b strings.Builder
	for _, m := range fetch.Models {
		state := ""
		if _, err := os.Stat(c.Path(m.File.Name)); err == nil {
			state = ", fetched"
		}
		fmt.Fprintf(&b, "%-20s %8s  %s, %s%s\n", m.Name, fetch.Size(m.File.Bytes), m.Licence, m.Note, state)
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
