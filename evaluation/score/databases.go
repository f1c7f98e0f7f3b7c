package score

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"nl2sql/runner"
	"nl2sql/sqlcheck"
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
func (l *lentDatabase) Schema(ctx context.Context) (schema *sqlcheck.Schema, err error) {
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
