//go:build linux

package local

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"

	"nl2sql/runner"
	"nl2sql/runner/files"
)

const (
	layout     = "2"              // of what Start puts into the data; a new one makes new data
	reader     = "nl2sql"         // the user of DSN, who may only SELECT
	startTime  = 60 * time.Second // for a server to answer, on a busy machine
	maxSocket  = 100              // bytes of a socket's path; Linux takes 107
	socketName = "mysql.sock"
)

// Options say what Start runs. Database and Load must be set.
type Options struct {
	// "mysql" or "mariadb"; "" takes the first: MySQL in the cache folder, on PATH, MariaDB in the cache folder, on
	// PATH
	Engine   string
	Database string // its name
	// a mysqldump-like script; read whole, and run only if no data made from the same script is there
	Load io.Reader
	Dir  string            // cache folder; "" is NL2SQL_CACHE, else $XDG_CACHE_HOME/nl2sql, else ~/.cache/nl2sql
	Log  func(line string) // told what takes long; may be nil
}

// Server is a running private server. It ends with Close, and with this process at the latest.
type Server struct {
	engine   engine
	process  *process
	lock     *os.File
	socket   string
	shortDir string // of the socket if the data's path is too long for one; "" else
	database string
	closed   atomic.Bool
}

// Start runs a private server on data made from a script, once for each engine version and script. Data in use by
// another process is waited for. An interrupted start leaves nothing behind that a later one would take for data.
func Start(ctx context.Context, o Options) (*Server, error) {
	s, err := start(ctx, o)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("local: %w", err)
	}
	return s, nil
}

func start(ctx context.Context, o Options) (_ *Server, err error) {
	if o.Log == nil {
		o.Log = func(string) {}
	}
	cache, err := cacheDir(o.Dir)
	if err != nil {
		return nil, err
	}
	e, err := findEngine(ctx, cache, o.Engine)
	if err != nil {
		return nil, err
	}
	script, err := io.ReadAll(o.Load)
	if err != nil {
		return nil, fmt.Errorf("read the script: %w", err)
	}
	name := dataName(e, o.Database, script)
	parent := filepath.Join(cache, "local")
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, err
	}
	lock, err := files.WaitLock(ctx, filepath.Join(parent, name+".lock"), func() {
		o.Log("waiting for another nl2sql that uses the same private server")
	})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			lock.Close()
		}
	}()
	dir := filepath.Join(parent, name)
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		o.Log(fmt.Sprintf("making a private %s %s with the database %s, once", e.kind, e.version, o.Database))
		if err := build(ctx, e, parent, name, lock, o.Database, script); err != nil {
			return nil, fmt.Errorf("make the data of %s %s: %w", e.kind, e.version, err)
		}
	} else if err != nil {
		return nil, err
	}
	return run(ctx, e, dir, lock, o.Database)
}

// dataName is the folder of the data that an engine makes from a script.
func dataName(e engine, database string, script []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00", layout, database)
	h.Write(script)
	return fmt.Sprintf("%s-%s-%s", e.kind, e.version, hex.EncodeToString(h.Sum(nil)[:6]))
}

// build makes the data beside its place and moves it there when it is whole.
func build(ctx context.Context, e engine, parent, name string, lock *os.File, database string,
	script []byte) (err error) {
	prefix := ".new-" + name + "-"
	old, err := filepath.Glob(filepath.Join(parent, prefix+"*")) // of starts that were killed; we hold the lock
	if err != nil {
		return err
	}
	for _, dir := range old {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp(parent, prefix)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	for _, sub := range []string{"data", "files"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			return err
		}
	}
	if err := e.initialise(ctx, dir, lock); err != nil {
		return err
	}
	s, err := run(ctx, e, dir, lock, database)
	if err != nil {
		return err
	}
	if err := s.fill(ctx, script); err != nil {
		return errors.Join(err, s.stop())
	}
	if err := s.stop(); err != nil {
		return err
	}
	return os.Rename(dir, filepath.Join(parent, name))
}

