package answer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/internal/stories"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// knowing is a model that has texts for questions: a greedy one, which comes first, and samples, which follow from
// their seeds. It forgets everything between two calls, as a real one seems to. A question to "wait" for is not
// answered before its context ends.
type knowing map[string][]string

func (m knowing) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	prompt := ""
	for _, msg := range msgs {
		prompt += msg.Content + "\n"
	}
	if strings.Contains(prompt, "wait") {
		<-ctx.Done()
		return llm.Completion{}, ctx.Err()
	}
	for question, texts := range m {
		if !strings.Contains(prompt, question) {
			continue
		}
		at := 0
		if p.Temperature > 0 {
			at = int(p.Seed) % len(texts)
		}
		return llm.Completion{Text: texts[at], StopReason: llm.StopEnd, LogProb: -1 - float64(at),
			OutputTokens: 9}, ctx.Err()
	}
	return llm.Completion{Text: "I do not know.", StopReason: llm.StopEnd}, ctx.Err()
}

const petsScript = `CREATE TABLE pets (id INT PRIMARY KEY, name VARCHAR(20), kind VARCHAR(20), age INT);
INSERT INTO pets VALUES (1,'Ada','cat',3),(2,'Bo','dog',5),(3,'Cy','cat',9),(4,'Di','hen',NULL);
`

// house is two databases, and the questions that are asked about them.
type house struct {
	databases []Database
	questions []Question // the first about the first, and so on, in turn
	model     knowing
}

func newHouse(t testing.TB) house {
	t.Helper()
	pets := must.Get(embedded.OpenDump(t.Context(), "pets", strings.NewReader(petsScript), runner.Limits{}))(t)
	t.Cleanup(func() { pets.Close() })
	petsSchema := must.Get(pets.Schema(t.Context()))(t)
	notes := must.Get(tools.ParseNotes(strings.NewReader("old = pets.age > 4")))(t)
	demo, demoSchema := stories.Demo(t)
	return house{
		databases: []Database{{DB: demo, Schema: demoSchema}, {DB: pets, Schema: petsSchema, Notes: notes}},
		questions: []Question{
			{Text: "How many customers are in France?"},
			{Text: "How many pets are old?"},
			{Text: "Which cities have offices?", MinConfidence: 0.999},
			{Text: "Name the cats."},
			{Text: "How many orders are there?"},
			{Text: "What is the mean age of dogs?", MinAnswerable: 0.999},
			{Text: "hello"},
			{Text: "Delete the hens."},
		},
		model: knowing{
			"in France": {
				"SELECT COUNT(*) FROM customers WHERE country = 'France'", "SELECT COUNT(*) FROM customers",
				"SELECT COUNT(*) FROM clients",
			},
			"are old": {"SELECT COUNT(*) FROM pets WHERE age > 4", "SELECT COUNT(*) FROM pets WHERE age > 9"},
			"have offices": {"SELECT city FROM offices", "SELECT DISTINCT city FROM offices",
				"SELECT phone FROM offices"},
			"the cats":    {"SELECT nme FROM pets", "SELECT name FROM pets WHERE kind = 'cat'"},
			"many orders": {"SELECT COUNT(*) FROM orders"},
			"mean age":    {"SELECT AVG(age) FROM pets WHERE kind = 'dog'", "SELECT age FROM pets"},
		},
	}
}

var took = regexp.MustCompile(`,"took_ns":\d+`)

// tell asks a question, and writes down everything that was told and answered, but for times.
func (h house) tell(ctx context.Context, a *Asker, i int) (string, error) {
	var b strings.Builder
	write := func(v any) {
		line, err := json.Marshal(v)
		if err != nil {
			line = fmt.Append(nil, err)
		}
		fmt.Fprintf(&b, "%s\n", took.ReplaceAll(line, nil))
	}
	n := i % len(h.questions)
	q := h.questions[n]
	q.DryRun = i >= len(h.questions)
	ans, err := a.Ask(ctx, h.databases[n%2], q, func(e loop.Event) { write(e) })
	ans.Took = 0
	write(ans)
	return b.String(), err
}

