package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Styles of a terminal that shows colours, as SGR parameters (ECMA-48).
const (
	bold   = "1"
	faint  = "2"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// paint is text in a style, or as it is where there is none.
func paint(style, text string) string {
	if style == "" || text == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// Doubt is a warning in its colour, where the terminal shows any.
func Doubt(text string, color bool) string {
	if !color {
		return text
	}
	return paint(yellow, text)
}

// width is how many columns of a terminal text takes: letters of East Asia and emoji two, marks above others none.
// Terminals differ about emoji of several parts, and some count those otherwise.
func width(s string) int { return uniseg.StringWidth(s) }

// cut is text in at most n columns; … stands for what is left out.
func cut(s string, n int) string {
	if width(s) <= n {
		return s
	}
	end, used, state := 0, 0, -1
	for rest := s; ; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used += w; used > n-1 {
			return s[:end] + "…"
		}
		end += len(cluster)
	}
}

// Wrapped is a line in lines of at most so many columns, 0 is unbounded, broken at blanks alone; the second and those
// that follow begin with an indent.
func Wrapped(line string, columns int, indent string) string {
	var b strings.Builder
	at := 0
	for i, word := range strings.Split(line, " ") {
		n := width(word)
		switch {
		case i == 0:
		case columns > 0 && at+1+n > columns && at > len(indent):
			b.WriteString("\n" + indent)
			at = len(indent)
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// wrap is text in lines of at most n columns. A line ends at a blank, which goes, else within a name behind _ or ( or
// before a capital, else where it is full.
func wrap(s string, n int) (lines []string) {
	from, used := 0, 0        // where the line began, and its columns
	blank, name := 0, 0       // where it may end: at a blank, within a name
	lower, state := false, -1 // of the letter before
	for pos, rest := 0, s; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		first, _ := utf8.DecodeRuneInString(cluster)
		if lower && unicode.IsUpper(first) || pos > from && (s[pos-1] == '_' || s[pos-1] == '(') {
			name = pos
		}
		if lower = unicode.IsLower(first); cluster == " " {
			blank = pos
		}
		for used+w > n && pos > from {
			switch {
			case blank > from:
				lines = append(lines, s[from:blank])
				from = blank + 1
			case name > from:
				lines = append(lines, s[from:name])
				from = name
			default:
				lines = append(lines, s[from:pos])
				from = pos
			}
			if from > pos {
				w = 0 // the blank at the end of the line
				used = 0
				break
			}
			used = width(s[from:pos])
		}
		used += w
		pos += len(cluster)
	}
	return append(lines, s[min(from, len(s)):])
}

// pad fills text with blanks up to n columns, before it or behind.
func pad(text, style string, n int, right bool) string {
	blanks := strings.Repeat(" ", max(0, n-width(text)))
	if right {
		return blanks + paint(style, text)
	}
	return paint(style, text) + blanks
}
