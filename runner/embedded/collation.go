package embedded

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// collation is how texts compare. The names are those that SQLite sees.
type collation string

const (
	collAI      collation = "my_ai"      // utf8mb4_0900_ai_ci: case and accents do not count, trailing blanks do
	collUnicode collation = "my_unicode" // utf8*_unicode_ci: as collAI, but trailing blanks do not count
	collGeneral collation = "my_general" // utf8*_general_ci
	collSwedish collation = "my_swedish" // latin1_swedish_ci
	collBin     collation = "my_bin"     // *_bin of the older character sets: trailing blanks do not count
	collBytes   collation = "my_bytes"   // binary, utf8mb4_0900_bin
	collJSON    collation = "my_json"    // of JSON values: 1 and 1.0 are equal
)

// collations by the name that a dump declares.
var collations = map[string]collation{
	"utf8mb4_0900_ai_ci": collAI,
	"utf8mb4_unicode_ci": collUnicode, "utf8_unicode_ci": collUnicode, "utf8mb3_unicode_ci": collUnicode,
	"utf8mb4_unicode_520_ci": collUnicode, "utf8_unicode_520_ci": collUnicode,
	"utf8mb4_general_ci": collGeneral, "utf8_general_ci": collGeneral, "utf8mb3_general_ci": collGeneral,
	"ascii_general_ci": collGeneral, "ucs2_general_ci": collGeneral,
	"latin1_swedish_ci": collSwedish,
	"utf8mb4_bin":       collBin, "utf8_bin": collBin, "utf8mb3_bin": collBin, "latin1_bin": collBin, "ascii_bin": collBin,
	"utf8mb4_0900_bin": collBytes, "binary": collBytes,
}

// charsetDefault is the collation of a character set that is declared without one, in MySQL 8.
var charsetDefault = map[string]string{
	"utf8mb4": "utf8mb4_0900_ai_ci", "utf8": "utf8_general_ci", "utf8mb3": "utf8_general_ci", "latin1": "latin1_swedish_ci",
	"ascii": "ascii_general_ci", "ucs2": "ucs2_general_ci", "binary": "binary",
}

// ducet orders the ASCII characters that are not letters or digits as the Unicode collation algorithm does.
const ducet = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789"

// ascii holds the weights of the ASCII characters in the Unicode collations; 0 is ignored.
var ascii = func() (w [128]uint32) {
	for i, c := range ducet {
		w[c] = uint32(i + 1)
	}
	for c := 'a'; c <= 'z'; c++ {
		w[c] = uint32(1000 + c)
		w[c-'a'+'A'] = w[c]
	}
	return w
}()

// latin1Letters are the weights in latin1_swedish_ci of U+00C0 to U+00FF.
// Source: MySQL's sort_order_latin1 (share/charsets/latin1.xml).
var latin1Letters = [64]uint32{
	65, 65, 65, 65, 92, 91, 92, 67, 69, 69, 69, 69, 73, 73, 73, 73,
	68, 78, 79, 79, 79, 79, 93, 215, 216, 85, 85, 85, 89, 89, 222, 223,
	65, 65, 65, 65, 92, 91, 92, 67, 69, 69, 69, 69, 73, 73, 73, 73,
	68, 78, 79, 79, 79, 79, 93, 247, 216, 85, 85, 85, 89, 89, 222, 255,
}

// expansions are letters that the Unicode collations take apart but decomposition does not.
var expansions = map[rune]string{
	'ß': "ss", 'ẞ': "ss", 'œ': "oe", 'Œ': "oe", '\u00a0': " ",
}

// strokes are those that only version 9 of the Unicode collation algorithm takes apart, hence utf8mb4_0900_ai_ci.
var strokes = map[rune]string{
	'æ': "ae", 'Æ': "ae", 'ø': "o", 'Ø': "o", 'ł': "l", 'Ł': "l", 'đ': "d", 'Đ': "d", 'ð': "d", 'Ð': "d", 'ħ': "h", 'Ħ': "h",
	'ŀ': "l", 'Ŀ': "l",
}

// expand takes a letter apart, if the collation does.
func (c collation) expand(r rune) (string, bool) {
	text, ok := expansions[r]
	if !ok && c == collAI {
		text, ok = strokes[r]
	}
	return text, ok
}

