package answer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/dissertation"
	"nl2sql/loop/retrieval"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

// answerer is an agent that is ready for one question.
type answerer interface {
	Run(ctx context.Context, question string) (loop.Answer, error)
}

// agent is a way to answer questions.
type agent struct {
	name, is string
	guards   string   // unless others are chosen
	set      string   // of its prompts; "" means that it takes one, or that the dissertation wrote them
	prompts  []string // the templates that it renders, for the card of a run
	steps    int      // at most, unless others are chosen; 0 where it has one
	taught   bool     // it asks for SQL as the built-in adapters were taught
	ordered  bool     // it keeps the loop's order, which traces are compared with, and declines what asks nothing
	infers   bool     // it reads keys and references that nobody declared, too
	shows    bool     // its exemplars have what they find
	takes    []string // the flags of ask and eval that say something to it and not to every agent
	make     func(a *Asker, d Database, q Question, events func(loop.Event)) answerer
}

// agents there are. The prompts are those that the dissertation wrote unless the agent takes a set.
var agents = []agent{
	{
		name: "loop", is: "ours", guards: "default",
		prompts: []string{"react", "generate", "repair", "baseline", "reconstruct"}, steps: loop.DefaultMaxSteps,
		taught: true, ordered: true, infers: true,
		takes: []string{
			"plan", "prompts", "notes", "votes", "max-steps", "min-confidence", "min-answerable",
			"dry-run", "temperature", "top-p", "pairs", "pairs-from", "pairs-count",
		},
		make: func(a *Asker, d Database, q Question, events func(loop.Event)) answerer {
			l := a.loop(d, q, events)
			l.Pairs = cmp.Or(q.Pairs, d.Pairs)
			l.Plan, l.MaxSteps, l.Params = a.method.Plan, a.method.MaxSteps, q.Params
			if !q.DryRun {
				l.Votes = a.method.Votes
			}
			return &l
		},
	},
	{
		name: "baseline", is: "few-shot prompting, as the dissertation ran it", guards: "none",
		prompts: []string{"baseline"},
		takes:   []string{"shots", "pool"},
		make: func(a *Asker, d Database, q Question, events func(loop.Event)) answerer {
			b := &dissertation.Baseline{
				Model: a.model, Schema: d.Schema, Guards: a.method.Guards, Shots: q.Shots,
				OnEvent: events,
			}
			if !q.Scored {
				b.DB = d.DB
			}
			return b
		},
	},
	{
		name: "react", is: "query and finish, as the dissertation ran them", guards: "final",
		prompts: []string{"query"},
		steps:   dissertation.ReactSteps, shows: true, takes: []string{"shots", "pool", "max-steps"},
		make: func(a *Asker, d Database, q Question, events func(loop.Event)) answerer {
			return &dissertation.React{
				Model: a.model, DB: d.DB, Schema: d.Schema, Guards: a.method.Guards, Shots: q.Shots,
				MaxSteps: a.method.MaxSteps,
				Without:  a.method.Without, OnEvent: events,
			}
		},
	},
	{
		name: "retrieval", is: "which looks for its tables in a large schema", guards: "none", set: "experiment1",
		prompts: []string{"retrieval"}, steps: retrieval.Iterations,
		takes: []string{"max-steps", "dry-run", "retrieval", "embedding"},
		make: func(a *Asker, d Database, q Question, events func(loop.Event)) answerer {
			return &retrieval.Agent{
				Model: a.model, DB: d.DB, Schema: d.Schema, Tables: a.tables, Guards: a.method.Guards,
				Kind:   a.method.searches(),
				Limits: retrieval.Limits{Iterations: a.method.MaxSteps}, DryRun: q.DryRun, OnEvent: events,
			}
		},
	},
}

// loop is what the agents have in common that keep the loop's order.
func (a *Asker) loop(d Database, q Question, events func(loop.Event)) loop.Agent {
	prompts := q.showing(*a.prompts)
	prompts.Notes = d.Notes
	return loop.Agent{
		Model: a.model, DB: d.DB, Schema: d.Schema, Prompts: &prompts, Guards: a.method.Guards,
		Without: a.method.Without, MinConfidence: q.MinConfidence, MinAnswerable: q.MinAnswerable, DryRun: q.DryRun,
		OnEvent: events, Read: q.Read, Refuse: q.refuse,
	}
}

// showing are prompts that show the last turn, if the question has one, and what is said now where it goes on.
func (q Question) showing(p tools.Prompts) tools.Prompts {
	if q.Behind.SQL != "" {
		p.Behind = tools.Pair{Question: q.Behind.Question, SQL: q.Behind.SQL}
		if !q.alone {
			p.Said = q.Text
		}
	}
	return p
}

// Prompt is what a model reads first where the agent loop asks it a question: the bytes to train it on. A question with
// a turn behind it is taken to go on from it, whatever its words are.
func Prompt(p tools.Prompts, q Question, s *schema.Schema) ([]llm.Message, error) {
	text := q.Text
	if q.Behind.Question != "" {
		text = q.Behind.With(text)
	}
	p = q.showing(p)
	env := tools.Env{Asked: question.Read(text, s), Schema: s}
	env.Focus, _ = p.Focus(env.Asked, s)
	p.Pairs = q.Pairs.Nearest(env.Asked, loop.ShownPairs)
	return p.Generate(env)
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
	all := syntax.Filter(syntax.Map(agents, text), func(t string) bool { return t != "" })
	n := len(all) - 1
	if n < 1 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:n], sep) + last + all[n]
}

// Words are what help says of agents: their names, with what they are, and what they have unless something else is
// chosen.
func Words() map[string]string {
	return map[string]string{
		"agents":   each(",", ",", func(a agent) string { return a.name }),
		"agent":    each(", ", " or ", func(a agent) string { return a.name + " (" + a.is + ")" }),
		"guards":   each(", ", ", ", func(a agent) string { return a.guards + " for " + a.name }),
		"switches": strings.Join(loop.SwitchNames(), ", "),
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

// Refuses says that a flag says nothing to an agent, and to which it would; nil where it does.
func Refuses(agent, flag string) error {
	if Takes(agent, flag) {
		return nil
	}
	return fmt.Errorf("--%s needs --agent %s: %s does without", flag, TakenBy(flag), agent)
}
