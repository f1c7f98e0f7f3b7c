package runner

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"
)

// lacks returns the first of some functions that is not one of the server's own; "" is none. MySQL takes a stored or
// loaded function of that name then, and such a one may do anything. So the server is asked, by preparing a call
// without arguments, which runs nothing: its own functions complain of the number (1582) or the syntax (1064), nothing
// else does. Source: MySQL 8.0 Reference Manual, "Function Name Parsing and Resolution"; what 8.0.15 and MariaDB 10.11
// say.
func (s *server) lacks(ctx context.Context, names []string) (string, error) {
	if s.dialect.engine == "tidb" {
		return "", nil // it has no stored functions
	}
	var conn *sql.Conn
	for _, name := range names {
		s.mu.Lock()
		native, known := s.native[name]
		s.mu.Unlock()
		if !known {
			if conn == nil {
				var err error
				if conn, err = s.db.Conn(ctx); err != nil {
					return "", err
				}
				defer conn.Close()
			}
			stmt, err := conn.PrepareContext(ctx, fmt.Sprintf("SELECT %s()", name))
			if err == nil {
				stmt.Close()
			}
			var refused *mysql.MySQLError
			if err != nil && !errors.As(err, &refused) {
				return "", err
			}
			native = refused != nil && (refused.Number == 1582 || refused.Number == 1064)
			s.mu.Lock()
			s.native[name] = native
			s.mu.Unlock()
		}
		if !native {
			return name, nil
		}
	}
	return "", nil
}
