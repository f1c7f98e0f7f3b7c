package mysqlfn

import (
	"math"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"nl2sql/runner"
)

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
