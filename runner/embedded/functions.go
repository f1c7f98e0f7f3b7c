package embedded

import (
	"database/sql/driver"
	"maps"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"modernc.org/sqlite"
)

// function is one row of the table of MySQL functions that are calls and nothing more. Functions with a form of their
// own stand in forms; what stands in neither is refused.
type function struct {
	args     string // a letter for each argument: s text, n number, i whole number, t date or time, c time, e as it is
	opt      int    // how many of the last ones may be left out
	variadic bool   // the last letter may repeat
	result   func(args []val) typ
	impl     func(a []driver.Value) (driver.Value, error)          // nil if slow is set
	slow     func(w *work, a []driver.Value) (driver.Value, error) // of what may take long
	nulls    bool                                                  // impl sees NULLs; otherwise one makes the result NULL
	coll     bool                                                  // impl gets the collation as one more argument
	alias    string                                                // the function of the table that it is another name of
}

func (f function) least() int {
	return len(f.args) - f.opt
}

func (f function) most() int {
	if f.variadic {
		return -1
	}
	return len(f.args)
}

func (f function) form(i int) byte { return f.args[min(i, len(f.args)-1)] }

// Result types.
var (
	toInt      = func([]val) typ { return tInt }
	toUnsigned = func([]val) typ { return typ{k: kInt, unsigned: true} }
	toDouble   = func([]val) typ { return tDouble }
	toDate     = func([]val) typ { return tDate }
	toBlob     = func([]val) typ { return typ{k: kBlob, coll: collBytes} }
	toPlain    = func([]val) typ { return typ{k: kString} } // a text with the connection's collation
)

// toText is a text with the collation of the arguments.
func toText(args []val) typ {
	t := typ{k: kString}
	for _, a := range args {
		if a.typ.k == kString || a.typ.k == kBlob {
			t.explicit = t.explicit || a.typ.explicit
			t.coll = mergeCollations(t, a.typ)
		}
	}
	return t.bytes()
}

// firstText is a text with the collation of the first argument.
func firstText(args []val) typ { return args[0].typ.asText().bytes() }

// bytes is the type of a text function's result: of bytes it makes bytes.
func (t typ) bytes() typ {
	if t.coll == collBytes {
		t.k = kBlob
	}
	return t
}

// ofBytes is what a text function does with bytes.
type ofBytes uint8

const (
	bytesRefused ofBytes = iota + 1 // something of its own
	bytesKept                       // nothing: they have no case
	bytesCounted                    // the same as with characters
)

// ofCharacters are the functions that treat bytes otherwise than text.
var ofCharacters = map[string]ofBytes{
	"upper": bytesKept, "ucase": bytesKept, "lower": bytesKept, "lcase": bytesKept, "char_length": bytesCounted, "character_length": bytesCounted,
	"substring": bytesCounted, "substr": bytesCounted, "mid": bytesCounted, "left": bytesCounted, "right": bytesCounted, "reverse": bytesCounted,
	"lpad": bytesRefused, "rpad": bytesRefused, "instr": bytesRefused, "locate": bytesRefused, "position": bytesRefused,
	"insert_func": bytesRefused, "insert": bytesRefused, "soundex": bytesRefused, "ord": bytesRefused,
}

// functions by lower-case name.
var functions = map[string]function{}

// helpers are what the dialect itself calls; SQLite knows all of them as my_NAME.
var helpers = map[string]func(a []driver.Value) (driver.Value, error){}

// setup tells SQLite's driver about everything that the dialect calls, once, before the first connection.
var setup = sync.OnceFunc(func() {
	countMemory()
	for _, c := range []collation{collAI, collUnicode, collGeneral, collSwedish, collBin, collBytes, collJSON} {
		sqlite.MustRegisterCollationUtf8(string(c), c.compare)
	}
	for name, f := range functions {
		if f.alias == "" && f.slow == nil {
			register(name, f.impl, f.nulls)
		}
	}
	for name, f := range slow {
		registerSlow(name, f)
	}
	for name, impl := range helpers {
		register(name, impl, true)
	}
	sqlite.MustRegisterFunction("my_rand", &sqlite.FunctionImpl{NArgs: 0, Scalar: func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
		return random(), nil
	}})
	sqlite.MustRegisterFunction("my_uuid", &sqlite.FunctionImpl{NArgs: 0, Scalar: func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
		return newUUID()
	}})
	registerAggregates()
	sqlite.MustRegisterFunction("my_collect", &sqlite.FunctionImpl{NArgs: -1,
		MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) { return &collecting{}, nil }})
})

