// Package render prints results and statements: as tables for people, and in the forms that other programs read. It
// knows what a cell may be ([runner.Result]), what fits on a terminal and what one must not be sent; it knows no
// database.
package render

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"nl2sql/runner"
	"nl2sql/sqlcheck/syntax"
)

// Format names a way to print a [runner.Result].
type Format string

// The formats of [Write].
const (
	Table    Format = "table"    // boxes, for people; Expanded where they do not fit the terminal
	Expanded Format = "expanded" // the columns of a row below each other
	Plain    Format = "plain"    // tab-separated, escaped as the mysql client's --batch does
	JSON     Format = "json"     // one object: columns, rows, truncated
	NDJSON   Format = "ndjson"   // one object a row
	CSV      Format = "csv"      // RFC 4180 quoting, lines end in LF
	Markdown Format = "markdown" // a pipe table
)

// Options say for what a result is printed. The zero value is a pipe.
type Options struct {
	Width, Height int  // of the terminal, in columns and lines; 0 is none
	Color         bool // the terminal shows colours
	Raw           bool // [CSV] that goes elsewhere than to a terminal keeps what a terminal would obey
	Report        bool // res is a table of ours and no data: no text of a [Table] is cut, and the rows are not counted
}

// Write prints res, and says whether texts of a [Table] were cut to fit the terminal. Where there is one, no cell of
// any format can send it a control sequence. Only [JSON] says that res is truncated: else the caller does.
func Write(w io.Writer, res runner.Result, f Format, o Options) (isCut bool, err error) {
	var b bytes.Buffer
	switch f {
	case Table:
		isCut = newGrid(res, o).table(&b)
	case Expanded:
		newGrid(res, o).expanded(&b)
	case Plain:
		writePlain(&b, res)
	case CSV:
		writeCSV(&b, res, o)
	case Markdown:
		writeMarkdown(&b, res, o)
	case JSON:
		if err := writeJSON(&b, res); err != nil {
			return false, fmt.Errorf("print the result: %w", err)
		}
	case NDJSON:
		if err := writeNDJSON(&b, res); err != nil {
			return false, fmt.Errorf("print the result: %w", err)
		}
	default:
		return false, fmt.Errorf("unknown format %q", f)
	}
	_, err = w.Write(b.Bytes())
	return isCut, err
}

