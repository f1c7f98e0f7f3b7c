// Package mysqlfn is MySQL's functions, and what their values are: texts and their collations, decimals, dates and
// times, JSON. SQLite calls them by the names my_NAME; [Functions] is the table of them all, and a new one is a row
// more in the file that it is about.
//
// It knows values and their types, and SQLite's driver, which it tells of them. It knows no statement, no table and no
// database.
package mysqlfn

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"

	"modernc.org/sqlite"

	"nl2sql/runner"
	"nl2sql/runner/embedded/types"
)

// Function is a row of the table of functions: what SQLite knows as my_NAME.
type Function struct {
	// How it is called by its name in MySQL's SQL.
	//
	// Args has a letter for each argument: s text, d text of which a BIT is a number, n number, i number that is
	// rounded, o the same, of which NULL is 0, t date or time, c time, e as it is, w the same, but a double is rounded;
	// of JSON j document, v value that becomes part of one, k key, p path, x text of which NULL is the same as none. It
	// is "" for what only translations call.
	Args     string
	Opt      int     // how many of the last arguments may be left out
	Repeat   int     // how many of the last letters may come again, any number of times
	Result   Result  // what it makes
	Bytes    OfBytes // what it does with bytes instead of a text
	Collated bool    // the name of the collation comes behind the arguments
	Alias    string  // the function that this is another name of; what follows is then unset

	// What it does: one of the three.
	Call func(a []driver.Value) (driver.Value, error)
	// may take more than a few steps for each byte: the number of its [Statement] comes last
	Slow      func(w *work, a []driver.Value) (driver.Value, error)
	Aggregate func() sqlite.AggregateFunction
	Values    int32 // of an aggregate: its arguments; 0 means 1
	Nulls     bool  // it sees NULLs; otherwise one makes the result NULL
	Random    bool  // each call gives another value, and has no arguments
}

// Result says what a function makes. What its collation is a translation finds out.
type Result uint8

// The results.
const (
	_ Result = iota
	ToInt
	ToUnsigned
	ToDouble
	ToPower // a double; of fractions its last digit is the C library's
	ToPi    // a double that is shown with six places
	ToDate
	ToBlob
	ToPlain   // a text with the connection's collation
	ToText    // a text with the collation of the arguments
	FirstText // a text with the collation of the first argument
	ToJSON
	ToJSONText // a text made of JSON
)

// OfBytes is what a text function does with bytes. The zero value is: the same as with a text.
type OfBytes uint8

// What is otherwise.
const (
	BytesRefused OfBytes = iota + 1 // something of its own
	BytesKept                       // nothing: they have no case
	BytesCounted                    // the same as with characters
)

// Least is how many arguments a call has at least.
func (f Function) Least() int { return len(f.Args) - f.Opt }

// Most is how many it has at most, -1 for any number.
func (f Function) Most() int {
	if f.Repeat > 0 {
		return -1
	}
	return len(f.Args)
}

// Letter is that of the argument i, from 0 on.
func (f Function) Letter(i int) byte {
	if n := len(f.Args); i >= n {
		i = n - f.Repeat + (i-n)%f.Repeat
	}
	return f.Args[i]
}

// table is a part of the table, by lower-case name.
type table = map[string]Function

// Functions is the whole table.
var Functions = func() table {
	all := table{}
	for _, part := range []table{textFunctions, regexpFunctions, numberFunctions, dateFunctions, momentFunctions,
		timeFunctions, jsonFunctions, conversions, crossings, wideFunctions, aggregates} {
		for name, f := range part {
			if _, twice := all[name]; twice {
				panic("mysqlfn: two functions are called " + name)
			}
			all[name] = f
		}
	}
	return all
}()

