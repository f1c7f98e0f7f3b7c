package embedded

import (
	"database/sql/driver"
	"errors"
	"math"
	"strconv"
	"strings"

	"modernc.org/sqlite"
)

func init() { helpers["join"] = join }

// registerAggregates adds those that SQLite lacks. Only STDDEV and VARIANCE can move over a window.
func registerAggregates() {
	for name, final := range map[string]func(n, m2 float64) driver.Value{
		"stddev_pop":  func(n, m2 float64) driver.Value { return math.Sqrt(m2 / n) },
		"var_pop":     func(n, m2 float64) driver.Value { return m2 / n },
		"stddev_samp": func(n, m2 float64) driver.Value { return sample(n, math.Sqrt(m2/(n-1))) },
		"var_samp":    func(n, m2 float64) driver.Value { return sample(n, m2/(n-1)) },
	} {
		registerAggregate(name, func() sqlite.AggregateFunction { return &variance{final: final} })
	}
	registerAggregate("bit_and", func() sqlite.AggregateFunction {
		return &bitFold{none: math.MaxUint64, f: func(a, b uint64) uint64 { return a & b }}
	})
	registerAggregate("bit_or", func() sqlite.AggregateFunction { return &bitFold{f: func(a, b uint64) uint64 { return a | b }} })
	registerAggregate("bit_xor", func() sqlite.AggregateFunction { return &bitFold{f: func(a, b uint64) uint64 { return a ^ b }} })
	registerJSONAggregates()
	for _, over := range []bool{false, true} {
		suffix := map[bool]string{true: "_over"}[over]
		registerAggregate("sum"+suffix, func() sqlite.AggregateFunction { return &doubles{over: over} })
		registerAggregate("avg"+suffix, func() sqlite.AggregateFunction { return &doubles{over: over, avg: true} })
	}
	registerAggregate("dec_sum", func() sqlite.AggregateFunction { return &wideSum{} })
	registerAggregate("rand_rows", func() sqlite.AggregateFunction { return &seededRandoms{} })
	registerAggregate("list", func() sqlite.AggregateFunction { return &list{} })
}

func registerAggregate(name string, start func() sqlite.AggregateFunction) {
	sqlite.MustRegisterFunction("my_"+name, &sqlite.FunctionImpl{NArgs: 1, Deterministic: true,
		MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) { return start(), nil }})
}

func sample(n, x float64) driver.Value {
	if n < 2 {
		return nil
	}
	return x
}

// maxValues bounds what variance keeps: 80 MB.
const maxValues = 10_000_000

// variance keeps its numbers, so that a window can move over them.
type variance struct {
	values []float64
	final  func(n, m2 float64) driver.Value
}

func (v *variance) Step(_ *sqlite.FunctionContext, a []driver.Value) error {
	if a[0] != nil {
		if len(v.values) == maxValues {
			return refused("STDDEV or VARIANCE of more than %d values", maxValues)
		}
		v.values = append(v.values, num(a[0]))
	}
	return nil
}

func (v *variance) WindowInverse(_ *sqlite.FunctionContext, a []driver.Value) error {
	if a[0] != nil && len(v.values) > 0 {
		v.values = v.values[1:]
	}
	return nil
}

// WindowValue uses Welford's recurrence, as MySQL does.
func (v *variance) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	if len(v.values) == 0 {
		return nil, nil
	}
	var mean, m2 float64
	for i, x := range v.values {
		d := x - mean
		mean += d / float64(i+1)
		m2 += d * (x - mean)
	}
	return v.final(float64(len(v.values)), m2), nil
}

func (v *variance) Final(*sqlite.FunctionContext) {}

// doubles is SUM or AVG of doubles, added one after the other as MySQL does; SQLite's own are more precise. Over a window that
// moves the sum is made anew for every row.
type doubles struct {
	over, avg bool
	n         int64
	sum       float64
	values    []float64 // of a window
	moved     bool      // sum holds values that have left the window
}

func (s *doubles) Step(_ *sqlite.FunctionContext, a []driver.Value) error {
	if a[0] == nil {
		return nil
	}
	x := num(a[0])
	s.n++
	s.sum += x
	if s.over {
		if len(s.values) == maxValues {
			return refused("SUM or AVG over a window of more than %d values", maxValues)
		}
		s.values = append(s.values, x)
	}
	return nil
}

func (s *doubles) WindowInverse(_ *sqlite.FunctionContext, a []driver.Value) error {
	if a[0] != nil && len(s.values) > 0 {
		s.n--
		s.values, s.moved = s.values[1:], true
	}
	return nil
}

func (s *doubles) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	if s.moved {
		s.sum, s.moved = 0, false
		for _, x := range s.values {
			s.sum += x
		}
	}
	switch {
	case s.n == 0:
		return nil, nil
	case s.avg:
		return s.sum / float64(s.n), nil
	}
	return s.sum, nil
}

func (*doubles) Final(*sqlite.FunctionContext) {}

var errNoWindow = errors.New("this function cannot move over a window")

// bitFold keeps its numbers, so that a window can move over them.
type bitFold struct {
	values []uint64
	none   uint64
	f      func(a, b uint64) uint64
}

func (b *bitFold) Step(_ *sqlite.FunctionContext, a []driver.Value) error {
	if a[0] == nil {
		return nil
	}
	if len(b.values) == maxValues {
		return refused("BIT_AND, BIT_OR or BIT_XOR of more than %d values", maxValues)
	}
	b.values = append(b.values, uint64(whole(a[0])))
	return nil
}

func (b *bitFold) WindowInverse(_ *sqlite.FunctionContext, a []driver.Value) error {
	if a[0] != nil && len(b.values) > 0 {
		b.values = b.values[1:]
	}
	return nil
}

func (b *bitFold) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	n := b.none
	for _, v := range b.values {
		n = b.f(n, v)
	}
	return int64(n), nil
}

func (*bitFold) Final(*sqlite.FunctionContext) {}

// list collects texts for GROUP_CONCAT: each with its length before it.
type list struct {
	b   strings.Builder
	any bool
}

func (l *list) Step(_ *sqlite.FunctionContext, a []driver.Value) error {
	if a[0] == nil {
		return nil
	}
	l.any = true
	if l.b.Len() > groupConcatMax*2 { // what follows is cut off anyway
		return nil
	}
	s := str(a[0])
	l.b.WriteString(strconv.Itoa(len(s)) + ":" + s)
	return nil
}

func (*list) WindowInverse(*sqlite.FunctionContext, []driver.Value) error { return errNoWindow }

func (l *list) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	if !l.any {
		return nil, nil
	}
	return l.b.String(), nil
}

func (*list) Final(*sqlite.FunctionContext) {}

// groupConcatMax is MySQL's default group_concat_max_len, in bytes.
const groupConcatMax = 1024

// join is my_join(list, separator).
func join(a []driver.Value) (driver.Value, error) {
	if a[0] == nil {
		return nil, nil
	}
	var parts []string
	for rest := str(a[0]); rest != ""; {
		n, text, _ := strings.Cut(rest, ":")
		size, err := strconv.Atoi(n)
		if err != nil || size > len(text) {
			return nil, errors.New("broken list")
		}
		parts = append(parts, text[:size])
		rest = text[size:]
	}
	out := strings.Join(parts, str(a[1]))
	if len(out) > groupConcatMax { // MySQL cuts with a warning, between characters
		out = strings.ToValidUTF8(out[:groupConcatMax], "")
	}
	return out, nil
}
