package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/report"
	"nl2sql/evaluation/rescore"
	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/guard"
)

type reguardCmd struct {
	Runs      []string `arg:"" name:"run" help:"Runs: folders, run.jsonl files, the original's JSON, or folders of them."`
	Guards    string   `help:"A set (default, dissertation, seed, final, none) or names of guards; -NAME takes one out (${default})." default:"dissertation" placeholder:"GUARDS"`
	Profile   string   `help:"Profile whose EX counts (${default})." default:"dissertation" placeholder:"NAME"`
	Items     string   `help:"Items that were asked, for their accepted golds." placeholder:"FILE"`
	Databases string   `help:"Folder of databases that the runs had; else all answers are about --db." placeholder:"DIR"`
	Rules     bool     `help:"Show what each guard saves and harms: how many are right with it and wrong without, and the other way round."`
	Left      bool     `help:"List what is wrong after the guards, by class."`
	Broken    bool     `help:"List what was right before the guards and is wrong after."`
	Format    string   `help:"table, plain or markdown; ndjson has a line a condition, rule or answer; auto, the default, is table on a terminal, else plain." enum:"auto,table,plain,markdown,ndjson" default:"auto" placeholder:"FORMAT"`
	DatabaseFlags
}

// reguarded sums up one condition.
type reguarded struct {
	Condition string     `json:"condition"`
	Before    score.Rate `json:"before"` // EX of the raw text
	After     score.Rate `json:"after"`
	Fixed     int        `json:"fixed"`
	Broken    int        `json:"broken"`
	Bound     score.Rate `json:"bound"`  // EX if columns were chosen and ordered by an oracle
	Errors    score.Rate `json:"errors"` // raw texts that do not run
}

func (r *reguarded) add(p *rescore.Reguard, one rescore.Reguarded) {
	before, after := p.Right(one.Before), p.Right(one.After)
	r.Before.N++
	r.After.N++
	r.Bound.N++
	r.Errors.N++
	for _, count := range []struct {
		yes bool
		to  *int
	}{
		{before, &r.Before.Hits}, {after, &r.After.Hits}, {after && !before, &r.Fixed}, {before && !after, &r.Broken},
		{one.Bound, &r.Bound.Hits}, {!one.Before.Case.Pred.OK(), &r.Errors.Hits},
	} {
		if count.yes {
			*count.to++
		}
	}
}

// Run scores recorded answers before and after guards.
func (c *reguardCmd) Run(ctx context.Context, con *console) (err error) {
	guards, err := guard.ParseSet(c.Guards)
	if err != nil {
		return failure{exitUsage, err}
	}
	profile, err := score.ProfileNamed(c.Profile)
	if err != nil {
		return failure{exitUsage, err}
	}
	runs, err := record.ReadRuns(c.Runs)
	if err != nil {
		return brief(err)
	}
	s := &score.Scorer{Profiles: []score.Profile{profile}, Databases: c.scored(c.Databases)}
	defer func() { err = errors.Join(err, s.Databases.Close()) }()
	if c.Items != "" {
		if s.Items, err = item.Load(c.Items); err != nil {
			return brief(err)
		}
	}
	p := &rescore.Reguard{Scorer: s, Profile: c.Profile, Guards: guards}
	bar := con.progress()
	defer bar.clear()
	all, err := p.Run(ctx, runs, func(done, total int) { bar.show("guarding %d of %d", done, total) })
	if err != nil {
		return err
	}
	var rules []rescore.Rule
	if c.Rules {
		bar.show("leaving out one guard after the other")
		if rules, err = p.Rules(ctx, runs, all); err != nil {
			return err
		}
	}
	bar.clear()
	return c.print(con, p, runs, all, rules)
}

// outcome is what replaying shows.
type outcome struct {
	conditions []reguarded // and all together
	rules      []rescore.Rule
	left       []rescore.Left
	broken     []rescore.Reguarded
}

