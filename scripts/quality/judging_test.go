package main

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
)

// judged are digests of the databases of judging: of what creates their tables, of all rows, and of the rows that the
// gold queries find.
var judged = map[string]string{
	"airline":   "49d7daa38893fb2d c58088ca3e7a4759 e75f72828355baac",
	"energy":    "02000e9e015a86a8 f1171fce5de14ca3 679d4ef0d8862d76",
	"farm":      "4ba859455a8b83db 7cf2fdbcc2f34925 a5df04daa05f08d2",
	"football":  "fde289f4353ce380 b83335f088935f40 ee928ec0c2a984d1",
	"helpdesk":  "7a9bca44ff59832c c0096558917c20fc e30b6fb5d508ea3c",
	"hotel":     "b732b8291a20167c 7f9a2b1dc66e7453 0c3b515cb0868b27",
	"klinik":    "6e16c61cc706acf4 62903d4f27255193 aec069a2f6fe8a42",
	"library":   "e7217664dd86883d 6e2876f768226358 13497ba8ccc53489",
	"museum":    "c2323709c37067c7 0d0613ca92ea8f02 037988cceb4a98c3",
	"school":    "ba05572a0b265398 daf4500c1c607a71 977d289884f28db9",
	"shopfloor": "38867e23163a8bd1 a12982f7d15e209c 00d8a608e892ba37",
	"tienda":    "fa21c1437f9b53e7 b17525fe3a978ee9 26aeb3d3177cb4f0",
}

// The questions that only score are about the same tables and find the same rows as on the day when they were written.
func TestJudging(t *testing.T) {
	const folder = "../../evaluation/judging"
	files := must.Get(filepath.Glob(folder + "/*.jsonl"))(t)
	got := map[string]string{}
	for _, file := range files {
		items := must.Get(item.Load(file))(t)
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		db := must.Get(embedded.OpenFolder(t.Context(), folder, name, runner.Limits{Rows: 10000}))(t)
		defer db.Close()
		ddl := must.Get(db.DDL(t.Context()))(t)
		x := must.Get(score.NewExecutor(t.Context(), db))(t)
		var all, golds []string
		for _, table := range x.Schema.Tables {
			all = append(all, "SELECT * FROM "+runner.QuoteName(table.Name))
		}
		for _, it := range items {
			golds = append(append(golds, it.SQL), it.Accept...)
		}
		got[name] = fmt.Sprintf("%.8x %s %s", sha256.Sum256([]byte(ddl)), rowsDigest(t, x, all),
			rowsDigest(t, x, golds))
	}
	must.Same(t, got, judged)
}

// What is said in other words asks for what the question of judging asks for: all but its id and its words is the same.
func TestOtherWords(t *testing.T) {
	first := map[string]item.Item{}
	for _, it := range must.Get((&measurement{root: "../.."}).items(sets[1]))(t) {
		first[it.ID] = it
	}
	told, of := map[string]bool{}, map[string]int{}
	for _, it := range must.Get(item.Load("../../evaluation/otherwords/judging.jsonl"))(t) {
		want := first[strings.TrimSuffix(it.ID, "-w")]
		if told[it.Question] || it.Question == "" || it.Question == want.Question || it.ID != want.ID+"-w" {
			t.Errorf("%s: %q instead of %q", it.ID, it.Question, want.Question)
		}
		told[it.Question] = true
		of[it.Database]++
		want.ID, want.Question = it.ID, it.Question
		must.Same(t, it, want)
	}
	for name := range judged {
		must.Equal(t, of[name], 10, name, "questions, not 10")
	}
}

// rowsDigest is of the rows that queries find, each query's in an order of their own.
func rowsDigest(t *testing.T, x *score.Executor, queries []string) string {
	t.Helper()
	sum := sha256.New()
	for _, sql := range queries {
		o, err := x.Run(t.Context(), sql)
		must.Have(t, err == nil && o.Result != nil, sql, err, o.Error)
		lines := make([]string, len(o.Result.Rows))
		for i, row := range o.Result.Rows {
			lines[i] = fmt.Sprintf("%#v", row)
		}
		slices.Sort(lines)
		fmt.Fprintln(sum, o.Result.Columns, lines)
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:8])
}

// What the databases have beside tables is loaded behind them: views come in, triggers and routines are passed over.
func TestJudgingExtras(t *testing.T) {
	const folder = "../../evaluation/judging"
	extras := must.Get(txtar.ParseFile(folder + "/extras.txtar"))(t)
	must.Equal(t, len(extras.Files), len(judged), "databases have extras, of")
	for _, file := range extras.Files {
		name := strings.TrimSuffix(file.Name, ".sql")
		script := must.Get(runner.FolderScript(filepath.Join(folder, name)))(t)
		dump := strings.NewReader(script + string(file.Data))
		db := must.Get(embedded.OpenDump(t.Context(), name, dump, runner.Limits{Rows: 10000}))(t, name)
		defer db.Close()
		x := must.Get(score.NewExecutor(t.Context(), db))(t)
		views := 0
		for _, table := range x.Schema.Tables {
			if table.Reads > 0 {
				views++
				rowsDigest(t, x, []string{"SELECT * FROM " + runner.QuoteName(table.Name)})
			}
		}
		if want := strings.Count(string(file.Data), "CREATE VIEW"); views == 0 || views != want {
			t.Errorf("%s: %d views, not %d", name, views, want)
		}
	}
}
