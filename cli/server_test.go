//go:build !llamacpp

// The servers need no model: the lane with the real engine leaves them out.

package cli

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"nl2sql/assets"
	"nl2sql/runner"
	"nl2sql/runner/local"
	"nl2sql/scripts/must"
)

const (
	count   = "SELECT COUNT(*) FROM orders WHERE status = 'Shipped'"
	endless = "SELECT COUNT(*) FROM orderdetails a JOIN orderdetails b ON a.productCode = b.productCode JOIN " +
		"orderdetails c ON b.productCode = c.productCode JOIN orderdetails d ON c.productCode = d.productCode JOIN " +
		"orderdetails e ON d.productCode = e.productCode JOIN orderdetails f ON e.productCode = f.productCode"
)

// command runs nl2sql with a cache folder and collects what it prints.
type command struct {
	*exec.Cmd
	out, err bytes.Buffer
}

func newCommand(cache string, args ...string) *command {
	c := &command{Cmd: exec.Command("nl2sql", args...)}
	c.Env = append(os.Environ(), "NL2SQL_CACHE="+cache)
	c.Stdout, c.Stderr = &c.out, &c.err
	return c
}

// code waits for the end.
func (c *command) code(t *testing.T) int {
	t.Helper()
	err := c.Wait()
	must.Have(t, err == nil || errors.As(err, new(*exec.ExitError)), err)
	return c.ProcessState.ExitCode()
}

func (c *command) run(t *testing.T) (code int, out string) {
	t.Helper()
	must.Do(t, c.Start())
	return c.code(t), c.out.String()
}

// startEndless asks what takes minutes to answer and returns when the database is about to work on it, or is at work
// where admin, a data source name, says whom to ask.
func startEndless(t *testing.T, cache, db, admin string) *command {
	t.Helper()
	trace := filepath.Join(t.TempDir(), "trace.jsonl")
	c := newCommand(cache, "ask", "--db", db, "--trace", trace, "--model", replay(t, endless),
		"How many combinations are there?")
	must.Do(t, c.Start())
	t.Cleanup(func() { c.Process.Kill() }) // an error says that it has ended, as it should
	begun := func() bool {
		text, err := os.ReadFile(trace)
		return err == nil && bytes.Contains(text, []byte("validate_constraints")) && (admin == "" || atWork(t, admin))
	}
	for stat := fmt.Sprintf("/proc/%d/stat", c.Process.Pid); !begun(); time.Sleep(time.Millisecond) {
		if text, err := os.ReadFile(stat); err != nil || bytes.Contains(text, []byte(") Z ")) {
			t.Fatalf("it never began to run; exit code %d: %s", c.code(t), c.err.String())
		}
	}
	return c
}

// atWork says whether a server runs the endless query.
func atWork(t *testing.T, admin string) bool {
	t.Helper()
	db, err := sql.Open("mysql", admin)
	must.Do(t, err)
	defer db.Close()
	var n int
	err = db.QueryRow("SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE '%orderdetails%' " +
		"AND info NOT LIKE '%processlist%'").Scan(&n)
	must.Do(t, err)
	return n > 0
}

// wantLine wants one line on stderr, and nothing that looks like a stack trace.
func (c *command) wantLine(t *testing.T, begin string) {
	t.Helper()
	text := c.err.String()
	if strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, begin) || strings.Contains(text, "goroutine") {
		t.Errorf("stderr is %q, want one line that begins with %q", text, begin)
	}
	must.Be(t, c.out.Len() <= 0, "stdout is", c.out.String())
}

// processesBelow counts the processes whose command line names a folder.
func processesBelow(t *testing.T, dir string) (n int) {
	t.Helper()
	files := must.Get(filepath.Glob("/proc/[0-9]*/cmdline"))(t)
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && bytes.Contains(text, []byte(dir)) { // an error: it has ended
			n++
		}
	}
	return n
}

// Real servers behind --db: a DSN, and a private server that ends with the command.
func TestServers(t *testing.T) {
	for _, engine := range []string{"mysql", "mariadb"} {
		t.Run(engine, func(t *testing.T) {
			if testing.Short() {
				t.Skip("needs a server, which -short leaves out")
			}
			real := filepath.Join(cacheFolder(), engine)
			if _, err := os.Stat(real); err != nil {
				t.Skipf("no server in the cache folder: run make %s", engine)
			}
			cache := t.TempDir()
			must.Do(t, os.Symlink(real, filepath.Join(cache, engine)))
			testDSN(t, engine, cache)
			testLocal(t, engine, cache)
		})
	}
}

