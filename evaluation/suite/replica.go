package suite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"nl2sql/runner"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Replica makes number n, from 1, of the perturbed copies of a database: every row stays, numbers are rescaled, a
// factor a column, and dates shifted, by the same days everywhere. In every second replica the values of a table's
// rows also move to other rows, together, under other keys, and references that are no part of a key move too. Keys,
// references, NOT NULL, CHECKs, types and the set of values of columns that hold a few stay. changes says what was
// done.
//
// make opens databases for CHECK constraints to be tested on; rows that break one keep their numbers and dates.
func Replica(ctx context.Context, s *Snapshot, seed uint64, n int, make Maker) (_ *Snapshot,
	changes []string, err error) {
	f := newFacts(s)
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	days := 1 + rng.IntN(60)
	if rng.IntN(2) == 0 {
		days = -days
	}
	moved, rows := s.copied(), map[string][][]any{}
	for i := range s.Schema.Tables {
		t := f.tables[s.Schema.Tables[i].Name]
		if n%2 == 0 {
			if t.move(moved[t.Name], rng) {
				changes = append(changes, t.Name+": values moved between rows")
			}
		}
		var scaled []string
		rows[t.Name], scaled = t.perturb(moved[t.Name], days, rng)
		changes = append(changes, scaled...)
	}
	out := s.with(rows)
	return out, changes, f.keepChecks(ctx, out, moved, make)
}

// move gives the values of each row that belong to no key or reference to another row, and so does it with references.
func (t *tableFacts) move(rows [][]any, rng *rand.Rand) bool {
	if len(rows) < 2 {
		return false
	}
	var free []int
	for j, c := range t.columns {
		if !c.fixed {
			free = append(free, j)
		}
	}
	bundles := [][]int{free}
	for _, l := range t.links {
		if l.loose && l.to != t { // a reference to the own table may be a tree, which would get cycles
			bundles = append(bundles, l.from)
		}
	}
	done := false
	for _, bundle := range bundles {
		if len(bundle) == 0 {
			continue
		}
		done = true
		rng.Shuffle(len(rows), func(a, b int) {
			for _, j := range bundle {
				rows[a][j], rows[b][j] = rows[b][j], rows[a][j]
			}
		})
	}
	return done
}

// perturb is rows with other numbers and dates.
func (t *tableFacts) perturb(rows [][]any, days int, rng *rand.Rand) (out [][]any, changes []string) {
	out = syntax.Map(rows, slices.Clone)
	for j, c := range t.columns {
		var change func(any) (any, bool)
		var what string
		switch {
		case c.fixed || c.listed || len(c.values) == 0:
			continue
		case c.kind.number():
			percent := int64(50 + rng.IntN(151))
			for percent == 100 {
				percent = int64(50 + rng.IntN(151))
			}
			if !c.fits(percent) {
				percent = 50 + percent/5 // of at most 200: below 100
			}
			change = func(v any) (any, bool) { return c.rescale(v, percent) }
			what = fmt.Sprintf("× %d.%02d", percent/100, percent%100)
		case c.kind == dateColumn:
			change = func(v any) (any, bool) { return shift(v, days, c.typ) }
			what = fmt.Sprintf("%+d days", days)
		default:
			continue
		}
		for _, row := range out {
			if v, ok := change(row[j]); ok {
				row[j] = v
			}
		}
		changes = append(changes, t.Name+"."+c.Name+": "+what)
	}
	return out, changes
}

// fits says that all values of the column can grow to so many percent.
func (c columnFacts) fits(percent int64) bool {
	return !slices.ContainsFunc(c.values, func(v any) bool {
		big, ok := c.rescale(v, percent)
		return !ok || !c.holds(big)
	})
}

// rescale takes so many percent of a number, rounded as the column is. What is not 0 stays so.
func (c columnFacts) rescale(v any, percent int64) (any, bool) {
	if f, is := v.(float64); is {
		f = f * float64(percent) / 100
		if c.typ.Name == "float" {
			f = float64(float32(f))
		}
		return f, !math.IsInf(f, 0)
	}
	x, ok := rational(v)
	if !ok {
		return v, false
	}
	y := new(big.Rat).Mul(x, big.NewRat(percent, 100))
	text := y.FloatString(c.scale)
	if zero, _ := new(big.Rat).SetString(text); x.Sign() != 0 && zero.Sign() == 0 {
		return v, true
	}
	return c.number(text)
}

// rational is an exact number.
func rational(v any) (*big.Rat, bool) {
	switch v.(type) {
	case int64, uint64, runner.Decimal:
		return new(big.Rat).SetString(fmt.Sprint(v))
	}
	return nil, false
}

