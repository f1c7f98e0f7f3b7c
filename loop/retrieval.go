package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/doubt"
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
// failures in a row, of whatever query. A turn without an action is an iteration. Only the query of submit_answer must be there. Nothing is
// run before the end: the submitted query is checked once more, and run, read-only, if it passes.
type Retrieval struct {
	Model  llm.Generator
	DB     tools.Querier
	Schema *schema.Schema
	Tables *retrieve.Store
	Guards guard.Set     // nil: queries are as the model wrote them
	Kind   retrieve.Kind // of a retrieval that names none; "" means semantic, as the seed has it, and keyword without a model for it
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

const (
	maxTopK     = 10
	maxTable    = 400              // bytes that an observation has for a table
	toolTimeout = 10 * time.Second // of one retrieval
)

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
}

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
	run := &retrieving{Retrieval: r, limits: r.Limits.orSeed(), ans: ans, now: r.Now}
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
		c, err := r.Model.Generate(turn, r.chat.msgs, llm.Params{MaxTokens: 512, Stop: []string{"Observation:"}})
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
		r.chat.say("assistant", strings.TrimSpace(c.Text))
		r.chat.say("user", "Observation: "+obs)
		if r.failures >= r.limits.Failures {
			return "validation_limit", nil
		}
	}
	return "iteration_limit", nil
}

// act runs one tool, and returns what the model is told.
func (r *retrieving) act(ctx context.Context, call tools.Call, bad error) (string, error) {
	start := time.Now()
	e := Event{Kind: KindTool, Tool: call.Tool, Args: string(call.Args)}
	var err error
	switch {
	case bad != nil:
		e.Reason, e.Text = "input_error", inputError(bad)
	case call.Tool == RetrieveTables:
		err = r.retrieve(ctx, call.Args, &e)
	case call.Tool == tools.ValidateSQL:
		r.validate(call.Args, &e)
	case call.Tool == SubmitAnswer:
		return r.submit(ctx, call.Args, e)
	default:
		e.Reason = "unknown_tool"
		e.Text = failed(fmt.Errorf("there is no tool %q, only retrieve_tables, validate_sql and submit_answer", tools.Clip(string(call.Tool), 64)))
	}
	e.Took = time.Since(start)
	r.emit(e)
	return e.Text, err
}

// The three ways in which a tool fails, as the seed has them.
func inputError(err error) string {
	return fmt.Sprintf("Tool input error: %v. Please check your parameters.", err)
}
func failed(err error) string {
	return fmt.Sprintf("Tool failed: %v. Consider trying a different approach.", err)
}

const timedOut = "Tool timed out. Try a simpler query or different approach."

func (r *retrieving) retrieve(ctx context.Context, raw json.RawMessage, e *Event) error {
	a := struct {
		Query *string       `json:"query"`
		TopK  int           `json:"top_k"`
		Kind  retrieve.Kind `json:"retrieval_type"`
	}{TopK: 5, Kind: r.kind()}
	err := decodeArgs(raw, &a)
	switch {
	case err != nil:
	case a.Query == nil || strings.TrimSpace(*a.Query) == "":
		err = errors.New("query is missing")
	case a.TopK < 1 || a.TopK > maxTopK:
		err = fmt.Errorf("top_k is %d, and must be 1 to %d", a.TopK, maxTopK)
	case !slices.Contains([]retrieve.Kind{retrieve.Keyword, retrieve.Semantic, retrieve.Both}, a.Kind):
		err = fmt.Errorf("retrieval_type is %q, and must be semantic, keyword or both", tools.Clip(string(a.Kind), 64))
	}
	if err != nil {
		e.Reason, e.Text = "input_error", inputError(err)
		return nil
	}
	if r.retrievals == r.limits.Retrievals {
		e.Reason, e.Text = "retrieval_limit", failed(fmt.Errorf("retrieve_tables was called %d times, and may not be called again: use the tables that you have", r.retrievals))
		return nil
	}
	r.retrievals++
	within, cancel := context.WithTimeout(ctx, min(toolTimeout, r.end.Sub(r.now())))
	defer cancel()
	hits, err := r.index.Search(within, tools.Clip(*a.Query, MaxQuestion), a.TopK, a.Kind)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		e.Reason, e.Text = "tool_timeout", timedOut
		return nil
	case err != nil:
		e.Reason, e.Text = "tool_error", failed(err)
		return nil
	}
	e.OK, e.Reason, e.Total, e.Tables = true, string(a.Kind), r.index.Total(), []string{}
	found := &schema.Schema{}
	var b strings.Builder
	fmt.Fprintf(&b, "Retrieved %d of %d tables:\n", len(hits), e.Total)
	for _, h := range hits {
		e.Tables, e.Scores = append(e.Tables, h.Table.Name), append(e.Scores, h.Score)
		found.Tables = append(found.Tables, *h.Table)
		line := strings.TrimSpace(tools.SchemaText(&schema.Schema{Tables: []schema.Table{*h.Table}}, tools.StyleSummary))
		if h.Table.Comment != "" {
			line += " " + tools.Clip(h.Table.Comment, maxTable/4)
		}
		fmt.Fprintf(&b, "- %s (score: %.2f): %s\n", h.Table.Name, h.Score, tools.Clip(line, maxTable))
	}
	b.WriteString(tools.Joins(found))
	e.Text = strings.TrimSpace(b.String())
	return nil
}

