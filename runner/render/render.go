// Package render prints results: as tables for people, and in the forms that other programs read. It knows what a cell may be
// ([runner.Result]) and what a terminal must not be sent; it knows no database.
package render

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"nl2sql/runner"
)

// Format names a way to print a [runner.Result].
type Format string

// The formats of [Write].
const (
	Table    Format = "table"    // boxes, for people
	Plain    Format = "plain"    // tab-separated, escaped as the mysql client's --batch does
	JSON     Format = "json"     // one object: columns, rows, truncated
	NDJSON   Format = "ndjson"   // one object a row
	CSV      Format = "csv"      // RFC 4180 quoting, lines end in LF
	Markdown Format = "markdown" // a pipe table
)

// Write prints res. A width above 0 says that w is a terminal of that many columns: long cells of a
// [Table] are cut to fit, and no cell of any format can send a control sequence. [NDJSON] and [CSV] have
// no place to say that res is truncated: the caller does.
func Write(w io.Writer, res runner.Result, f Format, width int) error {
	var b bytes.Buffer
	switch f {
	case Table:
		writeTable(&b, res, width)
	case Plain:
		writePlain(&b, res)
	case CSV:
		writeCSV(&b, res, width > 0)
	case Markdown:
		writeMarkdown(&b, res)
	case JSON:
		if err := writeJSON(&b, res); err != nil {
			return fmt.Errorf("print the result: %w", err)
		}
	case NDJSON:
		if err := writeNDJSON(&b, res); err != nil {
			return fmt.Errorf("print the result: %w", err)
		}
	default:
		return fmt.Errorf("unknown format %q", f)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// NoFormulas puts an apostrophe before the texts that a spreadsheet would take for a formula when it opens them as CSV:
// those that begin with =, +, -, @, a tab or a line end. Numbers stay.
func NoFormulas(res runner.Result) runner.Result {
	plain := func(s string) string {
		if s != "" && strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
			return "'" + s
		}
		return s
	}
	out := runner.Result{Truncated: res.Truncated, Took: res.Took}
	for _, label := range res.Columns {
		out.Columns = append(out.Columns, plain(label))
	}
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

// Visible replaces what a terminal would obey rather than show: control characters, broken UTF-8 and marks
// that reorder text. A tab becomes \t, ESC \x1b, U+202E \u202e.
func Visible(s string) string {
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case hidden(r):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden reports control characters (C0, DEL, C1), bidirectional marks (Unicode TR 9) and the replacement
// character, which is what ranging over broken UTF-8 gives.
func hidden(r rune) bool {
	return r < 0x20 || r >= 0x7f && r <= 0x9f || r == 0x061c || r == 0x200e || r == 0x200f ||
		r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == utf8.RuneError
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

func writeTable(w io.Writer, res runner.Result, width int) {
	t := table.NewWriter()
	style := table.StyleLight
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	head := make(table.Row, len(res.Columns))
	natural := make([]int, len(res.Columns))
	for c, label := range res.Columns {
		shown := Visible(label)
		head[c] = shown
		natural[c] = text.StringWidthWithoutEscSequences(shown)
	}
	t.AppendHeader(head)
	for _, row := range res.Rows {
		cells := make(table.Row, len(row))
		for c, v := range row {
			shown := Visible(CellText(v))
			cells[c] = shown
			natural[c] = max(natural[c], text.StringWidthWithoutEscSequences(shown))
		}
		t.AppendRow(cells)
	}
	limit := fit(natural, width)
	configs := make([]table.ColumnConfig, len(res.Columns))
	for c, isNumber := range numeric(res) {
		configs[c] = table.ColumnConfig{Number: c + 1, AlignHeader: text.AlignLeft}
		if isNumber {
			configs[c].Align, configs[c].AlignHeader = text.AlignRight, text.AlignRight
		}
		if limit[c] < natural[c] {
			configs[c].WidthMax = limit[c]
			configs[c].WidthMaxEnforcer = func(cell string, n int) string { return text.Snip(cell, n, "…") }
		}
	}
	t.SetColumnConfigs(configs)
	fmt.Fprintf(w, "%s\n(%s)\n", t.Render(), res.RowCount())
}

// fit returns the widest cell that each column may have so that the table fits width: the widest columns
// give way first, none below 8. A width of 0 is unbounded.
func fit(natural []int, width int) []int {
	limit := slices.Clone(natural)
	if width == 0 {
		return limit
	}
	total := 1 // the left border; each column adds two blanks and a border
	for _, n := range natural {
		total += n + 3
	}
	for ; total > width; total-- {
		widest := 0
		for c := range limit {
			if limit[c] > limit[widest] {
				widest = c
			}
		}
		if len(limit) == 0 || limit[widest] <= 8 {
			break
		}
		limit[widest]--
	}
	return limit
}

func writePlain(w *bytes.Buffer, res runner.Result) {
	line := func(cells []string) {
		for c, cell := range cells {
			if c > 0 {
				w.WriteByte('\t')
			}
			w.WriteString(Visible(strings.ReplaceAll(cell, `\`, `\\`)))
		}
		w.WriteByte('\n')
	}
	line(res.Columns)
	cells := make([]string, len(res.Columns))
	for _, row := range res.Rows {
		for c, v := range row {
			cells[c] = CellText(v)
		}
		line(cells)
	}
	if res.Truncated {
		fmt.Fprintf(w, "(%s)\n", res.RowCount())
	}
}

// writeCSV tells NULL (nothing) from the empty string (""), which encoding/csv cannot.
func writeCSV(w *bytes.Buffer, res runner.Result, visible bool) {
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
		if visible {
			cell = Visible(cell)
		}
		if cell == "" || strings.ContainsAny(cell, ",\"\r\n") || cell != strings.TrimSpace(cell) {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"` // quoted when alone and NULL too: a blank line is no record
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

func writeMarkdown(w *bytes.Buffer, res runner.Result) {
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
			cell(CellText(v))
		}
		w.WriteString("|\n")
	}
	fmt.Fprintf(w, "\n%s\n", res.RowCount())
}
