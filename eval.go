package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"nl2sql/assets"
	"nl2sql/evaluation"
	"nl2sql/llm"
	"nl2sql/llm/llamacpp"
	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck"
	"nl2sql/tools"
)

type evalCmd struct {
	evalAgent
	Items   string `help:"Questions with gold queries: benchmark, our own about the demo database, or a file: JSON, JSON lines or CSV, with a column database where each has its own. Default ${default}." default:"benchmark" placeholder:"FILE"`
	Limit   int    `help:"Only the first N items; 0 means all." default:"0" placeholder:"N"`
	Pool    string `help:"Exemplars: train, our own, the default for the benchmark; test, the items themselves, as the dissertation had it; or a file. But for test, none has the question or the gold query of the item." placeholder:"POOL"`
	Suite   string `help:"Folder of a test suite of --db, which adds TS; its databases are embedded ones." placeholder:"DIR"`
	Out     string `help:"Folder for the run. If it holds the same run, unfinished, that goes on." required:"" placeholder:"DIR"`
	Records string `help:"nl2sql (run.jsonl alone), or dissertation: also the original's JSON, in both of its shapes." enum:"nl2sql,dissertation" default:"nl2sql" placeholder:"FORMAT"`
	Name    string `help:"Name of the condition that runs with other seeds share; MODEL_AGENT_kK if absent." placeholder:"NAME"`
	Format  string `help:"table, plain, markdown or ndjson; auto, the default, is table on a terminal, else plain." enum:"auto,table,plain,markdown,ndjson" default:"auto" placeholder:"FORMAT"`
}

// evalAgent is what shapes an answer.
type evalAgent struct {
	Agent     string `help:"loop (ours), baseline (few-shot prompting) or react (query and finish), the last two as the dissertation ran them. Default ${default}." enum:"loop,baseline,react" default:"loop" placeholder:"AGENT"`
	Shots     int    `help:"Exemplars a question, for baseline and react (${default})." default:"0" placeholder:"K"`
	Seed      string `help:"Seed of the exemplar draw, a number or a text, as Python's random takes it (${default})." default:"7" placeholder:"SEED"`
	Plan      string `help:"Of loop: who chooses the next action, model or fixed (${default})." enum:"model,fixed" default:"fixed" placeholder:"PLAN"`
	Guards    string `help:"Rules that mend the model's SQL; the default is default for loop, none for baseline, final for react." placeholder:"SET"`
	Prompts   string `help:"Of loop: prompt set, ${enum} (${default})." enum:"default,dissertation" default:"default" placeholder:"SET"`
	Notes     string `help:"Of loop: glossary of the database; the demo database brings its own; none leaves it out." placeholder:"FILE"`
	Constrain string `help:"What the model's texts must keep to, of loop and baseline: action (the turns of --plan model), sql (MySQL's words and the schema's names), all, or off. Default ${default}." enum:"off,action,sql,all" default:"off" placeholder:"WHAT"`
	MaxSteps  int    `help:"Most steps of loop and react; 0 means 8 and 7." default:"0" placeholder:"N"`
	Databases string `help:"Folder of databases, NAME/schema.sql and NAME/data/TABLE.csv, for items that name theirs; else all items are about --db." placeholder:"DIR"`
}

// Validate makes wrong values usage errors.
func (c *evalAgent) Validate() error {
	if c.Guards == "" {
		c.Guards = map[string]string{"loop": "default", "baseline": "none", "react": "final"}[c.Agent]
	}
	_, err := sqlcheck.GuardSet(c.Guards)
	switch {
	case err != nil:
		return fmt.Errorf("--guards: %w", err)
	case c.MaxSteps < 0:
		return errors.New("--max-steps must not be negative")
	case c.Agent == "react" && c.Constrain != "off":
		return errors.New("--constrain needs --agent loop or baseline: react runs as the dissertation ran it")
	case c.Shots < 0:
		return errors.New("--shots must not be negative")
	case c.Shots > 0 && c.Agent == "loop":
		return errors.New("--shots needs --agent baseline or react: loop shows no exemplars")
	}
	return nil
}

// Validate makes wrong values usage errors.
func (c *evalCmd) Validate() error {
	err := c.evalAgent.Validate()
	switch {
	case err != nil:
		return err
	case c.Limit < 0:
		return errors.New("--limit must not be negative")
	case c.Shots > 0 && c.Pool == "" && c.Items != "benchmark":
		return errors.New("--shots needs --pool: where do the exemplars come from?")
	}
	return nil
}

