// Package retrieval has the agent of the seed experiment-1-retrieval-agent.md: the model looks for the tables of a
// large schema, validates queries and submits one.
package retrieval

import (
	"cmp"
	"context"
	"errors"
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
	"nl2sql/tools/retrieve"
)

// Agent lets the model look for tables, validate queries and submit one, as often as four limits allow; then its best
// query is submitted for it. It may answer questions concurrently, as [loop.Agent] may.
//
// Where the seed leaves a choice: the model may choose between keyword and semantic retrieval, and is told so only
// where both are possible. strict of validate_sql is the model's too; it adds warnings, and a query with nothing but
// warnings is valid. Validation attempts are failures in a row, of whatever query. A turn without an action is an
// iteration; after one that repeats an action the next is sampled, and what is said twice stands in the conversation
// once: a small model goes on with what it sees itself say. Only the query of submit_answer must be there. Nothing is
// run before the end: the submitted query is checked once more, and run, read-only, if it passes.
type Agent struct {
	Model  llm.Generator
	DB     tools.Querier
	Schema *schema.Schema
	Tables *retrieve.Store
	Guards guard.Set     // nil: queries are as the model wrote them
	Kind   retrieve.Kind // of a retrieval that names none; "" means keyword
	Limits Limits
	Now    func() time.Time // nil means time.Now

	DryRun  bool             // ends where the query would run
	OnEvent func(loop.Event) // as [loop.Agent] has it
}

// Limits end a run. A field that is 0 means the seed's.
type Limits struct {
	Iterations int           // turns: Iterations, 10
	Retrievals int           // calls of retrieve_tables: 3; a further one is refused
	Failures   int           // of validate_sql in a row: 4
	Timeout    time.Duration // of all but the index of the tables: 60 s
}

// Iterations are the turns of [Agent] unless others are chosen.
const Iterations = 10

// Confidence of a best effort: that of a query which is valid, and of another one.
const (
	effortValid   = 0.5
	effortInvalid = 0.2
)

// run is one question on its way.
type run struct {
	*Agent
	*loop.Recorder
	asked      *question.Question
	limits     Limits
	index      *retrieve.Index
	chat       *loop.Chat
	now        func() time.Time
	end        time.Time
	retrievals int
	failures   int    // of validate_sql in a row
	sql        string // the last query that was valid, else the last one
	valid      bool
	submitted  bool
	said       map[string]bool // actions, and actions with their observations
	repeats    bool            // the last action is one that was there before
}

// stuckTemperature is that of a turn after a repeated action.
const stuckTemperature = 1

// Run answers question. The Confidence of the Answer is what the model says of it. Run returns the partial Answer
// together with the error when ctx ends, the model fails or the database goes away.
func (a *Agent) Run(ctx context.Context, question string) (loop.Answer, error) {
	r := &run{
		Agent: a, Recorder: loop.NewRecorder(question, a.OnEvent), now: a.Now, said: map[string]bool{},
		limits: Limits{
			Iterations: cmp.Or(a.Limits.Iterations, Iterations), Retrievals: cmp.Or(a.Limits.Retrievals, 3),
			Failures: cmp.Or(a.Limits.Failures, 4), Timeout: cmp.Or(a.Limits.Timeout, time.Minute),
		},
	}
	if r.now == nil {
		r.now = time.Now
	}
	r.Asked(nil)
	r.Step = 0
	err := r.run(ctx)
	return r.Done(), err
}

func (r *run) run(ctx context.Context) error {
	if err := loop.CheckQuestion(r.Answer.Question); err != nil {
		return err
	}
	r.asked = question.Read(r.Answer.Question, r.Schema)
	var err error
	if r.index, err = r.Tables.Index(ctx, r.Schema); err != nil {
		return err
	}
	t, err := assets.Prompt("experiment1", "retrieval")
	if err != nil {
		return err
	}
	r.chat = &loop.Chat{Template: t}
	r.chat.Add("system", "system", struct {
		Total, MaxK, Retrievals int
		Embeds                  bool
	}{r.index.Total(), maxTopK, r.limits.Retrievals, r.index.Embeds()})
	r.chat.Add("user", "question", &r.Answer)
	if r.chat.Err != nil {
		return r.chat.Err
	}
	r.end = r.now().Add(r.limits.Timeout)
	why, err := r.turns(ctx)
	if err != nil || r.submitted {
		return err
	}
	return r.effort(ctx, why)
}

