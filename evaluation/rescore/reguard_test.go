package rescore

import (
	"testing"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/guard"
)

// Left-out guards and what is left, where the answers can be told by hand.
func TestReguard(t *testing.T) {
	s := onDump(t, "CREATE TABLE shop (id INT PRIMARY KEY, name VARCHAR(9), city VARCHAR(9)); INSERT INTO shop VALUES (1, 'A', 'Rome'), (2, 'B', 'Oslo');")
	run := record.Run{Name: "shop_base_k0_seed7", Records: []record.Record{
		{ID: "1", Question: "List the name of each shop.", Gold: "SELECT name FROM shop",
			Raw: "Here it is:\n```sql\nSELECT name FROM shop;\n```"},
		{ID: "2", Question: "List the name of each shop.", Gold: "SELECT name FROM shop",
			Raw: "SELECT id, name FROM shop"},
		{ID: "3", Question: "How many shops are there?", Gold: "SELECT COUNT(*) FROM shop", Raw: "I do not know."},
		{ID: "4", Question: "How many shops are there?", Gold: "SELECT COUNT(*) FROM shop",
			Raw: "SELECT COUNT(*) FROM shops"},
	}}
	guards := must.Get(guard.ParseSet("default"))(t)
	p := &Reguard{Scorer: s, Profile: "dissertation", Guards: guards}
	all := must.Get(p.Run(t.Context(), []record.Run{run}, nil))(t)
	want := []struct{ before, after, bound bool }{{false, true, false}, {false, false, true}, {false, false, false},
		{false, true, false}}
	for i, r := range all[0] {
		if p.Right(r.Before) != want[i].before || p.Right(r.After) != want[i].after || r.Bound != want[i].bound {
			t.Errorf("item %s: before %v, after %v (%s), bound %v, want %+v", r.Record.ID, p.Right(r.Before),
				p.Right(r.After), r.SQL, r.Bound, want[i])
		}
	}
	rules := must.Get(p.Rules(t.Context(), []record.Run{run}, all))(t)
	saved := map[string]int{}
	for _, r := range rules {
		saved[r.Guard] = r.Saved
	}
	must.Be(t, saved["clean"] >= 1 && saved["names"] == 1 && saved["texts"] == 0, "saved", saved)
	left := p.Left(all)
	if len(left) != 2 || left[0].Class != score.ExtraColumns || left[1].Class != score.NoAnswer {
		t.Errorf("left %+v", left)
	}
}
