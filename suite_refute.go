package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"nl2sql/evaluation"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck"
)

type suiteTestCmd struct {
	Runs     []string `arg:"" name:"run" help:"Folders or files of runs."`
	Suite    string   `help:"Folder of the suite." required:"" placeholder:"DIR"`
	Profile  string   `help:"Test the predictions that this profile counted right (${default})." default:"dissertation" placeholder:"P"`
	Examples int      `help:"Smallest counterexamples to show, one an item (${default})." default:"5" placeholder:"N"`
	Format   string   `help:"text, or json: an object a line." enum:"text,json" default:"text" placeholder:"FORMAT"`
}

type suiteExplainCmd struct {
	Item   string   `arg:"" optional:"" help:"Name of the item in the runs."`
	Runs   []string `name:"run" sep:"none" help:"Folder or file of a run; may come again." placeholder:"RUN"`
	Suite  string   `help:"Folder of the suite." required:"" placeholder:"DIR"`
	Gold   string   `help:"Gold query, instead of an item." placeholder:"SQL"`
	Pred   string   `help:"Prediction to compare with --gold." placeholder:"SQL"`
	Format string   `help:"text, or json: an object a line." enum:"text,json" default:"text" placeholder:"FORMAT"`
}

// Validate makes wrong combinations usage errors.
func (c *suiteExplainCmd) Validate() error {
	byItem, bySQL := c.Item != "" && len(c.Runs) > 0, c.Gold != "" && c.Pred != ""
	if byItem == bySQL || bySQL && (c.Item != "" || len(c.Runs) > 0) {
		return errors.New("give ITEM and --run, or --gold and --pred")
	}
	return nil
}

// prediction is a text that one or more runs answered to one item.
type prediction struct {
	item evaluation.Item
	sql  string
	runs []int // which, each as often as it gave it

	on   []int  // the databases that refute it
	best int    // of these the smallest on which gold or prediction has rows, if there is one
	how  string // it fails on best
}

// predictions are the distinct ones of runs that wanted says yes to.
func predictions(runs []evaluation.Run, wanted func(evaluation.Record) bool) []*prediction {
	var out []*prediction
	byText := map[[3]string]*prediction{}
	for n, run := range runs {
		for _, r := range run.Records {
			if !wanted(r) {
				continue
			}
			key := [3]string{r.ID, r.Gold, r.SQL}
			if byText[key] == nil {
				byText[key] = &prediction{item: evaluation.Item{ID: r.ID, Question: r.Question, SQL: r.Gold}, sql: r.SQL}
				out = append(out, byText[key])
			}
			byText[key].runs = append(byText[key].runs, n)
		}
	}
	return out
}

