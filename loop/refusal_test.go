package loop

import (
	"testing"

	"nl2sql/runner"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/tools"
)

func TestWhy(t *testing.T) {
	column := sqlcheck.Reject("refs", "unknown_column", "beds")
	column.Hint = "no table in FROM has a column beds; ward has beds: JOIN ward ON v.ward = ward.id"
	none := sqlcheck.Reject("clean", "no_select", "")
	run := sqlcheck.Reject("run", "execution_error", "1242: Subquery returns more than 1 row")
	odd := sqlcheck.Reject("refs", "strange", "thing")
	ok := sqlcheck.Pass("refs")
	failed := func(vs ...*sqlcheck.Verdict) (t Trace) {
		for _, v := range vs {
			t = append(t, Event{Kind: KindTool, Tool: tools.ValidateSQL, OK: v.OK, Verdict: v})
		}
		return t
	}
	for _, tt := range []struct {
		name string
		in   Answer
		want string
	}{
		{"answered", Answer{Result: &runner.Result{}, Trace: failed(&column)}, ""},
		{"declined", Answer{Refused: "reads only"}, ""},
		{"without the SQL of a hint", Answer{Trace: failed(&column)},
			"no table in FROM has a column beds; ward has beds"},
		{"the last one", Answer{Trace: failed(&column, &ok, &run)},
			"the database refused the query: 1242: Subquery returns more than 1 row"},
		{"in words", Answer{Trace: failed(&none)}, "the model wrote no query"},
		{"else as it is", Answer{Trace: failed(&odd)}, "strange:thing"},
		{"a candidate of a vote is none",
			Answer{Trace: append(failed(&column), Event{Kind: KindCandidate, Verdict: &none})},
			"no table in FROM has a column beds; ward has beds"},
		{"nothing failed", Answer{Trace: failed(&ok)},
			"the steps ran out (--max-steps) before a query had passed its checks and run"},
	} {
		must.Equal(t, tt.in.Why(), tt.want, tt.name)
	}
}

func TestMendedAndTally(t *testing.T) {
	near := guard.Change{Guard: "names", Why: "there is no table ward; taken for wards", Guess: true}
	a := Answer{Trace: Trace{
		{Kind: KindTool, Tool: tools.GenerateSQL, OK: true},
		{Kind: KindGuardrails, OK: true, Changes: []guard.Change{near}},
		{Kind: KindTool, Tool: tools.ValidateSQL},
		{Kind: KindCandidate, OK: true, Digest: "a"}, {Kind: KindCandidate},
		{Kind: KindCandidate, OK: true, Digest: "a"}, {Kind: KindCandidate, OK: true, Digest: "b"},
		{Kind: KindVote, OK: true, Digest: "a"},
		{Kind: KindTool, Tool: tools.GenerateSQL, OK: true},
		{Kind: KindGuardrails, OK: true,
			Changes: []guard.Change{{Guard: "columns", Why: "p.fee is v.fee"},
				{Guard: "columns", Why: "fee is in visits, joined as visits", Guess: true}}},
	}}
	must.Same(t, a.Mended(), []string{"fee is in visits, joined as visits"}, "mended")
	if agree, of, redrawn := a.Tally(); agree != 2 || of != 4 || !redrawn {
		t.Errorf("after a failure: %d of %d, redrawn %t, want 2 of 4, redrawn", agree, of, redrawn)
	}
	a.Trace = a.Trace[3:]
	if agree, of, redrawn := a.Tally(); agree != 2 || of != 4 || redrawn {
		t.Errorf("at first: %d of %d, redrawn %t, want 2 of 4", agree, of, redrawn)
	}
	if _, of, _ := (Answer{}).Tally(); of != 0 {
		t.Errorf("without a vote: of %d", of)
	}
}
