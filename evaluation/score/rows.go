package score

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

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
		for i := range a.Rows {
			if RowKey(a.Rows[i]) != RowKey(b.Rows[i]) {
				return false
			}
		}
		return true
	}
	count := map[string]int{}
	for _, row := range a.Rows {
		count[RowKey(row)]++
	}
	for _, row := range b.Rows {
		key := RowKey(row)
		if count[key]--; count[key] < 0 {
			return false
		}
	}
	return true
}

// RowKey is equal for equal rows and for no others.
func RowKey(row []any) string {
	var b strings.Builder
	for _, cell := range row {
		key := CellKey(cell)
		fmt.Fprintf(&b, "%d:%s", len(key), key)
	}
	return b.String()
}

// CellKey is equal for cells of equal value and for no others; numbers are compared across types.
func CellKey(cell any) string {
	switch v := cell.(type) {
	case nil:
		return "null"
	case runner.Decimal:
		return numberKey(string(v))
	case int64, uint64, float64, json.Number:
		return numberKey(fmt.Sprint(v))
	case []byte:
		return "text " + string(v)
	default:
		return "text " + fmt.Sprint(v)
	}
}

func numberKey(text string) string {
	r, ok := new(big.Rat).SetString(text)
	if !ok { // infinities and NaN, which MySQL never returns
		return "number " + text
	}
	return "number " + r.RatString()
}
