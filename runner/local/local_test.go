//go:build linux

package local

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

const script = "CREATE TABLE t (a int PRIMARY KEY, s varchar(9)); INSERT INTO t VALUES (1, 'x;y'), (2, NULL);"

// childEnv makes this binary a program that runs a server and says so; see TestNoOrphan.
const childEnv = "NL2SQL_TEST_LOCAL_CHILD"

func TestMain(m *testing.M) {
	if engine := os.Getenv(childEnv); engine != "" {
		child(engine)
	}
	os.Exit(m.Run())
}

func child(engine string) {
	s, err := Start(context.Background(), Options{Engine: engine, Database: "a_b", Load: strings.NewReader(script),
		Dir: os.Args[1], Log: func(string) { fmt.Println("log") }})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println("pid", s.Pid())
	time.Sleep(time.Hour)
}

// cacheWith makes a cache folder below parent that holds the fetched servers of the real one and nothing else, or
// skips.
func cacheWith(t *testing.T, engine, parent string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a server, which -short leaves out")
	}
	real := must.Get(cacheDir(""))(t)
	if _, err := findEngine(t.Context(), real, engine); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"mysql", "mariadb"} {
		must.Do(t, os.Symlink(filepath.Join(real, name), filepath.Join(parent, name)))
	}
	return parent
}

func each(t *testing.T, f func(t *testing.T, engine string)) {
	for _, engine := range []string{"mysql", "mariadb"} {
		t.Run(engine, func(t *testing.T) { f(t, engine) })
	}
}

// alive says whether a process runs; a zombie does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z") && !strings.HasPrefix(after, "X")
}

// gone wants a process to have ended.
func gone(t *testing.T, pid int) {
	t.Helper()
	must.Be(t, !alive(pid), "process", pid, "runs on")
}

// leftovers lists the half-made data.
func leftovers(t *testing.T, cache string) []string {
	t.Helper()
	return must.Get(filepath.Glob(filepath.Join(cache, "local", ".new-*")))(t)
}

// One life: made once, used again, waited for, killed with its parent, stopped.
func TestServer(t *testing.T) {
	each(t, func(t *testing.T, engine string) {
		cache := cacheWith(t, engine, t.TempDir())
		var log []string
		options := func() Options {
			return Options{Engine: engine, Database: "a_b", Load: strings.NewReader(script), Dir: cache,
				Log: func(line string) { log = append(log, line) }}
		}
		s := must.Get(Start(t.Context(), options()))(t)
		defer s.Close()
		must.Be(t, len(log) == 1 && strings.HasPrefix(log[0], "making a private "+engine), "log", log)
		must.Equal(t, must.Get(syscall.Getpgid(s.Pid()))(t), s.Pid(),
			"the server is in process group", "Ctrl-C would reach it")
		checkReader(t, s)

		// A second one waits, and can be cancelled.
		log = nil
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		waiting := options()
		waiting.Log = func(line string) { log = append(log, line); cancel() }
		if _, err := Start(ctx, waiting); !errors.Is(err, context.Canceled) {
			t.Errorf("second start: %v", err)
		}
		must.Be(t, len(log) == 1 && strings.HasPrefix(log[0], "waiting"), "log", log)
		// It gets its turn when the first is closed.
		type started struct {
			s   *Server
			err error
		}
		second, waits := make(chan started, 1), make(chan string, 1)
		go func() {
			waiting := options()
			waiting.Log = func(line string) { waits <- line }
			s, err := Start(t.Context(), waiting)
			second <- started{s, err}
		}()
		select {
		case <-second:
			t.Fatal("two servers on the same data")
		case line := <-waits:
			must.Be(t, strings.HasPrefix(line, "waiting"), "log", line)
		}
		must.Succeed(t, s.Close())
		gone(t, s.Pid())
		again := <-second
		must.Do(t, again.err)
		checkReader(t, again.s)
		must.Succeed(t, again.s.Close())
		gone(t, again.s.Pid())
		if left := leftovers(t, cache); left != nil {
			t.Errorf("left over: %q", left)
		}

		// Whoever starts a server and is killed takes it along.
		self := must.Get(os.Executable())(t)
		cmd := exec.Command(self, cache)
		cmd.Env = append(os.Environ(), childEnv+"="+engine)
		out := must.Get(cmd.StdoutPipe())(t)
		must.Do(t, cmd.Start())
		line, err := bufio.NewReader(out).ReadString('\n')
		var pid int
		if _, scanErr := fmt.Sscanf(line, "pid %d", &pid); err != nil || scanErr != nil || !alive(pid) {
			t.Fatalf("child says %q: %v", line, err)
		}
		must.Do(t, cmd.Process.Kill())
		cmd.Wait()       // it was killed
		for alive(pid) { // until the kernel has ended it
			time.Sleep(time.Millisecond)
		}

		// and what it leaves is sound
		last := must.Get(Start(t.Context(), options()))(t)
		checkReader(t, last)
		must.Succeed(t, last.Close())
	})
}

// checkReader asks as the user of DSN, who may read this database and nothing else.
func checkReader(t *testing.T, s *Server) {
	t.Helper()
	db := must.Get(sql.Open("mysql", s.DSN()))(t)
	defer db.Close()
	var got string
	if err := db.QueryRow("SELECT s FROM t WHERE a = 1").Scan(&got); err != nil || got != "x;y" {
		t.Errorf("got %q, %v", got, err)
	}
	for _, stmt := range []string{"DELETE FROM t", "CREATE DATABASE axb", "SELECT * FROM mysql.global_grants",
		"SELECT * FROM mysql.db"} {
		if _, err := db.Exec(stmt); err == nil {
			t.Errorf("%s went through", stmt)
		}
	}
}

