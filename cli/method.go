package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/llm/llamacpp"
	"nl2sql/loop/answer"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/files"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
	"nl2sql/tools/retrieve"
)

// MethodFlags are what shapes an answer. Which agent takes which of them, [answer.Takes] says; help says it in front of
// each.
type MethodFlags struct {
	Agent     string `help:"{agent}. Default ${default}." enum:"${agents}" default:"loop" placeholder:"AGENT"`
	Plan      string `help:"Who chooses the next action: model, or fixed (the one the gates leave; the model only writes SQL). Default ${default}." enum:"model,fixed" default:"fixed" placeholder:"PLAN"`
	Guards    string `help:"Rules that mend the model's SQL: a set (default, seed, final, none) or names; -NAME takes one out. Default: {guards}." placeholder:"SET"`
	Prompts   string `help:"Prompt set: default, typed, dissertation, or auto: typed where the model has a built-in adapter, else default. Default: ${default}." enum:"auto,default,typed,dissertation" default:"auto" placeholder:"SET"`
	Notes     string `help:"Glossary of the database, a line each: term, synonym = meaning in SQL. The demo database brings its own; none leaves it out." placeholder:"FILE"`
	Votes     int    `help:"Candidates of the model that are compared by what the database finds, 32 at most; what most of them find is the answer. 1 takes the greedy one; ${default}, the default, means {votes} of a model in this program, whose candidates are cheap, and else 1." default:"0" placeholder:"N" range:"0..32"`
	Retrieval string `help:"What a search that names no type compares: semantic (vectors of a model), keyword (words) or both; auto is both where --embedding names a model, else keyword. Default ${default}." enum:"auto,semantic,keyword,both" default:"auto" placeholder:"TYPE"`
	Embedding string `help:"GGUF file of a model that makes vectors of texts. Without it, semantic and both take the states of --model." placeholder:"FILE"`
	Without   string `help:"What to do without: {switches}, or guards, as -NAME in --guards. loop/README.md has what each means." placeholder:"NAME,…"`
	MaxSteps  int    `help:"Most steps; 0, the default, means {steps}." default:"0" placeholder:"N" range:"0..100"`

	method answer.Method // what they say, once they are validated
}

// Validate makes wrong values usage errors, and flags that say nothing to the agent. It reads what they say.
func (c *MethodFlags) Validate(given *kong.Context) (err error) {
	for _, p := range given.Path {
		if p.Flag == nil {
			continue
		}
		switch err := answer.Refuses(c.Agent, p.Flag.Name); {
		case err != nil && p.Resolved: // the settings are for every agent that takes it
			if err := p.Flag.Reset(); err != nil {
				return err
			}
		case err != nil:
			return err
		}
	}
	c.method, err = answer.Settings{
		Agent: c.Agent, Guards: c.Guards, Plan: c.Plan, Prompts: c.Prompts, Votes: c.Votes,
		MaxSteps: c.MaxSteps, Without: c.Without, Retrieval: c.Retrieval, Embedding: c.Embedding,
	}.Method()
	return err
}

// ShotsFlags are of commands that show exemplars with their questions.
type ShotsFlags struct {
	Shots int    `help:"Exemplars a question (${default})." default:"0" placeholder:"K" range:"0..100"`
	Pool  string `help:"Exemplars: train, our own, the default about the demo database; test, the items of eval themselves, as the dissertation had it; or a file. But for test, none has the question or the gold query of the item." placeholder:"POOL"`
}

// asker loads the model of a source, and lets it answer by a method.
func (f *ModelFlags) asker(
	ctx context.Context, con *console, open *opened, s source, m answer.Method,
) (*answer.Asker, error) {
	together, draws := m.Together()
	model, closer, err := f.load(ctx, con, s, together, draws)
	if err != nil {
		return nil, err
	}
	if closer != nil {
		open.add(closer)
	}
	f.Parallel = f.atOnce(model)
	tables, err := tables(ctx, open, m, model, f.Threads)
	if err != nil {
		return nil, err
	}
	return answer.New(m, model, tables)
}

// tables opens where the agent looks for tables, with what makes vectors: the file of --embedding, or the states of the
// model, where --retrieval asks for vectors. Other agents look for none.
func tables(
	ctx context.Context, open *opened, m answer.Method, model llm.Generator, threads int,
) (*retrieve.Store, error) {
	if !answer.Takes(m.Agent, "embedding") {
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

// readNotes reads the glossary that a --notes value names; "" is the one that belongs to db: the demo database brings
// one, and with an imported one it is kept. There is none where the items are about databases of a folder.
func readNotes(name, db, folder string) (tools.Notes, error) {
	text, err := notesText(name, db, folder)
	if err != nil || text == "" {
		return nil, err
	}
	notes, err := tools.ParseNotes(strings.NewReader(text))
	if err != nil && name != "" {
		err = fmt.Errorf("notes %s: %w", name, err)
	}
	return notes, err
}

// maxNotes bounds the file of a glossary, in bytes.
const maxNotes = 4 << 20

// notesText is the text of the glossary that readNotes reads; "" where there is none.
func notesText(name, db, folder string) (string, error) {
	engine, place, _ := strings.Cut(db, ":")
	switch {
	case name == "none", name == "" && folder != "":
		return "", nil
	case name == "" && (db == "embedded" || db == "local"):
		return assets.DemoNotes, nil
	case name == "" && engine == "embedded":
		return embedded.Notes(place)
	case name == "" && engine == inBundle:
		return bundledNotes(place)
	case name == "":
		return "", nil
	}
	f, err := files.Open(name)
	if err != nil {
		return "", fmt.Errorf("open the notes: %w", brief(err))
	}
	defer f.Close()
	text, err := files.All(f, maxNotes)
	if err != nil {
		return "", fmt.Errorf("notes %s: %w", name, err)
	}
	return string(text), nil
}

// checkNotes holds the glossary that --notes names, or that is kept with a database, against that database.
func checkNotes(name string, notes tools.Notes, s *schema.Schema) error {
	if err := notes.Check(s); err != nil {
		return fmt.Errorf("notes %s: %w", cmp.Or(name, "that are kept with the database"), err)
	}
	return nil
}

// loadPool reads exemplars; "" means our own.
func loadPool(name string) (item.Pool, error) {
	name = cmp.Or(name, "train")
	items, err := item.Load(name)
	return item.Pool{Name: filepath.Base(name), Items: items}, brief(err)
}

// onOne are items that are all about the one database.
func onOne(items []item.Item) []item.Item {
	return syntax.Map(items, func(it item.Item) item.Item {
		it.Database = ""
		return it
	})
}