// kind is that of a retrieval that names none.
func (r *retrieving) kind() retrieve.Kind {
	switch {
	case r.Kind != "":
		return r.Kind
	case r.index.Embeds():
		return retrieve.Semantic
	}
	return retrieve.Keyword
}

func (r *retrieving) validate(raw json.RawMessage, e *Event) {
	var a struct {
		SQL    *string `json:"sql_query"`
		Strict bool    `json:"strict"`
	}
	err := decodeArgs(raw, &a)
	if err == nil && (a.SQL == nil || strings.TrimSpace(*a.SQL) == "") {
		err = errors.New("sql_query is missing")
	}
	if err != nil {
		e.Reason, e.Text = "input_error", inputError(err)
		return
	}
	sql, ok := r.mend(*a.SQL)
	if !ok {
		sql = *a.SQL
	}
	var report sqlcheck.Report
	if a.Strict {
		report = doubt.Inspect(sql, r.ans.Question, r.Schema)
	} else {
		report = sqlcheck.Inspect(sql, r.Schema)
	}
	e.SQL, e.OK = sql, report.Valid
	var b strings.Builder
	if report.Valid {
		r.failures = 0
		b.WriteString("The query is valid. Tables used: " + strings.Join(report.TablesUsed, ", "))
		if a.Strict {
			b.WriteString("\nFields used: " + strings.Join(report.FieldsUsed, ", "))
		}
	} else {
		r.failures++
		b.WriteString("Validation failed:")
	}
	for _, f := range report.Issues {
		if e.Reason == "" {
			e.Reason = string(f.Reason)
		}
		fmt.Fprintf(&b, "\n- [%s] %s", f.Type, f.Message)
		if f.Suggestion != "" {
			b.WriteString(": " + f.Suggestion)
		}
	}
	if report.Dangerous {
		b.WriteString("\n- [error] it would do more than read the tables of this database")
	}
	if report.Valid || !r.valid {
		r.sql, r.valid = sql, report.Valid
	}
	if e.Reason == "" {
		e.Reason = "ok"
	}
	e.Text = tools.Clip(b.String(), maxObservation)
}

// submission is what submit_answer takes.
type submission struct {
	SQL         *string  `json:"sql_query,omitempty"`
	Explanation string   `json:"explanation,omitempty"`
	Confidence  float64  `json:"confidence"`
	Steps       []string `json:"reasoning_steps,omitempty"`
}

func (r *retrieving) submit(ctx context.Context, raw json.RawMessage, e Event) (string, error) {
	var a submission
	err := decodeArgs(raw, &a)
	switch {
	case err != nil:
	case a.SQL == nil || strings.TrimSpace(*a.SQL) == "":
		err = errors.New("sql_query is missing")
	case !(a.Confidence >= 0 && a.Confidence <= 1):
		err = fmt.Errorf("confidence is %g, and must be 0 to 1", a.Confidence)
	}
	if err != nil {
		e.Reason, e.Text = "input_error", inputError(err)
		r.emit(e)
		return e.Text, nil
	}
	e.OK, e.SQL, e.Text = true, *a.SQL, submitted(a.Confidence)
	r.emit(e)
	return "", r.answer(ctx, ByFinish, *a.SQL, a.Confidence)
}

func submitted(confidence float64) string {
	return fmt.Sprintf("Answer submitted with confidence %g", confidence)
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
