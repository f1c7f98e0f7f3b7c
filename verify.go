package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"nl2sql/evaluation/item"
	"nl2sql/evaluation/record"
	"nl2sql/evaluation/runs"
	"nl2sql/evaluation/score"
)

type verifyCmd struct {
	RunPath   string `arg:"" name:"run" help:"Folder of a run, or its run.jsonl."`
	Items     int    `help:"How many items, spread over the run; 0 means all (${default})." default:"10" placeholder:"N"`
	Pool      string `help:"File that the exemplars were drawn from, if neither our own nor the run's items." placeholder:"FILE"`
	Notes     string `help:"Glossary that the run had, if not the demo database's own." placeholder:"FILE"`
	Databases string `help:"Folder of databases that the run had." placeholder:"DIR"`
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
func (c *verifyCmd) Run(ctx context.Context, con *console, app *cli) (err error) {
	run, err := record.ReadRun(c.RunPath)
	if err != nil {
		return brief(err)
	}
	agent, err := c.agentOf(run)
	if err != nil {
		return err
	}
	items := make([]item.Item, len(run.Records))
	for i, r := range run.Records {
		items[i] = item.Item{ID: r.ID, Database: r.Database, Question: r.Question, SQL: r.Gold}
	}
	live := runs.Live{Pool: item.Pool{Name: run.Card.Pool, Items: items}}
	if c.Pool != "" || run.Card.Pool == "train" {
		if live.Pool, err = loadPool(c.Pool); err != nil {
			return err
		}
	}
	setup, err := agent.setUp(ctx, con, app, items)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, setup.dbs.Close()) }()
	now := run.Card
	now.ModelHash, now.Adapter, now.Prompts, now.Data = setup.card.ModelHash, setup.card.Adapter, setup.card.Prompts, setup.card.Data
	if diff := now.Differs(run.Card); diff != "" {
		return fmt.Errorf("%s was made with something else: %s", c.RunPath, diff)
	}
	live.Card, live.Agent, live.Scorer = now, setup.agent, &score.Scorer{Databases: setup.dbs}
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
	_, err = fmt.Fprintf(con, "%d of %d items answered again: no difference\n", n, len(run.Records))
	return err
}

// agentOf reads out of a card what shaped the answers.
func (c *verifyCmd) agentOf(run record.Run) (*evalAgent, error) {
	card := run.Card
	a := &evalAgent{Agent: card.Agent, Shots: card.Shots, Seed: card.Seed, Guards: card.Guards, Notes: c.Notes, Databases: c.Databases, Prompts: "default", Constrain: "off"}
	a.Plan, _ = card.Params["plan"].(string)
	if what, ok := card.Params["constrain"].(string); ok {
		a.Constrain = what
	}
	if n, ok := card.Params["max_steps"].(float64); ok {
		a.MaxSteps = int(n)
	}
	for name := range card.Prompts {
		if set, _, ok := strings.Cut(name, "/"); ok {
			a.Prompts = set
		}
	}
	switch {
	case len(run.Records) == 0:
		return nil, fmt.Errorf("%s has no answers", c.RunPath)
	case card.ModelHash == "":
		return nil, fmt.Errorf("%s does not say what model made it: it is no run of nl2sql eval", c.RunPath)
	}
	return a, a.Validate()
}
