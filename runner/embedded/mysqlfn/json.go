package mysqlfn

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A JSON value is kept in SQLite as the text that MySQL prints, so that reading one needs no parsing. Two things that
// the text does not say are marked in it, with a byte that JSON text cannot hold: that a number is a DECIMAL rather
// than a DOUBLE, and that a string is a date or time. [jsonText] takes the marks away.

const jsonMark = "\x02"

// A JSON value in memory is nil, a bool, a jsonNumber, a string, a jsonMoment, a []any or a map[string]any; or, to be
// written only, a writtenJSON.
type (
	jsonNumber struct {
		text string
		kind byte // 'i' whole, 'f' double, 'd' decimal
	}
	jsonMoment  string
	writtenJSON string // JSON as it is kept
)

// jsonDepth is how deep MySQL lets JSON be.
const jsonDepth = 100

var errJSONDepth = runtimeError{3157, "The JSON document exceeds the maximum depth."}

// maxJSON bounds the values of a call's documents in memory, where each takes up to valueBytes. An object counts as
// objectValues.
const (
	maxJSON      = 1_000_000
	objectValues = 5
	valueBytes   = 80
)

// jsonParser reads JSON text, with marks or without.
type jsonParser struct {
	s     string
	at    int
	depth int
	left  int // values that may still come
}

// parseJSON reads a whole JSON text. ok is false where MySQL would not take it; deep says that only its depth is
// wrong. It stops the call at a document of too many values.
func parseJSON(s string) (v any, ok, deep bool) { return (&jsonReader{maxJSON}).parse(s) }

// keptJSON reads what is kept in SQLite; it was valid when it was written.
func keptJSON(s string) any { return (&jsonReader{maxJSON}).kept(s) }

// jsonReader reads documents that are in memory at the same time.
type jsonReader struct {
	left int // values that may still come
}

// anyJSON reads a document of any size, for who is not called as a function: nothing there catches a stop.
func anyJSON() *jsonReader { return &jsonReader{math.MaxInt} }

func (r *jsonReader) parse(s string) (v any, ok, deep bool) {
	p := &jsonParser{s: s, left: r.left}
	v, ok = p.value()
	if used := (r.left - p.left) * valueBytes; used > longText {
		handle(used)
	}
	r.left = p.left
	p.blank()
	return v, ok && p.at == len(s), p.depth > jsonDepth
}

func (r *jsonReader) kept(s string) any {
	v, _, _ := r.parse(s)
	return v
}

func (p *jsonParser) blank() {
	for p.at < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.at]) >= 0 {
		p.at++
	}
}

func (p *jsonParser) take(c byte) bool {
	p.blank()
	if p.at < len(p.s) && p.s[p.at] == c {
		p.at++
		return true
	}
	return false
}

// count takes n values from those that may come.
func (p *jsonParser) count(n int) {
	if p.left -= n; p.left < 0 {
		panic(stop{refused("JSON of more than %d values", maxJSON)})
	}
}

func (p *jsonParser) value() (any, bool) {
	p.count(1)
	p.blank()
	if p.at == len(p.s) {
		return nil, false
	}
	switch c := p.s[p.at]; {
	case c == '{' || c == '[':
		if p.depth++; p.depth > jsonDepth {
			return nil, false
		}
		p.at++
		var v any
		var ok bool
		if c == '{' {
			v, ok = p.object()
		} else {
			v, ok = p.array()
		}
		if ok {
			p.depth--
		}
		return v, ok
	case c == '"':
		return p.text()
	case c == jsonMark[0]:
		p.at++
		v, ok := p.value()
		switch v := v.(type) {
		case jsonNumber:
			return jsonNumber{v.text, 'd'}, ok
		case string:
			return jsonMoment(v), ok
		}
		return v, ok
	}
	for _, w := range jsonWords {
		if strings.HasPrefix(p.s[p.at:], w.word) {
			p.at += len(w.word)
			return w.value, true
		}
	}
	return p.number()
}

var jsonWords = []struct {
	word  string
	value any
}{{"null", nil}, {"true", true}, {"false", false}}

