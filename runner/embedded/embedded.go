// Package embedded is the in-process SQL engine: SQLite in memory behind MySQL's dialect.
// What it cannot answer as MySQL does it refuses; it never writes, and never reads anything but its own database.
// README.md says how that was measured, what is refused, and the few known differences.
package embedded

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"

	"nl2sql/assets"
	"nl2sql/runner"
	"nl2sql/runner/embedded/dump"
	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/translate"
	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// DDL implements [runner.Definer].
func (db *DB) DDL(context.Context) (string, error) { return db.ddl, nil }

// DB is an open embedded database. Every connection of its pool has a copy of its own, or reads the same immutable
// file.
type DB struct {
	name, source string
	from         connector
	pool         *sql.DB
	schema       *schema.Schema
	ddl          string
	tables       map[string]*types.Table
	views        map[string]translate.View
	limits       runner.Limits
	version      string
	left         *atomic.Int32 // connections that were given up
}

// Open loads a database: "" is the demo database, another name one that [Import] stored.
func Open(ctx context.Context, name string, l runner.Limits) (*DB, error) {
	if name != "" {
		return openImported(ctx, name, l)
	}
	script, err := assets.DemoSQL()
	if err != nil {
		return nil, err
	}
	db, err := OpenDump(ctx, assets.DemoName, bytes.NewReader(script), l)
	if err != nil {
		return nil, fmt.Errorf("demo database: %w", err)
	}
	db.source = "embedded"
	return db, nil
}

// OpenDump loads a mysqldump-like script into memory.
func OpenDump(ctx context.Context, name string, r io.Reader, l runner.Limits) (*DB, error) {
	setup()
	base, err := sqlite.NewConnector(":memory:")
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(base)
	defer pool.Close()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	columns := &computed{}
	in, err := unpack(r)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	loaded, err := dump.Load(ctx, conn, dump.Script{Reader: in, Name: name, Compute: columns.fill, Select: selected})
	if err != nil {
		return nil, err
	}
	views, left := addViews(&loaded, name)
	for _, line := range append(columns.left, left...) {
		slog.Warn("left out: " + line)
	}
	image, err := serialize(conn)
	if err != nil {
		return nil, err
	}
	db := &DB{name: name, source: "embedded:" + name, from: connector{base, image}, schema: loaded.Schema,
		ddl: loaded.DDL, tables: loaded.Tables, views: views, limits: l.WithDefaults()}
	if err := db.start(ctx); err != nil {
		return nil, err
	}
	if err := errors.Join(runner.MeasureTexts(ctx, db.schema, db.run), runner.ProfileValues(ctx, db.schema, db.run),
		runner.ReadTexts(ctx, db.schema, db.run)); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// maxConns bounds the connections of one DB.
const maxConns = 16

// start finishes opening: the pool and SQLite's version.
func (db *DB) start(ctx context.Context) error {
	db.connect(4)
	if err := db.pool.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&db.version); err != nil {
		return errors.Join(err, db.Close())
	}
	return nil
}

// connect makes the pool, which keeps so many connections that are not in use.
func (db *DB) connect(idle int) {
	db.pool = sql.OpenDB(db.from)
	db.pool.SetMaxOpenConns(maxConns)
	db.left = new(atomic.Int32)
	db.pool.SetMaxIdleConns(idle)
}

// connector opens read-only connections: each with its own copy of image, or on base's file if there is none.
type connector struct {
	base  driver.Connector
	image []byte
}

