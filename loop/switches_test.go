package loop

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/guard"
	"nl2sql/tools"
)

func TestParseWithout(t *testing.T) {
	for _, tt := range []struct {
		text, agent string
		plan        Plan
		off, guards []string
		err         string
	}{
		{text: "", agent: "loop"},
		{text: "link_values, intent_check", agent: "loop", off: []string{"link_values", "intent_check"}},
		{text: "intent_check,names,link_values,concat", agent: "loop", off: []string{"link_values", "intent_check"},
			guards: []string{"names", "concat"}},
		{text: "names", agent: "baseline", guards: []string{"names"}},
		{text: "forced_repair", agent: "loop", plan: PlanModel, off: []string{"forced_repair"}},
		{text: "forced_repair", agent: "loop", err: "forced_repair acts with --plan model alone"},
		{text: "redraw", agent: "loop", plan: PlanModel, err: "redraw acts with --plan fixed alone"},
		{text: "link_value", agent: "loop", err: `there is no "link_value": did you mean link_values?`},
		{text: "Intent-Check", agent: "loop", err: `there is no "Intent-Check": did you mean intent_check?`},
		{text: "names,,concat", agent: "loop", err: `there is no "": there are forced_repair, `},
		{text: "link_values", agent: "react", err: "link_values is of --agent loop: react is without already"},
		{text: "star_check", agent: "loop", err: "star_check is of --agent react: loop is without already"},
		{text: "validate_sql", agent: "loop", err: "validate_sql stays on: nothing runs that was not checked"},
		{text: "run_gate", agent: "loop", err: "run_gate stays on: nothing runs that was not checked"},
		{text: "finish_gate", agent: "loop", err: "finish_gate stays on: nothing is finished that did not run"},
		{text: "read_only", agent: "react",
			err: "read_only stays on: only a SELECT that reads, of names that exist, runs"},
	} {
		off, guards, err := ParseWithout(tt.text, tt.agent, tt.plan)
		if got := fmt.Sprint(err); !slices.Equal(off, tt.off) || !slices.Equal(guards, tt.guards) ||
			(err == nil) != (tt.err == "") || err != nil && !strings.HasPrefix(got, tt.err) {
			t.Errorf("%q of %s: %v, %v, %v", tt.text, tt.agent, off, guards, err)
		}
	}
	seen := map[string]bool{}
	for name := range Fixed {
		seen[name] = true
	}
	for _, name := range guard.Names() {
		seen[name] = true
	}
	for _, s := range Switches() {
		if seen[s.Name] || s.Off == "" || s.Kind == "" {
			t.Errorf("%+v", s)
		}
		seen[s.Name] = true
	}
	for _, g := range gates { // what has a name in traces is known here
		must.Be(t, seen[string(g.ID)], "no switch is named", g.ID)
	}
	for _, tool := range tools.NewSet(nil, nil, nil, llm.Params{}) {
		must.Be(t, seen[string(tool.Name())], "no switch is named", tool.Name())
	}
}
