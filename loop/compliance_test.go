package loop

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/tools"
)

func did(names ...tools.Name) (t Trace) {
	for _, n := range names {
		t = append(t, Event{Kind: KindTool, Tool: n, OK: true})
	}
	return t
}

// TestCompliance compares the flags with synthetic traces, the first four of which are those of the
// original's compliance script (dissertation.md §2.21).
func TestCompliance(t *testing.T) {
	failed := func(n tools.Name) Event { return Event{Kind: KindTool, Tool: n} }
	tests := []struct {
		name  string
		trace Trace
		want  []string
	}{
		{"happy path", did(tools.ExtractConstraints, tools.GenerateSQL, tools.ValidateSQL, tools.ValidateConstraints,
			tools.RunSQL, tools.Finish), nil},
		{"missing validate", did(tools.ExtractConstraints, tools.GenerateSQL, tools.ValidateConstraints, tools.RunSQL,
			tools.Finish), []string{"run_without_validate"}},
		{"missing run", did(tools.ExtractConstraints, tools.GenerateSQL, tools.ValidateSQL, tools.ValidateConstraints,
			tools.Finish), []string{"finish_without_run"}},
		{"forced repair", append(append(did(tools.ExtractConstraints, tools.GenerateSQL), failed(tools.ValidateSQL),
			Event{Kind: KindGate, Gate: "forced_repair", Asked: tools.RunSQL, Tool: tools.RepairSQL, OK: true}),
			did(tools.RepairSQL, tools.ValidateSQL, tools.ValidateConstraints, tools.RunSQL, tools.Finish)...), nil},
		{"no constraints", did(tools.GenerateSQL, tools.ValidateSQL, tools.ValidateConstraints, tools.RunSQL,
			tools.Finish), []string{"generate_without_constraints"}},
		{"constraints not validated",
			did(tools.ExtractConstraints, tools.GenerateSQL, tools.ValidateSQL, tools.RunSQL, tools.Finish),
			[]string{"run_without_validate_constraints"}},
		{"a repair voids the checks before it",
			did(tools.ExtractConstraints, tools.GenerateSQL, tools.ValidateSQL, tools.ValidateConstraints,
				tools.RepairSQL, tools.RunSQL, tools.Finish), []string{"run_without_validate",
				"run_without_validate_constraints"}},
		{"a failed check is no check",
			append(append(did(tools.ExtractConstraints, tools.GenerateSQL), failed(tools.ValidateSQL)),
				did(tools.ValidateConstraints, tools.RunSQL, tools.Finish)...), []string{"run_without_validate"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.trace.Compliance()
			if diff := cmp.Diff(tt.want, got.Errors); diff != "" || got.OK != (tt.want == nil) {
				t.Errorf("ok = %v, flags mismatch (-want +got):\n%s", got.OK, diff)
			}
		})
	}
	if s := tests[3].trace.Compliance(); s.ForcedRepairs != 1 || s.Repairs != 1 {
		t.Errorf("forced repair: %d forced of %d repairs, want 1 of 1", s.ForcedRepairs, s.Repairs)
	}
}
