package score

import (
	"strings"
	"testing"

	"nl2sql/assets"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/question"
)

// The default guards leave every gold query of our own items as right as it was, accepted ones too.
func TestGuardsLeaveOwnGolds(t *testing.T) {
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: 10000}))(t)
	defer db.Close()
	x := must.Get(NewExecutor(t.Context(), db))(t)
	guards := must.Get(guard.ParseSet("default"))(t)
	golds := 0
	for name, text := range map[string]string{"benchmark": assets.Benchmark, "train": assets.Train} {
		items := must.Get(item.Read(strings.NewReader(text)))(t)
		for _, it := range items {
			for _, gold := range append([]string{it.SQL}, it.Accept...) {
				golds++
				in := guard.Input{Question: question.Read(it.Question, x.Schema), Schema: x.Schema}
				sql, changes, v := guards.Apply(gold, in)
				if !v.OK {
					t.Errorf("%s %s: %s is rejected: %s", name, it.ID, gold, v)
					continue
				}
				c := must.Get(NewCase(t.Context(), x, it, sql))(t)
				if s := scoreStrict(c); !s.EX {
					t.Errorf("%s %s: %s\nwas  %s\nis   %s\n%s %s %v", name, it.ID, it.Question, gold, sql, s.Class,
						s.Detail, changes)
				}
			}
		}
	}
	t.Logf("%d gold queries", golds)
}
