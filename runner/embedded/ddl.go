package embedded

import (
	"context"
	"fmt"
	"strings"

	"nl2sql/sqlcheck/syntax"
)

// DDL implements [runner.Definer].
func (db *DB) DDL(context.Context) (string, error) {
	return db.ddl, nil
}

// definition is the statements that made the tables.
func (l *loader) definition() string {
	var out strings.Builder
	if l.charset != "" {
		fmt.Fprintf(&out, "ALTER DATABASE CHARACTER SET %s;\n", l.charset)
	}
	for _, text := range syntax.Statements(l.ddl.String()) {
		out.WriteString(text)
		out.WriteString(";\n")
	}
	return out.String()
}