func testDSN(t *testing.T, engine, cache string) {
	script, err := assets.DemoSQL()
	must.Do(t, err)
	// The data that --db local will use, so that it is made once.
	server, err := local.Start(t.Context(),
		local.Options{Engine: engine, Database: assets.DemoName, Load: bytes.NewReader(script), Dir: cache})
	must.Do(t, err)
	defer server.Close()
	dsn := strings.TrimSuffix(server.AdminDSN(), "/"+assets.DemoName) + "/second"
	t.Run("init", func(t *testing.T) {
		c := newCommand(cache, "db", "init", "--db", dsn)
		if code, out := c.run(t); code != 0 || !strings.HasPrefix(out, "created the demo database: root@unix(") {
			t.Fatalf("exit code %d: %s%s", code, out, c.err.String())
		}
		again := newCommand(cache, "db", "init", "--db", dsn)
		if code, _ := again.run(t); code != exitError {
			t.Errorf("a second time: exit code %d, want %d", code, exitError)
		}
		again.wantLine(t, "nl2sql: error: create the demo database: ")
	})
	t.Run("ask", func(t *testing.T) {
		c := newCommand(cache, "ask", "--db", dsn, "--format", "csv", "--model", replay(t, count),
			"How many orders were shipped?")
		if code, out := c.run(t); code != 0 || out != "COUNT(*)\n293\n" {
			t.Errorf("exit code %d: %s%s", code, out, c.err.String())
		}
	})
	t.Run("no tables", func(t *testing.T) {
		empty := strings.TrimSuffix(dsn, "second") + "empty"
		must.Do(t, runner.ExecScript(t.Context(), empty, strings.NewReader("SET @nothing = 1;"), nil))
		for _, args := range [][]string{{"ask", "--db", empty, "--model", replay(t, count), "How many are there?"},
			{"schema", "--db", empty}} {
			c := newCommand(cache, args...)
			if code, _ := c.run(t); code != exitError {
				t.Errorf("%s: exit code %d", args[0], code)
			}
			c.wantLine(t, "nl2sql: error: the database empty has no table that this user may read: ")
		}
	})
	t.Run("schema", func(t *testing.T) {
		onServer, embedded := newCommand(cache, "schema", "--db", dsn, "--format", "ddl"),
			newCommand(cache, "schema", "--format", "ddl")
		_, want := embedded.run(t)
		if _, got := onServer.run(t); ddlTypes(got) != ddlTypes(want) {
			t.Error(cmp.Diff(ddlTypes(want), ddlTypes(got)))
		}
	})
	t.Run("diff", func(t *testing.T) {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"items.jsonl":     `{"id":"1","nlq":"?","db_id":"pets","sql":"SELECT name FROM pet WHERE age > 3"}`,
			"pets/schema.sql": "CREATE TABLE pet (name varchar(20) PRIMARY KEY, age int);",
			"pets/pet.csv":    "name,age\nRex,4\nTom,2\n",
		} {
			must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
			must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		scratch := strings.TrimSuffix(dsn, "second") + "scratch"
		diff := func() *command {
			return newCommand(cache, "db", "diff", "--against", scratch, "--items", filepath.Join(dir, "items.jsonl"),
				"--databases", dir)
		}
		for range 2 { // what the first made is gone
			c := diff()
			if code, out := c.run(t); code != 0 || !strings.Contains(out, "1\t100.00 %\tsame") {
				t.Errorf("exit code %d: %s%s", code, out, c.err.String())
			}
		}
		if err := runner.ExecScript(t.Context(), scratch+"_pets", strings.NewReader("CREATE TABLE mine (a int);"),
			nil); err != nil {
			t.Fatal(err)
		}
		c := diff()
		if code, _ := c.run(t); code != exitError {
			t.Errorf("a database that is there: exit code %d", code)
		}
		c.wantLine(t, "nl2sql: error: "+runner.Redact(scratch)+": database pets: runner: make or drop ")
		must.Has(t, c.err.String(), "database exists")
	})
	t.Run("interrupt", func(t *testing.T) {
		c := startEndless(t, cache, dsn, server.AdminDSN())
		must.Do(t, c.Process.Signal(syscall.SIGINT))
		must.Equal(t, c.code(t), exitInterrupted, "exit code")
		c.wantLine(t, "nl2sql: error: interrupted\n")
	})
	t.Run("a client of serve goes away", func(t *testing.T) {
		for atWork(t, server.AdminDSN()) { // what the test before this one interrupted
			time.Sleep(time.Millisecond)
		}
		socket := filepath.Join(t.TempDir(), "s")
		c := newCommand(cache, "serve", "--db", dsn, "--listen", "unix:"+socket, "--model", replay(t, endless),
			"--access-log", "json")
		must.Do(t, c.Start())
		defer c.Process.Kill() // an error says that it has ended, as it should
		healthy(t, socket)     // till then its own look at the schema is at work
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() { left <- askServer(ctx, socket, "How many combinations are there?") }()
		for !atWork(t, server.AdminDSN()) {
			time.Sleep(time.Millisecond)
		}
		leave()
		start := time.Now()
		for atWork(t, server.AdminDSN()) {
			time.Sleep(time.Millisecond)
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("its query was stopped after %s", took)
		}
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		must.Do(t, c.Process.Signal(syscall.SIGTERM))
		if code := c.code(t); code != 0 || !strings.Contains(c.err.String(), `"status":499`) {
			t.Errorf("exit code %d: %s", code, c.err.String())
		}
	})
	t.Run("server dies", func(t *testing.T) {
		c := startEndless(t, cache, dsn, server.AdminDSN())
		must.Do(t, syscall.Kill(server.Pid(), syscall.SIGKILL))
		must.Equal(t, c.code(t), exitError, "exit code")
		c.wantLine(t, "nl2sql: error: step ")
	})
}

