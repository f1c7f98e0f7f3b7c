package report

import (
	"fmt"
	"math"

	"nl2sql/evaluation/score"
	"nl2sql/runner/render"
)

// plot is a drawing of marks, in units of which the page shows about one a pixel.
type plot struct {
	Title  string
	W, H   float64
	Marks  []plotMark
	Legend []legend
}

// plotMark is a rectangle (X, Y, width W, height H), a line (to W, H), a dot of radius W, or a text.
type plotMark struct {
	Kind, Class string
	X, Y, W, H  float64
	Text        string // of a text, or what pointing at a mark shows
}

type legend struct{ Class, Text string }

// Measures of plots.
const (
	plotWidth = 480.0 // little enough for a telephone
	plotLeft  = 20.0  // where the axis begins
	plotRight = 330.0 // where it ends; figures stand to the right of it
	plotRow   = 36.0  // a label, and what is drawn below it
	axisTop   = 24.0
	labelSize = 60 // letters of a label
)

func round(v float64) float64 { return math.Round(v*10) / 10 }

func (p *plot) add(kind, class string, x, y, w, h float64, text string) {
	p.Marks = append(p.Marks, plotMark{kind, class, round(x), round(y), round(w), round(h), render.Visible(text)})
}

func (p *plot) line(class string, x1, y1, x2, y2 float64) { p.add("line", class, x1, y1, x2, y2, "") }
func (p *plot) text(class string, x, y float64, s string) { p.add("text", class, x, y, 0, 0, s) }

// axis maps values of [low,high] to the plot, and draws a grid of about five steps.
type axis struct{ low, high, left float64 }

func (a axis) x(v float64) float64 {
	return a.left + (min(max(v, a.low), a.high)-a.low)/(a.high-a.low)*(plotRight-a.left)
}

// newPlot starts a plot of n labelled rows under an axis whose figures print as format.
func newPlot(title string, n int, a axis, format string) plot {
	p := plot{Title: render.Visible(title), W: plotWidth, H: axisTop + float64(n)*plotRow + 4}
	step := math.Pow(10, math.Floor(math.Log10((a.high-a.low)/4)))
	for _, times := range []float64{2, 2.5, 2} { // 1, 2, 5, 10 times a power of ten
		if (a.high-a.low)/step > 6 {
			step *= times
		}
	}
	for i := math.Ceil(a.low/step - 1e-9); i*step <= a.high*(1+1e-9); i++ {
		x := a.x(i * step)
		p.line("grid", x, axisTop-6, x, p.H-4)
		p.text("tick", x, axisTop-11, fmt.Sprintf(format, i*step+0))
	}
	return p
}

// row labels row i and returns the middle of what is drawn below the label.
func (p *plot) row(i int, label string) float64 {
	y := axisTop + float64(i)*plotRow
	p.text("label", 0, y+11, clipped(label, labelSize))
	return y + 24
}

var forestLegend = []legend{{"mean", "pooled rate"}, {"run", "one run"}, {"ci", "Wilson 95 %"},
	{"family", "bootstrap over families 95 %"}}

// forest shows one metric of every condition with its intervals and runs.
func (r Report) forest(metric int) plot {
	m, a := score.Metrics[metric], axis{0, 1, plotLeft}
	var with []int
	for i, c := range r.Conditions {
		if c.Rates[r.Profile][metric].Pooled.N > 0 {
			with = append(with, i)
		}
	}
	if len(with) == 0 {
		return plot{}
	}
	p := newPlot(m.Name+": "+m.What, len(with), a, "%.1f")
	if metric == 0 {
		p.Legend = forestLegend
	}
	for at, i := range with {
		c, v := r.Conditions[i], r.Conditions[i].Rates[r.Profile][metric]
		y := p.row(at, r.label(i, labelSize))
		p.line("ci", a.x(v.Wilson.Low), y, a.x(v.Wilson.High), y)
		if v.Family != nil {
			p.line("family", a.x(v.Family.Low), y, a.x(v.Family.High), y)
		}
		if rates := r.conditions[i].rates(m, r.Profile); len(rates) > 1 {
			for _, rate := range rates {
				p.add("dot", "run", a.x(rate), y-6, 2.5, 0, fmt.Sprintf("%.3f", rate))
			}
		}
		p.add("dot", "mean", a.x(v.Pooled.Value()), y, 4, 0, fmt.Sprintf("%s: %.3f, Wilson %s, families %s", c.Name,
			v.Pooled.Value(), v.Wilson, v.Family))
		p.text("small", plotRight+12, y+4, fmt.Sprintf("%.3f of N = %d", v.Pooled.Value(), v.Pooled.N))
	}
	return p
}

// differences shows what the right condition of each pair gains.
func (r Report) differences() plot {
	if len(r.Paired) == 0 {
		return plot{}
	}
	most := 0.05
	for _, c := range r.Paired {
		if most = max(most, c.Diff, -c.Diff); c.Family != nil {
			most = max(most, -c.Family.Low, c.Family.High)
		}
	}
	a := axis{-most, most, plotLeft}
	p := newPlot("Difference in EX, item by item, right condition minus left", len(r.Paired), a, "%+.2f")
	p.Legend = []legend{{"mean", "difference"}, {"family", "bootstrap over families 95 %"}}
	p.line("zero", a.x(0), axisTop-6, a.x(0), p.H-4)
	for i, c := range r.Paired {
		y := p.row(i, r.labelOf(c.Left, labelSize/2-2)+" → "+r.labelOf(c.Right, labelSize/2-2))
		if c.Family != nil {
			p.line("family", a.x(c.Family.Low), y, a.x(c.Family.High), y)
		}
		p.add("dot", "mean", a.x(c.Diff), y, 4, 0, fmt.Sprintf("%s → %s: %+.4f (%s)", c.Left, c.Right, c.Diff,
			c.Family.signed()))
		p.text("small", plotRight+12, y+4, fmt.Sprintf("%+.3f, p Holm %s", c.Diff, pValue(c.Holm)))
	}
	return p
}