// Run makes a run, or what is missing of it, and prints its scores.
func (c *evalCmd) Run(ctx context.Context, con *console, app *cli) (err error) {
	live := evaluation.Live{Parallel: app.Parallel} // a model works on as many prompts at once
	if live.Items, err = loadItems(c.Items); err != nil {
		return err
	}
	switch {
	case c.Shots == 0:
	case c.Pool == "test":
		live.Pool = evaluation.Pool{Name: "test", Items: live.Items}
	default:
		if live.Pool, err = loadPool(c.Pool); err != nil {
			return err
		}
	}
	if c.Limit > 0 {
		live.Items = live.Items[:min(c.Limit, len(live.Items))]
	}
	if c.Databases == "" { // all on the one database
		live.Items = slices.Clone(live.Items)
		live.Pool.Items = slices.Clone(live.Pool.Items)
		for _, items := range [][]evaluation.Item{live.Items, live.Pool.Items} {
			for i := range items {
				items[i].Database = ""
			}
		}
	}
	setup, err := c.setUp(ctx, con, app, live.Items)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, setup.dbs.Close()) }()
	live.Card, live.Agent, live.Scorer = setup.card, setup.agent, &evaluation.Scorer{Databases: setup.dbs}
	for _, name := range []string{"strict", "dissertation"} {
		p, err := evaluation.ProfileNamed(name)
		if err != nil {
			return err
		}
		live.Scorer.Profiles = append(live.Scorer.Profiles, p)
	}
	if c.Suite != "" {
		if c.Databases != "" {
			return failure{exitUsage, errors.New("--suite is of one database, --databases are several")}
		}
		var suite *evaluation.Suite
		suite, err = evaluation.OpenSuite(ctx, c.Suite, loadSuite)
		if err != nil {
			return brief(err)
		}
		defer func() { err = errors.Join(err, suite.Close()) }()
		live.Scorer.Replicas = func(context.Context, string) ([]*evaluation.Executor, error) { return suite.Databases, nil }
		live.Card.Replicas = len(suite.Databases)
		if live.Card.Params["suite_sha256"], err = jsonHash(suite.Card); err != nil {
			return err
		}
	}
	live.Card.Shots, live.Card.Seed, live.Card.Condition = c.Shots, c.Seed, c.Name
	if c.Name == "" {
		model := strings.TrimSuffix(live.Card.Model, filepath.Ext(live.Card.Model))
		if live.Card.Adapter != "" {
			model += "+adapter"
		}
		live.Card.Condition = fmt.Sprintf("%s_%s_k%d", model, c.Agent, c.Shots)
	}
	if c.Shots > 0 {
		live.Card.Params["pool_sha256"] = evaluation.ItemsHash(live.Pool.Items)
	}
	if replay, ok := setup.model.(*llm.Replay); ok {
		if app.Parallel > 1 {
			return failure{exitUsage, errors.New("scripted replies have one order: --parallel must be 1")}
		}
		if old, err := evaluation.ReadRun(c.Out); err == nil {
			for _, r := range old.Records {
				replay.Skip(r.Calls)
			}
		}
	}
	run, err := c.answer(ctx, con, live)
	if err != nil {
		return err
	}
	if c.Records == "dissertation" {
		if _, err := evaluation.WriteDissertationRun(ctx, c.Out, run, setup.dbs); err != nil {
			return err
		}
	}
	return c.print(con, run)
}

// loadItems reads a file, or our own items.
func loadItems(name string) ([]evaluation.Item, error) {
	switch name {
	case "benchmark":
		return evaluation.ReadItems(strings.NewReader(assets.Benchmark))
	case "train":
		return evaluation.ReadItems(strings.NewReader(assets.Train))
	}
	items, err := evaluation.LoadItems(name)
	return items, brief(err)
}

// loadPool reads exemplars; "" means our own.
func loadPool(name string) (evaluation.Pool, error) {
	if name == "" {
		name = "train"
	}
	items, err := loadItems(name)
	return evaluation.Pool{Name: filepath.Base(name), Items: items}, err
}

// answer shows how far the run is. Where it ends early, it says how to go on.
func (c *evalCmd) answer(ctx context.Context, con *console, live evaluation.Live) (evaluation.Run, error) {
	bar := con.progress()
	done, start, first := 0, time.Now(), -1
	live.Progress = func(n, total int) {
		if done = n; first < 0 {
			first = n
		}
		bar.show("%s", progressText(n, total, n-first, time.Since(start)))
	}
	run, err := live.Run(ctx, c.Out)
	bar.clear()
	if err != nil && done > 0 {
		goOn := fmt.Sprintf("%d of %d items are in %s: the same command goes on", done, len(live.Items), c.Out)
		if ctx.Err() != nil { // main says "interrupted"
			fmt.Fprintf(con.err, "nl2sql: %s\n", render.Visible(goOn))
		} else {
			err = fmt.Errorf("%w (%s)", err, goOn)
		}
	}
	return run, err
}

