package answer

import (
	"context"
	"slices"

	"nl2sql/loop"
	"nl2sql/runner"
	"nl2sql/runner/render"
)

// Reading is another way to read a question than the answer's: candidates of a vote came to it, and it finds other
// rows. Its JSON is an interface.
type Reading struct {
	Words string `json:"words"` // what it asks, in a line
	SQL   string `json:"sql"`
	Agree int    `json:"agree"` // candidates that came to it, of Of
	Of    int    `json:"of"`
	First *Rows  `json:"first"` // its first rows, three at most; truncated where there are more
}

const (
	mostReadings = 2 // beside the answer
	leastAgree   = 2 // one candidate alone is a slip more often than a reading
	firstRows    = 3
)

// Readings are the likeliest readings beside an answer: where no more than half of the candidates of its vote agree on
// it, at least two agree on the other one, and that finds other rows. Each query is run once more. There are none
// without a vote.
func (d Database) Readings(ctx context.Context, ans loop.Answer) (out []Reading, err error) {
	agree, of, redrawn := ans.Tally()
	if ans.Result == nil || redrawn || of == 0 || 2*agree > of {
		return nil, nil
	}
	others := slices.DeleteFunc(ans.Tallies(),
		func(t loop.Tally) bool { return t.Agree < leastAgree || t.SQL == ans.SQL })
	slices.SortStableFunc(others, func(a, b loop.Tally) int { return b.Agree - a.Agree })
	found := []runner.Result{*ans.Result}
	for _, t := range others {
		res, err := d.Find(ctx, t.SQL)
		if err != nil {
			return out, err
		}
		words := d.Explain(t.SQL)
		same := func(r runner.Result) bool { return alike(*res, r) }
		if res == nil || res.Empty() || words == nil || slices.ContainsFunc(found, same) {
			continue
		}
		found = append(found, *res)
		first := *res
		if len(first.Rows) > firstRows {
			first.Rows, first.Truncated = first.Rows[:firstRows], true
		}
		out = append(out, Reading{Words: words.Line(), SQL: t.SQL, Agree: t.Agree, Of: t.Of, First: (*Rows)(&first)})
		if len(out) == mostReadings {
			break
		}
	}
	return out, nil
}

// alike says that two results answer alike: each row of the one has all cells of a row of the other, which may show
// more, and in another order.
func alike(a, b runner.Result) bool {
	if len(a.Rows) != len(b.Rows) {
		return false
	}
	if len(a.Columns) > len(b.Columns) {
		a, b = b, a
	}
	left := make([][]string, len(b.Rows))
	for i, row := range b.Rows {
		left[i] = render.CellTexts(row)
	}
	for _, row := range a.Rows {
		want := render.CellTexts(row)
		i := slices.IndexFunc(left, func(have []string) bool {
			return have != nil && !slices.ContainsFunc(want, func(c string) bool { return !slices.Contains(have, c) })
		})
		if i < 0 {
			return false
		}
		left[i] = nil
	}
	return true
}
