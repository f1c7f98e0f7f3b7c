package retrieval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/internal/stories"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools/retrieve"
)

// clock is a time that goes on with each call of a model, and keeps which calls were to be sampled.
type clock struct {
	llm.Generator
	now     time.Time
	each    time.Duration
	sampled []string
}

func (c *clock) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	c.now = c.now.Add(c.each)
	if p.Temperature > 0 {
		c.sampled = append(c.sampled,
			fmt.Sprintf("sampled: temperature %g, seed %d, after %d messages\n", p.Temperature, p.Seed, len(msgs)))
	}
	return c.Generator.Generate(ctx, msgs, p)
}

// TestRetrieval tells one story a file: a question, what the model replies, and what it was told, the decision log, the
// answer and the metrics. Sections: question, model (replies split by ===), limits (the seed's where it is missing),
// seconds (that a reply takes), guards, trace.
func TestRetrieval(t *testing.T) {
	db, schema := stories.Demo(t)
	tables := &retrieve.Store{Folder: t.TempDir()}
	defaults := map[string]string{"guards": "none", "seconds": "0", "limits": "iterations 0, failures 0"}
	stories.Tell(t, "trace", "trace", defaults, func(t *testing.T, in map[string]string) string {
		model := &clock{Generator: llm.NewReplay(in["model"]), now: time.Unix(0, 0)}
		agent := Agent{Model: model, DB: db, Schema: schema, Tables: tables, Now: func() time.Time { return model.now }}
		var err error
		if agent.Guards, err = guard.ParseSet(in["guards"]); err != nil {
			t.Fatal(err)
		}
		if model.each, err = time.ParseDuration(in["seconds"] + "s"); err != nil {
			t.Fatal(err)
		}
		if n, err := fmt.Sscanf(in["limits"]+", failures 0", "iterations %d, failures %d", &agent.Limits.Iterations,
			&agent.Limits.Failures); n != 2 {
			t.Fatal(err)
		}
		ans, err := agent.Run(t.Context(), in["question"])
		must.Do(t, err, ans.Trace.DecisionLog())
		var b strings.Builder
		for _, e := range ans.Trace {
			if e.Kind == loop.KindTool {
				fmt.Fprintf(&b, "%s\n", strings.ReplaceAll(string(e.Tool)+e.Args+": "+e.Text, "\n", "\n  "))
			}
		}
		metrics := must.Get(json.Marshal(MetricsOf(ans.Trace)))(t)
		b.WriteString(strings.Join(model.sampled, ""))
		return fmt.Sprintf("%s\n%s\nanswer: %s %s\nconfidence: %g\n%s\n", b.String(), ans.Trace.DecisionLog(), ans.How,
			ans.SQL, ans.Confidence, metrics)
	})
}

// listener keeps the messages of the last call; it is the model that it wraps.
type listener struct {
	llm.Generator
	msgs []llm.Message
}

func (l *listener) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	l.msgs = msgs
	return l.Generator.Generate(ctx, msgs, p)
}

// slow is a model that answers when its caller has gone, one that is full, or one that fails.
type slow struct{ err error }

func (s slow) Generate(ctx context.Context, _ []llm.Message, _ llm.Params) (llm.Completion, error) {
	if s.err != nil {
		return llm.Completion{}, s.err
	}
	<-ctx.Done()
	return llm.Completion{}, ctx.Err()
}

func TestRetrievalModelFails(t *testing.T) {
	s := &schema.Schema{Tables: []schema.Table{{Name: "t", Columns: []schema.Column{{Name: "c"}}}}}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name string
		ctx  context.Context
		err  error
		want string // of the error
		how  string // of the last event
	}{
		{name: "the time is over", ctx: t.Context(), how: "no answer: timeout"},
		{name: "the caller is gone", ctx: gone, want: "context canceled"},
		{name: "no first prompt", ctx: t.Context(), err: llm.ErrContextFull, want: llm.ErrContextFull.Error()},
		{name: "the model is gone", ctx: t.Context(), err: errors.New("gone"), want: "gone"},
	} {
		agent := Agent{Model: slow{tt.err}, Schema: s, Tables: &retrieve.Store{},
			Limits: Limits{Timeout: time.Millisecond}}
		ans, err := agent.Run(tt.ctx, "what?")
		if got := fmt.Sprint(err); tt.want != "" && got != tt.want || tt.want == "" && err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		must.Equal(t, ans.Trace[len(ans.Trace)-1].Reason, tt.how, tt.name)
	}
}

