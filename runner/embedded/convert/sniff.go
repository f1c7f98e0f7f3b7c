package convert

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"nl2sql/runner/embedded/xlsx"
)

// signs are those that may stand between values.
const signs = ",;\t|^~ "

// sniff finds the dialect in which a sample is the most consistent: rows of one length, values of known types. That is
// the measure of van den Burg, Nazábal and Sutton, "Wrangling messy CSV files by detecting row and type patterns"
// (2019), but that few rows of another length cost little.
func (f *csvFile) sniff(sample []string) error {
	between, around := []byte(signs), []byte{'"', '\'', 0}
	switch d := f.Options.Delimiter; {
	case d == "tab" || d == `\t`:
		between = []byte{'\t'}
	case len(d) > 1 || len(d) == 1 && (d[0] >= utf8.RuneSelf || strings.Contains("\r\n\"'", d)):
		return fmt.Errorf("--delimiter is one character, or tab, not %q", d)
	case d != "":
		between = []byte(d)
	}
	switch q := f.Options.Quote; {
	case q == "none":
		around = []byte{0}
	case len(q) > 1 || len(q) == 1 && q[0] >= utf8.RuneSelf:
		return fmt.Errorf("--quote is one character, or none, not %q", q)
	case q != "":
		around = []byte(q)
	}
	text := strings.Join(sample, "")
	best, rows := -1.0, [][]cell(nil)
	for _, quote := range around {
		if quote != 0 && len(around) > 1 && (strings.IndexByte(text, quote) < 0 && quote != '"') {
			continue
		}
		for _, sign := range append([]byte{0}, between...) {
			if len(between) > 1 && sign != 0 && strings.IndexByte(text, sign) < 0 || len(between) == 1 && sign == 0 {
				continue
			}
			d := dialect{between: sign, around: quote}
			d.escape = d.escapeOf(text)
			d.blanks = d.blanksIn(text)
			bare := func(line string) bool { return strings.IndexByte(line, '|') > 0 }
			d.framed = sign == '|' && !slices.ContainsFunc(sample, bare)
			got := d.rows(f.ctx, sample)
			begins := func(c cell) bool { return strings.HasPrefix(c.text, `"`) }
			quoted := func(row []cell) bool { return slices.ContainsFunc(row, begins) }
			if quote == 0 && len(around) > 1 && slices.ContainsFunc(got, quoted) {
				continue
			}
			typed := func(c cell) bool { return isTyped(c.text) }
			prose := func(row []cell) bool { return len(row) < 3 || !slices.ContainsFunc(row, typed) }
			if sign == ' ' && len(between) > 1 && (len(got[0]) < 3 || slices.ContainsFunc(got[1:], prose)) {
				continue
			}
			if score := consistency(got, d); score > best {
				best, rows, f.dialect = score, got, d
			}
		}
	}
	f.width, f.fits = 0, nil
	if n := slices.IndexFunc(sample, func(l string) bool { return strings.TrimSpace(l) == "" }); n > 2 {
		first, then := f.dialect.rows(f.ctx, sample[:n]), f.dialect.rows(f.ctx, sample[n:])
		a, b := sameWidth(first), sameWidth(then)
		if a > 2 && b > 1 && a != b && len(then) <= 4*len(first) { // a longer one is what a few lines tell of
			f.ends, rows = n, first
			f.doubts.add("", "line %d begins another table: it is left out, with what follows", n+2)
		}
	}
	width := 0
	counts := map[int]int{}
	for _, row := range rows {
		if n := len(row); n > 1 {
			if counts[n]++; counts[n] > counts[width] {
				width = n
			}
		}
	}
	if first := slices.IndexFunc(rows, func(row []cell) bool { return len(row) > 1 }); first >= 0 {
		if n := len(rows[first]); 5*counts[n] >= len(rows) && (n > width || 2*counts[n] > counts[width]) { // a header's
			width = n
		}
	}
	if width > xlsx.MaxColumns || 5*counts[width] < len(rows) && len(rows) > 4 || counts[width] < 2 {
		return nil // nothing is usual, or layout refuses it
	}
	f.width, f.fits = width, make([]fit, width)
	if n := slices.IndexFunc(rows, func(row []cell) bool { return len(row) > 2 }); n > 1 {
		f.pairs = n
	}
	for n, row := range rows {
		odd := slices.ContainsFunc(row, func(c cell) bool {
			return c.mark == open && f.around != 0 && strings.IndexByte(c.text, f.around) >= 0 && f.around == '"'
		})
		if len(row) == width && !odd && (n > 0 || len(rows) < 4) { // the first may be the header
			for i, c := range row {
				f.fits[i].add(c.text)
			}
		}
	}
	n := slices.IndexFunc(rows, func(row []cell) bool { return len(row) == width })
	f.headed = isHeader(line{cells: rows[n]}, f.fits)
	return nil
}

