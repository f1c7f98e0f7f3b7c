package embedded

import (
	"context"
	"fmt"
	"strings"

	"nl2sql/sqlcheck"
)

// DDL implements [runner.Definer].
func (db *DB) DDL(context.Context) (string, error) {
	if db.ddl == "" {
		return "", fmt.Errorf("database %s was imported by an older version, which did not keep its definition: import it again", db.name)
	}
	return db.ddl, nil
}

// definition is the statements that made the tables.
func (l *loader) definition() string {
	var out strings.Builder
	if l.charset != "" {
		fmt.Fprintf(&out, "ALTER DATABASE CHARACTER SET %s;\n", l.charset)
	}
	for _, text := range sqlcheck.Statements(l.ddl.String()) {
		out.WriteString(text)
		out.WriteString(";\n")
	}
	return out.String()
}
