package mysqlfn

import (
	"cmp"
	"database/sql/driver"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"
	"modernc.org/libc"
)

// real is a function of C's library, whose last digits are MySQL's more often than those of Go's math are.
func real(f func(*libc.TLS, float64) float64) Function {
	return number1(func(x float64) float64 { return inC(func(tls *libc.TLS) float64 { return f(tls, x) }) })
}

// inC is what a function of C's library, which wants a stack of its own, makes.
func inC(f func(*libc.TLS) float64) float64 {
	tls := libc.NewTLS()
	defer tls.Close()
	return f(tls)
}

// number1 wraps a function of one number.
func number1(f func(x float64) float64) Function {
	return Function{Args: "n", Result: ToDouble, Call: func(a []driver.Value) (driver.Value, error) {
		return finite(f(num(a[0])))
	}}
}

// positive is NaN, hence NULL, for what a logarithm does not take.
func positive(f func(*libc.TLS, float64) float64) func(*libc.TLS, float64) float64 {
	return func(tls *libc.TLS, x float64) float64 {
		if x <= 0 {
			return math.NaN()
		}
		return f(tls, x)
	}
}

var calls atomic.Int64 // of later

var numberFunctions = table{
	// of chance alone, where MySQL's has the time and the machine's address
	"uuid": {Random: true, Call: func([]driver.Value) (driver.Value, error) { return uuid.NewString(), nil }},
	// less with each call, which sorts what is tied by the last row first
	"later": {Random: true, Call: func([]driver.Value) (driver.Value, error) { return -calls.Add(1), nil }},
	"rand":  {Random: true, Call: func([]driver.Value) (driver.Value, error) { return rand.Float64(), nil }},
	"sqrt":  number1(math.Sqrt), "exp": real(libc.Xexp), "ln": real(positive(libc.Xlog)),
	"log2":  real(positive(libc.Xlog2)),
	"log10": real(positive(libc.Xlog10)), "sin": real(libc.Xsin), "cos": real(libc.Xcos), "tan": real(libc.Xtan),
	"cot":  real(func(tls *libc.TLS, x float64) float64 { return 1 / libc.Xtan(tls, x) }),
	"asin": real(libc.Xasin), "acos": real(libc.Xacos),
	"radians": number1(func(x float64) float64 { return x * (math.Pi / 180) }),
	"degrees": number1(func(x float64) float64 { return x * (180 / math.Pi) }),
	"atan":    {Args: "nn", Opt: 1, Result: ToDouble, Call: atan},
	"atan2":   {Args: "nn", Result: ToDouble, Alias: "atan"},
	"pi":      {Args: "n", Opt: 1, Result: ToPi, Call: func([]driver.Value) (driver.Value, error) { return math.Pi, nil }},
	"pow": {Args: "nn", Result: ToPower, Call: func(a []driver.Value) (driver.Value, error) {
		f := inC(func(tls *libc.TLS) float64 { return libc.Xpow(tls, num(a[0]), num(a[1])) })
		if math.IsNaN(f) {
			f = math.Inf(1) // MySQL fails, as for an overflow
		}
		return finite(f)
	}},
	"power": {Args: "nn", Result: ToPower, Alias: "pow"},
	"log": {Args: "nn", Opt: 1, Result: ToDouble, Call: func(a []driver.Value) (driver.Value, error) {
		x := num(a[len(a)-1])
		if x <= 0 {
			return nil, nil
		}
		b := math.E
		if len(a) == 2 {
			b = num(a[0])
		}
		if b <= 0 || b == 1 {
			return nil, nil
		}
		return finite(inC(func(tls *libc.TLS) float64 { return libc.Xlog(tls, x) / libc.Xlog(tls, b) }))
	}},
	"sign": {Args: "n", Result: ToInt, Call: func(a []driver.Value) (driver.Value, error) {
		return int64(cmp.Compare(num(a[0]), 0)), nil
	}},
	"bit_count": {Args: "i", Result: ToInt, Call: func(a []driver.Value) (driver.Value, error) {
		return int64(bits.OnesCount64(uint64(whole(a[0])))), nil
	}},
}

func atan(a []driver.Value) (driver.Value, error) {
	x := append(a, float64(1)) // ATAN(y) is ATAN(y, 1)
	return inC(func(tls *libc.TLS) float64 { return libc.Xatan2(tls, num(x[0]), num(x[1])) }), nil
}

// formatPlaces are the decimal places that FORMAT writes: MySQL keeps 32 bits of the number.
func formatPlaces(v driver.Value) int { return int(min(max(int32(whole(v)), 0), 30)) }

// format is FORMAT(number, places).
func format(a []driver.Value) (driver.Value, error) {
	if a[0] == nil || a[1] == nil {
		return nil, nil
	}
	text, ok := formatDecimal(a[0], formatPlaces(a[1]))
	if f, isFloat := a[0].(float64); !ok && isFloat {
		return nil, refused("FORMAT of %g", f)
	}
	whole, places, dotted := strings.Cut(string(text), ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if dotted {
		whole += "." + places
	}
	return whole, nil
}
