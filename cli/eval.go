package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/runs"
	"nl2sql/evaluation/score"
	"nl2sql/loop/answer"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

type evalCmd struct {
	ProfileFlag
	MethodFlags
	ShotsFlags
	FolderFlag

	Items string `help:"Questions with gold queries: benchmark, our own about the demo database, or a file: JSON, JSON lines or CSV, with a column database where each has its own. Default ${default}." default:"benchmark" placeholder:"FILE"`
	Limit int    `help:"Only N items, drawn from all of them; 0 means all." default:"0" placeholder:"N" range:"0.."`
	First bool   `help:"Of --limit: the first N."`
	Draw  uint64 `help:"Of --limit: seed of the draw; runs that are compared need the same (${default})." default:"1" placeholder:"SEED" range:"0.."`
	DrawnPairsFlags
	Suite string `help:"Folder of a test suite of --db, which adds TS; its databases are embedded ones." placeholder:"DIR"`
	Out   string `help:"Folder for the run. If it holds the same run, unfinished, that goes on." required:"" placeholder:"DIR"`
	Name  string `help:"Name of the condition that runs with other seeds share; MODEL_AGENT_kK if absent." placeholder:"NAME"`
	FiguresFlag
	ModelFlags
	DatabaseFlags
}

// Validate makes wrong values usage errors.
func (c *evalCmd) Validate(given *kong.Context) error {
	switch err := c.MethodFlags.Validate(given); {
	case err != nil: // kong would ask it after this
		return err
	case c.First && c.Limit == 0:
		return errors.New("--first needs --limit: how many?")
	case c.Suite != "" && c.Role != "":
		return errors.New("--suite has whole databases: not with --role")
	case c.Suite != "" && c.Databases != "":
		return errors.New("--suite is of one database, --databases are several")
	case c.Shots > 0 && c.Pool == "" && c.Items != "benchmark":
		return errors.New("--shots needs --pool: where do the exemplars come from?")
	}
	if c.Items == "benchmark" && isGiven(given, "db", true) { // it is about the demo database alone
		c.DB = "embedded"
	}
	return nil
}

// Run makes a run, or what is missing of it, and prints its scores.
func (c *evalCmd) Run(ctx context.Context, con *console) (err error) {
	b := newBench()
	defer func() { err = errors.Join(err, b.close()) }()
	j, err := c.prepare(ctx, con, b)
	if err != nil {
		return err
	}
	run, err := j.run(ctx, con, b, func(live runs.Live) (record.Run, error) { return makeRun(ctx, con, live, c.Out) })
	if err != nil {
		return err
	}
	return c.print(con, run)
}

// job is a run with all that it needs but its model, and what its folder has of it.
type job struct {
	*evalCmd
	live   runs.Live
	method answer.Method
	notes  tools.Notes
	src    source
	held   record.Run
}

// prepare opens what the run needs, but loads no model. A folder that holds another run is refused.
func (c *evalCmd) prepare(ctx context.Context, con *console, b *bench) (*job, error) {
	items, pool, err := c.load()
	if err != nil {
		return nil, err
	}
	j := &job{evalCmd: c, method: c.method}
	prompts := ""
	if j.src, prompts, err = b.source(ctx, con, &c.ModelFlags, c.Prompts, c.method.Taught()); err != nil {
		return nil, err
	}
	j.method = c.method.On(prompts, j.src.inProcess())
	if j.src.replay != nil && c.Parallel > 1 {
		return nil, failure{exitUsage, errors.New("scripted replies have one order: --parallel must be 1")}
	}
	if j.notes, err = readNotes(c.Notes, c.DB, c.Databases); err != nil {
		return nil, err
	}
	dbs := b.on(&c.DatabaseFlags, c.Databases)
	if c.Databases == "" && (len(j.notes) > 0 || c.Role != "") {
		if j.notes, pool.Items, err = c.within(ctx, dbs, c.Notes, j.notes, pool.Items); err != nil {
			return nil, err
		}
	}
	if j.live, err = b.live(ctx, con, &c.ModelFlags, j.src, j.method, j.notes, dbs, items); err != nil {
		return nil, err
	}
	j.live.Pool = pool
	if c.Suite != "" {
		tests, err := b.suite(ctx, c.Suite)
		if err != nil {
			return nil, err
		}
		if err := j.live.TestOn(tests); err != nil {
			return nil, err
		}
	}
	if j.live.Pairs, err = c.pairs(&j.live.Card); err != nil {
		return nil, err
	}
	c.describe(&j.live.Card)
	if c.Shots > 0 {
		j.live.Card.Params["pool_sha256"] = item.Hash(pool.Items)
	}
	j.held, err = j.live.Held(c.Out)
	return j, err
}

