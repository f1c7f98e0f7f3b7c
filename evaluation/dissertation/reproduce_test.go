package dissertation

import (
	"slices"
	"testing"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/report"
	"nl2sql/evaluation/score"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
)

// From the flags of all 54 runs the published table and tests come out; a flag that is flipped is seen.
func TestReproduce(t *testing.T) {
	flags := must.Get(record.ReadFlags(golds.Path(t, "dissertation/per_item_flags.csv"),
		golds.Path(t, "dissertation/manifest.csv")))(t)
	figures := func() (compared int, unlike []string) {
		conditions := must.Get(report.Conditions(flags))(t)
		for _, f := range Reproduce(conditions, "dissertation") {
			if _, both := f.Difference(); both {
				compared++
			}
			if !f.Same() {
				unlike = append(unlike, f.Of+" "+f.Measure)
			}
		}
		return compared, unlike
	}
	// means of VA, EX and EM of 10 conditions, TS of 6, deviations of three measures of 6, U and p of 6 tests
	if compared, unlike := figures(); compared != 30+6+18+12 || unlike != nil {
		t.Errorf("%d figures compared, unlike: %v", compared, unlike)
	}
	whole := CompareFlags(flags, flags, "dissertation")
	for _, a := range whole {
		if a.Unlike != nil || a.NoFlags != nil || a.Same["EX"] != a.Items {
			t.Errorf("%+v", a)
		}
	}
	other := slices.Clone(flags)
	other[0].Records = slices.Clone(other[0].Records)
	r := &other[0].Records[3]
	flipped := r.Scores["dissertation"]
	flipped.EX = !flipped.EX
	r.Scores = map[string]score.Score{"dissertation": flipped}
	if a := CompareFlags(other, flags, "dissertation")[0]; len(a.Unlike) != 1 || a.Same["EX"] != a.Items-1 {
		t.Errorf("a flipped flag: %+v", a)
	}
	flags = other
	if _, unlike := figures(); !slices.Contains(unlike, "llama_base_k0 EX") {
		t.Errorf("a flipped flag leaves the table as it was: %v", unlike)
	}
}
