package mysqlfn

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"nl2sql/runner/embedded/types"
)

// The ASCII characters that are not letters in the order of the Unicode collations: of utf8mb4_0900_ai_ci, and of the
// older ones.
const (
	asciiOrder    = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789"
	oldASCIIOrder = "\t\n\v\f\r `^_-,;:!?.'\"()[]{}@*/\\&#%+<=>|~$0123456789"
)

// Weights of the ASCII characters alone in the Unicode collations; 0 is ignored.
var ascii, oldASCII = asciiWeights(asciiOrder), asciiWeights(oldASCIIOrder)

func asciiWeights(order string) (w [128]uint32) {
	for i, c := range order {
		w[c] = uint32(i + 1)
	}
	for c := 'a'; c <= 'z'; c++ {
		w[c] = uint32(1000 + c)
		w[c-'a'+'A'] = w[c]
	}
	return w
}

// latin1Letters are the weights in latin1_swedish_ci of U+00C0 to U+00FF.
// Source: MySQL's sort_order_latin1 (share/charsets/latin1.xml).
var latin1Letters = [64]uint32{
	65, 65, 65, 65, 92, 91, 92, 67, 69, 69, 69, 69, 73, 73, 73, 73,
	68, 78, 79, 79, 79, 79, 93, 215, 216, 85, 85, 85, 89, 89, 222, 223,
	65, 65, 65, 65, 92, 91, 92, 67, 69, 69, 69, 69, 73, 73, 73, 73,
	68, 78, 79, 79, 79, 79, 93, 247, 216, 85, 85, 85, 89, 89, 222, 255,
}

// padsBlanks says that trailing blanks do not count.
func padsBlanks(c types.Collation) bool { return c != types.CollAI && c != types.CollBytes }

// compareTexts orders two texts; long ones of a statement that was stopped it leaves as they are, for SQLite does not
// look while it sorts.
func compareTexts(c types.Collation, a, b string) int {
	if len(a)+len(b) > 1000 && interrupted() {
		return 0
	}
	if c == types.CollJSON {
		return compareJSON(anyJSON().kept(a), anyJSON().kept(b))
	}
	if c.Padded() {
		c = types.CollBin
	}
	if padsBlanks(c) {
		a, b = strings.TrimRight(a, " "), strings.TrimRight(b, " ")
	}
	switch {
	case c == types.CollBin && strings.HasPrefix(b, a):
		return cmp.Compare(" ", strings.TrimLeft(b[len(a):], " ")+" ")
	case c == types.CollBin && strings.HasPrefix(a, b):
		return cmp.Compare(strings.TrimLeft(a[len(b):], " ")+" ", " ")
	case c.Binary():
		return strings.Compare(a, b)
	}
	for i := samePart(a, b); ; i++ {
		switch {
		case i == len(a) && i == len(b):
			return 0
		case i == len(a) && b[i] < utf8.RuneSelf && asciiWeight(c, b[i]) > endWeight(c):
			return -1
		case i == len(b) && a[i] < utf8.RuneSelf && asciiWeight(c, a[i]) > endWeight(c):
			return 1
		case i == len(a) || i == len(b) || a[i] >= utf8.RuneSelf || b[i] >= utf8.RuneSelf:
			return compareWeights(c, a, b)
		}
		wa, wb := asciiWeight(c, a[i]), asciiWeight(c, b[i])
		switch {
		case wa == 0 || wb == 0:
			return compareWeights(c, a, b)
		case wa < wb && (i+1 == len(a) || a[i+1] < utf8.RuneSelf) && (i+1 == len(b) || b[i+1] < utf8.RuneSelf):
			return -1
		case wa > wb && (i+1 == len(a) || a[i+1] < utf8.RuneSelf) && (i+1 == len(b) || b[i+1] < utf8.RuneSelf):
			return 1
		case wa != wb:
			return compareWeights(c, a, b)
		}
	}
}

// samePart is how many bytes two texts begin with that are the same, or fewer.
func samePart(a, b string) int {
	const step = 64
	n := 0
	for n+step < min(len(a), len(b)) && a[n:n+step] == b[n:n+step] {
		n += step
	}
	return n
}

