package schema

import (
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// schema --format ddl prints what check --schema reads.
func TestTableDDLReadsBack(t *testing.T) {
	want := Schema{Tables: []Table{
		{
			Name: "odd`name", Comment: `it's \ odd`, PrimaryKey: []string{"a", "b c"},
			Columns: []Column{
				{Name: "a", Type: "int", Key: "PRI"},
				{Name: "b c", Type: "varchar(10)", Key: "PRI"},
				{Name: "d", Type: "decimal(10,2)", Nullable: true, Comment: "EUR; it's net\nof \"tax\""},
			},
		},
		{
			Name: "other", PrimaryKey: []string{"id"}, Unique: [][]string{{"x"}},
			Columns: []Column{
				{Name: "id", Type: "int", Key: "PRI"},
				{Name: "x", Type: "int", Key: "UNI", Nullable: true},
			},
			ForeignKeys: []ForeignKey{{Columns: []string{"x"}, RefTable: "odd`name", RefColumns: []string{"a"}}},
		},
	}}
	var ddl strings.Builder
	for i := range want.Tables {
		ddl.WriteString(want.Tables[i].DDL())
	}
	got := must.Get(ParseDDL("", ddl.String()))(t)
	must.Same(t, *got, want, ddl.String())
}
