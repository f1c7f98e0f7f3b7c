package mysqlfn

import (
	"database/sql/driver"
	"errors"
	"math"
	"strconv"
	"strings"
	"sync/atomic"

	"modernc.org/sqlite"
)

// aggregates are those that SQLite lacks, and what GROUP_CONCAT is made of.
var aggregates = table{
	"stddev_pop":  {Aggregate: varianceOf(func(n, m2 float64) driver.Value { return math.Sqrt(m2 / n) })},
	"var_pop":     {Aggregate: varianceOf(func(n, m2 float64) driver.Value { return m2 / n })},
	"stddev_samp": {Aggregate: varianceOf(func(n, m2 float64) driver.Value { return sample(n, math.Sqrt(m2/(n-1))) })},
	"var_samp":    {Aggregate: varianceOf(func(n, m2 float64) driver.Value { return sample(n, m2/(n-1)) })},
	"sum":         {Aggregate: func() sqlite.AggregateFunction { return &doubles{} }},
	"sum_over":    {Aggregate: func() sqlite.AggregateFunction { return &doubles{over: true} }},
	"avg":         {Aggregate: func() sqlite.AggregateFunction { return &doubles{avg: true} }},
	"avg_over":    {Aggregate: func() sqlite.AggregateFunction { return &doubles{over: true, avg: true} }},
	"sum_kept":    {Aggregate: func() sqlite.AggregateFunction { return &doubles{sum: minusZero} }},
	"avg_kept":    {Aggregate: func() sqlite.AggregateFunction { return &doubles{avg: true, sum: minusZero} }},
	"dec_sum":     {Aggregate: func() sqlite.AggregateFunction { return &wideSum{} }},
	"bit_and":     {Aggregate: bitsOf(math.MaxUint64, "&")},
	"bit_or":      {Aggregate: bitsOf(0, "|")},
	"bit_xor":     {Aggregate: bitsOf(0, "^")},
	"list":        {Aggregate: func() sqlite.AggregateFunction { return &list{} }},
	"join":        {Call: join},
}

// minusZero leaves what is added to it as it is, -0 too.
var minusZero = math.Copysign(0, -1)

func sample(n, x float64) driver.Value {
	if n < 2 {
		return nil
	}
	return x
}

// account is what an aggregate keeps in Go's memory, which SQLite does not count. All of them share a limit.
type account struct{ bytes int64 }

const maxAccounts = 96 << 20

var accounts atomic.Int64 // bytes of all

// keep counts bytes more, or fewer.
func (k *account) keep(bytes int) error {
	k.bytes += int64(bytes)
	if accounts.Add(int64(bytes)) > maxAccounts && bytes > 0 {
		return refused("aggregate functions that keep more than %d MiB", maxAccounts>>20)
	}
	return nil
}

// Final gives it back. SQLite calls it for every aggregate, also of a statement that fails.
func (k *account) Final(*sqlite.FunctionContext) {
	accounts.Add(-k.bytes)
	if k.bytes > longText {
		handle(int(k.bytes))
	}
	k.bytes = 0
}

// keeping is an aggregate that keeps its values, so that a window can move over them.
type keeping[T float64 | uint64] struct {
	account
	values []T
	read   func(driver.Value) T
	final  func([]T) driver.Value
}

func (k *keeping[T]) Step(_ *sqlite.FunctionContext, a []driver.Value) error {
	if a[0] == nil {
		return nil
	}
	k.values = append(k.values, k.read(a[0]))
	return k.keep(8)
}

func (k *keeping[T]) WindowInverse(_ *sqlite.FunctionContext, a []driver.Value) error {
	if a[0] == nil || len(k.values) == 0 {
		return nil
	}
	k.values = k.values[1:]
	return k.keep(-8)
}

func (k *keeping[T]) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	return k.final(k.values), nil
}