// turns goes on until an answer was submitted, or says which limit ended it.
func (r *run) turns(ctx context.Context) (why string, err error) {
	for ; r.Step < r.limits.Iterations; r.Step++ {
		left := r.end.Sub(r.now())
		if left <= 0 {
			return "timeout", nil
		}
		r.Prompt(r.chat.Messages)
		turn, cancel := context.WithTimeout(ctx, left)
		params := llm.Params{MaxTokens: 512, Stop: []string{"Observation:"}}
		if r.repeats {
			params.Temperature, params.Seed = stuckTemperature, uint32(r.Step)
		}
		c, err := r.Model.Generate(turn, r.chat.Messages, params)
		cancel()
		switch {
		case err == nil:
		case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
			return "timeout", nil
		case r.Step > 0 && errors.Is(err, llm.ErrContextFull):
			return "context_full", nil
		default:
			return "", err
		}
		call, bad := ParseCall(c.Text)
		r.Emit(loop.Event{Kind: loop.KindModel, Text: c.Text, Asked: call.Tool, OK: true, Cost: &c, Took: c.Took})
		obs, err := r.act(ctx, call, bad)
		if err != nil || r.submitted {
			return "", err
		}
		action := string(call.Tool) + string(call.Args)
		r.repeats = r.said[action]
		if !r.said[action+obs] {
			r.chat.Say("assistant", strings.TrimSpace(c.Text))
			r.chat.Say("user", "Observation: "+obs)
		}
		r.said[action], r.said[action+obs] = true, true
		if r.failures >= r.limits.Failures {
			return "validation_limit", nil
		}
	}
	return "iteration_limit", nil
}

// effort submits what there is when a limit has ended the turns.
func (r *run) effort(ctx context.Context, why string) error {
	confidence := effortInvalid
	switch {
	case r.sql == "":
		r.Emit(loop.Event{Kind: loop.KindFallback, Reason: "no answer: " + why})
		return nil
	case r.valid:
		confidence = effortValid
	}
	r.Emit(loop.Event{Kind: loop.KindTool, Tool: loop.SubmitAnswer, OK: true, Reason: "best effort: " + why, SQL: r.sql,
		Text: submitted(confidence)})
	return r.answer(ctx, loop.ByBestEffort, r.sql, confidence)
}

// answer checks and runs what was submitted. A query that fails stays the answer's, without a result.
func (r *run) answer(ctx context.Context, how, sql string, confidence float64) error {
	r.submitted = true
	start := time.Now()
	sql, ok := r.mend(sql)
	if r.Answer.SQL = sql; !ok {
		return nil
	}
	q, v, err := sqlcheck.Check(sql, r.Schema)
	if err != nil {
		return err
	}
	if v.OK && r.DryRun {
		r.Answer.How = loop.ByDryRun
		return nil
	}
	e := loop.Event{Kind: loop.KindTool, Tool: loop.Query, SQL: sql}
	var res runner.Result
	if v.OK {
		if res, v, err = loop.Execute(ctx, r.DB, q); err != nil {
			return fmt.Errorf("query: %w", err)
		}
	}
	if e.OK = v.OK; v.OK {
		r.Answer.Result, r.Answer.How, r.Answer.Confidence, e.Text = &res, how, confidence, loop.Success(&res)
	} else {
		e.Verdict, e.Reason, e.Text = &v, v.String(), v.String()
	}
	e.Took = time.Since(start)
	r.Emit(e)
	return nil
}

// mend sends a query through the guards; ok is false where they reject it.
func (r *run) mend(sql string) (out string, ok bool) {
	sql = strings.TrimSpace(sql)
	if r.Guards == nil {
		return sql, true
	}
	c := loop.Guarded(r.Guards, sql, r.asked, r.Schema)
	r.Emit(c.Guardrails())
	return c.SQL, c.Guarded.OK
}
