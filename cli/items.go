package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"nl2sql/evaluation/item"
	"nl2sql/evaluation/score"
	"nl2sql/runner"
	"nl2sql/runner/render"
)

type itemsCmd struct {
	Lint itemsLintCmd `cmd:"" help:"Find gold queries that one cannot score with."`
}

type itemsLintCmd struct {
	Items     string `help:"Questions with gold queries: benchmark or train (our own), or a file of JSON, JSON lines or CSV (${default})." default:"benchmark" placeholder:"FILE"`
	Databases string `help:"Folder of DATABASE/schema.sql and DATABASE/data/TABLE.csv, for items that name their database; else all items are about --db." placeholder:"DIR" type:"existingdir"`
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
	groups := byDatabase(items)
	if c.Databases == "" && len(groups) > 1 {
		return failure{exitUsage, fmt.Errorf("the items belong to %d databases: name the folder that holds them with --databases", len(groups))}
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
	var found, rules [][]string
	bad := map[string]bool{}
	count := map[score.LintRule]int{}
	for _, f := range findings {
		name := f.Item
		if f.Database != "" {
			name += " (" + f.Database + ")"
		}
		bad[f.Item] = true
		count[f.Rule]++
		found = append(found, []string{name, string(f.Rule), f.Detail})
	}
	for _, r := range score.LintRules {
		if count[r.Rule] > 0 {
			rules = append(rules, []string{strconv.Itoa(count[r.Rule]), string(r.Rule), r.What})
		}
	}
	if err := render.WriteColumns(con, found, 0); err != nil {
		return err
	}
	if len(found) > 0 {
		fmt.Fprintln(con)
	}
	if err := render.WriteColumns(con, rules, 0); err != nil {
		return err
	}
	fmt.Fprintf(con, "%d items, %d with findings\n", items, len(bad))
	return nil
}
