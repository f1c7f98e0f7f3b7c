package answer

import (
	"testing"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
)

// A question that stands alone is taken as it is, whatever was asked before: of Spider's that are not kept for scoring
// at most 3 in 100 go on.
func TestGoesOn(t *testing.T) {
	last := Turn{"How many singers are there?", "SELECT COUNT(*) FROM singer"}
	n, on := 0, 0
	for _, it := range golds.Fit(t) {
		if n++; last.GoesOn(it.Question, nil) {
			on++
			t.Logf("%s", it.Question)
		}
	}
	if n < 4000 || on*100 > 3*n {
		t.Errorf("%d of %d", on, n)
	}
	if (Turn{}).GoesOn("And in Spain?", nil) {
		t.Error("it goes on from nothing")
	}
	for text, want := range map[string]string{
		"and in Spain?":   "How many singers are there? And in Spain?",
		"Add their names": "How many singers are there? Also show their names",
		"à Paris ?":       "How many singers are there? À Paris ?",
	} {
		if got := last.With(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
	for range 1000 {
		last.Question = last.With("and those in Paris?")
	}
	must.Be(t, len(last.Question) <= mostBefore+40, "a long conversation: ", len(last.Question))
}

// Of a question that goes on, what must be in the query and what speaks against it are read off what is said now: the
// first question counts and names Spain, the second does neither.
func TestSaidNow(t *testing.T) {
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: 1000}))(t)
	t.Cleanup(func() { must.Do(t, db.Close()) })
	model := llm.NewReplay("SELECT customerName FROM customers WHERE country = 'France'")
	asker := must.Get(New(must.Get(Settings{Agent: "loop", Prompts: "default"}.Method())(t), model, nil))(t)
	last := Turn{"How many customers are in Spain?", "SELECT COUNT(*) FROM customers WHERE country = 'Spain'"}
	d := Database{DB: db, Schema: must.Get(db.Schema(t.Context()))(t)}
	ans := must.Get(asker.Ask(t.Context(), d, Question{Text: "And show those in France by name", Behind: last}, nil))(t)
	if ans.How != loop.ByFinish || len(ans.Doubts) > 0 {
		t.Errorf("%q %v %s", ans.How, ans.Doubts, ans.SQL)
	}
}
