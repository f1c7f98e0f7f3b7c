package suite

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/question"
)

var nth = flag.Int("nth", must.Long(25, 1), "gold queries are taken whose number this divides; 1 is all")

// TestGuardsOnNeighbours holds the guards of ask to what they may touch, on queries that are near to right ones and
// run as well. Of those that find something a rule of Refused may not change even the text, but for how names are
// spelled, and one of Empty not the rows. What rules of Reads and Meaning change is printed.
func TestGuardsOnNeighbours(t *testing.T) {
	guards := must.Get(guard.ParseSet("default"))(t)
	of := map[string][]item.Item{}
	for i, it := range golds.All(t) {
		if i%*nth == 0 && !golds.ForJudging(it.Database) {
			of[it.Database] = append(of[it.Database], it)
		}
	}
	queries, changed, rowsChanged := 0, map[string]int{}, map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		db, err := embedded.OpenFolder(t.Context(), golds.Path(t, golds.Spider), name, runner.Limits{Rows: 10_000})
		must.Do(t, err)
		s := must.Get(db.Schema(t.Context()))(t)
		rows := func(sql string) (lines []string, found bool) {
			q, v, err := sqlcheck.Check(sql, s)
			must.Do(t, err)
			if !v.OK {
				return nil, false
			}
			res, err := db.Query(t.Context(), q)
			if err != nil {
				return nil, false
			}
			for _, row := range res.Rows {
				lines = append(lines, fmt.Sprintf("%q", row))
				found = found || slices.ContainsFunc(row, func(cell any) bool {
					return cell != nil &&
						fmt.Sprint(cell) != "0"
				})
			}
			slices.Sort(lines)
			return lines, found
		}
		for _, it := range of[name] {
			q, v, err := sqlcheck.Check(it.SQL, s)
			must.Do(t, err)
			if !v.OK {
				continue
			}
			for _, sql := range neighboursOf(q, s) {
				queries++
				in := guard.Input{Question: question.Read(it.Question, s), Schema: s}
				if _, changes, _ := guards.Apply(sql, in); len(changes) == 0 { // then no rule alone changes it
					continue
				}
				before, found := rows(sql)
				for _, g := range guards {
					out, changes, _ := guard.Set{g}.Apply(sql, in)
					if len(changes) == 0 {
						continue
					}
					changed[g.Name]++
					must.Be(t, g.Touches != guard.Refused || g.Name == "casing",
						g.Name, "changes what Check accepts", sql, out)
					if after, _ := rows(out); found && !slices.Equal(before, after) {
						rowsChanged[g.Name]++
						if g.Touches == guard.Refused || g.Touches == guard.Empty {
							t.Errorf("%s may touch %s, and changes the rows of\n%s\n%s\n%s", g.Name,
								g.Touches, it.Question, sql, out)
						}
					}
				}
			}
		}
		must.Succeed(t, db.Close())
	}
	t.Logf("%d queries that run; texts changed: %v; rows changed: %v", queries, changed, rowsChanged)
}
