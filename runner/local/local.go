// Package local runs a private MySQL or MariaDB server on a socket in the cache folder. It uses a mysqld or mariadbd
// that it finds, only ever on data that it made itself, and knows nothing of other servers on the machine.
package local

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"

	"nl2sql/assets"
	"nl2sql/runner"
)

// Open starts the server, loads the demo database once, and returns a DB whose Close stops the server.
// What takes long is told by slog at level Warn.
func Open(ctx context.Context, l runner.Limits) (runner.DB, error) {
	o, err := Demo()
	if err != nil {
		return nil, err
	}
	return OpenWith(ctx, o, "", l)
}

// Demo are the options of a server with the demo database.
func Demo() (Options, error) {
	script, err := assets.DemoSQL()
	return Options{Database: assets.DemoName, Load: bytes.NewReader(script), Log: warn}, err
}

// Scratch are the options of a server for databases that come and go: see [Server.Create].
func Scratch() Options {
	return Options{Database: "scratch", Load: strings.NewReader("SELECT 1;"), Log: warn}
}

func warn(line string) { slog.Warn(line) }

// OpenWith is Open for any script. settings are session variables, as the end of a DSN has them: "big_tables=1"; ""
// means none.
func OpenWith(ctx context.Context, o Options, settings string, l runner.Limits) (runner.DB, error) {
	server, err := Start(ctx, o)
	if err != nil {
		return nil, err
	}
	dsn := server.DSN()
	if settings != "" {
		dsn += "?" + settings
	}
	inner, err := runner.Open(ctx, dsn, l)
	if err != nil {
		return nil, errors.Join(err, server.Close())
	}
	return &db{inner, inner.(runner.Definer), inner.(runner.Reader), server}, nil
}

// db is a runner.DB that owns its server.
type db struct {
	runner.DB
	runner.Definer
	runner.Reader
	server *Server
}

func (d *db) Backend() runner.Backend {
	b := d.DB.Backend()
	b.Source = "local"
	return b
}

func (d *db) Close() error { return errors.Join(d.DB.Close(), d.server.Close()) }

// Create makes a database of that name with a script, beside the one that the server has, and opens it; its Close
// drops it. One that is there is dropped first: a run that was killed left it.
func (s *Server) Create(ctx context.Context, name string, script io.Reader, l runner.Limits) (runner.DB, error) {
	admin := s.AdminDSN()
	dsn := admin[:strings.LastIndex(admin, "/")+1] + name
	if err := runner.DropDatabase(ctx, dsn); err != nil {
		return nil, err
	}
	return runner.Create(ctx, dsn, script, l)
}
