package mysqlfn

import (
	"cmp"
	"database/sql/driver"
	"math"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"modernc.org/libc"

	"nl2sql/runner"
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
	"interval": {Args: "nn", Repeat: 1, Result: ToInt, Nulls: true, Call: func(a []driver.Value) (driver.Value, error) {
		if a[0] == nil {
			return int64(-1), nil
		}
		for i, v := range a[1:] {
			if v != nil && num(v) > num(a[0]) {
				return int64(i), nil
			}
		}
		return int64(len(a) - 1), nil
	}},
	"period_add": {Args: "ii", Result: ToInt, Call: func(a []driver.Value) (driver.Value, error) {
		n := months(a[0]) + int64(int32(whole(a[1])))
		if n < 1200 {
			return nil, refused("a period beyond years")
		}
		return n/12*100 + n%12 + 1, nil
	}},
	"period_diff": {Args: "ii", Result: ToInt, Call: func(a []driver.Value) (driver.Value, error) {
		return months(a[0]) - months(a[1]), nil
	}},
	"bit_count": {Args: "i", Result: ToInt, Call: func(a []driver.Value) (driver.Value, error) {
		return int64(bits.OnesCount64(uint64(whole(a[0])))), nil
	}},
}

// months is a period, YYMM or YYYYMM, in months.
func months(period driver.Value) int64 {
	p := whole(period)
	switch {
	case p < 0 || p > 1e6:
		panic(stop{refused("a period beyond years")})
	case p%100 < 1 || p%100 > 12:
		panic(stop{runtimeError{1210, "Incorrect arguments to PERIOD_ADD or PERIOD_DIFF"}})
	case p < 10000:
		p = int64(century(int(p/100)))*100 + p%100
	}
	return p/100*12 + p%100 - 1
}

func atan(a []driver.Value) (driver.Value, error) {
	x := append(a, float64(1)) // ATAN(y) is ATAN(y, 1)
	return inC(func(tls *libc.TLS) float64 { return libc.Xatan2(tls, num(x[0]), num(x[1])) }), nil
}

// formatPlaces are the decimal places that FORMAT writes: MySQL keeps 32 bits of the number.
func formatPlaces(v driver.Value) int { return int(min(max(int32(whole(v)), 0), 30)) }

// format is FORMAT(number, places).
func format(a []driver.Value) (driver.Value, error) {
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

// A DECIMAL is held as the double nearest to it. As long as it has at most 15 significant digits that is a
// one-to-one map: comparing, grouping and sorting doubles is comparing the decimals, and +, - and * are exact
// once their result is rounded to the scale that MySQL gives it. Beyond that see wide.go.

var powers = func() (p [31]float64) {
	for i := range p {
		p[i], _ = strconv.ParseFloat("1e"+strconv.Itoa(i), 64)
	}
	return p
}()

// exact says that a double holds a decimal with this scale without loss.
func exact(f float64, scale int) bool {
	return math.Abs(f)*powers[min(max(scale, 0), 30)] < 1e15 || f == 0
}

// roundTo rounds half away from zero, at a decimal place that may be negative, looking at 15 digits:
// the double next to 2.345 rounds to 2.35.
func roundTo(f float64, scale int) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) || scale > 30 {
		return f
	}
	if scale >= 0 {
		x := f * powers[scale]
		if math.Abs(x) >= 1e15 {
			return f
		}
		if d := math.Abs(x - math.Trunc(x)); math.Abs(d-.5) > 1e-4 { // not near a tie
			return math.Round(x) / powers[scale]
		}
	}
	return fifteenDigits(f).Round(int32(scale)).InexactFloat64()
}

// fifteenDigits is the decimal that a double stands for.
func fifteenDigits(f float64) decimal.Decimal {
	d, _ := decimal.NewFromString(strconv.FormatFloat(f, 'e', 14, 64))
	return d
}

// formatDecimal writes a number of this scale as MySQL prints it. ok is false beyond 15 digits.
func formatDecimal(v any, scale int) (runner.Decimal, bool) {
	switch v := v.(type) {
	case []byte:
		d, err := decodeWide(v)
		d = d.Round(int32(scale))
		return runner.Decimal(d.StringFixed(int32(scale))), err == nil && d.NumDigits() <= maxDecimal
	case string: // a branch of CASE or IF
		return runner.Decimal(v), true
	case int64:
		text := strconv.FormatInt(v, 10)
		if scale > 0 {
			text += "." + strings.Repeat("0", scale)
		}
		return runner.Decimal(text), true
	case float64:
		v = roundTo(v, scale)
		if !exact(v, 0) {
			return "", false
		}
		d := decimal.NewFromFloat(v)
		return runner.Decimal(d.StringFixed(int32(scale))), exact(v, min(scale, -int(d.Exponent())))
	}
	return "", false
}

// FormatDouble writes a double as MySQL prints it: plain up to 15 digits or with a fraction, else with an exponent.
// Source: my_gcvt in strings/dtoa.cc.
func FormatDouble(f float64, bits int) string {
	if a := math.Abs(f); a >= 1e15 && f == math.Trunc(f) || a < 1e-15 && a > 0 {
		text := strconv.FormatFloat(f, 'e', -1, bits)
		text = strings.Replace(text, "e+0", "e", 1)
		text = strings.Replace(text, "e-0", "e-", 1)
		return strings.Replace(text, "e+", "e", 1)
	}
	return strconv.FormatFloat(f, 'f', -1, bits)
}

// sixDigits is a FLOAT as MySQL prints one that a table holds: FLT_DIG digits, a tie to the even one.
// Source: Field_float::val_str in sql/field.cc, my_gcvt in strings/dtoa.cc.
func sixDigits(f float64) float64 {
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', 6, 64), 64)
	return f
}
