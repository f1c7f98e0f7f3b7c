package answer

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
)

var (
	asksOf   = flag.String("asks", "making", "file of evaluation/asksback whose questions are scored: making or judging")
	goldsOf  = flag.String("golds", "", "how often gold queries of Spider are asked about: fit or check")
	asksList = flag.Bool("tell", false, "list what is asked about questions that rules may be made with")
)

// ambiguousItem is a question that was made ambiguous on purpose, with a query for each of its readings.
type ambiguousItem struct {
	ID, Database, Kind, Question, SQL string
	Others                            []string
}

// asker answers with gold queries, about one database after the other.
type asker struct {
	*testing.T
	name string
	db   *embedded.DB
	Database
}

// reads is what else a question may ask of a database, where a query is its answer; ok is false where that does not
// run.
func (a *asker) reads(database, question, sql string) (r Readings, ok bool) {
	if a.name != database {
		folder := golds.Path(a, golds.Spider)
		a.name, a.db = database, must.Get(embedded.OpenFolder(a.Context(), folder, database, runner.Limits{}))(a)
		a.Cleanup(func() { a.db.Close() })
		a.Database = Database{DB: a.db, Schema: must.Get(a.db.Schema(a.Context()))(a)}
	}
	ans := loop.Answer{Question: question, SQL: sql, How: loop.ByFinish}
	ans.Result = must.Get(a.Find(a.Context(), sql))(a)
	return must.Get(a.Readings(a.Context(), ans))(a), ans.Result != nil
}

// Questions that were made ambiguous are asked about, whichever reading the answer has.
//
//	go test -v ./loop/answer -run AsksBack -asks judging
//	go test -v ./loop/answer -run AsksBack -golds check
func TestAsksBack(t *testing.T) {
	a := &asker{T: t}
	if *goldsOf != "" {
		asksOfGolds(a)
		return
	}
	asked, right, all, missed := map[string]int{}, 0, map[string]int{}, []string(nil)
	file := must.Get(os.ReadFile("../../evaluation/asksback/" + *asksOf + ".jsonl"))(t)
	for line := range strings.Lines(string(file)) {
		var it ambiguousItem
		must.Do(t, json.Unmarshal([]byte(line), &it))
		r, ok := a.reads(it.Database, it.Question, it.SQL)
		if !ok {
			t.Fatalf("%s does not run: %s", it.ID, it.SQL)
		}
		all[it.Kind]++
		all[""]++
		if r.Asks == "" {
			missed = append(missed, it.ID+" "+it.Kind+": "+it.Question)
			continue
		}
		asked[it.Kind]++
		asked[""]++
		other := func(sql string) bool {
			want := must.Get(a.Find(t.Context(), sql))(t)
			return want != nil && slices.ContainsFunc(r.Others, func(o Reading) bool {
				have := must.Get(a.Find(t.Context(), o.SQL))(t)
				return have != nil && alike(*want, *have)
			})
		}
		if slices.ContainsFunc(it.Others, other) {
			right++
		} else if *asksList && *asksOf == "making" {
			t.Logf("other choices: %s: %s", it.Question, r.Asks)
		}
	}
	for kind, n := range all {
		t.Logf("%-7s asked about %d of %d", kind, asked[kind], n)
	}
	t.Logf("the other reading is among the choices of %d", right)
	if *asksList && *asksOf == "making" {
		t.Log(strings.Join(missed, "\n"))
	}
	if 10*asked[""] < 6*all[""] {
		t.Errorf("of %d only %d are asked about", all[""], asked[""])
	}
}

// asksOfGolds prints how often right answers are asked about.
func asksOfGolds(a *asker) {
	all, kinds := 0, map[string]int{}
	for _, it := range golds.All(a) {
		if golds.ForJudging(it.Database) != (*goldsOf == "check") {
			continue
		}
		r, ok := a.reads(it.Database, it.Question, it.SQL)
		if !ok {
			continue
		}
		all++
		for i, d := range r.Doubts {
			if i == 0 {
				kinds["asked"]++
				kinds["asked: "+string(d.Name)]++
			}
			kinds["told: "+string(d.Name)]++
		}
		if r.Asks != "" && *asksList && *goldsOf == "fit" {
			a.Logf("%s: %s\n%s\n%s", it.Database, it.Question, it.SQL, r.Asks)
		}
	}
	for k, n := range kinds {
		a.Logf("%-20s %5d of %d (%.3f)", k, n, all, float64(n)/float64(all))
	}
}