// progressText is how many items are done, how many a minute, and how long the rest takes at that rate; made is how many
// took that long.
func progressText(done, total, made int, took time.Duration) string {
	text := fmt.Sprintf("%d of %d items  %d %%", done, total, 100*done/max(1, total))
	if made > 0 {
		each := took / time.Duration(made)
		text += fmt.Sprintf("  %.1f a minute  %s left", float64(time.Minute)/float64(max(1, each)), (each * time.Duration(total-done)).Round(time.Second))
	}
	return text
}

// print writes the rates of both profiles, each with its N, and where the run is.
func (c *evalCmd) print(con *console, run evaluation.Run) error {
	format := con.format(c.Format)
	res := runner.Result{Columns: []string{"profile", "measure", "share", "right", "of"}}
	for _, p := range evaluation.Profiles {
		for _, m := range evaluation.Metrics {
			if rate := m.Rate(run, p.Name); rate.N > 0 && scoredWith(run, p.Name) {
				res.Rows = append(res.Rows, []any{p.Name, m.Name, runner.Decimal(fmt.Sprintf("%.4f", rate.Value())), int64(rate.Hits), int64(rate.N)})
			}
		}
	}
	if err := con.rows(res, format); err != nil {
		return err
	}
	tokens := promptTokensOf(run)
	if format == render.NDJSON {
		if tokens.All == 0 {
			return nil
		}
		return json.NewEncoder(con).Encode(tokens)
	}
	if tokens.All > 0 {
		fmt.Fprintf(con, "\nprompt tokens: %d, evaluated %d (%.1f %%)\n", tokens.All, tokens.Evaluated, 100*tokens.Share)
	}
	_, err := fmt.Fprintf(con, "\n%s\n", render.Visible(filepath.Join(c.Out, evaluation.RunFile)))
	return err
}

// promptTokens are those of all prompts of a run, and how many of them the model evaluated: of the others it still had the
// result, from an earlier prompt that began alike.
type promptTokens struct {
	All       int     `json:"prompt_tokens"` // 0 if the model does not count
	Evaluated int     `json:"evaluated_tokens"`
	Share     float64 `json:"evaluated_share"`
}

func promptTokensOf(run evaluation.Run) (p promptTokens) {
	for _, r := range run.Records {
		p.All += r.Prompt
		p.Evaluated += r.Prompt - r.Cached
	}
	p.Share = float64(p.Evaluated) / float64(max(1, p.All))
	return p
}

func scoredWith(run evaluation.Run, profile string) bool {
	return slices.ContainsFunc(run.Records, func(r evaluation.Record) bool { _, ok := r.Scores[profile]; return ok })
}

// evalSetup is what runs: the model, the databases, the agent on both, and the card that says so.
type evalSetup struct {
	card  evaluation.Card
	model llm.Generator
	dbs   *evaluation.Databases
	agent func(x *evaluation.Executor, shots []loop.Exemplar) evaluation.Answerer
}

