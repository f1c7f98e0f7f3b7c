package convert

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"nl2sql/runner/embedded/xlsx"
	"nl2sql/sqlcheck/syntax"
)

// total is the label of a row that sums others up.
var total = regexp.MustCompile("(?i)^(zwischen|gesamt|sub|grand |sous-)?-?(summe|gesamt(ergebnis)?|insgesamt|totals?|totale|totaal|" +
	"somme|sum|summa|suma|totaux|итого|всего|合计|合計|总计)( .*)?:?$|. (total|ergebnis)$")

const tooWide = "it has %d columns, and a table has at most %d"

// maxKeys is how many values of a column are held to see whether one comes twice.
const maxKeys = 2_000_000

// table writes the table of a grid: it finds the layout, reads the rows once for the types of their columns and once
// more to write them.
func (s *Source) table(ctx context.Context, out *bufio.Writer, path string, g *grid) error {
	given, named := g.name, func(t *Table) bool { return strings.EqualFold(t.Name, g.name) }
	for n := 2; slices.ContainsFunc(s.Tables, named); n++ { // as sheets of several workbooks
		g.name = fmt.Sprintf("%s_%d", given, n)
	}
	if g.name != given {
		g.doubts.add("", "another table is named %s already: this one of %s is %s", given, filepath.Base(path), g.name)
	}
	told := len(*g.doubts)
	l, err := g.layout(&s.Options)
	if err != nil {
		return err
	}
	*g.doubts = (*g.doubts)[:min(told, len(*g.doubts))] // the same rows are read again
	if len(l.header) > xlsx.MaxColumns {
		return fmt.Errorf(tooWide, len(l.header), xlsx.MaxColumns)
	}
	var columns []*column
	for i, name := range l.header {
		c := &column{name: name}
		if g.columns != nil {
			c.texts, c.float = g.texts[i], g.floats[i]
		}
		columns = append(columns, c)
	}
	at := make([]int, len(columns)) // where each stands in a row
	known := nullWords
	if s.Options.Null != nil || s.Options.Types == "text" {
		known = map[string]bool{}
		for _, word := range s.Options.Null {
			known[strings.ToLower(strings.TrimSpace(word))] = word != ""
		}
	}
	var keyed map[string]bool // nil if a value of the first column came twice
	if strings.HasSuffix(strings.ToLower(l.header[0]), "id") {
		keyed = map[string]bool{}
	}
	t := &Table{Name: g.name, File: filepath.Base(path), Read: g.read}
	sum := 0 // the last row, if it may add up the others
	err = g.records(l, func(line int, row []cell) error {
		if sum = 0; strings.TrimSpace(row[0].text) == "" {
			sum = line
		}
		for i, v := range row {
			columns[i].look(v, line, known)
		}
		if keyed[row[0].text] || len(keyed) == maxKeys {
			keyed = nil
		} else if keyed != nil {
			keyed[strings.Clone(row[0].text)] = true
		}
		for _, v := range row[:min(len(row), 2)] {
			n, first := len(v.text), (v.text + " ")[0] // most texts are none at a glance
			may := strings.IndexByte("SGTZIsgtzi", first) >= 0 || first >= utf8.RuneSelf ||
				strings.HasSuffix(v.text, "Total") || strings.HasSuffix(v.text, "Ergebnis")
			if n > 2 && n < maxWord && may && total.MatchString(v.text) {
				sum = line
				g.doubts.add("total", "row %d seems to be a total of others (%q): it is a row of the table too", line, v.text)
			}
		}
		t.Rows++
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	all := append(append(doubts{}, l.doubts...), *g.doubts...) // a copy: the rows are read again
	if name := Name(path); name != g.name && g.name == tableName(path) {
		all.add("", "it is the table of %s, whose name no statement could have", filepath.Base(path))
	}
	kept := 0
	for i, c := range columns {
		if l.bare[i] && c.seenAll() > 0 {
			all.add("unnamed", "column %d has no name: it is %s", i+1, c.name)
		}
		c.settle(&s.Options, decimalSign(columns, g.comma), &all)
		if !l.bare[i] || s.Options.Types == "text" || g.columns != nil || i == len(columns)-1 && kept == 0 ||
			c.seenAll()+len(c.words)+len(c.quotedWords) > 0 {
			columns[kept], at[kept] = c, i
			kept++
		} else {
			all.add("bare", "column %d has no name and no value: it is left out; if it parts two tables, each needs a sheet or file of its own",
				i+1)
		}
	}
	columns = columns[:kept]
	if sum > 0 && g.columns == nil && s.Options.Types != "text" && g.addsUp(l, columns, at, sum) {
		*g.doubts, g.sum = (*g.doubts)[:min(told, len(*g.doubts))], sum
		g.doubts.add("", "row %d adds up the rows above: it is left out; --types text keeps it", sum)
		return s.table(ctx, out, path, g)
	}
	if first := columns[0]; first.seenAll() > 0 && kept > 1 && 2*first.nulls > int(t.Rows) && columns[1].nulls == 0 {
		all.add("", "%s: %d of %d rows have a value: if it holds for the rows below, fill them in the file",
			first.name, int(t.Rows)-first.nulls, t.Rows)
	}
	t.Doubts = all.lines()
	var defs []string
	for _, c := range columns {
		def := syntax.QuoteName(c.name) + " " + c.declared()
		if c.nulls+c.odd == 0 && t.Rows > 0 {
			def += " NOT NULL"
		}
		defs = append(defs, def)
		shown := Column{Name: c.name, Type: c.declared()}
		for _, v := range c.sample {
			if text, ok := c.value(v); ok {
				shown.Values = append(shown.Values, clip(text))
			}
		}
		t.Columns = append(t.Columns, shown)
	}
	if first := columns[0]; keyed != nil && first.kind == whole && first.nulls+first.odd == 0 {
		defs = append(defs, "PRIMARY KEY ("+syntax.QuoteName(first.name)+")")
	}
	part := func(o *Table) bool { // it may be one of the same table
		return strings.TrimFunc(o.Name, digit) == strings.TrimFunc(t.Name, digit) &&
			slices.EqualFunc(o.Columns, t.Columns, func(a, b Column) bool { return a.Name == b.Name })
	}
	if i := slices.IndexFunc(s.Tables, part); i >= 0 {
		t.Doubts = append(t.Doubts, "it has the columns of "+s.Tables[i].Name+": if both are one table, join the files")
	}
	s.Tables = append(s.Tables, t)
	fmt.Fprintf(out, "CREATE TABLE %s (%s);\n", syntax.QuoteName(t.Name), strings.Join(defs, ", "))
	if s.DryRun {
		return nil
	}
	rows := &inserts{out: out, table: syntax.QuoteName(t.Name)}
	defer rows.end()
	return g.records(l, func(_ int, row []cell) error {
		rows.row(len(columns), func(i int) int {
			text, ok := columns[i].value(row[at[i]])
			if !ok {
				out.WriteString("NULL")
				return 4
			}
			writeText(out, text)
			return len(text)
		})
		return ctx.Err()
	})
}

// addsUp says that a row, the last one, has the sums of the numbers above it: of a column where it is named a total,
// else of all that it has a number in.
func (g *grid) addsUp(l *layout, columns []*column, at []int, last int) bool {
	sums, rows, numbers, fit, label := make([]float64, len(columns)), 0, 0, 0, false
	_ = g.records(l, func(line int, row []cell) error { // an error comes again
		rows++
		for i, c := range columns {
			text, some := c.value(row[at[i]])
			v, err := strconv.ParseFloat(text, 64)
			switch {
			case !some || err != nil:
				label = label || line == last && total.MatchString(strings.TrimSpace(row[at[i]].text))
			case line < last:
				sums[i] += v
			default:
				if numbers++; v != 0 && math.Abs(v-sums[i]) < 1e-9*math.Abs(v) {
					fit++
				}
			}
		}
		return nil
	})
	return fit > 0 && (label || fit == numbers && (fit > 1 || rows > 3))
}

// decimalSign is the sign before decimals that the numbers of a file have, where all that tell agree; else the one that
// is likely, or 0.
func decimalSign(columns []*column, likely byte) byte {
	points, commas := 0, 0
	for _, c := range columns {
		switch p, k := c.count(pointed), c.count(commaed); {
		case c.count(cut) == 0 || 2*max(p, k) <= c.seenAll():
		case p > k:
			points++
		case k > p:
			commas++
		}
	}
	switch {
	case points > 0 && commas == 0:
		return '.'
	case commas > 0 && points == 0:
		return ','
	}
	return likely
}

var errEnough = errors.New("enough")
