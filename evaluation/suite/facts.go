package suite

import (
	"slices"
	"strings"

	"nl2sql/runner"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// facts are what new databases keep of a snapshot: what its definition demands, and what its rows show to be meant.
type facts struct {
	*Snapshot
	tables map[string]*tableFacts
}

// tableFacts are those of one table.
type tableFacts struct {
	*schema.Table
	columns []columnFacts
	keys    [][]int // unique over the table: declared, or seen to be in a text column
	links   []link  // foreign keys, declared or, where none are, seen
}

// link is a foreign key by the places of its columns.
type link struct {
	from  []int
	to    *tableFacts
	at    []int // columns of to
	loose bool  // none of its columns is part of a key
}

// columnFacts are those of one column.
type columnFacts struct {
	*schema.Column
	typ    schema.Type
	kind   columnKind
	scale  int   // decimal places of an exact number
	fixed  bool  // part of a key or of a reference: its values stay
	listed bool  // a few values come again and again: no others are made
	values []any // distinct ones in order of first use, without NULL
}

type columnKind uint8

const (
	otherColumn columnKind = iota // left as it is
	wholeColumn
	decimalColumn
	floatColumn
	textColumn
	dateColumn // with or without a time
)

// kindOf is what a type's values are to the replicas.
func kindOf(t schema.Type) (kind columnKind, scale int) {
	switch t.Name {
	case "tinyint", "smallint", "mediumint", "int", "integer", "bigint":
		return wholeColumn, 0
	case "decimal", "numeric", "dec", "fixed":
		return decimalColumn, t.Scale()
	case "float", "double", "real":
		return floatColumn, 0
	case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set":
		return textColumn, 0
	case "date", "datetime", "timestamp":
		return dateColumn, 0
	}
	return otherColumn, 0
}

func (k columnKind) number() bool { return k == wholeColumn || k == decimalColumn || k == floatColumn }

// Limits of what counts as a list of values: so many different ones at most, each on average twice in the table.
const (
	listedTexts   = 200
	listedNumbers = 20
	// uniqueTexts is how many different texts a column must hold, and nothing twice, to be taken for a name.
	uniqueTexts = 10
)

func newFacts(s *Snapshot) *facts {
	f := &facts{Snapshot: s, tables: map[string]*tableFacts{}}
	for i := range s.Schema.Tables {
		t := &tableFacts{Table: &s.Schema.Tables[i]}
		f.tables[t.Name] = t
		for j := range t.Columns {
			t.columns = append(t.columns, newColumnFacts(&t.Columns[j], j, s.Rows[t.Name]))
		}
		for _, key := range append([][]string{t.PrimaryKey}, t.Unique...) {
			if len(key) > 0 {
				t.keys = append(t.keys, t.places(key))
			}
		}
		for j, c := range t.columns {
			least, text := uniqueTexts, c.kind == textColumn
			if len(t.keys) == 0 { // a table without a declared key has one in its first such column
				least, text = 2, text || c.kind == wholeColumn
			}
			if text && len(c.values) >= least && len(c.values) == len(s.Rows[t.Name]) { // all there, none twice
				t.keys = append(t.keys, []int{j})
			}
		}
	}
	f.findLinks()
	for _, t := range f.tables {
		for _, key := range t.keys {
			for _, j := range key {
				if len(key) > 1 || t.columns[j].kind != textColumn || t.declared(j) {
					t.columns[j].fixed = true
				}
			}
		}
		for _, l := range t.links {
			for k := range l.from {
				t.columns[l.from[k]].fixed, l.to.columns[l.at[k]].fixed = true, true
			}
		}
	}
	for _, t := range f.tables {
		for i, l := range t.links {
			t.links[i].loose = !slices.ContainsFunc(l.from, func(j int) bool {
				return slices.ContainsFunc(t.keys, func(key []int) bool { return slices.Contains(key, j) })
			})
		}
	}
	return f
}

func newColumnFacts(col *schema.Column, place int, rows [][]any) columnFacts {
	c := columnFacts{Column: col}
	c.typ = schema.ParseType(col.Type)
	c.kind, c.scale = kindOf(c.typ)
	seen := map[string]bool{}
	filled := 0
	for _, row := range rows {
		if row[place] == nil {
			continue
		}
		filled++
		if key := runner.CellKey(row[place]); !seen[key] {
			seen[key] = true
			c.values = append(c.values, row[place])
		}
	}
	again := len(c.values)*2 <= filled
	switch {
	case c.typ.Name == "enum", c.typ.Name == "set":
		c.listed = true
	case c.kind == textColumn:
		c.listed = again && len(c.values) <= listedTexts
	default:
		c.listed = again && len(c.values) <= listedNumbers
	}
	return c
}

// places are the columns of that name.
func (t *tableFacts) places(names []string) []int {
	return syntax.Map(names, func(name string) int {
		return slices.IndexFunc(t.Columns, func(c schema.Column) bool { return strings.EqualFold(c.Name, name) })
	})
}

// declared says that column j alone is a declared key.
func (t *tableFacts) declared(j int) bool {
	return slices.ContainsFunc(append([][]string{t.PrimaryKey}, t.Unique...), func(key []string) bool {
		return len(key) == 1 && strings.EqualFold(key[0], t.Columns[j].Name)
	})
}

// findLinks takes the declared foreign keys. Where a whole schema declares none, a column is taken to refer to a key
// of another table that holds all its values.
func (f *facts) findLinks() {
	any := false
	for i := range f.Schema.Tables {
		t := f.tables[f.Schema.Tables[i].Name]
		for _, fk := range t.ForeignKeys {
			to, known := f.Schema.Table(fk.RefTable)
			if !known || len(fk.Columns) != len(fk.RefColumns) {
				continue
			}
			any = true
			l := link{from: t.places(fk.Columns), to: f.tables[to.Name], at: f.tables[to.Name].places(fk.RefColumns)}
			if !slices.Contains(l.from, -1) && !slices.Contains(l.at, -1) {
				t.links = append(t.links, l)
			}
		}
	}
	if any {
		return
	}
	for i := range f.Schema.Tables {
		t := f.tables[f.Schema.Tables[i].Name]
		for j, c := range t.columns {
			if l, found := f.seenLink(t, c); found {
				l.from = []int{j}
				t.links = append(t.links, l)
			}
		}
	}
}

// seenLink finds the key of another table that holds all values of a column, the smallest one.
func (f *facts) seenLink(t *tableFacts, c columnFacts) (best link, ok bool) {
	if c.kind != wholeColumn && c.kind != textColumn || len(c.values) < 2 {
		return best, false
	}
	for i := range f.Schema.Tables {
		to := f.tables[f.Schema.Tables[i].Name]
		if to == t {
			continue
		}
		for _, key := range to.keys {
			if len(key) != 1 || to.columns[key[0]].kind != c.kind {
				continue
			}
			have := syntax.Set(syntax.Map(to.columns[key[0]].values, runner.CellKey))
			if !slices.ContainsFunc(c.values, func(v any) bool { return !have[runner.CellKey(v)] }) &&
				(best.to == nil || len(have) < len(f.Rows[best.to.Name])) {
				best = link{to: to, at: key}
			}
		}
	}
	return best, best.to != nil
}
