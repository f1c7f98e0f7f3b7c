package embedded

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// store turns a literal into what a column holds.
func (t typ) store(l literal) (any, error) {
	text := l.text
	switch t.k {
	case kInt:
		if l.hex {
			var n int64
			for _, c := range []byte(text) {
				n = n<<8 | int64(c)
			}
			return n, nil
		}
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err == nil {
			return n, nil
		}
		f, ferr := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if ferr != nil || f < -1<<62 || f > 1<<62 {
			return nil, fmt.Errorf("%q is not a whole number that fits", clip(text))
		}
		return int64(roundTo(f, 0)), nil
	case kDecimal:
		text = strings.TrimSpace(text)
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a DECIMAL", clip(text))
		}
		if t.wide {
			n, err := parseWide(text)
			if err != nil {
				return nil, err
			}
			return encodeWide(n.Round(int32(t.scale)))
		}
		if f = roundTo(f, t.scale); !exact(f, t.scale) {
			return nil, fmt.Errorf("the DECIMAL %s has more than 15 digits, which is more than the embedded database keeps exactly", clip(text))
		}
		return f, nil
	case kDouble, kFloat:
		f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a number", clip(text))
		}
		if t.k == kFloat {
			f = float64(float32(f))
		}
		return f, nil
	case kDate, kDatetime, kTime:
		if v, ok := canonicalTemporal(text, t); ok {
			return v, nil
		}
		return nil, fmt.Errorf("%q is not a %s", clip(text), t)
	case kBlob:
		return []byte(text), nil
	case kJSON:
		return storeJSON(text)
	case kString:
		if !utf8.ValidString(text) {
			// A dump that was written as latin1. MySQL's latin1 is Windows-1252.
			decoded, err := charmap.Windows1252.NewDecoder().String(text)
			if err != nil {
				return nil, fmt.Errorf("%q is neither UTF-8 nor latin1", clip(text))
			}
			text = decoded
		}
		if len(t.enum) > 0 {
			if n, err := strconv.Atoi(text); err == nil && !l.quoted && n >= 1 && n <= len(t.enum) {
				return t.enum[n-1], nil
			}
		}
		if t.char { // CHAR drops trailing blanks
			text = strings.TrimRight(text, " ")
		}
		return text, nil
	}
	return nil, fmt.Errorf("a column of type %s cannot be loaded", t)
}

// clip shortens a value for a message.
func clip(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}
