package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"nl2sql/assets"
	"nl2sql/evaluation/dissertation"
	"nl2sql/evaluation/grid"
	"nl2sql/evaluation/record"
	"nl2sql/evaluation/report"
	"nl2sql/evaluation/rescore"
	"nl2sql/evaluation/score"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/syntax"
)

type reproduceCmd struct {
	Runs  string `help:"Folder of recorded runs; per_item_flags.csv and manifest.csv in it or beside it say what all runs scored." placeholder:"DIR"`
	Items string `help:"Instead of --runs: items to ask --model live, in the dissertation's grid of methods (with --adapter also qlora), exemplars and seeds." placeholder:"FILE"`
	Out   string `help:"Folder for the live runs; the same command goes on with what is missing there." placeholder:"DIR"`
	Dump  string `help:"Dump of the stock ClassicModels sample; classicmodels.sql in the cache folder if absent." placeholder:"FILE"`
	FiguresFlag
	DBFlag // the engine
	ModelFlags
}

// whereRuns says where what we may not ship is published.
const whereRuns = "the recorded runs are results/final_pack of github.com/MacKenzieOBrian/NLtoSQL"

// Validate makes wrong values usage errors.
func (c *reproduceCmd) Validate() error {
	switch {
	case (c.Runs == "") == (c.Items == ""):
		return errors.New("give --runs, recorded runs, or --items, questions for a live model")
	case (c.Items == "") != (c.Out == ""):
		return errors.New("--items and --out go together")
	}
	return nil
}

// Run rebuilds the author's database, runs the recorded SQL again and prints the published table beside ours.
func (c *reproduceCmd) Run(ctx context.Context, con *console, open *opened, given *kong.Context, set *set) error {
	if isGiven(given, "db", true) { // that is a database, not an engine
		c.DB = "embedded"
	}
	if !slices.Contains(dissertation.Engines, c.DB) {
		return failure{exitUsage, fmt.Errorf("--db must be %s: the database is made anew",
			strings.Join(dissertation.Engines, ", "))}
	}
	spec := "author:" + c.DB
	if c.Dump != "" {
		spec += ":" + c.Dump
	}
	if c.Items != "" {
		runs, err := c.live(ctx, con, open, spec, given, set)
		if err != nil {
			return err
		}
		return c.print(con, runs, nil, nil)
	}
	runs, flags, err := c.read()
	if err != nil {
		return err
	}
	s, err := scorerOf(ctx, open, &DatabaseFlags{DBFlag: DBFlag{spec}}, "", "", "", "dissertation")
	if err != nil {
		return err
	}
	scored, err := rescored(ctx, con, s, runs)
	if err != nil {
		return err
	}
	var why []rescore.Difference
	again := make([]record.Run, len(scored))
	for i, r := range scored {
		again[i] = r.Again
		why = append(why, r.Why...)
		for j := range again[i].Records { // no replicas: TS stays as recorded
			got := again[i].Records[j].Scores["dissertation"]
			got.TS = r.Run.Records[j].Scores["dissertation"].TS
			again[i].Records[j].Scores = map[string]score.Score{"dissertation": got}
		}
	}
	return c.print(con, again, flags, why)
}

// live makes the runs of the dissertation's grid in --out, or what is missing of them: a folder each. Without an
// adapter those that need one are left out.
func (c *reproduceCmd) live(
	ctx context.Context, con *console, open *opened, spec string, given *kong.Context, set *set,
) ([]record.Run, error) {
	keys, _ := evalKeys(ctx, given, set)
	keys.Given["db"] = spec
	if c.named() == "" {
		delete(keys.Given, "adapter")
	}
	text, err := assets.Grid("dissertation")
	if err != nil {
		return nil, err
	}
	cells, err := grid.Read("dissertation.yaml", text, keys)
	if err != nil {
		return nil, err
	}
	cells = slices.DeleteFunc(cells, func(cell grid.Cell) bool { return len(cell.Open) > 0 })
	src, err := c.source(ctx, con, open, c.remote())
	if err != nil {
		return nil, err
	}
	for i := range cells {
		cells[i].Model = dissertation.GridModel(c.engine(src).Name)
	}
	return makeGrid(ctx, con, "dissertation.yaml", cells, c.Out, c.KernelsFlag, set)
}

