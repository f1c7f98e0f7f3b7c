package runs

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"

	"nl2sql/evaluation/item"
	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/evaluation/suite"
)

// Engine is the model of a run and how it is run, for its card.
type Engine struct {
	Name    string            // of the model, without a folder of the machine
	File    string            // its SHA-256 is taken; "" for a model on a server
	Adapter string            // a file, of which the SHA-256 is taken; "" is none
	Facts   map[string]string // versions, and what its bits follow from
	Kernels string
	Params  map[string]any // what is not as usual
}

// NewCard says what runs on what, before it runs: a method, a model and the data that items are about. Live.Run fills in the rest,
// and the caller what a command knows: shots, seed, condition. commit is the program's. progress may be nil.
func NewCard(ctx context.Context, commit string, m Method, e Engine, dbs *score.Databases, items []item.Item, progress func(what string)) (record.Card, error) {
	if progress == nil {
		progress = func(string) {}
	}
	c := record.Card{Commit: commit, Machine: Machine(), Model: e.Name, Engine: e.Facts, Kernels: e.Kernels}
	if err := m.describe(&c); err != nil {
		return c, err
	}
	maps.Copy(c.Params, e.Params)
	self, err := os.Executable()
	if err != nil {
		return c, err
	}
	if c.Binary, err = FileHash(ctx, self, nil); err != nil {
		return c, err
	}
	read := func(done float64) { progress(fmt.Sprintf("reading the model %3.0f %%", 100*done)) }
	for _, file := range []struct {
		name string
		hash *string
	}{{e.File, &c.ModelHash}, {e.Adapter, &c.Adapter}} {
		if file.name == "" {
			continue
		}
		if *file.hash, err = FileHash(ctx, file.name, read); err != nil {
			return c, err
		}
	}
	progress("reading the data")
	return c, describeData(ctx, &c, dbs, items)
}

// describeData writes into the card what the databases of items hold.
func describeData(ctx context.Context, c *record.Card, dbs *score.Databases, items []item.Item) error {
	hashes := map[string]string{}
	for i, it := range items {
		if hashes[it.Database] != "" {
			continue
		}
		x, err := dbs.Executor(ctx, it.Database)
		if err != nil {
			return err
		}
		if hashes[it.Database], err = score.DataHash(ctx, x); err != nil {
			return err
		}
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
