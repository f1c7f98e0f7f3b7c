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
	c := &copier{bound: b, weights: map[*bind.Query][]float64{}}
	total := 0.0
	for _, ref := range b.Columns {
		total += c.weight(ref)
	}
	if total > maxCopies {
		return over("huge_result", "nested expressions", 0)
	}
	return bind.Fault{}
}

type copier struct {
	bound   *bind.Bound
	weights map[*bind.Query][]float64
}

// weight counts the expressions that a column name stands for, itself included.
func (c *copier) weight(ref *bind.ColumnRef) float64 {
	if ref.Source == nil {
		return 1
	}
	return c.column(ref.Source, ref.Index)
}

func (c *copier) column(src *bind.Source, idx int) float64 {
	if src.Inner == nil {
		return 1
	}
	if w := c.query(src.Inner); idx < len(w) {
		return w[idx]
	}
	return 1
}

// query weighs the columns of a derived table; of a set operation the heaviest SELECT counts.
func (c *copier) query(q *bind.Query) []float64 {
	if w, ok := c.weights[q]; ok {
		return w
	}
	w := make([]float64, len(q.Output))
	for i := range w {
		w[i] = 1
	}
	c.weights[q] = w // of a table that reads itself
	for i, out := range q.Output {
		w[i] = max(w[i], c.output(out))
	}
	for _, part := range q.Parts {
		for i, n := range c.query(part) {
			if i < len(w) {
				w[i] = max(w[i], n)
			}
		}
	}
	return w
}

func (c *copier) output(out bind.Output) float64 {
	if out.Expr == nil {
		if out.Source == nil {
			return 1
		}
		return c.column(out.Source, out.Index)
	}
	total := 1.0
	for _, name := range syntax.ColumnNames(out.Expr) {
		if ref := c.bound.Ref(name); ref != nil {
			total += c.weight(ref)
		}
	}
	return total
}
