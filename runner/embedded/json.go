package embedded

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A JSON value is kept in SQLite as the text that MySQL prints, so that reading one needs no parsing. Two things that the
// text does not say are marked in it, with a byte that JSON text cannot hold: that a number is a DECIMAL rather than a
// DOUBLE, and that a string is a date or time. [jsonText] takes the marks away.

const jsonMark = "\x02"

// jsonText is the text that MySQL prints for a kept JSON value.
func jsonText(kept string) string { return strings.ReplaceAll(kept, jsonMark, "") }

// A JSON value in memory is nil, a bool, a jsonNumber, a string, a jsonMoment, a []any or a map[string]any.
type (
	jsonNumber struct {
		text string
		kind byte // 'i' whole, 'f' double, 'd' decimal
	}
	jsonMoment string
)

// jsonDepth is how deep MySQL lets JSON be.
const jsonDepth = 100

var errJSONDepth = runtimeError{3157, "The JSON document exceeds the maximum depth."}

// jsonParser reads JSON text, with marks or without.
type jsonParser struct {
	s     string
	at    int
	depth int
}

// parseJSON reads a whole JSON text. ok is false where MySQL would not take it; deep says that only its depth is wrong.
func parseJSON(s string) (v any, ok, deep bool) {
	p := &jsonParser{s: s}
	v, ok = p.value()
	p.blank()
	return v, ok && p.at == len(s), p.depth > jsonDepth
}

// keptJSON reads what is kept in SQLite; it was valid when it was written.
func keptJSON(s string) any {
	v, _, _ := parseJSON(s)
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

func (p *jsonParser) value() (any, bool) {
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
	for word, v := range map[string]any{"null": nil, "true": true, "false": false} {
		if strings.HasPrefix(p.s[p.at:], word) {
			p.at += len(word)
			return v, true
		}
	}
	return p.number()
}

func (p *jsonParser) object() (any, bool) {
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
	start := p.at
	if !digits() || p.s[start] == '0' && p.at > start+1 {
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
		if n, ok := new(big.Int).SetString(text, 10); ok && (n.IsInt64() || n.IsUint64()) {
			return jsonNumber{text, 'i'}, true
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	return jsonDouble(f), err == nil
}

func jsonDouble(f float64) jsonNumber {
	text := formatDouble(f, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return jsonNumber{text, 'f'}
}

// writeJSON writes a value as it is kept.
func writeJSON(v any) string {
	var b strings.Builder
	appendJSON(&b, v)
	return b.String()
}

func appendJSON(b *strings.Builder, v any) {
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case jsonNumber:
		if v.kind == 'd' {
			b.WriteString(jsonMark)
		}
		b.WriteString(v.text)
	case string:
		b.WriteString(quoteJSON(v))
	case jsonMoment:
		b.WriteString(jsonMark + quoteJSON(string(v)))
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			appendJSON(b, e)
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		for i, key := range jsonKeys(v) {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(quoteJSON(key) + ": ")
			appendJSON(b, v[key])
		}
		b.WriteByte('}')
	}
}

// jsonKeys are the keys in MySQL's order: by length, then by bytes.
func jsonKeys(m map[string]any) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
}

func quoteJSON(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= 0x20:
			b.WriteByte(c)
		case strings.IndexByte("\b\f\n\r\t", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte("bfnrt"[strings.IndexByte("\b\f\n\r\t", c)])
		default:
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// jsonType is JSON_TYPE.
func jsonType(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case bool:
		return "BOOLEAN"
	case string:
		return "STRING"
	case []any:
		return "ARRAY"
	case map[string]any:
		return "OBJECT"
	case jsonMoment:
		switch {
		case len(v) == len("2004-01-02"):
			return "DATE"
		case len(v) == len("2004-01-02 03:04:05.000000"):
			return "DATETIME"
		}
		return "TIME"
	case jsonNumber:
		switch {
		case v.kind == 'd':
			return "DECIMAL"
		case v.kind == 'f':
			return "DOUBLE"
		}
		if n, _ := new(big.Int).SetString(v.text, 10); n != nil && !n.IsInt64() {
			return "UNSIGNED INTEGER"
		}
		return "INTEGER"
	}
	return ""
}

// jsonRank orders values of different types.
// Source: MySQL 8.0 Reference Manual, "Comparison and Ordering of JSON Values".
func jsonRank(v any) int {
	return slices.Index([]string{"NULL", "NUMBER", "STRING", "OBJECT", "ARRAY", "BOOLEAN", "DATE", "TIME", "DATETIME"}, func() string {
		if _, ok := v.(jsonNumber); ok {
			return "NUMBER"
		}
		return jsonType(v)
	}())
}

// compareJSON orders two values. Objects that are not equal have an order that means nothing.
func compareJSON(a, b any) int {
	if c := cmp.Compare(jsonRank(a), jsonRank(b)); c != 0 {
		return c
	}
	switch a := a.(type) {
	case bool:
		return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) // false before true
	case string:
		return strings.Compare(a, b.(string))
	case jsonMoment:
		return strings.Compare(string(a), string(b.(jsonMoment)))
	case jsonNumber:
		x, _ := new(big.Rat).SetString(a.text)
		y, _ := new(big.Rat).SetString(b.(jsonNumber).text)
		return x.Cmp(y)
	case []any:
		return slices.CompareFunc(a, b.([]any), compareJSON)
	case map[string]any:
		o := b.(map[string]any)
		if c := cmp.Compare(len(a), len(o)); c != 0 {
			return c
		}
		ka, ko := jsonKeys(a), jsonKeys(o)
		if c := slices.Compare(ka, ko); c != 0 {
			return c
		}
		for _, k := range ka {
			if c := compareJSON(a[k], o[k]); c != 0 {
				return c
			}
		}
	}
	return 0
}

// containsJSON is JSON_CONTAINS: whether b is contained in a.
func containsJSON(w *work, a, b any) bool {
	w.step(1)
	switch a := a.(type) {
	case []any:
		for _, e := range asArray(b) {
			if !slices.ContainsFunc(a, func(x any) bool { return containsJSON(w, x, e) }) {
				return false
			}
		}
		return true
	case map[string]any:
		o, ok := b.(map[string]any)
		if !ok {
			return false
		}
		for k, e := range o {
			if x, ok := a[k]; !ok || !containsJSON(w, x, e) {
				return false
			}
		}
		return true
	}
	return compareJSON(a, b) == 0
}

func asArray(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

// mergePatch is JSON_MERGE_PATCH of two values (RFC 7396).
func mergePatch(a, b any) any {
	patch, ok := b.(map[string]any)
	if !ok {
		return b
	}
	out := map[string]any{}
	if old, ok := a.(map[string]any); ok {
		maps.Copy(out, old)
	}
	for k, v := range patch {
		if v == nil {
			delete(out, k)
		} else {
			out[k] = mergePatch(out[k], v)
		}
	}
	return out
}

// mergePreserve is JSON_MERGE_PRESERVE of two values.
func mergePreserve(a, b any) any {
	x, ok1 := a.(map[string]any)
	y, ok2 := b.(map[string]any)
	if !ok1 || !ok2 {
		return slices.Concat(asArray(a), asArray(b))
	}
	out := maps.Clone(x)
	for k, v := range y {
		if old, ok := out[k]; ok {
			v = mergePreserve(old, v)
		}
		out[k] = v
	}
	return out
}

func depthJSON(v any) int64 {
	deepest := int64(0)
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			deepest = max(deepest, depthJSON(e))
		}
	case map[string]any:
		for _, e := range v {
			deepest = max(deepest, depthJSON(e))
		}
	}
	return deepest + 1
}
