package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
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
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/local"
	"nl2sql/runner/render"
)

type reproduceCmd struct {
	Runs   string `help:"Folder of recorded runs; per_item_flags.csv and manifest.csv in it or beside it say what all runs scored." placeholder:"DIR"`
	Items  string `help:"Instead of --runs: items to ask --model live, in the dissertation's grid of methods (with --adapter also qlora), exemplars and seeds." placeholder:"FILE"`
	Out    string `help:"Folder for the live runs; the same command goes on with what is missing there." placeholder:"DIR"`
	Dump   string `help:"Dump of the stock ClassicModels sample; classicmodels.sql in the cache folder if absent." placeholder:"FILE"`
	Format string `help:"table, plain or markdown; ndjson has a line a figure; auto, the default, is table on a terminal, else plain." enum:"auto,table,plain,markdown,ndjson" default:"auto" placeholder:"FORMAT"`
	DBFlag        // the engine
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
func (c *reproduceCmd) Run(ctx context.Context, con *console, open *opened, given *kong.Context, set *set) (err error) {
	if bySettings(given, "db") { // that is a database, not an engine
		c.DB = "embedded"
	}
	if !slices.Contains(authorEngines, c.DB) {
		return failure{exitUsage, fmt.Errorf("--db must be %s: the database is made anew",
			strings.Join(authorEngines, ", "))}
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
	profile, err := score.ProfileNamed("dissertation")
	if err != nil {
		return err
	}
	s := &score.Scorer{Profiles: []score.Profile{profile}}
	s.Databases = (&DatabaseFlags{DBFlag: DBFlag{spec}}).scored("")
	defer func() { err = errors.Join(err, s.Databases.Close()) }()
	bar := con.progress()
	defer bar.clear()
	rescored, err := rescore.Runs(ctx, s, runs, func(done, total int) { bar.show("scoring %d of %d", done, total) })
	if err != nil {
		return err
	}
	bar.clear()
	var why []rescore.Difference
	again := make([]record.Run, len(rescored))
	for i, r := range rescored {
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
	return makeGrid(ctx, con, "dissertation.yaml", cells, c.Out, item.Shard{}, c.KernelsFlag, set)
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
		if err := errors.Join(writeJSON(con, figures...), writeJSON(con, agree...),
			writeJSON(con, why...)); err != nil {
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
		res = runner.Result{Columns: []string{"condition", "items", "VA same", "EM same", "EX same"}}
		for _, a := range agree {
			res.Rows = append(res.Rows,
				[]any{a.Condition, int64(a.Items), int64(a.Same["VA"]), int64(a.Same["EM"]), int64(a.Same["EX"])})
		}
		if err := con.table(res, format); err != nil {
			return err
		}
	}
	if len(why) == 0 {
		return nil
	}
	fmt.Fprintln(con)
	return con.table(differences(why), format)
}

// authorEngines are those that the author's database can be made on, the nearest to the recorded one first.
var authorEngines = []string{"mysql", "mariadb", "embedded"}

// authorSettings let a server break ties as the recorded one did: grouped rows go to a temporary table on disk, and of
// rows that tie those come first that were grouped first.
var authorSettings = map[string]string{"mysql": "big_tables=1"}

// dumpName is the stock dump in the cache folder.
const dumpName = "classicmodels.sql"

// openAuthor makes the database that the dissertation's recorded runs saw. rest is what follows "author" in --db:
// "", ":ENGINE", ":DUMP" or ":ENGINE:DUMP".
func openAuthor(ctx context.Context, rest string, limits runner.Limits) (runner.DB, error) {
	engine, file := authorEngines[0], strings.TrimPrefix(rest, ":")
	if name, after, _ := strings.Cut(file, ":"); slices.Contains(authorEngines, name) {
		engine, file = name, after
	}
	dump, err := stockDump(file)
	if err != nil {
		return nil, err
	}
	if engine == "embedded" {
		script, err := dissertation.StockScript(bytes.NewReader(dump), engine)
		if err != nil {
			return nil, err
		}
		stock, err := embedded.OpenDump(ctx, assets.DemoName, bytes.NewReader(script), limits)
		if err != nil {
			return nil, err
		}
		db, err := stock.Clone(ctx, dissertation.AuthorRows)
		return db, errors.Join(err, stock.Close())
	}
	script, err := dissertation.AuthorScript(bytes.NewReader(dump), engine)
	if err != nil {
		return nil, err
	}
	return local.OpenWith(ctx, local.Options{
		Engine: engine, Database: assets.DemoName, Load: bytes.NewReader(script),
		Log: func(line string) { slog.Warn(line) },
	}, authorSettings[engine], limits)
}

// stockDump reads the dump of the stock sample; "" takes the one in the cache folder.
func stockDump(file string) ([]byte, error) {
	if file != "" {
		dump, err := os.ReadFile(file)
		return dump, brief(err)
	}
	cache, err := runner.CacheFolder()
	if err != nil {
		return nil, err
	}
	file = filepath.Join(cache, dumpName)
	dump, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the stock ClassicModels dump is not part of nl2sql: name it (--db author:FILE) or "+
			"put it at %s; it is mysqlsampledatabase.sql of github.com/hhorak/mysql-sample-db", file)
	}
	return dump, brief(err)
}