// ddlTypes leaves out what engines write differently: display widths of integers.
func ddlTypes(ddl string) string {
	for _, width := range []string{"int(11)", "smallint(6)"} {
		ddl = strings.ReplaceAll(ddl, width, strings.TrimRight(strings.TrimRight(width, ")0123456789"), "("))
	}
	return ddl
}

func testLocal(t *testing.T, engine, cache string) {
	t.Run("local", func(t *testing.T) {
		c := newCommand(cache, "ask", "--db", "local", "--format", "csv", "--model", replay(t, count),
			"How many orders were shipped?")
		if code, out := c.run(t); code != 0 || out != "COUNT(*)\n293\n" {
			t.Errorf("exit code %d: %s%s", code, out, c.err.String())
		}
		must.Equal(t, processesBelow(t, cache), 0, "processes are left")
	})
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(fmt.Sprintf("local, %v", sig), func(t *testing.T) {
			c := startEndless(t, cache, "local", "")
			must.Do(t, c.Process.Signal(sig))
			if code := c.code(t); code != exitInterrupted && sig != syscall.SIGKILL {
				t.Errorf("exit code %d, want %d: %s", code, exitInterrupted, c.err.String())
			}
			for sig == syscall.SIGKILL && processesBelow(t, cache) > 0 { // the kernel ends the server
				time.Sleep(time.Millisecond)
			}
			if n := processesBelow(t, cache); n > 0 {
				t.Errorf("%d processes are left", n)
			}
		})
	}
}

// demoServer is a MySQL server with the demo database.
func demoServer(t *testing.T) *local.Server {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a server, which -short leaves out")
	}
	cache := cacheFolder()
	if _, err := os.Stat(filepath.Join(cache, "mysql")); err != nil {
		t.Skip("no server in the cache folder: run make mysql")
	}
	script, err := assets.DemoSQL()
	must.Do(t, err)
	dir := t.TempDir()
	must.Do(t, os.Symlink(filepath.Join(cache, "mysql"), filepath.Join(dir, "mysql")))
	server, err := local.Start(t.Context(),
		local.Options{Engine: "mysql", Database: assets.DemoName, Load: bytes.NewReader(script), Dir: dir})
	must.Do(t, err)
	t.Cleanup(func() { server.Close() })
	return server
}

// A server that hangs: Ctrl-C ends the command all the same, in one line that says what it left there.
func TestInterruptOfAHungServer(t *testing.T) {
	server := demoServer(t)
	c := startEndless(t, t.TempDir(), server.DSN(), server.AdminDSN())
	must.Do(t, syscall.Kill(server.Pid(), syscall.SIGSTOP))
	defer syscall.Kill(server.Pid(), syscall.SIGCONT)
	must.Do(t, c.Process.Signal(syscall.SIGINT))
	must.Equal(t, c.code(t), exitInterrupted, "exit code")
	c.wantLine(t, "nl2sql: error: interrupted; runner: query ")
	must.Has(t, c.err.String(), "the statement may still run as connection ")
}
