// Package confidence fits the model of how likely an answer is right, and tells how good it is: whether answers are
// right as often as it says, and how many wrong ones go with those that it is less sure of. It knows runs; it answers
// no questions.
package confidence

import (
	"cmp"
	"math"
	"slices"

	"nl2sql/evaluation/record"
	"nl2sql/loop"
	"nl2sql/sqlcheck/syntax"
)

// Sample is an answer of a run with what is known of it.
type Sample struct {
	Database   string
	Features   loop.Features
	P          float64 // that it is right, as a model says
	HasAnswer  float64 // that the question has an answer, as that model says
	Right      bool
	Answerable bool // the item has a gold query
	Given      bool // there was an answer
	Scripted   bool // no model answered: it tells of the question alone
}

// Samples are what runs answered or found no answer to, and was judged, as one profile scored them.
func Samples(runs []record.Run, profile string) (out []Sample) {
	for _, run := range runs {
		for _, r := range run.Records {
			for _, e := range r.Trace {
				if e.Kind == loop.KindConfidence {
					e.Features.Believe(r.Trace)                   // older runs did not record it
					right := r.Gold != "" && r.Scores[profile].EX // nothing answers what is to be refused
					out = append(out, Sample{r.Database, e.Features, r.Confidence, loop.BuiltIn().HasAnswer(e.Features),
						right, r.Gold != "", r.Confidence > 0, len(run.Card.Engine) == 0})
				}
			}
		}
	}
	return out
}

// Given are the samples with an answer.
func Given(samples []Sample) []Sample {
	return slices.DeleteFunc(slices.Clone(samples), func(s Sample) bool { return !s.Given })
}

// Bin are answers of about the same confidence.
type Bin struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	N     int     `json:"n"`
	Mean  float64 `json:"mean"`  // confidence
	Right float64 `json:"right"` // share
}

// Reliability is how often answers are right, by tenths of confidence; tenths without answers are left out.
func Reliability(samples []Sample) []Bin {
	const n = 10
	bins := make([]Bin, n)
	for _, s := range samples {
		b := &bins[min(int(s.P*n), n-1)]
		b.N++
		b.Mean += s.P
		if s.Right {
			b.Right++
		}
	}
	for i := range bins {
		b := &bins[i]
		b.Low, b.High = float64(i)/n, float64(i+1)/n
		b.Mean, b.Right = b.Mean/float64(max(1, b.N)), b.Right/float64(max(1, b.N))
	}
	return slices.DeleteFunc(bins, func(b Bin) bool { return b.N == 0 })
}

// Point is what is wrong of the surest answers.
type Point struct {
	Coverage float64 `json:"coverage"` // share of the answers that are given
	Risk     float64 `json:"risk"`     // share of these that are wrong
	P        float64 `json:"p"`        // the least confidence among them
}

// RiskCoverage is a point for each number of answers given, the surest first, and the area under them: the mean risk. 0
// is perfect; a confidence that says nothing has the share of all wrong answers. Answers of the same confidence are
// given together.
func RiskCoverage(samples []Sample) (curve []Point, area float64) {
	sorted := slices.Clone(samples)
	slices.SortStableFunc(sorted, func(a, b Sample) int { return cmp.Compare(b.P, a.P) })
	wrong := 0
	for i := 0; i < len(sorted); {
		from := i
		for ; i < len(sorted) && sorted[i].P == sorted[from].P; i++ {
			if !sorted[i].Right {
				wrong++
			}
		}
		p := Point{float64(i) / float64(len(sorted)), float64(wrong) / float64(i), sorted[from].P}
		curve = append(curve, p)
		area += p.Risk * float64(i-from) / float64(len(sorted))
	}
	return curve, area
}

// Below is what a threshold takes of answers that are less probable.
type Below struct {
	All, Right   float64 // shares of the answers, and of the right ones
	Wrong        float64 // share of those taken that are wrong
	Left         float64 // wrong ones that are not taken, of all answers
	Unanswerable float64 // share of the answers to questions that have none
}

// BelowAt is what a threshold of a probability takes.
func BelowAt(samples []Sample, p float64, of func(Sample) float64) Below {
	share := func(in, among func(Sample) bool) float64 {
		n, hits := 0, 0
		for _, s := range samples {
			if among(s) {
				n++
				if in(s) {
					hits++
				}
			}
		}
		return float64(hits) / float64(max(1, n))
	}
	all, right := func(Sample) bool { return true }, func(s Sample) bool { return s.Right }
	below, wrong := func(s Sample) bool { return of(s) < p }, func(s Sample) bool { return !s.Right }
	return Below{
		All: share(below, all), Right: share(below, right), Wrong: share(wrong, below),
		Left:         share(func(s Sample) bool { return !below(s) && !s.Right }, all),
		Unanswerable: share(below, func(s Sample) bool { return !s.Answerable }),
	}
}

// LeastArea is that of a confidence that puts all wrong answers last, of which there is such a share.
func LeastArea(wrong float64) float64 {
	if wrong == 1 {
		return 1
	}
	return wrong + (1-wrong)*math.Log(1-wrong)
}

// Beside is how often a doubt stands beside wrong and beside right answers.
type Beside struct {
	Doubt        string
	Wrong, Right int
}

// Doubts counts the doubts of runs: all answers first, then those with any, then by name.
func Doubts(runs []record.Run, profile string) []Beside {
	out := []Beside{{Doubt: "answers"}, {Doubt: "any"}}
	for _, run := range runs {
		for _, r := range run.Records {
			if r.How == "" {
				continue
			}
			has := []string{"answers", "any"}[:1+min(len(r.Doubts), 1)]
			for _, d := range r.Doubts {
				has = append(has, string(d.Name))
			}
			for _, name := range has {
				at := syntax.Entry(&out, func(b Beside) bool { return b.Doubt == name }, Beside{Doubt: name})
				if r.Gold != "" && r.Scores[profile].EX {
					at.Right++
				} else {
					at.Wrong++
				}
			}
		}
	}
	slices.SortFunc(out[2:], func(a, b Beside) int { return cmp.Compare(a.Doubt, b.Doubt) })
	return out
}
