package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"nl2sql/evaluation/item"
	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/evaluation/suite"
	"nl2sql/runner"
	"nl2sql/runner/render"
)

type scoreCmd struct {
	Profile   string `help:"strict, reader, dissertation, spider, test-suite or bird (${default})." enum:"strict,reader,dissertation,spider,test-suite,bird" default:"strict" placeholder:"NAME"`
	Gold      string `help:"Gold queries: items (JSON, JSON lines or CSV), or .sql and .txt with a query and its database a line." required:"" placeholder:"FILE"`
	Pred      string `help:"Predictions in the same order: a query a line, BIRD's or any JSON, or a run." required:"" placeholder:"FILE"`
	Databases string `help:"Folder of databases, NAME/schema.sql and NAME/data/TABLE.csv, for gold queries that name theirs." placeholder:"DIR" xor:"many"`
	Suite     string `help:"Folder of a test suite of --db, which adds TS." placeholder:"DIR" xor:"many"`
	Wrong     bool   `help:"List the predictions that are not right, and why."`
	Format    string `help:"table, plain or markdown; ndjson has a line a prediction; auto, the default, is table on a terminal, else plain." enum:"auto,table,plain,markdown,ndjson" default:"auto" placeholder:"FORMAT"`
	DatabaseFlags
}

// scored is one line of ndjson.
type scored struct {
	ID       string `json:"id"`
	Database string `json:"database,omitempty"`
	Gold     string `json:"gold_sql"`
	SQL      string `json:"pred_sql"`
	score.Score
}

// Run scores a file of predictions.
func (c *scoreCmd) Run(ctx context.Context, con *console) (err error) {
	profile, err := score.ProfileNamed(c.Profile)
	if err != nil {
		return err
	}
	golds, err := item.ReadGolds(c.Gold)
	if err != nil {
		return brief(err)
	}
	preds, err := record.ReadPredictions(c.Pred, len(golds))
	if err != nil {
		return brief(err)
	}
	var tests *suite.Suite
	if c.Suite != "" {
		if tests, err = suite.Open(ctx, c.Suite, loadSuite); err != nil {
			return brief(err)
		}
		defer func() { err = errors.Join(err, tests.Close()) }()
	}
	dbs := c.scored(c.Databases)
	defer func() { err = errors.Join(err, dbs.Close()) }()
	if c.Databases == "" {
		for i := range golds { // all on the one database
			golds[i].Database = ""
		}
	}
	bar := con.progress()
	defer bar.clear()
	out := make([]scored, len(golds))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU())
	for i, it := range golds {
		g.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			bar.show("scoring %d of %d", i+1, len(golds))
			x, err := dbs.Executor(ctx, it.Database)
			if err != nil {
				return err
			}
			cs, err := score.NewCase(ctx, x, it, preds[i])
			if err != nil {
				return fmt.Errorf("score %s: %w", it.ID, err)
			}
			if tests != nil {
				if cs.Replicas, err = tests.Pairs(ctx, it, preds[i]); err != nil {
					return fmt.Errorf("score %s: %w", it.ID, err)
				}
			}
			out[i] = scored{it.ID, it.Database, it.SQL, preds[i], profile.Score(cs)}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	bar.clear()
	return c.print(con, out)
}

func (c *scoreCmd) print(con *console, out []scored) error {
	format := con.format(c.Format)
	if format == render.NDJSON {
		return writeJSON(con, out...)
	}
	run := record.Run{}
	f1, hasF1 := 0.0, false
	classes := map[score.Class]int{}
	for _, s := range out {
		run.Records = append(run.Records, record.Record{ID: s.ID, Scores: map[string]score.Score{c.Profile: s.Score}})
		classes[s.Class]++
		if s.F1 != nil {
			f1, hasF1 = f1+*s.F1, true
		}
	}
	res := runner.Result{Columns: []string{"measure", "share", "right", "of"}}
	for _, m := range score.Metrics {
		if rate := m.Rate(run.Scores(c.Profile)); rate.N > 0 {
			res.Rows = append(res.Rows, []any{m.Name, fmt.Sprintf("%.4f", rate.Value()), int64(rate.Hits), int64(rate.N)})
		}
	}
	if hasF1 {
		res.Rows = append(res.Rows, []any{"soft F1", fmt.Sprintf("%.4f", f1/float64(len(out))), nil, int64(len(out))})
	}
	for _, class := range score.Classes {
		if n := classes[class]; n > 0 && class != score.Correct {
			res.Rows = append(res.Rows, []any{strings.ReplaceAll(string(class), "_", " "), fmt.Sprintf("%.4f", float64(n)/float64(len(out))), int64(n), int64(len(out))})
		}
	}
	if err := con.table(res, format); err != nil || !c.Wrong {
		return err
	}
	wrong := runner.Result{Columns: []string{"id", "class", "detail", "gold", "prediction"}}
	for _, s := range out {
		if !s.EX {
			wrong.Rows = append(wrong.Rows, []any{s.ID, string(s.Class), s.Detail, s.Gold, s.SQL})
		}
	}
	if len(wrong.Rows) == 0 {
		return nil
	}
	return con.table(wrong, format)
}
