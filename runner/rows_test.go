package runner

import (
	"testing"

	"nl2sql/scripts/must"
)

func TestDigest(t *testing.T) {
	of := func(rows ...[]any) Result { return Result{Rows: rows} }
	for _, tt := range []struct {
		name    string
		a, b    Result
		ordered bool
		same    bool
	}{
		{"another order", of([]any{"a"}, []any{"b"}), of([]any{"b"}, []any{"a"}), false, true},
		{"another order, which counts", of([]any{"a"}, []any{"b"}), of([]any{"b"}, []any{"a"}), true, false},
		{"as often", of([]any{"a"}, []any{"a"}), of([]any{"a"}), false, false},
		{"numbers of other types", of([]any{int64(2), Decimal("0.50")}), of([]any{Decimal("2.0"), 0.5}), false, true},
		{"a sum in another order", of([]any{0.1 + 0.2}), of([]any{0.3}), false, true},
		{"a text is no number", of([]any{"2"}), of([]any{int64(2)}), false, false},
		{"NULL is no text", of([]any{nil}), of([]any{"null"}), false, false},
		{"borders of cells", of([]any{"a", "b"}), of([]any{"ab", ""}), false, false},
		{"borders of rows", of([]any{"a"}, []any{"b"}), of([]any{"a", "b"}), false, false},
	} {
		must.Equal(t, tt.a.Digest(tt.ordered) == tt.b.Digest(tt.ordered), tt.same, tt.name)
	}
	if one := of([]any{"a"}); one.Digest(true) != one.Digest(false) {
		t.Error("one row has an order")
	}
}

func TestEmpty(t *testing.T) {
	for _, tt := range []struct {
		rows  [][]any
		empty bool
	}{{nil, true}, {[][]any{{nil, nil}}, true}, {[][]any{{nil, int64(0)}}, false}, {[][]any{{""}}, false}} {
		must.Equal(t, (Result{Rows: tt.rows}).Empty(), tt.empty, tt.rows)
	}
}
