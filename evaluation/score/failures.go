package score

import (
	"fmt"
	"slices"
	"strings"

	"nl2sql/runner"
)

// Class says what is wrong with a prediction, or that nothing is.
type Class string

// The classes of prediction, as reports order them (dissertation.md §8.1). Those of the shape of the result say first
// whether the rows are right, then what is wrong with the columns.
const (
	Correct         Class = "correct"
	NoAnswer        Class = "no_answer"
	UnknownColumn   Class = "unknown_column"   // 1054
	Ambiguous       Class = "ambiguous_column" // 1052
	UnknownTable    Class = "unknown_table"    // 1146
	UnknownFunction Class = "unknown_function" // 1305
	BadAggregate    Class = "bad_aggregate"    // 1111 and kin
	NotGrouped      Class = "not_grouped"      // 1055, 1140
	Syntax          Class = "syntax"           // 1064
	Refused         Class = "refused"          // by the policy: not one safe SELECT
	OtherError      Class = "other_error"
	TooManyRows     Class = "too_many_rows"
	ExtraColumns    Class = "extra_columns"   // right rows
	MissingColumns  Class = "missing_columns" // right rows
	ColumnOrder     Class = "column_order"    // right rows
	RowOrder        Class = "row_order"       // right rows
	RowSubset       Class = "row_subset"      // right columns
	RowSuperset     Class = "row_superset"    // right columns
	WrongRows       Class = "wrong_rows"
	WrongBoth       Class = "wrong_columns_and_rows"
	NoGold          Class = "no_gold" // the gold query does not run: nothing is known about the prediction
)

// Classes in the order of reports.
var Classes = []Class{
	Correct, ColumnOrder, RowOrder, ExtraColumns, MissingColumns, RowSubset, RowSuperset, WrongRows, WrongBoth, TooManyRows,
	UnknownColumn, Ambiguous, UnknownTable, UnknownFunction, BadAggregate, NotGrouped, Syntax, OtherError, Refused, NoAnswer, NoGold,
}

var codeClass = map[uint16]Class{
	1052: Ambiguous, 1054: UnknownColumn, 1055: NotGrouped, 1056: BadAggregate, 1064: Syntax, 1109: UnknownTable, 1111: BadAggregate,
	1140: NotGrouped, 1146: UnknownTable, 1305: UnknownFunction, 3593: BadAggregate,
}

// ClassOf is the class of a MySQL error number; "" if it has none of its own.
func ClassOf(code uint16) Class { return codeClass[code] }

// Classify names what is wrong with a prediction of which right is known.
func Classify(c Case, right bool) (Class, string) {
	switch {
	case right:
		return Correct, ""
	case strings.TrimSpace(c.SQL) == "":
		return NoAnswer, ""
	case !c.Pred.OK():
		if class := ClassOf(c.Pred.Code); class != "" {
			return class, c.Pred.Error
		}
		if v := c.Pred.Verdict; !v.OK && v.Check == "policy" {
			return Refused, c.Pred.Error
		}
		return OtherError, c.Pred.Error
	case !c.Gold.OK():
		return NoGold, c.Gold.Error
	case c.Pred.Result.Truncated:
		return TooManyRows, fmt.Sprintf("more than %d", len(c.Pred.Result.Rows))
	}
	best, detail := WrongBoth, ""
	for _, gold := range c.golds() {
		if !gold.OK() {
			continue
		}
		if class, d := difference(gold, *c.Pred.Result); slices.Index(Classes, class) < slices.Index(Classes, best) || detail == "" {
			best, detail = class, d
		}
	}
	return best, detail
}

// difference tells two unlike results apart, gold first.
func difference(gold Outcome, pred runner.Result) (Class, string) {
	want, got := gold.Result, pred
	sizes := fmt.Sprintf("%d × %d instead of %d × %d", len(got.Rows), len(got.Columns), len(want.Rows), len(want.Columns))
	switch n := len(got.Columns) - len(want.Columns); {
	case n == 0 && contains(want.Rows, got.Rows) && contains(got.Rows, want.Rows):
		return RowOrder, ""
	case n == 0 && len(got.Rows) == len(want.Rows) && placed(gold, got) != nil:
		return ColumnOrder, strings.Join(got.Columns, ", ")
	case n > 0 && placed(gold, got) != nil:
		at := placed(gold, got)
		var extra []string
		for i, name := range got.Columns {
			if !slices.Contains(at, i) {
				extra = append(extra, name)
			}
		}
		return ExtraColumns, strings.Join(extra, ", ")
	case n < 0 && PlacedIn(got, *want) != nil:
		at := PlacedIn(got, *want)
		var missing []string
		for i, name := range want.Columns {
			if !slices.Contains(at, i) {
				missing = append(missing, name)
			}
		}
		return MissingColumns, strings.Join(missing, ", ")
	case n == 0 && len(got.Rows) < len(want.Rows) && contains(want.Rows, got.Rows):
		return RowSubset, sizes
	case n == 0 && len(got.Rows) > len(want.Rows) && contains(got.Rows, want.Rows):
		return RowSuperset, sizes
	case n == 0:
		return WrongRows, sizes
	}
	return WrongBoth, sizes
}

// placed finds the columns of res that hold the gold's answer, in the gold's order; nil if there are none.
func placed(gold Outcome, res runner.Result) []int {
	return place(*gold.Result, res, func(r runner.Result) bool { return SameAnswer(gold, r) })
}

// PlacedIn finds the columns of all that hold few's rows, whatever their order.
func PlacedIn(few, all runner.Result) []int {
	return place(few, all, func(r runner.Result) bool { return SameRows(few, r, false) })
}

// mostPlacings bounds the assignments of columns that are tried.
const mostPlacings = 200

// place finds columns of res, as many as few has, whose rows pass same. Columns are matched by the values in them first.
func place(few, res runner.Result, same func(runner.Result) bool) []int {
	if len(few.Rows) != len(res.Rows) || len(few.Columns) > len(res.Columns) {
		return nil
	}
	values := func(r runner.Result, col int) string {
		keys := make([]string, len(r.Rows))
		for i, row := range r.Rows {
			keys[i] = runner.CellKey(row[col])
		}
		slices.Sort(keys)
		return strings.Join(keys, "\x00")
	}
	have := make([]string, len(res.Columns))
	for i := range have {
		have[i] = values(res, i)
	}
	choices := make([][]int, len(few.Columns))
	for i := range choices {
		want := values(few, i)
		for j := range have {
			if have[j] == want {
				choices[i] = append(choices[i], j)
			}
		}
	}
	tries := 0
	at := make([]int, 0, len(few.Columns))
	var try func() bool
	try = func() bool {
		if len(at) == len(few.Columns) {
			tries++
			return same(project(res, at))
		}
		for _, j := range choices[len(at)] {
			if slices.Contains(at, j) || tries >= mostPlacings {
				continue
			}
			at = append(at, j)
			if try() {
				return true
			}
			at = at[:len(at)-1]
		}
		return false
	}
	if len(few.Columns) == 0 || !try() {
		return nil
	}
	return at
}

// project is r with the columns at, in their order.
func project(r runner.Result, at []int) runner.Result {
	out := runner.Result{Truncated: r.Truncated, Columns: make([]string, len(at)), Rows: make([][]any, len(r.Rows))}
	for k, j := range at {
		out.Columns[k] = r.Columns[j]
	}
	for i, row := range r.Rows {
		out.Rows[i] = make([]any, len(at))
		for k, j := range at {
			out.Rows[i][k] = row[j]
		}
	}
	return out
}
