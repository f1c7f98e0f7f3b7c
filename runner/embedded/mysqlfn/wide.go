package mysqlfn

import (
	"bytes"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
	"modernc.org/sqlite"
)

// A wide DECIMAL is held exactly, as bytes that sort as the numbers do and are the same where the numbers are. Wide are
// quotients and averages, what is computed from them, columns of more than 15 digits, and every DECIMAL of a statement
// whose values turned out to be too long for doubles.

// MaxWide bounds the digits of a wide DECIMAL: MySQL computes in nine words of nine digits.
const MaxWide = 81

// maxDecimal is how many digits a DECIMAL of a result may have.
const maxDecimal = 65

// tooWide is what the engine says where a double cannot hold a DECIMAL. The statement is then run again with wide ones.
const tooWide = "DECIMAL values of more than 15 digits"

// tooLongDecimal is the refusal of a value that formatDecimal does not write.
func tooLongDecimal(v driver.Value) error {
	if _, ok := v.([]byte); ok {
		return refused("DECIMAL values of more than %d digits", maxDecimal)
	}
	return refused(tooWide)
}

// EncodeWide writes 0.d1d2d3… · 10^n as a sign, n and the digits in pairs. The bytes of a negative number are turned
// around, and end with the greatest one.
func EncodeWide(d decimal.Decimal) ([]byte, error) {
	if d.IsZero() {
		return []byte{0x80}, nil
	}
	digits := d.Coefficient().String()
	digits = strings.TrimPrefix(digits, "-")
	n := len(digits) + int(d.Exponent())
	if digits = strings.TrimRight(digits, "0"); max(n, 0)+max(len(digits)-n, 0) > MaxWide {
		return nil, refused("DECIMAL values of more than %d digits", MaxWide)
	}
	b := []byte{0x81, byte(n + 100)}
	for i := 0; i < len(digits); i += 2 {
		pair := 10*(digits[i]-'0') + 1
		if i+1 < len(digits) {
			pair += digits[i+1] - '0'
		}
		b = append(b, pair)
	}
	if d.Sign() < 0 {
		for i := range b {
			b[i] = ^b[i]
		}
		b = append(b, 0xff)
	}
	return b, nil
}

func decodeWide(b []byte) (decimal.Decimal, error) {
	if len(b) == 1 && b[0] == 0x80 {
		return decimal.Decimal{}, nil
	}
	negative := len(b) > 0 && b[0] < 0x80
	if negative {
		b = bytes.Clone(b[:len(b)-1])
		for i := range b {
			b[i] = ^b[i]
		}
	}
	if len(b) < 3 || b[0] != 0x81 {
		return decimal.Decimal{}, errors.New("broken DECIMAL")
	}
	text := make([]byte, 0, MaxWide+8)
	if negative {
		text = append(text, '-')
	}
	for _, pair := range b[2:] {
		text = append(text, '0'+(pair-1)/10, '0'+(pair-1)%10)
	}
	text = append(text, 'e')
	text = strconv.AppendInt(text, int64(b[1])-100-2*int64(len(b)-2), 10)
	return decimal.NewFromString(string(text))
}

// WideFloat is the double next to a wide DECIMAL.
func WideFloat(b []byte) (float64, error) {
	d, err := decodeWide(b)
	f, _ := d.Float64()
	return f, err
}

// parseWide reads a DECIMAL that a text starts with, as MySQL converts it.
func parseWide(text string) (decimal.Decimal, error) {
	if text = numberPrefix(text); len(text) > 4*MaxWide {
		return decimal.Decimal{}, refused("the number %s as a DECIMAL", Clip(text))
	}
	if _, e, ok := strings.Cut(strings.ToLower(text), "e"); ok {
		if n, err := strconv.Atoi(e); err != nil || n > MaxWide || n < -MaxWide {
			return decimal.Decimal{}, refused("the number %s as a DECIMAL", Clip(text))
		}
	}
	if text == "" {
		return decimal.Decimal{}, nil
	}
	return decimal.NewFromString(text)
}

// wideOf is an exact number in any of its forms; scale is that of a double.
func wideOf(v driver.Value, scale int) (decimal.Decimal, error) {
	switch v := v.(type) {
	case int64:
		return decimal.NewFromInt(v), nil
	case float64:
		if v = roundTo(v, scale); !exact(v, scale) {
			return decimal.Decimal{}, refused(tooWide)
		}
		return decimal.NewFromString(strconv.FormatFloat(v, 'f', scale, 64))
	case []byte:
		return decodeWide(v)
	}
	return decimal.Decimal{}, fmt.Errorf("a %T is no DECIMAL", v)
}

// sure is a value that came without an error, which else ends the call.
func sure[T any](v T, err error) T {
	if err != nil {
		panic(stop{err})
	}
	return v
}

// widened is a function of one exact number, its scale and whole numbers, which is a wide DECIMAL.
func widened(f func(d decimal.Decimal, n []int32) decimal.Decimal) Function {
	return Function{Call: func(a []driver.Value) (driver.Value, error) {
		var n []int32
		for _, v := range a[2:] {
			n = append(n, int32(min(max(whole(v), -MaxWide), MaxWide)))
		}
		return EncodeWide(f(sure(wideOf(a[0], int(whole(a[1])))), n))
	}}
}

