package score

import (
	"slices"

	"nl2sql/runner"
)

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
	count := map[string]int{}
	for _, row := range a.Rows {
		count[runner.RowKey(row)]++
	}
	for _, row := range b.Rows {
		key := runner.RowKey(row)
		if count[key]--; count[key] < 0 {
			return false
		}
	}
	return true
}
