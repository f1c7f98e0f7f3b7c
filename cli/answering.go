package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"nl2sql/assets"
	"nl2sql/evaluation/record"
	"nl2sql/evaluation/runs"
	"nl2sql/evaluation/score"
	"nl2sql/evaluation/suite"
	"nl2sql/llm"
	"nl2sql/llm/llamacpp"
	"nl2sql/loop"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
	"nl2sql/tools/retrieve"
)

// MethodFlags are what shapes an answer. Which agent takes which of them, [runs.Takes] says; help says it in front of each.
type MethodFlags struct {
	Agent      string `help:"${agent}. Default ${default}." enum:"${agents}" default:"loop" placeholder:"AGENT"`
	Shots      int    `help:"Exemplars a question (${default})." default:"0" placeholder:"K" range:"0..100"`
	Pool       string `help:"Exemplars: train, our own, the default about the demo database; test, the items of eval themselves, as the dissertation had it; or a file. But for test, none has the question or the gold query of the item." placeholder:"POOL"`
	Plan       string `help:"Who chooses the next action: model, or fixed (the one the gates leave; the model only writes SQL). Default ${default}." enum:"model,fixed" default:"fixed" placeholder:"PLAN"`
	Guards     string `help:"Rules that mend the model's SQL: a set (default, dissertation, seed, final, none) or names; -NAME takes one out. Default: ${guards}." placeholder:"SET"`
	Prompts    string `help:"Prompt set: default, typed, dissertation, or auto: typed where the model has a built-in adapter, else default. Default: ${default}." enum:"auto,default,typed,dissertation" default:"auto" placeholder:"SET"`
	Notes      string `help:"Glossary of the database, a line each: term, synonym = meaning in SQL. The demo database brings its own; none leaves it out." placeholder:"FILE"`
	Constrain  string `help:"What the model's texts must keep to: action (the turns of --plan model), sql (MySQL's words and the schema's names), all, or off. Default ${default}." enum:"off,action,sql,all" default:"off" placeholder:"WHAT"`
	Votes      int    `help:"Candidates of the model that are held against the database, 32 at most; what most of them find is the answer. 1 takes the greedy one; ${default}, the default, means ${votes} of a model in this program, whose candidates are cheap, and else 1." default:"0" placeholder:"N" range:"0..32"`
	Candidates string `help:"Options, KEY=VALUE,…; what each does, and its ends, is in loop/README.md. Defaults: ${candidates}." placeholder:"OPTIONS"`
	Retrieval  string `help:"What a search that names no type compares: semantic (vectors of a model), keyword (words) or both; auto is both where --embedding names a model, else keyword. Default ${default}." enum:"auto,semantic,keyword,both" default:"auto" placeholder:"TYPE"`
	Embedding  string `help:"GGUF file of a model that makes vectors of texts. Without it, semantic and both take the states of --model." placeholder:"FILE"`
	Without    string `help:"What to do without: ${switches}, or guards, as -NAME in --guards. loop/README.md has what each means." placeholder:"NAME,…"`
	MaxSteps   int    `help:"Most steps; 0, the default, means ${steps}." default:"0" placeholder:"N" range:"0..100"`
}

// Validate makes wrong values usage errors, and flags that say nothing to the agent.
func (c *MethodFlags) Validate(given *kong.Context) error {
	for _, p := range given.Path {
		if p.Flag != nil && !runs.Takes(c.Agent, p.Flag.Name) {
			return fmt.Errorf("--%s needs --agent %s: %s does without", p.Flag.Name, runs.TakenBy(p.Flag.Name), c.Agent)
		}
	}
	return c.method(nil).Check()
}

// method is what the flags say, with a glossary.
func (c *MethodFlags) method(notes tools.Notes) runs.Method {
	m := runs.Method{
		Agent: c.Agent, Guards: c.Guards, Plan: loop.Plan(c.Plan), Prompts: c.Prompts, Notes: notes,
		Constrain: loop.Constrain(c.Constrain), Votes: c.Votes, MaxSteps: c.MaxSteps, Without: c.Without, Candidates: c.Candidates, Embedding: c.Embedding,
	}
	if c.Retrieval != "auto" {
		m.Retrieval = retrieve.Kind(c.Retrieval)
	}
	return m
}

// inProcessVotes are the candidates that --votes 0 means of a model in this program: evaluation/STEPS.md has what they were worth.
const inProcessVotes = 5

// vote settles what --votes 0 means. Who draws others after a failure votes.
func (c *MethodFlags) vote(s source) {
	if c.Votes > 0 {
		return
	}
	c.Votes = 1
	if _, draws := c.method(nil).Together(); draws > 0 && s.remote == nil && s.replay == nil {
		c.Votes = inProcessVotes
	}
}

