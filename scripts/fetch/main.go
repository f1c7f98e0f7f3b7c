// Command fetch gets what nl2sql needs and does not hold: model weights, compilers, database servers and a browser for
// tests, upstream's programs to measure beside. Each is fetched once into the cache folder and named on stdout; what it
// does goes to stderr. Run it in the module's root: go run ./scripts/fetch model smollm2-135m.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"nl2sql/llm/fetch"
)

// commands are for what is more than one of things.
var commands = []struct {
	name, usage string
	run         func(ctx context.Context, c cache, args []string) (string, error)
}{
	{"model", "[NAME]   print a model file's path; without NAME, list the models", fetchModel},
	{"cgoenv", "[GOARCH [MARCH]] print the environment that builds the engine, for eval", cgoEnv},
	{"cuda", "[CAP…]    build ggml's CUDA backend for compute capabilities, and print its path", fetchCUDA},
	{"upstream", "print the folder of upstream's llama-bench and llama-server, built first", fetchUpstream},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	out, err := run(ctx, os.Args[1:])
	if err != nil {
		say("%v", err)
		os.Exit(1)
	}
	fmt.Println(out)
}

func run(ctx context.Context, args []string) (string, error) {
	usage := "usage: go run ./scripts/fetch COMMAND"
	if len(args) == 0 {
		args = []string{""}
	}
	c, err := openCache()
	if err != nil {
		return "", err
	}
	for _, command := range commands {
		if command.name == args[0] {
			return command.run(ctx, c, args[1:])
		}
		usage += "\n  " + command.name + " " + command.usage
	}
	for _, t := range things {
		if t.name == args[0] {
			return c.get(ctx, t)
		}
		usage += "\n  " + t.name + " print the path of " + t.what
	}
	return "", errors.New(usage)
}

// fetchModel returns the path of a model's file, which it gets first if need be. Python packages come first: where
// programs are built, they are had more often than the hub.
func fetchModel(ctx context.Context, c cache, args []string) (string, error) {
	if len(args) == 0 {
		var lines []string
		for _, m := range fetch.Models {
			lines = append(lines, fmt.Sprintf("%-20s %8s  %s, %s", m.Name, fetch.Size(m.File.Bytes), m.Licence, m.Note))
		}
		return strings.Join(lines, "\n"), nil
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

// cache is the folder that keeps what was fetched: NL2SQL_CACHE, else $XDG_CACHE_HOME/nl2sql, else ~/.cache/nl2sql.
type cache struct{ fetch.Cache }

func openCache() (cache, error) {
	dir := os.Getenv("NL2SQL_CACHE")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return cache{}, fmt.Errorf("no cache folder: %w; set NL2SQL_CACHE", err)
		}
		dir = filepath.Join(cmp.Or(os.Getenv("XDG_CACHE_HOME"), filepath.Join(home, ".cache")), "nl2sql")
	}
	dir, err := filepath.Abs(dir)
	return newCache(dir), err
}

// newCache tells stderr what is being done.
func newCache(dir string) cache {
	c := cache{fetch.Cache{Dir: dir, Say: func(line string) { say("%s", line) }}}
	if onTerminal() {
		c.Progress = func(what string, done, total int64) {
			fmt.Fprintf(os.Stderr, "\r\x1b[K%s: %s of %s", what, fetch.Size(done), fetch.Size(total))
		}
	}
	return c
}

// say tells on stderr what is being done.
func say(format string, args ...any) {
	if onTerminal() {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
	fmt.Fprintf(os.Stderr, "fetch: "+format+"\n", args...)
}

// onTerminal reports whether a person sees stderr.
func onTerminal() bool {
	st, err := os.Stderr.Stat()
	return err == nil && st.Mode()&fs.ModeCharDevice != 0
}
