// Package loop runs the Thought → Action → Observation cycle, fences it with gates and records it.
package loop

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"nl2sql/llm"
	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
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

	Read *question.Question // what is asked now, where it was read for Schema before; nil has it read

	Refuse string // why who asks knows that the question gets no answer; "" asks it

	Pairs *tools.Book // verified ones: the nearest are shown to the model, and one that is repeated is taken

	MinConfidence float64 // answers that are less likely right are refused; 0 refuses none
	MinAnswerable float64 // so are answers to questions that less likely have one in this database
	// candidates that generate_sql chooses from, by their rows; 0 and 1 mean the greedy one alone
	Votes   int
	Without Without // what is switched off
	// ends where the query would run: the answer has SQL and no Result. Needs Votes of 1 at most
	DryRun bool
}

// DefaultMaxSteps is REACT_MAX_STEPS (tech. ref. §5).
const DefaultMaxSteps = 8

// Run is one question on its way through the loop: its answer so far, its state and its tools. [Agent.Run] goes through
// it as a plan says; other agents that keep the loop's order, such as candidates.Agent, go their own way.
type Run struct {
	*Agent
	*Recorder
	State State

	tools   tools.Set
	gates   []Gate
	history []string                   // PlanModel's transcript
	ran     *ran                       // the last query that ran, whatever the check of intent said
	found   map[string]*runner.Result  // by query: what the database found
	checked map[string]*sqlcheck.Query // by text: what passed the check
	writes  int                        // generate_sql's calls so far
	pair    *tools.Pair                // that was looked for; the zero Pair where there was none
	taken   string                     // its query; "" where there was none
}

// ran is a query with what it found.
type ran struct {
	sql    string
	result *runner.Result
}

// NewRun prepares an agent's run for a question.
func NewRun(a Agent, question string) *Run {
	r := &Run{Agent: &a, Recorder: NewRecorder(question, a.OnEvent), found: map[string]*runner.Result{},
		checked: map[string]*sqlcheck.Query{}}
	r.Step = 0 // until Begin has looked at the question
	r.State.Without = a.Without
	a.leave()
	if a.OnEvent != nil {
		a.Model = telling{a.Model, r.Recorder}
	}
	off := func(t tools.Tool) bool { return a.Without.offTool(t.Name()) }
	r.tools = slices.DeleteFunc(tools.NewSet(a.Model, a.DB, a.Prompts, a.Params), off)
	r.gates = slices.DeleteFunc(slices.Clone(gates), func(g Gate) bool { return a.Without.Off(string(g.ID)) })
	return r
}

// Run answers question. It returns the partial Answer together with the error when ctx ends, the
// model fails or the database goes away, so that a trace is never lost.
func (a *Agent) Run(ctx context.Context, question string) (Answer, error) {
	r := NewRun(*a, question)
	if r.Plan != PlanModel && (r.Prompts.Resamples() || r.Without.offTool(tools.RepairSQL)) {
		r.State.Once, r.State.Retries = true, r.retriesOf()
	}
	return r.End(r.run(ctx))
}

// End judges the answer, or notes why the run could not go on.
func (r *Run) End(err error) (Answer, error) {
	r.Answer.Query = r.checked[r.Answer.SQL]
	if r.Answer.Read = r.State.Asked; err == nil {
		r.judge()
	} else {
		r.Emit(Event{Kind: KindError, Text: err.Error()})
		err = fmt.Errorf("step %d: %w", r.Step, err)
	}
	return r.Done(), err
}

// Declines says why no model is asked for an answer to a question: it asks nothing, or to change data, or it goes on
// from another one; "" if one is.
func Declines(q *question.Question) string {
	if why := q.Nothing(); why != "" {
		return fmt.Sprintf("%q %s: ask for what the database holds", q.Text, why)
	}
	if verb := q.Changes(); verb != "" {
		return fmt.Sprintf("%q asks to change data, which is only read here: ask for what you want to see", verb)
	}
	if q.FollowsUp() {
		return fmt.Sprintf("%q goes on from another question, and each is asked alone: say in one all that you want to see",
			q.Text)
	}
	return ""
}

