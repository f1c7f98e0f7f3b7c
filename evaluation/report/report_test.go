package report

import (
	"bytes"
	"context"
	"encoding/csv"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/loop"
	"nl2sql/loop/item"
	"nl2sql/runner/render"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/guard"
	"nl2sql/tools"
)

var update = flag.Bool("update", false, "rewrite testdata/report.txtar")

// hostile holds what each format would take for something else: markup, TeX, a formula, a fence, a cell's and a line's
// end, and what a terminal obeys.
const hostile = "=HYPERLINK(\"http://x\") <script>alert('1')</script> & </td> \\input{x} $%_^~# | `` ``` \n\r- [a](b) *c*\x1b[31m \u202e {{.}} '1,2'"

// smallRuns are two conditions of two seeds over five items of two families. The second condition has traces.
func smallRuns() []record.Run {
	var runs []record.Run
	for _, r := range []struct{ condition, agent, seed, items string }{
		{"tiny_base_k3", "base", "7", "x.oex"}, {"tiny_base_k3", "base", "17", "xoo.x"},
		{"tiny_loop_k3", "loop", "7", "ooeoo"}, {"tiny_loop_k3", "loop", "17", "ooo.x"},
	} {
		run := marks(r.condition+"_seed"+r.seed, r.condition, r.seed, r.items)
		run.Card.Version, run.Card.Model, run.Card.Agent, run.Card.ItemCount = 1, "tiny", r.agent, len(r.items)
		for i := range run.Records {
			rec := &run.Records[i]
			s := rec.Scores["p"]
			rec.Question, rec.Gold, rec.SQL = "Question "+rec.ID+"?", "SELECT "+rec.ID+" FROM t",
				"SELECT "+rec.ID+" FROM t"
			rec.Family = []string{"first", "second"}[i/3]
			strict := s
			switch {
			case s.EX:
				strict.Class = score.Correct
			case s.VA:
				rec.SQL, strict.Class, strict.Detail = "SELECT "+rec.ID+", b FROM t", score.ExtraColumns, "b"
			default:
				rec.SQL, rec.Error = "SELECT nope FROM t", "unknown_column:t.nope"
				strict.Class, strict.Detail = score.UnknownColumn, rec.Error
			}
			rec.Scores = map[string]score.Score{"strict": strict, "dissertation": s}
			if rec.ID == "e" {
				rec.Question, rec.Gold, rec.SQL = hostile, "SELECT '"+hostile+"'", hostile+r.agent
				strict.Detail = hostile
				rec.Scores["strict"] = strict
			}
			if r.agent == "loop" {
				rec.Steps, rec.Calls, rec.Prompt, rec.Cached, rec.Output = 5+i, 1+i%2, 1000, 100*i, 20+i
				rec.Took = time.Duration(i+1) * 300 * time.Millisecond
				rec.How, rec.Trace = loop.ByFinish, append(smallTrace(rec.SQL, i),
					loop.Event{Kind: loop.KindConfidence})
				rec.Confidence = 0.1 + 0.2*float64(i)
			}
		}
		runs = append(runs, run)
	}
	return runs
}

// smallTrace ends with sql: as written, after a guard, after a repair, by the fallback, and after a reject.
func smallTrace(sql string, kind int) loop.Trace {
	wrote := func(tool tools.Name, text string) loop.Event {
		return loop.Event{Kind: loop.KindTool, Tool: tool, OK: true, Text: text}
	}
	guarded := func(sql string, changes ...guard.Change) loop.Event {
		return loop.Event{Kind: loop.KindGuardrails, OK: sql != "", SQL: sql, Changes: changes}
	}
	said := func(tool tools.Name, ok bool) loop.Event { return loop.Event{Kind: loop.KindTool, Tool: tool, OK: ok} }
	const bad, wide = "SELECT nope FROM u", "SELECT * FROM t"
	return []loop.Trace{
		{wrote(tools.GenerateSQL, "```"+sql+"```"), guarded(sql, guard.Change{Guard: "clean", SQL: sql}),
			said(tools.RunSQL, true)},
		{wrote(tools.GenerateSQL, wide), guarded(sql, guard.Change{Guard: "projection", SQL: sql}),
			said(tools.RunSQL, true)},
		{wrote(tools.GenerateSQL, bad), guarded(bad), said(tools.ValidateSQL, false), wrote(tools.RepairSQL, sql),
			guarded(sql), said(tools.RunSQL, true)},
		{wrote(tools.GenerateSQL, bad), guarded(bad), said(tools.RunSQL, false), guarded(sql)},
		{wrote(tools.GenerateSQL, "I cannot"), guarded(""), wrote(tools.GenerateSQL, sql), guarded(sql)},
	}[kind]
}

func smallReport(t *testing.T, o Options) Report {
	t.Helper()
	r := must.Get(New(t.Context(), smallRuns(), o))(t)
	return r
}

