// Command fetch gets what nl2sql needs and does not hold: model weights, a compiler for ARM64, database servers
// for tests, upstream's programs to measure beside. Everything is pinned by size and SHA-256, fetched once into
// the cache folder, and named on stdout; what it does goes to stderr. Run it in the module's root:
// go run ./scripts/fetch model smollm2-135m.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"nl2sql/llm/fetch"
)

// command is one thing to fetch. run returns what to print on stdout.
type command struct {
	usage string
	run   func(ctx context.Context, c cache, args []string) (string, error)
}

var commands = map[string]command{
	"model":       {"model [NAME]   print a model file's path; without NAME, list the models", fetchModel},
	"cgoenv":      {"cgoenv [GOARCH [MARCH]] print the environment that builds the engine, for eval", cgoEnv},
	"cuda":        {"cuda [CAP…]    build ggml's CUDA backend for compute capabilities, and print its path", fetchCUDA},
	"staticcheck": {"staticcheck    print the path of the linter", fetchGoTool("staticcheck")},
	"gotestsum":   {"gotestsum      print the path of what shows and counts tests", fetchGoTool("gotestsum")},
	"mysql":       {"mysql          print the path of MySQL 8.0.15", fetchMySQL},
	"mariadb":     {"mariadb        print the path of MariaDB 10.11", fetchMariaDB},
	"chromium":    {"chromium       print the path of Chromium, to test the page of serve with", fetchChromium},
	"axe":         {"axe            print the path of axe-core's script, which finds what a page keeps from whom", fetchAxe},
	"mcp":         {"mcp            print a Python that has the Model Context Protocol's client, to test mcp and serve with", fetchMCP},
	"upstream":    {"upstream       print the folder of upstream's llama-bench and llama-server", fetchUpstream},
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
	if len(args) == 0 || commands[args[0]].run == nil {
		lines := []string{"usage: go run ./scripts/fetch COMMAND"}
		for _, name := range []string{"model", "cgoenv", "cuda", "mysql", "mariadb", "chromium", "axe", "mcp", "upstream", "staticcheck",
			"gotestsum"} {
			if c, ok := commands[name]; ok {
				lines = append(lines, "  "+c.usage)
			}
		}
		return "", errors.New(strings.Join(lines, "\n"))
	}
	c, err := openCache()
	if err != nil {
		return "", err
	}
	return commands[args[0]].run(ctx, c, args[1:])
}

// cache is the folder that keeps what was fetched: NL2SQL_CACHE, else $XDG_CACHE_HOME/nl2sql, else ~/.cache/nl2sql.
type cache struct{ fetch.Cache }

// newCache tells stderr what is being done.
func newCache(dir string) cache {
	var bar *progress
	return cache{fetch.Cache{
		Dir: dir, Say: func(line string) { say("%s", line) },
		Progress: func(what string, done, total int64) {
			if bar == nil || bar.what != what {
				bar = newProgress(what, total)
			}
			bar.add(done - bar.done)
		},
	}}
}

// pin is what a fetched file must be: its name below the cache folder, bytes and SHA-256.
func pin(name string, bytes int64, sha256 string) fetch.File {
	return fetch.File{Name: name, Bytes: bytes, SHA256: sha256}
}

func openCache() (cache, error) {
	dir := os.Getenv("NL2SQL_CACHE")
	if dir == "" {
		base := os.Getenv("XDG_CACHE_HOME")
		if base == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return cache{}, fmt.Errorf("no cache folder: %w; set NL2SQL_CACHE", err)
			}
			base = filepath.Join(home, ".cache")
		}
		dir = filepath.Join(base, "nl2sql")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return cache{}, fmt.Errorf("cache folder: %w", err)
	}
	return newCache(dir), nil
}
