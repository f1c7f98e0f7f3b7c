package mysqlfn

import (
	"math"
	"slices"
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
		case rest[0] == '.' || rest[0] == '[':
			p.at++
			read := p.member
			if rest[0] == '[' {
				read = p.cells
			}
			leg, ok := read()
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

// all are the values that a path finds. A value that is no array counts as an array of one.
func (p jsonPath) all(v any) []any {
	if len(p) == 0 {
		return []any{v}
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
	var below []any // what the step leads to
	switch leg.kind {
	case 'k':
		if e, ok := object[leg.key]; ok {
			below = []any{e}
		}
	case 'K':
		for _, k := range jsonKeys(object) {
			below = append(below, object[k])
		}
	case 'i':
		if i := index(leg.from); i >= 0 && i < len(list) {
			below = list[i : i+1]
		}
	case 'r':
		if from, to := max(index(leg.from), 0), min(index(leg.to), len(list)-1); from <= to {
			below = list[from : to+1]
		}
	case 'I':
		if isArray {
			below = list
		}
	case 'D':
		out := rest.all(v)
		if isArray {
			for _, e := range list {
				out = append(out, p.all(e)...)
			}
		}
		for _, k := range jsonKeys(object) {
			out = append(out, p.all(object[k])...)
		}
		return out
	}
	var out []any
	for _, e := range below {
		out = append(out, rest.all(e)...)
	}
	return out
}
