package convert

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"nl2sql/runner/embedded/xlsx"
)

// sheet is one of a workbook, which is read row by row.
type sheet struct {
	*xlsx.Sheet
	ctx    context.Context
	width  int
	merged []xlsx.Area // by their first rows
	header int         // the number of the row that names the columns
	first  []string    // these names
	bytes  int64       // of the values together

	hidden, formulas, errs int // rows, formulas without a value, errors such as #N/A
}

// writeWorkbook writes a table of each sheet that has rows, named after it, or after the file where there is one.
func writeWorkbook(ctx context.Context, s *Source, out *bufio.Writer, path string) (err error) {
	in, err := s.open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	book, err := xlsx.Open(in, info.Size())
	if err != nil {
		return err
	}
	var named []*sheet
	for _, one := range book.Sheets {
		sh := &sheet{Sheet: one, ctx: ctx}
		if err := sh.look(info.Size()); err != nil {
			return fmt.Errorf("sheet %s: %w", one.Name, err)
		}
		if sh.first == nil {
			s.Left = append(s.Left, fmt.Sprintf("sheet %s: it is empty", one.Name))
			continue
		}
		named = append(named, sh)
	}
	if len(named) == 0 {
		return errors.New("no sheet of the workbook holds a row")
	}
	for _, sh := range named {
		t := newTable(sh.Name)
		if len(named) == 1 {
			t.name = tableName(path)
		}
		if err := sh.write(s, t, out); err != nil {
			return fmt.Errorf("sheet %s: %w", sh.Name, err)
		}
	}
	s.step(int(2 * info.Size()))
	return nil
}

// write writes its table, and tells what a reader of the rows would not see.
func (sh *sheet) write(s *Source, t *table, out *bufio.Writer) error {
	tell := func(n int, format string) {
		if n > 0 {
			s.Left = append(s.Left, fmt.Sprintf("sheet %s: "+format, sh.Name, n))
		}
	}
	if sh.Hidden {
		s.Left = append(s.Left, fmt.Sprintf("nothing of sheet %s, which is hidden in the workbook: it is a table too", sh.Name))
	}
	tell(sh.hidden, "nothing of %d rows that are hidden: they are rows of the table too")
	tell(sh.formulas, "the values of %d formulas, which were never computed: they are NULL; open and save the file in Excel")
	tell(sh.errs, "the values of %d cells with errors such as #N/A: they are NULL")
	if sh.header > sh.above() {
		tell(sh.header, "what stands above row %d, which is taken for the header")
	}
	if err := t.header(sh.first); err != nil {
		return err
	}
	return t.write(out, func(do func(row []string) error) error {
		return sh.each(func(number int, cells []string) error {
			if number <= sh.header {
				return nil
			}
			if err := do(cells); err != nil {
				return fmt.Errorf("row %d: %w", number, err)
			}
			return nil
		})
	})
}

// above is the number of the first row that holds something.
func (sh *sheet) above() (first int) {
	errFound := errors.New("found")
	_, _ = sh.Rows(sh.ctx, func(r xlsx.Row) error { // its errors were told
		if slices.ContainsFunc(r.Cells, func(c xlsx.Cell) bool { return c.Kind != xlsx.Empty }) {
			first = r.Number
			return errFound
		}
		return nil
	})
	return first
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
	growsFreely = 1 << 30
	growsTimes  = 100
)

// headed is how many rows are looked at for the header.
const headed = 20

// look reads the sheet once: for how wide it is, what is merged, and which row names the columns. That is the first
// one that fills at least half of the columns which the rows behind it fill; titles fill one.
func (sh *sheet) look(size int64) (err error) {
	used := [xlsx.MaxColumns]bool{}
	sh.merged, err = sh.Rows(sh.ctx, func(r xlsx.Row) error {
		some := false
		for i, c := range r.Cells {
			if c.Kind == xlsx.Empty && c.Formula {
				sh.formulas++
			} else if c.Kind == xlsx.Error {
				sh.errs++
			}
			if c.Kind != xlsx.Empty {
				sh.width, used[i], some = max(sh.width, i+1), true, true
				sh.bytes += int64(len(c.Text))
			} else if c.Formula {
				sh.width, used[i] = max(sh.width, i+1), true
			}
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
	var numbers, counts []int
	var rows [][]string
	errEnough := errors.New("enough")
	err = sh.each(func(number int, cells []string) error {
		distinct := map[string]bool{}
		for i, c := range cells {
			if c != "" && !sh.spans(number, i+1) {
				distinct[fmt.Sprint(i)] = true
			}
		}
		numbers, counts = append(numbers, number), append(counts, len(distinct))
		rows = append(rows, slices.Clone(cells))
		if len(rows) == headed {
			return errEnough
		}
		return nil
	})
	if err != nil && err != errEnough {
		return err
	}
	for i := range rows {
		if 2*counts[i] >= slices.Max(counts) {
			sh.header, sh.first = numbers[i], rows[i]
			break
		}
	}
	return nil
}

// spans says that a cell is behind the first of cells in a row that are merged.
func (sh *sheet) spans(row, column int) bool {
	return slices.ContainsFunc(sh.merged, func(a xlsx.Area) bool {
		return a.FirstRow <= row && row <= a.LastRow && a.FirstColumn < column && column <= a.LastColumn
	})
}

// each calls do with each row that holds something, all of one length: numbers and days as a CSV file has them, "" for
// an empty cell and for one whose formula fails. A merged cell's value stands in each of its cells.
func (sh *sheet) each(do func(number int, cells []string) error) error {
	type block struct {
		xlsx.Area
		value string
	}
	var open []block
	next, cells := 0, make([]string, sh.width)
	_, err := sh.Rows(sh.ctx, func(r xlsx.Row) error {
		some := false
		clear(cells)
		for i, c := range r.Cells[:min(len(r.Cells), sh.width)] {
			if c.Kind != xlsx.Error {
				cells[i], some = c.Text, some || c.Text != ""
			}
		}
		for ; next < len(sh.merged) && sh.merged[next].FirstRow <= r.Number; next++ {
			a := sh.merged[next]
			if a.FirstRow == r.Number && a.FirstColumn <= sh.width && cells[a.FirstColumn-1] != "" {
				open = append(open, block{a, cells[a.FirstColumn-1]})
			}
		}
		open = slices.DeleteFunc(open, func(b block) bool { return b.LastRow < r.Number })
		if len(open) > xlsx.MaxColumns {
			return fmt.Errorf("row %d: its merged cells lie over each other", r.Number)
		}
		for _, b := range open {
			for c := b.FirstColumn; some && c <= min(b.LastColumn, sh.width); c++ {
				cells[c-1] = b.value
			}
		}
		if !some {
			return nil
		}
		return do(r.Number, cells)
	})
	return err
}