// widePair is an operator: two exact numbers with their scales, and a whole number. What divides by zero is NULL.
func widePair(divides bool, f func(a, b decimal.Decimal, n int32) decimal.Decimal) Function {
	return Function{Call: func(a []driver.Value) (driver.Value, error) {
		l, r := sure(wideOf(a[0], int(whole(a[1])))), sure(wideOf(a[2], int(whole(a[3]))))
		if divides && r.IsZero() {
			return nil, nil
		}
		return EncodeWide(f(l, r, int32(whole(append(a, int64(0))[4]))))
	}}
}

// wideWhole is a function of one exact number that is a BIGINT.
func wideWhole(f func(decimal.Decimal) decimal.Decimal) Function {
	return Function{Call: func(a []driver.Value) (driver.Value, error) {
		n := f(sure(wideOf(a[0], 0))).BigInt()
		if !n.IsInt64() {
			return nil, refused("whole numbers beyond 9223372036854775807")
		}
		return n.Int64(), nil
	}}
}

// wideFunctions are what translations call for wide DECIMALs.
var wideFunctions = table{
	"dec": widened(func(d decimal.Decimal, _ []int32) decimal.Decimal { return d }),
	"dec_bits": {Call: func(a []driver.Value) (driver.Value, error) { // of an unsigned number's 64 bits
		return EncodeWide(decimal.NewFromUint64(uint64(whole(a[0]))))
	}},
	"dec_neg":   widened(func(d decimal.Decimal, _ []int32) decimal.Decimal { return d.Neg() }),
	"dec_abs":   widened(func(d decimal.Decimal, _ []int32) decimal.Decimal { return d.Abs() }),
	"dec_round": widened(func(d decimal.Decimal, n []int32) decimal.Decimal { return d.Round(min(n[0], 30)) }),
	"dec_truncate": widened(func(d decimal.Decimal, n []int32) decimal.Decimal {
		q, _ := d.QuoRem(decimal.NewFromInt(1), min(n[0], 30))
		return q
	}),
	// The last two numbers are CAST's: digits and places. MySQL clips what does not fit, with a warning.
	"dec_fit": widened(func(d decimal.Decimal, n []int32) decimal.Decimal {
		d = d.Round(n[1])
		if most := decimal.New(1, n[0]-n[1]).Sub(decimal.New(1, -n[1])); d.Abs().GreaterThan(most) {
			return most.Mul(decimal.NewFromInt(int64(d.Sign())))
		}
		return d
	}),
	"dec_add": widePair(false, func(a, b decimal.Decimal, _ int32) decimal.Decimal { return a.Add(b) }),
	"dec_sub": widePair(false, func(a, b decimal.Decimal, _ int32) decimal.Decimal { return a.Sub(b) }),
	"dec_mul": widePair(false, func(a, b decimal.Decimal, _ int32) decimal.Decimal {
		return a.Mul(b).Truncate(36) // MySQL keeps four words of places
	}),
	"dec_div": widePair(true, func(a, b decimal.Decimal, places int32) decimal.Decimal {
		q, _ := a.QuoRem(b, places)
		return q
	}),
	"dec_mod": widePair(true, func(a, b decimal.Decimal, _ int32) decimal.Decimal { return a.Mod(b) }),
	"dec_int_div": {Call: func(a []driver.Value) (driver.Value, error) {
		r := sure(wideOf(a[2], int(whole(a[3]))))
		if r.IsZero() {
			return nil, nil
		}
		q, _ := sure(wideOf(a[0], int(whole(a[1])))).QuoRem(r, 0)
		if n := q.BigInt(); n.IsInt64() {
			return n.Int64(), nil
		}
		return nil, runtimeError{1690, "BIGINT value is out of range"}
	}},
	"dec_ceil":  wideWhole(decimal.Decimal.Ceil),
	"dec_floor": wideWhole(decimal.Decimal.Floor),
	"dec_int":   wideWhole(func(d decimal.Decimal) decimal.Decimal { return d.Round(0) }),
	"dec_text": {Call: func(a []driver.Value) (driver.Value, error) { // the DECIMAL of a double or a text
		return EncodeWide(sure(parseWide(str(a[0]))))
	}},
	"dec_real": {Call: func(a []driver.Value) (driver.Value, error) {
		if b, ok := a[0].([]byte); ok {
			return WideFloat(b)
		}
		return a[0], nil
	}},
}

// wideSum is SUM of whole numbers or wide DECIMALs. It can move over a window.
type wideSum struct {
	n   int64
	sum decimal.Decimal
}

func (s *wideSum) add(a []driver.Value, sign int64) error {
	if a[0] == nil {
		return nil
	}
	d, err := wideOf(a[0], 0)
	if sign < 0 {
		d = d.Neg()
	}
	s.n += sign
	s.sum = s.sum.Add(d)
	return err
}

func (s *wideSum) Step(_ *sqlite.FunctionContext, a []driver.Value) error { return s.add(a, 1) }

func (s *wideSum) WindowInverse(_ *sqlite.FunctionContext, a []driver.Value) error {
	return s.add(a, -1)
}

func (s *wideSum) WindowValue(*sqlite.FunctionContext) (driver.Value, error) {
	if s.n == 0 {
		return nil, nil
	}
	return EncodeWide(s.sum)
}

func (*wideSum) Final(*sqlite.FunctionContext) {}

// NeedsWide says that a statement may fare better with wide DECIMALs: its error speaks of values that are too long.
func NeedsWide(err error) bool {
	return err != nil && (strings.Contains(err.Error(), Refusal(tooWide)) ||
		strings.Contains(err.Error(), "BIGINT value is out of range"))
}
