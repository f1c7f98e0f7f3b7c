package score

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Databases are those that a list of items is about, each opened when an item needs it. The ones used last stay open;
// one that had to give way is opened again by the next query on it. It is safe for concurrent use.
type Databases struct {
	// Open opens the database that items name; the name is "" for items that name none.
	Open func(ctx context.Context, name string) (runner.DB, error)
	Most int // databases that are open and not in use; 0 means 32

	once    sync.Once
	open    *memo[*openDatabase]
	mu      sync.Mutex // of the fields of each openDatabase, and of
	closing error      // what went wrong when those were closed that had to give way
}

// openDatabase is an open database with what runs queries on it.
type openDatabase struct {
	db   runner.DB
	x    *Executor
	uses int  // queries that run
	gone bool // it is closed when uses is 0
}

// Executor returns what runs queries on the database of that name.
func (d *Databases) Executor(ctx context.Context, name string) (*Executor, error) {
	o, err := d.database(ctx, name)
	if err != nil {
		return nil, err
	}
	return o.x, nil
}

// kept are the open databases.
func (d *Databases) kept() *memo[*openDatabase] {
	d.once.Do(func() { d.open = newMemo(cmp.Or(d.Most, 32), func(*openDatabase) int { return 1 }, d.giveWay) })
	return d.open
}

func (d *Databases) database(ctx context.Context, name string) (*openDatabase, error) {
	return d.kept().get(ctx, name, func() (*openDatabase, error) {
		db, err := d.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		x, err := NewExecutor(ctx, db)
		if err != nil {
			return nil, errors.Join(err, db.Close())
		}
		x.DB = &lentDatabase{from: d, name: name, backend: db.Backend()}
		return &openDatabase{db: db, x: x}, nil
	})
}

// giveWay closes a database, or lets its last query do so.
func (d *Databases) giveWay(o *openDatabase) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if o.gone = true; o.uses == 0 {
		d.closing = errors.Join(d.closing, o.db.Close())
	}
}

// use calls f with an open database.
func (d *Databases) use(ctx context.Context, name string, f func(runner.DB) error) error {
	for {
		o, err := d.database(ctx, name)
		if err != nil {
			return err
		}
		d.mu.Lock()
		if o.gone { // since it was asked for
			d.mu.Unlock()
			continue
		}
		o.uses++
		d.mu.Unlock()
		defer func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			if o.uses--; o.gone && o.uses == 0 {
				d.closing = errors.Join(d.closing, o.db.Close())
			}
		}()
		return f(o.db)
	}
}

// Close closes what is open, and what is being opened once it is.
func (d *Databases) Close() error {
	d.kept().clear()
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.closing
	d.closing = nil
	return err
}

// lentDatabase is a database by its name: each query finds it open or opens it.
type lentDatabase struct {
	from    *Databases
	name    string
	backend runner.Backend
}

// Query implements runner.DB.
func (l *lentDatabase) Query(ctx context.Context, q sqlcheck.Query) (res runner.Result, err error) {
	err = l.from.use(ctx, l.name, func(db runner.DB) error {
		res, err = db.Query(ctx, q)
		return err
	})
	return res, err
}

// Schema implements runner.DB.
func (l *lentDatabase) Schema(ctx context.Context) (schema *schema.Schema, err error) {
	err = l.from.use(ctx, l.name, func(db runner.DB) error {
		schema, err = db.Schema(ctx)
		return err
	})
	return schema, err
}

// Backend implements runner.DB.
func (l *lentDatabase) Backend() runner.Backend { return l.backend }

// Close does nothing: Databases.Close does.
func (l *lentDatabase) Close() error { return nil }

// Outcome is what a database makes of one query text.
type Outcome struct {
	Result  *runner.Result   // nil if it was refused
	SQL     string           // what ran, restored from the checked tree; "" if sqlcheck refused it
	Verdict sqlcheck.Verdict // why sqlcheck refused it; OK if it went to the database
	Error   string           // why it was refused, by sqlcheck or by the database; "" if it ran
	Code    uint16           // MySQL's number of that error; 0 if there is none
	Ties    []Tie            // of a gold query's rows; nil if it was not asked for

	query  sqlcheck.Query
	schema *schema.Schema
}

