package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"

	"nl2sql/evaluation"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/render"
)

type itemsCmd struct {
	Lint itemsLintCmd `cmd:"" help:"Find gold queries that one cannot score with."`
}

type itemsLintCmd struct {
	Items     string `help:"Questions with gold queries: benchmark or train (our own), or a file of JSON, JSON lines or CSV (${default})." default:"benchmark" placeholder:"FILE"`
	Databases string `help:"Folder of DATABASE/schema.sql and DATABASE/data/TABLE.csv, for items that name their database; else all items are about --db." placeholder:"DIR" type:"existingdir"`
	Format    string `help:"table, or ndjson: a line for each finding." enum:"table,ndjson" default:"table" placeholder:"FORMAT"`
}

// lintRows is how many rows of a result are looked at.
const lintRows = 100_000

// Run looks at every item. Findings are an answer: exit code 2.
func (c *itemsLintCmd) Run(ctx context.Context, con *console, app *cli) error {
	items, err := evaluation.LoadItems(c.Items)
	if err != nil {
		return brief(err)
	}
	groups := byDatabase(items)
	if c.Databases == "" && len(groups) > 1 {
		return failure{exitUsage, fmt.Errorf("the items belong to %d databases: name the folder that holds them with --databases", len(groups))}
	}
	limits := runner.Limits{Rows: max(app.MaxRows, lintRows), Bytes: 256 << 20, TrustViews: app.TrustViews}
	bar := con.progress()
	defer bar.clear()
	var findings []evaluation.LintFinding
	seen := 0
	for _, group := range groups {
		dbs := &evaluation.Databases{Open: func(ctx context.Context, name string) (runner.DB, error) {
			if c.Databases != "" {
				return embedded.OpenFolder(ctx, c.Databases, name, limits)
			}
			return openDB(ctx, app.DB, limits)
		}}
		found, err := evaluation.Lint(ctx, group, dbs, func(n int) { bar.show("%d of %d items", seen+n, len(items)) })
		if err = errors.Join(err, dbs.Close()); err != nil {
			return err
		}
		seen += len(group)
		findings = append(findings, found...)
	}
	bar.clear()
	if c.Format == "ndjson" {
		enc := json.NewEncoder(con)
		enc.SetEscapeHTML(false)
		for _, f := range findings {
			if err := enc.Encode(f); err != nil {
				return err
			}
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
func (c *itemsLintCmd) report(con *console, items int, findings []evaluation.LintFinding) error {
	tw := tabwriter.NewWriter(con, 0, 8, 2, ' ', 0)
	bad := map[string]bool{}
	count := map[evaluation.LintRule]int{}
	for _, f := range findings {
		name := f.Item
		if f.Database != "" {
			name += " (" + f.Database + ")"
		}
		bad[f.Item] = true
		count[f.Rule]++
		fmt.Fprintf(tw, "%s\t%s\t%s\n", render.Visible(name), f.Rule, render.Visible(f.Detail))
	}
	if len(findings) > 0 {
		fmt.Fprintln(tw)
	}
	for _, r := range evaluation.LintRules {
		if count[r.Rule] > 0 {
			fmt.Fprintf(tw, "%d\t%s\t%s\n", count[r.Rule], r.Rule, r.What)
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(con, "%d items, %d with findings\n", items, len(bad))
	return nil
}