// number is an exact number of the column's type.
func (c columnFacts) number(text string) (any, bool) {
	if c.kind == wholeColumn {
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil
	}
	return runner.Decimal(text), true
}

// holds says that an exact number is in the range of the column's type.
func (c columnFacts) holds(v any) bool {
	x, ok := rational(v)
	if !ok {
		return true
	}
	low, high := c.bounds()
	return x.Cmp(low) >= 0 && x.Cmp(high) <= 0
}

// wholeBits are the sizes of the whole numbers' types.
var wholeBits = map[string]int{"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "integer": 32, "bigint": 63}

// bounds are the smallest and largest number of the column's type; of DECIMAL at most 15 digits, as `embedded` has
// them.
func (c columnFacts) bounds() (low, high *big.Rat) {
	unsigned := c.typ.Unsigned
	if bits, whole := wholeBits[c.typ.Name]; whole {
		if !unsigned || bits == 63 {
			bits = min(bits, 63) // a BIGINT UNSIGNED is kept below 2^62, where int64 ends nothing
		}
		n := new(big.Int).Lsh(big.NewInt(1), uint(bits))
		if !unsigned {
			n.Rsh(n, 1)
		}
		high = new(big.Rat).SetInt(new(big.Int).Sub(n, big.NewInt(1)))
		low = new(big.Rat).SetInt(new(big.Int).Neg(n))
	} else {
		p, known := c.typ.Length()
		if !known {
			p = 10
		}
		n := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(min(p, 15))), nil)
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(c.scale)), nil)
		high = new(big.Rat).SetFrac(n.Sub(n, big.NewInt(1)), unit)
		low = new(big.Rat).Neg(high)
	}
	if unsigned {
		low = new(big.Rat)
	}
	return low, high
}

// shift moves a date by days, and leaves its time. A date that is none, such as 0000-00-00, stays.
func shift(v any, days int, t schema.Type) (any, bool) {
	text, ok := v.(string)
	if !ok || len(text) < len(time.DateOnly) {
		return v, false
	}
	day, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)])
	if err != nil {
		return v, false
	}
	first, last := 1000, 9999
	if t.Name == "timestamp" {
		first, last = 1971, 2037
	}
	day = day.AddDate(0, 0, days)
	if day.Year() < first || day.Year() > last {
		return v, false
	}
	return day.Format(time.DateOnly) + text[len(time.DateOnly):], true
}

// keepChecks puts the rows of out that break a CHECK constraint back to those of calmer, at the same place, and tables
// that still break one to those of the source.
func (f *facts) keepChecks(ctx context.Context, out *Snapshot, calmer map[string][][]any, make Maker) error {
	for _, back := range []func(table string, i int){
		func(table string, i int) { out.Rows[table][i] = calmer[table][i] },
		func(table string, _ int) { out.Rows[table] = f.Rows[table] },
	} {
		broken, err := out.broken(ctx, make)
		if err != nil {
			return err
		}
		for table, rows := range broken {
			for i := range rows {
				back(table, i)
			}
		}
	}
	broken, err := out.broken(ctx, make)
	if err == nil && len(broken) > 0 {
		err = errors.New("the rows of the source break its CHECK constraints")
	}
	return err
}

// broken returns the rows that break a CHECK constraint, by table and place.
func (s *Snapshot) broken(ctx context.Context, make Maker) (_ map[string]map[int]bool, err error) {
	found := map[string]map[int]bool{}
	var db runner.DB
	for i := range s.Schema.Tables {
		t := &s.Schema.Tables[i]
		for _, cond := range t.Checks {
			if db == nil {
				if db, err = make(ctx, s); err != nil {
					return nil, err
				}
				defer func() { err = errors.Join(err, db.Close()) }()
			}
			res, err := query(ctx, db, s.Schema, fmt.Sprintf("SELECT %s FROM %s WHERE NOT (%s)", quoted(t),
				runner.QuoteName(t.Name), cond))
			if err != nil {
				return nil, fmt.Errorf("table %s: CHECK (%s) cannot be tested: %w", t.Name, cond, err)
			}
			if res.Truncated {
				return nil, fmt.Errorf("table %s: more than %d rows break CHECK (%s)", t.Name, len(res.Rows), cond)
			}
			bad := syntax.Set(syntax.Map(res.Rows, runner.RowKey))
			for n, row := range s.Rows[t.Name] {
				if bad[runner.RowKey(row)] {
					if found[t.Name] == nil {
						found[t.Name] = map[int]bool{}
					}
					found[t.Name][n] = true
				}
			}
		}
	}
	return found, nil
}
