// Package loop runs the Thought → Action → Observation cycle, fences it with gates and records it.
package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"nl2sql/llm"
	"nl2sql/runner"
	"nl2sql/sqlcheck/doubt"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// Plan says who chooses the next action.
type Plan string

const (
	// PlanFixed takes the one action that the gates leave and calls the model only for SQL.
	PlanFixed Plan = "fixed"
	// PlanModel lets the model choose every action, as the reference does.
	PlanModel Plan = "model"
)

// How an answer came about.
const (
	ByFinish    = "finish"          // finish after a successful run
	ByLastRun   = "last_run"        // the steps ran out between a successful run and finish
	ByCandidate = "candidate"       // the steps ran out before the last candidate was run; it passed both checks since
	ByMismatch  = "intent_mismatch" // it ran, and the intent check doubts it
	ByScore     = "low_score"       // of Candidates: none reached the score that was wanted, and this is the best
	ByFallback  = "fallback"        // the zero-shot candidate
	ByDryRun    = "not_run"         // it passed both checks, and DryRun keeps it from the database
)

// Answer is the end of a run.
type Answer struct {
	Question string
	SQL      string         // "" if there was never a candidate
	Result   *runner.Result // nil if there is no answer
	How      string         // "" if there is no answer
	Refused  string         // why there is none, in one line, if that was decided and not merely found; SQL is then the best that there was

	Unlinked   []string      // words of the question that neither the database nor the glossary seems to have
	Confidence float64       // how likely the answer is right, in (0,1); 0 if there was none to judge
	Doubts     []doubt.Doubt // what speaks against the answer
	Trace      Trace
	Took       time.Duration
}

// Agent is the tool-driven ReAct loop. It keeps nothing between questions and is safe for
// concurrent use if its model and database are.
type Agent struct {
	Model    llm.Generator
	DB       tools.Querier
	Schema   *schema.Schema
	Prompts  *tools.Prompts
	Guards   guard.Set
	Plan     Plan        // "" means PlanFixed
	MaxSteps int         // 0 means 8 (tech. ref. §5)
	Params   llm.Params  // of every model call; the zero value is greedy
	OnEvent  func(Event) // called in order, before Run returns; may be nil

	Constrain     Constrain // "" means ConstrainOff
	MinConfidence float64   // answers that are less likely right are refused; 0 refuses none
	MinAnswerable float64   // so are answers to questions that less likely have one in this database
	Votes         int       // candidates that generate_sql chooses from, by their rows; 0 and 1 mean the greedy one alone
	Without       Without   // what is switched off
	DryRun        bool      // ends where the query would run: the answer has SQL and no Result. Needs Votes of 1 at most
}

// DefaultMaxSteps is REACT_MAX_STEPS (tech. ref. §5).
const DefaultMaxSteps = 8

// MaxQuestion bounds a question, in bytes.
const MaxQuestion = 8 << 10

// run is one question on its way.
type run struct {
	*Agent
	tools   tools.Set
	gates   []Gate
	ans     Answer
	s       State
	step    int
	history []string // PlanModel's transcript
	grammar string   // of its turns; "" if there is none
	ran     *ranOnce // the last candidate that executed, whatever the intent check said
	writes  int      // generate_sql's calls so far
	told    prompted // what OnEvent was told last of prompts
}

type ranOnce struct {
	sql    string
	result runner.Result
}

// Run answers question. It returns the partial Answer together with the error when ctx ends, the
// model fails or the database goes away, so that a trace is never lost.
func (a *Agent) Run(ctx context.Context, question string) (Answer, error) {
	start := time.Now()
	own := *a
	own.leave()
	if own.Constrain.sql() {
		own.Params.Grammar = SQLGrammar(own.Schema)
	}
	once := own.Plan != PlanModel && (own.Prompts.Resamples() || own.Without.offTool(tools.RepairSQL))
	if own.Votes > 1 || once {
		own.DB = remembering{own.DB, map[string]runner.Result{}}
	}
	r := &run{Agent: &own}
	if own.OnEvent != nil {
		own.Model = telling{own.Model, r}
	}
	r.tools = slices.DeleteFunc(tools.NewSet(own.Model, own.DB, own.Prompts, own.Params), func(t tools.Tool) bool { return own.Without.offTool(t.Name()) })
	r.gates = slices.DeleteFunc(slices.Clone(gates), func(g Gate) bool { return own.Without.Off(string(g.ID)) })
	if own.Constrain.action() && own.Plan == PlanModel {
		r.grammar = ActionGrammar(r.tools, own.Schema)
	}
	r.s.Without = own.Without
	if r.ans.Question = question; once {
		r.s.Once, r.s.Retries = true, own.retriesOf()
	}
	return r.end(start, r.run(ctx))
}

