package sqlcheck

import (
	"cmp"
	"slices"
)

// rowBound finds how many rows a FROM clause can make at most: the product of its tables, but those that the others settle
// by a unique key. Tables of unknown size count as unknownRows.
type rowBound struct {
	bound  *Bound
	blocks map[*Block]float64
}

// recursionRows is what a table that reads itself is taken for.
const recursionRows = 100_000

func (r *rowBound) block(block *Block) float64 {
	if block == nil {
		return 1
	}
	if n, ok := r.blocks[block]; ok {
		return n
	}
	r.blocks[block] = recursionRows
	type sized struct {
		src  *Source
		rows float64
	}
	var sources []sized
	for _, src := range block.Sources {
		sources = append(sources, sized{src, r.source(src)})
	}
	slices.SortStableFunc(sources, func(a, b sized) int { return cmp.Compare(b.rows, a.rows) })
	keys := r.bound.Dependence()
	rows, known := 1.0, map[colID]bool{}
	for _, s := range sources {
		if !keys.oneRow(s.src, known, 0) {
			rows *= max(1, s.rows)
		}
		for _, i := range s.src.all() {
			known[colID{s.src, i}] = true
		}
		if len(sources) > 1 {
			keys.close(block, known)
		}
	}
	r.blocks[block] = rows
	return rows
}

func (r *rowBound) source(src *Source) float64 {
	switch {
	case src.Table != nil && src.Table.Rows > 0:
		return float64(src.Table.Rows)
	case src.inner != nil:
		return r.query(src.inner)
	}
	return unknownRows
}

func (r *rowBound) query(q *boundQuery) float64 {
	if q.recursive() {
		return recursionRows
	}
	if q.block == nil {
		rows := 0.0
		for _, part := range q.parts {
			rows += r.query(part)
		}
		return rows
	}
	if q.block.Grouped && q.block.Select.GroupBy == nil {
		return 1
	}
	rows := r.block(q.block)
	if n, ok := limitOf(q.block.Select.Limit); ok {
		rows = min(rows, n)
	}
	return rows
}
