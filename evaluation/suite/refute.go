package suite

import (
	"context"
	"errors"

	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
)

// Counterexample is a small database on which a prediction fails.
type Counterexample struct {
	Item item.Item
	SQL  string
	Rows *Snapshot
	Pair score.Pair
}

// Refute shrinks a database on which a prediction fails to a counterexample; nil if it does not fail there.
func Refute(ctx context.Context, s *Snapshot, it item.Item, sql string, make Maker) (*Counterexample, error) {
	pair := func(ctx context.Context, s *Snapshot) (p score.Pair, err error) {
		db, err := make(ctx, s)
		if err != nil {
			return p, err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		x, err := score.NewExecutor(ctx, db)
		if err != nil {
			return p, err
		}
		return score.NewPair(ctx, x, it, sql)
	}
	first, err := pair(ctx, s)
	if err != nil || !first.Refutes() {
		return nil, err
	}
	small, err := Shrink(ctx, s, func(ctx context.Context, s *Snapshot) (bool, error) {
		p, err := pair(ctx, s)
		return err == nil && p.Fails() == first.Fails() && p.HasRows() == first.HasRows(), err
	})
	if err != nil {
		return nil, err
	}
	p, err := pair(ctx, small)
	return &Counterexample{Item: it, SQL: sql, Rows: small, Pair: p}, err
}
