//go:build !llamacpp

// The commands run with a scripted model: the lane with the real engine leaves them out.

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"nl2sql/scripts/must"
)

// A file that is not what a flag wants costs a line and little memory, and is as it was.
func TestFilesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	cert, key, _ := certificate(t, dir)
	must.Do(t, os.WriteFile(at("text"), []byte("mine\n"), 0o600))
	must.Do(t, os.Mkdir(at("folder"), 0o700))
	must.Do(t, os.WriteFile(at("sparse"), nil, 0o600))
	must.Do(t, os.Truncate(at("sparse"), 3<<30))
	must.Do(t, os.WriteFile(at("items"), []byte(`{"nlq": "How many orders?", "sql": "SELECT COUNT(*) FROM orders"}`), 0o600))
	must.Do(t, syscall.Mkfifo(at("fifo"), 0o600))
	model, cache := replay(t, "SELECT COUNT(*) FROM orders"), t.TempDir()
	for _, tt := range []struct {
		args  string // in DIR
		stdin string
		want  string
	}{
		{"serve --listen unix:", "", "no socket"},
		{"serve --listen unix:DIR/text", "", "no socket"},
		{"serve --listen unix:DIR/folder", "", "no socket"},
		{"serve --history DIR/text --listen unix:DIR/s", "", "nothing is written to it"},
		{"serve --pairs /dev/full --listen unix:DIR/s", "", "not a regular file"},
		{"serve --listen unix:DIR/s --key " + key + " --cert /dev/zero", "", "is a device"},
		{"serve --listen unix:DIR/s --key DIR/sparse --cert " + cert, "", "bytes"},
		{"serve --listen unix:DIR/s --key " + cert + " --cert " + cert, "", "--cert and --key"},
		{"mcp --pairs DIR/fifo", "", "not a regular file"},
		{"chat --pairs /dev/zero", "", "not a regular file"},
		{"learn DIR/items --yes --pairs DIR/fifo", "", "not a regular file"},
		{"learn DIR/items --yes --pairs /dev/zero", "", "not a regular file"},
		{"pairs --pairs /dev/full", "", "not a regular file"},
		{"ask how --pairs /dev/stdin", "/dev/zero", "not a regular file"},
		{"chat", "/dev/zero", "line 1 is longer"},
		{"chat", at("sparse"), "line 1 is longer"},
		{"ask --file -", "/dev/zero", "line 1: an item of more"},
		{"ask --file -", at("sparse"), "line 1: an item of more"},
	} {
		args := strings.Fields(strings.ReplaceAll(tt.args, "DIR", dir))
		if args[0] != "learn" && args[0] != "pairs" {
			args = append(args, "--model", model)
		}
		c := newCommand(cache, args...)
		if tt.stdin != "" {
			in := must.Get(os.Open(tt.stdin))(t)
			defer in.Close()
			c.Stdin = in
		}
		must.Do(t, c.Start())
		late := time.AfterFunc(30*time.Second, func() { c.Process.Kill() })
		code := c.code(t)
		must.Be(t, late.Stop() && code > 0, tt.args, "did not fail:", code, c.err.String())
		said := c.err.String()
		must.Be(t, strings.Contains(said, tt.want) && strings.Count(said, "\n") == 1, tt.args, said)
		used := c.ProcessState.SysUsage().(*syscall.Rusage)
		must.Be(t, used.Maxrss < 512<<10, tt.args, "took", used.Maxrss, "KiB")
	}
	must.Same(t, string(must.Get(os.ReadFile(at("text")))(t)), "mine\n")
}
