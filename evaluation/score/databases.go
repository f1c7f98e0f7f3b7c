package evaluation

import (
	"context"
	"errors"
	"sync"

	"nl2sql/runner"
)

// Databases are those that a list of items is about, each opened when the first item needs it and kept.
// It is safe for concurrent use.
type Databases struct {
	// Open opens the database that items name; the name is "" for items that name none.
	Open func(ctx context.Context, name string) (runner.DB, error)

	mu   sync.Mutex
	open map[string]func() (*Executor, error)
}

// Executor returns what runs queries on the database of that name.
func (d *Databases) Executor(ctx context.Context, name string) (*Executor, error) {
	d.mu.Lock()
	f := d.open[name]
	if f == nil {
		f = sync.OnceValues(func() (*Executor, error) {
			db, err := d.Open(ctx, name)
			if err != nil {
				return nil, err
			}
			x, err := NewExecutor(ctx, db)
			if err != nil {
				return nil, errors.Join(err, db.Close())
			}
			return x, nil
		})
		if d.open == nil {
			d.open = map[string]func() (*Executor, error){}
		}
		d.open[name] = f
	}
	d.mu.Unlock()
	return f()
}

// Close closes what was opened.
func (d *Databases) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var err error
	for _, f := range d.open {
		if x, openErr := f(); openErr == nil {
			err = errors.Join(err, x.DB.Close())
		}
	}
	d.open = nil
	return err
}
