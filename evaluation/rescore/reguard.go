package rescore

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/syntax"
)

// Reguard puts recorded model text through guards.
type Reguard struct {
	Scorer  *score.Scorer
	Profile string // whose EX counts; the scorer has it
	Guards  guard.Set
}

// Reguarded is one recorded answer before and after the guards.
type Reguarded struct {
	Record  record.Record
	SQL     string // after the guards; "" if they rejected the text
	Before  score.Scored
	After   score.Scored
	Changed []string // guards that changed the text

	// Bound says that a choice and order of the columns that the raw query returns is the gold query's answer: no rule
	// about columns can win more.
	Bound bool
}

// Right says whether a score's EX is 1.
func (p *Reguard) Right(s score.Scored) bool { return s.Scores[p.Profile].EX }

// Run puts the answers of runs through the guards, on all cores; the result is in their order. progress may be nil.
func (p *Reguard) Run(ctx context.Context, runs []record.Run, progress func(done, total int)) ([][]Reguarded, error) {
	out := make([][]Reguarded, len(runs))
	for i, run := range runs {
		out[i] = make([]Reguarded, len(run.Records))
	}
	err := eachRecord(ctx, runs, progress, func(ctx context.Context, i, j int) (err error) {
		out[i][j], err = p.answer(ctx, runs[i].Records[j])
		return err
	})
	return out, err
}

// eachRecord calls f for every record of runs, concurrently. The first error ends the others. progress may be nil.
func eachRecord(
	ctx context.Context, runs []record.Run, progress func(done, total int),
	f func(ctx context.Context, run, record int) error,
) error {
	total := 0
	for _, run := range runs {
		total += len(run.Records)
	}
	var done atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2 * runtime.NumCPU()) // a server works while we compare
	for i, run := range runs {
		for j := range run.Records {
			if ctx.Err() != nil {
				break
			}
			g.Go(func() error {
				if err := f(ctx, i, j); err != nil {
					return fmt.Errorf("run %s: %w", run.Name, err)
				}
				if n := done.Add(1); progress != nil {
					progress(int(n), total)
				}
				return nil
			})
		}
	}
	return g.Wait()
}

func (p *Reguard) answer(ctx context.Context, rec record.Record) (Reguarded, error) {
	x, err := p.Scorer.Databases.Executor(ctx, rec.Database)
	if err != nil {
		return Reguarded{}, err
	}
	r := Reguarded{Record: rec}
	in := guard.Input{Question: question.Read(rec.Question, x.Schema), Schema: x.Schema}
	sql, changes, v := p.Guards.Apply(rec.Written(), in)
	for _, c := range changes {
		r.Changed = append(r.Changed, c.Guard)
	}
	if v.OK {
		r.SQL = sql
	}
	if r.Before, err = Answer(ctx, p.Scorer, rec, rec.Written()); err != nil {
		return r, err
	}
	if r.After, err = Answer(ctx, p.Scorer, rec, r.SQL); err != nil {
		return r, err
	}
	gold, pred := r.Before.Case.Gold, r.Before.Case.Pred
	r.Bound = p.Right(r.Before) || gold.OK() && pred.OK() && score.PlacedIn(*gold.Result, *pred.Result) != nil
	return r, nil
}

// Sum sums up one condition.
type Sum struct {
	Condition string     `json:"condition"`
	Before    score.Rate `json:"before"` // EX of the raw text
	After     score.Rate `json:"after"`
	Fixed     int        `json:"fixed"`
	Broken    int        `json:"broken"`
	Bound     score.Rate `json:"bound"`  // EX if columns were chosen and ordered by an oracle
	Errors    score.Rate `json:"errors"` // raw texts that do not run
}

// Sums are those of the conditions that runs are of by their place, then that of all.
func (p *Reguard) Sums(conditions []string, all [][]Reguarded) (sums []Sum) {
	whole := Sum{Condition: "all"}
	for i, name := range conditions {
		sum := syntax.Entry(&sums, func(s Sum) bool { return s.Condition == name }, Sum{Condition: name})
		for _, one := range all[i] {
			sum.add(p, one)
			whole.add(p, one)
		}
	}
	return append(sums, whole)
}