// classBars shows the classes of every condition's answers, a bar each.
func (r Report) classBars() plot {
	a := axis{0, 100, plotLeft}
	p := newPlot("Share of answers by class, per cent", len(r.Conditions), a, "%.0f")
	seen := map[score.Class]bool{}
	for i, c := range r.Conditions {
		y, done := p.row(i, r.label(i, labelSize)), 0.0
		total := float64(len(r.Items) * len(c.Seeds))
		for _, n := range c.Classes {
			seen[n.Class] = true
			share := 100 * float64(n.N) / total
			x, w := a.x(done), a.x(done+share)-a.x(done)
			p.add("rect", "c-"+string(n.Class), x, y-8, max(w-.5, .5), 16, fmt.Sprintf("%s: %s %.1f %% (%d)", c.Name,
				label(n.Class), share, n.N))
			if w > 34 {
				p.text("in", x+w/2, y+4, fmt.Sprintf("%.0f", share))
			}
			done += share
		}
	}
	for _, class := range allClasses {
		if seen[class] {
			p.Legend = append(p.Legend, legend{"c-" + string(class), label(class)})
		}
	}
	return p
}

// fallPlot leads from what was first written to the answers.
func (c ConditionReport) fallPlot() plot {
	w := c.Waterfall
	a := axis{0, float64(w.N), plotLeft}
	p := newPlot(fmt.Sprintf("%s: right of %d answers", c.Name, w.N), len(w.Steps)+2, a, "%.0f")
	p.Legend = []legend{{"total", "right"}, {"saved", "saved"}, {"harmed", "harmed"}, {"unknown", "never scored"}}
	bar := func(class string, y, from, to float64, title string) {
		if to > from {
			p.add("rect", class, a.x(from), y-7, max(a.x(to)-a.x(from), 1), 14, title)
		}
	}
	y := p.row(0, "as first written")
	now := float64(w.Written)
	bar("total", y, 0, now, fmt.Sprintf("%d right", w.Written))
	bar("unknown", y, now, now+float64(w.Unknown), fmt.Sprintf("%d never scored", w.Unknown))
	p.text("small", plotRight+12, y+4, fmt.Sprintf("%d right", w.Written))
	for i, s := range w.Steps {
		y := p.row(i+1, stepLabel(s))
		saved, harmed, unknown := float64(s.Saved), float64(s.Harmed), float64(s.Unknown)
		bar("saved", y, now, now+saved, fmt.Sprintf("%d saved", s.Saved))
		bar("harmed", y, now+saved-harmed, now+saved, fmt.Sprintf("%d harmed", s.Harmed))
		bar("unknown", y, now+saved, now+saved+unknown, fmt.Sprintf("%d never scored", s.Unknown))
		now += saved - harmed
		p.text("small", plotRight+12, y+4, fmt.Sprintf("+%d −%d of %d", s.Saved, s.Harmed, s.Touched))
	}
	y = p.row(len(w.Steps)+1, "answer")
	bar("total", y, 0, float64(w.End), fmt.Sprintf("%d right", w.End))
	p.text("small", plotRight+12, y+4, fmt.Sprintf("%d right", w.End))
	return p
}

// stepLabel names a rule of a waterfall: "guard projection", "repair after run_sql".
func stepLabel(s Step) string {
	switch s.Kind {
	case "repair":
		return "repair after " + s.Name
	case "fallback":
		return "end: " + s.Name
	}
	return s.Kind + " " + s.Name
}

// boxes show how tokens and seconds spread over questions.
func (r Report) boxes() []plot {
	var list []plot
	for _, b := range []struct {
		title, unit string
		of          func(Cost) Spots
	}{
		{"Tokens per question: evaluated prompt and output", "%.0f", func(c Cost) Spots { return c.Tokens }},
		{"Seconds per question", "%.1f", func(c Cost) Spots { return c.Seconds }},
	} {
		var with []int
		most := 0.0
		for i, c := range r.Conditions {
			if c.Cost != nil && b.of(*c.Cost).Max > 0 {
				with = append(with, i)
				most = max(most, b.of(*c.Cost).P95)
			}
		}
		if len(with) == 0 {
			continue
		}
		a := axis{0, most * 1.1, plotLeft}
		p := newPlot(b.title, len(with), a, "%g")
		p.Legend = []legend{{"box", "middle half; line: median"}, {"mean", "mean"},
			{"family", "minimum to 95th percentile"}}
		for at, i := range with {
			s := b.of(*r.Conditions[i].Cost)
			y := p.row(at, r.label(i, labelSize))
			p.line("whisker", a.x(s.Min), y, a.x(s.P95), y)
			p.add("rect", "box", a.x(s.Q1), y-7, max(a.x(s.Q3)-a.x(s.Q1), 1), 14, "")
			p.line("median", a.x(s.Median), y-8, a.x(s.Median), y+8)
			p.add("dot", "mean", a.x(s.Mean), y, 3.5, 0, fmt.Sprintf("mean "+b.unit, s.Mean))
			p.text("small", plotRight+12, y+4, fmt.Sprintf("median "+b.unit+", max "+b.unit, s.Median, s.Max))
		}
		list = append(list, p)
	}
	return list
}
