// Package schema says what a database holds: tables, typed columns, keys, and the ways that foreign keys lead. It
// reads that from DDL and writes it as DDL. It knows no query. Begin with Schema. It imports syntax.
package schema

import (
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