// methods are every agent, those of one kind that vote, and a dry run where there is one.
func methods(t testing.TB) map[string]Method {
	t.Helper()
	all := map[string]Method{}
	for name, s := range map[string]Settings{
		"loop":      {Agent: "loop", Prompts: "default"},
		"votes":     {Agent: "loop", Prompts: "default", Votes: 5},
		"model":     {Agent: "loop", Prompts: "default", Plan: "model"},
		"baseline":  {Agent: "baseline", Guards: "default"},
		"react":     {Agent: "react"},
		"retrieval": {Agent: "retrieval", MaxSteps: 2},
	} {
		m := must.Get(s.Method())(t)
		all[name] = m
	}
	return all
}

// What many ask at once, about two databases of one model, some of them dry and one of them given up, is told and
// answered to the byte as each alone; make race looks for what they share.
func TestAskAtOnce(t *testing.T) {
	h := newHouse(t)
	answered := 0
	for name, m := range methods(t) {
		t.Run(name, func(t *testing.T) {
			asker, err := New(m, h.model, nil)
			if err != nil {
				t.Fatal(err)
			}
			n := len(h.questions)
			if Takes(m.Agent, "dry-run") {
				n *= 2
			}
			wishes := h
			if !Takes(m.Agent, "min-confidence") {
				wishes.questions = slices.Clone(h.questions)
				for i, q := range wishes.questions {
					wishes.questions[i] = Question{Text: q.Text}
				}
			}
			alone := make([]string, n)
			for i := range alone {
				if alone[i], err = wishes.tell(t.Context(), asker, i); err != nil {
					t.Fatal(err)
				}
				answered += strings.Count(alone[i], `"rows":[[`)
			}
			left, leave := context.WithCancel(t.Context())
			var group sync.WaitGroup
			for i := range 4 * n {
				group.Go(func() {
					got, err := wishes.tell(t.Context(), asker, i%n)
					if err != nil {
						t.Error(err)
					}
					if diff := cmp.Diff(alone[i%n], got); diff != "" {
						t.Errorf("question %d beside others (-alone +beside):\n%s", i%n, diff)
					}
				})
			}
			group.Go(func() {
				ans, err := asker.Ask(left, h.databases[0], Question{Text: "How long must I wait?"},
					func(e loop.Event) {
						if e.Kind == loop.KindPrompt {
							leave()
						}
					})
				if !errors.Is(err, context.Canceled) || len(ans.Trace) == 0 || ans.Result != nil {
					t.Errorf("who left has %d events and %v, %v", len(ans.Trace), ans.Result, err)
				}
			})
			group.Wait()
			leave()
		})
	}
	if answered < 20 {
		t.Errorf("only %d answers have rows", answered)
	}
}

// Events are the trace, told as they happen, with the prompts between them and with what candidates found.
func TestEventsAreTheTrace(t *testing.T) {
	h := newHouse(t)
	for name, m := range methods(t) {
		asker := must.Get(New(m, h.model, nil))(t)
		var told loop.Trace
		prompts, found := 0, false
		ans := must.Get(asker.Ask(t.Context(), h.databases[0], Question{Text: "How many customers are in France?"},
			func(e loop.Event) {
				if e.Kind == loop.KindPrompt {
					prompts++
					return
				}
				found = found || e.Found != nil
				e.Found = nil
				told = append(told, e)
			}))(t)
		if found != (m.Votes > 1) {
			t.Errorf("%s, %d votes: rows of candidates were told: %v", name, m.Votes, found)
		}
		if diff := cmp.Diff(ans.Trace, told); diff != "" || prompts == 0 {
			t.Errorf("%s: %d prompts, and events (-trace +told):\n%s", name, prompts, diff)
		}
	}
}

// A dry run asks the database nothing, whoever answers and however many would vote.
func TestDryRunAsksNothing(t *testing.T) {
	h := newHouse(t)
	for name, m := range methods(t) {
		if !Takes(m.Agent, "dry-run") || name == "retrieval" || name == "model" { // their texts here are no actions
			continue
		}
		asker := must.Get(New(m, h.model, nil))(t)
		d := Database{DB: untouched{t}, Schema: h.databases[0].Schema}
		ans, err := asker.Ask(t.Context(), d, Question{Text: "How many customers are in France?", DryRun: true}, nil)
		if err != nil || ans.How != loop.ByDryRun || ans.SQL == "" || ans.Result != nil {
			t.Errorf("%s: %q by %q, %v", name, ans.SQL, ans.How, err)
		}
	}
}