// bench is what runs share that are made one after the other: what they open is opened once, and one model is loaded at a time.
type bench struct {
	opened    opened
	cards     runs.Cards
	sources   map[sourceKey]source
	databases map[databaseKey]*score.Databases
	suites    map[string]*suite.Suite
	windows   map[loadKey]int // calls of the model that a question makes at once, the most of all runs that share it

	loaded loadKey // of model
	model  llm.Generator
	unload func() error
	tables map[string]*retrieve.Store // by what makes their vectors; they may hold on to model
	search opened                     // what tables hold open
}

type sourceKey struct {
	model, adapter string
	ParallelFlag
	rate int
}

type databaseKey struct {
	folder, db string
	trustViews bool
}

// loadKey is what runs must share to share a loaded model.
type loadKey struct {
	model, adapter string // files
	WindowFlags
	ParallelFlag
	EngineFlags
}

func newBench() *bench {
	return &bench{
		sources: map[sourceKey]source{}, databases: map[databaseKey]*score.Databases{}, suites: map[string]*suite.Suite{}, windows: map[loadKey]int{},
	}
}

func (b *bench) close() error { return errors.Join(b.drop(), b.opened.close()) }

// drop gives the memory of the loaded model back.
func (b *bench) drop() (err error) {
	err = b.search.close()
	if b.unload != nil {
		err = errors.Join(err, b.unload())
	}
	b.model, b.unload, b.tables, b.search = nil, nil, nil, opened{}
	return err
}

// source is what flags name. Of scripted replies each run has its own.
func (b *bench) source(ctx context.Context, f *ModelFlags, prompts string, taught bool) (source, string, error) {
	key := sourceKey{f.Model, f.named(), f.ParallelFlag, f.Rate}
	if s, known := b.sources[key]; known {
		f.found = &s
	}
	s, err := f.source(ctx, &b.opened)
	if err != nil {
		return s, prompts, err
	}
	if s.replay == nil {
		b.sources[key] = s
	}
	if prompts, err = f.promptSet(ctx, &b.opened, prompts, taught); err != nil { // which may add an adapter
		return s, prompts, err
	}
	return *f.found, prompts, nil
}

// on are the databases that flags name.
func (b *bench) on(f *DatabaseFlags, folder string) *score.Databases {
	key := databaseKey{folder, f.DB, f.TrustViews}
	if b.databases[key] == nil {
		dbs := f.scored(folder)
		b.databases[key] = dbs
		b.opened.add(dbs.Close)
	}
	return b.databases[key]
}

// suite opens a test suite.
func (b *bench) suite(ctx context.Context, folder string) (*suite.Suite, error) {
	if b.suites[folder] == nil {
		tests, err := suite.Open(ctx, folder, loadSuite)
		if err != nil {
			return nil, brief(err)
		}
		b.suites[folder] = tests
		b.opened.add(tests.Close)
	}
	return b.suites[folder], nil
}

// live is a run but for what answers: its card says what will be asked on what.
func (b *bench) live(ctx context.Context, con *console, f *ModelFlags, s source, m runs.Method, dbs *score.Databases, items []item.Item) (runs.Live, error) {
	l := runs.Live{Scorer: &score.Scorer{Databases: dbs}, Items: items, Parallel: f.Parallel} // a model works on as many prompts at once
	bar := con.progress()
	defer bar.clear()
	b.cards.Progress = func(what string) { bar.show("%s", what) }
	var err error
	if l.Card, err = b.cards.New(ctx, revision(), m, f.engine(s), dbs, items); err != nil {
		return l, err
	}
	for _, name := range []string{"strict", "reader", "dissertation"} {
		p, err := score.ProfileNamed(name)
		if err != nil {
			return l, err
		}
		l.Scorer.Profiles = append(l.Scorer.Profiles, p)
	}
	together, _ := m.Together()
	b.windows[f.key(s)] = max(b.windows[f.key(s)], together)
	return l, nil
}

func (f *ModelFlags) key(s source) loadKey {
	return loadKey{s.file.Path, s.adapter.Path, f.WindowFlags, f.ParallelFlag, f.EngineFlags}
}

// load loads the model of a run, unless it is loaded, and lets it answer.
func (b *bench) load(ctx context.Context, con *console, f *ModelFlags, s source, m runs.Method, live *runs.Live) (err error) {
	key := f.key(s)
	if b.model == nil || s.replay != nil || s.remote != nil || b.loaded != key {
		if err := b.drop(); err != nil {
			return err
		}
		f.together = b.windows[key]
		if b.model, b.unload, err = f.load(ctx, con, s); err != nil {
			return err
		}
		b.loaded = key
	}
	if gpu, ok := b.model.(*llamacpp.Model); ok && gpu.GPU() != "" {
		live.Card.Engine["gpu"] = gpu.GPU()
	}
	if m.Tables, err = b.tablesOf(ctx, m, f.Threads); err != nil {
		return err
	}
	live.Agent, err = m.Answerers(b.model)
	return err
}

