package batch

import (
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/explain"
	"nl2sql/sqlcheck/syntax"
)

// Explained is what one statement asks, in words. Its JSON is an interface.
type Explained struct {
	sqlcheck.Verdict
	Explanation *explain.Explanation `json:"explanation,omitempty"` // nil where the statement is rejected
	Warnings    []sqlcheck.Finding   `json:"warnings,omitempty"`    // those of Strict
}

// Explain puts a statement into words that was checked with Strict.
func (c Checked) Explain() Explained {
	out := Explained{Verdict: c.Verdict}
	if !c.OK || c.Report == nil || c.Report.Bound == nil {
		return out
	}
	words := explain.Of(c.Report.Bound)
	out.Explanation = &words
	out.Warnings = syntax.Filter(c.Report.Issues, func(f sqlcheck.Finding) bool { return f.Type == "warning" })
	return out
}
