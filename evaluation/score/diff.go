package score

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
)

// Diff is what two databases make of one item's gold query.
type Diff struct {
	Item        item.Item
	Kind        DiffKind
	Here, There Outcome
}

// DiffKind says in which way two outcomes differ, or that they do not.
type DiffKind string

// Kinds, the best first. Rows in another order count as the same where the query has no ORDER BY.
const (
	DiffSame         DiffKind = "same"
	DiffEqual        DiffKind = "numerically equal" // e.g. 1.5 and 1.50, or doubles up to the thirteenth digit
	DiffOrder        DiffKind = "other order"
	DiffTie          DiffKind = "cut at a tie" // the same rows without the last LIMIT
	DiffSameError    DiffKind = "same error"   // the same MySQL error number
	DiffRows         DiffKind = "different"
	DiffOtherError   DiffKind = "other error"
	DiffErrorHere    DiffKind = "error here"
	DiffErrorThere   DiffKind = "error there"
	DiffRefusedHere  DiffKind = "refused here" // without a MySQL error number: the engine says that it cannot
	DiffRefusedThere DiffKind = "refused there"
	DiffTooLong      DiffKind = "too many rows" // to compare
)

// DiffKinds in the order in which reports show them.
var DiffKinds = []DiffKind{DiffSame, DiffEqual, DiffOrder, DiffTie, DiffSameError, DiffRows, DiffOtherError,
	DiffErrorHere, DiffErrorThere,
	DiffRefusedHere, DiffRefusedThere, DiffTooLong}

// OK says that a reader of the two answers learns the same.
func (k DiffKind) OK() bool {
	return slices.Index(DiffKinds, k) <= slices.Index(DiffKinds, DiffSameError)
}

// DiffGolds runs every gold query on two databases, some at once, and returns the outcomes in the items' order.
func DiffGolds(ctx context.Context, items []item.Item, here, there *Executor, workers int) ([]Diff, error) {
	diffs := make([]Diff, len(items))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(workers, 1))
	for i, item := range items {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			d, err := diffGold(ctx, item, here, there)
			if err != nil {
				return fmt.Errorf("item %s: %w", item.ID, err)
			}
			diffs[i] = d
			return nil
		})
	}
	return diffs, group.Wait()
}

func diffGold(ctx context.Context, item item.Item, here, there *Executor) (Diff, error) {
	d := Diff{Item: item}
	var err error
	if d.Here, err = here.Run(ctx, item.SQL); err != nil {
		return d, err
	}
	if d.There, err = there.Run(ctx, item.SQL); err != nil {
		return d, err
	}
	d.Kind = diffKind(d.Here, d.There, ordered.MatchString(item.SQL))
	if d.Kind != DiffRows || len(d.Here.Result.Rows) != len(d.There.Result.Rows) {
		return d, nil
	}
	tie, err := cutAtTie(ctx, d, here, there)
	if tie {
		d.Kind = DiffTie
	}
	return d, err
}

func diffKind(here, there Outcome, ordered bool) DiffKind {
	refused := func(o Outcome) bool { return !o.OK() && o.Code == 0 && o.Verdict.OK }
	switch {
	case !here.OK() && !there.OK() && here.Code == there.Code && refused(here) == refused(there):
		return DiffSameError
	case refused(here):
		return DiffRefusedHere
	case refused(there):
		return DiffRefusedThere
	case !here.OK() && !there.OK():
		return DiffOtherError
	case !here.OK():
		return DiffErrorHere
	case !there.OK():
		return DiffErrorThere
	case here.Result.Truncated || there.Result.Truncated:
		return DiffTooLong
	}
	for _, try := range []struct {
		cell func(any) string
		kind DiffKind
	}{{printedCell, DiffSame}, {roundedCell, DiffEqual}} {
		a, b := rowTexts(*here.Result, try.cell), rowTexts(*there.Result, try.cell)
		if slices.Equal(a, b) {
			return try.kind
		}
		slices.Sort(a)
		slices.Sort(b)
		if slices.Equal(a, b) {
			if ordered {
				return DiffOrder
			}
			return try.kind
		}
	}
	return DiffRows
}

// rowTexts writes each row so that equal texts are equal rows.
func rowTexts(r runner.Result, cell func(any) string) []string {
	out := make([]string, len(r.Rows))
	for i, row := range r.Rows {
		var b strings.Builder
		for _, v := range row {
			text := cell(v)
			fmt.Fprintf(&b, "%d:%s", len(text), text)
		}
		out[i] = b.String()
	}
	return out
}

// printedCell is a cell as people read it.
func printedCell(v any) string {
	if v == nil {
		return "NULL"
	}
	return "=" + render.CellText(v)
}

// roundedCell is a cell with its number, if it is one, in 13 digits: the last ones of a double depend on the order of
// summation.
func roundedCell(v any) (text string) {
	switch v := v.(type) {
	case runner.Decimal:
		text = string(v)
	case int64, uint64, json.Number:
		text = fmt.Sprint(v)
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return printedCell(v)
		}
		text = strconv.FormatFloat(v, 'e', 12, 64)
	default:
		return printedCell(v)
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return printedCell(v)
	}
	f, _ := r.Float64()
	return "=" + strconv.FormatFloat(f+0, 'e', 12, 64) // + 0: no negative zero
}

// lastLimit is the LIMIT of a whole statement.
var lastLimit = regexp.MustCompile(`(?is)\s+LIMIT\s+\d+(\s*(,|\bOFFSET\b)\s*\d+)?\s*;?\s*$`)

// cutAtTie says whether two results differ only because LIMIT cuts between rows that ORDER BY leaves tied, or has no
// ORDER BY at all: without it the databases give the same rows, and what each of them gave is among those.
func cutAtTie(ctx context.Context, d Diff, here, there *Executor) (bool, error) {
	whole := lastLimit.ReplaceAllString(d.Item.SQL, "")
	if whole == d.Item.SQL {
		return false, nil
	}
	a, err := here.Run(ctx, whole)
	if err != nil {
		return false, err
	}
	b, err := there.Run(ctx, whole)
	if err != nil {
		return false, err
	}
	if kind := diffKind(a, b, false); kind != DiffSame && kind != DiffEqual {
		return false, nil
	}
	all := syntax.Counts(rowTexts(*a.Result, roundedCell))
	for _, part := range []Outcome{d.Here, d.There} {
		for row, n := range syntax.Counts(rowTexts(*part.Result, roundedCell)) {
			if n > all[row] {
				return false, nil
			}
		}
	}
	return true, nil
}
