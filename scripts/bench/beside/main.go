// Command beside measures nl2sql beside upstream's llama-bench and llama-server on one machine. Run it in the module's
// root, on an idle machine, through make: ../README.md has the commands.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"nl2sql/runner"
	"nl2sql/runner/render"
)

type cli struct {
	Speed  speedCmd  `cmd:"" help:"Prompts and answers a second, beside llama-bench."`
	Record recordCmd `cmd:"" help:"Write the requests of few-shot prompts and of ReAct transcripts."`
	Play   playCmd   `cmd:"" help:"Recorded requests, beside llama-server."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var c cli
	k := kong.Parse(&c, kong.Name("beside"), kong.Description("Measures nl2sql beside upstream's programs."),
		kong.BindTo(ctx, (*context.Context)(nil)))
	err := k.Run()
	if ctx.Err() != nil {
		fmt.Fprintln(os.Stderr, "beside: interrupted")
		os.Exit(130)
	}
	k.FatalIfErrorf(err)
}

// fetch returns what scripts/fetch prints: the path of something, which it gets or builds first.
func fetch(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"run", "./scripts/fetch"}, args...)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w (run this in the module's root)", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// upstream returns the path of one of upstream's programs.
func upstream(ctx context.Context, program string) (string, error) {
	dir, err := fetch(ctx, "upstream")
	return filepath.Join(dir, program), err
}

// say tells on stderr what is being done.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "beside: "+format+"\n", args...) }

// show prints a table, and writes the figures to the file out as JSON, unless that is "".
func show(table runner.Result, figures any, out string) error {
	if _, err := render.Write(os.Stdout, table, render.Markdown, render.Options{}); err != nil || out == "" {
		return err
	}
	text, err := json.MarshalIndent(figures, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(text, '\n'), 0o644)
}

// median is the middle of a list, or the mean of the two in the middle; 0 of none.
func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	n := len(list)
	if n == 0 {
		return 0
	}
	return (list[(n-1)/2] + list[n/2]) / 2
}
