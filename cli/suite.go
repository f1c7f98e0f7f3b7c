package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/evaluation/suite"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

type suiteCmd struct {
	Build suiteBuildCmd `cmd:"" help:"Make perturbed replicas of a database, on which a right prediction must still be right."`
	Test  suiteTestCmd  `cmd:"" help:"Count the predictions of runs that were counted right and fail on a suite, and show the fewest rows on which they do."`
}

// wholeTables are the limits of what reads tables as a whole.
var wholeTables = runner.Limits{Rows: 2_000_000, Bytes: 1 << 30, Timeout: 5 * time.Minute}

// probeLimits are those of the many queries on small databases. The timeout is long, so that slow machines make the
// same suite.
var probeLimits = runner.Limits{Rows: 10_000, Bytes: 4 << 20, Timeout: 2 * time.Minute}

// loadSuite opens a database of a suite.
func loadSuite(ctx context.Context, name string, script io.Reader) (runner.DB, error) {
	return embedded.OpenDump(ctx, name, script, probeLimits)
}

// maker opens snapshots of one definition in memory: the definition is read once, then only rows are exchanged.
type maker struct{ empty *embedded.DB }

func newMaker(ctx context.Context, s *suite.Snapshot, limits runner.Limits) (maker, error) {
	db, err := embedded.OpenDump(ctx, s.Name, strings.NewReader(s.DDL), limits)
	return maker{db}, err
}

func (m maker) open(ctx context.Context, s *suite.Snapshot) (runner.DB, error) {
	return m.empty.Clone(ctx, func(t schema.Table, _ [][]any) ([][]any, error) { return s.Rows[t.Name], nil })
}

func (m maker) Close() error { return m.empty.Close() }

type suiteBuildCmd struct {
	N    int    `short:"n" help:"Replicas (${default})." default:"10" placeholder:"N" range:"1..1000"`
	Seed uint64 `help:"Another seed gives other databases (${default})." default:"1" placeholder:"N" range:"0.."`
	Out  string `help:"Folder to make." required:"" placeholder:"DIR"`
	DBFlag
}

// Run reads the database once and writes the replicas.
func (c *suiteBuildCmd) Run(ctx context.Context, con *console) (err error) {
	if err := suite.FreeFolder(c.Out); err != nil {
		return err
	}
	source, err := readSnapshot(ctx, c.DB)
	if err != nil {
		return err
	}
	bar := con.progress()
	defer bar.clear()
	card := suite.Card{Database: source.Name, Source: source.Hash(), Seed: c.Seed}
	members, err := c.replicas(ctx, source, bar)
	if err != nil {
		return err
	}
	if err := suite.Write(c.Out, card, members); err != nil {
		return fmt.Errorf("write the suite: %w", err)
	}
	fmt.Fprintf(con, "%d databases of %d rows each: %s\n", len(members), source.Size(), c.Out)
	return nil
}

func (c *suiteBuildCmd) replicas(
	ctx context.Context, source *suite.Snapshot, bar *progress,
) (members []suite.Member, err error) {
	m, err := newMaker(ctx, source, wholeTables)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	for n := 1; n <= c.N; n++ {
		bar.show("making replica %d of %d", n, c.N)
		replica, changes, err := suite.Replica(ctx, source, c.Seed, n, m.open)
		if err != nil {
			return nil, err
		}
		members = append(members, suite.Member{Snapshot: replica, Changes: changes})
	}
	return members, nil
}

// readSnapshot reads the database that a --db value names.
func readSnapshot(ctx context.Context, spec string) (*suite.Snapshot, error) {
	db, err := openDB(ctx, spec, wholeTables)
	if err != nil {
		return nil, err
	}
	s, err := suite.ReadSnapshot(ctx, db)
	return s, errors.Join(err, db.Close())
}

type suiteTestCmd struct {
	Runs     []string `arg:"" name:"run" optional:"" help:"Folders or files of runs."`
	Suite    string   `help:"Folder of the suite." required:"" placeholder:"DIR"`
	Profile  string   `help:"Profile whose EX says what is right (${default})." default:"dissertation" placeholder:"P"`
	Item     string   `help:"Show alone how the predictions for this item fail, whichever profile counted them right." placeholder:"ID"`
	Gold     string   `help:"Gold query, instead of runs." placeholder:"SQL"`
	Pred     string   `help:"Prediction to compare with --gold." placeholder:"SQL"`
	Examples int      `help:"Smallest counterexamples to show, one an item (${default})." default:"5" placeholder:"N" range:"0.."`
	Format   string   `help:"text, or json: an object a line." enum:"text,json" default:"text" placeholder:"FORMAT"`
}

// Validate makes wrong combinations usage errors.
func (c *suiteTestCmd) Validate() error {
	if bySQL := c.Gold != "" && c.Pred != ""; bySQL == (len(c.Runs) > 0) || (c.Gold == "") != (c.Pred == "") ||
		bySQL && c.Item != "" {
		return errors.New("give runs, or --gold and --pred")
	}
	return nil
}

