package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"nl2sql/evaluation/score"
	"nl2sql/runner"
)

// section is one table of a report.
type section struct {
	Title   string
	note    string // under the title; "" for none
	columns []string
	rows    [][]any
	why     string // why rows are missing that one may look for
}

func newSection(title, note string, columns ...string) section {
	return section{Title: title, note: note, columns: columns}
}

func (s *section) row(cells ...any) { s.rows = append(s.rows, cells) }

// Text stands under the title.
func (s section) Text() string {
	if len(s.rows) == 0 {
		return s.why
	}
	return strings.TrimSpace(s.note + " " + s.why)
}

// Cells is the table as runner prints it, with the numbers of conditions in the place of their names if numbered. What
// is not there is a dash, which is no number of its column.
func (s section) Cells(numbered bool) runner.Result {
	out := runner.Result{Columns: s.columns}
	for _, row := range s.rows {
		cells := slices.Clone(row)
		for i, v := range cells {
			switch v := v.(type) {
			case nil:
				cells[i] = runner.Decimal("–")
			case conditionCell:
				if cells[i] = v.names; numbered {
					cells[i] = v.numbers
				}
			}
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

// widestName is how many letters the names of a cell may have; in the place of longer ones stand their numbers.
const widestName = 52

// conditionCell names conditions, or gives their numbers where names have no room.
type conditionCell struct{ names, numbers string }

func (r Report) cell(names ...string) conditionCell {
	var numbers []string
	for _, name := range names {
		i := slices.IndexFunc(r.Conditions, func(c ConditionReport) bool { return c.Name == name })
		numbers = append(numbers, fmt.Sprintf("#%d", i+1))
	}
	c := conditionCell{strings.Join(names, " → "), strings.Join(numbers, " → ")}
	if utf8.RuneCountInString(c.names) > widestName {
		c.names = c.numbers
	}
	return c
}

// sections are the tables of a report, in order. What no run has is left out.
func (r Report) sections() []section {
	list := r.overview()
	for i := range score.Metrics {
		list = append(list, r.metric(i))
	}
	list = append(list, r.runTests(), r.paired())
	list = append(list, r.classes()...)
	for _, c := range r.Conditions {
		list = append(list, c.waterfall())
	}
	list = append(list, r.confidence(), r.retrieval(), r.costs())
	for _, kind := range []string{"difficulty", "tag", "family"} {
		list = append(list, r.groups(kind)...)
	}
	return slices.DeleteFunc(list, func(s section) bool { return len(s.rows) == 0 && s.why == "" })
}

// overview is a table for each profile, that of the report first, which has the names in full. What no run has is left
// out.
func (r Report) overview() []section {
	profiles := slices.Collect(maps.Keys(r.Conditions[0].Rates))
	sortProfiles(profiles)
	slices.SortStableFunc(profiles, func(a, b string) int {
		return cmp.Compare(indicator(b == r.Profile), indicator(a == r.Profile))
	})
	var list []section
	for at, profile := range profiles {
		s := newSection("Conditions, profile "+profile, counted(len(r.Items), "item")+". Means over runs.", "#", "condition",
			"runs")
		measured := func(m int) bool {
			return slices.ContainsFunc(r.Conditions, func(c ConditionReport) bool {
				return len(c.Rates[profile]) > m && c.Rates[profile][m].Runs.N > 0
			})
		}
		for i, m := range score.Metrics {
			if measured(i) {
				s.columns = append(s.columns, m.Name)
			}
		}
		for i, c := range r.Conditions {
			cells := []any{runner.Decimal(fmt.Sprintf("#%d", i+1)), c.Name, int64(len(c.Seeds))}
			if at > 0 {
				cells[1] = r.cell(c.Name)
			}
			for j, m := range c.Rates[profile] {
				if measured(j) {
					cells = append(cells, mean(m.Runs))
				}
			}
			s.row(cells...)
		}
		list = append(list, s)
	}
	return list
}

func (r Report) metric(i int) section {
	m := score.Metrics[i]
	note := ""
	if i == 0 {
		note = "N is over all runs. Wilson's interval takes answers for independent; the other is a bootstrap over families of items, or over items if they have none."
	}
	s := newSection(m.Name+": "+m.What, note, "condition", "mean", "sd", "runs", "N", "Wilson 95 %", "family 95 %")
	for _, c := range r.Conditions {
		if v := c.Rates[r.Profile][i]; v.Pooled.N > 0 {
			s.row(r.cell(c.Name), mean(v.Runs), known(v.Runs.N > 1, v.Runs.SD, 4), int64(v.Runs.N), int64(v.Pooled.N),
				v.Wilson.String(), v.Family.String())
		}
	}
	return s
}

func (r Report) runTests() section {
	s := newSection("Runs against runs, left → right: EX, Mann–Whitney U, two-sided",
		"Unit is the run. Holm corrects for the tests of this table.",
		"pair", "n", "difference", "U", "p", "p Holm")
	for _, t := range r.RunTests {
		s.row(r.cell(t.Left, t.Right), fmt.Sprintf("%d, %d", t.L.N, t.R.N), signed(t.R.Mean-t.L.Mean), fixed(t.U, 1),
			pValue(t.P), pValue(t.Holm))
	}
	s.why = r.RunsUntested
	return s
}

func (r Report) paired() section {
	s := newSection("Item by item, left → right: EX, exact McNemar",
		"Runs of the same seed. Lost and won: right on the left only, on the right only. The interval is a bootstrap over families.",
		"pair", "N", "lost", "won", "diff.", "family 95 %", "p", "p Holm")
	for _, p := range r.Paired {
		s.row(r.cell(p.Left, p.Right), int64(p.N), int64(p.Down), int64(p.Up), signed(p.Diff), p.Family.signed(),
			pValue(p.P), pValue(p.Holm))
	}
	s.why = r.PairsUntested
	return s
}

// beside are tables of at most six conditions side by side, under their numbers; rows adds those of the conditions from
// one to before another.
func (r Report) beside(title string, columns []string, rows func(s *section, from, to int)) (list []section) {
	for from := 0; from < len(r.Conditions); from += 6 {
		to := min(from+6, len(r.Conditions))
		s := newSection(title, "Columns are conditions by number.", slices.Clone(columns)...)
		for i := from; i < to; i++ {
			s.columns = append(s.columns, fmt.Sprintf("#%d", i+1))
		}
		rows(&s, from, to)
		list = append(list, s)
	}
	return list
}

func (r Report) classes() []section {
	return r.beside("What is right and wrong, per cent of answers", []string{"class"}, func(s *section, from, to int) {
		for _, class := range allClasses {
			cells, any := []any{class.Words()}, false
			for _, c := range r.Conditions[from:to] {
				n := 0
				if i := slices.IndexFunc(c.Classes, func(n ClassCount) bool { return n.Class == class }); i >= 0 {
					n, any = c.Classes[i].N, true
				}
				cells = append(cells, fixed(100*float64(n)/float64(len(r.Items)*len(c.Seeds)), 1))
			}
			if any {
				s.row(cells...)
			}
		}
	})
}

func (r Report) groups(kind string) []section {
	return r.beside("EX by "+kind+", per cent", []string{kind, "items"}, func(s *section, from, to int) {
		for _, g := range r.Groups {
			if g.Kind == kind {
				cells := []any{g.Name, int64(g.Items)}
				for _, rate := range g.Rates[from:to] {
					cells = append(cells, fixed(100*rate.Value(), 1))
				}
				s.row(cells...)
			}
		}
	})
}

func (c ConditionReport) waterfall() section {
	w := c.Waterfall
	if w == nil {
		return section{}
	}
	s := newSection("Guards and repairs: "+c.Name,
		fmt.Sprintf("EX of %d answers: %d right as first written (%d never scored), %d right in the end.", w.N,
			w.Written, w.Unknown, w.End),
		"rule", "", "touched", "saved", "harmed", "not scored")
	for _, step := range w.Steps {
		s.row(step.Kind, step.Name, int64(step.Touched), int64(step.Saved), int64(step.Harmed), int64(step.Unknown))
	}
	if len(w.Steps) == 0 {
		s.row("none", "", int64(0), int64(0), int64(0), int64(0))
	}
	return s
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

// retrieval is a table of the runs of that agent, with the single pass beside it.
func (r Report) retrieval() section {
	s := newSection("Agent retrieval beside a single pass",
		"Means over questions. Valid: the last query passed its check. Forced: a limit ended the turns. EX stands for the seed's judge.",
		"condition", "iterations", "retrievals", "validations", "valid", "corrections", "forced", "latency ms", "EX")
	if !slices.ContainsFunc(r.Conditions, func(c ConditionReport) bool { return c.Retrieval != nil }) {
		return s
	}
	for _, c := range r.Conditions {
		m, is, cost := c.Retrieval, c.Retrieval != nil, Cost{}
		if !is && c.Card.Agent != "baseline" {
			continue
		} else if !is {
			m = &Retrieval{}
		}
		if c.Cost != nil {
			cost = *c.Cost
		}
		cells := []any{r.cell(c.Name)}
		for _, v := range []float64{m.Iterations, m.Retrievals, m.Validations, m.Validated, m.Corrections, m.Effort} {
			cells = append(cells, known(is, v, 2))
		}
		cells = append(cells, known(c.Cost != nil, 1000*cost.Seconds.Mean, 0))
		ex := slices.IndexFunc(score.Metrics, func(m score.Metric) bool { return m.Name == score.EX.Name })
		s.row(append(cells, mean(c.Rates[r.Profile][ex].Runs))...)
	}
	return s
}

func (r Report) costs() section {
	s := newSection("Per question",
		"Means. Evaluated and reused are tokens of prompts; p95 is the 95th percentile of the seconds.",
		"condition", "steps", "calls", "evaluated", "reused", "output", "s", "p95 s")
	for _, c := range r.Conditions {
		if k := c.Cost; k != nil { // what the runs did not count is not known
			tokens, seconds := k.Tokens.Max+k.Reused > 0, k.Seconds.Max > 0
			s.row(r.cell(c.Name), known(k.Steps > 0, k.Steps, 1), known(k.Calls > 0, k.Calls, 1),
				known(tokens, k.Evaluated, 0), known(tokens, k.Reused, 0), known(tokens, k.Output, 0),
				known(seconds, k.Seconds.Mean, 2), known(seconds, k.Seconds.P95, 2))
		}
	}
	return s
}

// Cells: numbers are right-aligned where a format can; nil is a figure that is not there.

func fixed(v float64, digits int) runner.Decimal {
	return runner.Decimal(fmt.Sprintf("%.*f", digits, v))
}

func known(is bool, v float64, digits int) any {
	if !is {
		return nil
	}
	return fixed(v, digits)
}

func signed(v float64) runner.Decimal { return runner.Decimal(fmt.Sprintf("%+.4f", v)) }

func mean(s Spread) any { return known(s.N > 0, s.Mean, 3) }

// pValue keeps the leading digits of small ones.
func pValue(p float64) runner.Decimal {
	if p < 0.001 && p > 0 {
		return runner.Decimal(fmt.Sprintf("%.1e", p))
	}
	return fixed(p, 4)
}

// String is the interval of a rate: 0.525–0.587, or – where there is none.
func (i *Interval) String() string { return i.as("%.3f–%.3f") }

// signed is the interval of a difference: -0.020 … +0.060.
func (i *Interval) signed() string { return i.as("%+.3f … %+.3f") }

func (i *Interval) as(form string) string {
	if i == nil {
		return "–"
	}
	return fmt.Sprintf(form, i.Low, i.High)
}
