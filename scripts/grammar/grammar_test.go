package grammar

import (
	"math/rand/v2"
	"testing"

	"nl2sql/scripts/must"
)

// Every part of a text is written, and levels run out.
func TestText(t *testing.T) {
	table := map[string]func() string{"table": func() string { return "t" }}
	rules := "# of sums\nsum\n\t(«sum»«+¦-»«sum»)\nsum.leaf\n\t3× 1\n\t«table»\n"
	w := Writer{must.Get(Parse(rules, "table"))(t), rand.New(rand.NewPCG(1, 1)), table}
	seen := map[string]bool{}
	for range 200 {
		seen[w.Text("sum", 1)] = true
	}
	must.Equal(t, len(seen), 8, seen)
	for text, why := range map[string]string{"a\n\t«b»": `there is no rule "b"`, "a\n\tx× 1": "no number of times"} {
		_, err := Parse(text)
		must.Says(t, err, why, text)
	}
}
