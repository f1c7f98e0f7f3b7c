package loop

import (
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/question"
	"nl2sql/tools"
)

// TestGates has a line for every row of the reference's table, and for every text of the run gate.
func TestGates(t *testing.T) {
	known := &question.Constraints{}
	tests := []struct {
		name  string
		s     State
		asked tools.Name
		want  tools.Name // "" is blocked
		gate  GateID     // the last one that fired
		text  string     // part of what the model is shown
	}{
		{"forced repair", State{Constraints: known, SQL: "x", PendingRepair: "e"}, tools.RunSQL, tools.RepairSQL,
			"forced_repair", ""},
		{"forced repair of an absent action", State{Constraints: known, SQL: "x", PendingRepair: "e"}, "",
			tools.RepairSQL, "forced_repair", ""},
		{"repair that was asked for", State{Constraints: known, SQL: "x", PendingRepair: "e"}, tools.RepairSQL,
			tools.RepairSQL, "", ""},
		{"repair before constraints", State{SQL: "x", PendingRepair: "e"}, tools.Finish, tools.RepairSQL,
			"forced_repair", ""},
		{"forced regenerate", State{Constraints: known, PendingRegenerate: "e"}, tools.ValidateSQL, tools.GenerateSQL,
			"forced_regenerate", ""},
		{"regenerate outranks repair", State{Constraints: known, SQL: "x", PendingRepair: "e", PendingRegenerate: "e"},
			tools.RepairSQL, tools.GenerateSQL, "forced_regenerate", ""},
		{"forced constraints", State{}, tools.GenerateSQL, tools.ExtractConstraints, "forced_constraints", ""},
		{"constraints outrank regenerate", State{PendingRegenerate: "e"}, tools.RunSQL, tools.ExtractConstraints,
			"forced_constraints", ""},
		{"constraints that were asked for", State{}, tools.ExtractConstraints, tools.ExtractConstraints, "", ""},
		{"check without a candidate", State{Constraints: known}, tools.ValidateSQL, "", "candidate_gate", "no SQL yet"},
		{"repair without a candidate", State{Constraints: known}, tools.RepairSQL, "", "candidate_gate", "no SQL yet"},
		{"run without a candidate", State{Constraints: known}, tools.RunSQL, "", "run_gate", "no SQL yet"},
		{"run unvalidated", State{Constraints: known, SQL: "x"}, tools.RunSQL, "", "run_gate", "validate_sql first"},
		{"run invalid", State{Constraints: known, SQL: "x", Valid: Failed}, tools.RunSQL, "", "run_gate",
			"validate_sql failed"},
		{"run unconstrained", State{Constraints: known, SQL: "x", Valid: Passed}, tools.RunSQL, "", "run_gate",
			"validate_constraints first"},
		{"run against constraints", State{Constraints: known, SQL: "x", Valid: Passed, ConstraintsOK: Failed},
			tools.RunSQL, "", "run_gate", "validate_constraints failed"},
		{"run", State{Constraints: known, SQL: "x", Valid: Passed, ConstraintsOK: Passed}, tools.RunSQL, tools.RunSQL,
			"", ""},
		{"finish before a run", State{Constraints: known, SQL: "x", Valid: Passed, ConstraintsOK: Passed}, tools.Finish,
			"", "finish_gate", "run_sql"},
		{"finish after a failed run",
			State{Constraints: known, SQL: "x", Valid: Passed, ConstraintsOK: Passed, Ran: Failed}, tools.Finish, "",
			"finish_gate", "run_sql"},
		{"finish", State{Constraints: known, SQL: "x", Ran: Passed}, tools.Finish, tools.Finish, "", ""},
		{"schema inside the loop", State{Constraints: known}, tools.GetSchema, tools.GetSchema, "", ""},
	}
	fires := map[GateID]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, log := rule(gates, tt.s, tt.asked)
			var last fired
			if len(log) > 0 {
				last = log[len(log)-1]
			}
			fires[last.id] = true
			if got != tt.want || last.id != tt.gate || !strings.Contains(last.ruling.Block, tt.text) {
				t.Errorf("rule(%s) = %q by %q (%q), want %q by %q (%q)", tt.asked, got, last.id, last.ruling.Block,
					tt.want, tt.gate, tt.text)
			}
		})
	}
	for _, g := range gates {
		must.Be(t, fires[g.ID], "no line here makes", g.ID, "fire")
	}
}
