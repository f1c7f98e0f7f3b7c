package render

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"nl2sql/runner"
	"nl2sql/sqlcheck/syntax"
)

// Measures of tables, in columns of the terminal but for the height.
const (
	leastText   = 10 // what a text keeps, and a label
	enoughText  = 12 // what longer texts give way for
	widestSolid = 40
	labelHeight = 3
)

// cell is what is shown of a value.
type cell struct {
	text  string // what is shown, in one line
	lines string // the same as it was, with its lines and whatever else is in it
	width int    // of text, in columns
	solid bool   // never cut
	null  bool
}

// grid is a result as cells.
type grid struct {
	Options
	labels []cell
	rows   [][]cell
	right  []bool // columns of numbers
	note   string // under it
}

func newCell(text string) cell {
	one := Visible(text)
	return cell{text: one, lines: text, width: width(one)}
}

func newGrid(res runner.Result, o Options) *grid {
	g := &grid{Options: o, right: numeric(res), labels: syntax.Map(res.Columns, newCell)}
	for _, row := range res.Rows {
		cells := make([]cell, len(row))
		for c, v := range row {
			cells[c] = newCell(shown(v))
			cells[c].null = v == nil
			cells[c].solid = solid(v, cells[c])
		}
		g.rows = append(g.rows, cells)
	}
	if !o.Report {
		g.note = "(" + runner.Result{Rows: res.Rows}.RowCount() + ")\n"
	}
	return g
}

// shown is a cell for people: the text NULL stands in quotes, and so is not taken for NULL.
func shown(v any) string {
	text := CellText(v)
	if _, is := v.(string); is && strings.Trim(text, "'") == "NULL" {
		return "'" + text + "'"
	}
	return text
}

// solid says that a cell is never cut: a number, a date, a code such as S10_1678, a telephone number.
func solid(v any, c cell) bool {
	switch v := v.(type) {
	case int64, uint64, float64, runner.Decimal:
		return true
	case string:
		if c.width > widestSolid || !strings.ContainsFunc(v, unicode.IsDigit) {
			return false
		}
		return !strings.Contains(v, " ") || !strings.ContainsFunc(v, unicode.IsLetter)
	}
	return false
}

// fit are the widths of the columns of a table that is no wider than the terminal; not ok says that there is none.
// Numbers are whole, then what nine of ten cells of a column need counts before what the longest needs, and of those
// that want more the narrowest comes first. Labels take more lines before texts are cut.
func (g *grid) fit() (widths []int, ok bool) {
	var least, usual, content, natural []int
	for c, label := range g.labels {
		l, all := min(label.width, leastText), []int{min(label.width, leastText)}
		for _, row := range g.rows {
			all = append(all, row[c].width)
			if row[c].solid {
				l = max(l, row[c].width)
			} else {
				l = max(l, min(row[c].width, leastText))
			}
		}
		slices.Sort(all)
		n := all[len(all)-1]
		least, content, natural = append(least, l), append(content, n), append(natural, max(n, label.width))
		usual = append(usual, max(l, all[(len(all)*9-1)/10], min(max(n, label.width), enoughText)))
	}
	room := g.Width - 1 - 3*len(g.labels) // each column has a border and two blanks
	switch {
	case g.Width == 0 || sum(natural) <= room:
		return natural, true
	case sum(content) <= room:
		return share(content, natural, room), true
	case sum(usual) <= room:
		return share(usual, content, room), true
	}
	return share(least, usual, room), sum(least) <= room
}

func sum(list []int) (all int) {
	for _, n := range list {
		all += n
	}
	return all
}

// share widens the narrowest column that wants more until the room is used up.
func share(least, wanted []int, room int) []int {
	widths := slices.Clone(least)
	for left := room - sum(least); left > 0; left-- {
		narrowest := -1
		for c := range widths {
			if widths[c] < wanted[c] && (narrowest < 0 || widths[c] < widths[narrowest]) {
				narrowest = c
			}
		}
		if narrowest < 0 {
			break
		}
		widths[narrowest]++
	}
	return widths
}

