package score

import (
	"testing"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

func rows(r ...[]any) runner.Result {
	res := runner.Result{Rows: r}
	if len(r) > 0 {
		res.Columns = make([]string, len(r[0]))
	}
	return res
}

func TestSameRows(t *testing.T) {
	type row = []any
	tests := []struct {
		name    string
		a, b    runner.Result
		ordered bool
		want    bool
	}{
		{"equal", rows(row{int64(1), "a"}), rows(row{int64(1), "a"}), false, true},
		{"number types", rows(row{int64(2)}, row{float64(0.5)}), rows(row{runner.Decimal("2.00")},
			row{runner.Decimal("0.5")}), false, true},
		{"a number is no text", rows(row{int64(2)}), rows(row{"2"}), false, false},
		{"no tolerance", rows(row{0.1}), rows(row{runner.Decimal("0.1000000001")}), false, false},
		{"row order", rows(row{"a"}, row{"b"}), rows(row{"b"}, row{"a"}), false, true},
		{"row order counts", rows(row{"a"}, row{"b"}), rows(row{"b"}, row{"a"}), true, false},
		{"multiplicity", rows(row{"a"}, row{"a"}, row{"b"}), rows(row{"a"}, row{"b"}, row{"b"}), false, false},
		{"column order", rows(row{"a", "b"}), rows(row{"b", "a"}), false, false},
		{"extra column", rows(row{"a"}), rows(row{"a", "b"}), false, false},
		{"cells do not run together", rows(row{"a", "bc"}), rows(row{"ab", "c"}), false, false},
		{"case and blanks", rows(row{"a"}), rows(row{"A"}), false, false},
		{"null", rows(row{nil}), rows(row{nil}), false, true},
		{"null is no text", rows(row{nil}), rows(row{"null"}), false, false},
		{"both empty", rows(), rows(), true, true},
		{"truncated", runner.Result{Truncated: true}, runner.Result{Truncated: true}, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			must.Equal(t, SameRows(tt.a, tt.b, tt.ordered), tt.want, "SameRows")
			must.Equal(t, SameRows(tt.b, tt.a, tt.ordered), tt.want, "SameRows with sides changed")
		})
	}
}
