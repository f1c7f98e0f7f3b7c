package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/rescore"
	"nl2sql/evaluation/score"
	"nl2sql/llm"
	"nl2sql/loop/answer"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

type scoreCmd struct {
	Profile string `help:"strict, reader, dissertation, spider, test-suite or bird (${default})." enum:"strict,reader,dissertation,spider,test-suite,bird" default:"strict" placeholder:"NAME"`
	Gold    string `help:"Gold queries: items (JSON, JSON lines or CSV), or .sql and .txt with a query and its database a line." required:"" placeholder:"FILE"`
	Pred    string `help:"Predictions in the same order: a query a line, BIRD's or any JSON, or a run." required:"" placeholder:"FILE"`
	FolderFlag
	Suite string `help:"Folder of a test suite of --db, which adds TS; its databases are embedded ones." placeholder:"DIR"`
	Wrong bool   `help:"List the predictions that are not right, and why."`
	FiguresFlag
	DatabaseFlags
}

// Validate makes wrong values usage errors.
func (c *scoreCmd) Validate() error {
	if c.Suite != "" && c.Databases != "" {
		return errors.New("--suite is of one database, --databases are several")
	}
	return nil
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
func (c *scoreCmd) Run(ctx context.Context, con *console, open *opened) error {
	golds, err := item.ReadGolds(c.Gold)
	if err != nil {
		return brief(err)
	}
	preds, err := record.ReadPredictions(c.Pred, golds)
	if err != nil {
		return brief(err)
	}
	s, err := scorerOf(ctx, open, &c.DatabaseFlags, c.Databases, "", c.Suite, c.Profile)
	if err != nil {
		return err
	}
	if c.Databases == "" {
		golds = onOne(golds)
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
			one, err := s.Score(ctx, it, preds[i])
			out[i] = scored{it.ID, it.Database, it.SQL, preds[i], one.Scores[c.Profile]}
			return err
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
		return render.WriteJSON(con, out...)
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
			res.Rows = append(res.Rows, []any{m.Name, fmt.Sprintf("%.4f", rate.Value()),
				int64(rate.Hits), int64(rate.N)})
		}
	}
	if hasF1 {
		res.Rows = append(res.Rows, []any{"soft F1", fmt.Sprintf("%.4f", f1/float64(len(out))), nil, int64(len(out))})
	}
	for _, class := range score.Classes {
		if n := classes[class]; n > 0 && class != score.Correct {
			res.Rows = append(res.Rows,
				[]any{class.Words(), fmt.Sprintf("%.4f", float64(n)/float64(len(out))),
					int64(n), int64(len(out))})
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

type rescoreCmd struct {
	Runs    []string `arg:"" name:"run" help:"Runs: folders, run.jsonl files, the original's JSON, or folders of them."`
	Profile []string `help:"Profiles to score with, a comma between (${default})." default:"dissertation,strict" placeholder:"NAME"`
	Suite   string   `help:"Folder of a test suite of --db, which adds TS; its databases are embedded ones." placeholder:"DIR"`
	Items   string   `help:"Items that were asked, for their accepted golds, difficulties and tags." placeholder:"FILE"`
	FiguresFlag
	DatabaseFlags
}

// Run scores recorded runs again.
func (c *rescoreCmd) Run(ctx context.Context, con *console, open *opened) error {
	s, err := scorerOf(ctx, open, &c.DatabaseFlags, "", c.Items, c.Suite, c.Profile...)
	if err != nil {
		return err
	}
	runs, err := record.ReadRuns(c.Runs)
	if err != nil {
		return brief(err)
	}
	out, err := rescored(ctx, con, s, runs)
	if err != nil {
		return err
	}
	why := slices.Concat(syntax.Map(out, func(r rescore.Rescored) []rescore.Difference { return r.Why })...)
	rates, format := rescore.Rates(out, c.Profile), con.format(c.Format)
	if format == render.NDJSON {
		return errors.Join(render.WriteJSON(con, rates...), render.WriteJSON(con, why...))
	}
	columns := []string{"run", "profile", "measure", "recorded", "now", "items differ"}
	return con.tables(format, listed(columns, rates, func(r rescore.Rate) []any {
		return []any{r.Run, r.Profile, r.Metric, shown(r.Recorded), shown(r.Now), int64(r.Differ)}
	}), differences(why))
}

// differences lists scores that come out otherwise than recorded.
func differences(why []rescore.Difference) runner.Result {
	columns := []string{"run", "item", "profile", "measure", "recorded", "now", "cause", "why", "prediction"}
	return listed(columns, why, func(d rescore.Difference) []any {
		return []any{d.Run, d.ID, d.Profile, d.Metric, d.Recorded, d.Now, string(d.Cause), d.Why, syntax.OneLine(d.SQL)}
	})
}

func shown(r *score.Rate) string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%.4f (%d of %d)", r.Value(), r.Hits, r.N)
}

type lintCmd struct {
	Items string `help:"Questions with gold queries: benchmark or train (our own), or a file of JSON, JSON lines or CSV." default:"benchmark" placeholder:"FILE"`
	FolderFlag
	FiguresFlag
	QueryFlags
}

// lintRows is how many rows of a result are looked at.
const lintRows = 100_000

// Run looks at every item. Findings are an answer: exit code 2.
func (c *lintCmd) Run(ctx context.Context, con *console) (err error) {
	items, err := item.Load(c.Items)
	if err != nil {
		return brief(err)
	}
	groups, err := byDatabase(items, c.Databases)
	if err != nil {
		return err
	}
	dbs := c.databases(c.Databases, runner.Limits{Rows: max(c.MaxRows, lintRows), Bytes: 256 << 20})
	defer func() { err = errors.Join(err, dbs.Close()) }()
	bar := con.progress()
	defer bar.clear()
	findings, err := score.Lint(ctx, slices.Concat(groups...), dbs,
		func(n int) { bar.show("%d of %d items", n, len(items)) })
	if err != nil {
		return err
	}
	bar.clear()
	if c.Format == "ndjson" {
		if err := render.WriteJSON(con, findings...); err != nil {
			return err
		}
	} else if err := c.report(con, len(items), findings); err != nil {
		return err
	}
	if len(findings) > 0 {
		return failure{code: exitNo}
	}
	return nil
}

// report prints a line for each finding, then how often each rule was broken.
func (c *lintCmd) report(con *console, items int, findings []score.LintFinding) error {
	found := runner.Result{Columns: []string{"item", "rule", "finding"}}
	rules := runner.Result{Columns: []string{"findings", "rule", "what it says"}}
	bad := map[string]bool{}
	count := map[score.LintRule]int{}
	for _, f := range findings {
		name := f.Item
		if f.Database != "" {
			name += " (" + f.Database + ")"
		}
		bad[f.Item] = true
		count[f.Rule]++
		found.Rows = append(found.Rows, []any{name, string(f.Rule), f.Detail})
	}
	for _, r := range score.LintRules() {
		if count[r.Rule] > 0 {
			rules.Rows = append(rules.Rows, []any{int64(count[r.Rule]), string(r.Rule), r.What})
		}
	}
	if err := con.tables(con.format(c.Format), found, rules); err != nil {
		return err
	}
	if len(findings) > 0 {
		fmt.Fprintln(con)
	}
	fmt.Fprintf(con, "%d items, %d with findings\n", items, len(bad))
	return nil
}

// promptsCmd renders what generate_sql asks, and repair_sql for items with a wrong query, so that a model is
// trained on the very bytes that it will read.
type promptsCmd struct {
	Items string `help:"Questions with gold queries: benchmark or train (our own), or a file of JSON, JSON lines or CSV." required:"" placeholder:"FILE"`
	FolderFlag
	Prompts string `help:"Prompt set, ${enum} (${default})." enum:"default,typed,dissertation" default:"default" placeholder:"SET"`
	Notes   string `help:"Glossary of the database; the demo database brings its own; none leaves it out." placeholder:"FILE"`

	DrawnPairsFlags
	QueryFlags
}

// prompted is an item as a model reads it, and the answer that it is to give.
type prompted struct {
	ID       string        `json:"id"`
	Database string        `json:"database,omitempty"`
	Messages []llm.Message `json:"messages"`
	SQL      string        `json:"sql"`
}

// refusal is why the checker does not let an item's wrong query through.
func refusal(ctx context.Context, x *score.Executor, it item.Item) (sqlcheck.Verdict, error) {
	o, err := x.Run(ctx, it.Wrong)
	if err == nil && o.Verdict.OK {
		err = fmt.Errorf("item %s: its wrong query passes the check, so that there is nothing to repair", it.ID)
	}
	return o.Verdict, err
}

// messages are what a model reads with an item, of whose database there may be verified pairs.
func messages(
	ctx context.Context, x *score.Executor, it item.Item, prompts *tools.Prompts, pairs *tools.Book,
) ([]llm.Message, error) {
	if it.Wrong == "" {
		q := answer.Question{Text: it.Question, Behind: answer.Behind(it.Behind), Pairs: pairs}
		return answer.Prompt(*prompts, q, x.Schema)
	}
	verdict, err := refusal(ctx, x, it)
	if err != nil {
		return nil, err
	}
	env := tools.Env{Asked: question.Read(it.Question, x.Schema), Schema: x.Schema, SQL: it.Wrong}
	env.Focus, _ = prompts.Focus(env.Asked, x.Schema)
	env.Err = verdict.Advice()
	return prompts.Repair(env)
}

// Run writes a line an item, those of one database together. The benchmark's questions are for scoring, and refused.
func (c *promptsCmd) Run(ctx context.Context, con *console) (err error) {
	if c.Items == "benchmark" {
		return failure{exitUsage,
			errors.New("--items benchmark is for scoring: a model that was trained on it cannot be scored with it")}
	}
	items, err := item.Load(c.Items)
	if err != nil {
		return brief(err)
	}
	notes, err := readNotes(c.Notes, c.DB, c.Databases)
	if err != nil {
		return err
	}
	prompts, err := tools.NewPrompts(c.Prompts, notes)
	if err != nil {
		return err
	}
	pairs, err := c.drawn(c.Databases)
	if err != nil {
		return err
	}
	groups, err := byDatabase(items, c.Databases)
	if err != nil {
		return err
	}
	dbs := c.databases(c.Databases, runner.Limits{Rows: c.MaxRows})
	defer func() { err = errors.Join(err, dbs.Close()) }()
	bar := con.progress()
	defer bar.clear()
	for i, group := range groups {
		bar.show("database %d of %d", i+1, len(groups))
		x, err := dbs.Executor(ctx, group[0].Database)
		if err == nil && c.Databases == "" {
			if notes, err = c.notes(c.Notes, notes, x.Schema); err == nil {
				prompts, err = tools.NewPrompts(c.Prompts, notes)
			}
		}
		if err != nil {
			return err
		}
		for _, it := range group {
			book, err := pairs.Of(it, x.Schema)
			if err != nil {
				return err
			}
			msgs, err := messages(ctx, x, it, prompts, book)
			if err != nil {
				return err
			}
			if err := render.WriteJSON(con, prompted{it.ID, it.Database, msgs, it.SQL}); err != nil {
				return err
			}
		}
	}
	return nil
}