// fill loads the script and makes the user who may only read its database.
func (s *Server) fill(ctx context.Context, script []byte) error {
	if err := runner.ExecScript(ctx, s.AdminDSN(), bytes.NewReader(script), nil); err != nil {
		return err
	}
	db, err := sql.Open("mysql", s.AdminDSN())
	if err != nil {
		return err
	}
	defer db.Close()
	pattern := strings.NewReplacer(`\`, `\\`, `_`, `\_`, `%`, `\%`).Replace(s.database) // GRANT takes wildcards
	for _, stmt := range []string{
		"CREATE USER " + reader + "@localhost",
		"GRANT SELECT ON " + runner.QuoteName(pattern) + ".* TO " + reader + "@localhost",
	} {
		if _, err := db.ExecContext(ctx, stmt); err != nil {
			return err
		}
	}
	return nil
}

// run starts the server and waits until it answers.
func run(ctx context.Context, e engine, dir string, lock *os.File, database string) (_ *Server, err error) {
	s := &Server{engine: e, lock: lock, socket: filepath.Join(dir, socketName), database: database}
	if len(s.socket) > maxSocket {
		if s.shortDir, err = shortDir(); err != nil {
			return nil, err
		}
		s.socket = filepath.Join(s.shortDir, socketName)
	}
	// A server that was killed leaves these, and a later one trusts the process number in them. We hold the lock, so
	// it is gone.
	for _, stale := range []string{s.socket, s.socket + ".lock"} {
		if err := os.Remove(stale); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, errors.Join(err, s.removeShortDir())
		}
	}
	if s.process, err = spawn(e, append(e.args(dir), "--socket="+s.socket), dir, lock, nil); err != nil {
		return nil, errors.Join(err, s.removeShortDir())
	}
	if err := s.wait(ctx); err != nil {
		s.process.kill()
		return nil, errors.Join(err, s.removeShortDir())
	}
	return s, nil
}

// shortDir makes a folder for the socket that only we can enter.
func shortDir() (string, error) {
	for _, parent := range []string{os.TempDir(), "/tmp"} {
		dir, err := os.MkdirTemp(parent, "nl2sql-") // mode 0700
		if err != nil {
			return "", err
		}
		if len(filepath.Join(dir, socketName)) <= maxSocket {
			return dir, nil
		}
		if err := os.Remove(dir); err != nil {
			return "", err
		}
	}
	return "", errors.New("no folder has a path short enough for a socket")
}

func (s *Server) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	cfg, err := mysql.ParseDSN(s.AdminDSN())
	if err != nil {
		return err
	}
	cfg.DBName = "" // it may not be there yet
	cfg.Logger = &mysql.NopLogger{}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	for {
		err := db.PingContext(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.process.done:
			return s.process.failure()
		case <-ctx.Done():
			return fmt.Errorf("the server does not answer: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// DSN is the data source name of a user who may only read the database.
func (s *Server) DSN() string { return reader + "@unix(" + s.socket + ")/" + s.database }

// AdminDSN is the data source name of the server's root user.
func (s *Server) AdminDSN() string { return "root@unix(" + s.socket + ")/" + s.database }

// Engine is "mysql" or "mariadb".
func (s *Server) Engine() string { return s.engine.kind }

// Pid is the server's process.
func (s *Server) Pid() int { return s.process.cmd.Process.Pid }

// Close stops the server and waits until it is gone. A second Close does nothing.
func (s *Server) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	return errors.Join(s.stop(), s.lock.Close())
}

// stop leaves the lock alone.
func (s *Server) stop() error { return errors.Join(s.process.stop(), s.removeShortDir()) }

func (s *Server) removeShortDir() error {
	if s.shortDir == "" {
		return nil
	}
	return os.RemoveAll(s.shortDir)
}

// cacheDir is dir, or the cache folder where dir is empty.
func cacheDir(dir string) (string, error) {
	if dir == "" {
		return runner.CacheFolder()
	}
	return filepath.Abs(dir)
}
