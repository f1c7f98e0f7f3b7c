package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"nl2sql/evaluation/score"
	"nl2sql/runner"
)

// section is one table of a report.
type section struct {
	title string
	note  string // under the title; "" for none
	table runner.Result
	why   string // why rows are missing that one may look for
}

func newSection(title, note string, columns ...string) section {
	return section{title: title, note: note, table: runner.Result{Columns: columns}}
}

// empty says that there is nothing to show, not even why.
func (s section) empty() bool { return len(s.table.Rows) == 0 && s.why == "" }

// text stands under the title.
func (s section) text() string {
	if len(s.table.Rows) == 0 {
		return s.why
	}
	return strings.TrimSpace(s.note + " " + s.why)
}

func (s *section) row(cells ...any) { s.table.Rows = append(s.table.Rows, cells) }

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
	list = append(list, r.groups()...)
	return slices.DeleteFunc(list, section.empty)
}

// overview is a table for each profile, that of the report first, with the names in full. What no run has is left out.
func (r Report) overview() []section {
	profiles := r.Conditions[0].profiles()
	slices.SortStableFunc(profiles, func(a, b string) int {
		return cmp.Compare(indicator(b == r.Profile),
			indicator(a == r.Profile))
	})
	var list []section
	for at, profile := range profiles {
		s := newSection("Conditions, profile "+profile, fmt.Sprintf("%s. Means over runs.",
			counted(len(r.Items), "item")), "#", "condition", "runs")
		measured := func(m int) bool {
			return slices.ContainsFunc(r.Conditions, func(c ConditionReport) bool {
				return len(c.Rates[profile]) > m &&
					c.Rates[profile][m].Runs.N > 0
			})
		}
		for i, m := range score.Metrics {
			if measured(i) {
				s.table.Columns = append(s.table.Columns, m.Name)
			}
		}
		for i, c := range r.Conditions {
			name := c.Name
			if at > 0 {
				name = r.name(i, widestName)
			}
			cells := []any{runner.Decimal(fmt.Sprintf("#%d", i+1)), name, int64(len(c.Seeds))}
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

// profiles of a condition's rates, the known ones first.
func (c ConditionReport) profiles() []string {
	var names []string
	for name := range c.Rates {
		names = append(names, name)
	}
	sortProfiles(names)
	return names
}

func (r Report) metric(i int) section {
	m := score.Metrics[i]
	note := ""
	if i == 0 {
		note = "N is over all runs. Wilson's interval takes answers for independent; the other is a bootstrap over families of items, or over items if they have none."
	}
	s := newSection(m.Name+": "+m.What, note, "condition", "mean", "sd", "runs", "N", "Wilson 95 %", "family 95 %")
	for _, c := range r.Conditions {
		v := c.Rates[r.Profile][i]
		if v.Pooled.N == 0 {
			continue
		}
		sd := any(nil)
		if v.Runs.N > 1 {
			sd = fixed(v.Runs.SD, 4)
		}
		s.row(r.cell(c.Name), mean(v.Runs), sd, int64(v.Runs.N), int64(v.Pooled.N), v.Wilson.String(),
			v.Family.String())
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

// tableConditions is how many conditions stand side by side.
const tableConditions = 6

// classes are tables of conditions side by side, under their numbers.
func (r Report) classes() []section {
	var list []section
	for from := 0; from < len(r.Conditions); from += tableConditions {
		part := r.Conditions[from:min(from+tableConditions, len(r.Conditions))]
		s := newSection("What is right and wrong, per cent of answers", "Columns are conditions by number.", "class")
		for i := range part {
			s.table.Columns = append(s.table.Columns, fmt.Sprintf("#%d", from+i+1))
		}
		for _, class := range allClasses {
			cells, any := []any{label(class)}, false
			for _, c := range part {
				n := c.class(class)
				any = any || n > 0
				cells = append(cells, fixed(100*float64(n)/float64(len(r.Items)*len(c.Seeds)), 1))
			}
			if any {
				s.row(cells...)
			}
		}
		list = append(list, s)
	}
	return list
}

func (c ConditionReport) class(class score.Class) int {
	for _, n := range c.Classes {
		if n.Class == class {
			return n.N
		}
	}
	return 0
}

// label is a class as people read it.
func label(c score.Class) string { return strings.ReplaceAll(string(c), "_", " ") }

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

func (r Report) costs() section {
	s := newSection("Per question",
		"Means. Evaluated and reused are tokens of prompts; p95 is the 95th percentile of the seconds.",
		"condition", "steps", "calls", "evaluated", "reused", "output", "s", "p95 s")
	for _, c := range r.Conditions {
		if k := c.Cost; k != nil {
			kept := func(total, v float64, digits int) any {
				if total == 0 { // the runs did not count it
					return nil
				}
				return fixed(v, digits)
			}
			tokens := k.Tokens.Max + k.Reused
			s.row(r.cell(c.Name), kept(k.Steps, k.Steps, 1), kept(k.Calls, k.Calls, 1), kept(tokens, k.Evaluated, 0),
				kept(tokens, k.Reused, 0), kept(tokens, k.Output, 0),
				kept(k.Seconds.Max, k.Seconds.Mean, 2), kept(k.Seconds.Max, k.Seconds.P95, 2))
		}
	}
	return s
}

// groupKinds in the order of reports.
var groupKinds = []string{"difficulty", "tag", "family"}

// groups are a table for each kind and every six conditions.
func (r Report) groups() []section {
	var list []section
	for _, kind := range groupKinds {
		for from := 0; from < len(r.Conditions); from += tableConditions {
			to := min(from+tableConditions, len(r.Conditions))
			s := newSection("EX by "+kind+", per cent", "Columns are conditions by number.", kind, "items")
			for i := from; i < to; i++ {
				s.table.Columns = append(s.table.Columns, fmt.Sprintf("#%d", i+1))
			}
			for _, g := range r.Groups {
				if g.Kind != kind {
					continue
				}
				cells := []any{g.Name, int64(g.Items)}
				for _, rate := range g.Rates[from:to] {
					cells = append(cells, fixed(100*rate.Value(), 1))
				}
				s.row(cells...)
			}
			list = append(list, s)
		}
	}
	return list
}

// Cells: numbers are right-aligned where a format can; nil is a figure that is not there.

func fixed(v float64, digits int) runner.Decimal {
	return runner.Decimal(fmt.Sprintf("%.*f", digits, v))
}
func signed(v float64) runner.Decimal { return runner.Decimal(fmt.Sprintf("%+.4f", v)) }

func mean(s Spread) any {
	if s.N == 0 {
		return nil
	}
	return fixed(s.Mean, 3)
}

// pValue keeps the leading digits of small ones.
func pValue(p float64) runner.Decimal {
	if p < 0.001 && p > 0 {
		return runner.Decimal(fmt.Sprintf("%.1e", p))
	}
	return fixed(p, 4)
}

// String is the interval of a rate: 0.525–0.587, or – where there is none.
func (i *Interval) String() string {
	if i == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f–%.3f", i.Low, i.High)
}

// signed is the interval of a difference: -0.020 … +0.060.
func (i *Interval) signed() string {
	if i == nil {
		return "–"
	}
	return fmt.Sprintf("%+.3f … %+.3f", i.Low, i.High)
}

// widestName is how many letters the names of a cell may have; of longer ones only what sets them apart is shown.
const widestName = 52

// conditionCell names conditions, or gives their numbers where names have no room.
type conditionCell struct{ names, numbers string }

func (r Report) cell(names ...string) conditionCell {
	var numbers, short []string
	all := strings.Join(names, " → ")
	for _, name := range names {
		short = append(short, r.labelOf(name, widestName/len(names)))
		i := slices.IndexFunc(r.Conditions, func(c ConditionReport) bool { return c.Name == name })
		numbers = append(numbers, fmt.Sprintf("#%d", i+1))
	}
	if utf8.RuneCountInString(all) > widestName {
		all = strings.Join(short, " → ")
	}
	return conditionCell{all, strings.Join(numbers, " → ")}
}

// cells is the table as runner prints it. What is not there is a dash, which is no number of its column.
func (s section) cells(numbered bool) runner.Result {
	out := runner.Result{Columns: s.table.Columns}
	for _, row := range s.table.Rows {
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