// Set is the query's [ExactSet]; "" if sqlcheck refused it. Only some profiles ask for it.
func (o Outcome) Set() string {
	if o.SQL == "" {
		return ""
	}
	return ExactSet(o.query, o.schema)
}

// OK says that the query ran.
func (o Outcome) OK() bool { return o.Result != nil }

// Executor runs queries on one database, and each text once as long as there is room for what it gave. It is safe for
// concurrent use.
type Executor struct {
	DB     runner.DB
	Schema *schema.Schema

	outcomes *memo[Outcome]
}

// mostCells bounds the results that are kept for one database, or of one Scorer: some 100 MB.
const mostCells = 1 << 20

// cells is the size of an outcome in memory; a byte of a query counts as one, for its tree.
func (o Outcome) cells() int {
	if !o.OK() {
		return 1 + len(o.SQL)
	}
	return 1 + len(o.SQL) + len(o.Result.Rows)*len(o.Result.Columns)
}

// NewExecutor reads the schema of db.
func NewExecutor(ctx context.Context, db runner.DB) (*Executor, error) {
	schema, err := db.Schema(ctx)
	if err != nil {
		return nil, err
	}
	return &Executor{DB: db, Schema: schema, outcomes: newMemo(mostCells, Outcome.cells, nil)}, nil
}

// Run checks and runs sql. A refusal is an Outcome; an error means that it could not be found out, and is not kept.
func (x *Executor) Run(ctx context.Context, sql string) (Outcome, error) {
	return x.outcomes.get(ctx, sql, func() (Outcome, error) { return x.run(ctx, sql) })
}

func (x *Executor) run(ctx context.Context, sql string) (Outcome, error) {
	q, v, err := sqlcheck.Check(sql, x.Schema)
	if err != nil {
		return Outcome{}, err
	}
	if !v.OK {
		return Outcome{Verdict: v, Error: v.String(), Code: v.Code}, nil
	}
	o := Outcome{SQL: q.SQL(), Verdict: v, query: q, schema: x.Schema}
	res, err := x.DB.Query(ctx, q)
	if qe, ok := errors.AsType[*runner.QueryError](err); ok {
		o.Error, o.Code = qe.Error(), qe.Code
		return o, nil
	} else if err != nil {
		return Outcome{}, err
	}
	o.Result = &res
	return o, nil
}

// DataHash is the SHA-256 of a database's tables, columns and rows. It is the same on each engine that holds the same:
// neither the order of rows counts nor how an engine writes a schema.
func DataHash(ctx context.Context, x *Executor) (string, error) {
	h := sha256.New()
	for _, t := range x.Schema.Tables {
		fmt.Fprintf(h, "table %q\n", t.Name)
		var cols []string
		for _, c := range t.Columns {
			fmt.Fprintf(h, "column %q\n", c.Name)
			cols = append(cols, runner.QuoteName(c.Name))
		}
		key := cols
		if len(t.PrimaryKey) > 0 {
			key = syntax.Map(t.PrimaryKey, runner.QuoteName)
		}
		var rows []string // their hashes
		for offset := 0; ; {
			sql := fmt.Sprintf("SELECT %s FROM %s ORDER BY %s LIMIT 1000 OFFSET %d", strings.Join(cols, ", "),
				runner.QuoteName(t.Name), strings.Join(key, ", "), offset)
			q, v, err := sqlcheck.Check(sql, x.Schema)
			if err == nil && !v.OK {
				err = errors.New(v.String())
			}
			var res runner.Result
			if err == nil {
				res, err = x.DB.Query(ctx, q)
			}
			if err == nil && res.Truncated && len(res.Rows) == 0 {
				err = errors.New("a row is too long")
			}
			if err != nil {
				return "", fmt.Errorf("hash table %s: %w", t.Name, err)
			}
			for _, row := range res.Rows {
				one := sha256.Sum256([]byte(runner.RowKey(row)))
				rows = append(rows, string(one[:]))
			}
			if offset += len(res.Rows); len(res.Rows) < 1000 && !res.Truncated {
				break
			}
		}
		slices.Sort(rows)
		for _, one := range rows {
			io.WriteString(h, one) // a hash takes all
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
