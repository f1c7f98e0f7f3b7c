package report

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/loop"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

// Waterfall leads from the SQL that the model wrote first to the answers, one rule at a time: guards that rewrote a
// query, and checks that sent it back to be repaired. What was never scored is counted apart: a record alone
// tells only the score of its answer, and of queries that did not run.
type Waterfall struct {
	N       int    `json:"n"`       // answers with a trace
	Written int    `json:"written"` // right as first written
	Unknown int    `json:"unknown"` // never scored as first written
	End     int    `json:"end"`     // right in the end
	Steps   []Step `json:"steps"`   // guards, repairs by the check that asked for them, then what the run fell back to
}

// Step is what one rule did to the queries that it touched. A query can be touched more than once.
type Step struct {
	Kind    string `json:"kind"` // "guard", "repair", "fallback"
	Name    string `json:"name"`
	Touched int    `json:"touched"`
	Saved   int    `json:"saved"`   // wrong before, right after
	Harmed  int    `json:"harmed"`  // right before, wrong after
	Unknown int    `json:"unknown"` // of Touched: before or after was never scored
}

// stage is the query in hand after a rule; the first is what the model wrote.
type stage struct {
	kind, name string
	sql        string // "" if a rule rejected what was there
}

// stages reads a trace. What the clean guard takes out of prose and code fences counts as written: the text around
// a query is no query.
func stages(r record.Record) (list []stage) {
	var next *stage // what the guards look at next
	asked := ""     // the check that last said no
	for _, e := range r.Trace {
		switch {
		case e.Kind == loop.KindTool && (e.Tool == tools.GenerateSQL || e.Tool == tools.RepairSQL) && e.Text != "":
			next = &stage{"repair", asked, e.Text}
			if asked == "" {
				next.name = string(e.Tool)
			}
			asked = ""
		case e.Kind == loop.KindTool && !e.OK:
			asked = string(e.Tool)
		case e.Kind == loop.KindIntent && !e.OK:
			asked = "intent"
		case e.Kind == loop.KindGuardrails:
			changes := e.Changes
			if next == nil { // the candidate of the run's end; its text comes after it in the trace
				next, changes = &stage{"fallback", loop.ByFallback, e.SQL}, nil
			}
			if len(changes) > 0 && strings.HasSuffix(changes[0].Guard, "clean") {
				next.sql, changes = changes[0].SQL, changes[1:]
			}
			list = append(list, *next)
			next = nil
			for _, c := range changes {
				list = append(list, stage{"guard", c.Guard, c.SQL})
			}
			if !e.OK {
				list = append(list, stage{"guard", "rejected", ""})
				asked = "rejected"
			}
		}
	}
	if n := len(list); n > 0 && list[n-1].sql != r.SQL {
		list = append(list, stage{"fallback", cmp.Or(r.How, "last candidate"), r.SQL})
	}
	return list
}

// refused returns the queries of a trace that a check or the database refused.
func refused(trace loop.Trace) map[string]bool {
	out := map[string]bool{"": true}
	sql := ""
	for _, e := range trace {
		switch {
		case e.Kind == loop.KindGuardrails && e.OK:
			sql = e.SQL
		case e.Kind == loop.KindTool && !e.OK && (e.Tool == tools.ValidateSQL || e.Tool == tools.RunSQL):
			out[sql] = true
		}
	}
	return out
}

// judge scores SQL that an item's trace shows on the way to its answer.
type judge func(ctx context.Context, r record.Record, sql string) (score.Score, error)

// waterfallOf sums the traces of a condition's runs; nil if none has one. A nil judge leaves unknown what the records
// do not tell.
func waterfallOf(ctx context.Context, c Condition, profile string, judge judge) (*Waterfall, error) {
	var w Waterfall
	for _, run := range c.Runs {
		for _, r := range run.Records {
			list := stages(r)
			if len(list) == 0 {
				continue
			}
			w.N++
			if r.Scores[profile].EX {
				w.End++
			}
			wrong := refused(r.Trace)
			var before verdict
			for i, s := range list {
				after, err := judgeStage(ctx, r, s.sql, profile, wrong, judge)
				if err != nil {
					return nil, err
				}
				if i == 0 {
					w.Written += after.count(right)
					w.Unknown += after.count(unknown)
				} else {
					w.step(s).add(before, after)
				}
				before = after
			}
		}
	}
	if w.N == 0 {
		return nil, nil
	}
	kinds := []string{"guard", "repair", "fallback"}
	slices.SortStableFunc(w.Steps,
		func(a, b Step) int { return slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind) })
	return &w, nil
}

// verdict is what is known of a query.
type verdict int

const (
	unknown verdict = iota
	wrong
	right
)

func (v verdict) count(of verdict) int { return int(indicator(v == of)) }

func verdictOf(is bool) verdict {
	if is {
		return right
	}
	return wrong
}

func judgeStage(ctx context.Context, r record.Record, sql, profile string, refused map[string]bool,
	judge judge) (verdict, error) {
	switch {
	case sql == r.SQL:
		return verdictOf(r.Scores[profile].EX), nil
	case refused[sql]:
		return wrong, nil
	case judge == nil:
		return unknown, nil
	}
	s, err := judge(ctx, r, sql)
	return verdictOf(s.EX), err
}

func (w *Waterfall) step(s stage) *Step {
	is := func(have Step) bool { return have.Kind == s.kind && have.Name == s.name }
	return syntax.Entry(&w.Steps, is, Step{Kind: s.kind, Name: s.name})
}

func (s *Step) add(before, after verdict) {
	s.Touched++
	switch {
	case before == unknown || after == unknown:
		s.Unknown++
	case before == wrong && after == right:
		s.Saved++
	case before == right && after == wrong:
		s.Harmed++
	}
}
