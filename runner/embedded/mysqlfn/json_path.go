package mysqlfn

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// jsonLeg is one step of a JSON path.
type jsonLeg struct {
	kind     byte   // 'k' key, 'i' cell, 'r' range of cells, 'K' .*, 'I' [*], 'D' **
	key      string // of 'k'
	from, to int    // cells; negative ones count from the end, -1 is the last
}

type jsonPath []jsonLeg

var errJSONPath = runtimeError{3143, "Invalid JSON path expression."}

// wild says that the path may find more than one value.
func (p jsonPath) wild() bool {
	return slices.ContainsFunc(p, func(l jsonLeg) bool { return l.kind != 'k' && l.kind != 'i' })
}

// parsePath reads a path expression. Source: MySQL 8.0 Reference Manual, "JSON Path Syntax".
func parsePath(text string) (jsonPath, error) {
	p := &jsonParser{s: text}
	if !p.take('$') {
		return nil, errJSONPath
	}
	var path jsonPath
	for {
		p.blank()
		rest := p.s[p.at:]
		switch {
		case rest == "":
			if len(path) > 0 && path[len(path)-1].kind == 'D' {
				return nil, errJSONPath
			}
			return path, nil
		case strings.HasPrefix(rest, "**"):
			p.at += 2
			path = append(path, jsonLeg{kind: 'D'})
		case rest[0] == '.':
			p.at++
			leg, ok := p.member()
			if !ok {
				return nil, errJSONPath
			}
			path = append(path, leg)
		case rest[0] == '[':
			p.at++
			leg, ok := p.cells()
			if !ok {
				return nil, errJSONPath
			}
			path = append(path, leg)
		default:
			return nil, errJSONPath
		}
	}
}

func (p *jsonParser) member() (jsonLeg, bool) {
	p.blank()
	if p.take('*') {
		return jsonLeg{kind: 'K'}, true
	}
	if p.at < len(p.s) && p.s[p.at] == '"' {
		key, ok := p.text()
		if !ok {
			return jsonLeg{}, false
		}
		return jsonLeg{kind: 'k', key: key.(string)}, true
	}
	from := p.at
	for i, r := range p.s[from:] {
		if !(unicode.IsLetter(r) || r == '_' || r == '$' || i > 0 && unicode.IsDigit(r)) {
			break
		}
		p.at = from + i + len(string(r))
	}
	return jsonLeg{kind: 'k', key: p.s[from:p.at]}, p.at > from
}

// cells reads what stands between brackets.
func (p *jsonParser) cells() (jsonLeg, bool) {
	if p.take('*') {
		return jsonLeg{kind: 'I'}, p.take(']')
	}
	from, ok := p.cell()
	if !ok {
		return jsonLeg{}, false
	}
	if p.take(']') {
		return jsonLeg{kind: 'i', from: from}, true
	}
	p.blank()
	if !strings.HasPrefix(p.s[p.at:], "to ") {
		return jsonLeg{}, false
	}
	p.at += 3
	to, ok := p.cell()
	if !ok || (from < 0) == (to < 0) && from > to {
		return jsonLeg{}, false
	}
	return jsonLeg{kind: 'r', from: from, to: to}, p.take(']')
}

// cell reads a number, last, or last - number.
func (p *jsonParser) cell() (int, bool) {
	p.blank()
	last := strings.HasPrefix(p.s[p.at:], "last")
	if last {
		p.at += len("last")
		if !p.take('-') {
			return -1, true
		}
		p.blank()
	}
	n, start := 0, p.at
	for p.at < len(p.s) && p.s[p.at] >= '0' && p.s[p.at] <= '9' && n <= math.MaxUint32 {
		n = 10*n + int(p.s[p.at]-'0')
		p.at++
	}
	fits := n <= math.MaxUint32
	if last {
		n = -1 - n
	}
	return n, fits && p.at > start
}

