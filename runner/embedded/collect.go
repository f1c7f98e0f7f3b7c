package embedded

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync"

	"modernc.org/sqlite"

	"nl2sql/runner"
	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
)

// The rows of a result are collected by an aggregate function, my_collect(id, c1, c2, …), so that SQLite runs the whole
// query in its first step: the driver watches the context only there.

// collectors of the statements that run, by the number that [mysqlfn.Start] gave them.
var collectors sync.Map

// errFull stops a query whose result has reached the limits.
var errFull = errors.New("mysql-result-full")

// collector receives one result.
type collector struct {
	ctx    context.Context
	types  []types.Type
	limits runner.Limits
	bytes  int64
	result runner.Result
}

// collecting is one call of my_collect.
type collecting struct{ c *collector }

func (s *collecting) Step(_ *sqlite.FunctionContext, a []driver.Value) error {
	if s.c == nil {
		id, _ := a[0].(int64)
		c, ok := collectors.Load(id)
		if !ok {
			return errors.New("no such result")
		}
		s.c = c.(*collector)
	}
	return s.c.add(a[1:])
}

func (*collecting) WindowInverse(*sqlite.FunctionContext, []driver.Value) error {
	return errors.New("my_collect is no window function")
}
func (*collecting) WindowValue(*sqlite.FunctionContext) (driver.Value, error) { return nil, nil }
func (*collecting) Final(*sqlite.FunctionContext)                             {}

func (c *collector) add(values []driver.Value) error {
	if err := c.ctx.Err(); err != nil {
		return err
	}
	if len(c.result.Rows) == c.limits.Rows {
		c.result.Truncated = true
		return errFull
	}
	row := make([]any, len(values))
	for i, v := range values {
		cell, err := mysqlfn.Cell(c.types[i], v)
		if err != nil {
			return err
		}
		row[i] = cell
		c.bytes += runner.CellBytes(cell)
	}
	if c.bytes > c.limits.Bytes {
		c.result.Truncated = true
		return errFull
	}
	c.result.Rows = append(c.result.Rows, row)
	return nil
}

// setup tells SQLite's driver about everything that translations call, once, before the first connection.
var setup = sync.OnceFunc(func() {
	countMemory()
	mysqlfn.Register()
	sqlite.MustRegisterFunction("my_collect", &sqlite.FunctionImpl{NArgs: -1,
		MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) { return &collecting{}, nil }})
})
