package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/report"
	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/runner/render"
)

type reportCmd struct {
	Runs      []string `arg:"" name:"run" help:"Runs of nl2sql eval, the original's run files, per_item_flags.csv beside its manifest.csv, or folders of them."`
	Compare   bool     `help:"List the items on which the conditions differ, with every answer."`
	Format    string   `help:"table, markdown, latex, html (one page that needs no network), json, or csv (the original's four files)." enum:"table,markdown,latex,html,json,csv" default:"table" placeholder:"FORMAT"`
	Profile   string   `help:"Scores to report: strict if the runs have it, else the first they have; dissertation for csv." placeholder:"NAME"`
	Pair      []string `help:"Test these two conditions, by name or by number as #1,#2; may be given again. Without it: all that differ in one of model, method and shots." placeholder:"A,B" sep:"none"`
	Items     string   `help:"File of the items that were run, for rates by difficulty and tag." placeholder:"FILE"`
	Execute   bool     `help:"Score on --db, or on --databases, what the records leave open: how answers are wrong, and which guards and repairs saved or spoilt one."`
	Databases string   `help:"Of --execute: folder of databases, NAME/schema.sql and NAME/data/TABLE.csv or NAME.sql.zst, for items that name theirs." placeholder:"DIR"`
	Out       string   `help:"File to write instead of stdout; a folder for csv." placeholder:"PATH"`
	DatabaseFlags
}

// Validate makes wrong values usage errors.
func (c *reportCmd) Validate() error {
	if c.Format == "csv" && c.Out == "" {
		return errors.New("--format csv writes four files: name a folder with --out")
	}
	for _, pair := range c.Pair {
		if strings.Count(pair, ",") != 1 {
			return fmt.Errorf("--pair %s: give two conditions with a comma between", pair)
		}
	}
	if c.Databases != "" && !c.Execute {
		return errors.New("--databases needs --execute: a report of records opens none")
	}
	return nil
}

// Run computes a report and writes it.
func (c *reportCmd) Run(ctx context.Context, con *console) (err error) {
	runs, err := record.ReadRuns(c.Runs)
	if err != nil {
		return brief(err)
	}
	o := report.Options{Profile: c.Profile}
	for _, pair := range c.Pair {
		left, right, _ := strings.Cut(pair, ",")
		o.Pairs = append(o.Pairs, [2]string{strings.TrimSpace(left), strings.TrimSpace(right)})
	}
	if o.Profile == "" && c.Format == "csv" {
		o.Profile = "dissertation"
	}
	if c.Items != "" {
		if o.Items, err = item.Load(c.Items); err != nil {
			return brief(err)
		}
	}
	if c.Execute {
		o.Scorer = &score.Scorer{Databases: c.scored(c.Databases)}
		defer func() { err = errors.Join(err, o.Scorer.Databases.Close()) }()
		for _, p := range score.Profiles {
			if p.Name == "strict" || p.Name == "dissertation" || p.Name == c.Profile {
				o.Scorer.Profiles = append(o.Scorer.Profiles, p)
			}
		}
	}
	bar := con.progress()
	bar.show("computing the report")
	made, err := report.New(ctx, runs, o)
	bar.clear()
	if err != nil {
		return err
	}
	if c.Format == "csv" {
		if err := made.WriteCSV(c.Out); err != nil {
			return fmt.Errorf("write the report: %w", brief(err))
		}
		return nil
	}
	return c.write(con, func(w io.Writer, screen render.Options) error {
		switch c.Format {
		case "markdown":
			return made.WriteMarkdown(w, c.Compare)
		case "latex":
			return made.WriteLaTeX(w, c.Compare)
		case "html":
			return made.WriteHTML(w)
		case "json":
			return made.WriteJSON(w)
		}
		return made.WriteTable(w, screen, c.Compare)
	})
}

// write shows what f writes, or writes it all at once to the file of --out.
func (c *reportCmd) write(con *console, f func(w io.Writer, screen render.Options) error) error {
	var b bytes.Buffer
	if c.Out == "" {
		if err := f(&b, con.screen); err != nil {
			return err
		}
		return con.page(b.Bytes())
	}
	if err := f(&b, render.Options{}); err != nil {
		return err
	}
	if err := os.WriteFile(c.Out, b.Bytes(), 0o666); err != nil {
		return fmt.Errorf("write the report: %w", brief(err))
	}
	return nil
}
