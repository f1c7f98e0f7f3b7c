package runs

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/evaluation/record"
	"nl2sql/loop/answer"
	"nl2sql/scripts/must"
)

// What a card says of a method is the method: who verifies a run does it again as it was done.
func TestMethodOfCard(t *testing.T) {
	for _, tt := range []struct {
		s       answer.Settings
		guards  string
		without string
	}{
		{answer.Settings{Agent: "loop", Prompts: "default", Plan: "fixed"}, "default", ""},
		{answer.Settings{Agent: "loop", Prompts: "typed", Plan: "fixed", Votes: 3, MaxSteps: 4,
			Without: "redraw, link_values"}, "default", "link_values,redraw"},
		{answer.Settings{Agent: "loop", Prompts: "default", Plan: "model", Guards: "default,-concat",
			Without: "texts,forced_repair,casing,texts"}, "default,-concat,-texts,-casing", "forced_repair"},
		{answer.Settings{Agent: "react", Without: "star_check"}, "final", "star_check"},
		{answer.Settings{Agent: "baseline", Guards: "default", Without: "names"}, "default,-names", ""},
	} {
		var c, again record.Card
		m, err := tt.s.Method()
		if err == nil {
			err = describe(&c, m, nil)
		}
		if err != nil {
			t.Errorf("%+v: %v", tt.s, err)
			continue
		}
		if without, _ := c.Params["without"].(string); c.Guards != tt.guards || without != tt.without {
			t.Errorf("%+v: guards %s, without %s", tt.s, c.Guards, without)
		}
		text := must.Get(json.Marshal(c))(t)
		var read record.Card
		must.Do(t, json.Unmarshal(text, &read))
		if m, err = SettingsOf(read).Method(); err == nil {
			err = describe(&again, m, nil)
		}
		if err != nil {
			t.Errorf("%+v: %v", tt.s, err)
		}
		if diff := cmp.Diff(c, again); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.s, diff)
		}
	}
}