func TestOpenDemo(t *testing.T) {
	real := must.Get(cacheDir(""))(t)
	if _, err := findEngine(t.Context(), real, ""); err != nil || testing.Short() {
		t.Skip("needs a server: ", err)
	}
	db := must.Get(Open(t.Context(), runner.Limits{}))(t)
	defer db.Close()
	schema := must.Get(db.Schema(t.Context()))(t)
	// The same database reads the same from a server and from the embedded engine: a prompt does not depend on --db.
	inProcess := must.Get(embedded.Open(t.Context(), "", runner.Limits{}))(t)
	defer inProcess.Close()
	want := must.Get(inProcess.Schema(t.Context()))(t)
	if diff := cmp.Diff(want, schema); diff != "" || len(schema.Tables) != 8 {
		t.Errorf("%d tables; embedded against local (-embedded +local):\n%s", len(schema.Tables), diff)
	}
	q, v, err := sqlcheck.Check("SELECT COUNT(*) FROM customers", schema)
	must.Have(t, err == nil && v.OK, v, err)
	res, err := db.Query(t.Context(), q)
	must.Be(t, err == nil && len(res.Rows) == 1 && res.Rows[0][0] == int64(122), res.Rows, err)
	must.Equal(t, db.Backend().Source, "local", "source")
	must.Succeed(t, db.Close())
}

// A path too long for a socket gets a short one elsewhere.
func TestLongPath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("long/", 30))
	must.Do(t, os.MkdirAll(dir, 0o700))
	cache := cacheWith(t, "mariadb", dir)
	s := must.Get(Start(t.Context(), Options{Engine: "mariadb", Database: "a_b",
		Load: strings.NewReader(script), Dir: cache}))(t)
	defer s.Close()
	checkReader(t, s)
	socket := filepath.Dir(s.socket)
	if st, err := os.Stat(socket); err != nil || st.Mode().Perm() != 0o700 || strings.HasPrefix(socket, cache) {
		t.Errorf("socket in %s: %v, %v", socket, st, err)
	}
	must.Succeed(t, s.Close())
	if _, err := os.Stat(socket); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is left: %v", socket, err)
	}
}

// What is interrupted while it is made leaves nothing that a later start would take for data.
func TestInterrupted(t *testing.T) {
	each(t, func(t *testing.T, engine string) {
		cache := cacheWith(t, engine, t.TempDir())
		start := func(ctx context.Context, load io.Reader) (*Server, error) {
			return Start(ctx, Options{Engine: engine, Database: "a_b", Load: load, Dir: cache})
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { // in the middle of its work, however fast the machine is
			defer cancel()
			for ctx.Err() == nil {
				if found, err := filepath.Glob(filepath.Join(cache, "local", ".new-*")); err != nil || found != nil {
					return
				}
				time.Sleep(time.Millisecond)
			}
		}()
		if _, err := start(ctx, strings.NewReader(script)); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if left := leftovers(t, cache); left != nil {
			t.Errorf("left over: %q", left)
		}
		// one that was killed leaves its work, which the next removes
		e, err := findEngine(t.Context(), cache, engine)
		must.Do(t, err)
		bad := script + "SELEC 1;"
		half := filepath.Join(cache, "local", ".new-"+dataName(e, "a_b", []byte(bad))+"-1", "data")
		must.Do(t, os.MkdirAll(half, 0o700))
		_, err = start(t.Context(), strings.NewReader(bad))
		must.Be(t, err != nil && strings.Contains(err.Error(), "1064") && !strings.Contains(err.Error(), "\n"),
			"bad script", err)
		if left := leftovers(t, cache); left != nil {
			t.Errorf("left over: %q", left)
		}
		if found, err := filepath.Glob(filepath.Join(cache, "local", engine+"-*[0-9a-f]")); err != nil || found != nil {
			t.Errorf("data of a failed start: %q, %v", found, err)
		}
	})
}

func TestNoServer(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, p := range places {
		if lookPath(p.program) != "" {
			t.Skip("a server is installed: ", lookPath(p.program))
		}
	}
	for engine, want := range map[string]string{"mysql": "make mysql", "mariadb": "make mariadb", "": "make mysql"} {
		_, err := Start(t.Context(), Options{Engine: engine, Database: "d", Load: strings.NewReader(script),
			Dir: t.TempDir()})
		must.Be(t, err != nil && strings.Contains(err.Error(), want) && !strings.Contains(err.Error(), "\n"),
			engine, err)
	}
	// one that cannot run
	cache := t.TempDir()
	must.Do(t, os.MkdirAll(filepath.Join(cache, "mysql", "bin"), 0o700))
	must.Do(t, os.WriteFile(filepath.Join(cache, "mysql", "bin", "mysqld"),
		[]byte("#!/bin/sh\necho no library >&2; exit 127\n"), 0o700))
	_, err := Start(t.Context(), Options{Database: "d", Load: strings.NewReader(script), Dir: cache})
	must.Be(t, err != nil && strings.Contains(err.Error(), "no library") && !strings.Contains(err.Error(), "\n"),
		"broken server", err)
}
