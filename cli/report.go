package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nl2sql/evaluation/confidence"
	"nl2sql/evaluation/record"
	"nl2sql/evaluation/report"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
)

type reportCmd struct {
	Runs    []string `arg:"" name:"run" help:"Runs of nl2sql eval, the original's run files, per_item_flags.csv beside its manifest.csv, or folders of them."`
	Compare bool     `help:"List the items on which the conditions differ, with every answer."`
	Format  string   `help:"table, markdown, latex, html (one page that needs no network), json, or csv (the original's four files)." enum:"table,markdown,latex,html,json,csv" default:"table" placeholder:"FORMAT"`
	Profile string   `help:"Scores to report: strict if the runs have it, else the first they have; dissertation for csv." placeholder:"NAME"`
	Pair    []string `help:"Test these two conditions, by name or by number as #1,#2; may be given again. Without it: all that differ in one of model, method and shots." placeholder:"A,B" sep:"none"`
	Items   string   `help:"Items that were asked, for their accepted golds, difficulties and tags." placeholder:"FILE"`
	Execute bool     `help:"Score on --db, or on --databases, what the records leave open: how answers are wrong, and which guards and repairs saved or spoilt one."`
	FolderFlag
	Out string `help:"File to write instead of stdout; a folder for csv." placeholder:"PATH"`
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
func (c *reportCmd) Run(ctx context.Context, con *console, open *opened) error {
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
	profiles := []string{"strict", "dissertation"}
	if c.Profile != "" && !slices.Contains(profiles, c.Profile) {
		profiles = append(profiles, c.Profile)
	}
	if c.Execute {
		o.Scorer, err = scorerOf(ctx, open, &c.DatabaseFlags, c.Databases, c.Items, "", profiles...)
		if err != nil {
			return err
		}
		o.Items = o.Scorer.Items
	} else if c.Items != "" {
		if o.Items, err = item.Load(c.Items); err != nil {
			return brief(err)
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
	if err := os.WriteFile(c.Out, b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("write the report: %w", brief(err))
	}
	return nil
}

type confidenceCmd struct {
	Runs    []string `arg:"" name:"run" help:"Runs of nl2sql eval --agent loop: folders, run.jsonl files, or folders of them. Their items may differ."`
	Fit     string   `help:"Fit a model on these runs and write it to FILE; the figures are then of each database under a model of the others." placeholder:"FILE"`
	Profile string   `help:"Profile whose EX says what is right (${default})." default:"strict" placeholder:"NAME"`
	FiguresFlag
}

// Run tells how good the confidence of runs is.
func (c *confidenceCmd) Run(_ context.Context, con *console) error {
	runs, err := record.ReadRuns(c.Runs)
	if err != nil {
		return brief(err)
	}
	samples := confidence.Samples(runs, c.Profile)
	if len(confidence.Given(samples)) == 0 {
		return fmt.Errorf("no answer of %s has a confidence: runs of nl2sql eval --agent loop have",
			strings.Join(c.Runs, ", "))
	}
	if c.Fit != "" {
		if samples, err = c.fit(samples, runs); err != nil {
			return err
		}
	}
	samples = confidence.Given(samples)
	columns := []string{"confidence", "answers", "mean", "right"}
	bins := listed(columns, confidence.Reliability(samples), func(b confidence.Bin) []any {
		return []any{fmt.Sprintf("%.1f–%.1f", b.Low, b.High), int64(b.N), three(b.Mean), three(b.Right)}
	})
	curve, area := confidence.RiskCoverage(samples)
	wrong := curve[len(curve)-1].Risk
	whole := runner.Result{Columns: []string{"answers", "wrong", "area under risk and coverage", "best possible"},
		Rows: [][]any{{int64(len(samples)), three(wrong), three(area), three(confidence.LeastArea(wrong))}}}
	refused := below("confidence below", samples, func(s confidence.Sample) float64 { return s.P })
	unanswerable := below("--min-answerable", samples, func(s confidence.Sample) float64 { return s.HasAnswer })
	counted := confidence.Doubts(runs, c.Profile)
	doubts := listed([]string{"told", "beside wrong", "of them", "beside right", "of them ", "wrong of those with it",
		"Wilson 95 %"}, counted, func(b confidence.Beside) []any {
		share := func(n, of int) runner.Decimal { return three(float64(n) / float64(max(1, of))) }
		in := report.Wilson(b.Wrong, b.Wrong+b.Right)
		return []any{b.Doubt, int64(b.Wrong), share(b.Wrong, counted[0].Wrong), int64(b.Right),
			share(b.Right, counted[0].Right), share(b.Wrong, b.Wrong+b.Right),
			fmt.Sprintf("%.2f–%.2f", in.Low, in.High)}
	})
	return con.tables(con.format(c.Format), whole, bins, refused, unanswerable, doubts)
}

// below is what thresholds of a probability take: of the confidence it is what is warned of, or refused by
// --min-confidence.
func below(name string, samples []confidence.Sample, of func(confidence.Sample) float64) runner.Result {
	columns := []string{name, "of answers", "of right", "wrong of these", "wrong and not below, of all",
		"of unanswerable"}
	limits := []float64{.1, .2, .3, .4, .5, .55, .6, .65, .7, .75, .8, .85, .9, .95}
	return listed(columns, limits, func(p float64) []any {
		b := confidence.BelowAt(samples, p, of)
		return []any{runner.Decimal(fmt.Sprintf("%.2f", p)), three(b.All), three(b.Right), three(b.Wrong),
			three(b.Left), three(b.Unanswerable)}
	})
}

func three(v float64) runner.Decimal { return runner.Decimal(fmt.Sprintf("%.3f", v)) }

// fit writes the model of all samples, and returns them as models of other databases judge them.
func (c *confidenceCmd) fit(samples []confidence.Sample, runs []record.Run) ([]confidence.Sample, error) {
	names := syntax.Map(runs, func(r record.Run) string {
		return fmt.Sprintf("%s (%d)", filepath.Base(r.Name), len(r.Records))
	})
	model, err := confidence.Fit(samples, strings.Join(names, ", "))
	if err != nil {
		return nil, err
	}
	held, err := confidence.Held(samples)
	if err != nil {
		return nil, err
	}
	held = slices.DeleteFunc(held, func(s confidence.Sample) bool { return s.Scripted })
	text, err := json.MarshalIndent(model, "", "  ")
	if err != nil {
		return nil, err
	}
	return held, brief(os.WriteFile(c.Fit, append(text, '\n'), 0o644))
}
