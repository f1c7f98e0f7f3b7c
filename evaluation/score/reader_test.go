package score

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/scripts/must"
)

func TestReader(t *testing.T) {
	x := openData(t, strictData)
	for _, tt := range []struct {
		name, gold, pred string
		class            Class
	}{
		{"more columns, in another order", "SELECT id, name FROM shop",
			"SELECT city, name, sales, id FROM shop", Correct},
		{"a column is missing", "SELECT id, name FROM shop", "SELECT name, city FROM shop", WrongRows},
		{"a column twice needs two", "SELECT id, id FROM shop", "SELECT id, name FROM shop", WrongRows},
		{"a column twice", "SELECT id, id FROM shop", "SELECT id, name, id FROM shop", Correct},
		{"each column is there, in other rows", "SELECT id, value FROM shop",
			"SELECT a.id, b.value FROM shop a JOIN shop b ON b.id = 6 - a.id", WrongRows},
		{"another row of a tie, and more", "SELECT id FROM shop ORDER BY sales DESC LIMIT 1",
			"SELECT sales, id FROM shop ORDER BY sales DESC, id DESC LIMIT 1", Correct},
		{"another order, and more", "SELECT id FROM shop ORDER BY id DESC",
			"SELECT id, name FROM shop ORDER BY id", WrongBoth},
		{"a tolerance, and more", "SELECT 0.1e0 + 0.2e0", "SELECT 'x', 0.3e0", Correct},
		{"a quotient with more digits", "SELECT 100 * 269 / 6", "SELECT 100.0 * 269 / 6", Correct},
		{"another quotient", "SELECT 100 * 269 / 6", "SELECT 100.0 * 269 / 6 + 0.0001", WrongRows},
		{"a number that was rounded", "SELECT 100 * 269 / 6", "SELECT ROUND(100 * 269 / 6, 2)", WrongRows},
		{"a number that is no quotient", "SELECT 4483.3333", "SELECT 4483.3334", WrongRows},
		{"a float beside a quotient", "SELECT 100 * 269 / 6", "SELECT 269e2 / 6", Correct},
		{"more columns make more rows", "SELECT DISTINCT city FROM shop",
			"SELECT DISTINCT city, id FROM shop", WrongBoth},
		{"nothing found, and more", "SELECT id FROM shop WHERE id > 9",
			"SELECT id, name FROM shop WHERE id > 9", Correct},
		{"nothing found, and less", "SELECT id, name FROM shop WHERE id > 9",
			"SELECT id FROM shop WHERE id > 9", MissingColumns},
		{"it does not run", "SELECT id FROM shop", "SELECT ident FROM shop", UnknownColumn},
	} {
		c := must.Get(NewCase(t.Context(), x, item.Item{Question: "q", SQL: tt.gold}, tt.pred))(t)
		if got := scoreReader(c); got.EX != (tt.class == Correct) || got.Class != tt.class || got.VA != c.Pred.OK() {
			t.Errorf("%s: %+v, want %s", tt.name, got, tt.class)
		}
	}
}

// drawResult has few values, so that columns and rows are often alike.
func drawResult(t *rapid.T, name string, rows, columns int) runner.Result {
	r := runner.Result{Columns: make([]string, columns), Rows: make([][]any, rows)}
	cell := rapid.SampledFrom([]any{nil, int64(0), int64(1), "1", 0.3, 0.1 + 0.2})
	for i := range r.Rows {
		r.Rows[i] = rapid.SliceOfN(cell, columns, columns).Draw(t, fmt.Sprintf("%s row %d", name, i))
	}
	return r
}

// drawGold is a result whose rows tie in runs, of the last of which LIMIT cuts some off.
func drawGold(t *rapid.T, columns int) Outcome {
	var o Outcome
	o.Result = &runner.Result{Columns: make([]string, columns)}
	for i := range rapid.IntRange(0, 3).Draw(t, "ties") {
		rows := drawResult(t, fmt.Sprintf("tie %d", i), rapid.IntRange(1, 3).Draw(t, "rows"), columns).Rows
		o.Ties = append(o.Ties, Tie{rows, len(rows)})
	}
	if n := len(o.Ties); n > 0 {
		o.Ties[n-1].Take = rapid.IntRange(1, o.Ties[n-1].Take).Draw(t, "take")
	}
	for _, tie := range o.Ties {
		o.Result.Rows = append(o.Result.Rows, tie.Rows[:tie.Take]...)
	}
	return o
}

// answerTo is an answer as the gold's ties allow it.
func answerTo(t *rapid.T, gold Outcome) runner.Result {
	r := runner.Result{Columns: gold.Result.Columns}
	for _, tie := range gold.Ties {
		r.Rows = append(r.Rows, rapid.Permutation(tie.Rows).Draw(t, "order")[:tie.Take]...)
	}
	return r
}

// The profile is what trying all choices of columns under strict would give.
func TestReaderIsStrictOnSomeColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gold := drawGold(t, rapid.IntRange(1, 3).Draw(t, "columns"))
		pred := drawResult(t, "pred", len(gold.Result.Rows), rapid.IntRange(1, 4).Draw(t, "more columns"))
		if rapid.Bool().Draw(t, "answers") {
			pred = answerTo(t, gold)
		}
		var some func(at []int) bool
		some = func(at []int) bool {
			if len(at) == len(gold.Result.Columns) {
				return SameAnswer(gold, project(pred, at))
			}
			for j := range pred.Columns {
				if !slices.Contains(at, j) && some(append(slices.Clone(at), j)) {
					return true
				}
			}
			return false
		}
		if got, want := holdsAnswer(gold, pred), some(nil); got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// More columns turn no right answer wrong, and their order changes nothing.
func TestReaderAllowsColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gold := drawGold(t, rapid.IntRange(1, 4).Draw(t, "columns"))
		pred := answerTo(t, gold)
		if rapid.Bool().Draw(t, "answers otherwise") {
			pred = drawResult(t, "pred", len(gold.Result.Rows), len(gold.Result.Columns))
		}
		right := holdsAnswer(gold, pred)
		must.Have(t, !SameAnswer(gold, pred) || right, "right under strict alone")
		more := drawResult(t, "more", len(pred.Rows), rapid.IntRange(0, 3).Draw(t, "more columns"))
		wide := runner.Result{Columns: append(slices.Clone(pred.Columns), more.Columns...)}
		for i := range pred.Rows {
			wide.Rows = append(wide.Rows, append(slices.Clone(pred.Rows[i]), more.Rows[i]...))
		}
		order := rapid.Permutation(upTo(len(wide.Columns))).Draw(t, "order of columns")
		mixed := holdsAnswer(gold, project(wide, order))
		must.Have(t, !right || mixed, "wrong with more columns")
		must.Have(t, mixed == holdsAnswer(gold, wide), "the order of columns counts")
	})
}

func upTo(n int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	return at
}

// Columns that only all together are seen to be the wrong ones are not tried in every order.
func TestPlaceIsBounded(t *testing.T) {
	res := runner.Result{Columns: make([]string, 20), Rows: make([][]any, 1000)}
	compared := 0
	at := place(20, res, func(from int, at []int) bool {
		compared += len(res.Rows) * len(at)
		return len(at) < 20
	})
	must.Be(t, at == nil && compared <= mostPlaced, at, "after", compared, "cells")
}
