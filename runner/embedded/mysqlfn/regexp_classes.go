package mysqlfn

import (
	"cmp"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// MySQL's regular expressions are ICU's: its classes know the letters of every script. They are written as sets of
// Go's regexp, which stays linear.
// Source: ICU's User Guide, "Regular Expressions" and "UnicodeSet".

// regexpSets are ICU's classes by name, as members of a set of Go's. \w and its like are by their letter.
var regexpSets = sync.OnceValue(func() map[string]string {
	sets := map[string]string{
		"alpha": `\p{L}\p{Nl}` + members(unicode.Other_Alphabetic), "digit": `\p{Nd}`, "punct": `\p{P}`,
		"upper": `\p{Lu}` + members(unicode.Other_Uppercase), "lower": `\p{Ll}` + members(unicode.Other_Lowercase),
		"space": members(unicode.White_Space), "blank": `\t\p{Zs}`, "cntrl": `\p{Cc}`,
		"xdigit": `\p{Nd}A-Fa-f\x{FF21}-\x{FF26}\x{FF41}-\x{FF46}`,
		"graph":  `\p{L}\p{M}\p{N}\p{P}\p{S}\p{Cf}\p{Co}`,
		"h":      `\t\p{Zs}`, "v": lineEnds,
	}
	sets["alnum"] = sets["alpha"] + `\p{Nd}`
	sets["print"] = sets["graph"] + `\p{Zs}`
	sets["w"] = sets["alnum"] + `\p{M}\p{Pc}\x{200C}\x{200D}`
	sets["d"], sets["s"] = sets["digit"], sets["space"]
	for name, set := range sets {
		sets["^"+name] = complement(set)
	}
	return sets
})

// lineEnds are the members of the set of what ends a line.
const lineEnds = `\n\v\f\r\x85\x{2028}\x{2029}`

// members are a table's characters as members of a set.
func members(t *unicode.RangeTable) string {
	var b strings.Builder
	for _, r := range t.R16 {
		for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
			if r.Stride == 1 {
				fmt.Fprintf(&b, `\x{%X}-\x{%X}`, r.Lo, r.Hi)
				break
			}
			fmt.Fprintf(&b, `\x{%X}`, c)
		}
	}
	for _, r := range t.R32 { // none of ours has a stride
		fmt.Fprintf(&b, `\x{%X}-\x{%X}`, r.Lo, r.Hi)
	}
	return b.String()
}

// complement are the members of the set of all other characters, without the marks of [markEdges].
func complement(set string) string {
	tree, err := syntax.Parse("[^"+set+edgeMarks+"]", syntax.Perl)
	if err != nil {
		panic(err) // a set of ours
	}
	var b strings.Builder
	for pair := range slices.Chunk(tree.Rune, 2) {
		fmt.Fprintf(&b, `\x{%X}-\x{%X}`, pair[0], pair[1])
	}
	return b.String()
}

// \b and \B look at the characters on both sides, which Go does for ASCII letters alone. A pattern with them searches a
// text in which each place is marked as an edge of a word or as none; every other part of it skips the marks.
const (
	edgeMark  = '\U0010FFFE'
	plainMark = '\U0010FFFF'
	edgeMarks = `\x{10FFFE}\x{10FFFF}`
	anyMarks  = `[` + edgeMarks + `]*`
	// mostEdges bounds the \b of a pattern, each of which takes a mark of its own.
	mostEdges = 4
)

// regexpWriter writes an expression of ICU's as one of Go's.
type regexpWriter struct {
	pattern string
	at      int
	fold    bool
	dotAll  bool
	lines   bool
	edges   int  // \b and \B in it
	plain   bool // it is for texts of ASCII alone: \b and \B are Go's
	out     strings.Builder
}

