package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"time"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// Exemplar is a worked question that a few-shot prompt shows.
type Exemplar struct {
	Question, SQL string
	Result        *runner.Result // of SQL; only React shows it
}

// ByModel is how [Baseline] answers: with the model's text. Nothing has checked or run it if there is no Result.
const ByModel = "model"

// Baseline asks the model once, with exemplars: the prompting baseline of the dissertation, greedy and with at most 128
// new tokens. Its wording is our own; roles, parts and order of the messages are the original's. Like [Agent], it may
// answer questions concurrently. Source: dissertation.md §4.
type Baseline struct {
	Model  llm.Generator
	Schema *schema.Schema
	Guards guard.Set // none: the text is the answer, as the original had it
	Shots  []Exemplar

	Constrain Constrain     // only ConstrainSQL and ConstrainAll have anything to constrain
	DB        tools.Querier // checks and runs the answer; nil leaves that to who scores it
	OnEvent   func(Event)   // as [Agent]'s
}

// Run answers question. The Result of the Answer is nil if the query did not run.
func (b *Baseline) Run(ctx context.Context, question string) (Answer, error) {
	start := time.Now()
	ans := Answer{Question: question}
	ans.add(b.OnEvent, Event{Step: -1, Kind: KindQuestion, Text: question, OK: true})
	err := b.run(ctx, &ans)
	ans.Took = time.Since(start)
	return ans, err
}

func (b *Baseline) run(ctx context.Context, ans *Answer) error {
	if err := checkQuestion(ans.Question); err != nil {
		return err
	}
	p, err := newChat("baseline", b.Schema)
	if err != nil {
		return err
	}
	for _, s := range b.Shots {
		p.add("user", "example", s)
		p.add("assistant", "answer", s.terminated())
	}
	p.add("user", "question", Exemplar{Question: ans.Question})
	if p.err != nil {
		return p.err
	}
	params := llm.Params{MaxTokens: 128}
	if b.Constrain.sql() {
		params.Grammar = SQLGrammar(b.Schema)
	}
	tell(b.OnEvent, 0, p.msgs)
	c, err := b.Model.Generate(ctx, p.msgs, params)
	if err != nil {
		return err
	}
	ans.add(b.OnEvent, Event{Kind: KindModel, Text: c.Text, OK: true, Cost: &c, Took: c.Took})
	sql := strings.TrimSpace(c.Text)
	if b.Guards != nil {
		var e Event
		sql, e = mend(b.Guards, sql, ans.Question, b.Schema)
		ans.add(b.OnEvent, e)
	}
	if ans.SQL = sql; sql == "" {
		return nil
	}
	if b.DB != nil {
		return b.execute(ctx, ans)
	}
	ans.How = ByModel
	return nil
}

// execute checks the answer's query and runs it.
func (b *Baseline) execute(ctx context.Context, ans *Answer) error {
	start := time.Now()
	q, v, err := sqlcheck.Check(ans.SQL, b.Schema)
	var res runner.Result
	if err == nil && v.OK {
		res, v, err = execute(ctx, b.DB, q)
	}
	if err != nil {
		return fmt.Errorf("query: %w", err)
	}
	e := Event{Kind: KindTool, Tool: query, SQL: ans.SQL, OK: v.OK, Reason: v.String(), Verdict: &v}
	if v.OK {
		ans.Result, ans.How = &res, ByModel
		e.Reason, e.Text, e.Verdict = "", success(&res), nil
	}
	e.Took = time.Since(start)
	ans.add(b.OnEvent, e)
	return nil
}

// add appends an event to the trace and tells it, if on is not nil.
func (a *Answer) add(on func(Event), e Event) {
	a.Trace = append(a.Trace, e)
	if on != nil {
		on(e)
	}
}

// tell tells what the model reads next, if on is not nil. A trace does not keep it.
func tell(on func(Event), step int, msgs []llm.Message) {
	if on != nil {
		on(Event{Step: step, Kind: KindPrompt, OK: true, Prompt: slices.Clone(msgs)})
	}
}

func checkQuestion(question string) error {
	switch {
	case strings.TrimSpace(question) == "":
		return errors.New("empty question")
	case len(question) > MaxQuestion:
		return fmt.Errorf("question of %d bytes: at most %d are allowed", len(question), MaxQuestion)
	}
	return nil
}

// mend sends a query through guards; "" means that they rejected it, as the event says.
func mend(g guard.Set, sql, question string, s *schema.Schema) (string, Event) {
	out, changes, v := g.Apply(sql, guard.Input{Question: question, Schema: s})
	if !v.OK {
		return "", Event{Kind: KindGuardrails, Reason: "clean_reject:" + v.String(), Changes: changes, Verdict: &v}
	}
	out = strings.TrimSpace(out)
	return out, Event{Kind: KindGuardrails, OK: true, Reason: "cleaned", SQL: out, Changes: changes}
}

// terminated ends the query with a semicolon, as the original's exemplars were.
func (e Exemplar) terminated() Exemplar {
	e.SQL = strings.TrimRight(strings.TrimSpace(e.SQL), ";") + ";"
	return e
}

// chat builds messages from the blocks of a template of the dissertation's set. It keeps the first error.
type chat struct {
	tmpl *template.Template
	msgs []llm.Message
	err  error
}

// newChat begins with the system and the schema turn.
func newChat(name string, s *schema.Schema) (*chat, error) {
	t, err := assets.Prompt("dissertation", name)
	if err != nil {
		return nil, err
	}
	c := &chat{tmpl: t}
	c.add("system", "system", nil)
	c.add("user", "schema", struct{ Schema string }{tools.SchemaText(s, tools.StyleSummary)})
	return c, nil
}

func (c *chat) add(role, block string, data any) {
	var b strings.Builder
	if err := c.tmpl.ExecuteTemplate(&b, block, data); err != nil && c.err == nil {
		c.err = fmt.Errorf("prompt: %w", err)
	}
	c.say(role, strings.TrimSpace(b.String()))
}

func (c *chat) say(role, text string) {
	c.msgs = append(c.msgs, llm.Message{Role: role, Content: text})
}
