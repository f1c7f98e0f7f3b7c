package loop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
	"nl2sql/tools/retrieve"
)

// Retrieval is the agent of the seed experiment-1-retrieval-agent.md: the model looks for tables, validates queries and submits one, as often
// as four limits allow; then its best query is submitted for it. Like [Agent], it may answer questions concurrently.
//
// Where the seed leaves a choice: the model may choose between keyword and semantic retrieval, and is told so only where both are possible.
// strict of validate_sql is the model's too; it adds warnings, and a query with nothing but warnings is valid. Validation attempts are
// failures in a row, of whatever query. A turn without an action is an iteration; after one that repeats an action the next is sampled, and
// what is said twice stands in the conversation once: a small model goes on with what it sees itself say. Only the query of submit_answer must
// be there. Nothing is run before the end: the submitted query is checked once more, and run, read-only, if it passes.
type Retrieval struct {
	Model  llm.Generator
	DB     tools.Querier
	Schema *schema.Schema
	Tables *retrieve.Store
	Guards guard.Set     // nil: queries are as the model wrote them
	Kind   retrieve.Kind // of a retrieval that names none; "" means keyword
	Limits RetrievalLimits
	Now    func() time.Time // nil means time.Now

	DryRun  bool        // ends where the query would run
	OnEvent func(Event) // as [Agent]'s
}

// RetrievalLimits end a run. A field that is 0 means the seed's.
type RetrievalLimits struct {
	Iterations int           // turns: 10
	Retrievals int           // calls of retrieve_tables: 3; a further one is refused
	Failures   int           // of validate_sql in a row: 4
	Timeout    time.Duration // of all but the index of the tables: 60 s
}

func (l RetrievalLimits) orSeed() RetrievalLimits {
	seed := RetrievalLimits{10, 3, 4, time.Minute}
	for _, f := range []struct{ own, seed *int }{{&l.Iterations, &seed.Iterations}, {&l.Retrievals, &seed.Retrievals}, {&l.Failures, &seed.Failures}} {
		if *f.own == 0 {
			*f.own = *f.seed
		}
	}
	if l.Timeout == 0 {
		l.Timeout = seed.Timeout
	}
	return l
}

// The tools of [Retrieval] beside [tools.ValidateSQL].
const (
	RetrieveTables tools.Name = "retrieve_tables"
	SubmitAnswer   tools.Name = "submit_answer"
)

// ByBestEffort is how an answer came about that a limit ended: it is the last query that was valid, else the last one.
const ByBestEffort = "best_effort"

// Confidence of a best effort: that of a query which is valid, and of another one.
const (
	effortValid   = 0.5
	effortInvalid = 0.2
)

