package suite

import (
	"context"
	"maps"
	"slices"
	"strings"

	"nl2sql/runner"
)

// Shrink finds few rows of a database on which something still holds: it takes rows away, and those that refer to them,
// as long as it does (Zeller and Hildebrandt 2002, "Simplifying and Isolating Failure-Inducing Input"). No single row
// of what it returns can go, but together with others one might. Keys and references stay valid.
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
	out := maps.Clone(k.rows)
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
					if row[j] != nil && t.Columns[j].Nullable && slices.ContainsFunc(k.Rows[t.Name],
						func(r []any) bool { return r[j] == nil }) {
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

// prune drops rows that refer to nothing, until there are none.
func (f *facts) prune(rows map[string][][]any) {
	for again := true; again; {
		again = false
		for _, t := range f.tables {
			for _, l := range t.links {
				have := map[string]bool{}
				for _, row := range rows[l.to.Name] {
					if k, whole := keyOf(row, l.at); whole {
						have[k] = true
					}
				}
				kept := rows[t.Name][:0:0]
				for _, row := range rows[t.Name] {
					if k, whole := keyOf(row, l.from); !whole || have[k] {
						kept = append(kept, row)
					}
				}
				if len(kept) < len(rows[t.Name]) {
					rows[t.Name], again = kept, true
				}
			}
		}
	}
}

// keyOf is the text of a row's key; whole is false if a part of it is NULL, so that it clashes with nothing.
func keyOf(row []any, key []int) (text string, whole bool) {
	var cells []any
	for _, j := range key {
		if row[j] == nil {
			return "", false
		}
		cell := row[j]
		if s, is := cell.(string); is { // most collations take case and blanks at the end for nothing
			cell = strings.ToLower(strings.TrimRight(s, " "))
		}
		cells = append(cells, cell)
	}
	return runner.RowKey(cells), true
}
