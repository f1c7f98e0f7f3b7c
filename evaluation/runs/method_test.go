package runs

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/evaluation/record"
	"nl2sql/loop"
)

// What a card says of a method is the method: who verifies a run does it again as it was done.
func TestMethodOfCard(t *testing.T) {
	for _, tt := range []struct {
		m       Method
		guards  string
		without string
	}{
		{Method{Agent: "loop", Prompts: "default", Plan: loop.PlanFixed}, "default", ""},
		{Method{Agent: "loop", Prompts: "typed", Plan: loop.PlanFixed, Votes: 3, MaxSteps: 4, Without: "redraw, link_values"}, "default", "link_values,redraw"},
		{Method{Agent: "loop", Prompts: "default", Plan: loop.PlanModel, Guards: "dissertation,-concat", Without: "values,forced_repair,casing,values"}, "dissertation,-concat,-values,-casing", "forced_repair"},
		{Method{Agent: "react", Without: "star_check"}, "final", "star_check"},
		{Method{Agent: "baseline", Guards: "default", Without: "names"}, "default,-names", ""},
	} {
		var c, again record.Card
		if err := tt.m.describe(&c); err != nil {
			t.Errorf("%+v: %v", tt.m, err)
			continue
		}
		if without, _ := c.Params["without"].(string); c.Guards != tt.guards || without != tt.without {
			t.Errorf("%+v: guards %s, without %s", tt.m, c.Guards, without)
		}
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var read record.Card
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		if err := MethodOf(read).describe(&again); err != nil {
			t.Errorf("%+v: %v", tt.m, err)
		}
		if diff := cmp.Diff(c, again); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.m, diff)
		}
	}
	for without, want := range map[string]string{
		"finish":              "--without: finish stays on",
		"projection":          "--guards: guard \"projection\" is not in the set",
		"link_value":          "did you mean link_values?",
		"link_values,run_gat": "did you mean run_gate?",
	} {
		if err := (Method{Agent: "loop", Without: without}).Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", without, err, want)
		}
	}
}

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
		t.Errorf("votes of react: %v, model: %v of %q", Takes("react", "votes"), Takes("react", "model"), TakenBy("model"))
	}
}
