package dump

import (
	"encoding/binary"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"

	"nl2sql/runner/embedded/mysqlfn"
)

// Spatial columns become texts as ST_AsText writes them: the parser knows no such types, and the engine no such
// functions.

const (
	quotedName = "`(?:[^`]|``)+`"
	quotedText = `'(?:[^'\\]|\\.)*'`
	anyName    = "(?:" + quotedName + "|\\w+)"
	keyOf      = "SPATIAL(?:\\s+(?:KEY|INDEX))?\\s*" + anyName + "?\\s*\\((?:" + anyName + "(?:\\(\\d+\\))?,?\\s*)+\\)"
)

var (
	spatialColumn = regexp.MustCompile("(?i)" + quotedText + "|([(,]\\s*)(" + anyName + ")\\s+(?:geometry|point|linestring|polygon|multipoint|" +
		"multilinestring|multipolygon|geometrycollection|geomcollection)\\b")
	beginsKey     = regexp.MustCompile(`(?i)^(KEY|INDEX|UNIQUE|FULLTEXT|SPATIAL|CONSTRAINT)$`)
	spatialSystem = regexp.MustCompile(`(?i)\bSRID\s+\d+| REF_SYSTEM_ID=\d+`)
	spatialKey    = regexp.MustCompile("(?i),\\s*" + keyOf)
	spatialIndex  = regexp.MustCompile(`(?i)^CREATE\s+SPATIAL\b`)
	spatialAdded  = regexp.MustCompile("(?i),\\s*ADD\\s+" + keyOf + "|\\bADD\\s+" + keyOf + "\\s*,?")
	nothingAdded  = regexp.MustCompile(`(?i)^ALTER\s+TABLE\s+\S+\s*$`)
)

// withoutSpatial writes a CREATE TABLE with texts for spatial columns, and names those.
func withoutSpatial(text string) (string, []string) {
	var columns []string
	plain := spatialColumn.ReplaceAllStringFunc(unwrapped(text), func(found string) string {
		m := spatialColumn.FindStringSubmatch(found)
		if m[2] == "" || beginsKey.MatchString(m[2]) {
			return found
		}
		columns = append(columns, unquoted(m[2]))
		return m[1] + m[2] + " longtext"
	})
	if len(columns) == 0 {
		return text, nil
	}
	return spatialKey.ReplaceAllString(spatialSystem.ReplaceAllString(plain, ""), ""), columns
}

var errShape = errors.New("this is no shape as MySQL stores it")

// shape is a value of a spatial column as text: four bytes of its reference system and well-known binary. Source:
// MySQL 8.0 Reference Manual, 11.4.3; OpenGIS 06-103r4, 8.2 and 7.2.
func shape(value string) (string, error) {
	if len(value) < 4 {
		return "", errShape
	}
	w := &wkb{rest: value[4:], northFirst: strings.HasPrefix(value, "\xe6\x10\x00\x00")} // 4326, of latitudes
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

	northFirst bool // the numbers of a point are written the other way round
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
	var at [2]string
	for i := range at {
		at[i] = mysqlfn.FormatDouble(math.Float64frombits(w.order.Uint64(w.take(8))), 64)
	}
	if w.northFirst {
		slices.Reverse(at[:])
	}
	w.out.WriteString(at[0] + " " + at[1])
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