// untouched is a database that nobody may ask.
type untouched struct{ t *testing.T }

func (d untouched) Query(_ context.Context, q sqlcheck.Query) (runner.Result, error) {
	d.t.Errorf("it ran: %s", q.SQL())
	return runner.Result{}, errors.New("not to be asked")
}

// What an agent cannot do is refused, and not passed over: a dry run that runs is the worst of them.
func TestWishesThatAreRefused(t *testing.T) {
	h := newHouse(t)
	for _, tt := range []struct {
		method string
		q      Question
		want   string
	}{
		{"react", Question{DryRun: true}, "--dry-run needs --agent loop or retrieval: react does without"},
		{"baseline", Question{DryRun: true},
			"--dry-run needs --agent loop or retrieval: baseline does without"},
		{"baseline", Question{MinConfidence: 0.5},
			"--min-confidence needs --agent loop: baseline does without"},
		{"react", Question{Params: llm.Params{Temperature: 1}}, "--temperature needs --agent loop: react does without"},
		{"loop", Question{Shots: make([]loop.Exemplar, 1)},
			"--shots needs --agent baseline or react: loop does without"},
	} {
		asker := must.Get(New(methods(t)[tt.method], nil, nil))(t)
		tt.q.Text = "How many customers are in France?"
		if _, err := asker.Ask(t.Context(), h.databases[0], tt.q, nil); fmt.Sprint(err) != tt.want {
			t.Errorf("%s: %v, want %s", tt.method, err, tt.want)
		}
	}
}

// An answer says what its query reads, also within subqueries and where it names no column.
func TestReads(t *testing.T) {
	s, err := schema.ParseDDL("d", "CREATE TABLE users (id INT, password TEXT); CREATE TABLE orders (id INT, user_id INT);")
	if err != nil {
		t.Fatal(err)
	}
	for sql, want := range map[string][]string{
		"SELECT COUNT(*) FROM orders": {"orders"},
		"SELECT id FROM orders":       {"orders.id"},
		"SELECT COUNT(*) FROM orders WHERE id IN (SELECT id FROM users WHERE password LIKE 'a%')": {"orders.id", "users.id",
			"users.password"},
		"SELECT * FROM users UNION SELECT 1, 2 FROM orders": {"orders", "users.id", "users.password"},
		"": nil,
	} {
		q, _, err := sqlcheck.Check(sql, s)
		must.Do(t, err)
		got := q.Reads()
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s reads %v, want %v", sql, got, want)
		}
	}
}

// heard is a model that keeps what it is asked first.
type heard struct {
	llm.Generator
	first []llm.Message
}

func (h *heard) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	if h.first == nil {
		h.first = msgs
	}
	return h.Generator.Generate(ctx, msgs, p)
}

// What models are trained on is what they are asked, byte for byte, with a turn before the question and without.
func TestPrompt(t *testing.T) {
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{Rows: 1000}))(t)
	t.Cleanup(func() { must.Do(t, db.Close()) })
	s := must.Get(db.Schema(t.Context()))(t)
	turn := Turn{
		Question: "Which customers are in Spain?", SQL: "SELECT customerName FROM customers WHERE country = 'Spain'",
	}
	for _, q := range []Question{
		{Text: "Which customers are in Spain?"}, {Text: "And who sells to them in Paris?", Behind: turn},
		{Text: "and their orders that were cancelled?", Behind: turn},
	} {
		for _, set := range []string{"default", "typed"} {
			model := &heard{Generator: llm.NewReplay("SELECT customerName FROM customers")}
			method := must.Get(Settings{Agent: "loop", Prompts: set}.Method())(t)
			asker := must.Get(New(method, model, nil))(t)
			must.Get(asker.Ask(t.Context(), Database{DB: db, Schema: s}, q, nil))(t)
			trained := must.Get(Prompt(*must.Get(tools.NewPrompts(set, nil))(t), q, s))(t)
			if diff := cmp.Diff(model.first, trained); diff != "" {
				t.Errorf("%s: %q is asked otherwise than trained:\n%s", set, q.Text, diff)
			}
			if want := map[bool]int{true: 4, false: 2}[q.Behind.SQL != ""]; len(trained) != want {
				t.Errorf("%s: %q has %d messages, not %d", set, q.Text, len(trained), want)
			}
		}
	}
}
