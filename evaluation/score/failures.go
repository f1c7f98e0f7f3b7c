package score

import (
	"fmt"
	"slices"
	"strings"

	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
)

// Class says what is wrong with a prediction, or that nothing is.
type Class string

// Words are a class as people read it.
func (c Class) Words() string { return strings.ReplaceAll(string(c), "_", " ") }

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
	Correct, ColumnOrder, RowOrder, ExtraColumns, MissingColumns, RowSubset, RowSuperset, WrongRows,
	WrongBoth, TooManyRows,
	UnknownColumn, Ambiguous, UnknownTable, UnknownFunction, BadAggregate, NotGrouped, Syntax, OtherError,
	Refused, NoAnswer, NoGold,
}

var codeClass = map[uint16]Class{
	1052: Ambiguous, 1054: UnknownColumn, 1055: NotGrouped, 1056: BadAggregate, 1064: Syntax, 1109: UnknownTable,
	1111: BadAggregate,
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
		if class, d := difference(gold, *c.Pred.Result); slices.Index(Classes, class) < slices.Index(Classes,
			best) || detail == "" {
			best, detail = class, d
		}
	}
	return best, detail
}

// difference tells two unlike results apart, gold first.
func difference(gold Outcome, pred runner.Result) (Class, string) {
	want, got := gold.Result, pred
	sizes := fmt.Sprintf("%d × %d instead of %d × %d", len(got.Rows), len(got.Columns), len(want.Rows),
		len(want.Columns))
	switch n := len(got.Columns) - len(want.Columns); {
	case n == 0 && contains(want.Rows, got.Rows, exactly) && contains(got.Rows, want.Rows, exactly):
		return RowOrder, ""
	case n == 0 && len(got.Rows) == len(want.Rows) && placed(gold, got, exactly) != nil:
		return ColumnOrder, strings.Join(got.Columns, ", ")
	case n > 0 && placed(gold, got, exactly) != nil:
		return ExtraColumns, others(got.Columns, placed(gold, got, exactly))
	case n < 0 && PlacedIn(got, *want) != nil:
		return MissingColumns, others(want.Columns, PlacedIn(got, *want))
	case n == 0 && len(got.Rows) < len(want.Rows) && contains(want.Rows, got.Rows, exactly):
		return RowSubset, sizes
	case n == 0 && len(got.Rows) > len(want.Rows) && contains(got.Rows, want.Rows, exactly):
		return RowSuperset, sizes
	case n == 0 && len(got.Rows) == len(want.Rows):
		return WrongRows, instead(*want, got)
	case n == 0:
		return WrongRows, sizes
	}
	return WrongBoth, sizes
}

// instead shows the first row of each of two results of one size that the other has not: "42 instead of 293",
// "3 × 2: ('Paris', 5) instead of ('Lyon', 4)".
func instead(want, got runner.Result) string {
	text := firstOther(got.Rows, want.Rows) + " instead of " + firstOther(want.Rows, got.Rows)
	if len(got.Rows) == 1 && len(got.Columns) == 1 {
		return text
	}
	return fmt.Sprintf("%d × %d: %s", len(got.Rows), len(got.Columns), text)
}

// firstOther is the first row that others does not hold as often; – if there is none, as where only ties differ.
func firstOther(rows, others [][]any) string {
	left := syntax.Counts(syntax.Map(others, runner.RowKey))
	for _, row := range rows {
		if left[runner.RowKey(row)]--; left[runner.RowKey(row)] >= 0 {
			continue
		}
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = render.CellText(v)
			if _, isText := v.(string); isText {
				cells[i] = "'" + cells[i] + "'"
			}
			if r := []rune(cells[i]); len(r) > mostShown {
				cells[i] = string(r[:mostShown-1]) + "…"
			}
		}
		if len(cells) == 1 {
			return cells[0]
		}
		return "(" + strings.Join(cells, ", ") + ")"
	}
	return "–"
}

// mostShown is how many letters of a value stand in a detail.
const mostShown = 40

// placed finds the columns of res that hold the gold's answer, in the gold's order; nil if there are none.
func placed(gold Outcome, res runner.Result, as likeness) []int {
	if gold.Result.Truncated || res.Truncated {
		return nil
	}
	ties := gold.ties()
	return place(len(gold.Result.Columns), res, func(from int, at []int) bool {
		return sameWithin(columnsOf(ties, from, from+len(at)), len(at), project(res, at), as)
	})
}

// others are the columns that are not at.
func others(columns []string, at []int) string {
	var names []string
	for i, name := range columns {
		if !slices.Contains(at, i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// PlacedIn finds the columns of all that hold few's rows, whatever their order.
func PlacedIn(few, all runner.Result) []int { return placedRows(few, all, false) }

func placedRows(few, all runner.Result, ordered bool) []int {
	return place(len(few.Columns), all, func(from int, at []int) bool {
		part := make([]int, len(at))
		for i := range part {
			part[i] = from + i
		}
		return SameRows(project(few, part), project(all, at), ordered)
	})
}

// mostPlaced bounds the cells that are compared to place columns; what is not found by then counts as not there.
const mostPlaced = 1 << 22

// place finds a column of res for each of n columns, none for two; nil if there are none. holds says whether the
// columns at hold those of the n that begin with number from. All are compared in the end; on the way each is with the
// one before it, which tells most columns apart.
func place(n int, res runner.Result, holds func(from int, at []int) bool) []int {
	left := mostPlaced
	at := make([]int, 0, n)
	compare := func(from int) bool {
		left -= 1 + len(res.Rows)*len(at[from:])
		return left >= 0 && holds(from, at[from:])
	}
	var try func() bool
	try = func() bool {
		if len(at) == n {
			return compare(0)
		}
		for j := range res.Columns {
			if slices.Contains(at, j) {
				continue
			}
			at = append(at, j)
			if compare(max(0, len(at)-2)) && try() {
				return true
			}
			at = at[:len(at)-1]
			if left < 0 {
				return false
			}
		}
		return false
	}
	if n == 0 || n > len(res.Columns) || !try() {
		return nil
	}
	return at
}

// project is r with the columns at, in their order.
func project(r runner.Result, at []int) runner.Result {
	return runner.Result{
		Truncated: r.Truncated, Columns: syntax.Map(at, func(j int) string { return r.Columns[j] }),
		Rows: syntax.Map(r.Rows, func(row []any) []any { return syntax.Map(at, func(j int) any { return row[j] }) }),
	}
}
