package score

import (
	"math"
	"math/big"
	"slices"

	"nl2sql/runner"
)

// scoreStrict is our own score: the same values in the same columns; the order of rows only where the gold query
// sorts, and there only as far as it settles it; any of several accepted gold queries will do.
func scoreStrict(c Case) Score { return scoreAnswer(c, SameAnswer) }

// scoreReader counts what a reader finds in an answer: as strict, but the gold's columns may stand in any order, and
// others beside them (as Spider 2.0 scores; Lei et al. 2024, "Spider 2.0: Evaluating Language Models on Real-World
// Enterprise Text-to-SQL Workflows"; there each column is looked for by itself, here the rows must agree). A column
// that is asked for twice must be there twice.
func scoreReader(c Case) Score { return scoreAnswer(c, holdsAnswer) }

func holdsAnswer(gold Outcome, pred runner.Result) bool { return placed(gold, pred) != nil }

// scoreAnswer scores a prediction where same says whether it answers as a gold query does.
func scoreAnswer(c Case, same func(gold Outcome, pred runner.Result) bool) Score {
	s := Score{VA: c.Pred.OK(), EM: c.Pred.OK() && c.Pred.SQL == c.Gold.SQL}
	s.EX = c.Pred.OK() && asAny(c.golds(), c.Pred, same)
	s.Class, s.Detail = Classify(c, s.EX)
	if s.VA && c.Replicas != nil {
		compared, all := false, true
		for _, r := range c.Replicas {
			golds := slices.DeleteFunc(append([]Outcome{r.Gold}, r.Accepted...),
				func(o Outcome) bool { return !o.OK() })
			if len(golds) == 0 { // says nothing about the prediction
				continue
			}
			compared = true
			all = all && r.Pred.OK() && asAny(golds, r.Pred, same)
		}
		if compared {
			s.TS = &all
		}
	}
	return s
}

func sameAny(golds []Outcome, pred Outcome) bool { return asAny(golds, pred, SameAnswer) }

func asAny(golds []Outcome, pred Outcome, same func(gold Outcome, pred runner.Result) bool) bool {
	return slices.ContainsFunc(golds, func(gold Outcome) bool { return gold.OK() && same(gold, *pred.Result) })
}

// SameAnswer reports whether a result is what the gold query asks for. Ties of the gold's sort keys may stand in any
// order, and of the rows that tie where LIMIT cuts, any will do.
func SameAnswer(gold Outcome, pred runner.Result) bool {
	if pred.Truncated || gold.Result.Truncated {
		return false
	}
	return sameWithin(gold.ties(), len(gold.Result.Columns), pred)
}

// sameWithin reports whether pred's rows are those of the ties, in their order.
func sameWithin(ties []Tie, columns int, pred runner.Result) bool {
	rows := pred.Rows
	want := 0
	for _, t := range ties {
		want += t.Take
	}
	if len(rows) != want || len(pred.Columns) != columns {
		return false
	}
	for _, t := range ties {
		if !contains(t.Rows, rows[:t.Take]) {
			return false
		}
		rows = rows[t.Take:]
	}
	return true
}

// contains reports whether every row of part is in pool, each as often.
func contains(pool, part [][]any) bool {
	count := map[string]int{}
	for _, row := range pool {
		count[runner.RowKey(row)]++
	}
	var rest [][]any // rows that no row of the pool equals exactly
	for _, row := range part {
		if key := runner.RowKey(row); count[key] > 0 {
			count[key]--
		} else {
			rest = append(rest, row)
		}
	}
	if len(rest) == 0 {
		return true
	}
	if !slices.ContainsFunc(rest, hasFloat) && !slices.ContainsFunc(pool, hasFloat) || len(rest) > mostNear {
		return false
	}
	var left [][]any
	for _, row := range pool {
		if key := runner.RowKey(row); count[key] > 0 {
			count[key]--
			left = append(left, row)
		}
	}
	for _, row := range rest {
		i := slices.IndexFunc(left, func(other []any) bool { return nearRow(row, other) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// mostNear bounds the rows that are compared pair by pair.
const mostNear = 2000

func hasFloat(row []any) bool {
	return slices.ContainsFunc(row, func(cell any) bool { _, is := cell.(float64); return is })
}

// tolerance is how far two floating-point numbers may be apart, as a share of the larger one. Exact numbers have none.
const tolerance = 1e-9

func nearRow(a, b []any) bool {
	return slices.EqualFunc(a, b, func(a, b any) bool {
		if runner.CellKey(a) == runner.CellKey(b) {
			return true
		}
		_, fa := a.(float64)
		_, fb := b.(float64)
		x, isX := Number(a)
		y, isY := Number(b)
		return (fa || fb) && isX && isY && math.Abs(x-y) <= tolerance*max(math.Abs(x), math.Abs(y))
	})
}

// Number is the value of a cell that is a number.
func Number(cell any) (float64, bool) {
	switch v := cell.(type) {
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float64:
		return v, true
	case runner.Decimal:
		r, ok := new(big.Rat).SetString(string(v))
		if !ok {
			return 0, false
		}
		f, _ := r.Float64()
		return f, true
	}
	return 0, false
}
