package candidates

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/internal/stories"
	"nl2sql/runner"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/question"
	"nl2sql/tools"
)

// demoAgent is an agent of the demo database that wants a model.
func demoAgent(t *testing.T, guards string) loop.Agent {
	t.Helper()
	db, s := stories.Demo(t)
	set := must.Get(guard.ParseSet(guards))(t)
	prompts := must.Get(tools.NewPrompts("default", nil))(t)
	return loop.Agent{DB: db, Schema: s, Prompts: prompts, Guards: set}
}

// TestGoldenCandidates tells one story a file, as TestGoldenTraces does. Sections: question, options, model, trace.
func TestGoldenCandidates(t *testing.T) {
	agent := demoAgent(t, "default")
	stories.Tell(t, "trace", "trace", map[string]string{}, func(t *testing.T, in map[string]string) string {
		options := must.Get(Parse(in["options"]))(t)
		k := Agent{Agent: agent, Options: options}
		k.Model = llm.NewReplay(in["model"])
		ans, err := k.Run(t.Context(), in["question"])
		must.Do(t, err, ans.Trace.DecisionLog())
		got := ans.Trace.DecisionLog() + "answer: " + ans.How + " " + ans.SQL + "\n"
		for _, d := range ans.Doubts {
			got += "doubt: " + d.Text + "\n"
		}
		return got + ans.Trace.Compliance().String() + "\n"
	})
}

// sampler is a scripted model that minds how it is asked: the greedy text is the first, others follow from the
// settings, none is longer than allowed, and a prompt that shows a failed query gets a mended one.
type sampler struct{ texts, mended []string }

func (m sampler) Generate(_ context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	texts, at := m.texts, 0
	if len(m.mended) > 0 && strings.Contains(msgs[len(msgs)-1].Content, "corrected") {
		texts = m.mended
	}
	if p.Temperature > 0 {
		at = (1 + int(p.Seed) + int(math.Round(float64(10*p.Temperature))) +
			int(math.Round(float64(10*p.TopP)))) % len(texts)
	}
	words := strings.Fields(texts[at])
	return llm.Completion{Text: strings.Join(words[:min(len(words), p.MaxTokens)], " "), StopReason: llm.StopEnd}, nil
}

// recorded is a database that keeps what it was asked.
type recorded struct {
	tools.Querier
	asked []string
}

func (w *recorded) Query(ctx context.Context, q sqlcheck.Query) (runner.Result, error) {
	w.asked = append(w.asked, q.SQL())
	return w.Querier.Query(ctx, q)
}

// Whatever the model writes and whatever the options are: what is answered has passed every check and run, nothing runs
// that did not pass, and of a round's candidates the one with the highest score is taken.
func TestCandidatesAnswerOnlyWhatRan(t *testing.T) {
	texts := []string{
		"SELECT customerName FROM customers", "SELECT city FROM offices;", "SELECT * FROM customers",
		"SELECT COUNT(*) FROM customers WHERE country = 'France'",
		"SELECT COUNT(*) FROM customers WHERE country = 'Atlantis'", "DELETE FROM customers",
		"SELECT SLEEP(9) FROM customers", "SELECT x FROM customers", "SELECT city FROM nowhere",
		"", "I cannot say.", "SELECT", "```sql\nSELECT city FROM customers WHERE country = 'France'\n```",
		"SELECT city FROM customers; DROP TABLE customers",
		"SELECT country, COUNT(*) FROM customers GROUP BY country", "SELECT customerName FROM customers LIMIT 3",
		"SELECT LOAD_FILE('/etc/passwd') FROM customers", "SELECT city FROM customers FOR UPDATE",
	}
	questions := []string{"How many customers are in France?", "List the cities of our customers in France.",
		"Show the top 3 customers by credit limit.", "Total amount of payments per customer"}
	random := rand.New(rand.NewPCG(17, 1))
	agent := demoAgent(t, "default")
	answered := 0
	for i := range 200 {
		replies := make([]string, 1+random.IntN(6))
		for j := range replies {
			replies[j] = texts[random.IntN(len(texts))]
		}
		options := fmt.Sprintf("num_cands=%d,max_exec_cands=%d,max_steps=%d,enforce_intent_constraints=%v,"+
			"reflection_num_cands=%d,seed=%d,column_penalty=%d",
			1+random.IntN(6), 1+random.IntN(4), 1+random.IntN(3), random.IntN(2) == 0, 1+random.IntN(3), random.IntN(9),
			random.IntN(3))
		if random.IntN(2) == 0 {
			options += fmt.Sprintf(",accept_score=%d", random.IntN(8)-2)
		}
		o := must.Get(Parse(options))(t)
		db := &recorded{Querier: agent.DB}
		k := Agent{Agent: agent, Options: o}
		k.Model, k.DB = sampler{texts: replies}, db
		ans := must.Get(k.Run(t.Context(), questions[i%len(questions)]))(t)
		fail := func(why string) { t.Fatalf("%s: %s %q\n%s", why, options, replies, ans.Trace.DecisionLog()) }
		for j, sql := range db.asked {
			if slices.Contains(db.asked[:j], sql) {
				fail(sql + " ran twice")
			}
			if _, v, err := sqlcheck.Check(sql, agent.Schema); err != nil || !v.OK {
				fail(sql + " ran: " + v.String())
			}
		}
		if s := ans.Trace.Compliance(); !s.OK {
			fail(s.String())
		}
		best := math.Inf(-1)
		for _, e := range ans.Trace {
			if e.Kind == loop.KindCandidate && e.OK {
				best = max(best, e.Score)
			}
			if e.Kind == loop.KindVote && e.OK && e.Score != best && o.MaxSteps == 1 {
				fail("a better candidate was passed over")
			}
		}
		if ans.Result == nil {
			continue
		}
		answered++
		q, v, err := sqlcheck.Check(ans.SQL, agent.Schema)
		if err != nil || !v.OK || !slices.Contains(db.asked, q.SQL()) {
			fail("the answer did not run: " + v.String())
		}
		if v := question.CheckConstraints(ans.SQL, question.Read(ans.Question, agent.Schema).Constraints()); !v.OK {
			fail("the answer is not what was asked: " + v.String())
		}
	}
	must.Be(t, answered >= 50, "only", answered, "answers")
}

// A model that goes away ends the run with what there was.
func TestCandidatesError(t *testing.T) {
	o := must.Get(Parse("num_cands=3"))(t)
	k := Agent{Agent: demoAgent(t, "default"), Options: o}
	k.Model = llm.NewReplay("SELECT city FROM offices\n===\nSELECT country FROM offices")
	ans, err := k.Run(t.Context(), "List the cities of our offices.")
	must.Be(t, err != nil && strings.HasPrefix(err.Error(), "step 0: replay: all 2 replies are used up"), "error", err)
	kinds := ""
	for _, e := range ans.Trace {
		kinds += " " + string(e.Kind)
	}
	must.Equal(t, kinds, " question options tool tool tool candidate candidate error", "trace")
}