// end judges the answer, or notes why the run could not go on.
func (r *run) end(start time.Time, err error) (Answer, error) {
	if err == nil {
		r.judge()
	} else {
		r.emit(Event{Kind: KindError, Text: err.Error()})
		err = fmt.Errorf("step %d: %w", r.step, err)
	}
	r.ans.Took = time.Since(start)
	return r.ans, err
}

// Declines says why no model is asked for an answer to a text: it asks nothing, or to change data; "" if one is.
func Declines(text string) string {
	if why := question.Nothing(text); why != "" {
		return fmt.Sprintf("%q %s: ask for what the database holds", text, why)
	}
	if verb := question.Changes(text); verb != "" {
		return fmt.Sprintf("%q asks to change data, which is only read here: ask for what you want to see", verb)
	}
	return ""
}

// begin checks the question; declined says that it gets no answer.
func (r *run) begin() (declined bool, err error) {
	if strings.TrimSpace(r.ans.Question) == "" {
		return false, errors.New("empty question")
	}
	if len(r.ans.Question) > MaxQuestion {
		return false, fmt.Errorf("question of %d bytes: at most %d are allowed", len(r.ans.Question), MaxQuestion)
	}
	r.step = -1
	r.emit(Event{Kind: KindQuestion, Text: r.ans.Question, OK: true})
	if len(r.Without) > 0 {
		r.emit(Event{Kind: KindWithout, OK: true, Reason: strings.Join(r.Without, ", ")})
	}
	if why := Declines(r.ans.Question); why != "" && !r.Without.Off("declines") {
		r.decline(why)
		return true, nil
	}
	return false, nil
}

func (r *run) run(ctx context.Context) error {
	if declined, err := r.begin(); declined || err != nil {
		return err
	}
	r.history = append(r.history, "User question: "+r.ans.Question)
	for _, tool := range []tools.Name{tools.GetSchema, tools.LinkSchema} {
		if r.Without.offTool(tool) {
			continue
		}
		if err := r.execute(ctx, tools.Call{Tool: tool}); err != nil {
			return err
		}
	}
	steps := r.MaxSteps
	if steps == 0 {
		steps = DefaultMaxSteps
	}
	for r.step = 0; r.step < steps && !r.s.Finished && !r.s.GivenUp && r.s.Stuck < maxStuck; r.step++ {
		r.told.forget()
		if err := r.oneStep(ctx); err != nil || r.ans.How == ByDryRun {
			return err
		}
	}
	r.ans.SQL = r.s.SQL
	if r.s.Finished {
		r.ans.Result, r.ans.How = r.s.Result, ByFinish
		return nil
	}
	return r.fallback(ctx)
}

// oneStep asks for an action, sends it through the gates and executes what they leave.
func (r *run) oneStep(ctx context.Context) error {
	call, err := r.choose(ctx)
	if err != nil {
		return err
	}
	tool, log := rule(r.gates, r.s, call.Tool)
	for _, f := range log {
		r.emit(Event{Kind: KindGate, Gate: f.id, Asked: f.asked, Tool: f.ruling.Force, OK: f.ruling.Block == "", Reason: f.ruling.Why, Text: f.ruling.Block})
		if f.ruling.Block != "" {
			r.observe(f.ruling.Block)
			return nil
		}
	}
	switch {
	case tool == "":
		r.refuse("", "No Action found. Write one line like: Action: validate_sql[{}]")
		return nil
	case !r.tools.Has(tool):
		r.refuse(tool, "Unknown action: "+tools.Clip(string(tool), 64))
		return nil
	case tool != call.Tool:
		call = tools.Call{Tool: tool, Args: noArgs}
		if r.Plan == PlanModel { // the transcript shows what ran, not what was wished
			r.history[len(r.history)-1] = fmt.Sprintf("Action: %s[{}]", tool)
		}
	}
	if r.DryRun && tool == tools.RunSQL {
		r.answer(ByDryRun, r.s.SQL, nil)
		return nil
	}
	return r.execute(ctx, call)
}