func (s *Sum) add(p *Reguard, one Reguarded) {
	count := func(r *score.Rate, yes bool) {
		if r.N++; yes {
			r.Hits++
		}
	}
	before, after := p.Right(one.Before), p.Right(one.After)
	count(&s.Before, before)
	count(&s.After, after)
	count(&s.Bound, one.Bound)
	count(&s.Errors, !one.Before.Case.Pred.OK())
	if after && !before {
		s.Fixed++
	} else if before && !after {
		s.Broken++
	}
}

// Broken are the answers that were right before the guards and are wrong after.
func (p *Reguard) Broken(all [][]Reguarded) []Reguarded {
	return slices.DeleteFunc(slices.Concat(all...),
		func(one Reguarded) bool { return !p.Right(one.Before) || p.Right(one.After) })
}

// Rule is what one guard is worth among the others.
type Rule struct {
	Guard  string `json:"guard"`
	Texts  int    `json:"texts"`  // that it changed
	Saved  int    `json:"saved"`  // right with it, wrong without
	Harmed int    `json:"harmed"` // wrong with it, right without
}

// Rules leaves out one guard after the other.
func (p *Reguard) Rules(ctx context.Context, runs []record.Run, all [][]Reguarded) ([]Rule, error) {
	rules := make([]Rule, len(p.Guards))
	for n, left := range p.Guards {
		rules[n].Guard = left.Name
		others := append(append(guard.Set{}, p.Guards[:n]...), p.Guards[n+1:]...)
		var mu sync.Mutex
		err := eachRecord(ctx, runs, nil, func(ctx context.Context, i, j int) error {
			r := all[i][j]
			changed := slices.Contains(r.Changed, left.Name)
			if !changed && r.SQL != "" { // it neither changed nor rejected the text: the others do the same without it
				return nil
			}
			x, err := p.Scorer.Databases.Executor(ctx, r.Record.Database)
			if err != nil {
				return err
			}
			in := guard.Input{Question: question.Read(r.Record.Question, x.Schema), Schema: x.Schema}
			sql, _, v := others.Apply(r.Record.Written(), in)
			if !v.OK {
				sql = ""
			}
			without, err := Answer(ctx, p.Scorer, r.Record, sql)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if changed {
				rules[n].Texts++
			}
			switch a, b := p.Right(r.After), p.Right(without); {
			case a && !b:
				rules[n].Saved++
			case b && !a:
				rules[n].Harmed++
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return rules, nil
}

// Left is an answer that is wrong after the guards.
type Left struct {
	Class    score.Class `json:"class"`
	Detail   string      `json:"detail,omitempty"`
	Question string      `json:"nlq"`
	Gold     string      `json:"gold_sql"`
	SQL      string      `json:"sql"`   // after the guards
	Times    int         `json:"times"` // recorded answers that come to this
}

// Left lists what is wrong after the guards, by class in the order of [score.Classes], the most frequent first.
func (p *Reguard) Left(all [][]Reguarded) []Left {
	at := map[[3]string]int{}
	var out []Left
	for _, run := range all {
		for _, r := range run {
			if p.Right(r.After) {
				continue
			}
			key := [3]string{r.Record.ID, r.Record.Gold, r.SQL}
			if _, seen := at[key]; !seen {
				at[key] = len(out)
				class, detail := score.Classify(r.After.Case, false)
				out = append(out, Left{Class: class, Detail: detail, Question: r.Record.Question,
					Gold: r.Record.Gold, SQL: r.SQL})
			}
			out[at[key]].Times++
		}
	}
	slices.SortStableFunc(out, func(a, b Left) int {
		return cmp.Or(cmp.Compare(slices.Index(score.Classes, a.Class), slices.Index(score.Classes, b.Class)),
			cmp.Compare(b.Times, a.Times))
	})
	return out
}
