package doubt_test

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nl2sql/evaluation/record"
	"nl2sql/loop"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/profile"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

var (
	runs      = flag.String("runs", "", "runs of nl2sql eval, comma-separated, whose answers are doubted again")
	golds     = flag.String("golds", "", "items, whose gold queries are taken for right answers")
	databases = flag.String("databases", "", "folder of their databases")
	show      = flag.String("show", "", "print what is told for this doubt; none prints wrong answers without any")
)

// answer is a query for a question, and whether it is right.
type answer struct {
	loop.Answer
	database, gold string
	right          bool
	features       loop.Features // as recorded; nil if there are none
}

// TestMeasure prints how often each doubt stands beside wrong and beside right answers, as the table is now:
//
//	go test -v ./sqlcheck/doubt -run Measure -runs RUN -databases DIR
func TestMeasure(t *testing.T) {
	if *runs == "" && *golds == "" {
		t.Skip("needs -runs or -golds, and -databases")
	}
	t.Setenv("NL2SQL_CACHE", t.TempDir()) // of profiles
	all := answers(t)
	count, of := map[string]*[2]int{}, [2]int{}
	var db *embedded.DB
	var s *schema.Schema
	for i, a := range all {
		if i == 0 || a.database != all[i-1].database {
			var err error
			if db, err = embedded.OpenFolder(t.Context(), *databases, a.database, runner.Limits{}); err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if s, err = db.Schema(t.Context()); err != nil {
				t.Fatal(err)
			}
			s = must.Get(profile.Full(t.Context(), db, s, time.Minute, nil))(t).On(s)
		}
		q, v, err := sqlcheck.Check(a.SQL, s)
		if err != nil {
			t.Fatal(err)
		}
		res, err := db.Query(t.Context(), q)
		if !v.OK || err != nil { // a gold query that does not run is no answer
			continue
		}
		a.Result = &res
		k := 0
		if a.right {
			k = 1
		}
		of[k]++
		if a.features != nil { // the confidence as it is now, too
			a.features["doubts"] = float64(min(len(doubt.Of(loop.CaseOf(a.Answer, question.Read(a.Answer.Question, s),
				nil))), loop.MostDoubts))
			a.Confidence = loop.BuiltIn().Of(a.features)
		}
		doubts, rules := doubt.Of(loop.CaseOf(a.Answer, question.Read(a.Answer.Question, s), nil)), false
		names := map[string]bool{"any": len(doubts) > 0}
		for _, d := range doubts {
			names[string(d.Name)] = true
			rules = rules || d.Name != "low_confidence"
			if *show == string(d.Name) {
				t.Logf("right %v\n%s\n%s\n%s\n%s", a.right, a.Question, a.SQL, a.gold, d.Text)
			}
		}
		if *show == "none" && len(doubts) == 0 && !a.right {
			t.Logf("%s\n%s\n%s", a.Question, a.SQL, a.gold)
		}
		names["any but low_confidence"] = rules
		for name, there := range names {
			if count[name] == nil {
				count[name] = new([2]int)
			}
			if there {
				count[name][k]++
			}
		}
	}
	t.Log(table(count, of))
}

// answers are those of the runs and the golds, by database.
func answers(t *testing.T) (all []answer) {
	if *runs != "" {
		read := must.Get(record.ReadRuns(strings.Split(*runs, ",")))(t)
		for _, run := range read {
			for _, r := range run.Records {
				if r.SQL != "" && r.How != "" {
					a := answer{loop.Answer{Question: r.Question, SQL: r.SQL, How: r.How}, r.Database, r.Gold,
						r.Gold != "" && (r.Scores["reader"].EX || r.Scores["strict"].EX), nil}
					for _, e := range r.Trace {
						if e.Kind == loop.KindConfidence {
							a.features = e.Features
						}
					}
					all = append(all, a)
				}
			}
		}
	}
	if *golds != "" {
		items := must.Get(item.Load(*golds))(t)
		for _, it := range items {
			all = append(all, answer{loop.Answer{Question: it.Question, SQL: it.SQL, How: loop.ByFinish}, it.Database,
				it.SQL, true, nil})
		}
	}
	slices.SortStableFunc(all, func(a, b answer) int { return cmp.Compare(a.database, b.database) })
	return all
}

func table(count map[string]*[2]int, of [2]int) string {
	var lines []string
	for name, n := range count {
		share := func(k int) float64 { return float64(n[k]) / float64(max(1, of[k])) }
		lines = append(lines, fmt.Sprintf("%-24s beside wrong %4d (%.3f)  right %4d (%.3f)", name, n[0],
			share(0), n[1], share(1)))
	}
	slices.Sort(lines)
	return fmt.Sprintf("%d wrong, %d right\n%s", of[0], of[1], strings.Join(lines, "\n"))
}