// write writes the whole expression; ok is false where it has something that Go's cannot say.
func (r *regexpWriter) write() (ok bool) {
	r.edges = strings.Count(strings.ReplaceAll(r.pattern, `\\`, ""), `\b`) +
		strings.Count(strings.ReplaceAll(r.pattern, `\\`, ""), `\B`)
	if r.edges > mostEdges {
		return false
	}
	if r.plain {
		r.edges = 0
	}
	for r.at < len(r.pattern) {
		c := r.pattern[r.at]
		switch {
		case c == '\\':
			ok = r.escape()
		case c == '[':
			ok = r.set()
		case c == '.':
			r.at++
			set := "[^" + lineEnds + edgeMarks + "]"
			if r.dotAll {
				set = "[^" + edgeMarks + "]"
			}
			ok = r.atom(set)
		case c == '$' && !r.lines:
			r.at++
			r.put(`(?:\r\n|[` + lineEnds + `])?` + `\z`)
			ok = true
		case strings.IndexByte("^$|)*+?", c) >= 0:
			if c == '$' {
				r.out.WriteString(r.skip())
			}
			r.out.WriteByte(c)
			r.at++
			ok = true
		case c == '(':
			n := 1
			if strings.HasPrefix(r.pattern[r.at:], "(?") { // flags, or a group without a number
				n = strings.IndexAny(r.pattern[r.at:], ":)") + 1
			}
			if n == 0 || strings.ContainsAny(r.pattern[r.at:r.at+n], "<=!>#xwPU") {
				return false
			}
			r.out.WriteString(r.pattern[r.at : r.at+n])
			r.at += n
			ok = true
		case c == '{':
			n := cmp.Or(strings.IndexByte(r.pattern[r.at:], '}')+1, 1)
			r.out.WriteString(r.pattern[r.at : r.at+n])
			r.at += n
			ok = true
		default:
			ok = r.literal()
		}
		if !ok {
			return false
		}
	}
	return true
}

// skip is what passes over marks.
func (r *regexpWriter) skip() string {
	if r.edges == 0 {
		return ""
	}
	return anyMarks
}

// put writes what stands between characters.
func (r *regexpWriter) put(text string) { r.out.WriteString(r.skip() + text) }

// atom writes what stands for one character.
func (r *regexpWriter) atom(text string) bool {
	if r.edges > 0 {
		text = "(?:" + anyMarks + text + ")"
	}
	r.out.WriteString(text)
	return true
}

// literal writes a character. Without case ss is ß too.
func (r *regexpWriter) literal() bool {
	rest := r.pattern[r.at:]
	c, size := utf8.DecodeRuneInString(rest)
	if c == edgeMark || c == plainMark {
		return false
	}
	if r.fold && len(rest) > 1 && strings.EqualFold(rest[:2], "ss") && strings.IndexAny(rest[2:], "*+?{") != 0 {
		r.at += 2
		return r.atom("(?:s" + r.skip() + "s|[ßẞ])")
	}
	r.at += size
	if r.fold && (c == 'ß' || c == 'ẞ') {
		return r.atom("(?:[ßẞ]|s" + r.skip() + "s)")
	}
	return r.atom(rest[:size])
}

// escape writes what begins with a backslash outside of a set.
func (r *regexpWriter) escape() bool {
	rest := r.pattern[r.at:]
	if len(rest) < 2 {
		r.out.WriteString(rest)
		r.at = len(r.pattern)
		return true
	}
	r.at += 2
	switch c := rest[1]; c {
	case 'b', 'B':
		mark := `\x{10FFFE}`
		if c == 'B' {
			mark = `\x{10FFFF}`
		}
		switch {
		case strings.IndexAny(rest[2:], "*+?{") == 0:
			return false
		case r.plain:
			mark = rest[:2]
		}
		r.out.WriteString(mark)
	case 'w', 'd', 's', 'h', 'v', 'W', 'D', 'S', 'H', 'V':
		name := strings.ToLower(string(c))
		if c < 'a' {
			name = "^" + name
		}
		return r.atom("(?-i:[" + regexpSets()[name] + "])")
	case 'R':
		return r.atom(`(?:\r\n|[` + lineEnds + `])`)
	case 'p', 'P', 'x', 'u', 'U':
		text, ok := r.named(rest)
		return ok && r.atom(text)
	case 'A', 'z':
		r.put(rest[:2])
	case 'Z':
		r.put(`(?:\r\n|[` + lineEnds + `])?` + `\z`)
	case 'Q', 'C', 'E', 'G', 'X', 'N', 'k', 'c', 'e', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return false
	default:
		_, size := utf8.DecodeRuneInString(rest[1:])
		r.at += size - 1
		return r.atom(rest[:1+size])
	}
	return true
}