// Register tells SQLite's driver about all functions and collations. It is called once, before the first connection.
func Register() {
	for _, c := range []types.Collation{types.CollAI, types.CollUnicode, types.CollUnicode520, types.CollGeneral,
		types.CollSwedish, types.CollBin, types.CollBytes, types.CollJSON, types.CollText,
		types.CollNarrow, types.CollNone} {
		sqlite.MustRegisterCollationUtf8(string(c), func(a, b string) int { return compareTexts(c, a, b) })
	}
	for name, f := range Functions {
		switch name = "my_" + name; {
		case f.Alias != "":
		case f.Aggregate != nil:
			sqlite.MustRegisterFunction(name, &sqlite.FunctionImpl{NArgs: max(f.Values, 1), Deterministic: true,
				MakeAggregate: func(sqlite.FunctionContext) (sqlite.AggregateFunction, error) {
					return f.Aggregate(), nil
				}})
		case f.Random:
			sqlite.MustRegisterFunction(name, &sqlite.FunctionImpl{NArgs: 0, Scalar: f.call})
		case f.Slow != nil:
			sqlite.MustRegisterDeterministicScalarFunction(name, -1, f.callSlow)
		default:
			sqlite.MustRegisterDeterministicScalarFunction(name, -1, f.call)
		}
	}
}

// call is a call of Call.
func (f *Function) call(_ *sqlite.FunctionContext, a []driver.Value) (driver.Value, error) {
	return f.bounded(a, f.Call)
}

// callSlow is a call of Slow.
func (f *Function) callSlow(_ *sqlite.FunctionContext, a []driver.Value) (driver.Value, error) {
	last, w := len(a)-1, &work{ctx: context.Background()}
	if ctx, runs := statements.Load(whole(a[last])); runs { // that of the statement
		w.ctx = ctx.(context.Context)
	}
	return f.bounded(a[:last], func(a []driver.Value) (driver.Value, error) { return f.Slow(w, a) })
}

// bounded calls a function with texts that are not too long, and lets none out that is, so that no call can exhaust
// the memory: what is made in between is the business of the functions that multiply texts (see tooLong).
func (f *Function) bounded(a []driver.Value, call func([]driver.Value) (driver.Value, error),
) (v driver.Value, err error) {
	defer caught(&err)
	in := 0
	for _, v := range a {
		switch v := v.(type) {
		case nil:
			if !f.Nulls {
				return nil, nil
			}
		case string:
			in += len(v)
		case []byte:
			in += len(v)
		}
	}
	switch {
	case in > 2*maxText:
		return nil, tooLong()
	case interrupted(): // SQLite looks once a row, which may have hundreds of calls
		return nil, errStopped
	}
	v, err = call(a)
	if s, ok := v.(string); ok {
		if len(s) > maxText {
			return nil, tooLong()
		}
		in += len(s)
	}
	if in > longText {
		handle(in)
	}
	return v, err
}

func tooLong() error { return refused("a text of more than %d MiB", maxText>>20) }

// maxText bounds the result of a function, in bytes.
const maxText = 16 << 20

// Refusal is what the embedded database says of what it cannot do.
func Refusal(what string) string {
	return "the embedded database cannot run " + what + "; use --db local or a server"
}

// runtimeError is an error of a function that SQLite calls. SQLite keeps only its text, so the number travels in it.
type runtimeError struct {
	code    uint16 // MySQL's; 0 for a refusal
	message string
}

const runtimeMark = "mysql-error:"

func (e runtimeError) Error() string {
	return runtimeMark + strconv.Itoa(int(e.code)) + ":" + e.message
}

// ParseRuntimeError finds a runtimeError in the text that SQLite made of it.
func ParseRuntimeError(text string) (*runner.QueryError, bool) {
	_, rest, ok := strings.Cut(text, runtimeMark)
	if !ok {
		return nil, false
	}
	number, message, _ := strings.Cut(rest, ":")
	code, err := strconv.ParseUint(number, 10, 16)
	if err != nil {
		return nil, false
	}
	if i := strings.LastIndex(message, " ("); i > 0 && strings.HasSuffix(message, ")") { // SQLite's result code
		if _, err := strconv.Atoi(message[i+2 : len(message)-1]); err == nil {
			message = message[:i]
		}
	}
	return &runner.QueryError{Code: uint16(code), Message: message}, true
}

// refused is a refusal that only the values show.
func refused(format string, args ...any) error {
	return runtimeError{0, Refusal(fmt.Sprintf(format, args...))}
}