// Begin checks the question; declined says that it gets no answer.
func (r *Run) Begin() (declined bool, err error) {
	if err := CheckQuestion(r.Answer.Question); err != nil {
		return false, err
	}
	r.Step = -1
	read := func(text string) *question.Question {
		if r.Read != nil && r.Read.Text == text && r.Read.Schema == r.Schema {
			return r.Read
		}
		return question.Read(text, r.Schema)
	}
	r.State.Asked = read(r.Answer.Question)
	if r.State.Said = r.State.Asked; r.Prompts.Said != "" {
		r.State.Said = read(r.Prompts.Said)
	}
	r.Asked(r.Without)
	if r.Pairs.Len() > 0 {
		r.Prompts.Pairs = r.Pairs.Nearest(r.State.Asked, ShownPairs)
	}
	why := r.Refuse
	if r.Prompts.Said == "" { // else who knows the turn before has read it
		why = cmp.Or(why, Declines(r.State.Asked))
	}
	if why != "" && !r.Without.Off("declines") {
		r.decline(why)
		return true, nil
	}
	return false, nil
}

func (r *Run) run(ctx context.Context) error {
	if declined, err := r.Begin(); declined || err != nil {
		return err
	}
	r.history = append(r.history, "User question: "+r.Answer.Question)
	for _, tool := range []tools.Name{tools.GetSchema, tools.LinkSchema} {
		if r.Without.offTool(tool) {
			continue
		}
		if err := r.execute(ctx, tools.Call{Tool: tool, Args: NoArgs}); err != nil {
			return err
		}
	}
	steps := cmp.Or(r.MaxSteps, DefaultMaxSteps)
	for r.Step = 0; r.Step < steps && !r.State.Finished && !r.State.GivenUp && r.State.Stuck < maxStuck; r.Step++ {
		if err := r.oneStep(ctx); err != nil || r.Answer.How == ByDryRun {
			return err
		}
	}
	r.Answer.SQL = r.State.SQL
	if r.State.Finished {
		r.Answer.Result, r.Answer.How = r.State.Result, ByFinish
		return nil
	}
	return r.Fallback(ctx, r.State.Once && r.writes > 0)
}

// oneStep asks for an action, sends it through the gates and executes what they leave.
func (r *Run) oneStep(ctx context.Context) error {
	call, err := r.choose(ctx)
	if err != nil {
		return err
	}
	tool, log := rule(r.gates, r.State, call.Tool)
	for _, f := range log {
		r.Emit(Event{Kind: KindGate, Gate: f.id, Asked: f.asked, Tool: f.ruling.Force, OK: f.ruling.Block == "",
			Reason: f.ruling.Why, Text: f.ruling.Block})
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
		r.refuse(tool, "Unknown action: "+syntax.Clip(string(tool), 64))
		return nil
	case tool != call.Tool:
		call = tools.Call{Tool: tool, Args: NoArgs}
		if r.Plan == PlanModel { // the transcript shows what ran, not what was wished
			r.history[len(r.history)-1] = fmt.Sprintf("Action: %s[{}]", tool)
		}
	}
	if r.DryRun && tool == tools.RunSQL {
		r.Settle(ByDryRun, r.State.SQL, nil)
		return nil
	}
	return r.execute(ctx, call)
}

// choose returns the next action: the model's, or the one that the state requires.
func (r *Run) choose(ctx context.Context) (tools.Call, error) {
	if r.Plan != PlanModel {
		return tools.Call{Tool: r.State.Required(), Args: NoArgs}, nil
	}
	msgs, err := r.Prompts.React(r.Env(), r.history)
	if err != nil {
		return tools.Call{}, err
	}
	p := r.Params
	p.Stop = []string{"Observation:", "]\n"} // an action is complete without its last bracket
	c, err := r.Model.Generate(ctx, r.Without.offered(msgs), p)
	if err != nil {
		return tools.Call{}, err
	}
	call, _ := parseAction(c.Text)
	r.Emit(Event{Kind: KindModel, Text: c.Text, Asked: call.Tool, OK: true, Cost: &c, Took: c.Took})
	r.history = append(r.history, syntax.Clip(strings.TrimSpace(c.Text), MaxObservation))
	return call, nil
}

