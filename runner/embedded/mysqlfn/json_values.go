package mysqlfn

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// jsonText is the text that MySQL prints for a kept JSON value.
func jsonText(kept string) string { return strings.ReplaceAll(kept, jsonMark, "") }

func jsonDouble(f float64) jsonNumber {
	text := FormatDouble(f, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return jsonNumber{text, 'f'}
}

// writeJSON writes a value as it is kept. It stops the call at a text that is too long.
func writeJSON(v any) string { return writeText(v, maxText) }

// writeText is writeJSON of so many bytes, and some more.
func writeText(v any, most int) string {
	var b strings.Builder
	appendJSON(&b, v, most)
	return b.String()
}

func appendJSON(b *strings.Builder, v any, most int) {
	if b.Len() > most {
		panic(stop{tooLong()})
	}
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
	case writtenJSON:
		b.WriteString(string(v))
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			appendJSON(b, e, most)
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		for i, key := range jsonKeys(v) {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(quoteJSON(key) + ": ")
			appendJSON(b, v[key], most)
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
		return cmp.Or(map[int]string{len("2004-01-02"): "DATE", len("2004-01-02 03:04:05.000000"): "DATETIME"}[len(v)],
			"TIME")
	case jsonNumber:
		if kind := map[byte]string{'d': "DECIMAL", 'f': "DOUBLE"}[v.kind]; kind != "" {
			return kind
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
	return slices.Index([]string{"NULL", "NUMBER", "STRING", "OBJECT", "ARRAY", "BOOLEAN", "DATE", "TIME",
		"DATETIME"}, func() string {
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
		list, is := b.([]any)
		if !is {
			list = []any{b}
		}
		return !slices.ContainsFunc(list, func(e any) bool {
			return !slices.ContainsFunc(a, func(x any) bool { return containsJSON(w, x, e) })
		})
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
