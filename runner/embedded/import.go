package embedded

import (
	"context"
	"errors"

	"nl2sql/runner"
)

func openImported(ctx context.Context, name string, l runner.Limits) (runner.DB, error) {
	return nil, errors.New("embedded: named databases are not built yet")
}
