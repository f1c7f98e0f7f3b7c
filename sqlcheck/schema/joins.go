package schema

import (
	"cmp"
	"slices"
	"strings"
)

// Join is one step along a foreign key, in either direction: Left.LeftColumns[i] = Right.RightColumns[i].
type Join struct {
	Left, Right               string // table names as declared
	LeftColumns, RightColumns []string
}

// On is the join condition with the given table aliases: "o.customerNumber = c.customerNumber".
// An empty alias stands for the table's name.
func (j Join) On(left, right string) string {
	left = cmp.Or(left, j.Left)
	right = cmp.Or(right, j.Right)
	parts := make([]string, len(j.LeftColumns))
	for i := range j.LeftColumns {
		parts[i] = left + "." + j.LeftColumns[i] + " = " + right + "." + j.RightColumns[i]
	}
	return strings.Join(parts, " AND ")
}

// Joins is the shortest way from table a to table b over foreign keys in either direction, in order from a.
// nil means that there is none, or that a and b are the same table. Among ways of one length the first in the
// schema's order is taken; unique says that no other way is as short.
func (s *Schema) Joins(a, b string) (way []Join, unique bool) {
	from, ok := s.Table(a)
	to, ok2 := s.Table(b)
	if !ok || !ok2 || from == to {
		return nil, false
	}
	type place struct {
		dist, ways int
		back       Join
	}
	seen := map[string]*place{from.Name: {ways: 1}}
	for queue := []*Table{from}; len(queue) > 0; queue = queue[1:] {
		here := seen[queue[0].Name]
		if end := seen[to.Name]; end != nil && here.dist >= end.dist {
			break
		}
		for _, step := range s.Steps(queue[0]) {
			next := seen[step.Right]
			if next == nil {
				seen[step.Right] = &place{dist: here.dist + 1, ways: here.ways, back: step.Join}
				queue = append(queue, step.To)
			} else if next.dist == here.dist+1 {
				next.ways += here.ways
			}
		}
	}
	end := seen[to.Name]
	if end == nil {
		return nil, false
	}
	way = make([]Join, end.dist)
	for at := end; at.dist > 0; at = seen[at.back.Left] {
		way[at.dist-1] = at.back
	}
	return way, end.ways == 1
}

// Direct lists the foreign keys between two tables; where there is none, the equally named foreign keys of both to a
// third table.
func (s *Schema) Direct(a, b *Table) (out []Join) {
	for _, step := range s.Steps(a) {
		if step.To == b {
			out = append(out, step.Join)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, x := range a.ForeignKeys {
		for _, y := range b.ForeignKeys {
			if strings.EqualFold(x.RefTable, y.RefTable) && len(x.Columns) == len(y.Columns) &&
				slices.EqualFunc(x.Columns, y.Columns, strings.EqualFold) {
				out = append(out, Join{a.Name, b.Name, x.Columns, y.Columns})
			}
		}
	}
	return out
}

// Refers reports whether a column is declared to refer to something.
func (t *Table) Refers(column string) bool {
	return slices.ContainsFunc(t.ForeignKeys, func(fk ForeignKey) bool {
		return slices.ContainsFunc(fk.Columns, func(c string) bool { return strings.EqualFold(c, column) })
	})
}

// Step is a join with a neighbouring table.
type Step struct {
	Join
	To *Table // what Right is
	Up bool   // from the referring table to the one that it refers to: no row is repeated
}

// Steps lists the foreign keys from and to t, as joins that start at t.
func (s *Schema) Steps(t *Table) (out []Step) {
	for _, fk := range t.ForeignKeys {
		if ref, ok := s.Table(fk.RefTable); ok && ref != t && len(fk.Columns) == len(fk.RefColumns) {
			out = append(out, Step{Join{t.Name, ref.Name, fk.Columns, fk.RefColumns}, ref, true})
		}
	}
	for i := range s.Tables {
		other := &s.Tables[i]
		if other == t {
			continue
		}
		for _, fk := range other.ForeignKeys {
			if strings.EqualFold(fk.RefTable, t.Name) && len(fk.Columns) == len(fk.RefColumns) {
				out = append(out, Step{Join{t.Name, other.Name, fk.RefColumns, fk.Columns}, other, false})
			}
		}
	}
	return out
}
