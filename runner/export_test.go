package runner

import (
	"context"
)

// MaxConns is how many queries run at a time.
const MaxConns = maxConns

// Run runs any text as Query would run a checked one, with limits of its own.
func Run(ctx context.Context, db DB, text string, l Limits) (Result, error) {
	return db.(*server).run(ctx, text, l.WithDefaults())
}
