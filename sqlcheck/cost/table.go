package cost

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
)

// growth says how long the result of a function can be, in bytes, given how long its arguments can be. A function that
// is not in the table makes a number, a date or another text of at most shortText bytes.
type growth func(m *measure, c call) float64

// call is a function with the largest lengths of its arguments, in bytes.
type call struct {
	name string
	args []ast.ExprNode
	size []float64
}

// shortText is the longest number, date, hash, address or name that a function makes. A DOUBLE with FORMAT has 400
// signs.
const shortText = 512

// growths are those of the allow-listed functions, by the names that TiDB's parser gives them.
// Source: MySQL 8.0 Reference Manual, "String Functions and Operators", "JSON Functions"; sql/item_strfunc.cc.
var growths map[string]growth

func init() { // its functions lead back to it
	growths = map[string]growth{
		// one of the arguments, or a part of it
		"coalesce": longest(0), "ifnull": longest(0), "greatest": longest(0), "least": longest(0),
		"any_value": longest(0), "nullif": longest(0),
		"if": longest(1), "elt": longest(1), "substring": piece(2), "substr": piece(2), "mid": piece(2),
		"left": piece(1), "right": piece(1),
		"ltrim": times(1), "rtrim": times(1), "trim": times(1), "lower": times(1), "lcase": times(1), "upper": times(1),
		"ucase":   times(1),
		"reverse": times(1), "substring_index": times(1), "regexp_substr": times(1), "unhex": times(1),
		"from_base64": times(1),
		"soundex":     times(4), "addtime": longest(0), "subtime": longest(0), "date_add": longest(0),
		"date_sub": longest(0), "adddate": longest(0), "subdate": longest(0),
		// more than that
		"convert": times(4), "hex": times(2), "quote": times(2), "to_base64": times(1.4), "date_format": formatted,
		"time_format":   formatted,
		"from_unixtime": formatted, "concat": sum, "concat_ws": joined, "make_set": joined, "insert_func": sum,
		"char_func": characters,
		"replace":   replaced, "regexp_replace": matched, "repeat": repeated, "space": repeated, "lpad": padded,
		"rpad": padded, "export_set": flagged,
		// points: 16 bytes for each of a shape, as a text 2 to some 40
		"st_geomfromtext": times(8), "st_pointfromtext": times(8), "st_astext": times(3), "st_aswkt": times(3),
		// JSON
		"json_quote": times(6), "json_unquote": times(1), "json_table": times(1), "json_array": document, "json_object": document,
		"json_array_append": document,
		"json_array_insert": document, "json_insert": document, "json_replace": document, "json_set": document,
		"json_remove":      times(2),
		"json_merge_patch": document, "json_merge_preserve": document, "json_keys": times(2), "json_extract": extracted,
		"json_search": found,
	}
}

// searches are the functions that go through one argument for each place in another: which two.
var searches = map[string][2]int{
	"locate": {0, 1}, "position": {0, 1}, "instr": {0, 1}, "replace": {0, 1}, "substring_index": {0, 1},
	"find_in_set": {0, 1}, "trim": {0, 1},
	"regexp_instr": {0, 1}, "regexp_like": {0, 1}, "regexp_replace": {0, 1}, "regexp_substr": {0, 1},
	"json_contains": {0, 1}, "json_overlaps": {0, 1}, "json_memberof": {0, 1}, "json_search": {0, 2},
	"st_distance": {0, 1}, "st_distance_sphere": {0, 1},
}

// jsonPaths says which arguments of a function are JSON paths: those from the first one on, every so many.
var jsonPaths = map[string][2]int{
	"json_extract": {1, 1}, "json_contains_path": {2, 1}, "json_search": {4, 1}, "json_remove": {1, 1},
	"json_keys": {1, 1}, "json_length": {1, 1}, "json_table": {1, 1},
	"json_contains": {2, 1}, "json_set": {1, 2}, "json_insert": {1, 2}, "json_replace": {1, 2},
	"json_array_append": {1, 2}, "json_array_insert": {1, 2},
}

