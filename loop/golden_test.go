package loop

import (
	"strconv"
	"testing"

	"nl2sql/llm"
	"nl2sql/loop/internal/stories"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/guard"
	"nl2sql/tools"
)

// demoAgent is an agent of the demo database that wants a model.
func demoAgent(t *testing.T, guards string) Agent {
	t.Helper()
	db, s := stories.Demo(t)
	set := must.Get(guard.ParseSet(guards))(t)
	prompts := must.Get(tools.NewPrompts("default", nil))(t)
	return Agent{DB: db, Schema: s, Prompts: prompts, Guards: set}
}

// TestGoldenTraces tells one story a file: a question, what the model replies, and the decision log that the real
// tools, guardrails and demo database leave. Sections: question, model (replies split by ===), plan ("model" where it
// is missing), steps (8 where it is missing), votes (1 where it is missing), likely (as [stories.NewReads] takes it),
// trace.
func TestGoldenTraces(t *testing.T) {
	demo := demoAgent(t, "default")
	defaults := map[string]string{"plan": "model", "steps": "8", "votes": "1"}
	stories.Tell(t, "trace", "trace", defaults, func(t *testing.T, in map[string]string) string {
		agent := demo
		agent.Model, agent.Plan = llm.NewReplay(in["model"]), Plan(in["plan"])
		if in["likely"] != "" {
			agent.Model = stories.NewReads(t, agent.Model, in["likely"])
		}
		var err error
		if agent.MaxSteps, err = strconv.Atoi(in["steps"]); err != nil {
			t.Fatal(err)
		}
		if agent.Votes, err = strconv.Atoi(in["votes"]); err != nil {
			t.Fatal(err)
		}
		ans, err := agent.Run(t.Context(), in["question"])
		must.Do(t, err, ans.Trace.DecisionLog())
		return ans.Trace.DecisionLog() + "answer: " + ans.How + " " + ans.SQL + "\n" +
			ans.Trace.Compliance().String() + "\n"
	})
}
