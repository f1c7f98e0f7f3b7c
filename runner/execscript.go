package runner

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// dropTime bounds the clean-up after a failed load.
const dropTime = 30 * time.Second

// ExecScript runs a mysqldump-like script on a server and creates the database that the DSN names if there is none.
// A database that holds a table or view already is left alone: that is an error. The script's own CREATE DATABASE,
// DROP DATABASE and USE are passed over, so that everything lands where the DSN says. Foreign keys are not checked
// while loading.
//
// progress may be nil; it is called after each statement with the bytes of the script read so far.
// When the script fails, a database created here is dropped again; one that was there, and empty, is left as it is.
func ExecScript(ctx context.Context, dsn string, script io.Reader, progress func(bytes int64)) error {
	cfg, err := parseDSN(dsn)
	if err != nil {
		return fmt.Errorf("runner: %w", err)
	}
	source, name := redacted(cfg), cfg.DBName
	fail := func(doing string, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return explain(doing, source, cfg.Passwd, err)
	}
	cfg.DBName = "" // the database may not be there yet
	base, err := mysql.NewConnector(cfg)
	if err != nil {
		return fail("connect to", err)
	}
	db := sql.OpenDB(base)
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return fail("connect to", err)
	}
	defer conn.Close()

	created, err := createDatabase(ctx, conn, name)
	if err != nil {
		return fail("create", err)
	}
	var tables int
	if err := conn.QueryRowContext(ctx,
		"SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()").Scan(&tables); err != nil {
		return fail("look into", err)
	}
	if tables > 0 {
		return fmt.Errorf("runner: load %s: the database %s holds %d tables already and is left alone; name another one", source, name, tables)
	}
	if err := load(ctx, conn, script, progress); err != nil {
		err = fail("load", err)
		if !created {
			return fmt.Errorf("%w (the database %s, empty before, is left half loaded)", err, name)
		}
		conn.Close() // its open transaction would lock the tables; the next statement ends it or finds it gone
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropTime)
		defer cancel()
		if _, dropErr := db.ExecContext(ctx, "DROP DATABASE "+QuoteName(name)); dropErr != nil {
			return fmt.Errorf("%w (and %w)", err, explain("drop", source, cfg.Passwd, dropErr))
		}
		return err
	}
	return nil
}

// Create makes the database that a DSN names, which must not be there, with a script, and opens it; its Close drops it.
func Create(ctx context.Context, dsn string, script io.Reader, l Limits) (DB, error) {
	err := onServer(ctx, dsn, func(conn *sql.Conn, name string) error { return newDatabase(ctx, conn, name) })
	if err != nil {
		return nil, err
	}
	drop := func() error { return DropDatabase(context.WithoutCancel(ctx), dsn) }
	if err := ExecScript(ctx, dsn, script, nil); err != nil {
		return nil, errors.Join(err, drop())
	}
	db, err := Open(ctx, dsn, l)
	if err != nil {
		return nil, errors.Join(err, drop())
	}
	return created{db, db.(Reader), drop}, nil
}

// created is a database that its Close drops.
type created struct {
	DB
	Reader
	drop func() error
}

func (c created) Close() error { return errors.Join(c.DB.Close(), c.drop()) }

// DropDatabase drops the database that a DSN names, if it is there.
func DropDatabase(ctx context.Context, dsn string) error {
	ctx, cancel := context.WithTimeout(ctx, dropTime)
	defer cancel()
	return onServer(ctx, dsn, func(conn *sql.Conn, name string) error {
		_, err := conn.ExecContext(ctx, "DROP DATABASE IF EXISTS "+QuoteName(name))
		return err
	})
}

// onServer does something with the database that a DSN names, from outside.
func onServer(ctx context.Context, dsn string, do func(conn *sql.Conn, name string) error) error {
	cfg, err := parseDSN(dsn)
	if err != nil {
		return fmt.Errorf("runner: %w", err)
	}
	source, name := redacted(cfg), cfg.DBName
	cfg.DBName = ""
	base, err := mysql.NewConnector(cfg)
	if err != nil {
		return explain("connect to", source, cfg.Passwd, err)
	}
	db := sql.OpenDB(base)
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err == nil {
		defer conn.Close()
		err = do(conn, name)
	}
	if err != nil {
		return explain("make or drop", source, cfg.Passwd, err)
	}
	return nil
}

func newDatabase(ctx context.Context, conn *sql.Conn, name string) error {
	_, err := conn.ExecContext(ctx, "CREATE DATABASE "+QuoteName(name)+" CHARACTER SET utf8mb4")
	return err
}

// createDatabase makes the database if there is none, and enters it.
func createDatabase(ctx context.Context, conn *sql.Conn, name string) (created bool, err error) {
	use := "USE " + QuoteName(name)
	_, err = conn.ExecContext(ctx, use)
	if refused, ok := errors.AsType[*mysql.MySQLError](err); ok && refused.Number == 1049 { // unknown database
		if err := newDatabase(ctx, conn, name); err != nil {
			return false, err
		}
		_, err = conn.ExecContext(ctx, use)
		return true, err
	}
	return false, err
}

func load(ctx context.Context, conn *sql.Conn, script io.Reader, progress func(int64)) error {
	// Zero dates and zero keys are data, as for mysqldump.
	if _, err := conn.ExecContext(ctx,
		"SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO', foreign_key_checks = 0, unique_checks = 0, autocommit = 0"); err != nil {
		return err
	}
	count := &countingReader{r: script}
	err := SplitScript(count, func(stmt string) error {
		if !choosesDatabase(stmt) {
			if _, err := conn.ExecContext(ctx, stmt); err != nil {
				return err
			}
		}
		if progress != nil {
			progress(count.n)
		}
		return nil
	})
	if err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "COMMIT")
	return err
}

// choosesDatabase says whether a statement makes, drops or enters a database.
func choosesDatabase(stmt string) bool {
	words := strings.Fields(strings.ToUpper(stmt[:min(len(stmt), 64)]))
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "USE":
		return true
	case "CREATE", "DROP", "ALTER":
		return len(words) > 1 && (words[1] == "DATABASE" || words[1] == "SCHEMA")
	}
	return strings.HasPrefix(words[0], "USE`")
}

type countingReader struct {
	r io.Reader
	n int64 // bytes
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