// retrieving is one question on its way.
type retrieving struct {
	*Retrieval
	limits     RetrievalLimits
	ans        *Answer
	index      *retrieve.Index
	chat       *chat
	now        func() time.Time
	end        time.Time
	step       int
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

// Run answers question. The Confidence of the Answer is what the model says of it. Run returns the partial Answer together with the error when ctx
// ends, the model fails or the database goes away.
func (r *Retrieval) Run(ctx context.Context, question string) (Answer, error) {
	start := time.Now()
	ans := Answer{Question: question}
	ans.add(r.OnEvent, Event{Step: -1, Kind: KindQuestion, Text: question, OK: true})
	err := r.run(ctx, &ans)
	ans.Took = time.Since(start)
	return ans, err
}

func (r *Retrieval) run(ctx context.Context, ans *Answer) error {
	if err := checkQuestion(ans.Question); err != nil {
		return err
	}
	run := &retrieving{Retrieval: r, limits: r.Limits.orSeed(), ans: ans, now: r.Now, said: map[string]bool{}}
	if run.now == nil {
		run.now = time.Now
	}
	var err error
	if run.index, err = r.Tables.Index(ctx, r.Schema); err != nil {
		return err
	}
	t, err := assets.Prompt("experiment1", "retrieval")
	if err != nil {
		return err
	}
	run.chat = &chat{tmpl: t}
	run.chat.add("system", "system", struct {
		Total, MaxK, Retrievals int
		Embeds                  bool
	}{run.index.Total(), maxTopK, run.limits.Retrievals, run.index.Embeds()})
	run.chat.add("user", "question", ans)
	if run.chat.err != nil {
		return run.chat.err
	}
	run.end = run.now().Add(run.limits.Timeout)
	why, err := run.turns(ctx)
	if err != nil || run.submitted {
		return err
	}
	return run.effort(ctx, why)
}

// turns goes on until an answer was submitted, or says which limit ended it.
func (r *retrieving) turns(ctx context.Context) (why string, err error) {
	for ; r.step < r.limits.Iterations; r.step++ {
		left := r.end.Sub(r.now())
		if left <= 0 {
			return "timeout", nil
		}
		tell(r.OnEvent, r.step, r.chat.msgs)
		turn, cancel := context.WithTimeout(ctx, left)
		params := llm.Params{MaxTokens: 512, Stop: []string{"Observation:"}}
		if r.repeats {
			params.Temperature, params.Seed = stuckTemperature, uint32(r.step)
		}
		c, err := r.Model.Generate(turn, r.chat.msgs, params)
		cancel()
		switch {
		case err == nil:
		case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
			return "timeout", nil
		case r.step > 0 && errors.Is(err, llm.ErrContextFull):
			return "context_full", nil
		default:
			return "", err
		}
		call, bad := ParseCall(c.Text)
		r.emit(Event{Kind: KindModel, Text: c.Text, Asked: call.Tool, OK: true, Cost: &c, Took: c.Took})
		obs, err := r.act(ctx, call, bad)
		if err != nil || r.submitted {
			return "", err
		}
		action := string(call.Tool) + string(call.Args)
		r.repeats = r.said[action]
		if !r.said[action+obs] {
			r.chat.say("assistant", strings.TrimSpace(c.Text))
			r.chat.say("user", "Observation: "+obs)
		}
		r.said[action], r.said[action+obs] = true, true
		if r.failures >= r.limits.Failures {
			return "validation_limit", nil
		}
	}
	return "iteration_limit", nil
}

// effort submits what there is when a limit has ended the turns.
func (r *retrieving) effort(ctx context.Context, why string) error {
	confidence := effortInvalid
	switch {
	case r.sql == "":
		r.emit(Event{Kind: KindFallback, Reason: "no answer: " + why})
		return nil
	case r.valid:
		confidence = effortValid
	}
	r.emit(Event{Kind: KindTool, Tool: SubmitAnswer, OK: true, Reason: "best effort: " + why, SQL: r.sql, Text: submitted(confidence)})
	return r.answer(ctx, ByBestEffort, r.sql, confidence)
}

// answer checks and runs what was submitted. A query that fails stays the answer's, without a result.
func (r *retrieving) answer(ctx context.Context, how, sql string, confidence float64) error {
	r.submitted = true
	start := time.Now()
	sql, ok := r.mend(sql)
	if r.ans.SQL = sql; !ok {
		return nil
	}
	q, v, err := sqlcheck.Check(sql, r.Schema)
	if err != nil {
		return err
	}
	if v.OK && r.DryRun {
		r.ans.How = ByDryRun
		return nil
	}
	e := Event{Kind: KindTool, Tool: query, SQL: sql}
	var res runner.Result
	if v.OK {
		if res, v, err = execute(ctx, r.DB, q); err != nil {
			return fmt.Errorf("query: %w", err)
		}
	}
	if e.OK = v.OK; v.OK {
		r.ans.Result, r.ans.How, r.ans.Confidence, e.Text = &res, how, confidence, success(&res)
	} else {
		e.Verdict, e.Reason, e.Text = &v, v.String(), v.String()
	}
	e.Took = time.Since(start)
	r.emit(e)
	return nil
}

// mend sends a query through the guards; ok is false where they reject it.
func (r *retrieving) mend(sql string) (out string, ok bool) {
	sql = strings.TrimSpace(sql)
	if r.Guards == nil {
		return sql, true
	}
	out, e := mend(r.Guards, sql, r.ans.Question, r.Schema)
	r.emit(e)
	return out, e.OK
}

func (r *retrieving) emit(e Event) {
	e.Step = r.step
	r.ans.add(r.OnEvent, e)
}
