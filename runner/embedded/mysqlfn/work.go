package mysqlfn

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Statements that run, by a number that slow functions get as an argument: SQLite hands no context on.
var (
	statements sync.Map // number → context.Context
	numbers    atomic.Int64
	running    atomic.Int64 // statements
	stopped    atomic.Int64 // of those
)

// Start notes a statement that runs under ctx, until end is called. Its number is never 0.
func Start(ctx context.Context) (number int64, end func()) {
	number = numbers.Add(1)
	statements.Store(number, ctx)
	running.Add(1)
	forget := context.AfterFunc(ctx, func() { stopped.Add(1) })
	return number, func() {
		statements.Delete(number)
		if running.Add(-1); !forget() {
			stopped.Add(-1)
		}
		if handled.Load() > leaveBehind {
			collect()
		}
	}
}

// interrupted says that all statements that run were stopped. Most calls and all comparisons cannot tell which one is
// theirs.
func interrupted() bool {
	n := stopped.Load()
	return n > 0 && n >= running.Load()
}

// Long texts are collected, and their memory goes back to the system, as soon as many were handled and at the end of
// their statement: Go would keep twice what was once in use.
const (
	longText     = 256 << 10
	collectAfter = 64 << 20
	leaveBehind  = 16 << 20
)

var handled atomic.Int64 // bytes of long texts and large values since the last collection

// handle counts bytes that will soon be garbage.
func handle(bytes int) {
	if handled.Add(int64(bytes)) > collectAfter {
		collect()
	}
}

func collect() {
	handled.Store(0)
	debug.FreeOSMemory()
}

// work is one call of a function that may take long: it looks at the statement's context as it goes. SQLite itself
// looks only between two calls.
type work struct {
	ctx  context.Context
	left int // steps until the next look
}

const stepsAtOnce = 1 << 16

// stop is what a call panics with that must not go on; err says why. [caught] makes it the call's error.
type stop struct{ err error }

// caught is deferred by who calls what may panic with a stop.
func caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case stop:
		*err = r.err
	default:
		panic(r)
	}
}

// errStopped ends a call whose statement was stopped.
var errStopped = errors.New("stopped")

// step counts n steps of some nanoseconds. It stops the call when the statement was stopped.
func (w *work) step(n int) {
	if w.left -= n; w.left >= 0 {
		return
	}
	w.left = stepsAtOnce
	if w.ctx.Err() != nil {
		panic(stop{errStopped})
	}
}
