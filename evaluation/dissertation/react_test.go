package dissertation

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"nl2sql/evaluation/score"
	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/answer"
	"nl2sql/runner/render"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
)

// recordedTurn is a turn of the original's loop: what the model wrote, and what it was told of it.
type recordedTurn struct {
	Thought, Action, SQL string
	Observation          struct {
		Success     bool
		Text        string
		RowCount    int
		Columns     []string
		PreviewRows [][]any `json:"preview_rows"`
	}
}

// TestReactRecorded gives the agent react the recorded model texts on the author's database: it takes the actions that
// were taken, with the queries that were run, finds as many rows under the same names, and answers what was answered.
// What the server chose differs: the order of rows that no query asked for; and so do words: its errors are ours, its
// numbers are JSON's, and it read UTF-8 as Latin-1.
func TestReactRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a thousand queries")
	}
	x := must.Get(authorScorer(t).Databases.Executor(t.Context(), ""))(t)
	files := must.Get(filepath.Glob(filepath.Join(golds.Path(t, "dissertation/runs"), "llama_react_*.json")))(t)
	method := must.Get(answer.Settings{Agent: "react"}.Method())(t)
	count := map[string]int{}
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		var run struct {
			Items []struct {
				NLQ   string
				Pred  string `json:"pred_sql"`
				Trace []recordedTurn
			}
		}
		must.Do(t, json.Unmarshal(text, &run))
		for _, it := range run.Items {
			var texts []string
			for _, turn := range it.Trace {
				texts = append(texts, fmt.Sprintf("Thought: %s\nAction: %s[%s]", turn.Thought, turn.Action, turn.SQL))
			}
			asker := must.Get(answer.New(method, llm.NewReplay(strings.Join(texts, "\n===\n")), nil))(t)
			ans, err := asker.Ask(t.Context(), answer.Database{DB: x.DB, Schema: x.Schema},
				answer.Question{Text: it.NLQ}, nil)
			if err != nil || ans.SQL != it.Pred {
				t.Errorf("%s: answers %q, recorded %q, %v", it.NLQ, ans.SQL, it.Pred, err)
				continue
			}
			count["answers"]++
			compareTurns(t, x, it.Trace, ans.Trace, count)
		}
	}
	t.Log(count)
	want := map[string]int{"answers": 610, "actions": 1257, "queries": 650, "rows": 611, "first rows": 586,
		"other order": 25, "errors": 39, "same error": 13}
	must.Same(t, count, want)
}

// compareTurns compares what was done with what was recorded, and counts what is the same.
func compareTurns(t *testing.T, x *score.Executor, want []recordedTurn, trace loop.Trace, count map[string]int) {
	t.Helper()
	got := slices.DeleteFunc(slices.Clone(trace), func(e loop.Event) bool { return e.Kind != loop.KindTool })
	if len(got) != len(want) {
		t.Errorf("%d turns, recorded %d", len(got), len(want))
		return
	}
	for i, w := range want {
		g := got[i]
		if string(g.Tool) != w.Action || w.Action != "finish" && (g.SQL != w.SQL || g.OK != w.Observation.Success) {
			t.Errorf("%s %q, ran %v; recorded %s %q, %v", g.Tool, g.SQL, g.OK, w.Action, w.SQL, w.Observation.Success)
			continue
		}
		count["actions"]++
		if w.Action == "finish" {
			continue
		}
		count["queries"]++
		if !w.Observation.Success {
			if count["errors"]++; g.Text == w.Observation.Text {
				count["same error"]++
			}
			continue
		}
		o, err := x.Run(t.Context(), g.SQL)
		must.Have(t, err == nil && o.OK(), g.SQL, err)
		if len(o.Result.Rows) != w.Observation.RowCount || !slices.Equal(o.Result.Columns, w.Observation.Columns) {
			t.Errorf("%s: %d rows of %v, recorded %d of %v", g.SQL, len(o.Result.Rows), o.Result.Columns,
				w.Observation.RowCount, w.Observation.Columns)
			continue
		}
		count["rows"]++
		var rows, recorded []string
		for _, r := range o.Result.Rows {
			rows = append(rows, rowText(r))
		}
		for _, r := range w.Observation.PreviewRows {
			recorded = append(recorded, rowText(r))
		}
		switch first := rows[:min(2, len(rows))]; {
		case slices.Equal(first, recorded):
			count["first rows"]++
		case !slices.ContainsFunc(recorded, func(r string) bool { return !slices.Contains(rows, r) }):
			count["other order"]++
		default:
			t.Logf("%s: %v, recorded %v", g.SQL, first, recorded)
		}
	}
}

// rowText is a row as both databases have it: a number by its value, text as UTF-8.
func rowText(row []any) string {
	var cells []string
	for _, c := range row {
		text := render.CellText(c)
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			text = strconv.FormatFloat(n, 'g', 12, 64)
		}
		if latin, err := charmap.ISO8859_1.NewEncoder().String(text); err == nil && utf8.ValidString(latin) {
			text = latin
		}
		cells = append(cells, text)
	}
	return strings.Join(cells, "|")
}