// within are the notes and the exemplars that fit what a role sees of the one database.
func (f *DatabaseFlags) within(
	ctx context.Context, dbs *score.Databases, named string, notes tools.Notes, pool []item.Item,
) (tools.Notes, []item.Item, error) {
	x, err := dbs.Executor(ctx, "")
	if err == nil {
		notes, err = f.notes(named, notes, x.Schema)
	}
	if err == nil {
		pool, err = f.seen(pool, x.Schema)
	}
	return notes, pool, err
}

// run makes what is missing of the run. Where nothing is, no model is loaded.
func (j *job) run(
	ctx context.Context, con *console, b *bench, answer func(runs.Live) (record.Run, error),
) (record.Run, error) {
	if len(j.held.Records) == len(j.live.Items) {
		j.live.Card.Engine = j.held.Card.Engine
	} else if err := b.load(ctx, con, &j.ModelFlags, j.src, j.method, j.notes, &j.live); err != nil {
		return record.Run{}, err
	}
	if j.src.replay != nil { // its replies begin where the run ended
		for _, r := range j.held.Records {
			j.src.replay.Skip(r.Calls)
		}
	}
	return answer(j.live)
}

// load reads the items and the exemplars.
func (c *evalCmd) load() (items []item.Item, pool item.Pool, err error) {
	if items, err = item.Load(c.Items); err != nil {
		return nil, pool, brief(err)
	}
	switch {
	case c.Shots == 0:
	case c.Pool == "test":
		pool = item.Pool{Name: "test", Items: items}
	default:
		if pool, err = loadPool(c.Pool); err != nil {
			return nil, pool, err
		}
	}
	if c.First {
		items = items[:min(c.Limit, len(items))]
	} else {
		items = item.Sample(items, c.Limit, c.Draw)
	}
	if c.Databases == "" {
		items, pool.Items = onOne(items), onOne(pool.Items)
	}
	return items, pool, nil
}

// pairs reads --pairs-from, and says so on the card.
func (c *evalCmd) pairs(card *record.Card) (*runs.Pairs, error) {
	if c.PairsFrom == "" {
		return nil, nil
	}
	if err := answer.Refuses(c.Agent, "pairs-from"); err != nil {
		return nil, failure{exitUsage, err}
	}
	pairs, err := c.drawn(c.Databases)
	if err == nil {
		card.Params["pairs_sha256"], card.Params["pairs"] = item.Hash(pairs.Items), c.PairsCount
	}
	return pairs, err
}

// DrawnPairsFlags are of commands that show verified pairs out of items.
type DrawnPairsFlags struct {
	Seed       string `help:"Seed of the draws of exemplars and pairs, a number or a text, as Python's random takes it (${default})." default:"7" placeholder:"SEED"`
	PairsFrom  string `help:"Verified pairs for the questions: items, of which each question is shown the nearest of those that were drawn for its database, never itself or one with its gold query (none)." placeholder:"FILE"`
	PairsCount int    `help:"Of --pairs-from: pairs that are drawn for a database, by --seed (${default}); a list of numbers in a grid makes a learning curve." default:"20" placeholder:"N" range:"0..10000"`
}

// drawn are the pairs that there are for a run; nil without --pairs-from.
func (f *DrawnPairsFlags) drawn(databases string) (*runs.Pairs, error) {
	if f.PairsFrom == "" {
		return nil, nil
	}
	items, err := item.Load(f.PairsFrom)
	if err != nil {
		return nil, brief(err)
	}
	if databases == "" {
		items = onOne(items)
	}
	return &runs.Pairs{Items: items, Count: f.PairsCount, Seed: f.Seed}, nil
}

// describe writes into the card what the flags alone know.
func (c *evalCmd) describe(card *record.Card) {
	card.Shots, card.Seed, card.Condition = c.Shots, c.Seed, c.Name
	if c.Name == "" {
		model := strings.TrimSuffix(card.Model, filepath.Ext(card.Model))
		if card.Adapter != "" {
			model += "+adapter"
		}
		card.Condition = fmt.Sprintf("%s_%s_k%d", model, c.Agent, c.Shots)
	}
}

