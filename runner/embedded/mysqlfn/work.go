package mysqlfn

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// Statements that run, by a number that slow functions get as an argument: SQLite hands no context on.
var (
	statements sync.Map // number → context.Context
	numbers    atomic.Int64
)

// Start notes a statement that runs under ctx, until end is called. Its number is never 0.
func Start(ctx context.Context) (number int64, end func()) {
	number = numbers.Add(1)
	statements.Store(number, ctx)
	return number, func() { statements.Delete(number) }
}

// statementContext is that of a statement that runs.
func statementContext(number int64) context.Context {
	if ctx, ok := statements.Load(number); ok {
		return ctx.(context.Context)
	}
	return context.Background()
}

// work is one call of a function that may take long: it looks at the statement's context as it goes. SQLite itself looks
// only between two calls.
type work struct {
	ctx  context.Context
	left int // steps until the next look
}

const stepsAtOnce = 1 << 16

// errStopped ends a call whose statement was stopped.
var errStopped = errors.New("stopped")

// step counts n steps of some nanoseconds. It panics with errStopped when the statement was stopped.
func (w *work) step(n int) {
	if w.left -= n; w.left >= 0 {
		return
	}
	w.left = stepsAtOnce
	if w.ctx.Err() != nil {
		panic(errStopped)
	}
}
