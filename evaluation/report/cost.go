package report

import (
	"slices"

	"gonum.org/v1/gonum/stat"

	"nl2sql/evaluation/confidence"
	"nl2sql/evaluation/record"
	"nl2sql/loop/retrieval"
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

// Confidence is what the runs of a condition say of how sure they were.
type Confidence struct {
	N     int                `json:"n"`     // answers that were judged
	Wrong float64            `json:"wrong"` // share of them
	Area  float64            `json:"area"`  // under risk and coverage
	Least float64            `json:"least"` // the area of a confidence that puts all wrong answers last
	Bins  []confidence.Bin   `json:"reliability"`
	Curve []confidence.Point `json:"curve"`
}

// confidenceOf is nil where no answer was judged.
func confidenceOf(runs []record.Run, profile string) *Confidence {
	samples := confidence.Given(confidence.Samples(runs, profile))
	if len(samples) == 0 {
		return nil
	}
	c := &Confidence{N: len(samples), Bins: confidence.Reliability(samples)}
	c.Curve, c.Area = confidence.RiskCoverage(samples)
	c.Wrong = c.Curve[len(c.Curve)-1].Risk
	c.Least = confidence.LeastArea(c.Wrong)
	return c
}

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
