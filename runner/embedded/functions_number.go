package embedded

import (
	"database/sql/driver"
	"math"
	"math/rand/v2"
)

func random() float64 { return rand.Float64() }

// number1 wraps a function of one number.
func number1(f func(x float64) float64) function {
	return function{args: "n", result: toDouble, impl: func(a []driver.Value) (driver.Value, error) { return finite(f(num(a[0]))) }}
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

var numberFunctions = map[string]function{
	"sqrt": number1(math.Sqrt), "exp": number1(math.Exp), "ln": number1(positive(math.Log)),
	"log2": number1(positive(math.Log2)), "log10": number1(positive(math.Log10)),
	"sin": number1(math.Sin), "cos": number1(math.Cos), "tan": number1(math.Tan), "cot": number1(func(x float64) float64 { return 1 / math.Tan(x) }),
	"asin": number1(math.Asin), "acos": number1(math.Acos),
	"radians": number1(func(x float64) float64 { return x * (math.Pi / 180) }),
	"degrees": number1(func(x float64) float64 { return x * (180 / math.Pi) }),
	"atan":    {args: "nn", opt: 1, result: toDouble, impl: atan},
	"atan2":   {args: "nn", result: toDouble, alias: "atan"},
	"pi":      {args: "n", opt: 1, result: toPi, impl: func([]driver.Value) (driver.Value, error) { return math.Pi, nil }},
	"pow": {args: "nn", result: powerType, impl: func(a []driver.Value) (driver.Value, error) {
		f := math.Pow(num(a[0]), num(a[1]))
		if math.IsNaN(f) {
			f = math.Inf(1) // MySQL fails, as for an overflow
		}
		return finite(f)
	}},
	"power": {args: "nn", result: powerType, alias: "pow"},
	"log": {args: "nn", opt: 1, result: toDouble, impl: func(a []driver.Value) (driver.Value, error) {
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
	"sign": {args: "n", result: toInt, impl: func(a []driver.Value) (driver.Value, error) {
		switch x := num(a[0]); {
		case x > 0:
			return int64(1), nil
		case x < 0:
			return int64(-1), nil
		}
		return int64(0), nil
	}},
	"bit_count": {args: "i", result: toInt, impl: func(a []driver.Value) (driver.Value, error) {
		n := int64(0)
		for x := uint64(whole(a[0])); x > 0; x &= x - 1 {
			n++
		}
		return n, nil
	}},
}

// toPi: MySQL shows PI with six places.
func toPi([]val) typ { return typ{k: kDouble, fixed: 7} }

// seededRandom is the first number of RAND(seed).
func seededRandom(a []driver.Value) (driver.Value, error) {
	var r seededRandoms
	if err := r.Step(nil, a); err != nil {
		return nil, err
	}
	return r.WindowValue(nil)
}

func atan(a []driver.Value) (driver.Value, error) {
	if len(a) == 1 {
		return math.Atan(num(a[0])), nil
	}
	return math.Atan2(num(a[0]), num(a[1])), nil
}

// powerType is a double; of fractions its last digit is the C library's.
func powerType(args []val) typ { return typ{k: kDouble, vague: args[0].typ.k != kInt} }
