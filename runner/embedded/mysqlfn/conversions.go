package mysqlfn

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"nl2sql/runner/embedded/types"
)

// bytesFrom is the character that stands for the byte 0 in the texts of bytes_text; SQLite would end a text at a zero.
const bytesFrom = 0x100

// letters is a text with a character for every byte, of which from stands for the byte 0.
func letters(bytes string, from rune) string {
	var b strings.Builder
	for _, c := range []byte(bytes) {
		b.WriteRune(from + rune(c))
	}
	return b.String()
}

// bitwise are the operators of bits.
var bitwise = map[string]func(x, y uint64) uint64{
	"&":  func(x, y uint64) uint64 { return x & y },
	"|":  func(x, y uint64) uint64 { return x | y },
	"^":  func(x, y uint64) uint64 { return x ^ y },
	"<<": func(x, y uint64) uint64 { return x << y },
	">>": func(x, y uint64) uint64 { return x >> y },
}

// conversions are what translations call for values to become others, and for checks.
var conversions = table{
	"cast_bytes": {Call: func(a []driver.Value) (driver.Value, error) { // CAST AS BINARY(n) fills up with zeros
		b, n := []byte(str(a[0])), whole(a[1])
		switch {
		case n > maxText:
			return nil, tooLong()
		case n >= 0 && n < int64(len(b)):
			b = b[:n]
		case n >= 0:
			b = append(b, make([]byte, n-int64(len(b)))...)
		}
		return b, nil
	}},
	"bytes_text": {Call: func(a []driver.Value) (driver.Value, error) { // a character for every byte
		return letters(str(a[0]), bytesFrom), nil
	}},
	"text_bytes": {Call: func(a []driver.Value) (driver.Value, error) { // and back
		b := []byte{}
		for _, r := range str(a[0]) {
			b = append(b, byte(r-bytesFrom))
		}
		return b, nil
	}},
	"transcode": {Call: func(a []driver.Value) (driver.Value, error) { return transcode(str(a[0]), str(a[1])), nil }},
	"round": {Call: func(a []driver.Value) (driver.Value, error) {
		if f, ok := a[0].(float64); ok {
			return roundTo(f, int(whole(a[1]))), nil
		}
		return a[0], nil
	}},
	"round_places": {Call: func(a []driver.Value) (driver.Value, error) {
		places := int(min(max(whole(a[1]), -40), 30))
		if n, ok := a[0].(int64); ok {
			if places >= 0 {
				return n, nil
			}
			return int64(roundTo(float64(n), places)), nil
		}
		return roundTo(num(a[0]), places), nil
	}},
	"round_double":    {Call: cutDouble(math.RoundToEven)},
	"truncate_double": {Call: cutDouble(math.Trunc)},
	// MySQL prints them with their own places if it merges the derived table
	"merged": {Call: func(a []driver.Value) (driver.Value, error) {
		return nil, refused("CASE or IF over numbers of different decimal places, read as a text from a derived table")
	}},
	"text_int": {Call: func(a []driver.Value) (driver.Value, error) { // the whole number that a text starts with
		s := strings.TrimSpace(str(a[0]))
		end := 0
		for end < len(s) && (s[end] >= '0' && s[end] <= '9' || end == 0 && (s[end] == '-' || s[end] == '+')) {
			end++
		}
		n, err := strconv.ParseInt(s[:end], 10, 64)
		if errors.Is(err, strconv.ErrRange) {
			return nil, refused("whole numbers beyond 9223372036854775807")
		}
		return n, nil // 0 where the text starts with no number
	}},
	"truncate_places": {Call: func(a []driver.Value) (driver.Value, error) {
		places := int(min(max(whole(a[1]), -40), 30))
		if n, ok := a[0].(int64); ok {
			if places < -18 {
				return int64(0), nil
			}
			if places < 0 {
				p := int64(powers[-places])
				return n / p * p, nil
			}
			return n, nil
		}
		f := num(a[0])
		if math.IsNaN(f) || math.IsInf(f, 0) || places > 30 {
			return f, nil
		}
		return fifteenDigits(f).RoundDown(int32(places)).InexactFloat64(), nil
	}},
	"ceil":  {Call: func(a []driver.Value) (driver.Value, error) { return math.Ceil(num(a[0])) + 0, nil }},
	"floor": {Call: func(a []driver.Value) (driver.Value, error) { return math.Floor(num(a[0])), nil }},
	"mod": {Call: func(a []driver.Value) (driver.Value, error) {
		return finite(math.Mod(num(a[0]), num(a[1]))) // by zero it is none
	}},
	"unsigned": {Call: func(a []driver.Value) (driver.Value, error) {
		if n, ok := a[0].(int64); ok && n < 0 {
			return nil, runtimeError{1690, "BIGINT UNSIGNED value is out of range"}
		}
		return a[0], nil
	}},
	"bits": {Call: func(a []driver.Value) (driver.Value, error) {
		return int64(bitwise[str(a[1])](uint64(whole(a[0])), uint64(whole(a[2])))), nil
	}},
	"bits_fit": {Call: func(a []driver.Value) (driver.Value, error) {
		if a[0] != nil && whole(a[0]) < 0 {
			return nil, refused("whole numbers beyond 9223372036854775807")
		}
		return a[0], nil
	}},
	"fits": {Call: func(a []driver.Value) (driver.Value, error) { // a computed double where a whole number is wanted
		if f, ok := a[0].(float64); ok && (f >= math.MaxInt64 || f < math.MinInt64) {
			return nil, refused("a number beyond BIGINT where a whole one is wanted")
		}
		return a[0], nil
	}},
	"number": {Call: func(a []driver.Value) (driver.Value, error) { return num(a[0]), nil }},
	"decimal_text": {Call: func(a []driver.Value) (driver.Value, error) {
		d, ok := formatDecimal(a[0], int(whole(a[1])))
		if !ok {
			return nil, tooLongDecimal(a[0])
		}
		return string(d), nil
	}},
	"double_text": {Call: func(a []driver.Value) (driver.Value, error) {
		return FormatDouble(num(a[0]), int(whole(a[1]))), nil
	}},
	"float_text": {Call: func(a []driver.Value) (driver.Value, error) {
		return FormatDouble(sixDigits(num(a[0])), 64), nil
	}},
	"fixed_text": {Call: func(a []driver.Value) (driver.Value, error) {
		return strconv.FormatFloat(num(a[0]), 'f', int(whole(a[1])), 64), nil
	}},
	"float": {Call: func(a []driver.Value) (driver.Value, error) { return float64(float32(num(a[0]))), nil }},
	"cast_int": {Call: func(a []driver.Value) (driver.Value, error) {
		n := whole(a[0])
		if n < 0 && whole(a[1]) != 0 {
			return nil, refused("CAST of a negative number AS UNSIGNED")
		}
		return n, nil
	}},
	"cast_decimal": {Call: func(a []driver.Value) (driver.Value, error) {
		precision, scale := int(whole(a[1])), int(whole(a[2]))
		f := roundTo(num(a[0]), scale)
		if most := powers[min(max(precision-scale, 0), 30)]; math.Abs(f) >= most { // MySQL clips with a warning
			f = math.Copysign(roundTo(most-1/powers[min(scale, 30)], scale), f)
		}
		return f, nil
	}},
	"only": {Nulls: true, Call: func(a []driver.Value) (driver.Value, error) {
		if whole(a[0]) > 1 {
			return nil, runtimeError{1242, "Subquery returns more than 1 row"}
		}
		return a[1], nil
	}},
	"depth": {Call: func(a []driver.Value) (driver.Value, error) {
		if n := whole(a[0]); n > 1000 {
			return nil, runtimeError{3636,
				fmt.Sprintf("Recursive query aborted after %d iterations. Try increasing @@cte_max_recursion_depth to a larger value.", n)}
		}
		return a[0], nil
	}},
	"within": {Call: func(a []driver.Value) (driver.Value, error) { // text, how many characters it may have, a name
		if text, ok := a[0].(string); ok && int64(utf8.RuneCountInString(text)) > whole(a[1]) {
			return nil, runtimeError{1406, fmt.Sprintf("Data too long for column '%s' at row 1", str(a[2]))}
		}
		return a[0], nil
	}},
	"key": {Call: func(a []driver.Value) (driver.Value, error) {
		return sortKey(types.Collation(str(a[1])), str(a[0])), nil
	}},
	"tuple": {Call: func(a []driver.Value) (driver.Value, error) {
		var b strings.Builder
		for _, v := range a {
			s := str(v)
			fmt.Fprintf(&b, "%d:%s", len(s), s)
		}
		return b.String(), nil
	}},
}

// cutDouble is ROUND to even, as the C library does, or TRUNCATE of doubles.
func cutDouble(cut func(float64) float64) func(a []driver.Value) (driver.Value, error) {
	return func(a []driver.Value) (driver.Value, error) {
		return cutAt(num(a[0]), int(min(max(whole(a[1]), -400), 400)), cut), nil
	}
}

// cutAt cuts a double at a decimal place. Source: my_double_round in sql/item_func.cc.
func cutAt(f float64, places int, cut func(float64) float64) float64 {
	p := math.Pow(10, math.Abs(float64(places)))
	if places < 0 {
		if math.IsInf(p, 0) {
			return 0
		}
		return cut(f/p) * p
	}
	if math.IsInf(f*p, 0) || math.IsNaN(f*p) || math.IsInf(p, 0) {
		return f
	}
	return cut(f*p) / p
}
