package cli

import (
	"context"
	"errors"
	"fmt"

	"nl2sql/evaluation/item"
	"nl2sql/evaluation/record"
	"nl2sql/evaluation/runs"
)

type verifyCmd struct {
	RunPath   string `arg:"" name:"run" help:"Folder of a run, or its run.jsonl."`
	Items     int    `help:"How many items, spread over the run; 0 means all (${default})." default:"10" placeholder:"N"`
	Pool      string `help:"File that the exemplars were drawn from, if neither our own nor the run's items." placeholder:"FILE"`
	Notes     string `help:"Glossary that the run had, if not the demo database's own." placeholder:"FILE"`
	Databases string `help:"Folder of databases that the run had." placeholder:"DIR"`
	ModelFlags
	DatabaseFlags
}

// Validate makes wrong values usage errors.
func (c *verifyCmd) Validate() error {
	if c.Items < 0 {
		return errors.New("--items must not be negative")
	}
	return nil
}

// Run answers items of a run once more, with the same model on the same data. Another program may do so: that it
// answers alike is what is shown.
func (c *verifyCmd) Run(ctx context.Context, con *console, open *opened) (err error) {
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
	method := runs.MethodOf(run.Card)
	if err := method.Check(); err != nil {
		return err
	}
	items := make([]item.Item, len(run.Records))
	for i, r := range run.Records {
		items[i] = item.Item{ID: r.ID, Database: r.Database, Question: r.Question, SQL: r.Gold}
	}
	pool := item.Pool{Name: run.Card.Pool, Items: items}
	if c.Pool != "" || run.Card.Pool == "train" {
		if pool, err = loadPool(c.Pool); err != nil {
			return err
		}
	}
	if _, err = c.promptSet(ctx, open, method.Prompts, run.Card.Adapter != ""); err != nil {
		return err
	}
	src, err := c.source(ctx, open)
	if err != nil {
		return err
	}
	if method.Notes, err = readNotes(c.Notes, c.DB, c.Databases); err != nil {
		return err
	}
	live, err := c.setUp(ctx, con, src, method, c.scored(c.Databases), items)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, live.close()) }()
	if diff := live.Card.Unlike(run.Card); diff != "" {
		return fmt.Errorf("%s was made with something else: %s", c.RunPath, diff)
	}
	live.Card, live.Pool = run.Card, pool
	return c.verify(ctx, con, live.Live, run)
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
