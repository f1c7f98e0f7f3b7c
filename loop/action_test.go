package loop

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/tools"
)

func TestParseAction(t *testing.T) {
	tests := []struct {
		name, in string
		want     tools.Call
		ok       bool
	}{
		{"plain", "Thought: go\nAction: run_sql[{}]", tools.Call{Tool: tools.RunSQL, Args: NoArgs}, true},
		{"last one wins", "Action: run_sql[{}]\nAction: finish[{}]", tools.Call{Tool: tools.Finish,
			Args: NoArgs}, true},
		{"arguments", `Action: get_table_samples[{"table": "a]b", "n": 3}]`,
			tools.Call{Tool: tools.GetTableSamples, Args: json.RawMessage(`{"table":"a]b","n":3}`)}, true},
		{"over several lines", "Action: generate_sql[{\n \"a\": 1\n}]",
			tools.Call{Tool: tools.GenerateSQL, Args: json.RawMessage(`{"a":1}`)}, true},
		{"bad JSON is an empty object", "Action: run_sql[{sql: SELECT 1}]",
			tools.Call{Tool: tools.RunSQL, Args: NoArgs}, true},
		{"a list is an empty object", "Action: run_sql[[1,2]]", tools.Call{Tool: tools.RunSQL, Args: NoArgs}, true},
		{"null is an empty object", "Action: run_sql[null]", tools.Call{Tool: tools.RunSQL, Args: NoArgs}, true},
		{"cut at the closing bracket", `Action: get_table_samples[{"table": "a"}`,
			tools.Call{Tool: tools.GetTableSamples, Args: json.RawMessage(`{"table":"a"}`)}, true},
		{"no bracket", "Action: finish", tools.Call{Tool: tools.Finish, Args: NoArgs}, true},
		{"bold, as small models write", "**Action:** validate_sql[{}]",
			tools.Call{Tool: tools.ValidateSQL, Args: NoArgs}, true},
		{"in a fence", "```\nAction: run_sql[{}]\n```", tools.Call{Tool: tools.RunSQL, Args: NoArgs}, true},
		{"upper case", "Action: RUN_SQL[{}]", tools.Call{Tool: tools.RunSQL, Args: NoArgs}, true},
		{"unknown name is kept for the observation", "Action: drop_table[{}]",
			tools.Call{Tool: "drop_table", Args: NoArgs}, true},
		{"talk about actions is none", "The next Action: could be run_sql", tools.Call{}, false},
		{"none", "SELECT 1", tools.Call{}, false},
		{"empty", "", tools.Call{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := parseAction(tt.in)
			if diff := cmp.Diff(tt.want, got); diff != "" || ok != tt.ok {
				t.Errorf("parseAction(%q) ok = %v, mismatch (-want +got):\n%s", tt.in, ok, diff)
			}
		})
	}
}

func FuzzParseAction(f *testing.F) {
	for _, s := range []string{"Action: run_sql[{}]", "Action: finish[{\"a\": [1, \"]\"]}]\nAction:", "Action: x[{{{{",
		"Action: a[\"\\u0000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		call, ok := parseAction(text)
		if !ok {
			return
		}
		var object map[string]any
		if err := json.Unmarshal(call.Args, &object); err != nil || object == nil {
			t.Errorf("parseAction(%q) arguments %q are no object: %v", text, call.Args, err)
		}
	})
}
