package runner

import (
	"context"
	"fmt"
	"strings"
)

// Definer is a database that can say how its tables were made. Every DB of ours is one.
type Definer interface {
	// DDL is a MySQL script that makes the base tables, empty; keys may refer to tables further down.
	DDL(ctx context.Context) (string, error)
}

// DDL implements [Definer].
func (s *server) DDL(ctx context.Context) (string, error) {
	tables, err := s.strings(ctx, tablesSQL+" ORDER BY TABLE_NAME")
	if err != nil {
		return "", fmt.Errorf("read the tables' definitions: %w", err)
	}
	var out strings.Builder
	for _, row := range tables {
		if row[1] == "VIEW" {
			continue
		}
		def, err := s.strings(ctx, "SHOW CREATE TABLE "+QuoteName(row[0]))
		if err != nil {
			return "", fmt.Errorf("read the definition of table %s: %w", row[0], err)
		}
		out.WriteString(def[0][1])
		out.WriteString(";\n")
	}
	return out.String(), nil
}
