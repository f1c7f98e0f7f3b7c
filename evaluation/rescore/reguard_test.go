package evaluation

import (
	"testing"

	"nl2sql/sqlcheck"
)

const sharedData = "../../shared/data/"

// TestGuardsOnRecordedRuns measures what the guards are worth: execution accuracy of the recorded answers on the database
// that they were scored on, without guards, with the original's and with ours, and what each of ours saves and harms.
func TestGuardsOnRecordedRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("runs thousands of queries")
	}
	s := authorScorer(t)
	runs, err := ReadRuns([]string{sharedData + "dissertation/runs"})
	if err != nil {
		t.Skipf("needs ../shared/data/dissertation/runs beside the checkout: %v", err)
	}
	replay := func(spec string) (*Replayer, [][]Replayed) {
		guards, err := sqlcheck.GuardSet(spec)
		if err != nil {
			t.Fatal(err)
		}
		p := &Replayer{Scorer: s, Profile: "dissertation", Guards: guards}
		all, err := p.Run(t.Context(), runs, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p, all
	}
	_, seed := replay("seed")
	p, ours := replay("default")
	type tally struct{ n, before, seed, ours int }
	sum := map[string]*tally{}
	for i, run := range runs {
		c := sum[ConditionName(run)]
		if c == nil {
			c = &tally{}
			sum[ConditionName(run)] = c
		}
		for j, r := range ours[i] {
			c.n++
			for _, count := range []struct {
				s  Scored
				to *int
			}{{r.Before, &c.before}, {seed[i][j].After, &c.seed}, {r.After, &c.ours}} {
				if p.Right(count.s) {
					*count.to++
				}
			}
			if p.Right(r.Before) && !p.Right(r.After) {
				t.Errorf("%s: broken: %s\n%s\n%s", run.Name, r.Record.Question, r.Record.Raw, r.SQL)
			}
		}
	}
	// Floors of execution accuracy with our guards, by condition (issue 4, proof 3).
	floors := map[string]float64{"llama_base_k0": .82, "llama_base_k3": .87, "llama_qlora_k0": .87, "llama_qlora_k3": .87, "llama_react_k3": .87}
	for name, floor := range floors {
		c := sum[name]
		if c == nil {
			t.Errorf("no runs of %s", name)
			continue
		}
		share := func(hits int) float64 { return float64(hits) / float64(c.n) }
		t.Logf("%-16s %5d answers: EX %.3f without guards, %.3f seed, %.3f default", name, c.n, share(c.before), share(c.seed), share(c.ours))
		if share(c.ours) < floor {
			t.Errorf("%s: %.3f, want at least %.3f", name, share(c.ours), floor)
		}
	}
	rules, err := p.Rules(t.Context(), runs, ours)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		t.Logf("%-12s changes %d, saves %d, harms %d", r.Guard, r.Texts, r.Saved, r.Harmed)
		if r.Harmed > r.Saved {
			t.Errorf("%s harms more than it saves", r.Guard)
		}
	}
}

// Left-out guards and what is left, where the answers can be told by hand.
func TestReplay(t *testing.T) {
	s := onDump(t, nil, "CREATE TABLE shop (id INT PRIMARY KEY, name VARCHAR(9), city VARCHAR(9)); INSERT INTO shop VALUES (1, 'A', 'Rome'), (2, 'B', 'Oslo');")
	run := Run{Name: "shop_base_k0_seed7", Records: []Record{
		{ID: "1", Question: "List the name of each shop.", Gold: "SELECT name FROM shop", Raw: "Here it is:\n```sql\nSELECT name FROM shop;\n```"},
		{ID: "2", Question: "List the name of each shop.", Gold: "SELECT name FROM shop", Raw: "SELECT id, name FROM shop"},
		{ID: "3", Question: "How many shops are there?", Gold: "SELECT COUNT(*) FROM shop", Raw: "I do not know."},
		{ID: "4", Question: "How many shops are there?", Gold: "SELECT COUNT(*) FROM shop", Raw: "SELECT COUNT(*) FROM shops"},
	}}
	guards, err := sqlcheck.GuardSet("default")
	if err != nil {
		t.Fatal(err)
	}
	p := &Replayer{Scorer: s, Profile: "dissertation", Guards: guards}
	all, err := p.Run(t.Context(), []Run{run}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct{ before, after, bound bool }{{false, true, false}, {false, true, true}, {false, false, false}, {false, false, false}}
	for i, r := range all[0] {
		if p.Right(r.Before) != want[i].before || p.Right(r.After) != want[i].after || r.Bound != want[i].bound {
			t.Errorf("item %s: before %v, after %v (%s), bound %v, want %+v", r.Record.ID, p.Right(r.Before), p.Right(r.After), r.SQL, r.Bound, want[i])
		}
	}
	rules, err := p.Rules(t.Context(), []Run{run}, all)
	if err != nil {
		t.Fatal(err)
	}
	saved := map[string]int{}
	for _, r := range rules {
		saved[r.Guard] = r.Saved
	}
	if saved["clean"] < 1 || saved["projection"] != 1 || saved["values"] != 0 {
		t.Errorf("saved %v", saved)
	}
	left := p.Left(all)
	if len(left) != 2 || left[0].Class != UnknownTable || left[1].Class != NoAnswer {
		t.Errorf("left %+v", left)
	}
}