// named reads \p{…}, \x{…}, \xhh, \uhhhh or \Uhhhhhhhh, behind whose letter r.at stands.
func (r *regexpWriter) named(rest string) (text string, ok bool) {
	n := map[byte]int{'x': 4, 'u': 6, 'U': 10}[rest[1]]
	if strings.HasPrefix(rest[2:], "{") {
		n = strings.IndexByte(rest, '}') + 1
	}
	if n == 0 || n > len(rest) {
		return "", false
	}
	r.at += n - 2
	switch c := rest[1]; {
	case c == 'u' || c == 'U':
		return `\x{` + rest[2:n] + `}`, true
	case c == 'P':
		return `(?-i:[^` + `\p` + rest[2:n] + edgeMarks + `])`, true
	}
	return rest[:n], true
}

// set writes a set in brackets. Sets within sets and what is done with them Go's cannot say.
func (r *regexpWriter) set() bool {
	var b strings.Builder
	b.WriteByte('[')
	if named := r.posix(); named != "" {
		return r.atom("[" + named + "]")
	}
	r.at++
	not := strings.HasPrefix(r.pattern[r.at:], "^")
	if not {
		r.at++
		b.WriteString("^" + edgeMarks)
	}
	for first := true; ; first = false {
		rest := r.pattern[r.at:]
		switch {
		case rest == "": // Go says what is missing
			r.out.WriteString(b.String())
			return true
		case rest[0] == ']' && !first:
			r.at++
			b.WriteByte(']')
			return r.atom(b.String())
		case rest[0] == '[':
			named := r.posix()
			if named == "" {
				return false
			}
			b.WriteString(named)
		case strings.HasPrefix(rest, "&&"), strings.HasPrefix(rest, "--"):
			return false
		case rest[0] == '\\' && len(rest) > 1:
			r.at += 2
			c := rest[1]
			switch {
			case strings.IndexByte("wdshvWDSHV", c) >= 0:
				name := strings.ToLower(string(c))
				if c < 'a' {
					name = "^" + name
				}
				b.WriteString(regexpSets()[name])
			case strings.IndexByte("xuU", c) >= 0 || c == 'p':
				text, ok := r.named(rest)
				if !ok {
					return false
				}
				b.WriteString(text)
			case c >= 'a' && c <= 'z' && strings.IndexByte("aftnr", c) < 0, c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
				return false
			default:
				_, size := utf8.DecodeRuneInString(rest[1:])
				r.at += size - 1
				b.WriteString(rest[:1+size])
			}
		default:
			_, size := utf8.DecodeRuneInString(rest)
			b.WriteString(rest[:size])
			r.at += size
		}
	}
}

// posix reads [:name:] or [:^name:], and gives its members; "" if none stands here.
func (r *regexpWriter) posix() string {
	rest, ok := strings.CutPrefix(r.pattern[r.at:], "[:")
	name, _, closed := strings.Cut(rest, ":]")
	set := regexpSets()[strings.ToLower(name)]
	if !ok || !closed || len(strings.TrimPrefix(name, "^")) < 2 || set == "" {
		return ""
	}
	r.at += len("[:" + name + ":]")
	return set
}

// markEdges marks each place of a text, as often as a pattern may ask.
func markEdges(text string, times int) string {
	var b strings.Builder
	edge, plain := strings.Repeat(string(edgeMark), times), strings.Repeat(string(plainMark), times)
	before := false // the last character that combines with none is a word's
	for i, c := range text + "\x00" {
		extends := unicode.In(c, unicode.Mn, unicode.Me, unicode.Cf, unicode.Other_Grapheme_Extend)
		word := unicode.In(c, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic)
		inWord := i < len(text) && (word || c == '\u200C' || c == '\u200D')
		if !extends && inWord != before {
			b.WriteString(edge)
		} else {
			b.WriteString(plain)
		}
		if i < len(text) {
			b.WriteRune(c)
		}
		if !extends {
			before = inWord
		}
	}
	return b.String()
}

// unmarked is where a place of a marked text is in the text itself.
func unmarked(marked string, at int) int {
	if at < 0 {
		return at
	}
	before := marked[:at]
	return at - utf8.UTFMax*(strings.Count(before, string(edgeMark))+strings.Count(before, string(plainMark)))
}
