package dissertation

import (
	"math"
	"path/filepath"
	"slices"
	"strings"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/report"
	"nl2sql/evaluation/score"
	"nl2sql/sqlcheck/syntax"
)

type publishedRow struct {
	condition        string
	runs             int
	va, ex, ts, em   float64
	vaSD, exSD, tsSD float64
}

// publishedTable is the dissertation's table (dissertation.md §5.7): means over the runs of a condition and their
// standard deviations; the mean of EM was measured on its records. 0 in SD or TS means that there is none.
var publishedTable = []publishedRow{
	{condition: "llama_base_k0", runs: 1, va: .775, ex: .415, em: .005},
	{"llama_base_k3", 10, .87, .556, .6276118188, .313, .0149071198, .0152388393, .0150310017},
	{condition: "llama_qlora_k0", runs: 1, va: .815, ex: .435, em: 0},
	{"llama_qlora_k3", 10, .862, .472, .5369552800, .268, .0283039063, .0160208198, .0224687280},
	{"llama_react_k3", 5, .995, .664, .6512491752, .372, .005, .0129421791, .0105899415},
	{condition: "qwen_base_k0", runs: 1, va: .865, ex: .51, em: .045},
	{"qwen_base_k3", 10, .9125, .666, .7272542322, .3995, .0217626081, .0199722029, .0168243949},
	{condition: "qwen_qlora_k0", runs: 1, va: .805, ex: .435, em: .01},
	{"qwen_qlora_k3", 10, .9025, .5345, .5896491744, .2965, .0137941211, .0125720148, .0183345320},
	{"qwen_react_k3", 5, .993, .722, .7180623932, .444, .0044721360, .0284165445, .0272933730},
}

// publishedTests are its six tests of EX.
var publishedTests = []struct {
	left, right string
	u, p        float64
}{
	{"llama_base_k3", "llama_qlora_k3", 100, .000156565472},
	{"llama_base_k3", "llama_react_k3", 0, .002554329782},
	{"llama_qlora_k3", "llama_react_k3", 0, .002224331262},
	{"qwen_base_k3", "qwen_qlora_k3", 100, .000176611012},
	{"qwen_base_k3", "qwen_react_k3", 3, .008110799941},
	{"qwen_qlora_k3", "qwen_react_k3", 0, .002623725735},
}

// PublishedItems is how many items each published run has.
const PublishedItems = 200

// Figure is one figure beside the published one.
type Figure struct {
	Of        string   `json:"of"`        // a condition, or two with an arrow between
	Measure   string   `json:"measure"`   // "EX", "EX sd", "U", "p" …
	N         int      `json:"n"`         // runs that ours is of
	Ours      *float64 `json:"ours"`      // null: not measured
	Published *float64 `json:"published"` // null: not published
}

// Difference is ours minus published, and whether both are there.
func (f Figure) Difference() (float64, bool) {
	if f.Ours == nil || f.Published == nil {
		return 0, false
	}
	return *f.Ours - *f.Published, true
}

// Same reports whether a figure is the published one as far as that was printed.
func (f Figure) Same() bool {
	d, both := f.Difference()
	return !both || math.Abs(d) < 1e-8
}

// Reproduce puts the figures of conditions beside the published ones.
func Reproduce(conditions []report.Condition, profile string) (out []Figure) {
	add := func(of, measure string, n int, ours, theirs *float64) {
		if ours != nil || theirs != nil {
			out = append(out, Figure{of, measure, n, ours, theirs})
		}
	}
	some := func(v float64, there bool) *float64 {
		if !there {
			return nil
		}
		return &v
	}
	for _, c := range conditions {
		i := slices.IndexFunc(publishedTable, func(p publishedRow) bool { return p.condition == c.Name })
		for _, m := range score.Metrics {
			if m.Derived {
				continue
			}
			s := c.Spread(m, profile)
			var mean, sd *float64
			if i >= 0 {
				p := publishedTable[i]
				mean = some(map[string]float64{"VA": p.va, "EX": p.ex, "TS": p.ts, "EM": p.em}[m.Name],
					m.Name != "TS" || p.ts > 0)
				dev := map[string]float64{"VA": p.vaSD, "EX": p.exSD, "TS": p.tsSD}[m.Name]
				sd = some(dev, dev > 0)
			}
			add(c.Name, m.Name, s.N, some(s.Mean, s.N > 0), mean)
			add(c.Name, m.Name+" sd", s.N, some(s.SD, s.N > 1), sd)
		}
	}
	for _, t := range report.PublishedTests(conditions, profile) {
		of := t.Left + " → " + t.Right
		var u, p *float64
		for _, theirs := range publishedTests {
			if theirs.left == t.Left && theirs.right == t.Right {
				u, p = &theirs.u, &theirs.p
			}
		}
		add(of, "U", t.L.N+t.R.N, some(t.U, t.Enough), u)
		add(of, "p", t.L.N+t.R.N, some(t.P, t.Enough), p)
	}
	return out
}

// Agreement counts the items of one condition on which a run that was executed again and the recorded flags agree.
type Agreement struct {
	Condition string         `json:"condition"`
	Items     int            `json:"items"`
	Same      map[string]int `json:"same"`   // by measure
	Of        map[string]int `json:"of"`     // by measure: items that both sides measured
	Unlike    []string       `json:"unlike"` // "seed 7, item 3, EX"
	NoFlags   []string       `json:"no_flags,omitempty"`
}

// CompareFlags compares runs item by item with flags of the same condition and seed.
func CompareFlags(runs, flags []record.Run, profile string) (out []Agreement) {
	recorded := map[[3]string]score.Score{}
	for _, f := range flags {
		for _, r := range f.Records {
			recorded[[3]string{f.Card.Condition, f.Card.Seed, r.ID}] = r.Scores[profile]
		}
	}
	for _, run := range runs {
		name := report.ConditionName(run)
		a := syntax.Entry(&out, func(a Agreement) bool { return a.Condition == name },
			Agreement{Condition: name, Same: map[string]int{}, Of: map[string]int{}})
		for _, r := range run.Records {
			a.Items++
			where := "seed " + run.Card.Seed + ", item " + r.ID
			flag, ok := recorded[[3]string{name, run.Card.Seed, r.ID}]
			if !ok {
				a.NoFlags = append(a.NoFlags, where)
				continue
			}
			for _, m := range score.Metrics {
				ours, theirs := m.Mark(r.Scores[profile]), m.Mark(flag)
				if m.Derived || m.Name == "TS" && ours == "-" { // no suite
					continue
				}
				a.Of[m.Name]++
				if ours == theirs {
					a.Same[m.Name]++
				} else {
					a.Unlike = append(a.Unlike, where+", "+m.Name)
				}
			}
		}
	}
	return out
}

// GridModel is what the published conditions call a model: one of their families stands beside their figures.
func GridModel(model string) string {
	name := strings.ToLower(strings.TrimSuffix(model, filepath.Ext(model)))
	for _, family := range []string{"llama", "qwen"} {
		if strings.Contains(name, family) {
			return family
		}
	}
	return name
}
