package score

import (
	"context"
	"slices"

	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/syntax"
)

// Tie is a run of rows of a gold query's result that could as well stand in any order: those that are equal in all
// sort keys, or all rows where the query does not sort.
type Tie struct {
	Rows [][]any // all that tie, those beyond the LIMIT too
	Take int     // how many of them the result has
}

// ties are the gold's, or all of its rows where it was not found out which tie.
func (o Outcome) ties() []Tie {
	if o.Ties == nil {
		return []Tie{{o.Result.Rows, len(o.Result.Rows)}}
	}
	return o.Ties
}

// columnsOf are the ties of some columns that stand side by side.
func columnsOf(ties []Tie, from, to int) []Tie {
	out := slices.Clone(ties)
	for i, t := range ties {
		out[i].Rows = syntax.Map(t.Rows, func(row []any) []any { return row[from:to] })
	}
	return out
}

// Gold runs a gold query as [Executor.Run] does and finds out which of its rows tie.
func (x *Executor) Gold(ctx context.Context, sql string) (Outcome, error) {
	o, err := x.Run(ctx, sql)
	if err != nil || !o.OK() || o.Result.Truncated {
		return o, err
	}
	o.Ties, err = x.ties(ctx, o)
	return o, err
}

func (x *Executor) ties(ctx context.Context, o Outcome) ([]Tie, error) {
	q, v, err := sqlcheck.Check(o.SQL, x.Schema)
	if err != nil || !v.OK {
		return nil, err
	}
	order, err := sqlcheck.OrderOf(q, x.Schema)
	if err != nil {
		return nil, err
	}
	rows := o.Result.Rows
	if order.Probe != "" {
		probe, err := x.Run(ctx, order.Probe)
		if err != nil {
			return nil, err
		}
		if probe.OK() && !probe.Result.Truncated {
			return tiesOf(probe.Result.Rows, len(o.Result.Columns), order), nil
		}
	}
	if !order.Sorted {
		return []Tie{{rows, len(rows)}}, nil
	}
	ties := make([]Tie, len(rows)) // no key is known to tie
	for i := range rows {
		ties[i] = Tie{rows[i : i+1], 1}
	}
	return ties, nil
}

// tiesOf cuts the rows of a probe, columns of them shown, as its query's LIMIT does.
func tiesOf(probe [][]any, columns int, order sqlcheck.Order) []Tie {
	first, last := 0, len(probe)
	if order.Limited {
		first = min(order.Offset, last)
		last = first + min(order.Count, last-first)
	}
	var ties []Tie
	for i := 0; i < len(probe); {
		end := i + 1
		for end < len(probe) && (!order.Sorted || sameKeys(probe[i], probe[end], order.Keys)) {
			end++
		}
		if take := min(end, last) - max(i, first); take > 0 {
			rows := syntax.Map(probe[i:end], func(row []any) []any { return row[:columns] })
			ties = append(ties, Tie{rows, take})
		}
		i = end
	}
	return ties
}

// sameKeys compares bytes, where MySQL compares by collation: of texts that differ in case only, the gold's order
// counts.
func sameKeys(a, b []any, keys []int) bool {
	return !slices.ContainsFunc(keys, func(k int) bool { return runner.CellKey(a[k]) != runner.CellKey(b[k]) })
}
