package dump

import (
	"encoding/binary"
	"errors"
	"math"
	"regexp"
	"strings"

	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/sqlcheck/syntax"
)

// Spatial columns become texts as ST_AsText writes them: the parser knows no such types, and the engine no such
// functions.

const quotedName = "`(?:[^`]|``)+`"

var (
	spatialColumn = regexp.MustCompile("(?i)(" + quotedName +
		")\\s+(?:geometry|point|linestring|polygon|multipoint|multilinestring|multipolygon|geometrycollection|geomcollection)\\b")
	spatialSystem = regexp.MustCompile(`(?i)/\*!80003 SRID \d+ \*/| REF_SYSTEM_ID=\d+`)
	spatialKey    = regexp.MustCompile("(?i),\\s*SPATIAL\\s+(?:KEY|INDEX)\\s+(?:" + quotedName + ")?\\s*\\((?:" +
		quotedName + "(?:\\(\\d+\\))?,?\\s*)+\\)")
	spatialIndex = regexp.MustCompile(`(?i)^(CREATE|ALTER\s+TABLE\s.{0,200}?\bADD)\s+SPATIAL\b`)
)

// withoutSpatial writes a CREATE TABLE with texts for spatial columns, and names those.
func withoutSpatial(text string) (string, []string) {
	found := spatialColumn.FindAllStringSubmatch(text, -1)
	columns := syntax.Map(found, func(m []string) string { return unquoted(m[1]) })
	if len(columns) == 0 {
		return text, nil
	}
	text = spatialColumn.ReplaceAllString(text, "$1 longtext")
	return spatialKey.ReplaceAllString(spatialSystem.ReplaceAllString(text, ""), ""), columns
}

var errShape = errors.New("this is no shape as MySQL stores it")

// shape is a value of a spatial column as text: four bytes of its reference system and well-known binary. Source:
// MySQL 8.0 Reference Manual, 11.4.3; OpenGIS 06-103r4, 8.2 and 7.2.
func shape(value string) (string, error) {
	if len(value) < 4 {
		return "", errShape
	}
	w := &wkb{rest: value[4:]}
	w.shape(true)
	if w.failed || w.rest != "" {
		return "", errShape
	}
	return w.out.String(), nil
}

// shapes are the types by their numbers, and how deep their brackets are around points: 0 of a point; -1 is a
// collection of any.
var shapes = []struct {
	name  string
	depth int
}{1: {"POINT", 0}, {"LINESTRING", 1}, {"POLYGON", 2}, {"MULTIPOINT", -1}, {"MULTILINESTRING", -1}, {"MULTIPOLYGON", -1},
	{"GEOMETRYCOLLECTION", -1}}

// wkb reads well-known binary and writes it as text.
type wkb struct {
	rest   string
	order  binary.ByteOrder
	out    strings.Builder
	depth  int
	failed bool
}

// take reads n bytes; zeros where there are no more.
func (w *wkb) take(n int) []byte {
	if len(w.rest) < n {
		w.failed = true
		return make([]byte, n)
	}
	b := []byte(w.rest[:n])
	w.rest = w.rest[n:]
	return b
}

func (w *wkb) shape(named bool) {
	w.order = binary.ByteOrder(binary.BigEndian)
	if w.take(1)[0] == 1 {
		w.order = binary.LittleEndian
	}
	kind := int(w.order.Uint32(w.take(4)))
	if w.depth++; w.failed || kind < 1 || kind >= len(shapes) || w.depth > 32 {
		w.failed = true
		return
	}
	s := shapes[kind]
	if named {
		w.out.WriteString(s.name)
	}
	switch {
	case s.depth == 0:
		w.out.WriteByte('(')
		w.points(0)
		w.out.WriteByte(')')
	case s.depth > 0:
		w.points(s.depth)
	default:
		w.list(func() { w.shape(s.name == "GEOMETRYCOLLECTION") })
	}
	w.depth--
}

// points writes a point, or lists of them.
func (w *wkb) points(depth int) {
	if depth > 0 {
		w.list(func() { w.points(depth - 1) })
		return
	}
	for i := range 2 {
		if i > 0 {
			w.out.WriteByte(' ')
		}
		w.out.WriteString(mysqlfn.FormatDouble(math.Float64frombits(w.order.Uint64(w.take(8))), 64))
	}
}

func (w *wkb) list(one func()) {
	n := int(w.order.Uint32(w.take(4)))
	w.out.WriteByte('(')
	for i := 0; i < n && !w.failed; i++ {
		if i > 0 {
			w.out.WriteByte(',')
		}
		one()
	}
	w.out.WriteByte(')')
}
