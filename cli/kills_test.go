//go:build !llamacpp

// Killing needs no model: the lane with the real engine leaves it out.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"nl2sql/loop/desk"
	"nl2sql/scripts/must"
)

var (
	kills    = flag.Int("kills", must.Long(2, 100), "how often TestKills kills each command")
	killSeed = flag.Uint64("killseed", 1, "of the moments in which it does")
)

// killedCommand is a command that is killed in the middle and begun again.
type killedCommand struct {
	name string
	args func(dir string) []string // of a life, whose files lie in dir
	left func(t *testing.T, cache, dir string) string

	begin func(t *testing.T, dir string)                    // before a life; nil is nothing
	use   func(ctx context.Context, c *command, dir string) // what is done with it while it lives; nil is nothing
}

// started is what the card of a run says of the day.
var started = regexp.MustCompile(`"started":"[^"]*"`)

// runOf is what a run's folder holds, in which nothing but the day of its card may differ.
func runOf(t *testing.T, _, dir string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() != "run.jsonl" {
			return err
		}
		text, err := os.ReadFile(path)
		out.Write(started.ReplaceAll(text, nil))
		return err
	})
	must.Have(t, err == nil || errors.Is(err, fs.ErrNotExist), err)
	return out.String()
}

// databasesOf is what the cache folder's databases hold, and what a question finds in the imported one.
func databasesOf(t *testing.T, cache, _ string) string {
	t.Helper()
	entries := must.Get(os.ReadDir(filepath.Join(cache, "databases")))(t)
	var out strings.Builder
	for _, e := range entries {
		out.WriteString(e.Name() + "\n")
	}
	c := newCommand(cache, "ask", "--format", "csv", "--db", "embedded:shop", "--model",
		replay(t, "SELECT COUNT(*), SUM(id) FROM things"), "How many things are there, and what is the sum of ids?")
	code, rows := c.run(t)
	return out.String() + fmt.Sprint(code) + rows
}

// servedQuestions is how many questions a server gets in a life; its history is written anew meanwhile.
const servedQuestions = 12

// askServed asks a server, and lets it end.
func askServed(ctx context.Context, c *command, dir string) {
	for i := range servedQuestions {
		question := fmt.Sprintf("How many orders are there? (%d)", i)
		if askServer(ctx, filepath.Join(dir, "s"), question) != nil {
			return // it was killed
		}
	}
	c.Process.Signal(syscall.SIGTERM) // an error says that it was killed
}

// nearlyFull is the history of a server before its first life.
func nearlyFull(t *testing.T, dir string) {
	t.Helper()
	if err := os.Mkdir(dir, 0o700); errors.Is(err, fs.ErrExist) {
		return
	} else if err != nil {
		t.Fatal(err)
	}
	const line = `{"time":"2026-01-02T03:04:05Z","question":"before"}` + "\n"
	full := strings.Repeat(line, 2*desk.HistoryKept-servedQuestions/2)
	must.Do(t, os.WriteFile(filepath.Join(dir, "history.jsonl"), []byte(full), 0o600))
}

// servedOf is what was asked of a server, once each, and which files it and the cache have once the command schema has
// read the values anew: those that are there are made old for it.
func servedOf(t *testing.T, cache, dir, db string) string {
	t.Helper()
	text := must.Get(os.ReadFile(filepath.Join(dir, "history.jsonl")))(t)
	var out []string
	for line := range strings.Lines(string(text)) {
		var a struct {
			Question, Outcome string
			Rows              int
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil || !strings.HasSuffix(line, "}\n") {
			t.Fatalf("a line of the history is %q: %v", line, err)
		}
		if a.Question != "before" {
			out = append(out, fmt.Sprint(a))
		}
	}
	files := func(visit func(path string)) {
		for _, folder := range []string{dir, cache} {
			err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					visit(path)
				}
				return err
			})
			must.Do(t, err)
		}
	}
	long := time.Now().Add(-48 * time.Hour)
	files(func(path string) {
		must.Do(t, os.Chtimes(path, long, long))
	})
	if code, text := newCommand(cache, "schema", "--db", db).run(t); code != 0 {
		t.Fatal(text)
	}
	files(func(path string) { out = append(out, strings.NewReplacer(dir, "dir", cache, "cache").Replace(path)) })
	slices.Sort(out)
	return strings.Join(slices.Compact(out), "\n") + "\n"
}