// NoFormulas puts an apostrophe before the texts that a spreadsheet would take for a formula when it opens them as CSV:
// those that begin with =, +, - or @, as wide as they may be and behind blanks too, a tab or a line end. Numbers stay.
func NoFormulas(res runner.Result) runner.Result {
	plain := func(s string) string {
		blank := func(r rune) bool {
			return unicode.In(r, unicode.Z, unicode.C, unicode.M, unicode.White_Space) || r == '\u2800' || hidden(r)
		}
		first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(s, blank))
		if strings.ContainsRune("=+-@＝＋－＠﹢﹣﹦﹫", first) || s != "" && strings.ContainsRune("\t\r\n", rune(s[0])) {
			return "'" + s
		}
		return s
	}
	out := runner.Result{Truncated: res.Truncated, Took: res.Took, Columns: syntax.Map(res.Columns, plain)}
	for _, row := range res.Rows {
		row = slices.Clone(row)
		for i, v := range row {
			if text, ok := v.(string); ok {
				row[i] = plain(text)
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// CellTexts are the cells of a row, each as [CellText] has it.
func CellTexts(row []any) []string { return syntax.Map(row, CellText) }

// CellText is a cell as MySQL prints it; bytes are hexadecimal, as with --binary-as-hex. NULL is "NULL".
func CellText(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case string:
		return v
	case runner.Decimal:
		return string(v)
	case []byte:
		return fmt.Sprintf("0x%X", v)
	case float64:
		return floatText(v)
	default: // int64, uint64
		return fmt.Sprint(v)
	}
}

// floatText is the shortest text that reads back as v, with an exponent only where JSON would have one.
func floatText(v float64) string {
	if abs := max(v, -v); v != 0 && (abs < 1e-6 || abs >= 1e21) {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// Visible replaces what a terminal would obey rather than show, or not show at all: control characters, broken UTF-8,
// marks that reorder text, blanks without width. A tab becomes \t, ESC \x1b, U+202E \u202e.
func Visible(s string) string { return visible(s, hidden) }

// VisibleLines is [Visible] that keeps the ends of lines.
func VisibleLines(text string) string {
	return strings.Join(syntax.Map(strings.Split(text, "\n"), Visible), "\n")
}

func visible(s string, hidden func(rune) bool) string {
	if !strings.ContainsFunc(s, hidden) && !strings.ContainsFunc(s, selector) {
		return s
	}
	before := ' '
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case hidden(r), selector(r) && unicode.IsLetter(before):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

// selector reports variation selectors, which choose the form of a sign before them: that of no letter.
func selector(r rune) bool { return unicode.Is(unicode.Variation_Selector, r) }

// Disarmed replaces the characters that begin a terminal's control sequences, as [Visible] does, and no others: for
// what is read by programs and may come to a terminal later.
func Disarmed(s string) string { return disarming.Replace(s) }

var disarming = strings.NewReplacer("\x1b", `\x1b`, "\u009b", `\u009b`, "\u009d", `\u009d`, "\u0090", `\u0090`)

// hidden reports control characters (C0, DEL, C1), bidirectional marks (Unicode TR 9), what else has no width and
// joins no letters (U+00AD, which some terminals show, U+180E, U+200B, U+2060 to U+206F, U+3164, U+FEFF, U+FFA0, U+FFF9
// to U+FFFB, the tags from U+E0000) and the replacement character, which is what ranging over broken UTF-8 gives.
func hidden(r rune) bool {
	return r < 0x20 || r >= 0x7f && r <= 0x9f || r == 0xad || r == 0x061c || r == 0x180e || r == 0x200b ||
		r == 0x200e || r == 0x200f ||
		r >= 0x2028 && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r == 0xfeff || r >= 0xfff9 && r <= 0xfffb ||
		r == 0x3164 || r == 0xffa0 || r >= 0xe0000 && r <= 0xe007f || r == utf8.RuneError
}

// numeric reports for each column whether all its cells are numbers or NULL, and one is a number.
func numeric(res runner.Result) []bool {
	is := make([]bool, len(res.Columns))
	for c := range is {
		for _, row := range res.Rows {
			switch row[c].(type) {
			case nil:
				continue
			case int64, uint64, float64, runner.Decimal:
				is[c] = true
				continue
			}
			is[c] = false
			break
		}
	}
	return is
}

func writePlain(w *bytes.Buffer, res runner.Result) {
	line := func(cells []string) {
		escaped := func(cell string) string { return Visible(strings.ReplaceAll(cell, `\`, `\\`)) }
		w.WriteString(strings.Join(syntax.Map(cells, escaped), "\t") + "\n")
	}
	line(res.Columns)
	for _, row := range res.Rows {
		line(syntax.Map(row, shown))
	}
}

// writeCSV tells NULL (nothing) from the empty string (""), which encoding/csv cannot.
func writeCSV(w *bytes.Buffer, res runner.Result, o Options) {
	field := func(c int, v any) {
		if c > 0 {
			w.WriteByte(',')
		}
		if v == nil && len(res.Columns) > 1 {
			return
		}
		cell := ""
		if v != nil {
			cell = CellText(v)
		}
		switch {
		case o.Width > 0:
			cell = Visible(cell)
		case !o.Raw:
			cell = visible(cell, func(r rune) bool { return r != '\n' && r != '\t' && hidden(r) })
		}
		if cell == "" || strings.ContainsAny(cell, ",\"\r\n") || cell != strings.TrimSpace(cell) {
			// quoted when alone and NULL too: a blank line is no record
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		w.WriteString(cell)
	}
	for c, label := range res.Columns {
		field(c, label)
	}
	w.WriteByte('\n')
	for _, row := range res.Rows {
		for c, v := range row {
			field(c, v)
		}
		w.WriteByte('\n')
	}
}

func writeMarkdown(w *bytes.Buffer, res runner.Result, o Options) {
	escape := strings.NewReplacer(`\`, `\\`, "|", `\|`, "\r\n", "<br>", "\n", "<br>", "<", "&lt;", "&", "&amp;",
		"*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`)
	cell := func(text string) { fmt.Fprintf(w, "| %s ", Visible(escape.Replace(text))) }
	for _, label := range res.Columns {
		cell(label)
	}
	w.WriteString("|\n")
	for _, isNumber := range numeric(res) {
		if isNumber {
			w.WriteString("| ---: ")
		} else {
			w.WriteString("| --- ")
		}
	}
	w.WriteString("|\n")
	for _, row := range res.Rows {
		for _, v := range row {
			cell(shown(v))
		}
		w.WriteString("|\n")
	}
	if !o.Report {
		fmt.Fprintf(w, "\n%s\n", runner.Result{Rows: res.Rows}.RowCount())
	}
}
