package report

import (
	"slices"

	"nl2sql/evaluation/record"
	"nl2sql/loop/retrieval"
)

// Retrieval is what the seed of the agent retrieval has one look at, on average a question. The time is in Cost, and
// whether answers are right in Rates.
type Retrieval struct {
	Iterations  float64 `json:"iterations_to_answer"`
	Retrievals  float64 `json:"retrieval_calls"`
	Validations float64 `json:"validation_attempts"`
	Validated   float64 `json:"final_validation_passed"` // share
	Corrections float64 `json:"self_correction_count"`
	Effort      float64 `json:"best_effort"` // share of questions that a limit ended
}

// retrievalOf is nil for runs of other agents.
func retrievalOf(runs []record.Run) *Retrieval {
	if runs[0].Card.Agent != "retrieval" {
		return nil
	}
	var sum Retrieval
	n := 0.0
	for _, run := range runs {
		for _, r := range run.Records {
			m := retrieval.MetricsOf(r.Trace)
			n++
			sum.Iterations += float64(m.Iterations)
			sum.Retrievals += float64(m.Retrievals)
			sum.Validations += float64(m.Validations)
			sum.Validated += indicator(m.Validated)
			sum.Corrections += float64(m.Corrections)
			sum.Effort += indicator(m.Effort)
		}
	}
	for _, v := range []*float64{&sum.Iterations, &sum.Retrievals, &sum.Validations, &sum.Validated,
		&sum.Corrections, &sum.Effort} {
		*v /= n
	}
	return &sum
}

// retrieval is a table of the runs of that agent, with the single pass beside it.
func (r Report) retrieval() section {
	s := newSection("Agent retrieval beside a single pass",
		"Means over questions. Valid: the last query passed its check. Forced: a limit ended the turns. EX stands for the seed's judge.",
		"condition", "iterations", "retrievals", "validations", "valid", "corrections", "forced", "latency ms", "EX")
	if !slices.ContainsFunc(r.Conditions, func(c ConditionReport) bool { return c.Retrieval != nil }) {
		return s
	}
	for _, c := range r.Conditions {
		m := c.Retrieval
		if m == nil && c.Card.Agent != "baseline" {
			continue
		}
		cells := []any{r.cell(c.Name), nil, nil, nil, nil, nil, nil}
		if m != nil {
			cells = append(cells[:1], fixed(m.Iterations, 2), fixed(m.Retrievals, 2), fixed(m.Validations, 2),
				fixed(m.Validated, 2), fixed(m.Corrections, 2), fixed(m.Effort, 2))
		}
		latency := any(nil)
		if c.Cost != nil {
			latency = fixed(1000*c.Cost.Seconds.Mean, 0)
		}
		ex := any(nil)
		for _, v := range c.Rates[r.Profile] {
			if v.Metric == "EX" {
				ex = mean(v.Runs)
			}
		}
		s.row(append(cells, latency, ex)...)
	}
	return s
}