// pragmas of every connection.
const pragmas = "PRAGMA query_only=1; PRAGMA temp_store=2; PRAGMA trusted_schema=1;"

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.base.Connect(ctx)
	if err != nil {
		return nil, err
	}
	conn := &holder{sqliteConn: opened.(sqliteConn), image: int64(len(c.image))}
	hold(conn.image)
	if c.image != nil {
		err = conn.Deserialize(c.image)
	}
	if err == nil {
		_, err = conn.ExecContext(ctx, pragmas, nil)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

func (c connector) Driver() driver.Driver { return c.base.Driver() }

// OnQuery is called with each query that is asked, where a test counts; it is set before the first.
var OnQuery func(sql string)

// Query implements [runner.DB].
func (db *DB) Query(ctx context.Context, q sqlcheck.Query) (runner.Result, error) {
	if q.Stmt() == nil {
		return runner.Result{}, errors.New("embedded: the zero Query cannot be run")
	}
	if OnQuery != nil {
		OnQuery(q.SQL())
	}
	conn, err := db.pool.Conn(ctx)
	if err != nil {
		return runner.Result{}, classify(ctx, ctx, err)
	}
	start := time.Now() // a query does not pay for those that it waits behind
	limited, cancel := context.WithTimeout(ctx, db.limits.Timeout)
	defer cancel()
	on := translate.Options{Tables: db.tables, Views: db.views, Database: db.name, Now: mysqlfn.FromTime(start.UTC())}
	r, err := db.answer(ctx, limited, conn, q, on)
	if mysqlfn.NeedsWide(err) {
		on.Wide = true
		r, err = db.answer(ctx, limited, conn, q, on)
	}
	if errors.Is(err, errNoMemory) {
		db.leave()
	} else {
		conn.Close()
	}
	r.Took = time.Since(start)
	return r, err
}

// leave gives a connection up that a statement without memory has left locked: to close it would wait for ever.
func (db *DB) leave() { db.pool.SetMaxOpenConns(maxConns + int(db.left.Add(1))) }

// errNoMemory is about a statement that got no more memory from the machine, or from the limit of its process.
var errNoMemory = &runner.QueryError{Message: mysqlfn.Refusal("a query for which this process gets no more memory")}

// collect runs a statement to its end. SQLite's driver panics where a function's result finds no memory.
func collect(ctx context.Context, conn *sql.Conn, text string) (err error) {
	defer func() {
		switch gone := recover(); {
		case gone == nil:
		case strings.Contains(fmt.Sprint(gone), "allocate"):
			err = errNoMemory
		default:
			panic(gone)
		}
	}()
	_, err = readAll(conn.QueryContext(ctx, text))
	return err
}

// answer translates and runs a statement on conn. limited is ctx with the time limit.
func (db *DB) answer(ctx, limited context.Context, conn *sql.Conn, q sqlcheck.Query,
	on translate.Options) (runner.Result, error) {
	number, end := mysqlfn.Start(limited)
	defer end()
	on.Number = number
	t, err := translate.Statement(q.Stmt(), on)
	if err != nil {
		return runner.Result{}, err
	}
	c := &collector{ctx: limited, limits: db.limits}
	var names []string
	for _, col := range t.Columns {
		c.types = append(c.types, col.Type)
		c.result.Columns = append(c.result.Columns, col.Name)
		names = append(names, col.SQL)
	}
	if len(names) > 900 {
		return runner.Result{}, &runner.QueryError{Message: mysqlfn.Refusal("a query with more than 900 columns")}
	}
	if labels := q.Labels(); len(labels) == len(names) {
		c.result.Columns = labels
	}
	collectors.Store(number, c)
	defer collectors.Delete(number)
	// SQLite forgets an interruption that finds no statement under way, so one is while the query begins.
	underWay, err := conn.QueryContext(context.WithoutCancel(ctx), "VALUES (1), (2)")
	if err != nil {
		return runner.Result{}, classify(ctx, limited, err)
	}
	defer underWay.Close()
	err = collect(limited, conn, fmt.Sprintf("SELECT my_collect(%d, %s) FROM (%s)", number, strings.Join(names, ", "),
		t.SQL))
	if errors.Is(err, errNoMemory) {
		return runner.Result{}, err
	}
	if err != nil && !(c.result.Truncated && strings.Contains(err.Error(), errFull.Error())) {
		return runner.Result{}, classify(ctx, limited, err)
	}
	if c.result.Rows == nil {
		c.result.Rows = [][]any{}
	}
	return c.result, nil
}

// run executes a statement to its end.
func (db *DB) run(ctx context.Context, text string) ([][]any, error) {
	return readAll(db.pool.QueryContext(ctx, text))
}

// readAll reads a result and closes it.
func readAll(rows *sql.Rows, err error) ([][]any, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	cols, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out [][]any
	for rows.Next() {
		row := make([]any, len(cols))
		dest := make([]any, len(cols))
		for i := range row {
			dest[i] = &row[i]
		}
		if err := rows.Scan(dest...); err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// classify says whose fault an error of SQLite is.
func classify(ctx, limited context.Context, err error) error {
	if cerr := ctx.Err(); cerr != nil {
		return cerr
	}
	if limited.Err() != nil {
		return &runner.QueryError{Code: 3024,
			Message: "Query execution was interrupted, maximum statement execution time exceeded"}
	}
	if qe, ok := mysqlfn.ParseRuntimeError(err.Error()); ok {
		return qe
	}
	if se, ok := errors.AsType[*sqlite.Error](err); ok {
		switch se.Code() & 0xff {
		case 7: // SQLITE_NOMEM
			return &runner.QueryError{Message: mysqlfn.Refusal(fmt.Sprintf("a query that needs more than %d MiB of memory", heapLimit))}
		case 18: // SQLITE_TOOBIG
			return &runner.QueryError{Message: mysqlfn.Refusal("a query with a value or text this large")}
		case 1: // SQLITE_ERROR: an integer overflow, or SQL that SQLite does not know
			if strings.Contains(err.Error(), "integer overflow") {
				return &runner.QueryError{Code: 1690, Message: "BIGINT value is out of range"}
			}
			return &runner.QueryError{Message: mysqlfn.Refusal("this query (" + err.Error() + ")")}
		}
	}
	return fmt.Errorf("embedded: query: %w", err)
}

// Schema implements [runner.DB].
func (db *DB) Schema(context.Context) (*schema.Schema, error) { return db.schema, nil }

// Backend implements [runner.DB].
func (db *DB) Backend() runner.Backend {
	return runner.Backend{Engine: "embedded", Version: "SQLite " + db.version, Database: db.name, Source: db.source}
}

// Read implements [runner.Reader].
func (db *DB) Read(ctx context.Context, q sqlcheck.Query) ([][]any, error) {
	brief := *db
	brief.limits = runner.BriefLimits(db.limits)
	r, err := brief.Query(ctx, q)
	if err == nil && r.Truncated {
		err = runner.ErrTooLarge
	}
	return r.Rows, err
}

// Views implements [runner.Reader].
func (db *DB) Views(context.Context) (map[string]string, error) {
	views := map[string]string{}
	for _, v := range db.views {
		query, err := syntax.Restore(v.Query)
		if err != nil {
			return nil, err
		}
		views[v.Name] = query
	}
	return views, nil
}

// Close implements [runner.DB].
func (db *DB) Close() error { return db.pool.Close() }

// OpenFolder loads one of the databases of the folder dir, see [runner.FolderScript]. The name comes from data and must
// be no path.
func OpenFolder(ctx context.Context, dir, name string, limits runner.Limits) (*DB, error) {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, `/\`) {
		return nil, fmt.Errorf("database %q: the name of a database in %s is wanted", name, dir)
	}
	script, err := runner.FolderScript(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("database %s: there is no %s and no %s.sql.zst in %s", name,
			filepath.Join(name, "schema.sql"), name, dir)
	} else if err != nil {
		return nil, err
	}
	return OpenDump(ctx, name, strings.NewReader(script), limits)
}