func readRuns(paths []string) ([]evaluation.Run, error) {
	var runs []evaluation.Run
	for _, path := range paths {
		run, err := evaluation.ReadRun(path)
		if err != nil {
			return nil, brief(err)
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// each calls f for every prediction, on all cores; the first error ends it.
func each(ctx context.Context, all []*prediction, f func(context.Context, *prediction) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := make(chan *prediction)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for p := range work {
				if ctx.Err() != nil {
					continue
				}
				if err := f(ctx, p); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, p := range all {
		work <- p
	}
	close(work)
	wg.Wait()
	return context.Cause(ctx)
}

// refute finds the databases that refute each prediction.
func refute(ctx context.Context, s *evaluation.Suite, all []*prediction, bar *progress) error {
	var mu sync.Mutex
	done := 0
	return each(ctx, all, func(ctx context.Context, p *prediction) error {
		pairs, err := s.Pairs(ctx, p.item, p.sql)
		if err != nil {
			return err
		}
		for i, pair := range pairs {
			if pair.Refutes() {
				p.on = append(p.on, i)
			}
		}
		if len(p.on) > 0 {
			p.best = slices.MinFunc(p.on, func(a, b int) int {
				return cmp.Or(cmp.Compare(empty(pairs[a]), empty(pairs[b])), cmp.Compare(s.Card.Databases[a].Rows, s.Card.Databases[b].Rows))
			})
			p.how = pairs[p.best].Fails()
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		bar.show("%d of %d predictions tested", done, len(all))
		return nil
	})
}

// empty is 1 if neither gold nor prediction has rows.
func empty(p evaluation.Pair) int {
	if p.HasRows() {
		return 0
	}
	return 1
}

// shrink makes a counterexample of each refuted prediction. They come smallest first.
func shrink(ctx context.Context, s *evaluation.Suite, refuted []*prediction, bar *progress) (_ []*evaluation.Counterexample, err error) {
	if len(refuted) == 0 {
		return nil, nil
	}
	snapshots := make([]func() (*evaluation.Snapshot, error), len(s.Databases))
	for i, x := range s.Databases {
		snapshots[i] = sync.OnceValues(func() (*evaluation.Snapshot, error) { return evaluation.ReadSnapshot(ctx, x.DB) })
	}
	ddl, err := snapshots[0]()
	if err != nil {
		return nil, err
	}
	m, err := newMaker(ctx, ddl, probeLimits)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	var mu sync.Mutex
	var found []*evaluation.Counterexample
	err = each(ctx, refuted, func(ctx context.Context, p *prediction) error {
		source, err := snapshots[p.best]()
		if err != nil {
			return err
		}
		c, err := evaluation.Refute(ctx, source, p.item, p.sql, m.open)
		mu.Lock()
		defer mu.Unlock()
		if c != nil {
			found = append(found, c)
		}
		bar.show("%d of %d counterexamples made small", len(found), len(refuted))
		return err
	})
	slices.SortFunc(found, func(a, b *evaluation.Counterexample) int {
		return cmp.Or(cmp.Compare(a.Rows.Size(), b.Rows.Size()), cmp.Compare(len(a.SQL), len(b.SQL)), strings.Compare(a.Item.ID, b.Item.ID), strings.Compare(a.SQL, b.SQL))
	})
	return found, err
}

// Run counts the predictions that were counted right and fail on the suite.
func (c *suiteTestCmd) Run(ctx context.Context, con *console) (err error) {
	if _, err := evaluation.ProfileNamed(c.Profile); err != nil {
		return failure{exitUsage, err}
	}
	runs, err := readRuns(c.Runs)
	if err != nil {
		return err
	}
	all := predictions(runs, func(r evaluation.Record) bool { return r.Scores[c.Profile].EX })
	if len(all) == 0 {
		return fmt.Errorf("the runs hold no prediction that the profile %s counted right", c.Profile)
	}
	suite, err := evaluation.OpenSuite(ctx, c.Suite, loadSuite)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, suite.Close()) }()
	bar := con.progress()
	defer bar.clear()
	if err := refute(ctx, suite, all, bar); err != nil {
		return err
	}
	refuted := slices.DeleteFunc(slices.Clone(all), func(p *prediction) bool { return len(p.on) == 0 })
	var examples []*evaluation.Counterexample
	if c.Examples > 0 {
		if examples, err = shrink(ctx, suite, refuted, bar); err != nil {
			return err
		}
		shown := map[string]bool{} // one an item
		examples = slices.DeleteFunc(examples, func(e *evaluation.Counterexample) bool {
			again := shown[e.Item.ID]
			shown[e.Item.ID] = true
			return again
		})
		examples = examples[:min(len(examples), c.Examples)]
	}
	bar.show("")
	if c.Format == "json" {
		return c.json(con, runs, all, examples)
	}
	return c.text(con, runs, all, examples)
}

// tally counts predictions by run.
type tally struct {
	Run     string `json:"run"`
	Right   int    `json:"counted_right"`
	Refuted int    `json:"refuted"`
	Rows    int    `json:"by_rows"`    // of Refuted
	Columns int    `json:"by_columns"` // of Refuted: more or fewer than the gold's
	Order   int    `json:"by_order"`   // of Refuted: the rows are right
	Fails   int    `json:"fails"`      // of Refuted: the prediction does not run
}

func tallies(runs []evaluation.Run, all []*prediction) (out []tally, sum, distinct tally) {
	for _, r := range runs {
		out = append(out, tally{Run: r.Name})
	}
	sum.Run, distinct.Run = "all", "distinct"
	for _, p := range all {
		counted := []*tally{&distinct}
		for _, n := range p.runs {
			counted = append(counted, &out[n], &sum)
		}
		for _, t := range counted {
			t.Right++
			if len(p.on) > 0 {
				t.Refuted++
			}
			switch p.how {
			case evaluation.FailsByRows:
				t.Rows++
			case evaluation.FailsByColumns:
				t.Columns++
			case evaluation.FailsByOrder:
				t.Order++
			case evaluation.FailsAltogether:
				t.Fails++
			}
		}
	}
	return out, sum, distinct
}

func (c *suiteTestCmd) text(con *console, runs []evaluation.Run, all []*prediction, examples []*evaluation.Counterexample) error {
	byRun, sum, distinct := tallies(runs, all)
	tw := tabwriter.NewWriter(con, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "run\tcounted right\trefuted\tby rows\tby columns\tby order\tfails\t")
	for _, t := range append(byRun, sum, distinct) {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", render.Visible(t.Run), t.Right, t.Refuted, t.Rows, t.Columns, t.Order, t.Fails)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, e := range examples {
		fmt.Fprintln(con)
		if err := showCounterexample(con, e); err != nil {
			return err
		}
	}
	return nil
}

func (c *suiteTestCmd) json(con *console, runs []evaluation.Run, all []*prediction, examples []*evaluation.Counterexample) error {
	byRun, sum, distinct := tallies(runs, all)
	enc := json.NewEncoder(con)
	for _, t := range append(byRun, sum, distinct) {
		if err := enc.Encode(t); err != nil {
			return err
		}
	}
	for _, e := range examples {
		if err := encodeCounterexample(enc, e); err != nil {
			return err
		}
	}
	return nil
}

// Run shows on which rows predictions fail.
func (c *suiteExplainCmd) Run(ctx context.Context, con *console) (err error) {
	all := []*prediction{{item: evaluation.Item{SQL: c.Gold}, sql: c.Pred}}
	if c.Item != "" {
		runs, err := readRuns(c.Runs)
		if err != nil {
			return err
		}
		known := false
		all = predictions(runs, func(r evaluation.Record) bool {
			known = known || r.ID == c.Item
			return r.ID == c.Item && slices.ContainsFunc(evaluation.Profiles, func(p evaluation.Profile) bool { return r.Scores[p.Name].EX })
		})
		if !known {
			return fmt.Errorf("the runs have no item %s", c.Item)
		}
		if len(all) == 0 {
			return failure{exitNo, fmt.Errorf("no prediction for item %s was counted right", c.Item)}
		}
	}
	suite, err := evaluation.OpenSuite(ctx, c.Suite, loadSuite)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, suite.Close()) }()
	if c.Item == "" {
		for what, sql := range map[string]string{"--gold": c.Gold, "--pred": c.Pred} {
			if _, v, err := sqlcheck.Check(sql, suite.Databases[0].Schema); err != nil || !v.OK {
				return failure{exitNo, errors.Join(err, fmt.Errorf("%s is rejected: %s%s", what, v, hint(v)))}
			}
		}
	}
	bar := con.progress()
	defer bar.clear()
	if err := refute(ctx, suite, all, bar); err != nil {
		return err
	}
	refuted := slices.DeleteFunc(slices.Clone(all), func(p *prediction) bool { return len(p.on) == 0 })
	if len(refuted) == 0 {
		return failure{exitNo, fmt.Errorf("no database of the suite refutes it: on all %d the results are the same", len(suite.Databases))}
	}
	examples, err := shrink(ctx, suite, refuted, bar)
	if err != nil {
		return err
	}
	bar.show("")
	for i, e := range examples {
		if c.Format == "json" {
			err = encodeCounterexample(json.NewEncoder(con), e)
		} else {
			if i > 0 {
				fmt.Fprintln(con)
			}
			err = showCounterexample(con, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// showCounterexample prints the rows, of each the keys and what the queries name, then what gold and prediction make of them.
func showCounterexample(con *console, e *evaluation.Counterexample) error {
	if e.Item.Question != "" {
		fmt.Fprintf(con, "item %s: %s\n", render.Visible(e.Item.ID), render.Visible(e.Item.Question))
	}
	fmt.Fprintf(con, "gold: %s\npred: %s\n", render.Visible(e.Item.SQL), render.Visible(e.SQL))
	fmt.Fprintf(con, "differ on %d rows:\n", e.Rows.Size())
	for _, t := range e.Rows.Schema.Tables {
		rows := e.Rows.Rows[t.Name]
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(con, "%s\n", render.Visible(t.Name))
		var at []int
		var res runner.Result
		for j, col := range t.Columns {
			if col.Key != "" || strings.Contains(strings.ToLower(e.Item.SQL+" "+e.SQL), strings.ToLower(col.Name)) {
				at, res.Columns = append(at, j), append(res.Columns, col.Name)
			}
		}
		if len(at) == 0 {
			at, res.Columns = []int{0}, []string{t.Columns[0].Name}
		}
		for _, row := range rows {
			var cells []any
			for _, j := range at {
				cells = append(cells, row[j])
			}
			res.Rows = append(res.Rows, cells)
		}
		if err := con.rows(res, con.format("auto")); err != nil {
			return err
		}
	}
	for _, side := range []struct {
		name string
		o    evaluation.Outcome
	}{{"gold", e.Pair.Gold}, {"prediction", e.Pair.Pred}} {
		if !side.o.OK() {
			fmt.Fprintf(con, "the %s fails: %s\n", side.name, render.Visible(side.o.Error))
			continue
		}
		fmt.Fprintf(con, "the %s gives\n", side.name)
		if err := con.rows(*side.o.Result, con.format("auto")); err != nil {
			return err
		}
	}
	return nil
}

func encodeCounterexample(enc *json.Encoder, e *evaluation.Counterexample) error {
	tables := map[string]runner.Result{}
	for _, t := range e.Rows.Schema.Tables {
		if rows := e.Rows.Rows[t.Name]; len(rows) > 0 {
			res := runner.Result{Rows: rows}
			for _, c := range t.Columns {
				res.Columns = append(res.Columns, c.Name)
			}
			tables[t.Name] = res
		}
	}
	return enc.Encode(struct {
		Item   string                   `json:"id"`
		NLQ    string                   `json:"nlq,omitempty"`
		Gold   string                   `json:"gold_sql"`
		Pred   string                   `json:"pred_sql"`
		Rows   map[string]runner.Result `json:"rows"`
		GoldIs *runner.Result           `json:"gold_result"`
		PredIs *runner.Result           `json:"pred_result"`
		Error  string                   `json:"pred_error,omitempty"`
	}{e.Item.ID, e.Item.Question, e.Item.SQL, e.SQL, tables, e.Pair.Gold.Result, e.Pair.Pred.Result, e.Pair.Pred.Error})
}