// Run counts the predictions that were counted right and fail on the suite, and shows some of them; of an item, or of
// two queries, it shows all, and says no where none fails.
func (c *suiteTestCmd) Run(ctx context.Context, con *console) (err error) {
	if _, err := score.ProfilesNamed(c.Profile); err != nil {
		return failure{exitUsage, err}
	}
	runs, all, err := c.predictions()
	if err != nil {
		return err
	}
	tests, err := suite.Open(ctx, c.Suite, loadSuite)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tests.Close()) }()
	if c.Gold != "" {
		for _, query := range []struct{ flag, sql string }{{"--gold", c.Gold}, {"--pred", c.Pred}} {
			if _, v, err := sqlcheck.Check(query.sql, tests.Databases[0].Schema); err != nil || !v.OK {
				return failure{exitNo, errors.Join(err, fmt.Errorf("%s is rejected: %s%s", query.flag, v, hint(v)))}
			}
		}
	}
	bar := con.progress()
	defer bar.clear()
	refuted, err := tests.Refute(ctx, all, func(done int) { bar.show("%d of %d predictions tested", done, len(all)) })
	if err != nil {
		return err
	}
	counts := c.Gold == "" && c.Item == ""
	if !counts && len(refuted) == 0 {
		return failure{exitNo,
			fmt.Errorf("no database of the suite refutes it: on all %d the results are the same", len(tests.Databases))}
	}
	var examples []*suite.Counterexample
	if c.Examples > 0 || !counts {
		making := func(ctx context.Context, definition *suite.Snapshot) (suite.Maker, func() error, error) {
			m, err := newMaker(ctx, definition, probeLimits)
			return m.open, m.Close, err
		}
		examples, err = tests.Counterexamples(ctx, refuted, making,
			func(done int) { bar.show("%d of %d counterexamples made small", done, len(refuted)) })
		if err != nil {
			return err
		}
	}
	bar.clear()
	if counts {
		shown := map[string]bool{} // one an item
		examples = slices.DeleteFunc(examples, func(e *suite.Counterexample) bool {
			again := shown[e.Item.ID]
			shown[e.Item.ID] = true
			return again
		})
		examples = examples[:min(len(examples), c.Examples)]
		if err := c.printTallies(con, suite.Tallies(runs, all)); err != nil {
			return err
		}
	}
	for i, e := range examples {
		if c.Format == "json" {
			err = encodeCounterexample(con, e)
		} else {
			if i > 0 || counts {
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

// predictions are those to test.
func (c *suiteTestCmd) predictions() (runs []record.Run, all []*suite.Prediction, err error) {
	if c.Gold != "" {
		return nil, []*suite.Prediction{{Item: item.Item{SQL: c.Gold}, SQL: c.Pred}}, nil
	}
	for _, path := range c.Runs {
		run, err := record.ReadRun(path)
		if err != nil {
			return nil, nil, brief(err)
		}
		runs = append(runs, run)
	}
	known := false
	all = suite.Predictions(runs, func(r record.Record) bool {
		if c.Item == "" {
			return r.Scores[c.Profile].EX
		}
		known = known || r.ID == c.Item
		return r.ID == c.Item &&
			slices.ContainsFunc(score.Profiles, func(p score.Profile) bool { return r.Scores[p.Name].EX })
	})
	switch {
	case len(all) > 0:
	case c.Item == "":
		err = fmt.Errorf("the runs hold no prediction that the profile %s counted right", c.Profile)
	case known:
		err = failure{exitNo, fmt.Errorf("no prediction for item %s was counted right", c.Item)}
	default:
		err = fmt.Errorf("the runs have no item %s", c.Item)
	}
	return runs, all, err
}

func (c *suiteTestCmd) printTallies(con *console, all []suite.Tally) error {
	if c.Format == "json" {
		return render.WriteJSON(con, all...)
	}
	columns := []string{"run", "counted right", "refuted", "by rows", "by columns", "by order", "fails"}
	return con.table(listed(columns, all, func(t suite.Tally) []any {
		return []any{t.Run, int64(t.Right), int64(t.Refuted), int64(t.Rows), int64(t.Columns), int64(t.Order),
			int64(t.Fails)}
	}), con.format("auto"))
}

// showCounterexample prints the rows, of each the keys and what the queries name, then what gold and prediction make of
// them.
func showCounterexample(con *console, e *suite.Counterexample) error {
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
			res.Rows = append(res.Rows, syntax.Map(at, func(j int) any { return row[j] }))
		}
		if err := con.rows("", res, con.format("auto")); err != nil {
			return err
		}
	}
	for _, side := range []struct {
		name string
		o    score.Outcome
	}{{"gold", e.Pair.Gold}, {"prediction", e.Pair.Pred}} {
		if !side.o.OK() {
			fmt.Fprintf(con, "the %s fails: %s\n", side.name, render.Visible(side.o.Error))
			continue
		}
		fmt.Fprintf(con, "the %s gives\n", side.name)
		if err := con.rows("", *side.o.Result, con.format("auto")); err != nil {
			return err
		}
	}
	return nil
}

func encodeCounterexample(w io.Writer, e *suite.Counterexample) error {
	tables := map[string]runner.Result{}
	for _, t := range e.Rows.Schema.Tables {
		if rows := e.Rows.Rows[t.Name]; len(rows) > 0 {
			tables[t.Name] = runner.Result{Columns: t.ColumnNames(), Rows: rows}
		}
	}
	return render.WriteJSON(w, struct {
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