// compareWeights compares the sort keys of two texts, weight by weight: those of long texts are longer still.
func compareWeights(c types.Collation, a, b string) int {
	same := samePart(a, b)
	for same > 0 && !utf8.RuneStart(a[same]) {
		same--
	}
	a, b = a[same:], b[same:]
	x, y := weigher{c: c, rest: a}, weigher{c: c, rest: b}
	for {
		wx, more := x.next()
		wy, other := y.next()
		if padsBlanks(c) && more != other { // against a blank
			blank, _ := (&weigher{c: c, rest: " "}).next()
			wx, wy = max(wx, map[bool]uint32{false: blank}[more]), max(wy, map[bool]uint32{false: blank}[other])
		}
		switch {
		case wx != wy:
			return cmp.Compare(wx, wy)
		case !more && !other:
			return 0
		}
	}
}

// weigher gives the weights of a text one after the other.
type weigher struct {
	c     types.Collation
	rest  string
	ready []uint32
	space [4]uint32
}

// next is the next weight, and 0 behind the last one: no weight is 0.
func (w *weigher) next() (weight uint32, ok bool) {
	for len(w.ready) == 0 {
		if w.rest == "" {
			return 0, false
		}
		r, size := utf8.DecodeRuneInString(w.rest)
		w.rest, w.ready = w.rest[size:], appendRune(w.c, w.space[:0], r)
	}
	weight, w.ready = w.ready[0], w.ready[1:]
	return weight, true
}

// endWeight is what stands behind the end of a text, where the other one goes on: blanks, if they do not count.
func endWeight(c types.Collation) uint32 {
	if padsBlanks(c) {
		return asciiWeight(c, ' ')
	}
	return 0
}

// asciiWeight is the weight of an ASCII character, 0 if it does not count.
func asciiWeight(c types.Collation, b byte) uint32 {
	switch c {
	case types.CollAI:
		return ascii[b]
	case types.CollUnicode, types.CollUnicode520:
		return oldASCII[b]
	}
	if b >= 'a' && b <= 'z' {
		b -= 'a' - 'A'
	}
	return uint32(b) + 1
}

// appendRune appends the weights of one character, one more than MySQL's so that none is 0.
func appendRune(c types.Collation, w []uint32, r rune) []uint32 {
	switch {
	case c.Binary():
		return append(w, uint32(r)+1)
	case c == types.CollSwedish && r >= 'a' && r <= 'z':
		return append(w, uint32(r)-'a'+'A'+1)
	case c == types.CollSwedish && r >= 0xC0 && r <= 0xFF:
		return append(w, latin1Letters[r-0xC0]+1)
	case c == types.CollSwedish:
		if b, ok := charmap.Windows1252.EncodeRune(r); ok {
			return append(w, uint32(b)+1)
		}
		return append(w, uint32(r)+1)
	}
	return weightTables[c]().appendTo(w, r)
}

// sortKey is a text's sort key as text, for DISTINCT over several columns.
func sortKey(c types.Collation, s string) string {
	if padsBlanks(c) {
		s = strings.TrimRight(s, " ")
	}
	key := make([]byte, 0, 4*min(len(s), maxText/4))
	for w := (weigher{c: c, rest: s}); len(key) <= maxText; {
		weight, ok := w.next()
		if !ok {
			break
		}
		key = append(strconv.AppendUint(key, uint64(weight), 16), '.')
	}
	return string(key)
}

// encodings say what a character set cannot hold; MySQL writes a question mark for it.
var encodings = map[string]func(r rune) bool{
	"latin1": func(r rune) bool {
		_, ok := charmap.Windows1252.EncodeRune(r)
		return ok
	},
	"ascii": func(r rune) bool { return r < 128 },
	"utf8":  func(r rune) bool { return r < 0x10000 }, "utf8mb3": func(r rune) bool { return r < 0x10000 },
	"ucs2": func(r rune) bool { return r < 0x10000 },
}

// transcode writes a text with the characters of a character set only.
func transcode(text, charset string) string {
	holds := encodings[charset]
	if holds == nil {
		return text
	}
	return strings.Map(func(r rune) rune {
		if holds(r) {
			return r
		}
		return '?'
	}, text)
}
