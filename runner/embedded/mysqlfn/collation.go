package mysqlfn

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"

	"nl2sql/runner/embedded/types"
)

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
func expand(c types.Collation, r rune) (string, bool) {
	text, ok := expansions[r]
	if !ok && c == types.CollAI {
		text, ok = strokes[r]
	}
	return text, ok
}

// padsBlanks says that trailing blanks do not count.
func padsBlanks(c types.Collation) bool { return c != types.CollAI && c != types.CollBytes }

// compareTexts orders two texts.
func compareTexts(c types.Collation, a, b string) int {
	if c == types.CollJSON {
		return compareJSON(keptJSON(a), keptJSON(b))
	}
	if padsBlanks(c) {
		a, b = strings.TrimRight(a, " "), strings.TrimRight(b, " ")
	}
	if c == types.CollBin || c == types.CollBytes {
		return strings.Compare(a, b)
	}
	for i := 0; ; i++ {
		switch {
		case i == len(a) && i == len(b):
			return 0
		case i == len(a) && b[i] < utf8.RuneSelf && asciiWeight(c, b[i]) != 0:
			return -1
		case i == len(b) && a[i] < utf8.RuneSelf && asciiWeight(c, a[i]) != 0:
			return 1
		case i == len(a) || i == len(b) || a[i] >= utf8.RuneSelf || b[i] >= utf8.RuneSelf:
			return compareWeights(weights(c, a), weights(c, b))
		}
		wa, wb := asciiWeight(c, a[i]), asciiWeight(c, b[i])
		switch {
		case wa == 0 || wb == 0:
			return compareWeights(weights(c, a), weights(c, b))
		case wa < wb && (i+1 == len(a) || a[i+1] < utf8.RuneSelf) && (i+1 == len(b) || b[i+1] < utf8.RuneSelf):
			return -1
		case wa > wb && (i+1 == len(a) || a[i+1] < utf8.RuneSelf) && (i+1 == len(b) || b[i+1] < utf8.RuneSelf):
			return 1
		case wa != wb:
			return compareWeights(weights(c, a), weights(c, b))
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

// asciiWeight is the weight of an ASCII character, 0 if it does not count.
func asciiWeight(c types.Collation, b byte) uint32 {
	if c == types.CollAI || c == types.CollUnicode {
		return ascii[b]
	}
	if b >= 'a' && b <= 'z' {
		b -= 'a' - 'A'
	}
	return uint32(b) + 1
}

// weights is a text's sort key. Equal keys are equal texts.
func weights(c types.Collation, s string) []uint32 {
	if padsBlanks(c) {
		s = strings.TrimRight(s, " ")
	}
	w := make([]uint32, 0, len(s))
	for _, r := range s {
		w = appendRune(c, w, r)
	}
	return w
}

// appendRune appends the weights of one character.
func appendRune(c types.Collation, w []uint32, r rune) []uint32 {
	switch {
	case c == types.CollBin || c == types.CollBytes:
		return append(w, uint32(r))
	case r < utf8.RuneSelf:
		if x := asciiWeight(c, byte(r)); x != 0 {
			w = append(w, x)
		}
		return w
	case c == types.CollSwedish && r >= 0xC0 && r <= 0xFF:
		return append(w, latin1Letters[r-0xC0]+1)
	case c == types.CollSwedish:
		return append(w, uint32(r)+1)
	case c == types.CollGeneral:
		if r == 'ß' {
			return append(w, 'S'+1)
		}
		base := []rune(norm.NFD.String(string(r)))[0]
		return append(w, uint32(unicode.ToUpper(base))+1)
	}
	if text, ok := expand(c, r); ok {
		for _, x := range text {
			w = appendRune(c, w, x)
		}
		return w
	}
	for _, x := range norm.NFKD.String(string(r)) {
		text, expands := expand(c, x)
		switch {
		case unicode.Is(unicode.Mn, x): // accents do not count
		case x < utf8.RuneSelf:
			w = appendRune(c, w, x)
		case expands && x != r:
			for _, y := range text {
				w = appendRune(c, w, y)
			}
		case unicode.IsLetter(x) || unicode.IsDigit(x):
			w = append(w, 10_000+uint32(unicode.ToLower(x)))
		default: // other signs sort before digits
			w = append(w, 100+uint32(x)%800)
		}
	}
	return w
}

// sortKey is a text's sort key as text, for DISTINCT over several columns.
func sortKey(c types.Collation, s string) string {
	var b strings.Builder
	for _, w := range weights(c, s) {
		fmt.Fprintf(&b, "%x.", w)
	}
	return b.String()
}

// encodings say what a character set cannot hold; MySQL writes a question mark for it.
var encodings = map[string]func(r rune) bool{
	"latin1": func(r rune) bool {
		_, ok := charmap.Windows1252.EncodeRune(r)
		return ok
	},
	"ascii": func(r rune) bool { return r < 128 },
	"utf8":  func(r rune) bool { return r < 0x10000 }, "utf8mb3": func(r rune) bool { return r < 0x10000 }, "ucs2": func(r rune) bool { return r < 0x10000 },
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
