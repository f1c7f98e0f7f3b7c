package retrieval

import (
	"nl2sql/loop"
	"nl2sql/tools"
)

// Metrics are what the seed of [Agent] has one look at, of one question. The time and whether the answer is right stand
// beside the trace, in the record.
type Metrics struct {
	Iterations  int  `json:"iterations_to_answer"`    // calls of tools before the answer was submitted, failed ones too
	Retrievals  int  `json:"retrieval_calls"`         // that searched
	Validations int  `json:"validation_attempts"`     // of a query
	Validated   bool `json:"final_validation_passed"` // the query that was submitted passed its check
	Corrections int  `json:"self_correction_count"`   // queries that were valid next after one that was not
	Effort      bool `json:"best_effort"`             // a limit ended the turns, and what there was was submitted
}

// MetricsOf reads the metrics out of a trace.
func MetricsOf(t loop.Trace) (m Metrics) {
	failed := false
	for _, e := range t {
		if e.Kind != loop.KindTool {
			m.Effort = m.Effort || e.Kind == loop.KindFallback
			continue
		}
		switch {
		case e.Tool == loop.Query:
			m.Validated = e.Verdict == nil || e.Verdict.Check == "run"
			continue
		case e.Tool == loop.SubmitAnswer && e.OK:
			m.Effort = e.Reason != ""
			continue
		case e.Tool == loop.RetrieveTables && (e.OK || e.Reason == "tool_timeout" || e.Reason == "tool_error"):
			m.Retrievals++
		case e.Tool == tools.ValidateSQL && e.SQL != "":
			m.Validations++
			if e.OK && failed {
				m.Corrections++
			}
			failed = !e.OK
		}
		m.Iterations++
	}
	return m
}