// read reads the runs, and the flags if they are there.
func (c *reproduceCmd) read() (runs, flags []record.Run, err error) {
	files, err := filepath.Glob(filepath.Join(c.Runs, "*.json"))
	if err != nil {
		return nil, nil, err
	}
	if len(files) == 0 { // folders of our own runs, or nothing
		files = []string{c.Runs}
	}
	if _, err := os.Stat(c.Runs); err != nil {
		return nil, nil, fmt.Errorf("%w; %s", brief(err), whereRuns)
	}
	if runs, err = record.ReadRuns(files); err != nil {
		return nil, nil, fmt.Errorf("%w; %s", brief(err), whereRuns)
	}
	for _, dir := range []string{c.Runs, filepath.Join(c.Runs, "..")} {
		for _, name := range []string{"per_item_flags.csv", "per_item.csv"} {
			file := filepath.Join(dir, name)
			if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
				continue
			}
			flags, err = record.ReadFlags(file, filepath.Join(dir, "manifest.csv"))
			return runs, flags, brief(err)
		}
	}
	return runs, nil, nil
}

// print writes the table and, where the runs are not whole, how they compare with the flags. What differs is exit code
// 2.
func (c *reproduceCmd) print(con *console, again, flags []record.Run, why []rescore.Difference) error {
	whole := !slices.ContainsFunc(again,
		func(r record.Run) bool { return len(r.Records) != dissertation.PublishedItems })
	table, from := again, "the recorded SQL, run again (TS as recorded)"
	switch {
	case c.Items != "":
		from = "the live runs in " + c.Out
	case !whole && flags != nil:
		table, from = flags, "the recorded flags"
	}
	conditions, err := report.Conditions(table)
	if err != nil {
		return err
	}
	figures := dissertation.Reproduce(conditions, "dissertation")
	var agree []dissertation.Agreement
	if flags != nil {
		agree = dissertation.CompareFlags(again, flags, "dissertation")
	}
	comparable := whole || flags != nil
	differ := 0
	for _, f := range figures {
		if comparable && !f.Same() {
			differ++
		}
	}
	for _, a := range agree {
		differ += len(a.Unlike) + len(a.NoFlags)
	}
	format := con.format(c.Format)
	if format == render.NDJSON {
		if err := errors.Join(render.WriteJSON(con, figures...), render.WriteJSON(con, agree...),
			render.WriteJSON(con, why...)); err != nil {
			return err
		}
	} else if err := c.tables(con, format, from, comparable, figures, agree, why); err != nil {
		return err
	}
	if c.Runs != "" && (differ > 0 || !comparable) {
		return failure{code: exitNo}
	}
	return nil
}

func (c *reproduceCmd) tables(
	con *console, format render.Format, from string, comparable bool, figures []dissertation.Figure,
	agree []dissertation.Agreement, why []rescore.Difference,
) error {
	fmt.Fprintf(con, "Figures of %s.\n", from)
	if !comparable {
		why := " and there is no per_item_flags.csv"
		if c.Items != "" {
			why = ""
		}
		fmt.Fprintf(con, "The runs have fewer than %d items%s: these figures are not comparable.\n",
			dissertation.PublishedItems, why)
	}
	number := func(v *float64, places int) string {
		if v == nil {
			return "-"
		}
		return fmt.Sprintf("%.*f", places, *v)
	}
	res := runner.Result{Columns: []string{"of", "measure", "runs", "ours", "published", "difference"}}
	for _, f := range figures {
		diff, places := "-", 6
		if f.Measure == "p" {
			places = 9
		}
		if d, both := f.Difference(); both {
			if f.Same() {
				d = 0
			}
			diff = number(&d, places)
		}
		res.Rows = append(res.Rows,
			[]any{f.Of, f.Measure, int64(f.N), number(f.Ours, places), number(f.Published, places), diff})
	}
	if err := con.table(res, format); err != nil {
		return err
	}
	if len(agree) > 0 {
		fmt.Fprint(con, "\nThe recorded SQL, run again, against the recorded flags, item by item.\n")
		columns := []string{"condition", "items", "VA same", "EM same", "EX same"}
		if err := con.table(listed(columns, agree, func(a dissertation.Agreement) []any {
			return []any{a.Condition, int64(a.Items), int64(a.Same["VA"]), int64(a.Same["EM"]), int64(a.Same["EX"])}
		}), format); err != nil {
			return err
		}
	}
	if len(why) == 0 {
		return nil
	}
	fmt.Fprintln(con)
	return con.table(differences(why), format)
}

type reguardCmd struct {
	Runs    []string `arg:"" name:"run" help:"Runs: folders, run.jsonl files, the original's JSON, or folders of them."`
	Guards  string   `help:"A set (default, seed, final, none) or names of guards; -NAME takes one out (${default})." default:"default" placeholder:"GUARDS"`
	Profile string   `help:"Profile whose EX says what is right (${default})." default:"dissertation" placeholder:"NAME"`
	Items   string   `help:"Items that were asked, for their accepted golds, difficulties and tags." placeholder:"FILE"`
	FolderFlag
	Rules  bool `help:"Show what each guard saves and harms: how many are right with it and wrong without, and the other way round."`
	Left   bool `help:"List what is wrong after the guards, by class."`
	Broken bool `help:"List what was right before the guards and is wrong after."`
	FiguresFlag
	DatabaseFlags
}

