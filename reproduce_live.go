package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"nl2sql/evaluation/item"
	"nl2sql/evaluation/record"
	"nl2sql/evaluation/runs"
	"nl2sql/evaluation/score"
	"nl2sql/llm"
)

// grid is the dissertation's: what is run, with how many exemplars, under how many of gridSeeds (dissertation.md §5.11).
var grid = []struct {
	method, agent string
	adapter       bool
	cells         []struct{ shots, seeds int }
}{
	{"base", "baseline", false, []struct{ shots, seeds int }{{0, 1}, {3, 10}}},
	{"react", "react", false, []struct{ shots, seeds int }{{3, 5}}},
	{"qlora", "baseline", true, []struct{ shots, seeds int }{{0, 1}, {3, 10}}},
}

// gridSeed is the nth seed: 7, 17, 27 …
func gridSeed(n int) string { return strconv.Itoa(7 + 10*n) }

// live makes the runs of the grid in --out, or what is missing of them: a folder each. Exemplars come from the items
// themselves, as published.
func (c *reproduceCmd) live(ctx context.Context, con *console, app *cli, spec string) ([]record.Run, error) {
	items, err := loadItems(c.Items)
	if err != nil {
		return nil, err
	}
	var runs []record.Run
	for _, g := range grid {
		if g.adapter && app.Adapter == "" {
			continue
		}
		own := *app // with a model of its own, which is closed before the next one is opened
		own.DB, own.closers, own.found = spec, nil, nil
		if !g.adapter {
			own.Adapter = ""
		}
		agent := evalAgent{Agent: g.agent, Plan: "fixed", Prompts: "default", Constrain: "off"}
		if err := agent.Validate(); err != nil {
			return nil, err
		}
		setup, err := agent.setUp(ctx, con, &own, items)
		if err != nil {
			return nil, errors.Join(err, own.close())
		}
		for _, cell := range g.cells {
			for n := range cell.seeds {
				var run record.Run
				if run, err = c.cell(ctx, con, setup, items, g.method, cell.shots, gridSeed(n)); err != nil {
					break
				}
				runs = append(runs, run)
			}
			if err != nil {
				break
			}
		}
		if err := errors.Join(err, setup.dbs.Close(), own.close()); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// cell makes one run, or what is missing of it.
func (c *reproduceCmd) cell(ctx context.Context, con *console, setup *evalSetup, items []item.Item, method string, shots int, seed string) (record.Run, error) {
	live := runs.Live{
		Items: items, Pool: item.Pool{Name: "test", Items: items}, Card: setup.card, Agent: setup.agent,
		Scorer: &score.Scorer{Databases: setup.dbs},
	}
	for _, name := range []string{"strict", "dissertation"} {
		p, err := score.ProfileNamed(name)
		if err != nil {
			return record.Run{}, err
		}
		live.Scorer.Profiles = append(live.Scorer.Profiles, p)
	}
	live.Card.Shots, live.Card.Seed = shots, seed
	live.Card.Condition = fmt.Sprintf("%s_%s_k%d", modelTag(live.Card.Model), method, shots)
	out := filepath.Join(c.Out, live.Card.Condition+"_seed"+seed)
	if replay, ok := setup.model.(*llm.Replay); ok {
		if old, err := record.ReadRun(out); err == nil { // an error: there is none yet
			for _, r := range old.Records {
				replay.Skip(r.Calls)
			}
		}
	}
	return (&evalCmd{Out: out}).answer(ctx, con, live)
}

// modelTag is what the published conditions call a model: one of their families stands beside their figures.
func modelTag(model string) string {
	name := strings.ToLower(strings.TrimSuffix(model, filepath.Ext(model)))
	for _, family := range []string{"llama", "qwen"} {
		if strings.Contains(name, family) {
			return family
		}
	}
	return name
}
