package answer

import (
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// Every agent says what it is, and every flag that not all take says who does.
func TestAgents(t *testing.T) {
	for _, a := range agents {
		if a.name == "" || a.is == "" || a.guards == "" || a.make == nil {
			t.Errorf("%+v", a)
		}
		for _, flag := range a.takes {
			if !Takes(a.name, flag) || !strings.Contains(TakenBy(flag), a.name) {
				t.Errorf("%s takes %s: %s", a.name, flag, TakenBy(flag))
			}
		}
	}
	if Takes("react", "votes") || !Takes("react", "model") || TakenBy("model") != "" {
		t.Errorf("votes of react: %v, model: %v of %q", Takes("react", "votes"),
			Takes("react", "model"), TakenBy("model"))
	}
}

// Settings that will not do are told in one line, with the flag that they came from.
func TestSettingsThatWillNotDo(t *testing.T) {
	for want, s := range map[string]Settings{
		"--without: finish stays on":                            {Agent: "loop", Without: "finish"},
		"--guards: guard \"seed_projection\" is not in the set": {Agent: "loop", Without: "seed_projection"},
		"--without: there is no \"link_value\": did you mean":   {Agent: "loop", Without: "link_value"},
		"did you mean run_gate?":                                {Agent: "loop", Without: "link_values,run_gat"},
		"--agent: there is no \"lop\": there are loop, ":        {Agent: "lop"},
		"--plan: there is no \"free\": there are fixed, model":  {Agent: "loop", Plan: "free"},
		"--retrieval: there is no \"fast\": there are ":         {Agent: "retrieval", Retrieval: "fast"},
	} {
		if _, err := s.Method(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", s, err, want)
		}
	}
}

// How many candidates vote where nobody said so follows from the agent, its plan and where the model runs.
func TestVotes(t *testing.T) {
	for _, tt := range []struct {
		agent, plan string
		asked       int
		inProcess   bool
		want        int
	}{
		{"loop", "fixed", 0, true, InProcessVotes},
		{"loop", "fixed", 1, true, 1},
		{"loop", "fixed", 3, false, 3},
		{"loop", "fixed", 0, false, 1},
		{"loop", "model", 0, true, 1},
		{"react", "fixed", 0, true, 1},
	} {
		m := must.Get(Settings{Agent: tt.agent, Plan: tt.plan, Votes: tt.asked}.Method())(t)
		if got := m.On("default", tt.inProcess).Votes; got != tt.want {
			t.Errorf("%+v: %d votes", tt, got)
		}
	}
}
