package cost

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"nl2sql/sqlcheck/bind"
	"nl2sql/sqlcheck/syntax"
)

// rowBound finds how many rows a FROM clause can make at most: the product of its tables, but those that the others
// settle by a unique key. Tables of unknown size count as unknownRows.
type rowBound struct {
	measure *measure
	blocks  map[*bind.Block]float64
}

// jsonRows is how many rows JSON_TABLE can make of a document: one for each two bytes and list of columns, and with **
// for each level, too.
func (r *rowBound) jsonRows(t *syntax.JSONTable) float64 {
	args := t.Calls[0].Args
	rows := r.measure.usual().size(args[0]) / 2
	for _, call := range t.Calls {
		for _, arg := range call.Args[1:] {
			text, _ := syntax.LiteralText(arg)
			if rows *= float64(1 + strings.Count(strings.ToUpper(text), "NESTED")); strings.Contains(text, "**") {
				rows *= deep
			}
		}
	}
	return max(unknownRows, rows)
}

// recursionRows is what a table that reads itself is taken for.
const recursionRows = 100_000

func (r *rowBound) block(block *bind.Block) float64 {
	if block == nil {
		return 1
	}
	if n, ok := r.blocks[block]; ok {
		return n
	}
	r.blocks[block] = recursionRows
	type sized struct {
		src  *bind.Source
		rows float64
	}
	sources := syntax.Map(block.Sources, func(src *bind.Source) sized {
		return sized{src, min(rowsOf(src, r.query), r.children(block, src))}
	})
	slices.SortStableFunc(sources, func(a, b sized) int { return cmp.Compare(b.rows, a.rows) })
	keys, rows, settled := r.measure.bound.Dependence(), 1.0, map[*bind.Source]bool{}
	for _, s := range sources {
		known := map[bind.ColumnID]bool{}
		for _, other := range block.Sources {
			for i := range other.Columns {
				known[bind.ColumnID{Source: other, Index: i}] = other != s.src && !settled[other]
			}
		}
		if len(sources) > 1 {
			keys.Close(block, known)
		}
		if settled[s.src] = keys.OneRow(s.src, known, 0); !settled[s.src] {
			rows *= max(1, s.rows)
		}
	}
	r.blocks[block] = rows
	return rows
}

// children is how many rows of a table may belong to one row of another, where a foreign key to it is a constant or a
// column of the query around: a hundred times as many as on the average.
func (r *rowBound) children(block *bind.Block, src *bind.Source) float64 {
	for _, eq := range r.measure.bound.Dependence().Equalities(block) {
		column := cmp.Or(eq.Left, eq.Right)
		if eq.Left != nil && eq.Right != nil || column.Source != src || src.Table == nil {
			continue
		}
		for _, key := range src.Table.ForeignKeys {
			parent, ok := r.measure.bound.Schema.Table(key.RefTable)
			names := []string{src.Columns[column.Index].Name}
			if ok && slices.Equal(key.Columns, names) && parent.Rows > 0 {
				return max(unknownRows, 100*float64(src.Table.Rows)/float64(parent.Rows))
			}
		}
	}
	return math.Inf(1)
}

// groups is how many groups there can be, by the values that the columns can have.
func (r *rowBound) groups(block *bind.Block) float64 {
	by, count := block.Select.GroupBy, 1.0
	if by == nil {
		return math.Inf(1)
	}
	for _, item := range by.Items {
		_, column := r.measure.bound.RefOf(item.Expr).Column()
		if column == nil || !column.Complete {
			return math.Inf(1)
		}
		count *= float64(len(column.Values))
	}
	return count
}

func (r *rowBound) query(q *bind.Query) float64 {
	if q.Recursive() {
		return recursionRows
	}
	if q.Block == nil {
		return total(syntax.Map(q.Parts, r.query))
	}
	if t := syntax.JSONTableOf(q.Block.Select); t != nil {
		if hasColumn(t.Calls[0].Args[0]) {
			return jsonCells
		}
		return r.jsonRows(t)
	}
	if q.Block.Grouped && q.Block.Select.GroupBy == nil {
		return 1
	}
	rows := min(r.block(q.Block), r.groups(q.Block))
	if n, ok := limitOf(q.Block.Select.Limit); ok {
		rows = min(rows, n)
	}
	return rows
}

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
