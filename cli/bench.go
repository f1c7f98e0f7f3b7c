package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/rescore"
	"nl2sql/evaluation/runs"
	"nl2sql/evaluation/score"
	"nl2sql/evaluation/suite"
	"nl2sql/llm"
	"nl2sql/llm/llamacpp"
	"nl2sql/loop/answer"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/tools"
	"nl2sql/tools/retrieve"
)

// bench is what runs share that are made one after the other: what they open is opened once, and one model is loaded at
// a time.
type bench struct {
	opened    opened
	cards     runs.Cards
	sources   map[sourceKey]source
	guessed   string // the model of runs that name none; "" until one asked for it
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
	role       string // with its values
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
		sources: map[sourceKey]source{}, databases: map[databaseKey]*score.Databases{},
		suites: map[string]*suite.Suite{}, windows: map[loadKey]int{},
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

// source is what flags name, with the set of prompts that the name of one means for it. Of scripted replies each run
// has its own.
func (b *bench) source(
	ctx context.Context, con *console, f *ModelFlags, prompts string, taught bool,
) (source, string, error) {
	f.Model = cmp.Or(f.Model, b.guessed)
	key := sourceKey{f.Model, f.named(), f.ParallelFlag, f.Rate}
	s, known := b.sources[key]
	if !known {
		var err error
		if s, err = f.source(ctx, con, &b.opened, f.remote()); err != nil {
			return s, prompts, err
		}
		if key.model == "" {
			key.model, b.guessed = f.Model, f.Model
		}
		if s.replay == nil {
			b.sources[key] = s
		}
	}
	return f.withPrompts(ctx, s, prompts, taught)
}

// on are the databases that flags name.
func (b *bench) on(f *DatabaseFlags, folder string) *score.Databases {
	key := databaseKey{folder, f.DB, f.TrustViews, strings.Join(append([]string{f.Role}, f.As...), "\n")}
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
func (b *bench) live(
	ctx context.Context, con *console, f *ModelFlags, s source, m answer.Method, notes tools.Notes,
	dbs *score.Databases, items []item.Item,
) (runs.Live, error) {
	l := runs.Live{Scorer: &score.Scorer{Databases: dbs}, Items: items}
	bar := con.progress()
	defer bar.clear()
	b.cards.Progress = func(what string) { bar.show("%s", what) }
	var err error
	if l.Card, err = b.cards.New(ctx, revision(), m, notes, f.engine(s), dbs, items); err != nil {
		return l, err
	}
	if l.Scorer.Profiles, err = score.ProfilesNamed("strict", "reader", "dissertation"); err != nil {
		return l, err
	}
	together, _ := m.Together()
	b.windows[f.key(s)] = max(b.windows[f.key(s)], together)
	return l, nil
}

func (f *ModelFlags) key(s source) loadKey {
	return loadKey{s.file.Path, s.adapter.Path, f.WindowFlags, f.ParallelFlag, f.EngineFlags}
}

// load loads the model of a run, unless it is loaded, and lets it answer.
func (b *bench) load(
	ctx context.Context, con *console, f *ModelFlags, s source, m answer.Method, notes tools.Notes, live *runs.Live,
) (err error) {
	if key := f.key(s); b.model == nil || s.replay != nil || s.remote != nil || b.loaded != key {
		if err := b.drop(); err != nil {
			return err
		}
		if b.model, b.unload, err = f.load(ctx, con, s, b.windows[key], 0); err != nil {
			return err
		}
		b.loaded = key
	}
	if gpu, ok := b.model.(*llamacpp.Model); ok && gpu.GPU() != "" {
		live.Card.Engine["gpu"] = gpu.GPU()
	}
	live.Parallel = f.atOnce(b.model)
	tables, err := b.tablesOf(ctx, m, f.Threads)
	if err != nil {
		return err
	}
	asker, err := answer.New(m, b.model, tables)
	if err != nil {
		return err
	}
	live.Ask = runs.By(asker, notes)
	return nil
}

// tablesOf is where the agent of a run looks for tables. It lasts as long as the loaded model.
func (b *bench) tablesOf(ctx context.Context, m answer.Method, threads int) (*retrieve.Store, error) {
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

// scorerOf scores under profiles, those of items and a test suite that flags name beside --db or a folder of databases.
// open closes what it opens.
func scorerOf(
	ctx context.Context, open *opened, f *DatabaseFlags, folder, items, tests string, profiles ...string,
) (*score.Scorer, error) {
	s := &score.Scorer{Databases: f.scored(folder)}
	open.add(s.Databases.Close)
	var err error
	if s.Profiles, err = score.ProfilesNamed(profiles...); err != nil {
		return nil, failure{exitUsage, err}
	}
	if items != "" {
		if s.Items, err = item.Load(items); err != nil {
			return nil, brief(err)
		}
	}
	if tests != "" {
		all, err := suite.Open(ctx, tests, loadSuite)
		if err != nil {
			return nil, brief(err)
		}
		open.add(all.Close)
		s.Replicas = func(context.Context, string) ([]*score.Executor, error) { return all.Databases, nil }
	}
	return s, nil
}

// rescored scores runs again, and shows how far it is.
func rescored(
	ctx context.Context, con *console, s *score.Scorer, runs []record.Run,
) ([]rescore.Rescored, error) {
	bar := con.progress()
	defer bar.clear()
	return rescore.Runs(ctx, s, runs, func(done, total int) { bar.show("scoring %d of %d", done, total) })
}

// engine is what a card says of a model and of how the flags say that it is run.
func (f *ModelFlags) engine(s source) runs.Engine {
	if s.remote != nil {
		url, name := s.remote.Server()
		return runs.Engine{Name: name, Facts: map[string]string{"server": url}}
	}
	if s.replay != nil {
		file := strings.TrimPrefix(f.Model, "replay:")
		return runs.Engine{Name: filepath.Base(file), File: llm.Place{Path: file}}
	}
	e := runs.Engine{
		Name: filepath.Base(s.file.Path), File: s.file.Place(), Adapter: s.adapter.Place(), Kernels: llamacpp.Kernels(),
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

// makeRun makes a run in the folder out, or what is missing of it, and shows how far it is. Where it ends early, it
// says how to go on.
func makeRun(ctx context.Context, con *console, live runs.Live, out string) (record.Run, error) {
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
	return run, stopped(ctx, con, done, len(live.Items), out, err)
}

// stopped is why work ended early, and says how to go on.
func stopped(ctx context.Context, con *console, done, items int, out string, err error) error {
	if err == nil || done == 0 {
		return err
	}
	goOn := fmt.Sprintf("%d of %d items are in %s: the same command goes on", done, items, out)
	if ctx.Err() != nil { // Call.Exit says "interrupted"
		con.note(goOn)
		return err
	}
	return fmt.Errorf("%w (%s)", err, goOn)
}

// progressText is how many items are done, how many a minute, and how long the rest takes at that rate; made is how
// many took that long.
func progressText(done, total, made int, took time.Duration) string {
	text := fmt.Sprintf("%d of %d items  %d %%", done, total, 100*done/max(1, total))
	if made > 0 {
		each := took / time.Duration(made)
		text += fmt.Sprintf("  %.1f a minute  %s left", float64(time.Minute)/float64(max(1, each)),
			(each * time.Duration(total-done)).Round(time.Second))
	}
	return text
}

// maxScoredRows is how many rows of a result are compared; one that has more equals nothing (dissertation.md §5.3).
const maxScoredRows = 10000

// FolderFlag is of commands about items that may be of several databases.
type FolderFlag struct {
	Databases string `help:"Folder of databases, NAME/schema.sql and NAME/data/TABLE.csv or NAME.sql.zst, for items that name theirs; else all items are about --db." placeholder:"DIR"`
}

// FiguresFlag is of commands that print figures.
type FiguresFlag struct {
	Format string `help:"table, plain or markdown; ndjson has an object a line; auto, the default, is table on a terminal, else plain." enum:"auto,table,plain,markdown,ndjson" default:"auto" placeholder:"FORMAT"`
}

// databases are those of items: in a folder, or all items are about --db where folder is "".
func (f *DatabaseFlags) databases(folder string, limits runner.Limits) *score.Databases {
	limits.TrustViews = f.TrustViews
	return &score.Databases{Open: func(ctx context.Context, name string) (runner.DB, error) {
		if folder != "" && f.Role != "" {
			return nil, failure{exitUsage, errors.New("--role is of one database, --databases are several")}
		} else if folder != "" {
			return embedded.OpenFolder(ctx, folder, name, limits)
		}
		return f.openAs(ctx, f.DB, limits)
	}}
}

// scored are the databases on which predictions are scored.
func (f *DatabaseFlags) scored(folder string) *score.Databases {
	return f.databases(folder, runner.Limits{Rows: maxScoredRows})
}
