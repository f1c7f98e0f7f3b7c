package answer

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/internal/stories"
	"nl2sql/runner"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// watched is a model and a database, and what was asked of them.
type watched struct {
	llm.Generator
	db      runner.DB
	schema  *schema.Schema
	log     strings.Builder // prompts and temperatures, a line each
	queries []string
}

func (w *watched) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	text, err := json.Marshal(msgs)
	if err != nil {
		return llm.Completion{}, err
	}
	fmt.Fprintf(&w.log, "temperature %.1f, prompt %s\n", p.Temperature, text)
	return w.Generator.Generate(ctx, msgs, p)
}

func (w *watched) Query(ctx context.Context, q sqlcheck.Query) (runner.Result, error) {
	w.queries = append(w.queries, q.SQL())
	return w.db.Query(ctx, q)
}

// scripted is a question with replies, divided by " | "; one that begins with ! is an action.
type scripted struct {
	agent, plan, prompts string // loop, fixed and default if absent
	question, replies    string
	steps, votes         int
	without              string // in any case
	likely               string // as [stories.NewReads] takes it; "" is a model that does not tell
}

// run answers the question, and returns what was asked and what came of it, in lines.
func (s scripted) run(t testing.TB, db runner.DB, dbSchema *schema.Schema, without string) string {
	t.Helper()
	if s.agent == "" {
		s.agent = "loop"
	}
	if s.prompts == "" {
		s.prompts = "default"
	}
	var replies []string
	for _, r := range strings.Split(s.replies, " | ") {
		if action, is := strings.CutPrefix(r, "!"); is {
			r = "Action: " + strings.TrimSuffix(action, "]") + "[{}]"
		}
		replies = append(replies, r)
	}
	notes := must.Get(tools.ParseNotes(strings.NewReader("turnover = SUM(payments.amount)")))(t)
	w := &watched{Generator: llm.NewReplay(strings.Join(replies, "\n===\n")), db: db, schema: dbSchema}
	var model llm.Generator = w
	if s.likely != "" {
		model = stories.NewReads(t, w, s.likely)
	}
	settings := Settings{
		Agent: s.agent, Plan: s.plan, Prompts: s.prompts, Guards: "clean", Votes: s.votes, MaxSteps: s.steps,
		Without: strings.Trim(s.without+","+without, ","),
	}
	if s.agent == "react" {
		settings.Guards = "none"
	}
	method := must.Get(settings.Method())(t)
	asker := must.Get(New(method, model, nil))(t)
	d := Database{DB: w, Schema: dbSchema, Notes: notes}
	ans, err := asker.Ask(t.Context(), d, Question{Text: s.question}, nil)
	if err != nil && !strings.Contains(err.Error(), "replies") {
		t.Fatalf("%v\n%s", err, ans.Trace.DecisionLog())
	}
	w.checked(t, ans.Answer, s.agent == "loop")
	text := w.log.String() + ans.Trace.DecisionLog() + "answer: " + ans.How + " " + ans.SQL + "\n"
	for _, d := range ans.Doubts {
		text += "doubt: " + string(d.Name) + "\n"
	}
	return text
}

// checked holds what any agent keeps true, whatever is switched off: what ran was checked and reads, and what was
// answered ran; where the agent keeps an order, in that order.
func (w *watched) checked(t interface {
	Helper()
	Fatalf(string, ...any)
}, ans loop.Answer, ordered bool) {
	t.Helper()
	for _, sql := range w.queries {
		if q, v, err := sqlcheck.Check(sql, w.schema); err != nil || !v.OK || q.SQL() != sql {
			t.Fatalf("%s ran, and is %s, %v", sql, v, err)
		}
	}
	if ans.Result != nil {
		q, _, err := sqlcheck.Check(ans.SQL, w.schema)
		if err != nil || !slices.Contains(w.queries, q.SQL()) {
			t.Fatalf("%q is an answer and did not run, %v", ans.SQL, err)
		}
	}
	for _, flag := range ans.Trace.Compliance().Errors {
		if ordered && (flag == "run_without_validate" || flag == "finish_without_run") {
			t.Fatalf("%s:\n%s", flag, ans.Trace.DecisionLog())
		}
	}
}

const (
	customers = "How many customers are there?"
	offices   = "How many offices are there?"
	counted   = "SELECT COUNT(*) FROM customers"
	unknown   = "SELECT COUNT(*) FROM clients"
	six       = unknown + " | " + unknown + " | " + unknown + " | " + unknown + " | " + unknown + " | " + unknown
	uncounted = "SELECT 1 FROM customers"
)

