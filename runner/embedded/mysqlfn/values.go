package mysqlfn

import (
	"database/sql/driver"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"
	"golang.org/x/text/encoding/charmap"

	"nl2sql/runner/embedded/types"
)

// str is a value as a text; NULL is "".
func str(v driver.Value) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return FormatDouble(v, 64)
	}
	return ""
}

// num is a value as a double; NULL is 0.
func num(v driver.Value) float64 {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case float64:
		return v
	case nil:
		return 0
	}
	return LeadingNumber(str(v))
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

// LeadingNumber is the number that a text starts with, as MySQL converts it: 0 if there is none.
func LeadingNumber(s string) float64 {
	f, _ := strconv.ParseFloat(numberPrefix(s), 64)
	return max(min(f, math.MaxFloat64), -math.MaxFloat64)
}

// numberPrefix is the part of a text that LeadingNumber reads; "" if there is none.
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

// Cell is a value as the runner returns it.
func Cell(t types.Type, v driver.Value) (any, error) {
	if v == nil {
		return nil, nil
	}
	switch t.Kind {
	case types.Int:
		switch v := v.(type) {
		case int64:
			if t.Bits && v < 0 {
				return uint64(v), nil
			}
			return v, nil
		case float64: // SQLite went over to doubles where MySQL fails
			return nil, runtimeError{1690, "BIGINT value is out of range"}
		}
	case types.Decimal:
		d, ok := formatDecimal(v, t.Scale)
		if !ok {
			return nil, tooLongDecimal(v)
		}
		return d, nil
	case types.Double:
		f := num(v)
		if math.IsInf(f, 0) {
			return nil, runtimeError{1690, "DOUBLE value is out of range"}
		}
		if t.Fixed > 0 {
			return strconv.ParseFloat(strconv.FormatFloat(f, 'f', t.Fixed-1, 64), 64)
		}
		return f, nil
	case types.Float:
		if t.Short && t.Fixed == 0 {
			return sixDigits(num(v)), nil
		}
		return strconv.ParseFloat(strconv.FormatFloat(num(v), 'g', -1, 32), 64)
	case types.JSON:
		return jsonText(str(v)), nil
	case types.Blob:
		if b, ok := v.([]byte); ok {
			return append([]byte(nil), b...), nil
		}
		return []byte(str(v)), nil
	}
	return str(v), nil
}

// Literal is a value as a script writes it. Its text is decoded.
type Literal struct {
	Text   string
	Quoted bool // a string
	Hex    bool // a hexadecimal or bit literal: Text is its bytes
}

// Store turns a literal into what a column holds.
func Store(t types.Type, l Literal) (any, error) {
	text := l.Text
	switch t.Kind {
	case types.Int:
		if l.Hex {
			if n := new(big.Int).SetBytes([]byte(text)); n.IsInt64() {
				return n.Int64(), nil
			}
			return nil, fmt.Errorf("0x%x is not a whole number that fits", text)
		}
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err == nil && !t.Year {
			return n, nil
		}
		f, ferr := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if year, ok := StoredYear(f, l.Quoted && len(strings.TrimSpace(text)) < 4); t.Year && ferr == nil && ok {
			return year, nil
		}
		if ferr != nil || f < -1<<62 || f > 1<<62 {
			return nil, fmt.Errorf("%q is not a whole number that fits", Clip(text))
		}
		if !l.Quoted && strings.ContainsAny(text, "eE") { // a DOUBLE
			f = math.RoundToEven(f)
		}
		return int64(roundTo(f, 0)), nil
	case types.Decimal:
		if text = strings.TrimSpace(text); l.Hex {
			text = new(big.Int).SetBytes([]byte(l.Text)).String()
		}
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a DECIMAL", Clip(text))
		}
		if t.Wide {
			n, err := parseWide(text)
			if err != nil {
				return nil, err
			}
			return EncodeWide(n.Round(int32(t.Scale)))
		}
		if f = roundTo(f, t.Scale); !exact(f, t.Scale) {
			return nil, fmt.Errorf("the DECIMAL %s has more than 15 digits, which is more than the embedded database keeps exactly", Clip(text))
		}
		return f, nil
	case types.Double, types.Float:
		f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", Clip(text))
		}
		if t.Fixed > 0 { // source: Field_real::truncate in sql/field.cc
			p := powers[min(t.Fixed-1, 30)]
			f = math.Floor(f) + math.RoundToEven((f-math.Floor(f))*p)/p
		}
		if t.Kind == types.Float {
			f = float64(float32(f))
		}
		return f, nil
	case types.Date, types.Datetime, types.Time:
		if v, ok := CanonicalTemporal(text, t); ok {
			return v, nil
		}
		return nil, fmt.Errorf("%q is not a %s", Clip(text), t)
	case types.Blob:
		b := []byte(text)
		if n := t.Filled - len(b); n > 0 {
			b = append(b, make([]byte, n)...)
		}
		return b, nil
	case types.JSON:
		return storeJSON(text)
	case types.String:
		if !utf8.ValidString(text) {
			// A dump that was written as latin1. MySQL's latin1 is Windows-1252.
			decoded, err := charmap.Windows1252.NewDecoder().String(text)
			if err != nil {
				return nil, fmt.Errorf("%q is neither UTF-8 nor latin1", Clip(text))
			}
			text = decoded
		}
		if len(t.Enum) > 0 {
			return member(t, text, l.Quoted)
		}
		if !l.Quoted && !l.Hex {
			text = numberText(text)
		}
		if t.Char { // CHAR drops trailing blanks
			text = strings.TrimRight(text, " ")
		}
		return text, nil
	}
	return nil, fmt.Errorf("a column of type %s cannot be loaded", t)
}

// member is what an ENUM or SET holds of a value: a member as it is declared, or members of a SET in their order. A
// number is the index of one, or a bit for each; so is a text that is a number and no member.
// Source: Field_enum::store and Field_set::store in sql/field.cc.
func member(t types.Type, text string, quoted bool) (string, error) {
	words, known := []string{strings.TrimRight(text, " ")}, make([]bool, len(t.Enum))
	if t.Set {
		words = strings.Split(words[0], ",")
	}
	all := quoted
	for _, word := range words {
		i := slices.Index(t.Enum, word)
		if i < 0 && quoted {
			i = slices.IndexFunc(t.Enum, func(m string) bool { return compareTexts(t.Coll.OrDefault(), m, word) == 0 })
		}
		if all = all && (i >= 0 || text == ""); all && i >= 0 {
			known[i] = true
		}
	}
	if n, err := strconv.ParseUint(text, 10, 64); !all && err == nil {
		all = t.Set && n < 2<<(len(known)-1) || !t.Set && n <= uint64(len(known))
		for i := range known {
			known[i] = t.Set && n>>i&1 == 1 || !t.Set && n == uint64(i)+1
		}
	}
	if !all {
		return "", fmt.Errorf("%q is not what the column may hold", Clip(text))
	}
	var held []string
	for i, m := range t.Enum {
		if known[i] {
			held = append(held, m)
		}
	}
	return strings.Join(held, ","), nil
}

// numberText is a number, as a statement writes it, as a text.
func numberText(text string) string {
	if f, err := strconv.ParseFloat(text, 64); err != nil {
		return text
	} else if strings.ContainsAny(text, "eE") {
		return FormatDouble(f, 64)
	} else if n, err := decimal.NewFromString(text); err == nil {
		_, places, _ := strings.Cut(text, ".")
		return n.StringFixed(int32(len(places)))
	}
	return text
}

// Clip shortens a value for a message.
func Clip(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}
