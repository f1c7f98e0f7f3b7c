package suite

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"nl2sql/runner"
	"nl2sql/sqlcheck"
)

// breeder makes small databases out of the rows of one. Each row is a real one with some values changed: to what the
// gold queries compare with, and to what lies just beside, to the value of the row before, to NULL, to the ends of the
// range.
//
// What the definition demands holds; so does what the real rows show to be meant, because a question may rely on it:
// a column that holds many texts and none twice stays without doubles; one that holds a few values gets no others;
// where one listed column settles another, it does; NULL comes only where it came; numbers keep their sign; the dates
// of a row keep their distances.
type breeder struct {
	*facts
	order    []*tableFacts // referenced tables before those that refer to them
	mentions map[string][]mention
	settles  map[string][]settled
}

// settled says that the value of column from is enough to know that of column to.
type settled struct {
	from, to int
	known    map[string]any
}

func newBreeder(s *Snapshot, golds []sqlcheck.Query) *breeder {
	b := &breeder{facts: newFacts(s), mentions: map[string][]mention{}, settles: map[string][]settled{}}
	seen := map[mention]bool{}
	for _, q := range golds {
		for _, m := range mentionsOf(q, s.Schema) {
			if !seen[m] {
				seen[m] = true
				b.mentions[m.Table] = append(b.mentions[m.Table], m)
			}
		}
	}
	done := map[*tableFacts]bool{}
	for len(b.order) < len(b.tables) {
		var next *tableFacts
		for i := range s.Schema.Tables {
			t := b.tables[s.Schema.Tables[i].Name]
			if done[t] {
				continue
			}
			if next == nil { // the first of a cycle, if all wait for another
				next = t
			}
			if !slices.ContainsFunc(t.links, func(l link) bool { return l.to != t && !done[l.to] }) {
				next = t
				break
			}
		}
		done[next] = true
		b.order = append(b.order, next)
	}
	for _, t := range b.order {
		b.settles[t.Name] = t.settled(s.Rows[t.Name])
	}
	return b
}

// settledRows is how many rows must repeat a value before what always comes with it is no accident.
const settledRows = 5

// settled finds the pairs of text columns of which one settles the other.
func (t *tableFacts) settled(rows [][]any) []settled {
	var out []settled
	for a, from := range t.columns {
		if from.kind != textColumn || len(from.values) == len(rows) {
			continue
		}
		for b, to := range t.columns {
			if a == b || to.kind != textColumn || to.fixed || len(to.values) < 2 {
				continue
			}
			known, repeated, holds := map[string]any{}, 0, true
			for _, row := range rows {
				if row[a] == nil {
					continue
				}
				key := runner.CellKey(row[a])
				before, again := known[key]
				if !again {
					known[key] = row[b]
					continue
				}
				repeated++
				if runner.CellKey(before) != runner.CellKey(row[b]) {
					holds = false
					break
				}
			}
			if holds && repeated >= settledRows {
				out = append(out, settled{a, b, known})
			}
		}
	}
	return out
}

// sizes are the most rows of a table, by turns. Small databases come first: who reads a counterexample is glad of it.
var sizes = []int{4, 8, 15, 30, 8, 60, 15, 200}

// candidate makes database number n, from 1.
func (b *breeder) candidate(ctx context.Context, seed uint64, n int, make Maker) (*Snapshot, error) {
	rng := rand.New(rand.NewPCG(seed, 1<<32+uint64(n)))
	most := sizes[(n-1)%len(sizes)]
	rows := map[string][][]any{}
	for _, t := range b.order {
		rows[t.Name] = b.breed(t, rows, most, rng)
	}
	out := b.with(rows)
	b.prune(rows)
	broken, err := out.broken(ctx, make)
	if err != nil {
		return nil, err
	}
	for table, bad := range broken {
		kept := rows[table][:0]
		for i, row := range rows[table] {
			if !bad[i] {
				kept = append(kept, row)
			}
		}
		rows[table] = kept
	}
	b.prune(rows)
	return out, nil
}