// A command that SIGKILL ends in any moment, again and again, is done by the next one: with the same bytes as one that
// nobody disturbs, and with nothing left of those before.
func TestKills(t *testing.T) {
	if testing.Short() {
		t.Skip("kills commands again and again, which -short leaves out")
	}
	files := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(files, name)
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	var items, dump strings.Builder
	for i := range 120 {
		fmt.Fprintf(&items, `{"id":"q%d","nlq":"How many orders are there? (%d)","sql":"SELECT COUNT(*) FROM orders"}`+
			"\n", i, i)
	}
	dump.WriteString("CREATE TABLE things (id INT PRIMARY KEY, name VARCHAR(40));\n")
	for i := range 20_000 {
		fmt.Fprintf(&dump, "INSERT INTO things VALUES (%d, 'thing %d');\n", i, i)
	}
	questions, script := write("items.jsonl", items.String()), write("shop.sql", dump.String())
	model := replay(t, strings.Repeat("SELECT COUNT(*) FROM orders\n===\n", 2000)+"SELECT COUNT(*) FROM orders")
	grid := write("grid.yaml", fmt.Sprintf(
		"items: %s\nmodel: %q\nmethods:\n  - {agent: baseline, shots: 0}\n  - {agent: loop, votes: 1}\n", questions,
		model))
	for _, k := range []killedCommand{
		{"eval", func(dir string) []string {
			return []string{"eval", "--agent", "baseline", "--model", model, "--items", questions, "--out", dir}
		}, runOf, nil, nil},
		{"grid", func(dir string) []string { return []string{"grid", grid, "--out", dir} }, runOf, nil, nil},
		{"import", func(string) []string {
			return []string{"db", "import", script, "--name", "shop", "--replace"}
		}, databasesOf, nil, nil},
		served("embedded", model),
	} {
		t.Run(k.name, func(t *testing.T) { k.test(t) })
	}
	t.Run("serve on a server", func(t *testing.T) { // only of one values are kept
		if must.Long(true, false) {
			t.Skip("part of make soak")
		}
		served(demoServer(t).DSN(), model).test(t)
	})
}

// served is a server that answers questions about a database.
func served(db, model string) killedCommand {
	return killedCommand{
		name: "serve",
		args: func(dir string) []string {
			return []string{
				"serve", "--db", db, "--history", filepath.Join(dir, "history.jsonl"), "--listen",
				"unix:" + filepath.Join(dir, "s"), "--access-log", "none", "--votes", "1", "--model", model,
			}
		},
		left: func(t *testing.T, cache, dir string) string { return servedOf(t, cache, dir, db) },
		use:  askServed, begin: nearlyFull,
	}
}

// test kills the command, lets it end, and compares what is there with what an undisturbed one leaves.
func (k killedCommand) test(t *testing.T) {
	r := rand.New(rand.NewPCG(*killSeed, uint64(len(k.name))))
	life := func(cache, dir string, most time.Duration) (killed bool, took time.Duration) {
		if k.begin != nil {
			k.begin(t, dir)
		}
		c := newCommand(cache, k.args(dir)...)
		ctx, ended := context.WithCancel(t.Context())
		var use sync.WaitGroup
		defer use.Wait()
		defer ended()
		began := time.Now()
		must.Do(t, c.Start())
		if most > 0 {
			end := time.AfterFunc(most, func() { c.Process.Kill() }) // an error says that it has ended, as it may
			defer end.Stop()
		}
		if k.use != nil {
			use.Go(func() { k.use(ctx, c, dir) })
		}
		switch code := c.code(t); {
		case code == -1 && most > 0:
			return true, time.Since(began)
		case code != 0:
			t.Fatalf("%v: exit code %d\n%s%s", c.Args, code, c.out.String(), c.err.String())
		}
		return false, time.Since(began)
	}
	whole, wholeDir := t.TempDir(), filepath.Join(t.TempDir(), "run")
	_, took := life(whole, wholeDir, 0)
	want := k.left(t, whole, wholeDir)

	cache, dir := t.TempDir(), filepath.Join(t.TempDir(), "run")
	done, ended := 0, 0
	for done < *kills {
		if killed, _ := life(cache, dir, time.Duration(1+r.Int64N(int64(took)))); killed {
			done++
			continue
		}
		ended++ // and the run begins anew; in a cache all goes on
		if got := k.left(t, cache, dir); got != want {
			t.Fatalf("after %d kills\n%.500s\nwant\n%.500s", done, got, want)
		}
		dir = filepath.Join(t.TempDir(), "run")
	}
	life(cache, dir, 0)
	if got := k.left(t, cache, dir); got != want || !bytes.Contains([]byte(got), []byte("\n")) {
		t.Errorf("after %d kills\n%.500s\nwant\n%.500s", done, got, want)
	}
	t.Logf("%d kills in a command of %s, %d lives that ended before", done, took.Round(time.Millisecond), ended)
}
