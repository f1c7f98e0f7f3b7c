package answer

import (
	"testing"

	"nl2sql/scripts/golds"
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
	} {
		if got := last.With(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}
