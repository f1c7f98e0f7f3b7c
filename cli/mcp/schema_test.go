package mcp

import (
	"fmt"
	"strings"
	"testing"

	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/sqlcheck/schema"
)

// A schema is told with as much as an agent can read, and what is left out is said; a table and a question have all of
// theirs.
func TestLargeSchemas(t *testing.T) {
	for _, test := range []struct {
		tables, columns, shown int
		last, note             string
	}{
		{20, 5, 20, "t19(id int primary key, about_19_0 text, ", dataMark},
		{50, 10, 50, "t49(id, about_49_0, ", "Values, comments and joins are left out. Name a table, or a question. " + dataMark},
		{900, 10, 900, "t899\n", "Columns are left out. Name a table, or a question. " + dataMark},
		{3000, 5, 1992, "t1991\n",
			"These are the names of the first 1992 tables of 3000. Name a table, or a question. " + dataMark},
	} {
		s := &schema.Schema{Name: "large"}
		for i := range test.tables {
			one := schema.Table{Name: fmt.Sprintf("t%d", i), PrimaryKey: []string{"id"}}
			one.Columns = []schema.Column{{Name: "id", Type: "int", Key: "PRI"}}
			for c := range test.columns {
				one.Columns = append(one.Columns, schema.Column{
					Name: fmt.Sprintf("about_%d_%d", i, c), Type: "varchar(20)", Comment: strings.Repeat("comment ", 8),
				})
			}
			s.Tables = append(s.Tables, one)
		}
		server := serverOf(t, nil)
		server.Databases = []desk.Database{{Name: "large", Database: answer.Database{Schema: s}}}
		c := connect(t, server, nil)
		text, value, failed := call(t, c, "schema", nil)
		if tables := value["tables"].([]any); failed || len(tables) != test.shown || value["note"] != test.note {
			t.Errorf("%d tables of %d: %s", len(tables), test.tables, value["note"])
		}
		if !strings.Contains(text, test.last) || !strings.HasSuffix(text, test.note) || len(text) > 2*mostText {
			t.Errorf("%d bytes, want %s: %.300s", len(text), test.last, text)
		}
		text, _, _ = call(t, c, "schema", object{"table": "T7"})
		if want := "t7(id int primary key, about_7_0 text, "; !strings.HasPrefix(text, want) {
			t.Errorf("%.300s, want %s", text, want)
		}
		text, value, _ = call(t, c, "schema", object{"question": "How many t13 have about_13_2?"})
		if len(value["tables"].([]any)) > 30 || !strings.Contains(text, "t13(id int primary key, ") {
			t.Errorf("%d tables: %.300s", len(value["tables"].([]any)), text)
		}
	}
}