// A schema of a thousand tables, fifty columns each: what is told of it fits a small window, and the right table is
// found.
func TestRetrievalOfThousandTables(t *testing.T) {
	s := &schema.Schema{}
	subjects := []string{"sensor", "invoice", "patient", "flight", "recipe", "vessel", "tenant", "parcel", "lesson",
		"quarry"}
	facts := []string{"summary", "history", "archive", "rating", "budget", "audit", "batch", "draft", "region", "owner"}
	for i := range 1000 {
		name := fmt.Sprintf("%s_%s_%s", subjects[i%10], facts[i/10%10], subjects[i/100])
		table := schema.Table{Name: name, PrimaryKey: []string{"id"},
			Columns: []schema.Column{{Name: "id", Type: "int"}}}
		for j := range 49 {
			table.Columns = append(table.Columns, schema.Column{Name: fmt.Sprintf("measure_%d_%s", j,
				facts[j%10]), Type: "int"})
		}
		if i > 0 {
			table.ForeignKeys = []schema.ForeignKey{{Columns: []string{"id"}, RefTable: s.Tables[i/2].Name,
				RefColumns: []string{"id"}}}
		}
		s.Tables = append(s.Tables, table)
	}
	replies := `Action: retrieve_tables(query="budget of each vessel and its quarry", top_k=10)
===
Action: retrieve_tables(query="vessel budget quarry")
===
Action: retrieve_tables(query="all of it", top_k=10)
===
Action: submit_answer(sql_query="SELECT id FROM vessel_budget_quarry", confidence=0.9)`
	model := &listener{Generator: llm.NewReplay(replies)}
	agent := Agent{Model: model, Schema: s, Tables: &retrieve.Store{Folder: t.TempDir()}, DryRun: true}
	ans := must.Get(agent.Run(t.Context(), "What is the budget of each vessel?"))(t)
	if e := ans.Trace[2]; len(e.Tables) != 10 || !slices.Contains(e.Tables, "vessel_budget_quarry") || e.Total != 1000 {
		t.Errorf("retrieved %v of %d", e.Tables, e.Total)
	}
	size := 0
	for _, m := range model.msgs {
		size += len(m.Content)
	}
	must.Be(t, ans.How == loop.ByDryRun && size <= 16<<10, ans.How, "and the last prompt has", size, "bytes")
}