var styleOrScript = regexp.MustCompile(`(?s)<(style|script)>.*?</(?:style|script)>`)

// writers of a report by the name of their golden file. Sorting out what is hostile is tested apart.
func reportFiles(t *testing.T, r Report) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, write := range map[string]func(io.Writer) error{
		"table":    func(w io.Writer) error { return r.WriteTable(w, render.Options{}, true) },
		"table80":  func(w io.Writer) error { return r.WriteTable(w, render.Options{Width: 80}, false) },
		"markdown": func(w io.Writer) error { return r.WriteMarkdown(w, true) },
		"latex":    func(w io.Writer) error { return r.WriteLaTeX(w, true) },
		"json":     r.WriteJSON,
		"html":     r.WriteHTML,
	} {
		var b bytes.Buffer
		must.Do(t, write(&b))
		out[name] = b.String()
		if name == "html" { // style and script are files of their own
			out[name] = styleOrScript.ReplaceAllString(out[name], "<$1></$1>")
		}
	}
	dir := t.TempDir()
	must.Do(t, r.WriteCSV(dir))
	files := must.Get(filepath.Glob(dir + "/*.csv"))(t)
	for _, file := range files {
		data := must.Get(os.ReadFile(file))(t)
		out[filepath.Base(file)] = string(data)
	}
	return out
}

// Every format of a small report is as testdata/report.txtar has it (-update rewrites it).
func TestReportGolden(t *testing.T) {
	const golden = "testdata/report.txtar"
	got := reportFiles(t, smallReport(t, Options{}))
	ar, err := txtar.ParseFile(golden)
	if *update {
		ar, err = &txtar.Archive{Comment: []byte("The report of smallRuns (report_test.go) in every format.\n")}, nil
		for _, name := range []string{"table", "table80", "markdown", "latex", "summary_by_condition.csv",
			"pairwise_tests.csv", "per_item.csv", "manifest.csv", "json", "html"} {
			ar.Files = append(ar.Files, txtar.File{Name: name, Data: []byte(got[name])})
		}
		err = os.WriteFile(golden, txtar.Format(ar), 0o644)
	}
	must.Do(t, err)
	must.Equal(t, len(ar.Files), len(got))
	for _, f := range ar.Files {
		must.Same(t, got[f.Name], string(f.Data), f.Name)
	}
}

// No format lets a question or a query out of its cell, and no terminal is told to do anything.
func TestReportHostile(t *testing.T) {
	for name, text := range reportFiles(t, smallReport(t, Options{})) {
		if strings.Contains(name, ".csv") {
			rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			must.Succeed(t, err, name)
			for _, bad := range []string{"\x1b", "\u202e", "\r"} {
				must.Be(t, !strings.Contains(text, bad), name, bad, "gets through")
			}
			for _, row := range rows {
				for i, cell := range row {
					if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "+") || strings.HasPrefix(cell, "-") &&
						!strings.Contains(rows[0][i], "diff") {
						t.Errorf("%s: a formula: %q", name, cell)
					}
				}
			}
			continue
		}
		for _, bad := range []string{"\x1b", "\u202e", "\r"} {
			must.Be(t, !strings.Contains(text, bad), name, bad, "gets through")
		}
		for _, bad := range map[string][]string{
			"markdown": {"\n- [a]", "\n=HYP", "** <script", "? <script", "[a](b) \\*c"},
			"latex":    {"\\input", "$%", "_^", "\n="},
			"html":     {"<script>a", "alert('1')", "</td> \\", "1,2'\""},
		}[name] {
			must.Be(t, !strings.Contains(text, bad), name, bad, "gets through")
		}
	}
}

// No text of a run reaches whoever reads the page with cat.
func TestReportPageIsPrintable(t *testing.T) {
	const bad = "\x1b[31m\u202e\x9b\r"
	r := smallReport(t, Options{})
	r.Notes = append(r.Notes, bad)
	for i := range r.Items {
		for j := range r.Items[i].Answers {
			r.Items[i].Answers[j].Class += bad
		}
	}
	var b strings.Builder
	must.Do(t, r.WriteHTML(&b))
	if i := strings.IndexAny(b.String(), bad[:1]+"\u202e\u009b\r"); i >= 0 {
		t.Errorf("%q gets through", b.String()[max(0, i-80):i+10])
	}
}

