package loop

import (
	"context"
	"errors"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/runner"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// untouched is a database that nobody may ask.
type untouched struct{ t *testing.T }

func (d untouched) Query(_ context.Context, q sqlcheck.Query) (runner.Result, error) {
	d.t.Errorf("it ran: %s", q.SQL())
	return runner.Result{}, errors.New("not to be asked")
}

// listening is a model that keeps its prompts.
type listening struct {
	*llm.Replay
	heard *[][]llm.Message
}

func (l listening) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	*l.heard = append(*l.heard, msgs)
	return l.Replay.Generate(ctx, msgs, p)
}

// A dry run checks and repairs as any other, asks the database nothing, and never finishes. OnEvent is told each prompt
// before the model reads it, and the trace does not hold them.
func TestDryRunAndPrompts(t *testing.T) {
	s := must.Get(schema.ParseDDL("shop", "CREATE TABLE goods (id INT PRIMARY KEY, name VARCHAR(20), price INT)"))(t)
	guards := must.Get(guard.ParseSet("default"))(t)
	prompts := must.Get(tools.NewPrompts("default", nil))(t)
	const right = "SELECT COUNT(*) FROM goods"
	for _, tt := range []struct {
		name, replies, sql, how string
		plan                    Plan
		prompts                 int
	}{
		{"at once", right, right, ByDryRun, PlanFixed, 1},
		{"after a repair", "SELECT COUNT(*) FROM stock\n===\n" + right, right, ByDryRun, PlanFixed, 2},
		{"not at all", "I cannot.", "", "", PlanFixed, 1},
		{"the model chooses", "Action: extract_constraints[{}]\n===\nAction: generate_sql[{}]\n===\n" + right +
			"\n===\nAction: validate_sql[{}]\n===\nAction: validate_constraints[{}]\n===\nAction: run_sql[{}]", right,
			ByDryRun, PlanModel, 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var heard, told [][]llm.Message
			var written []string
			agent := Agent{
				Model: listening{llm.NewReplay(tt.replies), &heard}, DB: untouched{t}, Schema: s, Prompts: prompts,
				Guards: guards, Plan: tt.plan, DryRun: true,
				OnEvent: func(e Event) {
					switch e.Kind {
					case KindPrompt:
						told = append(told, e.Prompt)
					case KindWriting:
						written = append(written, e.Text)
					}
				},
			}
			ans := must.Get(agent.Run(t.Context(), "How many goods are there?"))(t)
			if ans.SQL != tt.sql || ans.How != tt.how || ans.Result != nil || ans.Confidence != 0 {
				t.Errorf("SQL %q, how %q, result %v, confidence %v; want %q, %q\n%s", ans.SQL, ans.How, ans.Result,
					ans.Confidence, tt.sql, tt.how, ans.Trace.DecisionLog())
			}
			for _, e := range ans.Trace {
				ran := e.Kind == KindTool && (e.Tool == tools.RunSQL || e.Tool == tools.Finish)
				must.Be(t, e.Kind != KindPrompt && e.Kind != KindWriting && !ran, "the trace has", e.Kind, e.Tool)
			}
			must.Equal(t, len(heard), tt.prompts, "the model read")
			must.Equal(t, strings.Join(written, "\n===\n"), tt.replies, "told as written")
			must.Same(t, told, heard, "prompts that it read, and those told")
		})
	}
}

// The candidates of a vote read one prompt, and it is told once.
func TestPromptOfVote(t *testing.T) {
	s := must.Get(schema.ParseDDL("shop", "CREATE TABLE goods (id INT PRIMARY KEY)"))(t)
	prompts := must.Get(tools.NewPrompts("default", nil))(t)
	told := 0
	agent := Agent{
		Model: llm.NewReplay("SELECT COUNT(*) FROM goods\n===\nSELECT COUNT(id) FROM goods\n===\nSELECT 1 FROM goods"),
		DB:    counting{}, Schema: s, Prompts: prompts, Votes: 3,
		OnEvent: func(e Event) {
			if e.Kind == KindPrompt {
				told++
			}
		},
	}
	if ans, err := agent.Run(t.Context(), "How many goods are there?"); err != nil || ans.How != ByFinish || told != 1 {
		t.Errorf("how %q, %v; the prompt was told %d times, want 1", ans.How, err, told)
	}
}

type counting struct{}

func (counting) Query(context.Context, sqlcheck.Query) (runner.Result, error) {
	return runner.Result{Columns: []string{"n"}, Rows: [][]any{{int64(3)}}}, nil
}
