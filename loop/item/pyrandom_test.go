package item

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
)

// The table was written by Python 3.11; testdata/pyrandom.py says how.
func TestPyRandom(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/pyrandom.jsonl"))(t)
	draws := 0
	for line := range strings.Lines(string(data)) {
		var row struct {
			Seed  json.RawMessage
			Draws [][3]json.RawMessage
		}
		must.Do(t, json.Unmarshal([]byte(line), &row))
		var r pyRandom
		var text string
		if json.Unmarshal(row.Seed, &text) == nil {
			r = newPyRandomText(text)
		} else {
			r = newPyRandom(string(row.Seed))
		}
		for _, d := range row.Draws {
			var n, k int
			var want []int
			for i, to := range []any{&n, &k, &want} {
				must.Do(t, json.Unmarshal(d[i], to))
			}
			got := r.sample(n, k)
			if len(got) > 100 {
				sum := 0
				for i, x := range got {
					sum += i * x
				}
				got = append(append(append([]int{}, got[:5]...), got[len(got)-5:]...), sum)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("seed %s, sample(%d, %d): %s", row.Seed, n, k, diff)
			}
			draws++
		}
	}
	must.Be(t, draws >= 300, "only", draws, "draws")
}

// A seed that is no number is a text.
func TestSeedText(t *testing.T) {
	must.Same(t, newPyRandom("first").sample(1000, 9), newPyRandomText("first").sample(1000, 9))
	must.Be(t, !cmp.Equal(newPyRandomText("7").sample(1000, 9), newPyRandom("7").sample(1000, 9)),
		"the text 7 and the number 7 draw alike")
}
