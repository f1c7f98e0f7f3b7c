package loop

import (
	"testing"

	"pgregory.net/rapid"

	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

var everyTool = []tools.Name{
	"", "no_such_tool", tools.GetSchema, tools.LinkSchema, tools.ExtractConstraints, tools.GenerateSQL, tools.ValidateSQL,
	tools.ValidateConstraints, tools.RunSQL, tools.RepairSQL, tools.GetTableSamples, tools.Finish,
}

// TestGatesHoldForAnyPlan draws any actions and any outcomes and holds the state machine against what
// the reference promises (tech. ref. §2.3): nothing runs unvalidated, nothing finishes unexecuted,
// every failure forces a repair or a regenerate.
func TestGatesHoldForAnyPlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s State
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
				if !validated || !constrained {
					t.Fatal("run_sql ran a candidate that had not passed both checks")
				}
				o.intent = *verdict(rapid.Bool().Draw(t, "intent"))
				o.obs.Verdict = verdict(ok)
				if ok {
					o.obs.Result = &runner.Result{}
				}
				executed = ok && o.intent.OK
				mustMend = !executed
			case tools.Finish:
				if !executed {
					t.Fatal("finish before a successful run_sql of the current candidate")
				}
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
			if s.Rejects > MaxRejects {
				t.Fatalf("%d regenerates were forced, at most %d are", s.Rejects, MaxRejects)
			}
			if s.Finished {
				return
			}
		}
	})
}

// TestRequiredReachesFinish follows the fixed plan where every step succeeds: the seeds' order (tech. ref. §2.2).
func TestRequiredReachesFinish(t *testing.T) {
	pass := sqlcheck.Pass("refs")
	o := outcome{sql: "SELECT 1", intent: pass, obs: tools.Observation{
		Constraints: &question.Constraints{}, Verdict: &pass, Query: &sqlcheck.Query{}, Result: &runner.Result{},
	}}
	var s State
	for i, want := range []tools.Name{tools.ExtractConstraints, tools.GenerateSQL, tools.ValidateSQL, tools.ValidateConstraints, tools.RunSQL, tools.Finish} {
		got := s.required()
		if got != want {
			t.Fatalf("step %d: required %s, want %s", i, got, want)
		}
		if allowed, log := rule(gates, s, got); allowed != got || log != nil {
			t.Fatalf("step %d: the gates changed %s to %q", i, got, allowed)
		}
		s = s.next(got, o)
	}
	if !s.Finished {
		t.Error("not finished")
	}
}
