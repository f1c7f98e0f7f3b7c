package convert

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"nl2sql/runner/embedded/xlsx"
)

// sheet is one of a workbook, which is read row by row.
type sheet struct {
	*xlsx.Sheet
	first  int // column that holds something
	width  int
	merged []xlsx.Area // by their first rows
	bytes  int64       // of the values together
	doubts *doubts

	hidden, errs     int // rows, errors such as #N/A
	formulas, before int // formulas without a value now, and before they were computed
}

// readWorkbook gives a table of each sheet that has rows, named after it, or after the file where there is one.
func readWorkbook(ctx context.Context, s *Source, path string, found func(*grid) error) (err error) {
	in, size, err := s.open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	book, err := xlsx.Open(ctx, in, size)
	if err != nil {
		return err
	}
	var named []*sheet
	for _, one := range book.Sheets {
		sh := &sheet{Sheet: one}
		if err := sh.look(size); err != nil {
			return fmt.Errorf("sheet %s: %w", one.Name, err)
		}
		if sh.width == 0 {
			s.Left = append(s.Left, fmt.Sprintf("sheet %s: it is empty", one.Name))
			continue
		}
		named = append(named, sh)
	}
	if len(named) == 0 {
		return errors.New("no sheet of the workbook holds a row")
	}
	if slices.ContainsFunc(named, func(sh *sheet) bool { return sh.formulas > 0 }) {
		if err := book.Compute(ctx); err != nil {
			return err
		}
		for _, sh := range named {
			*sh = sheet{Sheet: sh.Sheet, before: sh.formulas}
			if err := sh.look(size); err != nil {
				return fmt.Errorf("sheet %s: %w", sh.Name, err)
			}
		}
	}
	var grids []*grid
	for _, sh := range named {
		g := &grid{name: strings.TrimSpace(sh.Name), each: sh.each, doubts: &doubts{}}
		sh.doubts = g.doubts
		sh.tell(g.doubts)
		grids = append(grids, g)
	}
	if s.Options.Join {
		if grids, err = joined(grids, &s.Options); err != nil {
			return err
		}
	}
	for _, g := range grids {
		sheet := g.name
		if len(grids) == 1 {
			g.name = tableName(path)
		}
		if err := found(g); err != nil {
			return fmt.Errorf("sheet %s: %w", sheet, err)
		}
	}
	s.step(int(2 * size))
	return nil
}

// joined makes one grid of those with the same header: its first column is the sheet's name.
func joined(grids []*grid, o *Options) (out []*grid, err error) {
	layouts, same := map[*grid]*layout{}, map[string][]*grid{}
	header := func(g *grid) string { return strings.ToLower(strings.Join(layouts[g].header, "\x00")) }
	for _, g := range grids {
		if layouts[g], err = g.layout(o); err != nil {
			return nil, fmt.Errorf("sheet %s: %w", g.name, err)
		}
		same[header(g)] = append(same[header(g)], g)
	}
	for _, first := range grids {
		sheets := same[header(first)]
		if sheets[0] != first {
			continue
		}
		if len(sheets) == 1 {
			out = append(out, first)
			continue
		}
		g := &grid{name: first.name, columns: append([]string{"sheet"}, layouts[first].header...), doubts: &doubts{}}
		g.texts, g.floats = make([]bool, len(g.columns)), make([]bool, len(g.columns))
		g.texts[0] = true
		for _, one := range sheets {
			*g.doubts = append(append(*g.doubts, layouts[one].doubts...), *one.doubts...)
			one.doubts = g.doubts
		}
		g.each = func(do func(int, []cell) error) error {
			row := make([]cell, len(g.columns))
			for _, one := range sheets {
				row[0] = cell{one.name, exact}
				if err := one.records(layouts[one], func(line int, values []cell) error {
					copy(row[1:], values)
					return do(line, row)
				}); err != nil {
					return fmt.Errorf("sheet %s: %w", one.name, err)
				}
			}
			return nil
		}
		out = append(out, g)
	}
	return out, nil
}

