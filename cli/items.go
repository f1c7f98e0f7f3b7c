package cli

import (
	"context"
	"errors"
	"fmt"

	"nl2sql/evaluation/score"
	"nl2sql/llm"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/question"
	"nl2sql/tools"
)

type itemsCmd struct {
	Lint    itemsLintCmd    `cmd:"" help:"Find gold queries that one cannot score with."`
	Prompts itemsPromptsCmd `cmd:"" help:"Print what a model reads before it answers items, and the answers, to train it on."`
}

type itemsLintCmd struct {
	Items     string `help:"Questions with gold queries: benchmark or train (our own), or a file of JSON, JSON lines or CSV (${default})." default:"benchmark" placeholder:"FILE"`
	Databases string `help:"Folder of databases, NAME/schema.sql and NAME/data/TABLE.csv or NAME.sql.zst, for items that name their database; else all items are about --db." placeholder:"DIR" type:"existingdir"`
	Format    string `help:"table, or ndjson: a line for each finding." enum:"table,ndjson" default:"table" placeholder:"FORMAT"`
	QueryFlags
}

// lintRows is how many rows of a result are looked at.
const lintRows = 100_000

// Run looks at every item. Findings are an answer: exit code 2.
func (c *itemsLintCmd) Run(ctx context.Context, con *console) error {
	items, err := item.Load(c.Items)
	if err != nil {
		return brief(err)
	}
	groups, err := byDatabase(items, c.Databases)
	if err != nil {
		return err
	}
	limits := runner.Limits{Rows: max(c.MaxRows, lintRows), Bytes: 256 << 20}
	bar := con.progress()
	defer bar.clear()
	var findings []score.LintFinding
	seen := 0
	for _, group := range groups {
		dbs := c.databases(c.Databases, limits)
		found, err := score.Lint(ctx, group, dbs, func(n int) { bar.show("%d of %d items", seen+n, len(items)) })
		if err = errors.Join(err, dbs.Close()); err != nil {
			return err
		}
		seen += len(group)
		findings = append(findings, found...)
	}
	bar.clear()
	if c.Format == "ndjson" {
		if err := writeJSON(con, findings...); err != nil {
			return err
		}
	} else if err := c.report(con, len(items), findings); err != nil {
		return err
	}
	if len(findings) > 0 {
		return failure{code: exitNo}
	}
	return nil
}

// report prints a line for each finding, then how often each rule was broken.
func (c *itemsLintCmd) report(con *console, items int, findings []score.LintFinding) error {
	found := runner.Result{Columns: []string{"item", "rule", "finding"}}
	rules := runner.Result{Columns: []string{"findings", "rule", "what it says"}}
	bad := map[string]bool{}
	count := map[score.LintRule]int{}
	for _, f := range findings {
		name := f.Item
		if f.Database != "" {
			name += " (" + f.Database + ")"
		}
		bad[f.Item] = true
		count[f.Rule]++
		found.Rows = append(found.Rows, []any{name, string(f.Rule), f.Detail})
	}
	for _, r := range score.LintRules {
		if count[r.Rule] > 0 {
			rules.Rows = append(rules.Rows, []any{int64(count[r.Rule]), string(r.Rule), r.What})
		}
	}
	for _, res := range []runner.Result{found, rules} {
		if len(res.Rows) > 0 {
			if err := con.table(res, con.format("auto")); err != nil {
				return err
			}
			fmt.Fprintln(con)
		}
	}
	fmt.Fprintf(con, "%d items, %d with findings\n", items, len(bad))
	return nil
}

// itemsPromptsCmd renders what generate_sql asks, and repair_sql for items with a wrong query, so that a model is
// trained on the very bytes that it will read.
type itemsPromptsCmd struct {
	Items     string `help:"Questions with gold queries: train (our own), or a file of JSON, JSON lines or CSV." required:"" placeholder:"FILE"`
	Databases string `help:"Folder of databases, NAME/schema.sql and NAME/data/TABLE.csv or NAME.sql.zst, for items that name their database; else all items are about --db." placeholder:"DIR" type:"existingdir"`
	Prompts   string `help:"Prompt set, ${enum} (${default})." enum:"default,typed,dissertation" default:"default" placeholder:"SET"`
	Notes     string `help:"Glossary of the database; the demo database brings its own; none leaves it out." placeholder:"FILE"`
	QueryFlags
}

// prompted is an item as a model reads it, and the answer that it is to give.
type prompted struct {
	ID       string        `json:"id"`
	Database string        `json:"database,omitempty"`
	Messages []llm.Message `json:"messages"`
	SQL      string        `json:"sql"`
}

// refusal is why the checker does not let an item's wrong query through.
func refusal(ctx context.Context, x *score.Executor, it item.Item) (sqlcheck.Verdict, error) {
	o, err := x.Run(ctx, it.Wrong)
	if err == nil && o.Verdict.OK {
		err = fmt.Errorf("item %s: its wrong query passes the check, so that there is nothing to repair", it.ID)
	}
	return o.Verdict, err
}

// Run writes a line an item, those of one database together. The benchmark's questions are for scoring, and refused.
func (c *itemsPromptsCmd) Run(ctx context.Context, con *console) (err error) {
	if c.Items == "benchmark" {
		return failure{exitUsage,
			errors.New("--items benchmark is for scoring: a model that was trained on it cannot be scored with it")}
	}
	items, err := item.Load(c.Items)
	if err != nil {
		return brief(err)
	}
	notes, err := readNotes(c.Notes, c.DB, c.Databases)
	if err != nil {
		return err
	}
	prompts, err := tools.NewPrompts(c.Prompts, notes)
	if err != nil {
		return err
	}
	groups, err := byDatabase(items, c.Databases)
	if err != nil {
		return err
	}
	dbs := c.databases(c.Databases, runner.Limits{Rows: c.MaxRows})
	defer func() { err = errors.Join(err, dbs.Close()) }()
	bar := con.progress()
	defer bar.clear()
	for i, group := range groups {
		bar.show("database %d of %d", i+1, len(groups))
		x, err := dbs.Executor(ctx, group[0].Database)
		if err == nil && c.Databases == "" {
			if notes, err = c.notes(c.Notes, notes, x.Schema); err == nil {
				prompts, err = tools.NewPrompts(c.Prompts, notes)
			}
		}
		if err != nil {
			return err
		}
		for _, it := range group {
			env := tools.Env{Asked: question.Read(it.Question, x.Schema), Schema: x.Schema, SQL: it.Wrong}
			env.Focus, _ = prompts.Focus(env.Asked, x.Schema)
			ask := prompts.Generate
			if it.Wrong != "" {
				verdict, err := refusal(ctx, x, it)
				if err != nil {
					return err
				}
				env.Err, ask = verdict.Advice(), prompts.Repair
			}
			msgs, err := ask(env)
			if err != nil {
				return err
			}
			if err := writeJSON(con, prompted{it.ID, it.Database, msgs, it.SQL}); err != nil {
				return err
			}
		}
	}
	return nil
}