// setUp opens everything that can fail before the first question does.
func (c *evalAgent) setUp(ctx context.Context, con *console, app *cli, items []evaluation.Item) (_ *evalSetup, err error) {
	src, err := app.source(ctx)
	if err != nil {
		return nil, err
	}
	guards, err := sqlcheck.GuardSet(c.Guards)
	if err != nil {
		return nil, err
	}
	notes, err := readNotes(c.Notes, app.DB)
	if err != nil {
		return nil, err
	}
	prompts, err := tools.NewPrompts(c.Prompts, notes)
	if err != nil {
		return nil, err
	}
	s := &evalSetup{dbs: &evaluation.Databases{Open: func(ctx context.Context, name string) (runner.DB, error) {
		limits := runner.Limits{Rows: maxScoredRows, TrustViews: app.TrustViews}
		if c.Databases != "" {
			return embedded.OpenFolder(ctx, c.Databases, name, limits)
		}
		return openDB(ctx, app.DB, limits)
	}}}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.dbs.Close())
		}
	}()
	s.card = evaluation.Card{
		Agent: c.Agent, Guards: c.Guards, Commit: revision(), Machine: evaluation.Machine(),
		Params: map[string]any{"temperature": 0}, Prompts: map[string]string{},
	}
	if err := c.describe(ctx, con, app, src, s, items); err != nil {
		return nil, err
	}
	names := map[string][]string{"loop": {"react", "generate", "repair", "baseline"}, "baseline": {"baseline"}, "react": {"query"}}[c.Agent]
	set := "dissertation"
	if c.Agent == "loop" {
		set = c.Prompts
		s.card.Params["plan"] = c.Plan
		if len(notes) > 0 {
			if s.card.Prompts["notes"], err = jsonHash(notes); err != nil {
				return nil, err
			}
		}
	}
	if c.Constrain != "off" {
		s.card.Params["constrain"] = c.Constrain
	}
	if c.MaxSteps > 0 {
		s.card.Params["max_steps"] = c.MaxSteps
	}
	for _, name := range names {
		if s.card.Prompts[set+"/"+name], err = assets.PromptHash(set, name); err != nil {
			return nil, err
		}
	}
	if s.model, err = app.ProvideModel(ctx, con); err != nil {
		return nil, err
	}
	if m, ok := s.model.(*llamacpp.Model); ok && m.GPU() != "" {
		s.card.Engine["gpu"] = m.GPU()
	}
	s.agent = func(x *evaluation.Executor, shots []loop.Exemplar) evaluation.Answerer {
		switch c.Agent {
		case "baseline":
			return &loop.Baseline{Model: s.model, Schema: x.Schema, Guards: guards, Shots: shots, Constrain: loop.Constrain(c.Constrain)}
		case "react":
			return &loop.React{Model: s.model, DB: x.DB, Schema: x.Schema, Guards: guards, Shots: shots, MaxSteps: c.MaxSteps}
		}
		return &loop.Agent{Model: s.model, DB: x.DB, Schema: x.Schema, Prompts: prompts, Guards: guards, Plan: loop.Plan(c.Plan), MaxSteps: c.MaxSteps, Constrain: loop.Constrain(c.Constrain)}
	}
	return s, nil
}

// describe hashes program, model and data into the card.
func (c *evalAgent) describe(ctx context.Context, con *console, app *cli, src source, s *evalSetup, items []evaluation.Item) error {
	bar := con.progress()
	defer bar.clear()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if s.card.Binary, err = evaluation.FileHash(ctx, self, nil); err != nil {
		return err
	}
	file := src.file.Path
	if src.replay != nil {
		file = strings.TrimPrefix(app.Model, "replay:")
	}
	s.card.Model = filepath.Base(file)
	read := func(done float64) { bar.show("reading the model %3.0f %%", 100*done) }
	if src.remote != nil {
		url, name := src.remote.Server()
		s.card.Model, s.card.Engine = name, map[string]string{"server": url}
	} else if s.card.ModelHash, err = evaluation.FileHash(ctx, file, read); err != nil {
		return err
	}
	if src.adapter.Path != "" {
		if s.card.Adapter, err = evaluation.FileHash(ctx, src.adapter.Path, read); err != nil {
			return err
		}
	}
	if src.replay == nil && src.remote == nil {
		s.card.Engine = map[string]string{"llama.cpp": llamacpp.Version(), "bits": llamacpp.Bits()}
		s.card.Kernels = llamacpp.Kernels()
		if app.Fast { // what is worked on together then matters
			s.card.Params["fast"] = fmt.Sprintf("--parallel %d", app.Parallel)
		}
		if app.NoDraft {
			s.card.Params["no_draft"] = true
		}
		if app.Context > 0 {
			s.card.Params["context"] = app.Context
		}
		if app.KV != llm.KVTypes[0] {
			s.card.Params["kv"] = app.KV
		}
	}
	hashes := map[string]string{}
	for i, it := range items {
		if hashes[it.Database] != "" {
			continue
		}
		bar.show("reading the data")
		x, err := s.dbs.Executor(ctx, it.Database)
		if err != nil {
			return err
		}
		if hashes[it.Database], err = evaluation.DataHash(ctx, x); err != nil {
			return err
		}
		if i == 0 {
			s.card.Backend = x.DB.Backend()
		}
		s.card.Data = hashes[it.Database]
	}
	if len(hashes) > 1 {
		s.card.Backend.Database, s.card.Backend.Source = fmt.Sprintf("%d databases", len(hashes)), ""
		s.card.Data, err = jsonHash(hashes)
	}
	return err
}

// jsonHash is the SHA-256 of v as JSON, which sorts the keys of maps.
func jsonHash(v any) (string, error) {
	text, err := json.Marshal(v)
	return fmt.Sprintf("%x", sha256.Sum256(text)), err
}