func (p *jsonParser) object() (any, bool) {
	p.count(objectValues - 1)
	out := map[string]any{}
	if p.take('}') {
		return out, true
	}
	for {
		p.blank()
		if p.at == len(p.s) || p.s[p.at] != '"' {
			return nil, false
		}
		key, ok := p.text()
		if !ok || !p.take(':') {
			return nil, false
		}
		v, ok := p.value()
		if !ok {
			return nil, false
		}
		out[key.(string)] = v
		if p.take('}') {
			return out, true
		}
		if !p.take(',') {
			return nil, false
		}
	}
}

func (p *jsonParser) array() (any, bool) {
	out := []any{}
	if p.take(']') {
		return out, true
	}
	for {
		v, ok := p.value()
		if !ok {
			return nil, false
		}
		out = append(out, v)
		if p.take(']') {
			return out, true
		}
		if !p.take(',') {
			return nil, false
		}
	}
}

// text reads a string; its quote has not been read.
func (p *jsonParser) text() (any, bool) {
	var b strings.Builder
	for p.at++; p.at < len(p.s); p.at++ {
		c := p.s[p.at]
		switch {
		case c == '"':
			p.at++
			return b.String(), utf8.ValidString(b.String())
		case c < 0x20:
			return nil, false
		case c != '\\':
			b.WriteByte(c)
			continue
		}
		if p.at++; p.at == len(p.s) {
			return nil, false
		}
		switch e := p.s[p.at]; e {
		case '"', '\\', '/':
			b.WriteByte(e)
		case 'b', 'f', 'n', 'r', 't':
			b.WriteByte("\b\f\n\r\t"[strings.IndexByte("bfnrt", e)])
		case 'u':
			r, ok := p.escape()
			if !ok {
				return nil, false
			}
			b.WriteRune(r)
		default:
			return nil, false
		}
	}
	return nil, false
}

// escape reads \uXXXX, or two of them that make one character, from the u on.
func (p *jsonParser) escape() (rune, bool) {
	unit := func(at int) (rune, bool) {
		if at+4 > len(p.s) {
			return 0, false
		}
		n, err := strconv.ParseUint(p.s[at:at+4], 16, 16)
		return rune(n), err == nil
	}
	r, ok := unit(p.at + 1)
	p.at += 4
	if !ok || !utf16.IsSurrogate(r) {
		return r, ok
	}
	if !strings.HasPrefix(p.s[min(p.at+1, len(p.s)):], `\u`) {
		return 0, false
	}
	low, ok := unit(p.at + 3)
	p.at += 6
	r = utf16.DecodeRune(r, low)
	return r, ok && r != utf8.RuneError
}

func (p *jsonParser) number() (any, bool) {
	from := p.at
	digits := func() bool {
		start := p.at
		for p.at < len(p.s) && p.s[p.at] >= '0' && p.s[p.at] <= '9' {
			p.at++
		}
		return p.at > start
	}
	if p.s[p.at] == '-' {
		p.at++
	}
	if start := p.at; !digits() || p.s[start] == '0' && p.at > start+1 {
		return nil, false
	}
	kind := byte('i')
	if p.at < len(p.s) && p.s[p.at] == '.' {
		p.at++
		if kind = 'f'; !digits() {
			return nil, false
		}
	}
	if p.at < len(p.s) && (p.s[p.at] == 'e' || p.s[p.at] == 'E') {
		if p.at++; p.at < len(p.s) && (p.s[p.at] == '-' || p.s[p.at] == '+') {
			p.at++
		}
		if kind = 'f'; !digits() {
			return nil, false
		}
	}
	text := p.s[from:p.at]
	if from > 0 && p.s[from-1] == jsonMark[0] {
		return jsonNumber{text, 'd'}, true
	}
	if kind == 'i' {
		if text == "-0" {
			return jsonNumber{"0", 'i'}, true
		}
		_, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			_, err = strconv.ParseUint(text, 10, 64)
		}
		if err == nil {
			return jsonNumber{text, 'i'}, true
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	return jsonDouble(f), err == nil
}
