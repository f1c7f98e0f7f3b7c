package cost

import (
	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

// maxCopies bounds how many expressions a statement comes to when every column of a derived table is replaced by the
// expression that it stands for: engines do that, and ten columns used ten times each, ten levels deep, are too many.
const maxCopies = 20_000

// checkCopies refuses derived tables inside derived tables whose columns are used over and over.
func checkCopies(b *bind.Bound) bind.Fault {
	c := copier{b, map[place]float64{}}
	weight := func(ref *bind.ColumnRef) float64 { return c.weight(ref.Source, ref.Index) }
	if total(syntax.Map(b.Columns, weight)) > maxCopies {
		return over("huge_result", "nested expressions", 0)
	}
	return bind.Fault{}
}

type copier struct {
	bound   *bind.Bound
	weights map[place]float64
}

// A place is a column of a query.
type place struct {
	query  *bind.Query
	column int
}

// weight counts the expressions that a column stands for, itself included, in the heaviest SELECT of a set operation.
func (c copier) weight(src *bind.Source, column int) float64 {
	if src == nil || src.Inner == nil {
		return 1
	}
	return c.output(src.Inner, column)
}

func (c copier) output(q *bind.Query, column int) float64 {
	if w, ok := c.weights[place{q, column}]; ok || column >= len(q.Output) {
		return max(1, w)
	}
	c.weights[place{q, column}] = 1 // of a table that reads itself
	out, most := q.Output[column], 1.0
	if out.Expr == nil {
		most = c.weight(out.Source, out.Index)
	} else {
		for _, name := range syntax.ColumnNames(out.Expr) {
			if ref := c.bound.Ref(name); ref != nil {
				most += c.weight(ref.Source, ref.Index)
			}
		}
	}
	for _, part := range q.Parts {
		most = max(most, c.output(part, column))
	}
	c.weights[place{q, column}] = most
	return most
}
