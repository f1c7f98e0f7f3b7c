package runs

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/sqlcheck/guard"
	"nl2sql/tools"
	"nl2sql/tools/retrieve"
)

// Method is how questions are answered: by which agent, and what else shapes its answers.
type Method struct {
	Agent     string         // a name in [agents]
	Guards    string         // as [guard.ParseSet] takes it; "" is the agent's own
	Plan      loop.Plan      // of loop
	Prompts   string         // of loop and candidates: the set
	Notes     tools.Notes    // of loop and candidates: the glossary
	Constrain loop.Constrain // of loop, candidates and baseline; off otherwise
	Votes     int            // of loop: candidates; 0 and 1 mean one
	MaxSteps  int            // of loop, react and retrieval; 0 means the agent's own
	Without   string         // what is switched off, as [loop.ParseWithout] takes it; a guard there is as "-NAME" in Guards
	Retrieval retrieve.Kind  // of retrieval: what a search that names no kind compares; "" means the agent's own
	Embedding string         // of retrieval: the GGUF file that makes vectors; "" means the states of the model

	Tables *retrieve.Store // of retrieval: as Embedding was opened; nil keeps nothing, and searches by keyword alone

	Candidates string // of candidates: options, as [loop.ParseCandidates] takes them

	Asking *Asking // nil in a run

	off loop.Without // of Without, for [agent.make]
}

// Asking is what one who asks may want beside, of which no card of a run tells.
type Asking struct {
	Params        llm.Params       // of loop; the others are greedy
	MinConfidence float64          // of loop and candidates
	MinAnswerable float64          // likewise
	DryRun        bool             // of loop and candidates
	OnEvent       func(loop.Event) // called in order for each question, for several at once if they are asked at once
}

// asking is what is asked for beside, which may be nothing.
func (m Method) asking() Asking {
	if m.Asking == nil {
		return Asking{}
	}
	return *m.Asking
}

// agent is a way to answer questions.
type agent struct {
	name, is string
	guards   string   // unless others are chosen
	set      string   // of its prompts; "" means that it takes one, or that the dissertation wrote them
	prompts  []string // the templates that it renders, for the card
	steps    int      // at most, unless others are chosen; 0 where it has one
	taught   bool     // it asks for SQL as the built-in adapters were taught
	takes    []string // the flags of ask and eval that say something to it and not to every agent
	make     func(m Method, guards guard.Set, model llm.Generator) (func(x *score.Executor, shots []loop.Exemplar) Answerer, error)
}

// agents there are. The prompts are those that the dissertation wrote unless the agent takes a set.
var agents = []agent{
	{
		name: "loop", is: "ours", guards: "default", prompts: []string{"react", "generate", "repair", "baseline", "reconstruct"}, steps: loop.DefaultMaxSteps, taught: true,
		takes: []string{"plan", "prompts", "notes", "constrain", "votes", "max-steps", "min-confidence", "min-answerable", "dry-run", "temperature", "top-p"},
		make:  makeLoop,
	},
	{
		name: "candidates", is: "several queries of which the one runs whose words fit best", guards: "default", prompts: []string{"generate", "repair", "baseline"}, taught: true,
		takes: []string{"candidates", "shots", "pool", "prompts", "notes", "constrain", "min-confidence", "min-answerable", "dry-run"},
		make:  makeCandidates,
	},
	{name: "baseline", is: "few-shot prompting, as the dissertation ran it", guards: "none", prompts: []string{"baseline"}, takes: []string{"shots", "pool", "constrain"}, make: makeBaseline},
	{name: "react", is: "query and finish, as the dissertation ran them", guards: "final", prompts: []string{"query"}, steps: 7, takes: []string{"shots", "pool", "max-steps"}, make: makeReact},
	{
		name: "retrieval", is: "which looks for its tables in a large schema", guards: "none", set: "experiment1", prompts: []string{"retrieval"}, steps: 10,
		takes: []string{"max-steps", "dry-run", "retrieval", "embedding"}, make: makeRetrieval,
	},
}

func makeLoop(m Method, guards guard.Set, model llm.Generator) (func(x *score.Executor, _ []loop.Exemplar) Answerer, error) {
	prompts, err := tools.NewPrompts(m.Prompts, m.Notes)
	a := m.asking()
	return func(x *score.Executor, _ []loop.Exemplar) Answerer {
		return &loop.Agent{
			Model: model, DB: x.DB, Schema: x.Schema, Prompts: prompts, Guards: guards, Plan: m.Plan, MaxSteps: m.MaxSteps, Constrain: m.Constrain, Votes: m.Votes,
			Without: m.off, Params: a.Params, MinConfidence: a.MinConfidence, MinAnswerable: a.MinAnswerable, DryRun: a.DryRun, OnEvent: a.OnEvent,
		}
	}, err
}