// table draws boxes, or the columns below each other where boxes do not fit. Texts that are too long take more lines
// where all of it is then still to be seen at once, and always in a report; else they are cut.
func (g *grid) table(b *bytes.Buffer) (isCut bool) {
	widths, ok := g.fit()
	if !ok {
		g.expanded(b)
		return false
	}
	for c := range widths {
		for _, row := range g.rows {
			isCut = isCut || row[c].width > widths[c]
		}
	}
	text := ""
	if isCut {
		text = g.boxes(widths, true)
	}
	// and the count, the next prompt, a statement above
	if isCut && (g.Report || strings.Count(text, "\n")+4 <= g.Height) {
		isCut = false
	} else {
		text = g.boxes(widths, false)
	}
	b.WriteString(text + g.note)
	return isCut
}

// boxes draws the table. With whole a cell takes as many lines as it needs, and lines part such rows from others.
func (g *grid) boxes(widths []int, whole bool) string {
	var b strings.Builder
	border := func(left, middle, right string) {
		for c, n := range widths {
			b.WriteString(map[bool]string{true: left, false: middle}[c == 0])
			b.WriteString(strings.Repeat("─", n+2))
		}
		b.WriteString(right + "\n")
	}
	line := func(cells [][]string, style func(c int) string) {
		for i := range height(cells) {
			for c, lines := range cells {
				text := ""
				if i < len(lines) {
					text = lines[i]
				}
				b.WriteString("│ " + pad(text, style(c), widths[c], g.right[c]) + " ")
			}
			b.WriteString("│\n")
		}
	}
	if len(widths) == 0 {
		return ""
	}
	border("┌", "┬", "┐")
	head := make([][]string, len(widths))
	for c, label := range g.labels {
		head[c] = wrap(label.text, widths[c])
		if len(head[c]) > labelHeight {
			head[c] = append(head[c][:labelHeight-1], cut(head[c][labelHeight-1], widths[c]-1)+"…")
		}
	}
	line(head, func(int) string { return g.style(bold) })
	border("├", "┼", "┤")
	before := 1 // the height of the row before
	for r, row := range g.rows {
		cells := make([][]string, len(row))
		for c := range row {
			cells[c] = []string{cut(row[c].text, widths[c])}
			if whole {
				cells[c] = wrap(row[c].text, widths[c])
			}
		}
		if r > 0 && (before > 1 || height(cells) > 1) {
			border("├", "┼", "┤")
		}
		before = height(cells)
		line(cells, func(c int) string { return g.nullStyle(row[c]) })
	}
	border("└", "┴", "┘")
	return b.String()
}

// height is how many lines the highest cell of a row has.
func height(cells [][]string) int {
	n := 1
	for _, lines := range cells {
		n = max(n, len(lines))
	}
	return n
}

// style is a style where there are colours.
func (g *grid) style(s string) string {
	if !g.Color {
		return ""
	}
	return s
}

func (g *grid) nullStyle(c cell) string {
	if !c.null {
		return ""
	}
	return g.style(faint)
}

// expanded writes the columns of a row below each other, whole, each behind its label.
func (g *grid) expanded(b *bytes.Buffer) {
	labels, values, solids := 0, 0, 0
	for _, l := range g.labels {
		labels = max(labels, l.width)
	}
	for _, row := range g.rows {
		for _, v := range row {
			values = max(values, v.width)
			if v.solid {
				solids = max(solids, v.width)
			}
		}
	}
	if g.Width > 0 {
		labels = min(labels, max(g.Width/3, leastText), max(g.Width-3-solids, leastText/2))
		values = min(values, max(2, g.Width-3-labels))
	}
	for r, row := range g.rows {
		title := fmt.Sprintf("── row %d ", r+1)
		fmt.Fprintln(b, paint(g.style(faint), title+strings.Repeat("─", max(0, labels+3+min(values, 60)-width(title)))))
		for c, v := range row {
			left := wrap(g.labels[c].text, max(labels, 2))
			var right []string
			for line := range strings.SplitSeq(strings.ReplaceAll(v.lines, "\r\n", "\n"), "\n") {
				right = append(right, wrap(Visible(line), max(values, 2))...)
			}
			for i := range max(len(left), len(right)) {
				l, r := "", ""
				if i < len(left) {
					l = left[i]
				}
				if i < len(right) {
					r = right[i]
				}
				line := pad(l, g.style(bold), labels, false) + " │ " + paint(g.nullStyle(v), r)
				b.WriteString(strings.TrimRight(line, " ") + "\n")
			}
		}
	}
	b.WriteString(g.note)
}
