// Package dissertation has the two agents whose runs the dissertation published: the few-shot prompt (Baseline), and
// the loop of query and finish (React). Wording is our own; roles, parts and order of the messages are the original's.
package dissertation

import (
	"context"
	"fmt"
	"strings"
	"time"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// Baseline asks the model once, with exemplars: the prompting baseline of the dissertation, greedy and with at most 128
// new tokens. It may answer questions concurrently, as [loop.Agent] may. Source: dissertation.md §4.
type Baseline struct {
	Model  llm.Generator
	Schema *schema.Schema
	Guards guard.Set // none: the text is the answer, as the original had it
	Shots  []loop.Exemplar

	DB      tools.Querier    // checks and runs the answer; nil leaves that to who scores it
	OnEvent func(loop.Event) // as [loop.Agent] has it
}

// Run answers question. The Result of the Answer is nil if the query did not run.
func (b *Baseline) Run(ctx context.Context, question string) (loop.Answer, error) {
	r := loop.NewRecorder(question, b.OnEvent)
	r.Asked(nil)
	r.Step = 0
	err := b.run(ctx, r)
	return r.Done(), err
}

func (b *Baseline) run(ctx context.Context, r *loop.Recorder) error {
	chat, err := newChat("baseline", b.Schema, r)
	if err != nil {
		return err
	}
	for _, s := range b.Shots {
		chat.Add("user", "example", s)
		chat.Add("assistant", "answer", terminated(s))
	}
	chat.Add("user", "question", loop.Exemplar{Question: r.Answer.Question})
	if chat.Err != nil {
		return chat.Err
	}
	r.Prompt(chat.Messages)
	c, err := b.Model.Generate(ctx, chat.Messages, llm.Params{MaxTokens: 128})
	if err != nil {
		return err
	}
	r.Emit(loop.Event{Kind: loop.KindModel, Text: c.Text, OK: true, Cost: &c, Took: c.Took})
	sql := strings.TrimSpace(c.Text)
	if b.Guards != nil {
		c := loop.Guarded(b.Guards, sql, question.Read(r.Answer.Question, b.Schema), b.Schema)
		r.Emit(c.Guardrails())
		sql = c.SQL
	}
	if r.Answer.SQL = sql; sql == "" {
		return nil
	}
	if b.DB != nil {
		return b.execute(ctx, r)
	}
	r.Answer.How = loop.ByModel
	return nil
}

// execute checks the answer's query and runs it.
func (b *Baseline) execute(ctx context.Context, r *loop.Recorder) error {
	start := time.Now()
	q, v, err := sqlcheck.Check(r.Answer.SQL, b.Schema)
	var res runner.Result
	if err == nil && v.OK {
		res, v, err = loop.Execute(ctx, b.DB, q)
	}
	if err != nil {
		return fmt.Errorf("query: %w", err)
	}
	e := loop.Event{Kind: loop.KindTool, Tool: loop.Query, SQL: r.Answer.SQL, OK: v.OK, Reason: v.String(), Verdict: &v}
	if v.OK {
		r.Answer.Result, r.Answer.How = &res, loop.ByModel
		e.Reason, e.Text, e.Verdict = "", loop.Success(&res), nil
	}
	e.Took = time.Since(start)
	r.Emit(e)
	return nil
}

// terminated ends the query with a semicolon, as the original's exemplars were.
func terminated(e loop.Exemplar) loop.Exemplar {
	e.SQL = strings.TrimRight(strings.TrimSpace(e.SQL), ";") + ";"
	return e
}

// newChat begins with the system and the schema turn of a template of the dissertation's set.
func newChat(name string, s *schema.Schema, r *loop.Recorder) (*loop.Chat, error) {
	if err := loop.CheckQuestion(r.Answer.Question); err != nil {
		return nil, err
	}
	t, err := assets.Prompt("dissertation", name)
	if err != nil {
		return nil, err
	}
	c := &loop.Chat{Template: t}
	c.Add("system", "system", nil)
	c.Add("user", "schema", struct{ Schema string }{tools.SchemaText(s, tools.StyleSummary)})
	return c, nil
}
