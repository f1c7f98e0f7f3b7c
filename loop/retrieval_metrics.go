package loop

import "nl2sql/tools"

// RetrievalMetrics are what the seed of [Retrieval] has one look at, of one question. The time and whether the answer is right stand
// beside the trace, in the record.
type RetrievalMetrics struct {
	Iterations  int  `json:"iterations_to_answer"`    // calls of tools before the answer was submitted, failed ones too
	Retrievals  int  `json:"retrieval_calls"`         // that searched
	Validations int  `json:"validation_attempts"`     // of a query
	Validated   bool `json:"final_validation_passed"` // the query that was submitted passed its check
	Corrections int  `json:"self_correction_count"`   // queries that were valid next after one that was not
	Effort      bool `json:"best_effort"`             // a limit ended the turns, and what there was was submitted
}

// Retrieval reads the metrics out of a trace.
func (t Trace) Retrieval() (m RetrievalMetrics) {
	failed := false
	for _, e := range t {
		if e.Kind != KindTool {
			m.Effort = m.Effort || e.Kind == KindFallback
			continue
		}
		switch {
		case e.Tool == query:
			m.Validated = e.Verdict == nil || e.Verdict.Check == "run"
			continue
		case e.Tool == SubmitAnswer && e.OK:
			m.Effort = e.Reason != ""
			continue
		case e.Tool == RetrieveTables && (e.OK || e.Reason == "tool_timeout" || e.Reason == "tool_error"):
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