func makeCandidates(m Method, guards guard.Set, model llm.Generator) (func(x *score.Executor, shots []loop.Exemplar) Answerer, error) {
	options, err := loop.ParseCandidates(m.Candidates)
	if err != nil {
		return nil, err
	}
	prompts, err := tools.NewPrompts(m.Prompts, m.Notes)
	a := m.asking()
	return func(x *score.Executor, shots []loop.Exemplar) Answerer {
		return &loop.Candidates{
			Agent: loop.Agent{
				Model: model, DB: x.DB, Schema: x.Schema, Prompts: prompts, Guards: guards, Constrain: m.Constrain,
				Without: m.off, MinConfidence: a.MinConfidence, MinAnswerable: a.MinAnswerable, DryRun: a.DryRun, OnEvent: a.OnEvent,
			},
			Options: options, Shots: shots,
		}
	}, err
}

func makeBaseline(m Method, guards guard.Set, model llm.Generator) (func(x *score.Executor, shots []loop.Exemplar) Answerer, error) {
	return func(x *score.Executor, shots []loop.Exemplar) Answerer {
		b := &loop.Baseline{Model: model, Schema: x.Schema, Guards: guards, Shots: shots, Constrain: m.Constrain, OnEvent: m.asking().OnEvent}
		if m.Asking != nil { // what a run scores it runs itself
			b.DB = x.DB
		}
		return b
	}, nil
}

func makeReact(m Method, guards guard.Set, model llm.Generator) (func(x *score.Executor, shots []loop.Exemplar) Answerer, error) {
	return func(x *score.Executor, shots []loop.Exemplar) Answerer {
		return &loop.React{Model: model, DB: x.DB, Schema: x.Schema, Guards: guards, Shots: shots, MaxSteps: m.MaxSteps, Without: m.off, OnEvent: m.asking().OnEvent}
	}, nil
}

// kind is what a search compares unless it says so: what found most tables (loop/README.md), keyword where no model is named. The seed has semantic.
func (m Method) kind() retrieve.Kind {
	if m.Retrieval == "" && m.Embedding != "" {
		return retrieve.Both
	}
	return m.Retrieval
}

func makeRetrieval(m Method, guards guard.Set, model llm.Generator) (func(x *score.Executor, shots []loop.Exemplar) Answerer, error) {
	tables := m.Tables
	if tables == nil {
		tables = &retrieve.Store{}
	}
	return func(x *score.Executor, _ []loop.Exemplar) Answerer {
		return &loop.Retrieval{
			Model: model, DB: x.DB, Schema: x.Schema, Tables: tables, Guards: guards, Kind: m.kind(), Limits: loop.RetrievalLimits{Iterations: m.MaxSteps},
			DryRun: m.asking().DryRun, OnEvent: m.asking().OnEvent,
		}
	}, nil
}

// agentNamed is zero for a name that there is not.
func agentNamed(name string) agent {
	for _, a := range agents {
		if a.name == name {
			return a
		}
	}
	return agent{}
}

// each lists agents: what text says of one, but for those of which it says nothing.
func each(sep, last string, text func(agent) string) string {
	var all []string
	for _, a := range agents {
		if t := text(a); t != "" {
			all = append(all, t)
		}
	}
	n := len(all) - 1
	if n < 1 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:n], sep) + last + all[n]
}

// Words are what help says of agents: their names, with what they are, and what they have unless something else is chosen.
func Words() map[string]string {
	return map[string]string{
		"candidates": strings.ReplaceAll(loop.CandidateDefaults(), ",", ", "),
		"agents":     each(",", ",", func(a agent) string { return a.name }),
		"agent":      each(", ", " or ", func(a agent) string { return a.name + " (" + a.is + ")" }),
		"guards":     each(", ", ", ", func(a agent) string { return a.guards + " for " + a.name }),
		"switches":   strings.Join(loop.SwitchNames(), ", "),
		"steps": each(", ", ", ", func(a agent) string {
			if a.steps == 0 {
				return ""
			}
			return fmt.Sprintf("%d for %s", a.steps, a.name)
		}),
	}
}

// TakenBy says which agents take a flag: "loop", "loop or react"; "" if it is of every agent.
func TakenBy(flag string) string {
	return each(", ", " or ", func(a agent) string {
		if slices.Contains(a.takes, flag) {
			return a.name
		}
		return ""
	})
}

// Takes reports whether a flag says something to an agent.
func Takes(agent, flag string) bool {
	return slices.Contains(agentNamed(agent).takes, flag) || TakenBy(flag) == ""
}

// resolved reads Without: what is off, and the guards that are left.
func (m Method) resolved() (off loop.Without, guards string, err error) {
	guards = cmp.Or(m.Guards, agentNamed(m.Agent).guards)
	off, without, err := loop.ParseWithout(m.Without, m.Agent, m.Plan)
	if err != nil {
		return nil, "", fmt.Errorf("--without: %w", err)
	}
	for _, name := range without {
		guards += ",-" + name
	}
	return off, guards, nil
}

// Declines reports whether a question is answered without a model.
func (m Method) Declines(question string) bool {
	off, _, err := m.resolved()
	return err == nil && (m.Agent == "loop" || m.Agent == "candidates") && !off.Off("declines") && loop.Declines(question) != ""
}

