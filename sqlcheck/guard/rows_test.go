package guard_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/question"
)

// mutationSeed chooses how each gold query is broken.
const mutationSeed = 1

// TestGuardsOnMutatedRows breaks each gold query of databases that no rule was made for in one way that models do, and
// runs gold, broken and guarded query. Guards must not spoil a gold query, and must win more than they harm.
func TestGuardsOnMutatedRows(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 104 databases, which -short leaves out")
	}
	of := golds.ByDatabase(golds.Fit(t))
	var sets []guard.Set
	for _, name := range []string{"default"} {
		set := must.Get(guard.ParseSet(name))(t)
		sets = append(sets, set)
	}
	type tally struct{ same, fixed, unchanged, wrong, broken int }
	asTexts := 0 // golds that sort numbers as texts
	tallies := make([]tally, len(guard.Mutations()))
	rng := rand.New(rand.NewPCG(mutationSeed, 0))
	for i, name := range slices.Sorted(maps.Keys(of)) {
		if i%must.Long(3, 1) != 0 {
			continue
		}
		db, err := embedded.OpenFolder(t.Context(), golds.Path(t, golds.Spider), name, runner.Limits{Rows: 10000})
		must.Do(t, err)
		schema := must.Get(db.Schema(t.Context()))(t)
		rows := func(sql string) string { // "" if it does not run
			q, v, err := sqlcheck.Check(sql, schema)
			must.Do(t, err)
			if !v.OK {
				return ""
			}
			res, err := db.Query(t.Context(), q)
			if err != nil {
				return ""
			}
			lines := []string{fmt.Sprint(len(res.Columns), " columns")}
			for _, row := range res.Rows {
				lines = append(lines, fmt.Sprintf("%q", row))
			}
			slices.Sort(lines[1:])
			return strings.Join(lines, "\n")
		}
		for _, item := range of[name] {
			in := guard.Input{Question: question.Read(item.Question, schema), Schema: schema}
			want := rows(item.SQL)
			// A gold query without a row may get some: one has a literal with blanks that the data lacks.
			for _, set := range sets {
				kept, changes, _ := set.Apply(item.SQL, in)
				switch numerals := func(c guard.Change) bool { return c.Guard == "numerals" }; {
				case kept == item.SQL || !strings.Contains(want, "\n") || rows(kept) == want ||
					strings.Contains(item.SQL, guard.WrongTie):
				case slices.ContainsFunc(changes, numerals):
					asTexts++
				default:
					t.Errorf("%s: guards spoil a gold query:\n%s\n%s", name, item.SQL, kept)
				}
			}
			kind := rng.IntN(len(tallies))
			text, ok := "", false
			for range tallies {
				if text, ok = guard.Mutate(kind, item.SQL, schema); ok {
					break
				}
				kind = (kind + 1) % len(tallies)
			}
			if !ok {
				continue
			}
			mended, _, _ := guard.Menders(kind).Apply(text, in)
			before, after := rows(text) == want, rows(mended) == want
			c := &tallies[kind]
			switch {
			case before && after:
				c.same++
			case before:
				c.broken++
			case after:
				c.fixed++
			case mended == text:
				c.unchanged++
			default:
				c.wrong++
			}
		}
		must.Succeed(t, db.Close())
	}
	must.Equal(t, asTexts, must.Long(4, 10), "golds sort numbers as texts")
	for i, name := range guard.Mutations() {
		c := tallies[i]
		t.Logf("%s: fixed %d, unchanged %d, changed and still wrong %d, broken %d; the mutation changed no row of %d",
			name, c.fixed, c.unchanged, c.wrong, c.broken, c.same)
		if c.fixed <= 10*c.broken || c.fixed <= c.unchanged+c.wrong {
			t.Errorf("%s: %+v", name, c)
		}
	}
}
