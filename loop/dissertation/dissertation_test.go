package dissertation

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/internal/stories"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// listener keeps the messages of the last call; it is the model that it wraps.
type listener struct {
	llm.Generator
	msgs []llm.Message
}

func (l *listener) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	l.msgs = append([]llm.Message{}, msgs...)
	return l.Generator.Generate(ctx, msgs, p)
}

// TestGoldenChats holds the messages of the last model call and the answer of Baseline and React, a story a file.
// Sections: agent, guards, question, shots (question = query, a line each), model (replies split by ===), chat.
func TestGoldenChats(t *testing.T) {
	db, schema := stories.Demo(t)
	stories.Tell(t, "chat", "chat", map[string]string{"guards": "none"},
		func(t *testing.T, in map[string]string) string {
			guards := must.Get(guard.ParseSet(in["guards"]))(t)
			var shots []loop.Exemplar
			for line := range strings.Lines(in["shots"]) {
				q, sql, _ := strings.Cut(strings.TrimSpace(line), " = ")
				checked, v, err := sqlcheck.Check(sql, schema)
				must.Have(t, err == nil && v.OK, sql, v, err)
				res := must.Get(db.Query(t.Context(), checked))(t)
				shots = append(shots, loop.Exemplar{Question: q, SQL: sql, Result: &res})
			}
			model := &listener{Generator: llm.NewReplay(in["model"])}
			var agent interface {
				Run(context.Context, string) (loop.Answer, error)
			} = &Baseline{Model: model, Schema: schema, Guards: guards, Shots: shots}
			if in["agent"] == "react" {
				agent = &React{Model: model, DB: db, Schema: schema, Guards: guards, Shots: shots}
			}
			ans := must.Get(agent.Run(t.Context(), in["question"]))(t)
			var got strings.Builder
			for _, m := range model.msgs {
				fmt.Fprintf(&got, "[%s]\n%s\n", m.Role, m.Content)
			}
			rows := "no result"
			if ans.Result != nil {
				rows = ans.Result.RowCount()
			}
			fmt.Fprintf(&got, "answer: %s %s (%s)\n", ans.How, ans.SQL, rows)
			return got.String()
		})
}

func TestParseTurn(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		action     tools.Name
		sql        string
	}{
		{"brackets", "Thought: t\nAction: query[SELECT 1]", loop.Query, "SELECT 1;"},
		{"last line wins", "Action: query[SELECT 1]\nObservation: x\nAction: finish[SELECT 2;]",
			tools.Finish, "SELECT 2;"},
		{"no brackets", "Action: query SELECT 1", loop.Query, "SELECT 1;"},
		{"first to last bracket", "Action: query[SELECT '[a]' FROM t] done", loop.Query, "SELECT '[a]' FROM t;"},
		{"no closing bracket", "action: QUERY[SELECT 1 FROM t", loop.Query, "SELECT 1 FROM t;"},
		{"one line only", "Action: query[SELECT a\nFROM t]", loop.Query, "SELECT a;"},
		{"no action", "The answer is:\nselect a\nfrom t; and more", loop.Query, "select a\nfrom t;"},
		{"another action", "Action: run_sql[SELECT 1 FROM t]", loop.Query, "SELECT 1 FROM t];"},
		{"nothing", "I do not know.", loop.Query, ""},
		{"empty", "", loop.Query, ""},
		{"finish alone", "Action: finish", tools.Finish, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			action, sql := ParseTurn(tt.text)
			must.Be(t, action == tt.action && sql == tt.sql, action, sql, tt.action, tt.sql)
		})
	}
}

// What no query brings to an end is an answer without rows: a candidate, or none at all.
func TestReactGivesUp(t *testing.T) {
	schema := must.Get(schema.ParseDDL("d", "CREATE TABLE t (a INT)"))(t)
	for name, tt := range map[string]struct{ model, sql string }{
		"never a query":  {strings.Repeat("I cannot.\n===\n", 7), ""},
		"never valid":    {strings.Repeat("Action: query[SELECT b FROM t]\n===\n", 7), "SELECT b FROM t;"},
		"stops unproven": {"Action: query[SELECT * FROM t]\n===\nAction: finish[SELECT a FROM t]", "SELECT * FROM t;"},
	} {
		t.Run(name, func(t *testing.T) {
			r := React{Model: llm.NewReplay(strings.TrimSuffix(tt.model, "\n===\n")), Schema: schema}
			ans, err := r.Run(t.Context(), "q")
			if err != nil || ans.SQL != tt.sql || ans.Result != nil || ans.How != "" {
				t.Errorf("%q by %q, %v", ans.SQL, ans.How, err)
			}
		})
	}
	r := React{Model: llm.NewReplay(""), Schema: schema}
	if ans, err := r.Run(t.Context(), "q"); err == nil || len(ans.Trace) == 0 {
		t.Errorf("a model that fails: %v, %v", ans, err)
	}
}