// Run scores recorded answers before and after guards.
func (c *reguardCmd) Run(ctx context.Context, con *console, open *opened) error {
	guards, err := guard.ParseSet(c.Guards)
	if err != nil {
		return failure{exitUsage, err}
	}
	s, err := scorerOf(ctx, open, &c.DatabaseFlags, c.Databases, c.Items, "", c.Profile)
	if err != nil {
		return err
	}
	runs, err := record.ReadRuns(c.Runs)
	if err != nil {
		return brief(err)
	}
	p := &rescore.Reguard{Scorer: s, Profile: c.Profile, Guards: guards}
	bar := con.progress()
	defer bar.clear()
	all, err := p.Run(ctx, runs, func(done, total int) { bar.show("guarding %d of %d", done, total) })
	if err != nil {
		return err
	}
	var rules []rescore.Rule
	if c.Rules {
		bar.show("leaving out one guard after the other")
		if rules, err = p.Rules(ctx, runs, all); err != nil {
			return err
		}
	}
	bar.clear()
	return c.print(con, p, runs, all, rules)
}

// outcome is what replaying shows.
type outcome struct {
	conditions []rescore.Sum // and all together
	rules      []rescore.Rule
	left       []rescore.Left
	broken     []rescore.Reguarded
}

func (c *reguardCmd) print(
	con *console, p *rescore.Reguard, runs []record.Run, all [][]rescore.Reguarded, rules []rescore.Rule,
) error {
	o := outcome{rules: rules}
	o.conditions = p.Sums(syntax.Map(runs, report.ConditionName), all)
	if c.Broken {
		o.broken = p.Broken(all)
	}
	if c.Left {
		o.left = p.Left(all)
	}
	format := con.format(c.Format)
	if format == render.NDJSON {
		lines := syntax.Map(o.broken, func(b rescore.Reguarded) any {
			return map[string]any{"broken": b.Record.ID, "nlq": b.Record.Question, "gold_sql": b.Record.Gold,
				"raw_sql": b.Record.Raw, "sql": b.SQL, "guards": b.Changed}
		})
		return errors.Join(render.WriteJSON(con, o.conditions...), render.WriteJSON(con, o.rules...),
			render.WriteJSON(con, o.left...), render.WriteJSON(con, lines...))
	}
	return con.tables(format, c.tables(o)...)
}

// tables are what the flags ask for.
func (c *reguardCmd) tables(o outcome) []runner.Result {
	out := []runner.Result{listed([]string{"condition", "answers", "EX before", "EX after", "fixed", "broken",
		"columns by oracle", "do not run"}, o.conditions, func(r rescore.Sum) []any {
		return []any{r.Condition, int64(r.Before.N), share(r.Before), share(r.After), int64(r.Fixed), int64(r.Broken),
			share(r.Bound), share(r.Errors)}
	})}
	if c.Rules {
		columns := []string{"guard", "texts changed", "saved", "harmed"}
		out = append(out, listed(columns, o.rules, func(r rescore.Rule) []any {
			return []any{r.Guard, int64(r.Texts), int64(r.Saved), int64(r.Harmed)}
		}))
	}
	if c.Left {
		counts := map[score.Class][2]int{}
		for _, l := range o.left {
			n := counts[l.Class]
			counts[l.Class] = [2]int{n[0] + l.Times, n[1] + 1}
		}
		res := runner.Result{Columns: []string{"class of what is left", "answers", "different ones"}}
		for _, class := range score.Classes {
			if n := counts[class]; n[0] > 0 {
				res.Rows = append(res.Rows, []any{class.Words(), int64(n[0]), int64(n[1])})
			}
		}
		columns := []string{"class", "times", "detail", "question", "gold", "after the guards"}
		out = append(out, res, listed(columns, o.left, func(l rescore.Left) []any {
			return []any{l.Class.Words(), int64(l.Times), syntax.OneLine(l.Detail), syntax.OneLine(l.Question),
				syntax.OneLine(l.Gold), syntax.OneLine(l.SQL)}
		}))
	}
	if len(o.broken) > 0 {
		columns := []string{"broken", "guards", "question", "before", "after"}
		out = append(out, listed(columns, o.broken, func(b rescore.Reguarded) []any {
			return []any{b.Record.ID, strings.Join(b.Changed, ", "), syntax.OneLine(b.Record.Question),
				syntax.OneLine(b.Record.Raw), syntax.OneLine(b.SQL)}
		}))
	}
	return out
}

func share(r score.Rate) string { return fmt.Sprintf("%.3f", r.Value()) }

var openAuthor = dissertation.Open // a database that runs of the dissertation saw, by the path of its dump
