package report

import (
	"slices"

	"gonum.org/v1/gonum/stat"

	"nl2sql/evaluation/record"
)

// Cost is what a question took, on average and spread over questions.
type Cost struct {
	N         int     `json:"n"` // questions
	Steps     float64 `json:"steps"`
	Calls     float64 `json:"model_calls"`
	Evaluated float64 `json:"evaluated_tokens"` // of prompts, worked through
	Reused    float64 `json:"reused_tokens"`    // of prompts, kept from an earlier call
	Output    float64 `json:"output_tokens"`
	Tokens    Spots   `json:"tokens"`  // evaluated and output
	Seconds   Spots   `json:"seconds"` // all 0 if the run kept no times
}

// Spots are the minimum, quartiles, 95th percentile and maximum of a sample, and its mean.
type Spots struct {
	Min    float64 `json:"min"`
	Q1     float64 `json:"q1"`
	Median float64 `json:"median"`
	Q3     float64 `json:"q3"`
	P95    float64 `json:"p95"`
	Max    float64 `json:"max"`
	Mean   float64 `json:"mean"`
}

func costOf(runs []record.Run) *Cost {
	var c Cost
	var tokens, seconds []float64
	for _, run := range runs {
		for _, r := range run.Records {
			c.N++
			c.Steps += float64(r.Steps)
			c.Calls += float64(r.Calls)
			c.Evaluated += float64(r.Prompt - r.Cached)
			c.Reused += float64(r.Cached)
			c.Output += float64(r.Output)
			tokens = append(tokens, float64(r.Prompt-r.Cached+r.Output))
			seconds = append(seconds, r.Took.Seconds())
		}
	}
	for _, sum := range []*float64{&c.Steps, &c.Calls, &c.Evaluated, &c.Reused, &c.Output} {
		*sum /= float64(c.N)
	}
	if c.Steps+c.Calls+c.Evaluated+c.Reused+c.Output == 0 && slices.Max(seconds) == 0 {
		return nil
	}
	c.Tokens, c.Seconds = spots(tokens), spots(seconds)
	return &c
}

// spots sorts values, of which there is at least one.
func spots(values []float64) Spots {
	slices.Sort(values)
	q := func(p float64) float64 { return stat.Quantile(p, stat.Empirical, values, nil) }
	return Spots{values[0], q(.25), q(.5), q(.75), q(.95), values[len(values)-1], stat.Mean(values, nil)}
}
