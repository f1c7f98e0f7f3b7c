package embedded

import (
	"context"
	"database/sql/driver"
	"errors"
	"math"
	"strconv"
	"sync"
	"sync/atomic"

	"modernc.org/sqlite"

	"nl2sql/runner"
)

// The rows of a result are collected by an aggregate function, my_collect(id, c1, c2, …), so that SQLite runs the whole
// query in its first step: the driver watches the context only there.

var (
	collectors  sync.Map // id → *collector
	collectorID atomic.Int64
)

// errFull stops a query whose result has reached the limits.
var errFull = errors.New("mysql-result-full")

// collector receives one result.
type collector struct {
	ctx    context.Context
	types  []typ
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

func (*collecting) WindowInverse(*sqlite.FunctionContext, []driver.Value) error { return errNoWindow }
func (*collecting) WindowValue(*sqlite.FunctionContext) (driver.Value, error)   { return nil, nil }
func (*collecting) Final(*sqlite.FunctionContext)                               {}

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
		cell, err := c.types[i].cell(v)
		if err != nil {
			return err
		}
		row[i] = cell
		c.bytes += cellBytes(cell)
	}
	if c.bytes > c.limits.Bytes {
		c.result.Truncated = true
		return errFull
	}
	c.result.Rows = append(c.result.Rows, row)
	return nil
}

func cellBytes(v any) int64 {
	switch v := v.(type) {
	case string:
		return int64(len(v))
	case runner.Decimal:
		return int64(len(v))
	case []byte:
		return int64(len(v))
	}
	return 8
}

// cell is a value as the runner returns it.
func (t typ) cell(v driver.Value) (any, error) {
	if v == nil {
		return nil, nil
	}
	switch t.k {
	case kInt:
		switch v := v.(type) {
		case int64:
			if t.bits && v < 0 {
				return uint64(v), nil
			}
			return v, nil
		case float64: // SQLite went over to doubles where MySQL fails
			return nil, runtimeError{1690, "BIGINT value is out of range"}
		}
	case kDecimal:
		d, ok := formatDecimal(v, t.scale)
		if !ok {
			return nil, tooLongDecimal(v)
		}
		return d, nil
	case kDouble:
		f := num(v)
		if math.IsInf(f, 0) {
			return nil, runtimeError{1690, "DOUBLE value is out of range"}
		}
		if t.fixed > 0 {
			return strconv.ParseFloat(strconv.FormatFloat(f, 'f', t.fixed-1, 64), 64)
		}
		return f, nil
	case kFloat:
		f, err := strconv.ParseFloat(strconv.FormatFloat(num(v), 'g', -1, 32), 64)
		return f, err
	case kJSON:
		return jsonText(str(v)), nil
	case kBlob:
		if b, ok := v.([]byte); ok {
			return append([]byte(nil), b...), nil
		}
		return []byte(str(v)), nil
	}
	return str(v), nil
}