// TestSwitches has a line for every switch: a run that goes as on says with it and as off says without it.
func TestSwitches(t *testing.T) {
	tests := []struct {
		name string
		scripted
		on, off string // what stands in the one and not in the other; "" is anything
	}{
		{"forced_repair", scripted{plan: "model", question: customers,
			replies: "!extract_constraints | !generate_sql | " + unknown + " | !validate_sql | !run_sql | " + counted +
				" | " + counted, steps: 4}, `forced_repair — `, `run_gate — run_sql: validate_sql failed`},
		{"forced_regenerate",
			scripted{plan: "model", question: customers,
				replies: "!extract_constraints | !generate_sql | Sorry. | !validate_sql | " + counted, steps: 3},
			`forced_regenerate — `, `candidate_gate — `},
		{"forced_constraints",
			scripted{plan: "model", question: customers, replies: "!generate_sql | " + counted + " | " + counted,
				steps: 1}, `forced_constraints — `, `step 0. generate_sql`},
		{"candidate_gate", scripted{plan: "model", question: customers,
			replies: "!extract_constraints | !validate_sql | " + counted, steps: 2}, `candidate_gate — `,
			`validate_sql — empty_sql`},
		{"get_schema", scripted{question: customers, replies: counted}, `get_schema — `, ``},
		{"link_schema", scripted{prompts: "dissertation", question: offices, replies: "SELECT COUNT(*) FROM offices"},
			`link_schema — `, `prompt .*payments`},
		{"extract_constraints",
			scripted{question: customers, replies: uncounted + " | " + counted + " | " + counted + " | " + counted},
			`missing_agg`, ``},
		{"validate_constraints",
			scripted{question: customers, replies: uncounted + " | " + counted + " | " + counted + " | " + counted},
			`missing_agg`, `run_sql — .*\n.*\n.*aggregate_requires_fn`},
		{"repair_sql", scripted{question: customers, replies: six + " | " + counted}, `repair_sql — model repair`,
			`fallback — no answer`},
		{"get_table_samples",
			scripted{plan: "model", question: customers, replies: `Action: get_table_samples[{"table": "offices"}] | ` +
				counted, steps: 1, without: "extract_constraints"}, `get_table_samples — sample rows`,
			`Unknown action`},
		{"link_values", scripted{question: "How many customers are in France?", replies: counted},
			`prompt .*Hints: customers.country = 'France'`, ``},
		{"link_comments", scripted{question: "What is the largest surcharge?",
			replies: "SELECT MAX(buyPrice) FROM products"}, `prompt .*Hints:.*surcharge`, ``},
		{"link_synonyms", scripted{question: "How many clients are there?", replies: counted},
			`prompt .*Hints: clients: customers;`, ``},
		{"inferred_keys", scripted{question: "Which customers have made payments?", prompts: "typed",
			replies: "SELECT DISTINCT c.customerName FROM customers c JOIN payments p ON p.customerNumber = c.customerNumber",
		}, `prompt .*payments.customerNumber = customers.customerNumber`, ``},
		{"declines", scripted{question: "hello", replies: counted}, `refusal — `, `generate_sql — `},
		{"intent_check", scripted{question: customers, replies: uncounted + " | " + counted + " | " + counted + " | " +
			counted, without: "validate_constraints"}, `intent_check — aggregate_requires_fn`,
			`answer: finish SELECT 1`},
		{"repeat_check", scripted{question: customers, replies: six + " | " + unknown}, `repeats_failed_sql`,
			`step 5. validate_sql — unknown_table`},
		{"star_check", scripted{agent: "react", question: customers,
			replies: "Action: query[SELECT * FROM customers] | Action: finish[]"}, `select_star_forbidden`,
			`Success: 122 rows`},
		{"doubts", scripted{question: "How many customers are in Spain?",
			replies: "SELECT COUNT(*) FROM customers WHERE country = 'Atlantis'"}, `doubt: nothing_found`, ``},
		{"relink", scripted{question: customers, votes: 2, replies: counted + " | SELECT COUNT(*) FROM orders | " +
			counted + " | " + counted}, `linked — no majority`, `candidate 1 of 2`},
		{"reconstruct", scripted{question: customers, votes: 2, replies: counted + " | SELECT COUNT(*) FROM orders",
			without: "relink", likely: "-9 " + counted + "\n-2 SELECT COUNT(*) FROM orders"},
			`answer: finish SELECT COUNT.* FROM orders`, `answer: finish SELECT COUNT.* FROM customers`},
		{"redraw", scripted{question: customers, replies: unknown + " | " + counted + " | " + counted + " | " +
			counted}, `step 3. candidate — `, `step 3. repair_sql — `},
		{"quorum", scripted{question: customers, replies: unknown + " | " + counted +
			" | SELECT COUNT(*) FROM offices | SELECT COUNT(*) FROM orders | SELECT COUNT(*) FROM products | SELECT " +
			"COUNT(*) FROM payments | " + counted}, `too few candidates agree`, `candidate 1 of 5`},
		{"resample", scripted{plan: "model", question: customers,
			replies: "!extract_constraints | !generate_sql | Sorry. | !generate_sql | " + counted, steps: 3},
			`temperature 0.7`, ``},
		{"refinement", scripted{agent: "react", question: customers, replies: "Action: query[" + counted +
			"] | Action: query[" + counted + "]"}, `step 1. query — execute`, ``},
		{"last_run", scripted{question: customers, replies: counted, steps: 5}, `answer: last_run SELECT`,
			`fallback — no answer`},
		{"last_candidate", scripted{question: customers, replies: counted, steps: 3},
			`answer: (candidate|last_run) SELECT`, `fallback — no answer`},
		{"mismatch", scripted{question: customers, replies: strings.Repeat(uncounted+" | ", 6) + uncounted,
			without: "validate_constraints"}, `answer: intent_mismatch SELECT`, `fallback — no answer`},
		{"fallback", scripted{plan: "model", question: customers, replies: "!extract_constraints | " + counted,
			steps: 1}, `answer: fallback SELECT`, `fallback — no answer`},
	}
	db, s := stories.Demo(t)
	for i, table := range s.Tables {
		for j := range table.Columns {
			if table.Columns[j].Name == "buyPrice" {
				s.Tables[i].Columns[j].Comment = "surcharge"
			}
		}
	}
	tested := map[string]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tested[tt.name] = true
			s := s
			if tt.name == "inferred_keys" {
				s = undeclared(s, "payments")
			}
			with, without := tt.run(t, db, s, ""), tt.run(t, db, s, tt.name)
			matches := func(pattern, text string) bool { return regexp.MustCompile(pattern).MatchString(text) }
			if !matches(tt.on, with) || tt.off != "" && matches(tt.off, with) {
				t.Errorf("with it, %q or not %q:\n%s", tt.on, tt.off, with)
			}
			if matches(tt.on, without) || !matches(tt.off, without) ||
				!matches(`(?m)^.step -1. without — (.*, )?`+tt.name+`(, .*)? \(ok\)$`, without) {
				t.Errorf("without it, %q or not %q:\n%s", tt.on, tt.off, without)
			}
		})
	}
	for _, name := range loop.SwitchNames() {
		if !tested[name] && slices.ContainsFunc(loop.Switches(), func(s loop.Switch) bool {
			return s.Name == name && (slices.Contains(s.Of, "loop") || slices.Contains(s.Of, "react"))
		}) {
			t.Errorf("no line here is without %s", name)
		}
	}
}