// longest is the longest of the arguments from the given one on.
func longest(from int) growth {
	return func(_ *measure, c call) float64 {
		most := 0.0
		for _, n := range c.size[min(from, len(c.size)):] {
			most = max(most, n)
		}
		return most
	}
}

// times is so many times the first argument, and quotes around it.
func times(factor float64) growth {
	return func(_ *measure, c call) float64 { return factor*c.size[0] + 2 }
}

// piece is a part of the first argument, of as many characters as the given one says.
func piece(count int) growth {
	return func(m *measure, c call) float64 {
		if count >= len(c.args) {
			return c.size[0]
		}
		n, _ := m.number(c.args[count])
		return min(c.size[0], 4*n)
	}
}

func sum(_ *measure, c call) float64 { return total(c.size) }

func total(sizes []float64) (n float64) {
	for _, size := range sizes {
		n += size
	}
	return n
}

// joined is all arguments with the first one, or a comma, between them.
func joined(_ *measure, c call) float64 {
	return total(c.size) + (c.size[0]+1)*float64(len(c.size))
}

func characters(_ *measure, c call) float64 { return 4 * float64(len(c.size)) }

// formatted is a date in a format; a name of a month or day in it may have some twenty bytes.
func formatted(_ *measure, c call) float64 {
	if len(c.size) < 2 {
		return shortText
	}
	return 12 * c.size[1]
}

// replaced is REPLACE: each piece of text that is as long as what is looked for may become the other one.
func replaced(m *measure, c call) float64 {
	from := 1.0
	if text, ok := syntax.LiteralText(c.args[1]); ok && text != "" {
		from = float64(len(text))
	}
	return c.size[0] * max(1, c.size[2]/from)
}

// matched is REGEXP_REPLACE: the replacement stands between any two characters and may hold what was found.
func matched(m *measure, c call) float64 {
	size := (c.size[0] + 1) * (c.size[2] + 1)
	pattern, known := syntax.LiteralText(c.args[1])
	groups, told := m.holds(c.args[2], "$")
	if looksAround := !known || strings.Contains(pattern, "(?"); looksAround && (groups > 0 || !told) {
		size *= c.size[0] // each match may hold the whole text
	}
	return size
}

func repeated(m *measure, c call) float64 {
	n, _ := m.number(c.args[len(c.args)-1])
	if len(c.args) == 1 { // SPACE
		return n
	}
	return c.size[0] * n
}

func padded(m *measure, c call) float64 {
	n, _ := m.number(c.args[1])
	return 4 * n
}

// flagged is EXPORT_SET: 64 times one of two texts and a separator.
func flagged(_ *measure, c call) float64 {
	separator := 1.0
	if len(c.size) > 3 {
		separator = c.size[3]
	}
	return 64 * (max(c.size[1], c.size[2]) + separator)
}

// document is a JSON document that holds the arguments. A text in it is quoted: \u0001 takes six bytes.
func document(m *measure, c call) float64 {
	size := 2.0
	for i, n := range c.size {
		if m.isJSON(c.args[i]) || i == 0 && len(c.size) > 1 && jsonPaths[c.name][0] > 0 {
			size += n + 2
		} else {
			size += 6*n + 4
		}
	}
	return size
}

// Depths of JSON: MySQL takes 100 levels; documents in columns have few.
const (
	deepest = 100
	deep    = 8
)

// extracted is JSON_EXTRACT: what each path finds. With ** what is inside is found again with all that is around it.
func extracted(m *measure, c call) float64 {
	size := 2.0
	for _, path := range c.args[1:] {
		n := c.size[0] + 2
		if text, ok := syntax.LiteralText(path); !ok || strings.Contains(text, "**") {
			if n *= deepest; m.isColumn(c.args[0]) {
				n *= deep / float64(deepest)
			}
		}
		size += n
	}
	return size
}

// found is JSON_SEARCH: the path to each place, which holds the keys on the way.
func found(m *measure, c call) float64 {
	if m.isColumn(c.args[0]) {
		return deep * c.size[0]
	}
	return c.size[0] * min(c.size[0], 1<<20) / 4
}
