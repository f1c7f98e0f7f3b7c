// Package schema says what a database holds: tables, typed columns, keys, and the ways that foreign keys lead. It
// reads that from DDL and writes it as DDL. It knows no query. Begin with Schema. It imports syntax.
package schema

import (
	"cmp"
	"slices"
	"strings"

	"nl2sql/sqlcheck/syntax"
)

// Schema is the part of a MySQL schema that checks, guards and prompts need.
// The zero value is an empty schema. A Schema is read-only once built.
type Schema struct {
	Name   string  `json:"name,omitempty"` // database name; "" if it has none
	Tables []Table `json:"tables"`         // alphabetical, as SHOW TABLES lists them
}

// Table is one base table or view.
type Table struct {
	Name        string       `json:"name"` // case as declared
	Columns     []Column     `json:"columns"`
	PrimaryKey  []string     `json:"primary_key,omitempty"`
	InferredKey string       `json:"inferred_key,omitempty"` // its values are a key's, and none is declared
	Unique      [][]string   `json:"unique,omitempty"`       // unique keys other than the primary one
	ForeignKeys []ForeignKey `json:"foreign_keys,omitempty"`
	Comment     string       `json:"comment,omitempty"` // as declared; "" for a view
	Checks      []string     `json:"checks,omitempty"`  // conditions of CHECK constraints; not read from servers
	Rows        int64        `json:"rows,omitempty"`    // 0 is also unknown
	// tables and views that a view comes to when it is written out; 0 for a base table
	Reads int `json:"reads,omitempty"`
}

// Column is one column of a table, in ordinal order.
type Column struct {
	Name     string   `json:"name"` // case as declared
	Type     string   `json:"type"` // as information_schema's COLUMN_TYPE, lower case: "decimal(10,2)"
	Nullable bool     `json:"nullable,omitempty"`
	Key      string   `json:"key,omitempty"`      // COLUMN_KEY: PRI, UNI, MUL or ""
	Values   []string `json:"values,omitempty"`   // known distinct values, most frequent first
	Complete bool     `json:"complete,omitempty"` // Values holds every distinct value
	Comment  string   `json:"comment,omitempty"`  // as declared
	// some distinct texts of a column without Values, to be found in questions
	Texts    []string `json:"-"`
	AllTexts bool     `json:"-"` // Texts holds every one of at most TextWidth bytes
	// of numbers and dates, as a profile of all rows found them; "" is not known
	Least    string `json:"-"`
	Most     string `json:"-"`
	SomeNull bool   `json:"-"` // beside them: the profile found NULL, too
	// bytes of the longest value, of types that have no bound worth the name; 0 is also unknown
	Longest int64 `json:"longest,omitempty"`
}

// TextWidth is how many bytes one of a column's Texts has at most.
const TextWidth = 80

// ForeignKey says that Columns of its table refer to RefColumns of RefTable.
type ForeignKey struct {
	Columns    []string `json:"columns"`
	RefTable   string   `json:"ref_table"`
	RefColumns []string `json:"ref_columns"`
	Inferred   bool     `json:"inferred,omitempty"` // from names and values; nobody declared it
}

// Table looks a table up by name, ignoring case.
func (s *Schema) Table(name string) (*Table, bool) {
	if s == nil {
		return nil, false
	}
	for i := range s.Tables {
		if strings.EqualFold(s.Tables[i].Name, name) {
			return &s.Tables[i], true
		}
	}
	return nil, false
}

// HasColumn reports whether some table has a column of that name.
func (s *Schema) HasColumn(name string) bool {
	return slices.ContainsFunc(s.Tables, func(t Table) bool {
		_, has := t.Column(name)
		return has
	})
}

// TableNames returns the names of the tables, in order.
func (s *Schema) TableNames() []string {
	return syntax.Map(s.Tables, func(t Table) string { return t.Name })
}

// Column looks a column up by name, ignoring case.
func (t *Table) Column(name string) (*Column, bool) {
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, name) {
			return &t.Columns[i], true
		}
	}
	return nil, false
}

// Identity are the columns by which rows of the table are known: the primary key, else what was inferred to be one. It
// is for who reads and writes queries; what MySQL knows of a table is PrimaryKey.
func (t *Table) Identity() []string {
	if t.PrimaryKey == nil && t.InferredKey != "" {
		return []string{t.InferredKey}
	}
	return t.PrimaryKey
}

// IsIdentity reports whether a column alone is that.
func (t *Table) IsIdentity(column string) bool {
	key := t.Identity()
	return len(key) == 1 && strings.EqualFold(key[0], column)
}

// ColumnNames returns the names of the columns, in order.
func (t *Table) ColumnNames() []string {
	return syntax.Map(t.Columns, func(c Column) string { return c.Name })
}

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
