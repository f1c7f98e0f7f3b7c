package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"nl2sql/evaluation/score"
)

// WriteCSV writes the original's four files into a folder, in its columns and formats (dissertation.md §5.6, §5.10),
// and makes the folder. Texts that a spreadsheet would take for a formula begin with an apostrophe.
func (r Report) WriteCSV(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		rows [][]string
	}{
		{"summary_by_condition.csv", r.summaryRows()},
		{"pairwise_tests.csv", r.pairwiseRows()},
		{"per_item.csv", r.itemRows()},
		{"manifest.csv", r.manifestRows()},
	} {
		var b bytes.Buffer
		if err := csv.NewWriter(&b).WriteAll(f.rows); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, f.name), b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (r Report) summaryRows() [][]string {
	rows := [][]string{strings.Split("condition_id,model_tag,method,k,n_runs,"+
		"va_mean,va_std,ex_mean,ex_std,ts_mean,ts_std", ",")}
	for _, c := range r.conditions {
		row := append(c.ids(), strconv.Itoa(len(c.Runs)))
		for _, m := range []score.Metric{score.VA, score.EX, score.TS} {
			s, mean, sd := c.Spread(m, r.Profile), "", ""
			if s.N > 0 {
				mean = pythonFloat(s.Mean)
			}
			if s.N > 1 {
				sd = pythonFloat(s.SD)
			}
			row = append(row, mean, sd)
		}
		rows = append(rows, row)
	}
	return rows
}

// ids are condition_id, model_tag, method and k.
func (c Condition) ids() []string {
	return []string{inert(c.Name), inert(c.Model), inert(c.Method), strconv.Itoa(c.Shots)}
}

func (r Report) pairwiseRows() [][]string {
	rows := [][]string{strings.Split("comparison,left_condition_id,right_condition_id,n_left,n_right,"+
		"left_mean,right_mean,mean_diff_right_minus_left,test_name,test_stat,p_value,decision_alpha_0_05", ",")}
	of := map[string]Condition{}
	for _, c := range r.conditions {
		of[c.Name] = c
	}
	for _, t := range PublishedTests(r.conditions, r.Profile) {
		left, right := of[t.Left], of[t.Right]
		row := []string{
			inert(fmt.Sprintf("%s %s->%s @k%d", originalName(left.Model), originalName(left.Method),
				originalName(right.Method), left.Shots)),
			inert(t.Left), inert(t.Right), strconv.Itoa(t.L.N), strconv.Itoa(t.R.N),
			pythonFloat(t.L.Mean), pythonFloat(t.R.Mean), pythonFloat(t.R.Mean - t.L.Mean), "mann_whitney_u", "",
			"", "insufficient_n",
		}
		if t.Enough {
			row[9], row[10], row[11] = pythonFloat(t.U), pythonFloat(t.P), "fail_to_reject_H0"
			if t.Rejected() {
				row[11] = "reject_H0"
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// originalName is the original's spelling of a model or a method; others stay as they are.
func originalName(name string) string {
	for _, known := range []string{"Llama", "Qwen", "Base", "QLoRA", "ReAct"} {
		if strings.EqualFold(name, known) {
			return known
		}
	}
	return name
}

func (r Report) itemRows() [][]string {
	rows := [][]string{strings.Split("condition_id,model_tag,method,k,seed,example_id,nlq,va,em,ex,ts,source_json",
		",")}
	for _, c := range r.conditions {
		for _, run := range c.Runs {
			for _, rec := range run.Records {
				s, ts := rec.Scores[r.Profile], ""
				if s.TS != nil {
					ts = pythonFloat(indicator(*s.TS))
				}
				rows = append(rows, append(c.ids(), inert(run.Card.Seed), inert(rec.ID), inert(rec.Question),
					zeroOne(s.VA), zeroOne(s.EM), zeroOne(s.EX), ts, inert(run.Name+".json")))
			}
		}
	}
	return rows
}

func (r Report) manifestRows() [][]string {
	rows := [][]string{strings.Split("condition_id,model_tag,method,k,seed,n_items,ts_enabled,source_json", ",")}
	for _, c := range r.conditions {
		for _, run := range c.Runs {
			enabled := "False"
			if score.HasTS(run.Scores(r.Profile)) {
				enabled = "True"
			}
			rows = append(rows, append(c.ids(), inert(run.Card.Seed), strconv.Itoa(len(run.Records)), enabled,
				inert(run.Name+".json")))
		}
	}
	return rows
}

func zeroOne(yes bool) string { return strconv.Itoa(int(indicator(yes))) }

// pythonFloat is a float as Python's repr writes it: 0.556, 100.0, 8.1e-05.
func pythonFloat(v float64) string {
	if abs := math.Abs(v); v != 0 && (abs < 1e-4 || abs >= 1e16) {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// inert keeps a spreadsheet from running a text as a formula, and a terminal from obeying it.
func inert(s string) string {
	s = visibleLines(s)
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}
