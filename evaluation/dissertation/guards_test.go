package dissertation

import (
	"testing"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/report"
	"nl2sql/evaluation/rescore"
	"nl2sql/evaluation/score"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/guard"
)

// TestGuardsOnRecordedRuns measures what the guards are worth: execution accuracy of the recorded answers on the
// database that they were scored on, without guards, with the original's and with ours, and what each of ours saves
// and harms.
func TestGuardsOnRecordedRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("runs thousands of queries")
	}
	s := authorScorer(t)
	runs := must.Get(record.ReadRuns([]string{golds.Path(t, "dissertation/runs")}))(t)
	reguard := func(spec string) (*rescore.Reguard, [][]rescore.Reguarded) {
		guards := must.Get(guard.ParseSet(spec))(t)
		p := &rescore.Reguard{Scorer: s, Profile: "dissertation", Guards: guards}
		all := must.Get(p.Run(t.Context(), runs, nil))(t)
		return p, all
	}
	_, seed := reguard("seed")
	p, ours := reguard("default")
	type tally struct{ n, before, seed, ours int }
	sum := map[string]*tally{}
	for i, run := range runs {
		c := sum[report.ConditionName(run)]
		if c == nil {
			c = &tally{}
			sum[report.ConditionName(run)] = c
		}
		for j, r := range ours[i] {
			c.n++
			for _, count := range []struct {
				s  score.Scored
				to *int
			}{{r.Before, &c.before}, {seed[i][j].After, &c.seed}, {r.After, &c.ours}} {
				if p.Right(count.s) {
					*count.to++
				}
			}
			must.Be(t, !p.Right(r.Before) || p.Right(r.After),
				run.Name, "broken", r.Record.Question, r.Record.Raw, r.SQL)
		}
	}
	// Floors of execution accuracy with our guards, by condition.
	floors := map[string]float64{"llama_base_k0": .65, "llama_base_k3": .79, "llama_qlora_k0": .6,
		"llama_qlora_k3": .63, "llama_react_k3": .83}
	for name, floor := range floors {
		c := sum[name]
		if c == nil {
			t.Errorf("no runs of %s", name)
			continue
		}
		share := func(hits int) float64 { return float64(hits) / float64(c.n) }
		t.Logf("%-16s %5d answers: EX %.3f without guards, %.3f seed, %.3f ours", name, c.n, share(c.before),
			share(c.seed), share(c.ours))
		must.Be(t, c.ours >= c.before, name, "is lower with the guards than without")
		if share(c.ours) < floor {
			t.Errorf("%s: %.3f, want at least %.3f", name, share(c.ours), floor)
		}
	}
	rules := must.Get(p.Rules(t.Context(), runs, ours))(t)
	for _, r := range rules {
		t.Logf("%-12s changes %d, saves %d, harms %d", r.Guard, r.Texts, r.Saved, r.Harmed)
		must.Be(t, r.Harmed <= r.Saved, r.Guard, "harms more than it saves")
	}
}
