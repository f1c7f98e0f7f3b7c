package suite

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
)

// Distiller makes a distilled suite: few databases on which as many as can be of the queries near to the gold queries
// give another result than these (Zhong et al. 2020).
type Distiller struct {
	Source     *Snapshot
	Items      []item.Item
	Seed       uint64
	Candidates int // databases to try at most
	Make       Maker

	// Progress, which may be nil, is told after each candidate how many were tried and what is killed.
	Progress func(tried, killed, neighbours int)
}

// idle is after how many candidates without a kill the search ends.
const idle = 80

// neighbour is a query near to a gold.
type neighbour struct {
	gold  int
	query sqlcheck.Query
}

// distillery is a Distiller at work.
type distillery struct {
	Distiller
	golds      []string
	neighbours []neighbour
}

// Run searches. The outcome depends on nothing but the fields.
func (d Distiller) Run(ctx context.Context) ([]Member, *Distilled, error) {
	w := &distillery{Distiller: d}
	golds, err := w.read()
	if err != nil {
		return nil, nil, err
	}
	report := &Distilled{Items: item.Hash(d.Items), Golds: len(w.golds), Neighbours: len(w.neighbours)}
	alive := make([]int, len(w.neighbours))
	for i := range alive {
		alive[i] = i
	}
	onSource, err := w.kills(ctx, d.Source, alive)
	if err != nil {
		return nil, nil, err
	}
	report.BySource = len(onSource)

	b := newBreeder(d.Source, golds)
	var kept []*Snapshot
	var numbers []int
	for n, last := 1, 0; n <= d.Candidates && len(alive) > 0 && n-last <= idle; n++ {
		candidate, err := b.candidate(ctx, d.Seed, n, d.Make)
		if err != nil {
			return nil, nil, err
		}
		killed, err := w.kills(ctx, candidate, alive)
		if err != nil {
			return nil, nil, err
		}
		report.Candidates = n
		if len(killed) > 0 {
			last, kept, numbers = n, append(kept, candidate), append(numbers, n)
			alive = slices.DeleteFunc(alive, func(i int) bool { return slices.Contains(killed, i) })
		}
		if d.Progress != nil {
			d.Progress(n, len(w.neighbours)-len(alive), len(w.neighbours))
		}
	}
	report.Killed = len(w.neighbours) - len(alive)
	if report.Killed == 0 {
		return nil, nil, errors.New("no database told a gold query from its neighbours: do the items belong to this database?")
	}
	members, err := w.cover(ctx, kept, numbers, alive)
	return members, report, err
}

// read checks the golds and makes their neighbours.
func (w *distillery) read() ([]sqlcheck.Query, error) {
	schema := *w.Source.Schema
	f := newFacts(w.Source)
	schema.Tables = slices.Clone(schema.Tables)
	for i := range schema.Tables { // a neighbour's literal is another value of its column
		t := &schema.Tables[i]
		t.Columns = slices.Clone(t.Columns)
		for j, c := range f.tables[t.Name].columns {
			for _, v := range c.values[:min(len(c.values), listedTexts)] {
				if text, is := v.(string); is && c.kind == textColumn {
					t.Columns[j].Values = append(t.Columns[j].Values, text)
				}
			}
		}
	}
	var golds []sqlcheck.Query
	seen := map[string]bool{}
	for n, it := range w.Items {
		q, v, err := sqlcheck.Check(it.SQL, &schema)
		if err != nil {
			return nil, err
		}
		if !v.OK {
			return nil, fmt.Errorf("item %d: the gold query is refused: %s", n+1, v)
		}
		if seen[q.SQL()] {
			continue
		}
		seen[q.SQL()] = true
		golds = append(golds, q)
		w.golds = append(w.golds, it.SQL)
		for _, text := range neighboursOf(q, &schema) {
			near, v, err := sqlcheck.Check(text, w.Source.Schema)
			if err != nil {
				return nil, err
			}
			if v.OK {
				w.neighbours = append(w.neighbours, neighbour{len(w.golds) - 1, near})
			}
		}
	}
	if len(w.neighbours) == 0 {
		return nil, errors.New("the items have no gold queries that could be mistaken")
	}
	return golds, nil
}

// kills returns which of the neighbours give another result than their gold on a database. A query that is refused or
// cut off there says nothing.
func (w *distillery) kills(ctx context.Context, s *Snapshot, which []int) (killed []int, err error) {
	db, err := w.Make(ctx, s)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	x, err := score.NewExecutor(ctx, db)
	if err != nil {
		return nil, err
	}
	of := map[int][]int{} // neighbours by gold
	for _, i := range which {
		of[w.neighbours[i].gold] = append(of[w.neighbours[i].gold], i)
	}
	var mu sync.Mutex
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for gold := range w.golds {
		if len(of[gold]) == 0 || groupCtx.Err() != nil {
			continue
		}
		group.Go(func() error {
			found, err := w.killsOf(groupCtx, x, gold, of[gold])
			mu.Lock()
			defer mu.Unlock()
			killed = append(killed, found...)
			return err
		})
	}
	if err := errors.Join(group.Wait(), ctx.Err()); err != nil {
		return nil, err
	}
	slices.Sort(killed)
	return killed, nil
}

func (w *distillery) killsOf(ctx context.Context, x *score.Executor, gold int, which []int) ([]int, error) {
	want, err := x.Gold(ctx, w.golds[gold])
	if err != nil || !want.OK() || want.Result.Truncated {
		return nil, err
	}
	var killed []int
	for _, i := range which {
		res, err := x.DB.Query(ctx, w.neighbours[i].query)
		if qe := (*runner.QueryError)(nil); errors.As(err, &qe) {
			continue
		} else if err != nil {
			return nil, err
		}
		if !res.Truncated && !score.SameAnswer(want, res) {
			killed = append(killed, i)
		}
	}
	return killed, nil
}

// cover chooses the fewest databases that kill what all do, greedily: first the one that kills the most, of those that
// kill as many the smallest.
func (w *distillery) cover(ctx context.Context, kept []*Snapshot, numbers, survivors []int) ([]Member, error) {
	var all []int
	for i := range w.neighbours {
		if _, lives := slices.BinarySearch(survivors, i); !lives {
			all = append(all, i)
		}
	}
	kills := make([][]int, len(kept))
	for k, s := range kept {
		var err error
		if kills[k], err = w.kills(ctx, s, all); err != nil {
			return nil, err
		}
	}
	var members []Member
	missing := map[int]bool{}
	for _, i := range all {
		missing[i] = true
	}
	for len(missing) > 0 {
		best, most := -1, 0
		for k := range kept {
			n := 0
			for _, i := range kills[k] {
				if missing[i] {
					n++
				}
			}
			if n > most || n == most && n > 0 && kept[k].Size() < kept[best].Size() {
				best, most = k, n
			}
		}
		if best < 0 {
			return nil, errors.New("a query gave one result and then another on the same database")
		}
		for _, i := range kills[best] {
			delete(missing, i)
		}
		members = append(members, Member{Snapshot: kept[best], Kills: len(kills[best]),
			Changes: []string{fmt.Sprintf("candidate %d: rows of the source, some of their values changed, references anew", numbers[best])}})
	}
	return members, nil
}
