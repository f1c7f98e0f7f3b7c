package doubt_test

import (
	"cmp"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/report"
	"nl2sql/evaluation/score"
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
	out       = flag.String("out", "", "folder for the runs with today's features")
	tries     = flag.Bool("tries", false, "all other queries that the model wrote for the question are answers, too")
	show      = flag.String("show", "", "print what is told for this doubt; none prints wrong answers that nothing is told of")
)

// answer is a query for a question, and whether it is right.
type answer struct {
	loop.Answer
	database string
	right    bool
	record   *record.Record // of a run; nil of a gold query and of what was only tried
	tried    bool
	gold     string // that tells whether what was tried is right
}

// TestMeasure prints what each doubt, as the table is now, has beside wrong and beside right answers:
//
//	go test -v ./sqlcheck/doubt -run Measure -runs RUN -databases DIR
//
// With -tries, beside each answer stand the other queries that the model wrote for the question and that ran: more
// wrong ones, for doubts that are rare. With -out it writes the runs with today's features, for `nl2sql confidence`.
func TestMeasure(t *testing.T) {
	if *runs == "" && *golds == "" {
		t.Skip("needs -runs or -golds, and -databases")
	}
	t.Setenv("NL2SQL_CACHE", t.TempDir()) // of profiles
	count, of := map[string]*[2]int{}, [2]int{}
	var db *embedded.DB
	var s *schema.Schema
	var read []record.Run
	if *runs != "" {
		read = must.Get(record.ReadRuns(strings.Split(*runs, ",")))(t)
	}
	all := answers(t, read)
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
		a.Result, a.Query = &res, &q
		if a.tried {
			x := must.Get(score.NewExecutor(t.Context(), db))(t)
			c := must.Get(score.NewCase(t.Context(), x, item.Item{Database: a.database, SQL: a.gold}, a.SQL))(t)
			a.right = score.SameAnswer(c.Gold, res)
		}
		asked := question.Read(a.Question, s)
		doubts, missing := doubt.Of(loop.CaseOf(a.Answer, asked, nil))
		names := map[string]bool{"": true, "any": len(doubts) > 0}
		if a.record != nil {
			a.judge(asked, doubts, missing)
			a.Confidence = a.record.Confidence
			names["below the threshold"] = a.Confidence < doubt.Unlikely
		}
		names["told"] = len(doubt.Told(doubts, a.Confidence, "")) > 0
		for _, d := range doubts {
			names[string(d.Name)] = true
			if *show == string(d.Name) {
				t.Logf("right %v\n%s\n%s\n%s", a.right, a.Question, a.SQL, d.Text)
			}
		}
		if *show == "none" && !names["told"] && !a.right {
			t.Logf("%s\n%s", a.Question, a.SQL)
		}
		k := 0
		if a.right {
			k = 1
		}
		of[k]++
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
	if *out != "" {
		for _, run := range read {
			log := must.Get(record.OpenLog(filepath.Join(*out, run.Name), run.Card))(t)
			var ids []string
			for _, r := range run.Records {
				if err := log.Add(r); err != nil {
					t.Fatal(err)
				}
				ids = append(ids, r.ID)
			}
			if err := log.Finish(ids); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// judge writes features and confidence as they are now into the record of an answer.
func (a answer) judge(asked *question.Question, doubts []doubt.Doubt, missing int) {
	for i := range a.record.Trace {
		if e := &a.record.Trace[i]; e.Kind == loop.KindConfidence {
			was := e.Features
			e.Features = loop.FeaturesOf(a.Answer, asked, doubts, missing)
			for _, name := range []string{"unlinked", "first", "strange", "nothing"} { // of the question, as recorded
				e.Features[name] = was[name]
			}
			a.record.Confidence = loop.BuiltIn().Of(e.Features)
			a.record.Doubts = doubt.Told(doubts, a.record.Confidence, "")
		}
	}
}

// answers are those of the runs and the golds, by database. An answer is right as `strict` has it.
func answers(t *testing.T, read []record.Run) (all []answer) {
	for _, run := range read {
		for i := range run.Records {
			if r := &run.Records[i]; r.SQL != "" && r.How != "" {
				of := loop.Answer{Question: r.Question, SQL: r.SQL, How: r.How, Trace: r.Trace}
				all = append(all, answer{Answer: of, database: r.Database, record: r,
					right: r.Gold != "" && r.Scores["strict"].EX})
				seen := map[string]bool{r.SQL: true}
				for _, e := range r.Trace {
					if *tries && e.Kind == loop.KindCandidate && e.OK && r.Gold != "" && !seen[e.SQL] {
						seen[e.SQL] = true
						of := loop.Answer{Question: r.Question, SQL: e.SQL, How: loop.ByFinish}
						all = append(all, answer{Answer: of, database: r.Database, tried: true, gold: r.Gold})
					}
				}
			}
		}
	}
	if *golds != "" {
		for _, it := range must.Get(item.Load(*golds))(t) {
			all = append(all, answer{Answer: loop.Answer{Question: it.Question, SQL: it.SQL, How: loop.ByFinish},
				database: it.Database, right: true})
		}
	}
	slices.SortStableFunc(all, func(a, b answer) int { return cmp.Compare(a.database, b.database) })
	return all
}

// table has a line for each doubt: the share of the answers that have it, and how many of these are wrong.
func table(count map[string]*[2]int, of [2]int) string {
	var lines []string
	for name, n := range count {
		wrong := report.Wilson(n[0], n[0]+n[1])
		share := func(k int) float64 { return float64(n[k]) / float64(max(1, of[k])) }
		lines = append(lines, fmt.Sprintf("%-20s of all %.3f  wrong %3d (%.3f of wrong)  right %3d (%.3f of right)  precision "+
			"%.2f (%.2f–%.2f)", name, float64(n[0]+n[1])/float64(max(1, of[0]+of[1])), n[0], share(0), n[1], share(1),
			float64(n[0])/float64(max(1, n[0]+n[1])), wrong.Low, wrong.High))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
