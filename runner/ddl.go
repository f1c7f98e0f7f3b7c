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

// dialect is what differs between the servers that speak MySQL's protocol.
type dialect struct {
	engine     string // Backend.Engine
	mark       string // part of VERSION()
	readOnlyTx bool   // START TRANSACTION READ ONLY works
	timedOut   uint16 // error number of a statement that took too long
}

// dialects are searched in order; the last one fits every server.
//
// START TRANSACTION READ ONLY alone is left by the implicit commit of DDL, the session variable alone by nothing but
// SET, which the checker refuses; a session gets both. TiDB has neither (both are no-ops behind a switch), so that
// there only the checker and the user's grants keep a session from writing (README.md has what was tried).
var dialects = []dialect{
	{engine: "tidb", mark: "TiDB", timedOut: 3024},
	{engine: "mariadb", mark: "MariaDB", readOnlyTx: true, timedOut: 1969},
	{engine: "mysql", readOnlyTx: true, timedOut: 3024},
}

func dialectOf(version string) dialect {
	for _, d := range dialects {
		if strings.Contains(version, d.mark) {
			return d
		}
	}
	panic("unreachable: the last dialect's mark is empty")
}
