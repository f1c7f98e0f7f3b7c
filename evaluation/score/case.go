package score

import (
	"context"
	"slices"

	"nl2sql/loop/item"
)

// Case is one prediction with all that a profile needs to score it. Profiles are pure: they run nothing.
type Case struct {
	Item item.Item
	SQL  string // the prediction; "" if there is no answer

	Pred     Outcome   // on the item's database
	Gold     Outcome   // of Item.SQL
	Accepted []Outcome // of Item.Accept
	Replicas []Pair    // on perturbed databases; nil means that there are none
}

// Pair is what gold queries and a prediction come to on one replica.
type Pair struct {
	Gold     Outcome
	Accepted []Outcome
	Pred     Outcome
}

// NewCase runs what a profile needs to score a prediction. With no suite the case has no replicas.
func NewCase(ctx context.Context, x *Executor, it item.Item, sql string) (Case, error) {
	c := Case{Item: it, SQL: sql}
	var err error
	if c.Gold, err = x.Gold(ctx, it.SQL); err != nil {
		return c, err
	}
	for _, text := range it.Accept {
		o, err := x.Gold(ctx, text)
		if err != nil {
			return c, err
		}
		c.Accepted = append(c.Accepted, o)
	}
	c.Pred, err = x.Run(ctx, sql)
	return c, err
}

// NewPair is the replica's part of a case.
func NewPair(ctx context.Context, x *Executor, it item.Item, sql string) (Pair, error) {
	c, err := NewCase(ctx, x, it, sql)
	return Pair{Gold: c.Gold, Accepted: c.Accepted, Pred: c.Pred}, err
}

func (c Case) golds() []Outcome { return append([]Outcome{c.Gold}, c.Accepted...) }

// Refutes says that a prediction fails on a database: a gold query has an answer there, and the prediction has another
// or none.
func (p Pair) Refutes() bool {
	golds := slices.DeleteFunc(append([]Outcome{p.Gold}, p.Accepted...), func(o Outcome) bool {
		return !o.OK() ||
			o.Result.Truncated
	})
	return len(golds) > 0 && (!p.Pred.OK() || !sameAny(golds, p.Pred))
}

// The ways in which a prediction fails.
const (
	FailsAltogether = "fails"   // it does not run
	FailsByColumns  = "columns" // it shows more or fewer columns
	FailsByRows     = "rows"
	FailsByOrder    = "order" // the rows are right
)

// Fails says how a prediction fails on a database; "" if it does not.
func (p Pair) Fails() string {
	switch {
	case !p.Refutes():
		return ""
	case !p.Pred.OK():
		return FailsAltogether
	case !p.Gold.OK():
		return FailsByRows
	case len(p.Gold.Result.Columns) != len(p.Pred.Result.Columns):
		return FailsByColumns
	case SameRows(*p.Gold.Result, *p.Pred.Result, false):
		return FailsByOrder
	}
	return FailsByRows
}

// HasRows says that gold or prediction gives any: a difference in the columns of empty results convinces nobody.
func (p Pair) HasRows() bool {
	return p.Gold.OK() && len(p.Gold.Result.Rows) > 0 || p.Pred.OK() && len(p.Pred.Result.Rows) > 0
}
