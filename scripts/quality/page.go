package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"nl2sql/evaluation/report"
	"nl2sql/evaluation/score"
)

// table is one table of the page. Of a first column that says the same as the row above, the page shows nothing.
type table struct {
	columns []string
	rows    [][]string
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

func (t table) write(b *bytes.Buffer) {
	fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(t.columns, " | "), strings.Repeat("---|", len(t.columns)))
	last := ""
	for _, cells := range t.rows {
		first := cells[0]
		if first == last {
			cells[0] = ""
		}
		last = first
		fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
	}
	b.WriteByte('\n')
}

// writePage writes what was measured as Markdown.
func writePage(w io.Writer, m measurement, all []measured) error {
	b := &bytes.Buffer{}
	b.WriteString("# How right the answers are\n\n`make quality` makes this page. Without a glossary. Shares are of all questions; beside them is Wilson's interval (95 %).\n\n")
	if m.limit > 0 {
		fmt.Fprintf(b, "**A sample**: at most %d questions a set, drawn with seed %d.\n\n", m.limit, m.seed)
	}
	if len(all) > 0 {
		card := all[0].report.Conditions[0].Card
		fmt.Fprintf(b, "Program %s, on %s.\n\n", card.Commit, card.Machine)
	}
	how := table{columns: []string{"condition", "flags of `nl2sql eval`"}}
	for _, c := range m.conditions {
		if slices.ContainsFunc(all, func(one measured) bool {
			return slices.ContainsFunc(one.conditions, func(run condition) bool { return run.name == c.name })
		}) {
			how.row(c.name, "`"+strings.Join(c.flags, " ")+"`")
		}
	}
	how.write(b)
	for _, line := range m.left {
		fmt.Fprintf(b, "- %s\n", line)
	}
	if len(m.left) > 0 {
		b.WriteByte('\n')
	}
	for _, s := range m.sets {
		of := slices.DeleteFunc(slices.Clone(all), func(one measured) bool { return one.set.name != s.name })
		if len(of) == 0 {
			continue
		}
		fmt.Fprintf(b, "## %s\n\n%d %s.\n\n", s.name, len(of[0].report.Items), s.what)
		rates(of).write(b)
		fmt.Fprintf(b, "### What is wrong on %s, per cent of answers\n\n", s.name)
		wrongs(of).write(b)
		if r := rules(of); len(r.rows) > 0 {
			fmt.Fprintf(b, "### Repairs and guards on %s\n\nA repair is a call of the model, asked for by the check that is named. Saved: wrong before, right after; harmed: the other way round.\n\n", s.name)
			r.write(b)
		}
	}
	_, err := w.Write(append(bytes.TrimRight(b.Bytes(), "\n"), '\n'))
	return err
}

// rates are the figures of a set. The test is of strict EX, item by item.
func rates(of []measured) table {
	t := table{columns: []string{"model", "condition", "runs (VA)", "right (strict EX)", "right to a reader",
		"right as first written", "against", "lost, won", "p (McNemar)", "calls", "output tokens", "s a question"}}
	for _, one := range of {
		for i, c := range one.report.Conditions {
			cells := []string{one.model, c.Name, rate(c, "strict", "VA"), rate(c, "strict", "EX"),
				rate(c, "reader", "EX"), "–", "–", "–", "–", "–", "–", "–"}
			if w := c.Waterfall; w != nil {
				cells[5] = share(w.Written, w.N)
			}
			if p, ok := one.against(i); ok {
				cells[6], cells[7], cells[8] = p.Left, fmt.Sprintf("%d, %d", p.Down, p.Up), fmt.Sprintf("%.2g", p.P)
			}
			if k := c.Cost; k != nil {
				cells[9], cells[10], cells[11] = fmt.Sprintf("%.2f", k.Calls), fmt.Sprintf("%.0f", k.Output),
					fmt.Sprintf("%.2f", k.Seconds.Mean)
			}
			t.row(cells...)
		}
	}
	return t
}

// rate is one metric with its interval.
func rate(c report.ConditionReport, profile, metric string) string {
	for _, m := range c.Rates[profile] {
		if m.Metric == metric && m.Pooled.N > 0 {
			return fmt.Sprintf("%.3f (%s)", m.Pooled.Value(), m.Wilson)
		}
	}
	return "–"
}