// refuse records an action that no tool can take: an observation, and a step that is gone.
func (r *Run) refuse(tool tools.Name, text string) {
	r.Emit(Event{Kind: KindTool, Tool: tool, Reason: text, Text: text})
	r.observe(text)
}

// MaxObservation bounds one observation of the transcript, in bytes; the schema's is not bounded.
const MaxObservation = 1200

func (r *Run) observe(text string) {
	r.history = append(r.history, "Observation: "+text)
}

// Env is what tools and prompts read of the run.
func (r *Run) Env() tools.Env {
	env := tools.Env{
		Asked: r.State.Asked, Said: r.State.Said, Schema: r.Schema, Focus: r.State.Focus,
		Constraints: r.State.Constraints, SQL: r.State.SQL, Query: r.State.Query, Result: r.State.Result,
		Err: r.State.Err, Failed: r.State.Failed, Retry: r.State.Stuck,
	}
	if c := r.State.Judged; c != nil {
		env.Known = c.Known
	}
	if q := r.State.Query; q != nil && env.Known.Result == nil {
		env.Known.Result = r.foundBy(*q)
	}
	if r.Without.Off("resample") {
		env.Retry = 0
	}
	return env
}

// execute runs one tool, the guardrails or the intent check that belong to it, and moves the state.
func (r *Run) execute(ctx context.Context, call tools.Call) error {
	start := time.Now()
	writes := call.Tool == tools.GenerateSQL || call.Tool == tools.RepairSQL
	var chosen *Candidate // of a vote; nil if there was none, or it has no winner
	var obs tools.Observation
	var err error
	if chosen = r.repeated(call.Tool); chosen != nil {
		obs.Text = chosen.Text
	} else if n, skip := r.candidates(call.Tool); n > 1 {
		if chosen, err = r.vote(ctx, n, skip); chosen != nil {
			obs.Text = chosen.Text
		}
	} else {
		obs, err = r.tools.Run(ctx, r.Env(), call)
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
	none := writes && chosen == nil && obs.Completion == nil // a vote without a winner
	if none {
		e.OK, e.Reason = false, NoCandidate
	}
	if obs.Schema != nil {
		e.Text = ""
		e.Tables = obs.Schema.TableNames()
		if call.Tool == tools.LinkSchema && !obs.Changed {
			e.Reason = "schema kept whole"
		}
	}
	if call.Tool == tools.RunSQL && r.State.Query != nil {
		e.SQL = r.State.Query.SQL()
	}
	r.Emit(e)
	r.note(call.Tool, obs)

	if writes && !none {
		if chosen == nil {
			chosen = r.Guarded(obs.Raw)
		}
		r.Propose(call.Tool, chosen)
		return nil
	}
	o := outcome{obs: obs}
	if obs.Query != nil {
		r.checked[r.State.SQL] = obs.Query
	}
	switch {
	case none:
		o.reject = NoCandidate
	case call.Tool == tools.RunSQL && obs.Result != nil:
		r.ran = &ran{r.State.SQL, obs.Result}
		r.found[r.State.Query.SQL()] = obs.Result
		o.intent = r.intended()
	}
	r.State = r.State.next(call.Tool, o)
	return nil
}

// intended holds the query that has just run against the question's intent.
func (r *Run) intended() sqlcheck.Verdict {
	v := r.Intends(r.State.Judged)
	if r.Without.Off("intent_check") {
		return v
	}
	r.Emit(Event{Kind: KindIntent, OK: v.OK, Reason: v.String(), Verdict: &v})
	if !v.OK {
		r.observe("Intent mismatch: " + v.String())
	}
	return v
}

// note writes a tool's observation into the transcript.
func (r *Run) note(tool tools.Name, obs tools.Observation) {
	if r.Step < 0 {
		r.history = append(r.history, fmt.Sprintf("Action: %s[{}]", tool))
	}
	switch {
	case obs.Schema != nil && r.Prompts.SchemaInSystem():
		r.observe(syntax.Clip("tables: "+strings.Join(obs.Schema.TableNames(), ", "), MaxObservation))
	case obs.Schema != nil:
		r.observe(obs.Text)
	case tool == tools.GenerateSQL, tool == tools.RepairSQL: // guard writes what became of it
	default:
		r.observe(syntax.Clip(obs.Text, MaxObservation))
	}
}
