package grammar

import (
	_ "embed"
	"math/rand/v2"
	"sync"

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

//go:embed composed.grammar
var composed string

var composedRules = sync.OnceValue(func() Rules {
	rules, err := Parse(composed, "table", "known")
	if err != nil {
		panic(err) // a file of ours
	}
	return rules
})

// Composed is a SELECT at random: what a model may write at its worst. It parses; most of them MySQL refuses.
func Composed(random *rand.Rand, s *schema.Schema) string {
	table := func() schema.Table { return s.Tables[random.IntN(len(s.Tables))] }
	w := Writer{Rules: composedRules(), Rand: random, Slots: map[string]func() string{
		"table": func() string { return syntax.QuoteName(table().Name) },
		"known": func() string {
			columns := table().Columns
			return syntax.QuoteName(columns[random.IntN(len(columns))].Name)
		},
	}}
	return w.Text("query", 13)
}
