package runner

import (
	"context"
)

// Run runs any text as Query would run a checked one, with limits of its own.
func Run(ctx context.Context, db DB, text string, l Limits) (Result, error) {
	return db.(*server).run(ctx, text, l.WithDefaults())
}
