package cost

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
)

// growth says how long the result of a function can be, in bytes, given how long its arguments can be.
type growth func(m *measure, c call) float64

// call is a function with the largest lengths of its arguments, in bytes.
type call struct {
	name string
	args []ast.ExprNode
	size []float64
	arg  float64 // of its growth
}

// shortText is the longest number, date, hash, address or name that a function makes. A DOUBLE with FORMAT has 400
// signs.
const shortText = 512

//go:embed functions.txt
var functionTable string

// function is a line of functions.txt: each word behind the arguments with its numbers, and of growths the one and its.
type function struct {
	has   map[string][]float64
	gives growth
	arg   float64
}

// Arity is how many arguments a function takes, at most Most of them or Many or Pairs.
type Arity struct{ Least, Most int }

// Values of Arity.Most.
const (
	Many  = -1 // any number
	Pairs = -2 // the least number and any number of pairs
)

// Takes says that a function takes n arguments.
func (a Arity) Takes(n int) bool {
	pairs := a.Most == Pairs && (n-a.Least)%2 == 0
	return n >= a.Least && (n <= a.Most || a.Most == Many || pairs)
}

// String is how many, in words.
func (a Arity) String() string {
	switch {
	case a.Most == Pairs:
		return strconv.Itoa(a.Least) + " and pairs of"
	case a.Most == Many:
		return "at least " + strconv.Itoa(a.Least)
	case a.Least == a.Most:
		return strconv.Itoa(a.Least)
	}
	return strconv.Itoa(a.Least) + " to " + strconv.Itoa(a.Most)
}

// Arities has the functions that a statement may call, by the lower-case names that TiDB's parser gives them: pure
// functions of their arguments, the clock and RAND.
// Source: MySQL 8.0 Reference Manual, "Built-In Function and Operator Reference"; the counts are those of MySQL,
// with the unit of a date function as one argument.
var Arities = map[string]Arity{}

// functions has the lines by their names. One that has no line is refused elsewhere.
var functions = map[string]function{}

// growths by their names in functions.txt.
// Source: MySQL 8.0 Reference Manual, "String Functions and Operators", "JSON Functions"; sql/item_strfunc.cc.
var growths map[string]growth

func init() { // growths lead back to the table
	growths = map[string]growth{"longest": longest, "times": times, "piece": piece, "sum": sum, "joined": joined,
		"characters": characters, "formatted": formatted, "replaced": replaced, "matched": matched, "repeated": repeated,
		"padded": padded, "flagged": flagged, "document": document, "extracted": extracted, "found": found}
	for line := range strings.Lines(functionTable) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] == "#" {
			continue
		}
		a, plus := Arity{}, strings.Count(words[1], "+")
		if n, _ := fmt.Sscanf(words[1], "%d-%d", &a.Least, &a.Most); n > 0 {
			if plus > 0 {
				a.Most = -plus
			} else if n == 1 {
				a.Most = a.Least
			}
			Arities[words[0]] = a
		}
		f := function{has: map[string][]float64{}}
		for _, word := range words[2:] {
			key, numbers, _ := strings.Cut(word, "=")
			for number := range strings.SplitSeq(numbers, ",") {
				n, err := strconv.ParseFloat(number, 64)
				if err != nil && numbers != "" {
					panic("functions.txt: " + line) // a file of ours
				}
				f.has[key] = append(f.has[key], n)
			}
			if grow := growths[key]; grow != nil {
				f.gives, f.arg = grow, f.has[key][0]
			}
		}
		functions[words[0]] = f
	}
}

// longest is the longest of the arguments from the given one on.
func longest(_ *measure, c call) float64 {
	return slices.Max(append([]float64{0}, c.size[min(int(c.arg), len(c.size)):]...))
}

// times is so many times the first argument, and quotes around it.
func times(_ *measure, c call) float64 { return c.arg*c.size[0] + 2 }

// piece is a part of the first argument, of as many characters as the given one says.
func piece(m *measure, c call) float64 {
	if int(c.arg) >= len(c.args) {
		return c.size[0]
	}
	n, _ := m.number(c.args[int(c.arg)])
	return min(c.size[0], 4*n)
}

func sum(_ *measure, c call) float64 { return total(c.size) }

func total(sizes []float64) (n float64) {
	for _, size := range sizes {
		n += size
	}
	return n
}

// joined is all arguments with the first one, or a comma, between them.
func joined(_ *measure, c call) float64 { return total(c.size) + (c.size[0]+1)*float64(len(c.size)) }

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
	if (!known || strings.Contains(pattern, "(?")) && m.words(c.args[2]).holds("$") { // it looks around
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

// padded is LPAD and RPAD: so many characters, which have one byte in a pad that is written so.
func padded(m *measure, c call) float64 {
	n, _ := m.number(c.args[1])
	if pad, ok := syntax.LiteralText(c.args[2]); ok && utf8.RuneCountInString(pad) == len(pad) {
		return n + min(3*n, c.size[0])
	}
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

// document is a JSON document that holds the arguments. A text in it is quoted, and \u0001 takes six bytes: one that
// the statement makes may be full of such.
func document(m *measure, c call) float64 {
	size := 2.0
	for i, n := range c.size {
		short := n <= numberText || n <= recursionText && m.isColumn(c.args[i])
		changed := i == 0 && len(c.size) > 1 && functions[c.name].has["paths"] != nil
		key := c.name == "json_object" && i%2 == 0
		if size += n + 4; !short && !changed && (key || !m.isJSON(c.args[i])) {
			size += 5 * n
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
			levels := float64(deepest)
			if m.isColumn(c.args[0]) { // of two bytes each; long documents have few
				levels = max(deep, min(deepest, n/2)/2*min(1, typicalText/n))
			}
			n *= levels
		}
		size += n
	}
	return size
}

// found is JSON_SEARCH: the path to each place, which holds the keys on the way.
func found(m *measure, c call) float64 {
	if m.ofColumn(c.args[0]) {
		return deep * c.size[0]
	}
	return c.size[0] * min(c.size[0], 1<<20) / 4
}