// tablesOf is where the agent of a run looks for tables. It lasts as long as the loaded model.
func (b *bench) tablesOf(ctx context.Context, m runs.Method, threads int) (*retrieve.Store, error) {
	key := fmt.Sprint(m.Embedding, m.Retrieval.Vectors())
	if s := b.tables[key]; s != nil {
		return s, nil
	}
	s, err := tables(ctx, &b.search, m, b.model, threads)
	if s != nil {
		if b.tables == nil {
			b.tables = map[string]*retrieve.Store{}
		}
		b.tables[key] = s
	}
	return s, err
}

// tables opens where the agent looks for tables, with what makes vectors: the file of --embedding, or the states of the model, where --retrieval asks
// for vectors. Other agents look for none.
func tables(ctx context.Context, open *opened, m runs.Method, model llm.Generator, threads int) (*retrieve.Store, error) {
	if !runs.Takes(m.Agent, "embedding") {
		return nil, nil
	}
	cache, err := runner.CacheFolder()
	if err != nil {
		return nil, err
	}
	s := &retrieve.Store{Folder: filepath.Join(cache, "tables")}
	chats, ours := model.(*llamacpp.Model)
	var e *llamacpp.Embedder
	switch {
	case m.Embedding != "":
		e, err = llamacpp.OpenEmbedder(ctx, m.Embedding, llamacpp.Options{Threads: threads})
	case ours && m.Retrieval.Vectors():
		e, err = chats.Embedder()
	default:
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	open.add(e.Close)
	s.Embedder = e
	return s, nil
}

// engine is what a card says of a model and of how the flags say that it is run.
func (f *ModelFlags) engine(s source) runs.Engine {
	if s.remote != nil {
		url, name := s.remote.Server()
		return runs.Engine{Name: name, Facts: map[string]string{"server": url}}
	}
	if s.replay != nil {
		file := strings.TrimPrefix(f.Model, "replay:")
		return runs.Engine{Name: filepath.Base(file), File: file}
	}
	e := runs.Engine{
		Name: filepath.Base(s.file.Path), File: s.file.Path, Adapter: s.adapter.Path, Kernels: llamacpp.Kernels(),
		Facts: map[string]string{"llama.cpp": llamacpp.Version(), "bits": llamacpp.Bits()}, Params: map[string]any{},
	}
	if f.Fast { // what is worked on together then matters
		e.Params["fast"] = fmt.Sprintf("--parallel %d", f.Parallel)
	}
	if f.NoDraft {
		e.Params["no_draft"] = true
	}
	if f.Context > 0 {
		e.Params["context"] = f.Context
	}
	if f.KV != llm.KVTypes[0] {
		e.Params["kv"] = f.KV
	}
	return e
}

// answer makes a run in the folder out, or what is missing of it, and shows how far it is. Where it ends early, it says how to go on.
func answer(ctx context.Context, con *console, live runs.Live, out string) (record.Run, error) {
	bar := con.progress()
	done, start, first := 0, time.Now(), -1
	live.Progress = func(n, total int, _ *record.Record) {
		if done = n; first < 0 {
			first = n
		}
		bar.show("%s", progressText(n, total, n-first, time.Since(start)))
	}
	run, err := live.Run(ctx, out)
	bar.clear()
	if err != nil && done > 0 {
		goOn := fmt.Sprintf("%d of %d items are in %s: the same command goes on", done, live.Count(), out)
		if ctx.Err() != nil { // Call.Exit says "interrupted"
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

// loadItems reads a file, or our own items.
func loadItems(name string) ([]item.Item, error) {
	switch name {
	case "benchmark":
		return item.Read(strings.NewReader(assets.Benchmark))
	case "train":
		return item.Read(strings.NewReader(assets.Train))
	}
	items, err := item.Load(name)
	return items, brief(err)
}

// loadPool reads exemplars; "" means our own.
func loadPool(name string) (item.Pool, error) {
	if name == "" {
		name = "train"
	}
	items, err := loadItems(name)
	return item.Pool{Name: filepath.Base(name), Items: items}, err
}

// onOne are items that are all about the one database.
func onOne(items []item.Item) []item.Item {
	items = slices.Clone(items)
	for i := range items {
		items[i].Database = ""
	}
	return items
}

// readNotes reads the glossary that a --notes value names; "" is the one that belongs to db, and none where the items are about
// databases of a folder.
func readNotes(name, db, folder string) (tools.Notes, error) {
	demo := folder == "" && (db == "embedded" || db == "local")
	switch {
	case name == "none", name == "" && !demo:
		return nil, nil
	case name == "":
		return tools.ParseNotes(strings.NewReader(assets.DemoNotes))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open the notes: %w", brief(err))
	}
	defer f.Close()
	notes, err := tools.ParseNotes(f)
	if err != nil {
		return nil, fmt.Errorf("notes %s: %w", name, err)
	}
	return notes, nil
}

// checkNotes holds the glossary that --notes names against the database that it is about.
func checkNotes(name string, notes tools.Notes, s *schema.Schema) error {
	if err := notes.Check(s); err != nil && name != "" {
		return fmt.Errorf("notes %s: %w", name, err)
	}
	return nil
}
