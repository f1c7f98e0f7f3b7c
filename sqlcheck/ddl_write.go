package sqlcheck

import (
	"fmt"
	"strings"
)

// DDL is the statement that creates the table in MySQL, as far as a Schema knows: [ParseDDL] reads it back.
func (t *Table) DDL() string {
	var parts []string
	for _, col := range t.Columns {
		def := QuoteName(col.Name) + " " + col.Type
		if !col.Nullable {
			def += " NOT NULL"
		}
		parts = append(parts, def)
	}
	if len(t.PrimaryKey) > 0 {
		parts = append(parts, "PRIMARY KEY "+quoteNames(t.PrimaryKey))
	}
	for _, u := range t.Unique {
		parts = append(parts, "UNIQUE KEY "+quoteNames(u))
	}
	for _, fk := range t.ForeignKeys {
		parts = append(parts, fmt.Sprintf("FOREIGN KEY %s REFERENCES %s %s", quoteNames(fk.Columns), QuoteName(fk.RefTable), quoteNames(fk.RefColumns)))
	}
	return fmt.Sprintf("CREATE TABLE %s (\n  %s\n);\n", QuoteName(t.Name), strings.Join(parts, ",\n  "))
}

// QuoteName writes a name as an identifier in MySQL's notation, which SQLite reads too.
func QuoteName(name string) string {
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}

func quoteNames(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = QuoteName(name)
	}
	return "(" + strings.Join(quoted, ", ") + ")"
}