func share(hits, n int) string { return fmt.Sprintf("%.3f", score.Rate{Hits: hits, N: n}.Value()) }

// against is the comparison of a condition with the one before it that was run.
func (one measured) against(i int) (report.Paired, bool) {
	for before := one.conditions[i].before; before != ""; {
		for _, p := range one.report.Paired {
			if p.Left == before && p.Right == one.conditions[i].name {
				return p, true
			}
		}
		at := slices.IndexFunc(conditions, func(c condition) bool { return c.name == before })
		before = conditions[at].before
	}
	return report.Paired{}, false
}

// kinds of wrong answers, by the classes of the strict profile. What comes out empty counts there first.
var kinds = []struct {
	name    string
	classes []score.Class
}{
	{"right", []score.Class{score.Correct}},
	{"no answer", []score.Class{score.NoAnswer}},
	{"does not run", []score.Class{score.UnknownColumn, score.Ambiguous, score.UnknownTable, score.UnknownFunction,
		score.BadAggregate, score.NotGrouped, score.Syntax, score.OtherError, score.Refused}},
	{"empty", nil},
	{"more columns", []score.Class{score.ExtraColumns}},
	{"fewer columns", []score.Class{score.MissingColumns}},
	{"order of columns", []score.Class{score.ColumnOrder}},
	{"order of rows", []score.Class{score.RowOrder}},
	{"too few rows", []score.Class{score.RowSubset}},
	{"too many rows", []score.Class{score.RowSuperset, score.TooManyRows}},
	{"wrong rows", []score.Class{score.WrongRows}},
	{"wrong columns and rows", []score.Class{score.WrongBoth}},
	{"not known", []score.Class{score.NoGold, report.Unclassified}},
}

func kindOf(a report.Answer) string {
	if !a.Right && strings.HasPrefix(a.Detail, "0 × ") {
		return "empty"
	}
	for _, k := range kinds {
		if slices.Contains(k.classes, a.Class) {
			return k.name
		}
	}
	return "not known"
}

func wrongs(of []measured) table {
	count := map[[2]int]map[string]int{}
	seen := map[string]bool{}
	for i, one := range of {
		for _, it := range one.report.Items {
			for _, a := range it.Answers {
				at := [2]int{i, a.Condition}
				if count[at] == nil {
					count[at] = map[string]int{}
				}
				count[at][kindOf(a)] += len(a.Seeds)
				seen[kindOf(a)] = true
			}
		}
	}
	t := table{columns: []string{"model", "condition"}}
	for _, k := range kinds {
		if seen[k.name] {
			t.columns = append(t.columns, k.name)
		}
	}
	for i, one := range of {
		for j, c := range one.report.Conditions {
			cells := []string{one.model, c.Name}
			for _, name := range t.columns[2:] {
				cells = append(cells, fmt.Sprintf("%.1f", 100*score.Rate{Hits: count[[2]int{i, j}][name],
					N: len(one.report.Items)}.Value()))
			}
			t.row(cells...)
		}
	}
	return t
}

// rules are the repairs together, and each guard.
func rules(of []measured) table {
	t := table{columns: []string{"model", "condition", "rule", "touched", "saved", "harmed"}}
	for _, one := range of {
		for _, c := range one.report.Conditions {
			if c.Waterfall == nil {
				continue
			}
			all := report.Step{}
			for _, s := range c.Waterfall.Steps {
				if s.Kind == "repair" {
					all.Touched, all.Saved, all.Harmed = all.Touched+s.Touched, all.Saved+s.Saved, all.Harmed+s.Harmed
				}
			}
			line := func(name string, s report.Step) {
				t.row(one.model, c.Name, name, fmt.Sprint(s.Touched), fmt.Sprint(s.Saved), fmt.Sprint(s.Harmed))
			}
			if all.Touched > 0 {
				line("repairs, all", all)
			}
			for _, s := range c.Waterfall.Steps {
				line(strings.TrimPrefix(s.Kind+" "+s.Name, "fallback "), s)
			}
		}
	}
	return t
}
