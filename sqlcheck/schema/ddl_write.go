package schema

import (
	"fmt"
	"nl2sql/sqlcheck/syntax"
	"strings"
)

// DDL is the statement that creates the table in MySQL, as far as a Schema knows what was declared: [ParseDDL] reads it
// back.
func (t *Table) DDL() string {
	var parts []string
	for _, col := range t.Columns {
		def := syntax.QuoteName(col.Name) + " " + col.Type
		if !col.Nullable {
			def += " NOT NULL"
		}
		def += commentOption(col.Comment)
		parts = append(parts, def)
	}
	if len(t.PrimaryKey) > 0 {
		parts = append(parts, "PRIMARY KEY "+quoteNames(t.PrimaryKey))
	}
	for _, u := range t.Unique {
		parts = append(parts, "UNIQUE KEY "+quoteNames(u))
	}
	for _, fk := range t.ForeignKeys {
		if fk.Inferred {
			continue
		}
		parts = append(parts, fmt.Sprintf("FOREIGN KEY %s REFERENCES %s %s", quoteNames(fk.Columns),
			syntax.QuoteName(fk.RefTable), quoteNames(fk.RefColumns)))
	}
	return fmt.Sprintf("CREATE TABLE %s (\n  %s\n)%s;\n", syntax.QuoteName(t.Name), strings.Join(parts, ",\n  "),
		commentOption(t.Comment))
}

// commentOption is " COMMENT '…'", or nothing.
func commentOption(comment string) string {
	if comment == "" {
		return ""
	}
	return " COMMENT '" + strings.NewReplacer(`\`, `\\`, "'", "''").Replace(comment) + "'"
}

func quoteNames(names []string) string {
	return "(" + strings.Join(syntax.Map(names, syntax.QuoteName), ", ") + ")"
}