// print writes the rates of the profiles, each with its N, and where the run is.
func (c *evalCmd) print(con *console, run record.Run) error {
	format := con.format(c.Format)
	res := runner.Result{Columns: []string{"profile", "measure", "share", "right", "of"}}
	for _, p := range score.Profiles {
		for _, m := range score.Metrics {
			if rate := m.Rate(run.Scores(p.Name)); rate.N > 0 && scoredWith(run, p.Name) {
				res.Rows = append(res.Rows,
					[]any{p.Name, m.Name, runner.Decimal(fmt.Sprintf("%.4f", rate.Value())),
						int64(rate.Hits), int64(rate.N)})
			}
		}
	}
	if err := con.table(res, format); err != nil {
		return err
	}
	if err := c.printRefusals(con, run); err != nil {
		return err
	}
	if err := c.printOutcomes(con, run); err != nil {
		return err
	}
	tokens := promptTokensOf(run)
	if format == render.NDJSON {
		if tokens.All == 0 {
			return nil
		}
		return render.WriteJSON(con, tokens)
	}
	if tokens.All > 0 {
		fmt.Fprintf(con, "\nprompt tokens: %d, evaluated %d (%.1f %%)\n", tokens.All,
			tokens.Evaluated, 100*tokens.Share)
	}
	_, err := fmt.Fprintf(con, "\n%s\n", render.Visible(filepath.Join(c.Out, record.RunFile)))
	return err
}

// printRefusals counts the answers that were refused, where there are any or ought to be.
func (c *evalCmd) printRefusals(con *console, run record.Run) error {
	var r struct {
		Right int `json:"refused_right"` // of Ought
		Ought int `json:"ought_to_be"`   // items without an answer
		Wrong int `json:"refused_wrong"` // of those that have one
	}
	for _, rec := range run.Records {
		switch refused := rec.Refused != ""; {
		case rec.Gold == "":
			r.Ought++
			if refused {
				r.Right++
			}
		case refused:
			r.Wrong++
		}
	}
	if r.Ought+r.Wrong == 0 {
		return nil
	}
	if con.format(c.Format) == render.NDJSON {
		return render.WriteJSON(con, r)
	}
	_, err := fmt.Fprintf(con, "\nrefused: %d of %d questions without an answer, %d of %d others\n", r.Right, r.Ought,
		r.Wrong, len(run.Records)-r.Ought)
	return err
}

// printOutcomes counts right, wrong and refused answers, with a doubt and without, by the first profile of the run, and
// says what lists the wrong ones.
func (c *evalCmd) printOutcomes(con *console, run record.Run) error {
	i := slices.IndexFunc(score.Profiles, func(p score.Profile) bool { return scoredWith(run, p.Name) })
	if i < 0 {
		return nil
	}
	profile := score.Profiles[i].Name
	doubted, silent := map[record.Outcome]int64{}, map[record.Outcome]int64{}
	for _, r := range run.Records {
		if o := r.Outcome(profile); len(r.Doubts) > 0 {
			doubted[o]++
		} else {
			silent[o]++
		}
	}
	columns := []string{"answers, " + profile, "doubted", "without a doubt"}
	res := listed(columns, record.Outcomes, func(o record.Outcome) []any {
		return []any{string(o), doubted[o], silent[o]}
	})
	format := con.format(c.Format)
	if format != render.NDJSON {
		fmt.Fprintln(con)
	}
	if err := con.table(res, format); err != nil || format == render.NDJSON || len(run.Records) == 0 {
		return err
	}
	wrong := doubted[record.Wrong] + silent[record.Wrong]
	if wrong == 0 {
		return nil
	}
	_, err := fmt.Fprintf(con, "\nnl2sql report %s lists the wrong ones (%d)\n", render.Visible(c.Out), wrong)
	return err
}

// promptTokens are those of all prompts of a run, and how many of them the model evaluated: of the others it still had
// the result, from an earlier prompt that began alike.
type promptTokens struct {
	All       int     `json:"prompt_tokens"` // 0 if the model does not count
	Evaluated int     `json:"evaluated_tokens"`
	Share     float64 `json:"evaluated_share"`
}

func promptTokensOf(run record.Run) (p promptTokens) {
	for _, r := range run.Records {
		p.All += r.Prompt
		p.Evaluated += r.Prompt - r.Cached
	}
	p.Share = float64(p.Evaluated) / float64(max(1, p.All))
	return p
}

func scoredWith(run record.Run, profile string) bool {
	return slices.ContainsFunc(run.Records, func(r record.Record) bool { _, ok := r.Scores[profile]; return ok })
}