// varianceOf uses Welford's recurrence, as MySQL does.
func varianceOf(final func(n, m2 float64) driver.Value) func() sqlite.AggregateFunction {
	of := func(values []float64) driver.Value {
		var mean, m2 float64
		for i, x := range values {
			d := x - mean
			mean += d / float64(i+1)
			m2 += d * (x - mean)
		}
		if len(values) == 0 {
			return nil
		}
		return final(float64(len(values)), m2)
	}
	return func() sqlite.AggregateFunction { return &keeping[float64]{read: num, final: of} }
}

// bitsOf is BIT_AND, BIT_OR or BIT_XOR, which is none where there are no values.
func bitsOf(none uint64, operator string) func() sqlite.AggregateFunction {
	of := func(values []uint64) driver.Value {
		n := none
		for _, v := range values {
			n = bitwise[operator](n, v)
		}
		return int64(n)
	}
	read := func(v driver.Value) uint64 { return uint64(whole(v)) }
	return func() sqlite.AggregateFunction { return &keeping[uint64]{read: read, final: of} }
}

// doubles is SUM or AVG of doubles, added one after the other as MySQL does; SQLite's own are more precise. Over a
// window that moves the sum is made anew for every row.
type doubles struct {
	account
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
	if !s.over {
		return nil
	}
	s.values = append(s.values, x)
	return s.keep(8)
}

func (s *doubles) WindowInverse(_ *sqlite.FunctionContext, a []driver.Value) error {
	if a[0] == nil || len(s.values) == 0 {
		return nil
	}
	s.n--
	s.values, s.moved = s.values[1:], true
	return s.keep(-8)
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
		return finite(s.sum / float64(s.n))
	}
	return finite(s.sum)
}

var errNoWindow = errors.New("this function cannot move over a window")

// list collects texts for GROUP_CONCAT: each with its length before it.
type list struct {
	account
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
	s = s[:min(len(s), 2*groupConcatMax)] // so that join sees that it is too long
	before := l.b.Cap()
	l.b.WriteString(strconv.Itoa(len(s)) + ":" + s)
	return l.keep(l.b.Cap() - before)
}

func (*list) WindowInverse(*sqlite.FunctionContext, []driver.Value) error { return errNoWindow }

func (l *list) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	if !l.any {
		return nil, nil
	}
	return l.b.String(), nil
}

// groupConcatMax is MySQL's default group_concat_max_len, in bytes.
const groupConcatMax = 1024

// join is my_join(list, separator).
func join(a []driver.Value) (driver.Value, error) {
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

// jsonAggregate is JSON_ARRAYAGG or JSON_OBJECTAGG: my_json_arrayagg(value), my_json_objectagg(key, value). It keeps
// its members, so that a window can move over them.
type jsonAggregate struct {
	account
	object bool
	keys   []string // of an object
	list   []string // the values
	text   int      // bytes of both
}

// memberBytes is what a member takes beside its text.
const memberBytes = 64

func (j *jsonAggregate) Step(_ *sqlite.FunctionContext, a []driver.Value) error {
	if j.object && a[0] == nil {
		return runtimeError{3158, "JSON documents may not contain NULL member names."}
	}
	key, text := str(a[0]), str(a[len(a)-1])
	size := len(text)
	if j.object {
		size += len(key)
	}
	if j.text += size; j.text > maxText {
		return tooLong()
	}
	if j.list = append(j.list, text); j.object {
		j.keys = append(j.keys, key)
	}
	return j.keep(size + memberBytes)
}

func (j *jsonAggregate) WindowInverse(*sqlite.FunctionContext, []driver.Value) error {
	if len(j.list) == 0 {
		return nil
	}
	size := len(j.list[0])
	j.list = j.list[1:]
	if j.object {
		size += len(j.keys[0])
		j.keys = j.keys[1:]
	}
	j.text -= size
	return j.keep(-size - memberBytes)
}

func (j *jsonAggregate) WindowValue(*sqlite.FunctionContext) (v driver.Value, err error) {
	defer caught(&err)
	if len(j.list) == 0 {
		return nil, nil
	}
	if !j.object {
		return "[" + strings.Join(j.list, ", ") + "]", nil
	}
	object := map[string]any{}
	for i, key := range j.keys {
		object[key] = writtenJSON(j.list[i])
	}
	return writeJSON(object), nil
}
