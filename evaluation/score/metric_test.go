package score

import (
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// scoresOf makes a score of a letter: "." does not run, "x" runs and is wrong, "e" is wrong on a replica only, "o" is
// right; "O" is right and was never run on replicas.
func scoresOf(marks string) []Score {
	var out []Score
	for _, mark := range marks {
		s := Score{VA: mark != '.', EX: strings.ContainsRune("eoO", mark)}
		if same := mark == 'o'; strings.ContainsRune("xeo", mark) {
			s.TS = &same
		}
		out = append(out, s)
	}
	return out
}

func TestRates(t *testing.T) {
	for _, tt := range []struct {
		items string
		want  []Rate // VA, EM, EX, TS, TS/all
	}{
		{"oooo", []Rate{{4, 4}, {0, 4}, {4, 4}, {4, 4}, {4, 4}}},
		{".xeo", []Rate{{3, 4}, {0, 4}, {2, 4}, {1, 3}, {1, 4}}},
		{"..OO", []Rate{{2, 4}, {0, 4}, {2, 4}, {0, 0}, {0, 0}}},
		{"....", []Rate{{0, 4}, {0, 4}, {0, 4}, {0, 0}, {0, 0}}},
	} {
		var got []Rate
		for _, m := range Metrics {
			got = append(got, m.Rate(scoresOf(tt.items)))
		}
		must.Same(t, got, tt.want, tt.items)
	}
}