type verifyCmd struct {
	RunPath string `arg:"" name:"run" help:"Folder of a run, or its run.jsonl."`
	Items   int    `help:"How many items, spread over the run; 0 means all (${default})." default:"10" placeholder:"N" range:"0.."`
	Pool    string `help:"File that the exemplars were drawn from, if neither our own nor the run's items." placeholder:"FILE"`
	Notes   string `help:"Glossary that the run had, if not the demo database's own." placeholder:"FILE"`
	FolderFlag
	Embedding string `help:"GGUF file that made its vectors, if the run had one." placeholder:"FILE"`
	ProfileFlag
	ModelFlags
	DatabaseFlags
}

// Run answers items of a run once more, with the same model on the same data. Another program may do so: that it
// answers alike is what is shown.
func (c *verifyCmd) Run(ctx context.Context, con *console, given *kong.Context) (err error) {
	run, err := record.ReadRun(c.RunPath)
	if err != nil {
		return brief(err)
	}
	switch {
	case len(run.Records) == 0:
		return fmt.Errorf("%s has no answers", c.RunPath)
	case run.Card.ModelHash == "":
		return fmt.Errorf("%s does not say what model made it: it is no run of nl2sql eval", c.RunPath)
	}
	if err := c.fromCard(ctx, given, run.Card); err != nil {
		return err
	}
	settings := runs.SettingsOf(run.Card)
	settings.Embedding = c.Embedding
	method, err := settings.Method()
	if err != nil {
		return err
	}
	items := syntax.Map(run.Records, func(r record.Record) item.Item {
		return item.Item{ID: r.ID, Database: r.Database, Question: r.Question, SQL: r.Gold}
	})
	pool := item.Pool{Name: run.Card.Pool, Items: items}
	if c.Pool != "" || run.Card.Pool == "train" {
		if pool, err = loadPool(c.Pool); err != nil {
			return err
		}
	}
	b := newBench()
	defer func() { err = errors.Join(err, b.close()) }()
	src, _, err := b.source(ctx, con, &c.ModelFlags, method.Prompts, run.Card.Adapter != "")
	if err != nil {
		return err
	}
	notes, err := readNotes(c.Notes, c.DB, c.Databases)
	if err != nil {
		return err
	}
	dbs := b.on(&c.DatabaseFlags, c.Databases)
	if c.Role != "" {
		if notes, pool.Items, err = c.within(ctx, dbs, c.Notes, notes, pool.Items); err != nil {
			return err
		}
	}
	live, err := b.live(ctx, con, &c.ModelFlags, src, method, notes, dbs, items)
	if err != nil {
		return err
	}
	if diff := live.Card.Unlike(run.Card); diff != "" {
		return fmt.Errorf("%s was made with something else: %s", c.RunPath, diff)
	}
	if err := b.load(ctx, con, &c.ModelFlags, src, method, notes, &live); err != nil {
		return err
	}
	live.Card, live.Pool = run.Card, pool
	return c.verify(ctx, con, live, run)
}

// fromCard takes the model and the database of the run where the command line names none: neither the environment nor
// the settings are about this run. A card has no password: where the database needs one, they say what it is.
func (c *verifyCmd) fromCard(ctx context.Context, given *kong.Context, card record.Card) error {
	if db := card.Backend.Source; !isGiven(given, "db", false) && db != "" && !strings.Contains(db, "***") {
		c.DB = db
	}
	if isGiven(given, "model", false) {
		return nil
	}
	if server := card.Engine["server"]; server != "" {
		c.Model = "openai:" + server + "#" + card.Model
		return nil
	}
	all, err := usableModels(ctx)
	if err != nil {
		return err
	}
	for _, f := range all {
		if filepath.Base(f.Path) == card.Model {
			c.Model = f.Path
			return nil
		}
	}
	return fmt.Errorf("%s was made with the model %s, which is not here: name its file with --model", c.RunPath,
		card.Model)
}

// verify answers items, spread over the run.
func (c *verifyCmd) verify(ctx context.Context, con *console, live runs.Live, run record.Run) error {
	n := len(run.Records)
	if c.Items > 0 {
		n = min(n, c.Items)
	}
	bar := con.progress()
	defer bar.clear()
	for i := range n {
		bar.show("answering %d of %d", i+1, n)
		r := run.Records[i*len(run.Records)/n]
		diff, err := live.Verify(ctx, r)
		if err != nil {
			return err
		}
		if diff != "" {
			return failure{exitNo, fmt.Errorf("item %s differs: %s", r.ID, diff)}
		}
	}
	bar.clear()
	_, err := fmt.Fprintf(con, "%d of %d items answered again: no difference\n", n, len(run.Records))
	return err
}
