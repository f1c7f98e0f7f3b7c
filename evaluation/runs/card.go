package runs

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/evaluation/suite"
	"nl2sql/llm"
	"nl2sql/loop/answer"
	"nl2sql/loop/item"
	"nl2sql/tools"
)

// Engine is the model of a run and how it is run, for its card.
type Engine struct {
	Name    string            // of the model, without a folder of the machine
	File    llm.Place         // its SHA-256 is taken; the zero Place for a model on a server
	Adapter llm.Place         // of which the SHA-256 is taken; the zero Place is none
	Facts   map[string]string // versions, and what its bits follow from
	Kernels string
	Params  map[string]any // what is not as usual
}

// Cards makes the cards of runs: what is the same for several is read once. The zero value is ready; it is used by one
// goroutine.
type Cards struct {
	Progress func(what string)    // may be nil
	files    map[llm.Place]string // SHA-256
	data     map[*score.Databases]map[string]string
}

// New says what runs on what, before it runs: a method with a glossary, a model, and the data that items are about.
// Live.Run fills in the rest, and the caller what a command knows: shots, seed, condition. commit is the program's.
func (k *Cards) New(
	ctx context.Context, commit string, m answer.Method, notes tools.Notes, e Engine, dbs *score.Databases,
	items []item.Item,
) (record.Card, error) {
	c := record.Card{Commit: commit, Machine: Machine(), Model: e.Name, Engine: e.Facts, Kernels: e.Kernels}
	if err := describe(&c, m, notes); err != nil {
		return c, err
	}
	maps.Copy(c.Params, e.Params)
	self, err := os.Executable()
	if err != nil {
		return c, err
	}
	for _, file := range []struct {
		place llm.Place
		hash  *string
	}{{llm.Place{Path: self}, &c.Binary}, {e.File, &c.ModelHash}, {e.Adapter, &c.Adapter}} {
		if file.place.Path == "" {
			continue
		}
		if *file.hash, err = k.file(ctx, file.place); err != nil {
			return c, err
		}
	}
	k.progress("reading the data")
	return c, k.describeData(ctx, &c, dbs, items)
}

func (k *Cards) progress(what string) {
	if k.Progress != nil {
		k.Progress(what)
	}
}

func (k *Cards) file(ctx context.Context, place llm.Place) (sum string, err error) {
	if k.files == nil {
		k.files, k.data = map[llm.Place]string{}, map[*score.Databases]map[string]string{}
	}
	if k.files[place] == "" {
		k.files[place], err = FileHash(ctx, place,
			func(done float64) { k.progress(fmt.Sprintf("reading the model %3.0f %%", 100*done)) })
	}
	return k.files[place], err
}

// describeData writes into the card what the databases of items hold.
func (k *Cards) describeData(ctx context.Context, c *record.Card, dbs *score.Databases, items []item.Item) error {
	hashes, known := map[string]string{}, k.data[dbs]
	if known == nil {
		known = map[string]string{}
		k.data[dbs] = known
	}
	for i, it := range items {
		if hashes[it.Database] != "" {
			continue
		}
		x, err := dbs.Executor(ctx, it.Database)
		if err != nil {
			return err
		}
		if known[it.Database] == "" {
			if known[it.Database], err = score.DataHash(ctx, x); err != nil {
				return err
			}
		}
		hashes[it.Database] = known[it.Database]
		if i == 0 {
			c.Backend = x.DB.Backend()
		}
		c.Data = hashes[it.Database]
	}
	if len(hashes) < 2 {
		return nil
	}
	c.Backend.Database, c.Backend.Source = fmt.Sprintf("%d databases", len(hashes)), ""
	var err error
	c.Data, err = JSONHash(hashes)
	return err
}

// JSONHash is the SHA-256 of v as JSON, which sorts the keys of maps.
func JSONHash(v any) (string, error) {
	text, err := json.Marshal(v)
	return fmt.Sprintf("%x", sha256.Sum256(text)), err
}

// TestOn lets the run be scored on a suite too, and its card say so.
func (l *Live) TestOn(s *suite.Suite) (err error) {
	l.Scorer.Replicas = func(context.Context, string) ([]*score.Executor, error) { return s.Databases, nil }
	l.Card.Replicas = len(s.Databases)
	l.Card.Params["suite_sha256"], err = JSONHash(s.Card)
	return err
}

// Verify answers one item of a recorded run anew, with the exemplars that it had, and says in what the answer differs;
// "" is none. The pool must hold those exemplars.
func (l Live) Verify(ctx context.Context, r record.Record) (string, error) {
	var draw []int
	for _, id := range r.Exemplars {
		i := slices.IndexFunc(l.Pool.Items, func(e item.Item) bool { return e.ID == id })
		if i < 0 {
			return "", fmt.Errorf("item %s: pool %s has no exemplar %s", r.ID, l.Pool.Name, id)
		}
		draw = append(draw, i)
	}
	now, err := l.record(ctx, item.Item{ID: r.ID, Database: r.Database, Question: r.Question, SQL: r.Gold}, draw)
	if err != nil {
		return "", err
	}
	return r.Differs(now), nil
}

// describe writes a method with its glossary into a card.
func describe(c *record.Card, m answer.Method, notes tools.Notes) (err error) {
	c.Agent, c.Guards, c.Prompts, c.Params = m.Agent, m.GuardNames, map[string]string{},
		map[string]any{"temperature": 0}
	if len(m.Without) > 0 {
		c.Params["without"] = strings.Join(m.Without, ",")
	}
	if answer.Takes(m.Agent, "plan") {
		c.Params["plan"] = string(m.Plan)
	}
	if answer.Takes(m.Agent, "notes") && len(notes) > 0 {
		if c.Prompts["notes"], err = JSONHash(notes); err != nil {
			return err
		}
	}
	if m.Votes > 1 {
		c.Params["votes"] = m.Votes
	}
	if m.MaxSteps > 0 {
		c.Params["max_steps"] = m.MaxSteps
	}
	if m.Retrieval != "" {
		c.Params["retrieval"] = string(m.Retrieval)
	}
	if m.Embedding != "" {
		sum := sha256.New()
		if err := llm.Fingerprint(sum, m.Embedding); err != nil {
			return fmt.Errorf("--embedding: %w", err)
		}
		c.Params["embedding"] = fmt.Sprintf("%s %x", filepath.Base(m.Embedding), sum.Sum(nil)[:16])
	}
	set, names := m.Templates()
	for _, name := range names {
		if c.Prompts[set+"/"+name], err = tools.PromptHash(set, name); err != nil {
			return err
		}
	}
	return nil
}

// SettingsOf reads out of a card what shaped the answers. Of a glossary, and of a file that made vectors, the card has
// the hash alone.
func SettingsOf(c record.Card) answer.Settings {
	s := answer.Settings{Agent: c.Agent, Guards: c.Guards, Prompts: "default"}
	for param, to := range map[string]*string{
		"plan": &s.Plan, "retrieval": &s.Retrieval, "without": &s.Without,
	} {
		if text, ok := c.Params[param].(string); ok {
			*to = text
		}
	}
	for param, to := range map[string]*int{"votes": &s.Votes, "max_steps": &s.MaxSteps} {
		if n, ok := c.Params[param].(float64); ok {
			*to = int(n)
		}
	}
	for name := range c.Prompts {
		if set, _, ok := strings.Cut(name, "/"); ok {
			s.Prompts = set
		}
	}
	return s
}
