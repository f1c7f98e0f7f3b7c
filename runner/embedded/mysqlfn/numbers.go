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
)

// number1 wraps a function of one number.
func number1(f func(x float64) float64) Function {
	return Function{Args: "n", Result: ToDouble, Call: func(a []driver.Value) (driver.Value, error) {
		return finite(f(num(a[0])))
	}}
}

// positive is NaN, hence NULL, for what a logarithm does not take.
func positive(f func(float64) float64) func(float64) float64 {
	return func(x float64) float64 {
		if x <= 0 {
			return math.NaN()
		}
		return f(x)
	}
}

var calls atomic.Int64 // of later

var numberFunctions = table{
	// of chance alone, where MySQL's has the time and the machine's address
	"uuid": {Random: true, Call: func([]driver.Value) (driver.Value, error) { return uuid.NewString(), nil }},
	// less with each call, which sorts what is tied by the last row first
	"later": {Random: true, Call: func([]driver.Value) (driver.Value, error) { return -calls.Add(1), nil }},
	"rand":  {Random: true, Call: func([]driver.Value) (driver.Value, error) { return rand.Float64(), nil }},
	"sqrt":  number1(math.Sqrt), "exp": number1(math.Exp), "ln": number1(positive(math.Log)),
	"log2": number1(positive(func(x float64) float64 { return math.Log(x) / math.Ln2 })), "log10": number1(positive(math.Log10)),
	"sin": number1(math.Sin), "cos": number1(math.Cos), "tan": number1(math.Tan),
	"cot":  number1(func(x float64) float64 { return 1 / math.Tan(x) }),
	"asin": number1(math.Asin), "acos": number1(math.Acos),
	"radians": number1(func(x float64) float64 { return x * (math.Pi / 180) }),
	"degrees": number1(func(x float64) float64 { return x * (180 / math.Pi) }),
	"atan":    {Args: "nn", Opt: 1, Result: ToDouble, Call: atan},
	"atan2":   {Args: "nn", Result: ToDouble, Alias: "atan"},
	"pi":      {Args: "n", Opt: 1, Result: ToPi, Call: func([]driver.Value) (driver.Value, error) { return math.Pi, nil }},
	"pow": {Args: "nn", Result: ToPower, Call: func(a []driver.Value) (driver.Value, error) {
		f := math.Pow(num(a[0]), num(a[1]))
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
		if len(a) == 1 {
			return finite(math.Log(x))
		}
		b := num(a[0])
		if b <= 0 || b == 1 {
			return nil, nil
		}
		return finite(math.Log(x) / math.Log(b))
	}},
	"sign": {Args: "n", Result: ToInt, Call: func(a []driver.Value) (driver.Value, error) {
		return int64(cmp.Compare(num(a[0]), 0)), nil
	}},
	"bit_count": {Args: "i", Result: ToInt, Call: func(a []driver.Value) (driver.Value, error) {
		return int64(bits.OnesCount64(uint64(whole(a[0])))), nil
	}},
}

func atan(a []driver.Value) (driver.Value, error) {
	if len(a) == 1 {
		return math.Atan(num(a[0])), nil
	}
	return math.Atan2(num(a[0]), num(a[1])), nil
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