// padded says that trailing blanks do not count.
func (c collation) padded() bool { return c != collAI && c != collBytes }

// compare orders two texts.
func (c collation) compare(a, b string) int {
	if c == collJSON {
		return compareJSON(keptJSON(a), keptJSON(b))
	}
	if c.padded() {
		a, b = strings.TrimRight(a, " "), strings.TrimRight(b, " ")
	}
	if c == collBin || c == collBytes {
		return strings.Compare(a, b)
	}
	for i := 0; ; i++ {
		switch {
		case i == len(a) && i == len(b):
			return 0
		case i == len(a) && b[i] < utf8.RuneSelf && c.ascii(b[i]) != 0:
			return -1
		case i == len(b) && a[i] < utf8.RuneSelf && c.ascii(a[i]) != 0:
			return 1
		case i == len(a) || i == len(b) || a[i] >= utf8.RuneSelf || b[i] >= utf8.RuneSelf:
			return compareWeights(c.weights(a), c.weights(b))
		}
		wa, wb := c.ascii(a[i]), c.ascii(b[i])
		switch {
		case wa == 0 || wb == 0:
			return compareWeights(c.weights(a), c.weights(b))
		case wa < wb && (i+1 == len(a) || a[i+1] < utf8.RuneSelf) && (i+1 == len(b) || b[i+1] < utf8.RuneSelf):
			return -1
		case wa > wb && (i+1 == len(a) || a[i+1] < utf8.RuneSelf) && (i+1 == len(b) || b[i+1] < utf8.RuneSelf):
			return 1
		case wa != wb:
			return compareWeights(c.weights(a), c.weights(b))
		}
	}
}

func compareWeights(a, b []uint32) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			if a[i] < b[i] {
				return -1
			}
			return 1
		}
	}
	return len(a) - len(b)
}

// ascii is the weight of an ASCII character, 0 if it does not count.
func (c collation) ascii(b byte) uint32 {
	if c == collAI || c == collUnicode {
		return ascii[b]
	}
	if b >= 'a' && b <= 'z' {
		b -= 'a' - 'A'
	}
	return uint32(b) + 1
}

// weights is a text's sort key. Equal keys are equal texts.
func (c collation) weights(s string) []uint32 {
	if c.padded() {
		s = strings.TrimRight(s, " ")
	}
	w := make([]uint32, 0, len(s))
	for _, r := range s {
		w = c.appendRune(w, r)
	}
	return w
}

// appendRune appends the weights of one character.
func (c collation) appendRune(w []uint32, r rune) []uint32 {
	switch {
	case c == collBin || c == collBytes:
		return append(w, uint32(r))
	case r < utf8.RuneSelf:
		if x := c.ascii(byte(r)); x != 0 {
			w = append(w, x)
		}
		return w
	case c == collSwedish && r >= 0xC0 && r <= 0xFF:
		return append(w, latin1Letters[r-0xC0]+1)
	case c == collSwedish:
		return append(w, uint32(r)+1)
	case c == collGeneral:
		if r == 'ß' {
			return append(w, 'S'+1)
		}
		base := []rune(norm.NFD.String(string(r)))[0]
		return append(w, uint32(unicode.ToUpper(base))+1)
	}
	if text, ok := c.expand(r); ok {
		for _, x := range text {
			w = c.appendRune(w, x)
		}
		return w
	}
	for _, x := range norm.NFKD.String(string(r)) {
		text, expands := c.expand(x)
		switch {
		case unicode.Is(unicode.Mn, x): // accents do not count
		case x < utf8.RuneSelf:
			w = c.appendRune(w, x)
		case expands && x != r:
			for _, y := range text {
				w = c.appendRune(w, y)
			}
		case unicode.IsLetter(x) || unicode.IsDigit(x):
			w = append(w, 10_000+uint32(unicode.ToLower(x)))
		default: // other signs sort before digits
			w = append(w, 100+uint32(x)%800)
		}
	}
	return w
}

// key is a text's sort key as text, for DISTINCT over several columns.
func (c collation) key(s string) string {
	var b strings.Builder
	for _, w := range c.weights(s) {
		fmt.Fprintf(&b, "%x.", w)
	}
	return b.String()
}