func init() {
	for _, part := range []map[string]function{textFunctions, regexpFunctions, addressFunctions, numberFunctions, dateFunctions} {
		maps.Copy(functions, part)
	}
	for name, f := range functions {
		if f.slow != nil {
			slow[name] = slowFunction{f.slow, f.nulls}
		}
	}
}

// register gives SQLite a deterministic function. Its texts are bounded, so that no call can exhaust the memory: what comes
// in here, what goes out here, and what is made in between in the functions that multiply texts (see tooLong).
func register(name string, impl func(a []driver.Value) (driver.Value, error), nulls bool) {
	registerCall(name, func(_ *sqlite.FunctionContext, a []driver.Value) (driver.Value, error) {
		return bounded(a, nulls, impl)
	})
}

func registerCall(name string, call func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error)) {
	sqlite.MustRegisterDeterministicScalarFunction("my_"+name, -1, call)
}

// bounded calls a function with texts that are not too long, and lets none out that is.
func bounded(a []driver.Value, nulls bool, impl func(a []driver.Value) (driver.Value, error)) (driver.Value, error) {
	in := 0
	for _, v := range a {
		switch v := v.(type) {
		case nil:
			if !nulls {
				return nil, nil
			}
		case string:
			in += len(v)
		case []byte:
			in += len(v)
		}
	}
	if in > 2*maxText {
		return nil, tooLong()
	}
	v, err := impl(a)
	if s, ok := v.(string); ok {
		if len(s) > maxText {
			return nil, tooLong()
		}
		in += len(s)
	}
	if in > longText && handled.Add(int64(in)) > collectAfter {
		handled.Store(0)
		runtime.GC()
	}
	return v, err
}

// Long texts are collected as soon as many were handled: the garbage of the calls would grow with what is in use, and a
// statement that is stopped leaves it behind.
const (
	longText     = 256 << 10
	collectAfter = 128 << 20
)

var handled atomic.Int64 // bytes of long texts since the last collection

func tooLong() error { return refused("a text of more than %d MiB", maxText>>20) }

// maxText bounds the result of a function, in bytes.
const maxText = 16 << 20

func str(v driver.Value) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return formatDouble(v, 64)
	}
	return ""
}

func num(v driver.Value) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	case nil:
		return 0
	}
	return leadingNumber(str(v))
}

// whole is a number rounded as MySQL rounds arguments that must be whole.
func whole(v driver.Value) int64 {
	if n, ok := v.(int64); ok {
		return n
	}
	f := math.RoundToEven(num(v))
	if _, text := v.(string); !text {
		f = roundTo(num(v), 0)
	}
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

// leadingNumber is the number that a text starts with, as MySQL converts it: 0 if there is none.
func leadingNumber(s string) float64 {
	f, _ := strconv.ParseFloat(numberPrefix(s), 64)
	return f
}

// numberPrefix is the part of a text that leadingNumber reads; "" if there is none.
func numberPrefix(s string) string {
	s = strings.TrimLeft(s, " \t\n\r\v\f")
	end, digits := 0, false
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || end == 0 && (s[end] == '-' || s[end] == '+')) {
		digits = digits || s[end] >= '0'
		end++
	}
	if end < len(s) && s[end] == '.' {
		end++
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			digits = true
			end++
		}
	}
	if !digits {
		return ""
	}
	if end < len(s) && (s[end] == 'e' || s[end] == 'E') {
		e := end + 1
		if e < len(s) && (s[e] == '-' || s[e] == '+') {
			e++
		}
		start := e
		for e < len(s) && s[e] >= '0' && s[e] <= '9' {
			e++
		}
		if e > start {
			end = e
		}
	}
	return s[:end]
}

func boolean(b bool) driver.Value {
	if b {
		return int64(1)
	}
	return int64(0)
}

// finite is a double result; MySQL fails where one overflows and gives NULL where it is not a number.
func finite(f float64) (driver.Value, error) {
	switch {
	case math.IsNaN(f):
		return nil, nil
	case math.IsInf(f, 0):
		return nil, runtimeError{1690, "DOUBLE value is out of range"}
	}
	return f, nil
}
