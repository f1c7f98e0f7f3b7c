package loop

import (
	"testing"

	"pgregory.net/rapid"

	"nl2sql/runner"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

var everyTool = []tools.Name{
	"", "no_such_tool", tools.GetSchema, tools.LinkSchema, tools.ExtractConstraints, tools.GenerateSQL,
	tools.ValidateSQL,
	tools.ValidateConstraints, tools.RunSQL, tools.RepairSQL, tools.GetTableSamples, tools.Finish,
}

// TestGatesHoldForAnyPlan draws any actions and any outcomes and compares the state machine with what
// the reference promises (tech. ref. §2.3): nothing runs unvalidated, nothing finishes unexecuted,
// every failure forces a repair or a regenerate; with the fixed plan's retries until none is left.
func TestGatesHoldForAnyPlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := State{Once: rapid.Bool().Draw(t, "once"), Retries: retries}
		validated, constrained, executed := false, false, false // of the current candidate
		mustMend := false
		verdict := func(ok bool) *sqlcheck.Verdict {
			v := sqlcheck.Pass("refs")
			if !ok {
				v = sqlcheck.Reject("refs", "unknown_table", "x")
			}
			return &v
		}
		for i := range rapid.IntRange(1, 40).Draw(t, "steps") {
			asked := rapid.SampledFrom(everyTool).Draw(t, "asked")
			ok := rapid.Bool().Draw(t, "ok")
			tool, _ := rule(gates, s, asked)
			if s.Constraints == nil && tool != "" && tool != tools.ExtractConstraints && tool != tools.RepairSQL {
				t.Fatalf("%s before extract_constraints", tool)
			}
			if mustMend && s.Constraints != nil && tool != "" && tool != tools.RepairSQL && tool != tools.GenerateSQL {
				t.Fatalf("%s after a failure", tool)
			}
			var o outcome
			switch tool {
			case tools.ExtractConstraints:
				o.obs.Constraints = &question.Constraints{}
			case tools.GenerateSQL, tools.RepairSQL:
				if !ok {
					o.reject = "clean_reject:no_select"
					break
				}
				o.sql = "SELECT " + string(rune('a'+i%26))
				validated, constrained, executed, mustMend = false, false, false, false
			case tools.ValidateSQL:
				o.obs.Verdict, validated, mustMend = verdict(ok), ok, !ok
				if ok {
					o.obs.Query = &sqlcheck.Query{}
				}
			case tools.ValidateConstraints:
				o.obs.Verdict, constrained, mustMend = verdict(ok), ok, !ok
			case tools.RunSQL:
				must.Have(t, validated && constrained, "run_sql ran a candidate that had not passed both checks")
				o.intent = *verdict(rapid.Bool().Draw(t, "intent"))
				o.obs.Verdict = verdict(ok)
				if ok {
					o.obs.Result = &runner.Result{}
				}
				executed = ok && o.intent.OK
				mustMend = !executed
			case tools.Finish:
				must.Have(t, executed, "finish before a successful run_sql of the current candidate")
			case "", "no_such_tool", tools.GetSchema, tools.LinkSchema, tools.GetTableSamples:
				if tool == tools.LinkSchema {
					o.obs.Schema = &schema.Schema{}
				}
			}
			if tool != "" {
				s = s.next(tool, o)
			}
			if s.Ran == Passed && (s.Valid != Passed || s.ConstraintsOK != Passed || s.Query == nil) {
				t.Fatalf("ran without its checks: %+v", s)
			}
			must.Have(t, s.Rejects <= MaxRejects, s.Rejects, "regenerates were forced, at most", MaxRejects, "are")
			if s.GivenUp && (!s.Once || len(s.Retries) > 0) {
				t.Fatalf("given up with something left: %+v", s)
			}
			if s.Finished || s.GivenUp {
				return
			}
		}
	})
}

// TestRetries follows failures of the fixed plan: other candidates, one repair where there is something to repair, the
// end.
func TestRetries(t *testing.T) {
	bad := sqlcheck.Reject("refs", "unknown_table", "x")
	fail := outcome{obs: tools.Observation{Verdict: &bad}}
	s := State{Once: true, Retries: retries, Constraints: &question.Constraints{}}
	for i, step := range []struct {
		want tools.Name
		o    outcome
	}{
		{tools.GenerateSQL, outcome{sql: "SELECT 1"}}, {tools.ValidateSQL, fail},
		{tools.GenerateSQL, outcome{reject: NoCandidate}},
		{tools.RepairSQL, outcome{sql: "SELECT 2"}}, {tools.ValidateSQL, fail},
	} {
		if got := s.Required(); got != step.want || s.GivenUp {
			t.Fatalf("step %d: required %s, given up %v; want %s", i, got, s.GivenUp, step.want)
		}
		must.Be(t, s.PendingRepair == "" || s.Err == bad.Advice(), "step", i, "a repair is told", s.Err)
		s = s.next(step.want, step.o)
	}
	if !s.GivenUp {
		t.Errorf("not given up: %+v", s)
	}
	s = State{Once: true, Retries: retries, Constraints: &question.Constraints{}}
	for range 2 { // there is no query that could be repaired
		s = s.next(tools.GenerateSQL, outcome{reject: "clean_reject:no_select"})
	}
	if !s.GivenUp || s.Err != "clean_reject:no_select" {
		t.Errorf("without a query: %+v", s)
	}
}

// TestRequiredReachesFinish follows the fixed plan where every step succeeds: the seeds' order (tech. ref. §2.2).
func TestRequiredReachesFinish(t *testing.T) {
	pass := sqlcheck.Pass("refs")
	o := outcome{sql: "SELECT 1", intent: pass, obs: tools.Observation{
		Constraints: &question.Constraints{}, Verdict: &pass, Query: &sqlcheck.Query{}, Result: &runner.Result{},
	}}
	var s State
	for i, want := range []tools.Name{tools.ExtractConstraints, tools.GenerateSQL, tools.ValidateSQL,
		tools.ValidateConstraints, tools.RunSQL, tools.Finish} {
		got := s.Required()
		must.Have(t, got == want, "step", i, "required", got, want)
		if allowed, log := rule(gates, s, got); allowed != got || log != nil {
			t.Fatalf("step %d: the gates changed %s to %q", i, got, allowed)
		}
		s = s.next(got, o)
	}
	must.Be(t, s.Finished, "not finished")
}
