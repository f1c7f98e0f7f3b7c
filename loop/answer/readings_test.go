package answer

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/loop"
	"nl2sql/loop/internal/stories"
	"nl2sql/runner"
	"nl2sql/scripts/must"
)

// Readings are what others of a split vote found, where that is something else.
func TestReadings(t *testing.T) {
	db, s := stories.Demo(t)
	d := Database{DB: db, Schema: s}
	const (
		customers = "SELECT COUNT(*) FROM customers"
		orders    = "SELECT COUNT(*) FROM orders"
		offices   = "SELECT COUNT(*) FROM offices"
		labelled  = "SELECT 'n', COUNT(*) FROM customers"
	)
	vote := func(winner string, sqls ...string) loop.Answer {
		var a loop.Answer
		for _, sql := range sqls {
			a.Trace = append(a.Trace, loop.Event{Kind: loop.KindCandidate, OK: true, SQL: sql, Digest: sql})
		}
		a.Trace = append(a.Trace, loop.Event{Kind: loop.KindVote, OK: true, Digest: winner, SQL: winner})
		a.SQL, a.Result = winner, must.Get(d.Find(t.Context(), winner))(t)
		return a
	}
	for name, tt := range map[string]struct {
		ans  loop.Answer
		want []string
	}{
		"most agree":        {vote(customers, customers, customers, customers, orders, orders), nil},
		"split":             {vote(customers, customers, customers, orders, orders, offices), []string{orders}},
		"two others":        {vote(customers, customers, offices, offices, orders, orders, orders), []string{orders, offices}},
		"one more column":   {vote(customers, customers, labelled, labelled, offices), nil},
		"each for its own":  {vote(customers, customers, orders, offices), nil},
		"no vote at all":    {loop.Answer{SQL: customers, Result: &runner.Result{}}, nil},
		"there is no anser": {loop.Answer{}, nil},
	} {
		var got []string
		for _, r := range must.Get(d.Readings(t.Context(), tt.ans))(t).Others {
			got = append(got, r.SQL)
			if r.Words == "" || len(r.First.Rows) == 0 {
				t.Errorf("%s: %v", name, r)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
