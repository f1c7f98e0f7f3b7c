package evaluation

import (
	"context"
	"errors"

	"nl2sql/runner"
)

// Databases are those that a list of items is about, each opened when the first item needs it and kept.
// It is safe for concurrent use.
type Databases struct {
	// Open opens the database that items name; the name is "" for items that name none.
	Open func(ctx context.Context, name string) (runner.DB, error)

	open memo[*Executor]
}

// Executor returns what runs queries on the database of that name. One that cannot be opened is tried anew by who asks next.
func (d *Databases) Executor(ctx context.Context, name string) (*Executor, error) {
	return d.open.get(ctx, name, func(ctx context.Context) (*Executor, error) {
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
}

// Close closes what was opened.
func (d *Databases) Close() error {
	var err error
	d.open.forget(func(x *Executor) { err = errors.Join(err, x.DB.Close()) })
	return err
}
