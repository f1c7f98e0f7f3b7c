package suite

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
)

// Prediction is a text that one or more runs answered to one item, and what a suite says of it.
type Prediction struct {
	Item item.Item
	SQL  string
	Runs []int // which, each as often as it gave it

	On   []int  // the databases of the suite that refute it
	Best int    // of these the smallest on which gold or prediction has rows, if there is one
	How  string // it fails on Best, as [Pair.Fails] says; "" if no database refutes it
}

// Predictions are the distinct ones of runs that wanted says yes to.
func Predictions(runs []record.Run, wanted func(record.Record) bool) (out []*Prediction) {
	byText := map[[3]string]*Prediction{}
	for n, run := range runs {
		for _, r := range run.Records {
			if !wanted(r) {
				continue
			}
			key := [3]string{r.ID, r.Gold, r.SQL}
			if byText[key] == nil {
				byText[key] = &Prediction{Item: item.Item{ID: r.ID, Question: r.Question, SQL: r.Gold}, SQL: r.SQL}
				out = append(out, byText[key])
			}
			byText[key].Runs = append(byText[key].Runs, n)
		}
	}
	return out
}

// Refute finds the databases that refute each prediction, on all cores, and returns the predictions that some database
// refutes. progress is told how many were tested, by one goroutine at a time.
func (s *Suite) Refute(ctx context.Context, all []*Prediction, progress func(done int)) ([]*Prediction, error) {
	var mu sync.Mutex
	done := 0
	err := eachPrediction(ctx, all, func(ctx context.Context, p *Prediction) error {
		pairs, err := s.Pairs(ctx, p.Item, p.SQL)
		if err != nil {
			return err
		}
		for i, pair := range pairs {
			if pair.Refutes() {
				p.On = append(p.On, i)
			}
		}
		if len(p.On) > 0 {
			p.Best = slices.MinFunc(p.On, func(a, b int) int {
				return cmp.Or(cmp.Compare(empty(pairs[a]), empty(pairs[b])), cmp.Compare(s.Card.Databases[a].Rows,
					s.Card.Databases[b].Rows))
			})
			p.How = pairs[p.Best].Fails()
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		progress(done)
		return nil
	})
	return slices.DeleteFunc(slices.Clone(all), func(p *Prediction) bool { return len(p.On) == 0 }), err
}

// empty is 1 if neither gold nor prediction has rows.
func empty(p score.Pair) int {
	if p.HasRows() {
		return 0
	}
	return 1
}

// Counterexamples makes one of each refuted prediction, on all cores. They come smallest first. maker says how
// snapshots of one definition are opened, until it is closed. progress is told how many are made, by one goroutine at
// a time.
func (s *Suite) Counterexamples(ctx context.Context, refuted []*Prediction, maker func(context.Context,
	*Snapshot) (open Maker, close func() error, err error), progress func(done int)) (_ []*Counterexample, err error) {
	if len(refuted) == 0 {
		return nil, nil
	}
	snapshots := make([]func() (*Snapshot, error), len(s.Databases))
	for i, x := range s.Databases {
		snapshots[i] = sync.OnceValues(func() (*Snapshot, error) { return ReadSnapshot(ctx, x.DB) })
	}
	definition, err := snapshots[0]()
	if err != nil {
		return nil, err
	}
	open, done, err := maker(ctx, definition)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	var mu sync.Mutex
	var found []*Counterexample
	err = eachPrediction(ctx, refuted, func(ctx context.Context, p *Prediction) error {
		source, err := snapshots[p.Best]()
		if err != nil {
			return err
		}
		c, err := Refute(ctx, source, p.Item, p.SQL, open)
		mu.Lock()
		defer mu.Unlock()
		if c != nil {
			found = append(found, c)
		}
		progress(len(found))
		return err
	})
	slices.SortFunc(found, func(a, b *Counterexample) int {
		return cmp.Or(cmp.Compare(a.Rows.Size(), b.Rows.Size()), cmp.Compare(len(a.SQL), len(b.SQL)),
			strings.Compare(a.Item.ID, b.Item.ID), strings.Compare(a.SQL, b.SQL))
	})
	return found, err
}

// eachPrediction calls f for every prediction, on all cores; the first error ends it.
func eachPrediction(ctx context.Context, all []*Prediction, f func(context.Context, *Prediction) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, p := range all {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return f(ctx, p)
		})
	}
	return g.Wait()
}

// Tally counts predictions by run.
type Tally struct {
	Run     string `json:"run"`
	Right   int    `json:"counted_right"`
	Refuted int    `json:"refuted"`
	Rows    int    `json:"by_rows"`    // of Refuted
	Columns int    `json:"by_columns"` // of Refuted: more or fewer than the gold's
	Order   int    `json:"by_order"`   // of Refuted: the rows are right
	Fails   int    `json:"fails"`      // of Refuted: the prediction does not run
}

// Tallies are those of each run, of all together, and of the distinct predictions.
func Tallies(runs []record.Run, all []*Prediction) []Tally {
	out := make([]Tally, len(runs)+2)
	for i, r := range runs {
		out[i].Run = r.Name
	}
	sum, distinct := &out[len(runs)], &out[len(runs)+1]
	sum.Run, distinct.Run = "all", "distinct"
	for _, p := range all {
		counted := []*Tally{distinct}
		for _, n := range p.Runs {
			counted = append(counted, &out[n], sum)
		}
		for _, t := range counted {
			how := map[string]*int{score.FailsByRows: &t.Rows, score.FailsByColumns: &t.Columns,
				score.FailsByOrder: &t.Order, score.FailsAltogether: &t.Fails}[p.How]
			if t.Right++; how != nil {
				*how++
			}
			if len(p.On) > 0 {
				t.Refuted++
			}
		}
	}
	return out
}

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
