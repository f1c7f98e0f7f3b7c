package loop

import (
	"fmt"
	"strings"

	"nl2sql/tools"
)

// Summary says what a run did and whether it kept the order (tech. ref. §8.3).
type Summary struct {
	Actions       []tools.Name `json:"actions"`           // executed, in order, bootstrap included
	Blocked       int          `json:"blocked,omitempty"` // steps that a gate blocked
	Repairs       int          `json:"repairs"`
	ForcedRepairs int          `json:"forced_repairs"`
	OK            bool         `json:"compliance_ok"`
	Errors        []string     `json:"compliance_errors,omitempty"`
}

// orderings are the flags: tool must not run before needs has. A new candidate makes every check of
// the old one void, which the original's flags did not see (dissertation.md §2.21).
var orderings = []struct {
	flag        string
	tool, needs tools.Name
}{
	{"generate_without_constraints", tools.GenerateSQL, tools.ExtractConstraints},
	{"run_without_validate", tools.RunSQL, tools.ValidateSQL},
	{"run_without_validate_constraints", tools.RunSQL, tools.ValidateConstraints},
	{"finish_without_run", tools.Finish, tools.RunSQL},
}

// Compliance reads the summary out of a trace. It trusts no gate: it looks only at what was executed.
func (t Trace) Compliance() (s Summary) {
	done := map[tools.Name]bool{}
	var off Without
	for _, e := range t {
		if e.Kind == KindWithout {
			off = strings.Split(e.Reason, ", ")
		}
		if e.Kind == KindGate {
			if e.Tool == "" {
				s.Blocked++
			} else if e.Tool == tools.RepairSQL {
				s.ForcedRepairs++
			}
			continue
		}
		if e.Kind != KindTool || e.Tool == "" {
			continue
		}
		s.Actions = append(s.Actions, e.Tool)
		for _, o := range orderings {
			if o.tool == e.Tool && !done[o.needs] && !off.offTool(o.needs) {
				s.Errors = append(s.Errors, o.flag)
			}
		}
		switch e.Tool {
		case tools.RepairSQL:
			s.Repairs++
			fallthrough
		case tools.GenerateSQL:
			delete(done, tools.ValidateSQL)
			delete(done, tools.ValidateConstraints)
			delete(done, tools.RunSQL)
		}
		done[e.Tool] = e.OK || e.Tool == tools.ExtractConstraints
	}
	s.OK = len(s.Errors) == 0
	return s
}

// String is the summary in one line: "compliance: ok; 8 actions, 0 repairs (0 forced), 0 blocked".
func (s Summary) String() string {
	verdict := "ok"
	if !s.OK {
		verdict = strings.Join(s.Errors, ", ")
	}
	return fmt.Sprintf("compliance: %s; %d actions, %d repairs (%d forced), %d blocked", verdict, len(s.Actions),
		s.Repairs, s.ForcedRepairs, s.Blocked)
}
