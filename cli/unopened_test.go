//go:build !llamacpp

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// A database that cannot be opened is one line and exit code 1 from every command that opens one, and costs a run
// nothing of what it has.
func TestDatabaseThatCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) {
		t.Helper()
		must.Do(t, os.WriteFile(at(name), []byte(text), 0o600))
	}
	write("items.jsonl", `{"nlq": "How many orders are there?", "sql": "SELECT COUNT(*) FROM orders", `+
		`"database": "shop"}`+"\n")
	write("pred.txt", "SELECT COUNT(*) FROM orders\n")
	write("broken.sql", "CREATE TABLE t (a int")
	model := replay(t, "SELECT COUNT(*) FROM orders")
	eval := []string{"eval", "--items", at("items.jsonl"), "--model", model, "--out", at("run")}
	made := newCommand(dir, eval...)
	if code, _ := made.run(t); code != 0 {
		t.Fatal(made.err.String())
	}
	before, err := os.ReadFile(at("run/run.jsonl"))
	must.Do(t, err)

	commands := [][]string{
		{"ask", "--model", model, "How many orders are there?"},
		eval,
		{"eval", "--items", at("items.jsonl"), "--model", model, "--out", at("new")},
		{"verify", "--model", model, at("run")},
		{"schema"},
		{"db", "query", "SELECT 1"},
		{"db", "diff", "--against", "embedded:nosuch2", "--items", at("items.jsonl")},
		{"score", "--gold", at("items.jsonl"), "--pred", at("pred.txt")},
		{"rescore", at("run")},
		{"report", "--execute", at("run")},
		{"suite", "build", "--n", "1", "--out", at("suite")},
		{"reguard", "--guards", "default", at("run")},
	}
	databases := []string{
		"embedded:nosuch", "nosuch", "u:secret@tcp(127.0.0.1:1)/d", "u:secret@unix(/nonexistent/s)/d",
		"u@tcp(127.0.0.1:1)/d?timeout=x",
		"author:" + at("nosuch.sql"), "author:embedded:" + at("broken.sql"),
	}
	for _, args := range commands {
		for _, db := range databases {
			want := exitError
			if strings.Contains(db, "?") {
				want = exitUsage
			}
			wantLine(t, dir, want, append([]string{"--db", db}, args...))
		}
	}
	for _, args := range [][]string{eval, {"verify", "--model", model, at("run")},
		{"score", "--gold", at("items.jsonl"), "--pred", at("pred.txt")}} {
		wantLine(t, dir, exitError, append(args, "--databases", at("nosuch")))
	}
	after, err := os.ReadFile(at("run/run.jsonl"))
	must.Be(t, err == nil && string(after) == string(before), "the run changed", err)
}

// wantLine wants an exit code and one line on stderr.
func wantLine(t *testing.T, cache string, want int, args []string) {
	t.Helper()
	c := newCommand(cache, args...)
	code, _ := c.run(t)
	if text := c.err.String(); code != want || strings.Count(text, "\n") != 1 || strings.Contains(text, "secret") {
		t.Errorf("nl2sql %s: exit code %d: %s%.300s", strings.Join(args, " "), code, c.out.String(), text)
	}
}
