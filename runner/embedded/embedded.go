// Package embedded is the in-process SQL engine: SQLite in memory behind MySQL's dialect.
package embedded

import (
	"context"
	"errors"

	"nl2sql/runner"
)

// Open loads a database: "" is the demo database, another name one that Import stored.
func Open(ctx context.Context, name string, l runner.Limits) (runner.DB, error) {
	return nil, errors.New("embedded: open")
}