// tell tells what a reader of the rows would not see.
func (sh *sheet) tell(d *doubts) {
	if sh.Hidden {
		d.add("", "sheet %s is hidden in the workbook: it is a table too", sh.Name)
	}
	if sh.hidden > 0 {
		d.add("", "sheet %s: %d rows are hidden: they are rows of the table too", sh.Name, sh.hidden)
	}
	if sh.formulas > 0 {
		d.add("", "sheet %s: %d formulas were never computed: %d are now, %d are NULL (the first: %v); open and save the file "+
			"in Excel", sh.Name, sh.before, sh.before-sh.formulas, sh.formulas, sh.Why)
	} else if sh.before > 0 {
		d.add("", "sheet %s: %d formulas were never computed: they are now", sh.Name, sh.before)
	}
	if sh.errs > 0 {
		d.add("", "sheet %s: %d cells have errors such as #N/A: they are NULL", sh.Name, sh.errs)
	}
}

// grows refuses a file that becomes more than growsFreely bytes and growsTimes its own size: one that says a long text
// a thousand times would fill the disk.
func grows(bytes, size int64) error {
	if bytes > growsFreely && bytes > growsTimes*size {
		return fmt.Errorf("%d KiB of the file grow to more than %d MiB of values", size>>10, bytes>>20)
	}
	return nil
}

// What the values of a workbook or Parquet file may come to.
const (
	growsFreely = 256 << 20
	growsTimes  = 100
)

// look reads the sheet once: for how wide it is, and what is merged.
func (sh *sheet) look(size int64) (err error) {
	sh.first = xlsx.MaxColumns
	sh.merged, err = sh.Rows(func(r xlsx.Row) error {
		some := false
		for i, c := range r.Cells {
			if c.Kind == xlsx.Formula {
				sh.formulas++
			} else if c.Kind == xlsx.Error {
				sh.errs++
			}
			if c.Kind != xlsx.Empty {
				sh.width, sh.first = max(sh.width, i+1), min(sh.first, i)
				sh.bytes += int64(len(c.Text))
			}
			some = some || c.Kind != xlsx.Empty
		}
		if some && r.Hidden {
			sh.hidden++
		}
		return grows(sh.bytes, size)
	})
	if err != nil {
		return err
	}
	slices.SortFunc(sh.merged, func(a, b xlsx.Area) int { return cmp.Compare(a.FirstRow, b.FirstRow) })
	return nil
}

// each implements grid.each. A merged cell's value stands in each of its cells.
func (sh *sheet) each(do func(number int, row []cell) error) error {
	type block struct {
		xlsx.Area
		value cell
	}
	var open []block
	next, last, cells := 0, 0, make([]cell, sh.width)
	_, err := sh.Rows(func(r xlsx.Row) error {
		if last++; last < r.Number { // blank rows are not in the file
			if err := do(last, nil); err != nil {
				return err
			}
		}
		some := false
		last = r.Number
		for i := range cells {
			cells[i] = cell{mark: none}
		}
		for i, c := range r.Cells[:min(len(r.Cells), sh.width)] {
			switch c.Kind {
			case xlsx.Error, xlsx.Empty, xlsx.Formula:
				continue
			case xlsx.Text:
				cells[i] = cell{text: c.Text}
			default:
				cells[i] = cell{c.Text, exact}
			}
			some = some || c.Text != ""
		}
		for ; next < len(sh.merged) && sh.merged[next].FirstRow <= r.Number; next++ {
			a := sh.merged[next]
			if a.FirstRow == r.Number && a.FirstColumn <= sh.width && cells[a.FirstColumn-1].text != "" {
				open = append(open, block{a, cells[a.FirstColumn-1]})
			}
		}
		open = slices.DeleteFunc(open, func(b block) bool { return b.LastRow < r.Number })
		if len(open) > sh.width {
			return fmt.Errorf("row %d: its merged cells lie over each other", r.Number)
		}
		for _, b := range open {
			if some && b.value.mark == exact && b.FirstRow < r.Number {
				sh.doubts.add("merged", "row %d: %s of a merged cell counts in each of its rows", r.Number, b.value.text)
			}
			for c := b.FirstColumn; some && c <= min(b.LastColumn, sh.width); c++ {
				cells[c-1] = b.value
			}
		}
		if !some {
			return do(r.Number, nil)
		}
		return do(r.Number, cells[sh.first:])
	})
	return err
}