// find lists the values that a path finds, and where they are below at; "" is for who does not ask. A value that is no
// array counts as an array of one.
func (p jsonPath) find(v any, at string, found func(v any, at string)) {
	if len(p) == 0 {
		found(v, at)
		return
	}
	leg, rest := p[0], p[1:]
	list, isArray := v.([]any)
	object, _ := v.(map[string]any)
	if !isArray {
		list = []any{v}
	}
	index := func(n int) int {
		if n < 0 {
			return n + len(list)
		}
		return n
	}
	element := func(i int) string {
		if at == "" {
			return ""
		}
		return at + "[" + strconv.Itoa(i) + "]"
	}
	member := func(key string) string {
		if at == "" {
			return ""
		}
		return at + "." + pathKey(key)
	}
	cell := func(i int) {
		if isArray {
			rest.find(list[i], element(i), found)
		} else {
			rest.find(v, at, found)
		}
	}
	switch leg.kind {
	case 'k':
		if e, ok := object[leg.key]; ok {
			rest.find(e, member(leg.key), found)
		}
	case 'K':
		for _, k := range jsonKeys(object) {
			rest.find(object[k], member(k), found)
		}
	case 'i':
		if i := index(leg.from); i >= 0 && i < len(list) {
			cell(i)
		}
	case 'r', 'I':
		from, to := 0, len(list)-1
		if leg.kind == 'r' {
			from, to = max(index(leg.from), 0), min(index(leg.to), to)
		}
		if leg.kind == 'I' && !isArray {
			return
		}
		for i := from; i <= to; i++ {
			cell(i)
		}
	case 'D':
		rest.find(v, at, found)
		if isArray {
			for i, e := range list {
				p.find(e, element(i), found)
			}
		}
		for _, k := range jsonKeys(object) {
			p.find(object[k], member(k), found)
		}
	}
}

// pathKey is a key as MySQL writes it in a path.
func pathKey(key string) string {
	if leg, err := parsePath("$." + key); err == nil && len(leg) == 1 && leg[0].kind == 'k' &&
		!strings.HasPrefix(key, `"`) && strings.TrimSpace(key) == key {
		return key
	}
	return quoteJSON(key)
}

// all are the values that a path finds.
func (p jsonPath) all(v any) []any {
	var out []any
	p.find(v, "", func(v any, _ string) { out = append(out, v) })
	return out
}

// change puts new where the path leads, if it leads to a value (replace), or past the end of one that is there
// (insert). The path is not wild. It returns the changed document.
func (p jsonPath) change(v, new any, replace, insert bool) any {
	if len(p) == 0 {
		if replace {
			return new
		}
		return v
	}
	leg, rest := p[0], p[1:]
	switch old := v.(type) {
	case map[string]any:
		if leg.kind == 'k' {
			e, ok := old[leg.key]
			if !ok && (!insert || len(rest) > 0) {
				return v
			}
			out := maps.Clone(old)
			if ok {
				out[leg.key] = rest.change(e, new, replace, insert)
			} else {
				out[leg.key] = new
			}
			return out
		}
	case []any:
		if leg.kind != 'i' {
			return v
		}
		i := leg.from
		if i < 0 {
			i += len(old)
		}
		switch {
		case i >= 0 && i < len(old):
			out := slices.Clone(old)
			out[i] = rest.change(old[i], new, replace, insert)
			return out
		case insert && len(rest) == 0 && i < 0:
			return slices.Concat([]any{new}, old)
		case insert && len(rest) == 0:
			return append(slices.Clone(old), new)
		}
		return v
	}
	if leg.kind != 'i' {
		return v
	}
	switch { // a value that is no array is one of one
	case leg.from == 0 || leg.from == -1:
		return rest.change(v, new, replace, insert)
	case insert && len(rest) == 0 && leg.from < 0:
		return []any{new, v}
	case insert && len(rest) == 0:
		return []any{v, new}
	}
	return v
}

// remove takes out the value that the path leads to. The path is neither wild nor empty.
func (p jsonPath) remove(v any) any {
	leg, rest := p[0], p[1:]
	switch old := v.(type) {
	case map[string]any:
		e, ok := old[leg.key]
		if leg.kind != 'k' || !ok {
			return v
		}
		out := maps.Clone(old)
		if len(rest) == 0 {
			delete(out, leg.key)
		} else {
			out[leg.key] = rest.remove(e)
		}
		return out
	case []any:
		i := leg.from
		if i < 0 {
			i += len(old)
		}
		if leg.kind != 'i' || i < 0 || i >= len(old) {
			return v
		}
		if len(rest) == 0 {
			return slices.Delete(slices.Clone(old), i, i+1)
		}
		out := slices.Clone(old)
		out[i] = rest.remove(old[i])
		return out
	}
	if leg.kind == 'i' && (leg.from == 0 || leg.from == -1) && len(rest) > 0 {
		return rest.remove(v)
	}
	return v
}