func TestParseCall(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", `Action: retrieve_tables(query="a b", top_k=3)`, `retrieve_tables {"query":"a b","top_k":3}`},
		{"the first of two", "Action: validate_sql(sql_query='x')\nObservation: fine\nAction: " +
			"submit_answer(sql_query='x')", `validate_sql {"sql_query":"x"}`},
		{"over lines", "Thought: t\n**Action**: Validate_SQL(\n  sql_query=\"SELECT 1\n  FROM t\",\n  strict=True,\n)",
			`validate_sql {"sql_query":"SELECT 1\n  FROM t","strict":true}`},
		{"brackets in SQL", `Action: validate_sql(sql_query="SELECT COUNT(*) FROM t WHERE a IN (SELECT b FROM u)")`,
			`validate_sql {"sql_query":"SELECT COUNT(*) FROM t WHERE a IN (SELECT b FROM u)"}`},
		{"quotes in SQL", `Action: validate_sql(sql_query="SELECT a FROM t WHERE b IN ("x", "y")")`,
			`validate_sql {"sql_query":"SELECT a FROM t WHERE b IN (\"x\", \"y\")"}`},
		{"quotes and more", `Action: submit_answer(sql_query='SELECT a FROM t WHERE b = 'x'', confidence=0.5)`,
			`submit_answer {"confidence":0.5,"sql_query":"SELECT a FROM t WHERE b = 'x'"}`},
		{"escapes", `Action: validate_sql(sql_query='it\'s \\ \% \n')`, `validate_sql {"sql_query":"it's \\ \\% \n"}`},
		{"triple quotes", `Action: validate_sql(sql_query="""SELECT "a" FROM t""")`,
			`validate_sql {"sql_query":"SELECT \"a\" FROM t"}`},
		{"no last bracket", `Action: validate_sql(sql_query="x"`, `validate_sql {"sql_query":"x"}`},
		{"without names", `Action: retrieve_tables("a, b", 5, "keyword")`,
			`retrieve_tables {"query":"a, b","retrieval_type":"keyword","top_k":5}`},
		{"a list", `Action: submit_answer(sql_query="x", reasoning_steps=["a, b", 'c'], explanation=None)`,
			`submit_answer {"explanation":null,"reasoning_steps":["a, b","c"],"sql_query":"x"}`},
		{"a list with quotes", `Action: submit_answer(reasoning_steps=["the "a" table", "b"])`,
			`submit_answer {"reasoning_steps":["the \"a\" table","b"]}`},
		{"a bare word", `Action: retrieve_tables(query=orders, retrieval_type=keyword)`,
			`retrieve_tables {"query":"orders","retrieval_type":"keyword"}`},
		{"an object", `Action: retrieve_tables({"query": "a", "top_k": 2})`, `retrieve_tables {"query":"a","top_k":2}`},
		{"no arguments", `Action: submit_answer`, `submit_answer {}`},
		{"no action", `Thought: hm`, `there is no action: write one line like Action: retrieve_tables(query="…")`},
		{"no quote", `Action: retrieve_tables(query="a)`, `query: its text has no end: a quote is missing`},
		{"twice", `Action: retrieve_tables(query="a", query="b")`, `query is there twice`},
		{"too many", `Action: validate_sql("a", True, 5)`, `there are too many parameters`},
		{"no value", `Action: validate_sql(sql_query=)`, `sql_query: its value is missing, or a text without quotes`},
		{"SQL without quotes", `Action: validate_sql(SELECT 1 FROM t)`,
			`sql_query: a comma or a bracket must follow its value`},
		{"no comma", `Action: validate_sql(sql_query="a" strict=True)`,
			`sql_query: a comma or a bracket must follow its value`},
	} {
		call, err := ParseCall(tt.in)
		got := fmt.Sprintf("%s %s", call.Tool, call.Args)
		if err != nil {
			got = err.Error()
		}
		must.Same(t, got, tt.want, tt.name)
	}
}

// What is read of any text is a tool's name and an object; written in the plain form, it is read as the same.
func FuzzParseCall(f *testing.F) {
	for _, seed := range []string{`Action: retrieve_tables(query="a", top_k=3)`,
		`Action: submit_answer(reasoning_steps=["a", 'b'`, `Action: validate_sql({"a": [1]})`, `Action: x("""`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		call, err := ParseCall(text)
		if err != nil {
			return
		}
		var args map[string]any
		if err := json.Unmarshal(call.Args, &args); err != nil || call.Tool == "" {
			t.Fatalf("%q: %q %s: %v", text, call.Tool, call.Args, err)
		}
		var parts []string
		for name, v := range args {
			text, is := v.(string)
			if !is || !argumentName.MatchString(name+"=") || strings.ToLower(name) != name {
				return // the plain form has other values too
			}
			parts = append(parts, fmt.Sprintf(`%s="%s"`, name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)))
		}
		again, err := ParseCall(fmt.Sprintf("Action: %s(%s)", call.Tool, strings.Join(parts, ", ")))
		if diff := cmp.Diff(call, again); err != nil || diff != "" {
			t.Errorf("%q: %v %s", text, err, diff)
		}
	})
}
