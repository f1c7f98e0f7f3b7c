package score

import (
	"slices"

	"nl2sql/runner"
	"nl2sql/sqlcheck/syntax"
)

// Score is what one profile says of one prediction.
type Score struct {
	VA     bool     `json:"va"`           // valid: it runs
	EM     bool     `json:"em"`           // the same text
	EX     bool     `json:"ex"`           // the same rows
	TS     *bool    `json:"ts"`           // the same rows on every replica; nil leaves the item out of the rate
	F1     *float64 `json:"f1,omitempty"` // soft F1, of profiles that have it
	Class  Class    `json:"class,omitempty"`
	Detail string   `json:"detail,omitempty"` // of the class, e.g. the column that is not there
}

// Rate is a share of items. Whoever prints one prints N too: the measures have different denominators.
type Rate struct {
	Hits int `json:"hits"`
	N    int `json:"n"`
}

// Value is in [0,1]; 0 if N is 0.
func (r Rate) Value() float64 {
	if r.N == 0 {
		return 0
	}
	return float64(r.Hits) / float64(r.N)
}

// Metric is one measure of a run.
type Metric struct {
	Name string
	What string                             // one line for people
	Of   func(s Score) (right, counts bool) // of one item

	// Derived metrics count what others say of an item over another denominator: items are compared by those alone.
	Derived bool
	in      func(scores []Score) bool // nil: every run has it
}

// The metrics by name.
var (
	VA = Metric{Name: "VA", What: "valid: the query runs", Of: func(s Score) (bool, bool) { return s.VA, true }}
	EM = Metric{Name: "EM", What: "the same text as the gold query",
		Of: func(s Score) (bool, bool) { return s.EM, true }}
	EX = Metric{Name: "EX", What: "the same rows as the gold query",
		Of: func(s Score) (bool, bool) { return s.EX, true }}
	TS = Metric{Name: "TS", What: "the same rows on every replica, over the items whose query runs: the dissertation's denominator",
		Of: func(s Score) (bool, bool) { return s.TS != nil && *s.TS, s.TS != nil }}
	TSAll = Metric{Name: "TS/all",
		What:    "the same rows on every replica, over all items: a query that does not run is wrong",
		Of:      func(s Score) (bool, bool) { return s.TS != nil && *s.TS, s.TS != nil || !s.VA },
		Derived: true, in: HasTS}
)

// Metrics in the order in which reports show them.
var Metrics = []Metric{VA, EM, EX, TS, TSAll}

// HasTS reports whether a run was scored on replicas at all.
func HasTS(scores []Score) bool {
	return slices.ContainsFunc(scores, func(s Score) bool { return s.TS != nil })
}

// Rate counts the scores of a run. An N of 0 means that the run was not measured so.
func (m Metric) Rate(scores []Score) Rate {
	var rate Rate
	if m.in != nil && !m.in(scores) {
		return rate
	}
	for _, s := range scores {
		if right, counts := m.Of(s); counts {
			rate.N++
			if right {
				rate.Hits++
			}
		}
	}
	return rate
}

// Mark is one score as people read it: "1", "0", or "-" if it does not count.
func (m Metric) Mark(s Score) string {
	right, counts := m.Of(s)
	switch {
	case !counts:
		return "-"
	case right:
		return "1"
	}
	return "0"
}

// SameRows is execution accuracy of two results (dissertation.md §5.3): the same rows with the same
// multiplicity, whatever the columns are called; column count and order matter. Row order matters only if
// ordered. Numbers are compared by value across types, exactly; strings as bytes; NULL equals NULL.
// A truncated result equals nothing.
func SameRows(a, b runner.Result, ordered bool) bool {
	if a.Truncated || b.Truncated || len(a.Rows) != len(b.Rows) {
		return false
	}
	if len(a.Rows) > 0 && len(a.Columns) != len(b.Columns) {
		return false
	}
	if ordered {
		return slices.EqualFunc(a.Rows, b.Rows, func(x, y []any) bool { return runner.RowKey(x) == runner.RowKey(y) })
	}
	count := syntax.Counts(syntax.Map(a.Rows, runner.RowKey))
	for _, row := range b.Rows {
		key := runner.RowKey(row)
		if count[key]--; count[key] < 0 {
			return false
		}
	}
	return true
}