// Steps are the most of one question; 0 where the agent counts none.
func (m Method) Steps() int {
	if o, err := loop.ParseCandidates(m.Candidates); err == nil && m.Agent == "candidates" {
		return o.MaxSteps
	}
	return cmp.Or(m.MaxSteps, agentNamed(m.Agent).steps)
}

// Taught reports whether the model is asked for nothing but SQL, with the prompts that built-in adapters were taught.
func (m Method) Taught() bool { return agentNamed(m.Agent).taught && m.Plan != loop.PlanModel }

// Together is how many calls of the model one question makes at once, and how many after a failure.
func (m Method) Together() (always, draws int) {
	if o, err := loop.ParseCandidates(m.Candidates); err == nil && m.Agent == "candidates" {
		return o.Together(), 0
	}
	if m.Agent == "loop" && m.Plan != loop.PlanModel {
		draws = loop.Tries
	}
	return m.Votes, draws
}

// Check says what is wrong with the method's guards, and with what is switched off.
func (m Method) Check() error {
	_, guards, err := m.resolved()
	if err != nil {
		return err
	}
	if _, err := guard.ParseSet(guards); err != nil {
		return fmt.Errorf("--guards: %w", err)
	}
	if _, err := loop.ParseCandidates(m.Candidates); err != nil {
		return fmt.Errorf("--candidates: %w", err)
	}
	return nil
}

// describe writes the method into a card.
func (m Method) describe(c *record.Card) (err error) {
	off, guards, err := m.resolved()
	if err != nil {
		return err
	}
	c.Agent, c.Guards, c.Prompts, c.Params = m.Agent, guards, map[string]string{}, map[string]any{"temperature": 0}
	if len(off) > 0 {
		c.Params["without"] = strings.Join(off, ",")
	}
	set := cmp.Or(agentNamed(m.Agent).set, "dissertation")
	switch m.Agent {
	case "loop":
		c.Params["plan"] = string(m.Plan)
	case "candidates":
		o, err := loop.ParseCandidates(m.Candidates)
		if err != nil {
			return err
		}
		delete(c.Params, "temperature") // it is an option
		c.Params["candidates"] = o.String()
	}
	if Takes(m.Agent, "prompts") {
		set = m.Prompts
		if len(m.Notes) > 0 && !off.Off("link_notes") {
			if c.Prompts["notes"], err = JSONHash(m.Notes); err != nil {
				return err
			}
		}
	}
	if m.Constrain != loop.ConstrainOff {
		c.Params["constrain"] = string(m.Constrain)
	}
	if m.Votes > 1 {
		c.Params["votes"] = m.Votes
	}
	if m.MaxSteps > 0 {
		c.Params["max_steps"] = m.MaxSteps
	}
	if m.Retrieval != "" {
		c.Params["retrieval"] = string(m.Retrieval)
	}
	if m.Embedding != "" {
		sum := sha256.New()
		if err := llm.Fingerprint(sum, m.Embedding); err != nil {
			return fmt.Errorf("--embedding: %w", err)
		}
		c.Params["embedding"] = fmt.Sprintf("%s %x", filepath.Base(m.Embedding), sum.Sum(nil)[:16])
	}
	for _, name := range agentNamed(m.Agent).prompts {
		if c.Prompts[set+"/"+name], err = tools.PromptHash(set, name); err != nil {
			return err
		}
	}
	return nil
}

// MethodOf reads out of a card what shaped the answers. Of a glossary the card has the hash alone.
func MethodOf(c record.Card) Method {
	m := Method{Agent: c.Agent, Guards: c.Guards, Prompts: "default", Constrain: loop.ConstrainOff}
	plan, _ := c.Params["plan"].(string)
	m.Plan = loop.Plan(plan)
	m.Candidates, _ = c.Params["candidates"].(string)
	if what, ok := c.Params["constrain"].(string); ok {
		m.Constrain = loop.Constrain(what)
	}
	if kind, ok := c.Params["retrieval"].(string); ok {
		m.Retrieval = retrieve.Kind(kind)
	}
	if n, ok := c.Params["votes"].(float64); ok {
		m.Votes = int(n)
	}
	if n, ok := c.Params["max_steps"].(float64); ok {
		m.MaxSteps = int(n)
	}
	m.Without, _ = c.Params["without"].(string)
	for name := range c.Prompts {
		if set, _, ok := strings.Cut(name, "/"); ok {
			m.Prompts = set
		}
	}
	return m
}

// Answerers makes who answers with a model, for [Live].
func (m Method) Answerers(model llm.Generator) (func(x *score.Executor, shots []loop.Exemplar) Answerer, error) {
	off, names, err := m.resolved()
	if err != nil {
		return nil, err
	}
	guards, err := guard.ParseSet(names)
	if err != nil {
		return nil, err
	}
	m.off = off
	return agentNamed(m.Agent).make(m, guards, model)
}
