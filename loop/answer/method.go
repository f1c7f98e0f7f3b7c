package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"nl2sql/loop"
	"nl2sql/sqlcheck/guard"
	"nl2sql/tools/retrieve"
)

// Settings are a method as people write it in flags, and as the card of a run has it.
type Settings struct {
	Agent     string // a name in the table of agents
	Guards    string // as [guard.ParseSet] takes it; "" means the agent's own
	Plan      string // of loop
	Prompts   string // of loop: the set, or auto, which [Method.On] settles
	Votes     int    // of loop: candidates; 0 leaves it to [Method.On]
	MaxSteps  int    // of loop, react and retrieval; 0 means the agent's own
	Without   string // what is switched off, as [loop.ParseWithout] takes it; a guard there is as "-NAME" in Guards
	Retrieval string // of retrieval: what a search that names no kind compares; "" and auto mean the agent's own
	Embedding string // of retrieval: the GGUF file that makes vectors; "" means the states of the model
}

// Method is how questions are answered: by which agent, and what else shapes its answers. [Settings.Method] makes it,
// and nothing changes it afterwards; the fields say the same as those of Settings.
type Method struct {
	Agent      string
	Guards     guard.Set
	GuardNames string // as [guard.ParseSet] takes them
	Plan       loop.Plan
	Prompts    string
	Votes      int
	MaxSteps   int
	Without    loop.Without
	Retrieval  retrieve.Kind
	Embedding  string
}

// Method reads settings. Its error says in one line what is wrong with the first of them that will not do.
func (s Settings) Method() (Method, error) {
	a := agentNamed(s.Agent)
	m := Method{
		Agent: s.Agent, GuardNames: cmp.Or(s.Guards, a.guards), Plan: loop.Plan(s.Plan), Prompts: s.Prompts,
		Votes: s.Votes, MaxSteps: s.MaxSteps, Retrieval: retrieve.Kind(s.Retrieval), Embedding: s.Embedding,
	}
	if a.name == "" {
		return m, fmt.Errorf("--agent: there is no %q: there are %s", s.Agent,
			each(", ", " and ", func(a agent) string { return a.name }))
	}
	if m.Retrieval == "auto" {
		m.Retrieval = ""
	}
	var guards []string
	var err error
	if m.Without, guards, err = loop.ParseWithout(s.Without, m.Agent, m.Plan); err != nil {
		return m, fmt.Errorf("--without: %w", err)
	}
	for _, name := range guards {
		m.GuardNames += ",-" + name
	}
	if m.Guards, err = guard.ParseSet(m.GuardNames); err != nil {
		return m, fmt.Errorf("--guards: %w", err)
	}
	for _, one := range []struct {
		flag, value string
		possible    []string
	}{
		{"plan", s.Plan, []string{"", string(loop.PlanFixed), string(loop.PlanModel)}},
		{"retrieval", string(m.Retrieval),
			[]string{"", string(retrieve.Keyword), string(retrieve.Semantic), string(retrieve.Both)}},
	} {
		if !slices.Contains(one.possible, one.value) {
			return m, fmt.Errorf("--%s: there is no %q: there are %s", one.flag, one.value,
				strings.Join(one.possible[1:], ", "))
		}
	}
	return m, nil
}

// InProcessVotes are the candidates that vote where nobody said how many, of a model in this program:
// evaluation/STEPS.md has what they were worth.
const InProcessVotes = 5

// On settles what the settings left to the model: the set of prompts, and how many candidates vote. inProcess says that
// the model runs in this program, where candidates that are drawn together are cheap. Agents that draw others after a
// failure vote.
func (m Method) On(prompts string, inProcess bool) Method {
	m.Prompts = prompts
	if m.Votes == 0 {
		m.Votes = 1
		if _, draws := m.Together(); draws > 0 && inProcess {
			m.Votes = InProcessVotes
		}
	}
	return m
}

// Ordered says that the agent keeps the loop's order, so that its trace can be compared with that.
func (m Method) Ordered() bool { return agentNamed(m.Agent).ordered }

// Taught reports whether the model is asked for nothing but SQL, with the prompts that built-in adapters were taught.
func (m Method) Taught() bool { return agentNamed(m.Agent).taught && m.Plan != loop.PlanModel }

// Together is how many calls of the model one question makes at once, and how many after a failure.
func (m Method) Together() (always, draws int) {
	if Takes(m.Agent, "votes") && m.Plan != loop.PlanModel {
		return m.Votes, loop.Tries
	}
	return m.Votes, 0
}

// Templates are the prompts that the agent renders: their set, and their names.
func (m Method) Templates() (set string, names []string) {
	a := agentNamed(m.Agent)
	if Takes(m.Agent, "prompts") {
		return m.Prompts, a.prompts
	}
	return cmp.Or(a.set, "dissertation"), a.prompts
}

// searches is what a search compares unless it says so: what found most tables (evaluation/STEPS.md, "Grammars and
// searches"), keyword where no model is named. The seed has semantic.
func (m Method) searches() retrieve.Kind {
	if m.Retrieval == "" && m.Embedding != "" {
		return retrieve.Both
	}
	return m.Retrieval
}