// The two runs' traces, by hand: what the records alone tell, and what a judge adds.
func TestWaterfall(t *testing.T) {
	conditions := must.Get(Conditions(smallRuns()))(t)
	scores := func(_ context.Context, r record.Record, sql string) (score.Score, error) {
		return score.Score{EX: sql == "SELECT * FROM t" && r.ID == "b"}, nil
	}
	for _, tt := range []struct {
		name  string
		judge judge
		want  Waterfall
	}{
		{"records alone", nil, Waterfall{N: 10, Written: 2, Unknown: 4, End: 8, Steps: []Step{
			{"guard", "projection", 2, 0, 0, 2},
			{"guard", "rejected", 2, 0, 0, 2},
			{"repair", "validate_sql", 2, 2, 0, 0},
			{"repair", "rejected", 2, 1, 0, 0},
			{"fallback", "fallback", 2, 1, 0, 0},
		}}},
		{"with a judge", scores, Waterfall{N: 10, Written: 4, Unknown: 0, End: 8, Steps: []Step{
			{"guard", "projection", 2, 0, 0, 0},
			{"guard", "rejected", 2, 0, 0, 0},
			{"repair", "validate_sql", 2, 2, 0, 0},
			{"repair", "rejected", 2, 1, 0, 0},
			{"fallback", "fallback", 2, 1, 0, 0},
		}}},
	} {
		if w, err := waterfallOf(t.Context(), conditions[0], "strict", tt.judge); w != nil || err != nil {
			t.Errorf("%s: a waterfall without traces: %v, %v", tt.name, w, err)
		}
		got := must.Get(waterfallOf(t.Context(), conditions[1], "strict", tt.judge))(t)
		must.Same(t, *got, tt.want, tt.name)
		sum := got.Written
		for _, s := range got.Steps {
			sum += s.Saved - s.Harmed
		}
		if tt.judge != nil && sum != got.End {
			t.Errorf("%s: the steps lead to %d, not to %d", tt.name, sum, got.End)
		}
	}
}

func TestNewReportErrors(t *testing.T) {
	half := smallRuns()
	delete(half[0].Records[0].Scores, "strict")
	none := smallRuns()
	none[1].Records[1].Scores = nil
	for _, tt := range []struct {
		name    string
		runs    []record.Run
		o       Options
		profile string // that is reported
		wantErr string
	}{
		{"strict beside dissertation", smallRuns(), Options{}, "strict", ""},
		{"asked for", smallRuns(), Options{Profile: "dissertation"}, "dissertation", ""},
		{"not all have strict", half, Options{}, "dissertation", ""},
		{"no runs", nil, Options{}, "", "no runs"},
		{"no profile", none, Options{}, "", "no profile scored every record"},
		{"unknown profile", smallRuns(), Options{Profile: "bird"}, "",
			`not scored with profile "bird": they have strict, dissertation`},
		{"other items", smallRuns(), Options{Items: []item.Item{{ID: "a", Question: "Question a?"}}}, "",
			"item b of these runs is not in the file of items"},
		{"another question", smallRuns(), Options{Items: []item.Item{{ID: "a", Question: "?"}}}, "",
			"item a of these runs is not in the file of items"},
	} {
		r, err := New(t.Context(), tt.runs, tt.o)
		if r.Profile != tt.profile || (err == nil) != (tt.wantErr == "") || err != nil &&
			!strings.Contains(err.Error(), tt.wantErr) {
			t.Errorf("%s: profile %q, error %v; want %q, %q", tt.name, r.Profile, err, tt.profile, tt.wantErr)
		}
	}
}

// Difficulties keep the order of the file, tags are sorted, and a family is what the records say.
func TestGroups(t *testing.T) {
	items := []item.Item{
		{ID: "a", Question: "Question a?", Difficulty: "easy", Tags: []string{"join", "date"}},
		{ID: "b", Question: "Question b?", Difficulty: "hard"},
		{ID: "c", Question: "Question c?", Difficulty: "easy"}, {ID: "d", Question: "Question d?",
			Tags: []string{"date"}}, {ID: "e", Question: hostile},
	}
	rates := func(hits1, n1, hits2, n2 int) []score.Rate {
		return []score.Rate{{Hits: hits1, N: n1}, {Hits: hits2, N: n2}}
	}
	want := []Group{
		{"difficulty", "easy", 2, rates(2, 4, 4, 4)}, {"difficulty", "hard", 1, rates(1, 2, 2, 2)},
		{"family", "first", 3, rates(3, 6, 6, 6)}, {"family", "second", 2, rates(1, 4, 2, 4)},
		{"tag", "date", 2, rates(1, 4, 3, 4)}, {"tag", "join", 1, rates(0, 2, 2, 2)},
	}
	must.Same(t, smallReport(t, Options{Items: items}).Groups, want)
}

// The page is one file: it fetches nothing, and its script only reads it.
func TestReportPageIsSelfContained(t *testing.T) {
	var b bytes.Buffer
	must.Do(t, smallReport(t, Options{}).WriteHTML(&b))
	text := strings.ReplaceAll(b.String(), "http://x", "") // of the hostile text
	for _, bad := range []string{"http:", "https:", "src=", "@import", "url(", "<link", "fetch(", "import(",
		"innerHTML", "<no value>", "ZgotmplZ"} {
		must.Be(t, !strings.Contains(text, bad), "the page holds", bad)
	}
	must.Equal(t, strings.Count(text, "<script>"), 1, "scripts, want ours alone")
}
