package report

import (
	"fmt"

	"nl2sql/evaluation/confidence"
	"nl2sql/evaluation/record"
)

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

// confidence is a table of all conditions: how many answers of each tenth of confidence there are, and what share of
// them is right.
func (r Report) confidence() section {
	s := newSection("Confidence",
		"Area is the mean share of wrong answers when the surest come first: at best Least, and Wrong where confidence says nothing. A row a tenth of confidence: its mean, and the share that is right.",
		"condition", "answers", "confidence", "right", "wrong", "area", "least")
	for _, c := range r.Conditions {
		k := c.Confidence
		if k == nil {
			continue
		}
		s.row(r.cell(c.Name), int64(k.N), "all", nil, fixed(k.Wrong, 3), fixed(k.Area, 3), fixed(k.Least, 3))
		for _, b := range k.Bins {
			s.row(r.cell(c.Name), int64(b.N), fixed(b.Mean, 3), fixed(b.Right, 3), nil, nil, nil)
		}
	}
	return s
}

// reliabilityPlot shows a tenth of confidence a row: what it says, and how many are right.
func (c ConditionReport) reliabilityPlot() plot {
	a := axis{0, 1, plotLeft}
	p := newPlot(c.Name+": how often answers are right that are so sure", len(c.Confidence.Bins), a, "%.1f")
	p.Legend = []legend{{"mean", "right"}, {"median", "confidence"}, {"ci", "Wilson 95 %"}}
	for i, b := range c.Confidence.Bins {
		y := p.row(i, fmt.Sprintf("%.1f–%.1f", b.Low, b.High))
		in := Wilson(int(b.Right*float64(b.N)+.5), b.N)
		p.line("ci", a.x(in.Low), y, a.x(in.High), y)
		p.line("median", a.x(b.Mean), y-8, a.x(b.Mean), y+8)
		p.add("dot", "mean", a.x(b.Right), y, 4, 0, fmt.Sprintf("%.3f of %d right, confidence %.3f",
			b.Right, b.N, b.Mean))
		p.text("small", plotRight+12, y+4, fmt.Sprintf("%.3f of N = %d", b.Right, b.N))
	}
	return p
}

// coveragePlot shows what share of the surest answers is wrong, for each tenth of them that is given.
func (c ConditionReport) coveragePlot() plot {
	const rows = 10
	a := axis{0, 1, plotLeft}
	p := newPlot(fmt.Sprintf("%s: wrong answers among the surest; area %.3f", c.Name,
		c.Confidence.Area), rows, a, "%.1f")
	p.Legend = []legend{{"mean", "wrong"}}
	at, x, y := 0, 0.0, 0.0
	for i := range rows {
		for at < len(c.Confidence.Curve)-1 && c.Confidence.Curve[at].Coverage < float64(i+1)/rows {
			at++
		}
		point := c.Confidence.Curve[at]
		middle := p.row(i, fmt.Sprintf("%d %% given", 10*(i+1)))
		if i > 0 {
			p.line("family", x, y, a.x(point.Risk), middle)
		}
		x, y = a.x(point.Risk), middle
		p.add("dot", "mean", x, y, 4, 0, fmt.Sprintf("%.3f wrong of %.0f %%, confidence %.3f or more", point.Risk,
			100*point.Coverage, point.P))
		p.text("small", plotRight+12, middle+4, fmt.Sprintf("%.3f, from %.2f on", point.Risk, point.P))
	}
	return p
}
