package runs

import (
	"cmp"
	"fmt"
	"strings"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/sqlcheck/guard"
	"nl2sql/tools"
)

// Method is how the questions of a run are answered: by which agent, and what else shapes its answers.
type Method struct {
	Agent     string         // loop (ours), baseline (few-shot prompting) or react (query and finish), the last two as the dissertation ran them
	Guards    string         // as [guard.ParseSet] takes it; "" is the agent's own
	Plan      loop.Plan      // of loop
	Prompts   string         // of loop: the set
	Notes     tools.Notes    // of loop: the glossary
	Constrain loop.Constrain // of loop and baseline; off otherwise
	Votes     int            // of loop: candidates; 0 and 1 mean one
	MaxSteps  int            // of loop and react; 0 means 8 and 7
}

// agents are the guards that each has unless others are chosen, and its prompts, which the dissertation wrote unless a set is chosen.
var agents = map[string]struct {
	guards  string
	prompts []string
}{
	"loop":     {"default", []string{"react", "generate", "repair", "baseline"}},
	"baseline": {"none", []string{"baseline"}},
	"react":    {"final", []string{"query"}},
}

func (m Method) guards() string { return cmp.Or(m.Guards, agents[m.Agent].guards) }

// Check says what is wrong with the method's guards.
func (m Method) Check() error {
	if _, err := guard.ParseSet(m.guards()); err != nil {
		return fmt.Errorf("--guards: %w", err)
	}
	return nil
}

// describe writes the method into a card.
func (m Method) describe(c *record.Card) (err error) {
	c.Agent, c.Guards, c.Prompts, c.Params = m.Agent, m.guards(), map[string]string{}, map[string]any{"temperature": 0}
	set := "dissertation"
	if m.Agent == "loop" {
		set = m.Prompts
		c.Params["plan"] = string(m.Plan)
		if len(m.Notes) > 0 {
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
	for _, name := range agents[m.Agent].prompts {
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
	if what, ok := c.Params["constrain"].(string); ok {
		m.Constrain = loop.Constrain(what)
	}
	if n, ok := c.Params["votes"].(float64); ok {
		m.Votes = int(n)
	}
	if n, ok := c.Params["max_steps"].(float64); ok {
		m.MaxSteps = int(n)
	}
	for name := range c.Prompts {
		if set, _, ok := strings.Cut(name, "/"); ok {
			m.Prompts = set
		}
	}
	return m
}

// Answerers makes who answers with a model, for [Live].
func (m Method) Answerers(model llm.Generator) (func(x *score.Executor, shots []loop.Exemplar) Answerer, error) {
	guards, err := guard.ParseSet(m.guards())
	if err != nil {
		return nil, err
	}
	switch m.Agent {
	case "baseline":
		return func(x *score.Executor, shots []loop.Exemplar) Answerer {
			return &loop.Baseline{Model: model, Schema: x.Schema, Guards: guards, Shots: shots, Constrain: m.Constrain}
		}, nil
	case "react":
		return func(x *score.Executor, shots []loop.Exemplar) Answerer {
			return &loop.React{Model: model, DB: x.DB, Schema: x.Schema, Guards: guards, Shots: shots, MaxSteps: m.MaxSteps}
		}, nil
	}
	prompts, err := tools.NewPrompts(m.Prompts, m.Notes)
	return func(x *score.Executor, _ []loop.Exemplar) Answerer {
		return &loop.Agent{Model: model, DB: x.DB, Schema: x.Schema, Prompts: prompts, Guards: guards, Plan: m.Plan, MaxSteps: m.MaxSteps, Constrain: m.Constrain, Votes: m.Votes}
	}, err
}