// sameWidth is how many values all rows have, 0 where they differ.
func sameWidth(rows [][]cell) int {
	if len(rows) < 2 || slices.ContainsFunc(rows, func(r []cell) bool { return len(r) != len(rows[0]) }) {
		return 0
	}
	return len(rows[0])
}

// escapeOf is \ where it stands before quotes within values.
func (d dialect) escapeOf(text string) byte {
	if d.around == 0 {
		return 0
	}
	escaped := "\\" + string(d.around)
	inside := strings.Count(text, escaped)
	for _, end := range []string{string(d.between), "\r", "\n"} {
		inside -= 2 * strings.Count(text, escaped+end)
	}
	if inside > 0 {
		return '\\'
	}
	return 0
}

// blanksIn says that a blank follows nearly every sign between values.
func (d dialect) blanksIn(text string) bool {
	sign := string(d.between)
	if d.between == 0 || d.between == ' ' || d.between == '\t' {
		return false
	}
	blanks := strings.Count(text, sign+" ")
	ends := strings.Count(text, sign+"\n") + strings.Count(text, sign+"\r")
	return blanks > 0 && 10*(blanks+ends) >= 9*strings.Count(text, sign)
}

// rows are those of a sample.
func (d dialect) rows(ctx context.Context, sample []string) (rows [][]cell) {
	f := &csvFile{dialect: d, ctx: ctx}
	l := &lines{file: f}
	l.push(sample)
	for len(l.queue) > 0 {
		row, _, err := f.row(l, nil)
		if err != nil || ctx.Err() != nil {
			break
		}
		if len(row) > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// judged are as many values of a row as show what they are.
const judged = 500

// oneColumn is the weight of rows with one value.
const oneColumn = .15

// consistency is how well rows fit each other and hold what is known.
func consistency(rows [][]cell, d dialect) float64 {
	counts, known, cells := map[int]int{}, 0.0, 0.0
	for _, row := range rows {
		counts[len(row)]++
		for _, c := range row[:min(len(row), judged)] {
			cells++
			switch text := strings.TrimSpace(c.text); {
			case text == "" || isTyped(text):
				known++
			case strings.ContainsAny(text, signs[1:6]) || c.mark == open && strings.ContainsAny(text, `"`) ||
				len(text) > 1 && text[0] == '\'' && text[len(text)-1] == '\'':
				known += .1
			case c.mark == open && strings.ContainsAny(text, ",") || strings.ContainsAny(text[:1], ":/)]}"):
				known += .3
			default:
				known += .9
			}
		}
	}
	pattern := 0.0
	for width, n := range counts {
		part := float64(n) / float64(len(rows))
		pattern += part * part * max(float64(width-1)/float64(width), oneColumn)
	}
	if d.between == ' ' {
		pattern *= .6
	}
	if d.around == '\'' {
		pattern *= .999 // where both are as good
	}
	return pattern * known / max(cells, 1)
}

// fit is what the values of a column look like, by which a row is mended.
type fit struct {
	n      int
	shapes map[string]int
	looks  [looks]int
	values map[string]bool // texts without digits
}

// typed is how many values are numbers, dates or times, or digits of a code.
func (f *fit) typed() int { return f.looks[1] + f.looks[2] + f.looks[3] }

// looks are what a value may look like.
const looks = 6

func look(text string) int {
	if text = strings.TrimSpace(text); text == "" {
		return 0
	}
	switch f := new(column).formOf(text, false) &^ noted; {
	case f&anyDay != 0:
		return 1
	case f&clock != 0:
		return 2
	case f != 0:
		return 3
	case strings.Contains(text, "://") && !strings.Contains(text, " "):
		return 4
	}
	return 5
}

func (f *fit) add(text string) {
	if f.shapes == nil {
		f.shapes, f.values = map[string]int{}, map[string]bool{}
	}
	f.n++
	if f.values[text] = true; strings.IndexFunc(text, digit) >= 0 {
		delete(f.values, text)
	}
	f.shapes[shape(text)]++
	f.looks[look(text)]++
}

// score is the logarithm of how likely a value is in the column.
func (f *fit) score(text string) float64 {
	text = strings.TrimPrefix(text, `"`)
	n := float64(f.n)
	if f.values[text] {
		return math.Log(.9)
	}
	return math.Log(.002 + .7*float64(f.shapes[shape(text)])/n + .3*float64(f.looks[look(text)])/n)
}
