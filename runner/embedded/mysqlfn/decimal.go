package mysqlfn

import (
	"math"
	"strconv"
	"strings"

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
	text := strconv.FormatFloat(f, 'e', 14, 64)
	f, _ = strconv.ParseFloat(roundDigits(text, scale), 64)
	return f
}

// roundDigits rounds a number in the form d.ddde±dd, half away from zero, and returns it in that form.
func roundDigits(text string, scale int) string {
	mantissa, e, _ := strings.Cut(text, "e")
	exp, _ := strconv.Atoi(e)
	sign := ""
	if mantissa[0] == '-' {
		sign, mantissa = "-", mantissa[1:]
	}
	digits := []byte(strings.Replace(mantissa, ".", "", 1))
	keep := exp + 1 + scale // how many digits stay
	switch {
	case keep >= len(digits):
		return text
	case keep < 0:
		return "0e0"
	}
	up := digits[keep] >= '5'
	digits = append([]byte{'0'}, digits[:keep]...)
	for i := len(digits) - 1; up; i-- {
		if digits[i] == '9' {
			digits[i] = '0'
			continue
		}
		digits[i]++
		up = false
	}
	return sign + string(digits) + "e" + strconv.Itoa(exp+1-keep)
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
		if !exact(v, min(scale, significantScale(v))) {
			return "", false
		}
		text := strconv.FormatFloat(v, 'f', scale, 64)
		if scale > 12 || math.Abs(v)*powers[min(scale, 30)] >= 1e15 { // digits beyond the double's are noise
			text = padded(strconv.FormatFloat(v, 'f', -1, 64), scale)
		}
		if strings.Trim(text, "-0.") == "" {
			text = strings.TrimPrefix(text, "-")
		}
		return runner.Decimal(text), true
	}
	return "", false
}

// significantScale is the number of decimal places that a double's shortest form has.
func significantScale(f float64) int {
	_, frac, _ := strings.Cut(strconv.FormatFloat(f, 'f', -1, 64), ".")
	return len(frac)
}

// padded brings a plain decimal number to scale places by appending zeros.
func padded(text string, scale int) string {
	whole, frac, _ := strings.Cut(text, ".")
	if scale == 0 {
		return whole
	}
	if len(frac) > scale {
		frac = frac[:scale]
	}
	return whole + "." + frac + strings.Repeat("0", scale-len(frac))
}

// FormatDouble writes a double as MySQL prints it: plain up to 15 digits, else with an exponent.
func FormatDouble(f float64, bits int) string {
	if a := math.Abs(f); a >= 1e15 || a < 1e-15 && a > 0 {
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