// choose returns the next action: the model's, or the one that the state requires.
func (r *run) choose(ctx context.Context) (tools.Call, error) {
	if r.Plan != PlanModel {
		return tools.Call{Tool: r.s.required(), Args: noArgs}, nil
	}
	msgs, err := r.Prompts.React(r.env(), r.history)
	if err != nil {
		return tools.Call{}, err
	}
	p := r.Params
	p.Stop = []string{"Observation:", "]\n"} // an action is complete without its last bracket
	p.Grammar = r.grammar
	c, err := r.Model.Generate(ctx, r.Without.offered(msgs), p)
	if err != nil {
		return tools.Call{}, err
	}
	call, _ := parseAction(c.Text)
	r.emit(Event{Kind: KindModel, Text: c.Text, Asked: call.Tool, OK: true, Cost: &c, Took: c.Took})
	r.history = append(r.history, tools.Clip(strings.TrimSpace(c.Text), maxObservation))
	return call, nil
}

// refuse records an action that no tool can take: an observation, and a step that is gone.
func (r *run) refuse(tool tools.Name, text string) {
	r.emit(Event{Kind: KindTool, Tool: tool, Reason: text, Text: text})
	r.observe(text)
}

// maxObservation bounds one observation of the transcript, in bytes; the schema's is not bounded.
const maxObservation = 1200

func (r *run) observe(text string) {
	r.history = append(r.history, "Observation: "+text)
}

func (r *run) env() tools.Env {
	env := tools.Env{
		Question: r.ans.Question, Schema: r.Schema, Focus: r.s.Focus, Constraints: r.s.Constraints,
		SQL: r.s.SQL, Query: r.s.Query, Result: r.s.Result, Err: r.s.Err, Failed: r.s.Failed, Retry: r.s.Stuck,
	}
	if r.Without.Off("resample") {
		env.Retry = 0
	}
	return env
}

// execute runs one tool, the guardrails or the intent check that belong to it, and moves the state.
func (r *run) execute(ctx context.Context, call tools.Call) error {
	start := time.Now()
	var obs tools.Observation
	var err error
	if n, skip := r.candidates(call.Tool); n > 1 {
		obs, err = r.vote(ctx, n, skip)
	} else {
		obs, err = r.tools.Run(ctx, r.env(), call)
	}
	if err != nil {
		return err
	}
	e := Event{
		Kind: KindTool, Tool: call.Tool, Args: string(call.Args), Text: obs.Text, OK: true,
		Verdict: obs.Verdict, Constraints: obs.Constraints, Cost: obs.Completion, Took: time.Since(start),
	}
	if e.Args == "{}" {
		e.Args = ""
	}
	if obs.Verdict != nil {
		e.OK, e.Reason = obs.Verdict.OK, obs.Verdict.String()
	}
	writes := call.Tool == tools.GenerateSQL || call.Tool == tools.RepairSQL
	none := writes && obs.Raw == "" && obs.Completion == nil // a vote without a winner
	if none {
		e.OK, e.Reason = false, noCandidate
	}
	if obs.Schema != nil {
		e.Text = ""
		e.Tables = obs.Schema.TableNames()
		if call.Tool == tools.LinkSchema && !obs.Changed {
			e.Reason = "schema kept whole"
		}
	}
	if call.Tool == tools.RunSQL && r.s.Query != nil {
		e.SQL = r.s.Query.SQL()
	}
	r.emit(e)
	r.note(call.Tool, obs)

	o := outcome{obs: obs}
	switch {
	case none:
		o.reject = noCandidate
	case writes:
		o.sql, o.reject = r.guard(obs.Raw)
	case call.Tool == tools.RunSQL:
		if obs.Result != nil {
			r.ran = &ranOnce{r.s.SQL, *obs.Result}
			if o.intent = r.intent(r.s.SQL); r.Without.Off("intent_check") {
				break
			}
			r.emit(Event{Kind: KindIntent, OK: o.intent.OK, Reason: o.intent.String(), Verdict: &o.intent})
			if !o.intent.OK {
				r.observe("Intent mismatch: " + o.intent.String())
			}
		}
	}
	r.s = r.s.next(call.Tool, o)
	return nil
}

// note writes a tool's observation into the transcript.
func (r *run) note(tool tools.Name, obs tools.Observation) {
	if r.step < 0 {
		r.history = append(r.history, fmt.Sprintf("Action: %s[{}]", tool))
	}
	switch {
	case obs.Schema != nil && r.Prompts.SchemaInSystem():
		r.observe(tools.Clip("tables: "+strings.Join(obs.Schema.TableNames(), ", "), maxObservation))
	case obs.Schema != nil:
		r.observe(obs.Text)
	case tool == tools.GenerateSQL, tool == tools.RepairSQL: // guard writes what became of it
	default:
		r.observe(tools.Clip(obs.Text, maxObservation))
	}
}

func (r *run) emit(e Event) {
	e.Step = r.step
	r.ans.Trace = append(r.ans.Trace, e)
	if r.OnEvent != nil {
		r.OnEvent(e)
	}
}
