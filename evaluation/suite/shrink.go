package evaluation

import (
	"context"
	"errors"
	"slices"
)

// Shrink finds few rows of a database on which something still holds: it takes rows away, and those that refer to them,
// as long as it does (Zeller and Hildebrandt 2002, "Simplifying and Isolating Failure-Inducing Input"). No single row of what
// it returns can go, but together with others one might. Keys and references stay valid.
func Shrink(ctx context.Context, s *Snapshot, holds func(context.Context, *Snapshot) (bool, error)) (*Snapshot, error) {
	k := &shrinker{facts: newFacts(s), rows: s.copied(), holds: holds}
	for again := true; again; {
		if err := k.dropRows(ctx); err != nil {
			return nil, err
		}
		var err error
		if again, err = k.dropReferences(ctx); err != nil {
			return nil, err
		}
	}
	return s.with(k.rows), nil
}

type shrinker struct {
	*facts
	rows  map[string][][]any
	holds func(context.Context, *Snapshot) (bool, error)
}

// try takes over other rows if it still holds for them.
func (k *shrinker) try(ctx context.Context, rows map[string][][]any) (bool, error) {
	k.prune(rows)
	ok, err := k.holds(ctx, k.with(rows))
	if ok && err == nil {
		k.rows = rows
	}
	return ok, err
}

// other is the rows with those of one table replaced.
func (k *shrinker) other(table string, rows [][]any) map[string][][]any {
	out := map[string][][]any{}
	for name, all := range k.rows {
		out[name] = all
	}
	out[table] = rows
	return out
}

// dropRows takes rows away, first whole tables, then halves of them and so on, until no single row can go.
func (k *shrinker) dropRows(ctx context.Context) error {
	parts := 1
	for {
		dropped, largest := false, 0
		for i := range k.Schema.Tables {
			table := k.Schema.Tables[i].Name
			size := max(1, len(k.rows[table])/parts)
			for at := 0; at < len(k.rows[table]); {
				all := k.rows[table]
				rest := slices.Concat(all[:at], all[min(at+size, len(all)):])
				ok, err := k.try(ctx, k.other(table, rest))
				if err != nil {
					return err
				}
				if ok {
					dropped = true
				} else {
					at += size
				}
			}
			largest = max(largest, len(k.rows[table]))
		}
		switch {
		case parts < largest:
			parts *= 2
		case !dropped:
			return nil
		}
	}
}

// dropReferences sets references to NULL where NULL comes in the source too, so that what they refer to may go.
func (k *shrinker) dropReferences(ctx context.Context) (dropped bool, err error) {
	for i := range k.Schema.Tables {
		t := k.tables[k.Schema.Tables[i].Name]
		for _, l := range t.links {
			for n := 0; n < len(k.rows[t.Name]); n++ {
				row := slices.Clone(k.rows[t.Name][n])
				changed := false
				for _, j := range l.from {
					if row[j] != nil && t.Columns[j].Nullable && slices.ContainsFunc(k.Rows[t.Name], func(r []any) bool { return r[j] == nil }) {
						row[j], changed = nil, true
					}
				}
				if !changed {
					continue
				}
				rows := slices.Clone(k.rows[t.Name])
				rows[n] = row
				ok, err := k.try(ctx, k.other(t.Name, rows))
				if err != nil {
					return dropped, err
				}
				dropped = dropped || ok
			}
		}
	}
	return dropped, nil
}

// Refutes says that a prediction fails on a database: a gold query has an answer there, and the prediction has another
// or none.
func (p Pair) Refutes() bool {
	golds := slices.DeleteFunc(append([]Outcome{p.Gold}, p.Accepted...), func(o Outcome) bool { return !o.OK() || o.Result.Truncated })
	return len(golds) > 0 && (!p.Pred.OK() || !sameAny(golds, p.Pred))
}

// The ways in which a prediction fails.
const (
	FailsAltogether = "fails"   // it does not run
	FailsByColumns  = "columns" // it shows more or fewer columns
	FailsByRows     = "rows"
	FailsByOrder    = "order" // the rows are right
)

// Fails says how a prediction fails on a database; "" if it does not.
func (p Pair) Fails() string {
	switch {
	case !p.Refutes():
		return ""
	case !p.Pred.OK():
		return FailsAltogether
	case !p.Gold.OK():
		return FailsByRows
	case len(p.Gold.Result.Columns) != len(p.Pred.Result.Columns):
		return FailsByColumns
	case SameRows(*p.Gold.Result, *p.Pred.Result, false):
		return FailsByOrder
	}
	return FailsByRows
}

// HasRows says that gold or prediction gives any: a difference in the columns of empty results convinces nobody.
func (p Pair) HasRows() bool {
	return p.Gold.OK() && len(p.Gold.Result.Rows) > 0 || p.Pred.OK() && len(p.Pred.Result.Rows) > 0
}

// Counterexample is a small database on which a prediction fails.
type Counterexample struct {
	Item Item
	SQL  string
	Rows *Snapshot
	Pair Pair
}

// Refute shrinks a database on which a prediction fails to a counterexample; nil if it does not fail there.
func Refute(ctx context.Context, s *Snapshot, it Item, sql string, make Maker) (*Counterexample, error) {
	pair := func(ctx context.Context, s *Snapshot) (p Pair, err error) {
		db, err := make(ctx, s)
		if err != nil {
			return p, err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		x, err := NewExecutor(ctx, db)
		if err != nil {
			return p, err
		}
		return NewPair(ctx, x, it, sql)
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
