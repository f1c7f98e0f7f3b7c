package embedded

import (
	"context"
	"database/sql/driver"
	"errors"
	"strconv"
	"strings"

	"modernc.org/sqlite"
)

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

// slow are the functions that take more than a few steps for each byte of their arguments, by the name that SQLite knows as
// my_NAME. The dialect adds the statement's number to their arguments.
var slow = map[string]slowFunction{}

type slowFunction struct {
	impl  func(w *work, a []driver.Value) (driver.Value, error)
	nulls bool // impl sees NULLs; otherwise one makes the result NULL
}

// callOf writes a call of one of the engine's functions.
func (d *dialect) callOf(name string, args ...string) string {
	if _, ok := slow[name]; ok {
		args = append(args, strconv.FormatInt(d.id, 10))
	}
	return "my_" + name + "(" + strings.Join(args, ", ") + ")"
}

// registerSlow is register for a function of the table slow.
func registerSlow(name string, f slowFunction) {
	registerCall(name, func(_ *sqlite.FunctionContext, a []driver.Value) (v driver.Value, err error) {
		last := len(a) - 1
		w := &work{ctx: context.Background()}
		if c, ok := collectors.Load(whole(a[last])); ok {
			w.ctx = c.(*collector).ctx
		}
		defer func() {
			if r := recover(); r == errStopped {
				v, err = nil, errStopped
			} else if r != nil {
				panic(r)
			}
		}()
		return bounded(a[:last], f.nulls, func(a []driver.Value) (driver.Value, error) { return f.impl(w, a) })
	})
}