// undeclared is a schema of which one table refers to nothing.
func undeclared(s *schema.Schema, table string) *schema.Schema {
	out := *s
	out.Tables = slices.Clone(s.Tables)
	t, _ := out.Table(table)
	t.ForeignKeys = nil
	return &out
}

// Any set of switches, any plan and any texts: what runs is checked and only reads, and what is answered ran.
func TestSwitchesKeepSafe(t *testing.T) {
	db, s := stories.Demo(t)
	texts := []string{
		counted, unknown, "SELECT 1 FROM customers", "SELECT * FROM offices", "DELETE FROM customers",
		"SELECT SLEEP(9) FROM offices", "SELECT 1; DROP TABLE offices", "Sorry.", "",
		"SELECT city FROM offices INTO OUTFILE '/x'",
		"SELECT customerName FROM customers WHERE country = (SELECT country FROM offices)",
		"WITH x AS (SELECT 1) DELETE FROM offices",
		"!extract_constraints", "!generate_sql", "!validate_sql", "!validate_constraints", "!run_sql", "!repair_sql",
		"!finish", "!get_schema", "!link_schema", `Action: get_table_samples[{"table": "x; DROP"}]`,
		"Action: query[" + counted + "]", "Action: query[DELETE FROM customers]",
		"Action: query[SELECT * FROM customers FOR UPDATE]", "Action: finish[DELETE FROM customers]",
	}
	rapid.Check(t, func(r *rapid.T) {
		agent := rapid.SampledFrom([]string{"loop", "loop", "loop", "react"}).Draw(r, "agent")
		plan := rapid.SampledFrom([]loop.Plan{loop.PlanFixed, loop.PlanModel}).Draw(r, "plan")
		var off []string
		for _, name := range loop.SwitchNames() {
			if _, _, err := loop.ParseWithout(name, agent, plan); err == nil && rapid.Bool().Draw(r, name) {
				off = append(off, name)
			}
		}
		scripted{
			agent: agent, plan: string(plan),
			prompts: rapid.SampledFrom([]string{"default", "typed", "dissertation"}).Draw(r, "prompts"),
			question: rapid.SampledFrom([]string{customers, "Which 3 products have the highest buy price?", "hello",
				"Delete all customers"}).Draw(r, "question"),
			replies: strings.Join(rapid.SliceOfN(rapid.SampledFrom(texts), 40, 40).Draw(r, "texts"), " | "),
		}.run(t, db, s, strings.Join(off, ","))
	})
}

// Where one question does not fit, the vote is that of a model that tells nothing.
func TestReconstructWithoutRoom(t *testing.T) {
	db, dbSchema := stories.Demo(t)
	other := "SELECT COUNT(*) FROM orders"
	s := scripted{question: customers, votes: 2, replies: counted + " | " + other, without: "relink", likely: "-9 " +
		counted + "\nNaN " + other}
	if got := s.run(t, db, dbSchema, ""); !strings.Contains(got, "answer: finish "+counted) {
		t.Error(got)
	}
	s.likely = "-9 " + counted + "\n-2 " + other
	if got := s.run(t, db, dbSchema, ""); !strings.Contains(got, "answer: finish "+other) {
		t.Error(got)
	}
}
