package loop

import (
	"nl2sql/runner"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// Check is the outcome of one check for the current candidate.
type Check string

// The zero Check is unknown: the candidate has not been checked yet.
const (
	Unknown Check = ""
	Passed  Check = "passed"
	Failed  Check = "failed"
)

// State is what the loop remembers between steps (tech. ref. §6). Only next changes it.
type State struct {
	Asked       *question.Question // read once, when the run begins
	Said        *question.Question // what of it is said now; Asked where it does not go on from another question
	Focus       *schema.Schema
	Constraints *question.Constraints // nil forces extract_constraints

	SQL           string          // current candidate, after the guardrails
	Query         *sqlcheck.Query // set while Valid is Passed
	Valid         Check           // validate_sql of SQL
	ConstraintsOK Check           // validate_constraints of SQL
	Ran           Check           // run_sql of SQL, intent check included
	Result        *runner.Result  // of SQL, if Ran is Passed
	// what is known of SQL, if it was checked and run before it was chosen
	Judged *Candidate

	Err               string // last failure, as repair_sql is told it
	PendingRepair     string // non-empty forces repair_sql
	PendingRegenerate string // non-empty forces generate_sql, once
	Rejects           int    // guardrail rejects so far; MaxRejects of them are forgiven
	Stuck             int    // guardrail rejects in a row
	Failed            []tools.Attempt
	Finished          bool

	Without Without // what is switched off

	// Once says that each way of retries is tried once. Without it failures are repaired to the last step, as the
	// reference does.
	Once    bool
	Retries []tools.Name // of Once: what is left to try
	GivenUp bool         // of Once: it failed, and nothing is left
}

// retries follow a failure of the fixed plan, in turn, each once: a model that brought a text once brings it again.
// generate_sql draws other candidates there, and the rows of most of them decide (votes.go); repair_sql shows the model
// its text and the error.
var retries = []tools.Name{tools.GenerateSQL, tools.RepairSQL}

// retry chooses what follows a failure.
func (s State) retry(why string) State {
	s.PendingRepair, s.PendingRegenerate = "", ""
	for len(s.Retries) > 0 {
		next := s.Retries[0]
		s.Retries = s.Retries[1:]
		switch {
		case next == tools.GenerateSQL:
			s.PendingRegenerate = why
			return s
		case s.SQL != "": // there is something to repair
			s.PendingRepair = why
			return s
		}
	}
	s.GivenUp = true
	return s
}

// MaxRejects is MAX_CLEAN_REJECT_RETRIES (tech. ref. §5).
const MaxRejects = 1

// maxStuck ends a run whose texts keep being rejected; the original looped to its last step (dissertation.md §9, 6).
const maxStuck = 3

// outcome is what one step found, after the guardrails and the intent check.
type outcome struct {
	obs    tools.Observation
	sql    string           // generate_sql, repair_sql: the accepted candidate, "" if rejected
	reject string           // why the guardrails rejected it
	judged *Candidate       // the candidate, with what is known of it
	intent sqlcheck.Verdict // run_sql: the intent check of a result
}

// next is the whole state machine: what a tool's outcome changes.
func (s State) next(tool tools.Name, o outcome) State {
	switch tool {
	case tools.LinkSchema:
		s.Focus = o.obs.Schema
	case tools.ExtractConstraints:
		s.Constraints = o.obs.Constraints
	case tools.GenerateSQL:
		s.PendingRegenerate = ""
		if o.reject != "" {
			return s.rejected(o.reject)
		}
		s = s.candidate(o)
		s.Err, s.PendingRepair = "", ""
	case tools.RepairSQL:
		if o.reject != "" {
			return s.rejected(o.reject)
		}
		s = s.candidate(o)
		s.PendingRepair = ""
	case tools.ValidateSQL:
		s.Valid, s.Query = Failed, nil
		if o.obs.Verdict.OK {
			s.Valid, s.Query = Passed, o.obs.Query
			break
		}
		s = s.failed(*o.obs.Verdict)
	case tools.ValidateConstraints:
		s.ConstraintsOK = Failed
		if o.obs.Verdict.OK {
			s.ConstraintsOK = Passed
			break
		}
		s = s.failed(*o.obs.Verdict)
	case tools.RunSQL:
		s.Ran, s.Result = Failed, nil
		switch {
		case o.obs.Result == nil:
			s = s.failed(*o.obs.Verdict)
		case !o.intent.OK:
			s = s.failed(o.intent)
		default:
			s.Ran, s.Result = Passed, o.obs.Result
		}
	case tools.Finish:
		s.Finished = true
	}
	return s
}

// candidate installs a new SQL text: everything known about the old one is void.
func (s State) candidate(o outcome) State {
	s.SQL, s.Judged, s.Query, s.Result, s.Stuck = o.sql, o.judged, nil, nil, 0
	s.Valid, s.ConstraintsOK, s.Ran = Unknown, Unknown, Unknown
	return s
}

// rejected notes a guardrail reject: the first one forces one regenerate (tech. ref. §4.2).
func (s State) rejected(why string) State {
	if s.Once {
		if s.Err == "" { // else it says what is wrong with SQL
			s.Err = why
		}
		return s.retry(why)
	}
	s.Err = why
	s.Stuck++
	if s.Rejects < MaxRejects {
		s.Rejects++
		s.PendingRegenerate = why
	}
	return s
}

// failed notes a failure of the current candidate: repair_sql is forced next.
func (s State) failed(v sqlcheck.Verdict) State {
	s.Err = v.Advice()
	if v.Check == "intent" {
		s.Err = "Intent mismatch: " + s.Err
	}
	if s.PendingRepair = s.Err; s.Once {
		s = s.retry(s.Err)
	} else if s.Without.offTool(tools.RepairSQL) {
		s.PendingRepair = ""
	}
	if s.Ran == Passed { // a check that fails later takes back what ran before
		s.Ran, s.Result = Unknown, nil
	}
	// A full slice expression: a state that was kept elsewhere never sees this one's attempts.
	s.Failed = append(s.Failed[:len(s.Failed):len(s.Failed)], tools.Attempt{SQL: s.SQL, Err: s.Err})
	return s
}

// Required is the next step on the way to finish: the seeds' expected order (tech. ref. §2.2).
func (s State) Required() tools.Name {
	switch {
	case s.PendingRegenerate != "":
		return tools.GenerateSQL
	case s.PendingRepair != "":
		return tools.RepairSQL
	case s.Constraints == nil && !s.Without.offTool(tools.ExtractConstraints):
		return tools.ExtractConstraints
	case s.SQL == "":
		return tools.GenerateSQL
	case s.Valid != Passed:
		return tools.ValidateSQL
	case s.ConstraintsOK != Passed && !s.Without.offTool(tools.ValidateConstraints):
		return tools.ValidateConstraints
	case s.Ran != Passed:
		return tools.RunSQL
	}
	return tools.Finish
}
