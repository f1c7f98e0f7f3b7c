package loop

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"nl2sql/llm"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

// Switch is one thing that an agent does beside asking the model, by its name, and can do without.
type Switch struct {
	Name, Kind string
	Off        string   // what is so without it
	Of         []string // the agents that have it; nil is every agent
	Plan       Plan     // of loop: the one plan with which it acts; "" is both
}

//go:embed switches.yaml
var switchTable string

// Switches are all of them. Guards are switched off by their own names, too.
var Switches = syntax.Rows[Switch](switchTable)

//go:embed fixed.txt
var fixedTable string

// Fixed are gates, tools and checks that stay on, and switches that went, by name, with what is so.
var Fixed = syntax.Table(fixedTable)

// Without are the names of switches that are off, in the order of [Switches]. A nil one has all on.
type Without []string

// Off reports whether one of them is.
func (w Without) Off(name string) bool { return slices.Contains(w, name) }

// offTool is [Without.Off] of a tool.
func (w Without) offTool(name tools.Name) bool { return w.Off(string(name)) }

// ParseWithout reads names with commas between them: switches that the agent has with the plan, and guards. Its error
// says, in one line, what is wrong with the first name that will not do.
func ParseWithout(text, agent string, plan Plan) (off Without, guards []string, err error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil, nil
	}
	var names []string
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		if slices.Contains(guard.Names(), name) {
			if !slices.Contains(guards, name) {
				guards = append(guards, name)
			}
			continue
		}
		if err := switchable(name, agent, plan); err != nil {
			return nil, nil, err
		}
		names = append(names, name)
	}
	off = syntax.Filter(SwitchNames(), func(name string) bool { return slices.Contains(names, name) })
	return off, guards, nil
}

// switchable says why a switch cannot be off.
func switchable(name, agent string, plan Plan) error {
	i := slices.IndexFunc(Switches(), func(s Switch) bool { return s.Name == name })
	if why := Fixed[name]; why != "" {
		return fmt.Errorf("%s %s", name, why)
	} else if i < 0 {
		all := slices.Concat(guard.Names(), SwitchNames(), slices.Sorted(maps.Keys(Fixed)))
		return fmt.Errorf("there is no %q: %s", name,
			syntax.DidYouMean(name, all, "there are "+strings.Join(SwitchNames(), ", ")+", and the guards"))
	}
	switch s := Switches()[i]; {
	case s.Of != nil && !slices.Contains(s.Of, agent):
		return fmt.Errorf("%s is of --agent %s: %s is without already", name, strings.Join(s.Of, " or "), agent)
	case s.Plan != "" && agent == "loop" && s.Plan != cmp.Or(plan, PlanFixed):
		return fmt.Errorf("%s acts with --plan %s alone", name, s.Plan)
	}
	return nil
}

// SwitchNames are those of [Switches].
func SwitchNames() []string { return syntax.Map(Switches(), func(s Switch) string { return s.Name }) }

// leave prepares a for its own question: without the linking steps that are off.
func (a *Agent) leave() {
	p := *a.Prompts
	if a.Without.offTool(tools.LinkSchema) {
		p.MaxTables = 0
	}
	p.NoValues, p.NoComments = a.Without.Off("link_values"), a.Without.Off("link_comments")
	p.NoSynonyms = a.Without.Off("link_synonyms")
	a.Prompts = &p
}

// retriesOf is what follows a failure of the fixed plan.
func (a *Agent) retriesOf() []tools.Name {
	return slices.DeleteFunc(slices.Clone(retries), func(n tools.Name) bool {
		if n == tools.GenerateSQL { // draws are told apart by their rows
			return a.DryRun || a.Without.Off("redraw") || !a.Prompts.Resamples()
		}
		return a.Without.offTool(n)
	})
}

// offered drops the lines of a prompt that name a tool that is off, but for the example of an action.
func (w Without) offered(msgs []llm.Message) []llm.Message {
	if len(w) == 0 {
		return msgs
	}
	var kept []string
lines:
	for line := range strings.Lines(msgs[0].Content) {
		for _, s := range Switches() {
			if s.Kind != "tool" || !w.Off(s.Name) || strings.HasPrefix(line, "Action: ") {
				continue
			}
			if strings.HasPrefix(line, "Tools: ") {
				line = strings.Replace(line, s.Name+", ", "", 1)
			} else if strings.Contains(line, s.Name) {
				continue lines
			}
		}
		kept = append(kept, line)
	}
	msgs = slices.Clone(msgs)
	msgs[0].Content = strings.Join(kept, "")
	return msgs
}

// intent is the intent check of a query, if it is on.
func (r *Run) intent(c *Candidate) sqlcheck.Verdict {
	if r.Without.Off("intent_check") {
		return sqlcheck.Pass("intent")
	}
	if q := r.checked[c.SQL]; q != nil {
		return r.State.Said.CheckIntentOf(q.Stmt())
	}
	return r.State.Said.CheckIntent(c.SQL)
}