// breed makes up to most rows of a table, rarely none.
func (b *breeder) breed(t *tableFacts, built map[string][][]any, most int, rng *rand.Rand) [][]any {
	real := b.Rows[t.Name]
	if len(real) == 0 || rng.IntN(25) == 0 {
		return nil
	}
	want := 1 + rng.IntN(most)
	if len(t.links) > 0 { // more of what refers than of what is referred to
		want = most/2 + rng.IntN(most)
	}
	var out [][]any
	taken := make([]map[string]bool, len(t.keys))
	for i := range taken {
		taken[i] = map[string]bool{}
	}
	fresh := b.firstFree(t)
	for range want {
		row := slices.Clone(b.pick(t, rng))
		var before []any
		if len(out) > 0 {
			before = out[len(out)-1]
		}
		b.vary(t, row, before, rng)
		b.refer(t, row, out, built, rng)
		if !b.settle(t, row) {
			continue
		}
		if t.clashes(row, taken) {
			t.renumber(row, &fresh)
		}
		if t.clashes(row, taken) {
			continue
		}
		for i, key := range t.keys {
			if k, whole := keyOf(row, key); whole {
				taken[i][k] = true
			}
		}
		out = append(out, row)
	}
	return out
}

// settle gives columns that others settle their values. It fails if the row's values contradict each other.
func (b *breeder) settle(t *tableFacts, row []any) bool {
	for range t.columns { // one may settle another, which settles a third
		steady := true
		for _, s := range b.settles[t.Name] {
			if row[s.from] == nil {
				continue
			}
			if v, ok := s.known[runner.CellKey(row[s.from])]; ok && runner.CellKey(v) != runner.CellKey(row[s.to]) {
				row[s.to], steady = v, false
			}
		}
		if steady {
			return true
		}
	}
	return false
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

func (t *tableFacts) clashes(row []any, taken []map[string]bool) bool {
	for i, key := range t.keys {
		if k, whole := keyOf(row, key); whole && taken[i][k] {
			return true
		}
	}
	return false
}

// renumber gives a row a new primary key, if that is one whole number that refers to nothing.
func (t *tableFacts) renumber(row []any, fresh *int64) {
	if len(t.PrimaryKey) != 1 {
		return
	}
	j := t.places(t.PrimaryKey)[0]
	if t.columns[j].kind != wholeColumn ||
		slices.ContainsFunc(t.links, func(l link) bool { return slices.Contains(l.from, j) }) ||
		!t.columns[j].holds(*fresh) {
		return
	}
	row[j] = *fresh
	*fresh++
}

// firstFree is a number above all of a primary key.
func (b *breeder) firstFree(t *tableFacts) int64 {
	n := int64(1)
	if len(t.PrimaryKey) == 1 {
		for _, v := range t.columns[t.places(t.PrimaryKey)[0]].values {
			if k, is := v.(int64); is {
				n = max(n, k+1)
			}
		}
	}
	return n
}

// refer makes the references of a row point at rows that are there. Some of those are left without any that points at
// them, and one may be pointed at again and again.
func (b *breeder) refer(t *tableFacts, row []any, own [][]any, built map[string][][]any, rng *rand.Rand) {
	for _, l := range t.links {
		parents := built[l.to.Name]
		if l.to == t {
			parents = own
		}
		if n := len(parents); n > 2 && l.to != t {
			parents = parents[:n-n/4]
		}
		empty := l.null && (len(parents) == 0 || b.sawNull(t, l.from[0]) && rng.IntN(7) == 0)
		var parent []any
		switch {
		case empty:
		case len(parents) == 0 && l.to == t: // the first row of a tree that must have a parent
			parent = row
		case len(parents) == 0:
			continue // pruned later
		case len(own) > 0 && l.to != t && rng.IntN(3) == 0: // again
			last := own[len(own)-1]
			for _, j := range l.from {
				row[j] = last[j]
			}
			continue
		default:
			parent = parents[rng.IntN(len(parents))]
		}
		for k, j := range l.from {
			switch {
			case parent != nil:
				row[j] = parent[l.at[k]]
			case t.Columns[j].Nullable:
				row[j] = nil
			}
		}
	}
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
