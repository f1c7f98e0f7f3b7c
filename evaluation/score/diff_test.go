package score

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

func TestDiffKind(t *testing.T) {
	rows := func(cells ...any) Outcome {
		r := runner.Result{Columns: []string{"c"}}
		for _, c := range cells {
			r.Rows = append(r.Rows, []any{c})
		}
		return Outcome{Result: &r, Verdict: sqlcheck.Pass("test")}
	}
	failed := func(code uint16) Outcome {
		return Outcome{Error: "no", Code: code, Verdict: sqlcheck.Pass("test")}
	}
	rejected := Outcome{Error: "no"}
	cut := rows(int64(1))
	cut.Result.Truncated = true
	for _, tt := range []struct {
		here, there Outcome
		ordered     bool
		want        DiffKind
	}{
		{rows(), rows(), false, DiffSame},
		{rows(nil, "NULL"), rows("NULL", nil), false, DiffSame},
		{rows(nil), rows("NULL"), false, DiffRows},
		{rows(int64(1), int64(2)), rows(int64(2), int64(1)), false, DiffSame},
		{rows(int64(1), int64(2)), rows(int64(2), int64(1)), true, DiffOrder},
		{rows(int64(1), int64(1)), rows(int64(1)), false, DiffRows},
		{rows(int64(1), int64(1), int64(2)), rows(int64(1), int64(2), int64(2)), false, DiffRows},
		{rows(runner.Decimal("1.50")), rows(runner.Decimal("1.5")), false, DiffEqual},
		{rows(runner.Decimal("1.50")), rows(1.5), false, DiffEqual},
		{rows(runner.Decimal("1.50")), rows("1.5"), false, DiffRows},
		{rows(math.Nextafter(0.3, 1)), rows(0.3), true, DiffEqual},
		{rows(0.30001), rows(0.3), true, DiffRows},
		{rows(runner.Decimal("10.01")), rows(runner.Decimal("10.02")), false, DiffRows},
		{rows("a"), rows("A"), false, DiffRows},
		{rows("a"), rows("a "), false, DiffRows},
		{failed(1054), failed(1054), false, DiffSameError},
		{rejected, rejected, false, DiffSameError},
		{failed(1054), failed(1055), false, DiffOtherError},
		{failed(1054), rows(), false, DiffErrorHere},
		{rows(), failed(1054), false, DiffErrorThere},
		{rejected, rows(), false, DiffErrorHere},
		{failed(0), rows(), false, DiffRefusedHere},
		{failed(0), failed(1054), false, DiffRefusedHere},
		{rows(), failed(0), false, DiffRefusedThere},
		{cut, cut, false, DiffTooLong},
	} {
		if got := diffKind(tt.here, tt.there, tt.ordered); got != tt.want {
			t.Errorf("%+v, %+v: %s, want %s", tt.here, tt.there, got, tt.want)
		}
	}
}

func executor(t *testing.T, script string) *Executor {
	t.Helper()
	db := must.Get(embedded.OpenDump(t.Context(), "x", strings.NewReader(script), runner.Limits{}))(t)
	must.Close(t, db)
	return must.Get(NewExecutor(t.Context(), db))(t)
}

// A tie that LIMIT cuts is told from rows that are really different.
func TestDiffGolds(t *testing.T) {
	const create = "CREATE TABLE t (i int PRIMARY KEY, s varchar(9)); "
	a := executor(t, create+"INSERT INTO t VALUES (1, 'x'), (2, 'x'), (3, 'y')")
	b := executor(t, create+"INSERT INTO t VALUES (4, 'y'), (5, 'x'), (6, 'x')")
	want := map[string]DiffKind{
		"SELECT s FROM t":                                    DiffSame,
		"SELECT s FROM t LIMIT 1":                            DiffTie, // any row will do
		"SELECT s FROM t LIMIT 1 OFFSET 0;":                  DiffTie,
		"SELECT i FROM t LIMIT 1":                            DiffRows,
		"SELECT s FROM t ORDER BY i":                         DiffOrder,
		"SELECT s FROM t ORDER BY i > 100 LIMIT 0, 1":        DiffTie,
		"SELECT (SELECT s FROM t ORDER BY i LIMIT 1) FROM t": DiffRows,
		"SELECT x FROM t":                                    DiffSameError,
	}
	var items []item.Item
	for sql := range want {
		items = append(items, item.Item{SQL: sql})
	}
	diffs, err := DiffGolds(t.Context(), items, a, b, 3)
	must.Have(t, err == nil && len(diffs) == len(items), len(diffs), len(items), err)
	for i, d := range diffs {
		must.Be(t, d.Item.SQL == items[i].SQL && d.Kind == want[d.Item.SQL], d.Item.SQL, d.Kind, want[d.Item.SQL])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := DiffGolds(ctx, items, executor(t, create), b, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