func (c *reguardCmd) print(
	con *console, p *rescore.Reguard, runs []record.Run, all [][]rescore.Reguarded, rules []rescore.Rule,
) error {
	o := outcome{rules: rules}
	sum := reguarded{Condition: "all"}
	for i, run := range runs {
		name := report.ConditionName(run)
		at := slices.IndexFunc(o.conditions, func(r reguarded) bool { return r.Condition == name })
		if at < 0 {
			at = len(o.conditions)
			o.conditions = append(o.conditions, reguarded{Condition: name})
		}
		for _, one := range all[i] {
			o.conditions[at].add(p, one)
			sum.add(p, one)
			if c.Broken && p.Right(one.Before) && !p.Right(one.After) {
				o.broken = append(o.broken, one)
			}
		}
	}
	o.conditions = append(o.conditions, sum)
	if c.Left {
		o.left = p.Left(all)
	}
	format := con.format(c.Format)
	if format == render.NDJSON {
		var lines []any
		for _, b := range o.broken {
			lines = append(lines,
				map[string]any{"broken": b.Record.ID, "nlq": b.Record.Question, "gold_sql": b.Record.Gold,
					"raw_sql": b.Record.Raw, "sql": b.SQL, "guards": b.Changed})
		}
		return errors.Join(writeJSON(con, o.conditions...), writeJSON(con, o.rules...), writeJSON(con, o.left...),
			writeJSON(con, lines...))
	}
	for i, res := range c.tables(o) {
		if i > 0 {
			fmt.Fprintln(con)
		}
		if len(res.Rows) == 0 {
			continue
		}
		if err := con.table(res, format); err != nil {
			return err
		}
	}
	return nil
}

// tables are what the flags ask for.
func (c *reguardCmd) tables(o outcome) []runner.Result {
	res := runner.Result{Columns: []string{"condition", "answers", "EX before", "EX after", "fixed", "broken",
		"columns by oracle", "do not run"}}
	for _, r := range o.conditions {
		res.Rows = append(res.Rows,
			[]any{r.Condition, int64(r.Before.N), share(r.Before), share(r.After), int64(r.Fixed), int64(r.Broken),
				share(r.Bound), share(r.Errors)})
	}
	out := []runner.Result{res}
	if c.Rules {
		res = runner.Result{Columns: []string{"guard", "texts changed", "saved", "harmed"}}
		for _, r := range o.rules {
			res.Rows = append(res.Rows, []any{r.Guard, int64(r.Texts), int64(r.Saved), int64(r.Harmed)})
		}
		out = append(out, res)
	}
	if c.Left {
		out = append(out, leftByClass(o.left), leftOnes(o.left))
	}
	if len(o.broken) > 0 {
		res = runner.Result{Columns: []string{"broken", "guards", "question", "before", "after"}}
		for _, b := range o.broken {
			res.Rows = append(res.Rows,
				[]any{b.Record.ID, strings.Join(b.Changed, ", "), oneSpace(b.Record.Question), oneSpace(b.Record.Raw),
					oneSpace(b.SQL)})
		}
		out = append(out, res)
	}
	return out
}

func leftByClass(left []rescore.Left) runner.Result {
	counts := map[score.Class][2]int{}
	for _, l := range left {
		n := counts[l.Class]
		counts[l.Class] = [2]int{n[0] + l.Times, n[1] + 1}
	}
	res := runner.Result{Columns: []string{"class of what is left", "answers", "different ones"}}
	for _, class := range score.Classes {
		if n := counts[class]; n[0] > 0 {
			res.Rows = append(res.Rows, []any{strings.ReplaceAll(string(class), "_", " "), int64(n[0]), int64(n[1])})
		}
	}
	return res
}

func leftOnes(left []rescore.Left) runner.Result {
	res := runner.Result{Columns: []string{"class", "times", "detail", "question", "gold", "after the guards"}}
	for _, l := range left {
		res.Rows = append(res.Rows,
			[]any{strings.ReplaceAll(string(l.Class), "_", " "), int64(l.Times), oneSpace(l.Detail),
				oneSpace(l.Question), oneSpace(l.Gold), oneSpace(l.SQL)})
	}
	return res
}

func share(r score.Rate) string { return fmt.Sprintf("%.3f", r.Value()) }
