//go:build !llamacpp

package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nl2sql/runner/files"
	"nl2sql/scripts/must"
	"nl2sql/tools"
)

// keptIn are the pairs of a file that can be read.
func keptIn(t *testing.T, path string) map[string]bool {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	kept := map[string]bool{}
	for _, p := range must.Get(tools.ParsePairs(f))(t) {
		kept[p.Question] = true
	}
	return kept
}

// What a chat said that it kept is there after SIGKILL in any moment, and the next one goes on with the file.
func TestKeptThroughKills(t *testing.T) {
	if testing.Short() {
		t.Skip("kills commands again and again, which -short leaves out")
	}
	pairs, cache := filepath.Join(t.TempDir(), "pairs.jsonl"), t.TempDir()
	model := replay(t, strings.Repeat("SELECT COUNT(*) FROM orders\n===\n", 3000)+"SELECT COUNT(*) FROM orders")
	r := rand.New(rand.NewPCG(*killSeed, 7))
	said, all := map[string]bool{}, 0
	for life := range 3 * *kills {
		c := newCommand(cache, "chat", "--pairs", pairs, "--votes", "1", "--model", model)
		in, err := c.StdinPipe()
		must.Do(t, err)
		c.Stderr = nil
		told, err := c.StderrPipe()
		must.Do(t, err)
		must.Do(t, c.Start())
		end := time.AfterFunc(time.Duration(300+r.IntN(1500))*time.Millisecond, func() { c.Process.Kill() })
		lines := bufio.NewScanner(told)
		for i := 0; err == nil; i++ {
			question := fmt.Sprintf("How many orders are there? (%d, %d)", life, i)
			if _, err = fmt.Fprintf(in, "%s\n\\good\n", question); err != nil {
				break
			}
			for err = io.EOF; err != nil && lines.Scan(); { // warnings stand before
				if strings.Contains(lines.Text(), "kept in ") {
					err, said[question] = nil, true
					all++
				}
			}
		}
		end.Stop()
		c.Process.Kill() // an error says that it has ended
		c.code(t)
		if len(said) == 0 {
			continue // it was killed before the first
		}
		kept := keptIn(t, pairs)
		for question := range said {
			must.Be(t, kept[question], "was acknowledged and is gone:", question)
		}
	}
	must.Be(t, all > 0, "nothing was ever acknowledged")
	t.Logf("%d acknowledged pairs through %d kills", all, 3**kills)
}

// A full disk costs a line, and the file is as it was before; with room the same command goes on.
func TestKeptOnFullDisk(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) { must.Do(t, os.WriteFile(at(name), []byte(text), 0o600)) }
	line := func(i int) string {
		return fmt.Sprintf(`{"question":"How many orders are there? (%d)","sql":"SELECT COUNT(*) FROM orders"}`+"\n", i)
	}
	before := ""
	for i := range 23 {
		before += line(i)
	}
	write("pairs.jsonl", before)
	write("new.jsonl", line(100))
	write("answers.ndjson", `{"id":"0","question":"before","result":null`+strings.Repeat(" ", 1850)+"}\n")
	write("history.jsonl", strings.Repeat(`{"time":"2026-01-02T03:04:05Z","question":"before"}`+"\n", 37))
	model := replay(t, "SELECT COUNT(*) FROM orders")
	cache := t.TempDir()
	if code, out := newCommand(cache, "schema").run(t); code != 0 {
		t.Fatal(out) // what the cache has needs room too
	}
	limited := func(args ...string) *command {
		c := newCommand(cache)
		c.Cmd = exec.Command("prlimit", append([]string{"--fsize=2000", "nl2sql"}, args...)...)
		c.Env, c.Stdout, c.Stderr = append(os.Environ(), "NL2SQL_CACHE="+cache), &c.out, &c.err
		return c
	}
	for _, tt := range []struct {
		file string
		args []string
	}{
		{"pairs.jsonl", []string{"learn", at("new.jsonl"), "--yes", "--pairs", at("pairs.jsonl")}},
		{"answers.ndjson", []string{"ask", "--file", at("new.jsonl"), "--model", model, "--out", at("answers.ndjson")}},
	} {
		was := string(must.Get(os.ReadFile(at(tt.file)))(t))
		c := limited(tt.args...)
		code, _ := c.run(t)
		is := string(must.Get(os.ReadFile(at(tt.file)))(t))
		must.Be(t, code == 1 && strings.Contains(c.err.String(), "file too large"), tt.file, code, c.err.String())
		must.Be(t, strings.Count(c.err.String(), "error: ") == 1, c.err.String())
		must.Equal(t, is, was, tt.file)
		c = newCommand(cache, tt.args...)
		code, _ = c.run(t)
		must.Be(t, code == 0, tt.file, c.err.String())
		is = string(must.Get(os.ReadFile(at(tt.file)))(t))
		must.Be(t, strings.HasPrefix(is, was) && strings.HasSuffix(is, "\n") && len(is) > len(was), is)
	}
	t.Run("history", func(t *testing.T) {
		was := string(must.Get(os.ReadFile(at("history.jsonl")))(t))
		c := limited("serve", "--history", at("history.jsonl"), "--listen", "unix:"+at("s"), "--model", model, "--votes", "1")
		must.Do(t, c.Start())
		defer func() {
			c.Process.Kill() // an error says that it has ended
			c.code(t)
		}()
		healthy(t, at("s"))
		must.Do(t, askServer(t.Context(), at("s"), "How many orders are there?"))
		must.Equal(t, string(must.Get(os.ReadFile(at("history.jsonl")))(t)), was)
		l := must.Get(files.OpenLog(at("history.jsonl"), `{"time":`, func([]byte) error { return nil }))(t)
		must.Do(t, l.Close())
		must.Be(t, errors.Is(askServer(t.Context(), at("s"), "How many orders are there?"), nil), "it went away")
	})
}
