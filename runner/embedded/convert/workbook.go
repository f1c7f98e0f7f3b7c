package convert

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// Bounds on a workbook, which is held in memory.
const (
	maxWorkbook = 512 << 20 // bytes of its parts together
	maxSheet    = 256 << 20 // bytes of one part
)

// workbook is one of Excel's.
type workbook struct {
	*excelize.File
	dates map[int]bool // by style: whether numbers are days since 1900
	since bool         // 1904
}

// writeWorkbook writes a table of each sheet that has rows, named after it, or after the file where there is one. The
// first row that holds something names the columns.
func writeWorkbook(ctx context.Context, s *Source, out *bufio.Writer, path string) (err error) {
	in, err := s.open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	file, err := excelize.OpenReader(in, excelize.Options{UnzipSizeLimit: maxWorkbook, UnzipXMLSizeLimit: maxSheet})
	if err != nil {
		return fmt.Errorf("it cannot be read as an Excel workbook: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	props, err := file.GetWorkbookProps()
	if err != nil {
		return err
	}
	w := &workbook{File: file, dates: map[int]bool{}, since: props.Date1904 != nil && *props.Date1904}
	sheets, rows := file.GetSheetList(), map[string][][]string{}
	var named []string
	for _, sheet := range sheets {
		if rows[sheet], err = w.rows(sheet); err != nil {
			return fmt.Errorf("sheet %s: %w", sheet, err)
		}
		if len(rows[sheet]) == 0 {
			s.Left = append(s.Left, fmt.Sprintf("sheet %s: it is empty", sheet))
			continue
		}
		named = append(named, sheet)
	}
	if len(named) == 0 {
		return errors.New("no sheet of the workbook holds a row")
	}
	for _, sheet := range named {
		t := newTable(sheet)
		if len(named) == 1 {
			t.name = tableName(path)
		}
		if err := writeSheet(ctx, t, out, rows[sheet]); err != nil {
			return fmt.Errorf("sheet %s: %w", sheet, err)
		}
	}
	info, err := in.Stat()
	if err == nil {
		s.step(int(2 * info.Size()))
	}
	return err
}

func writeSheet(ctx context.Context, t *table, out *bufio.Writer, rows [][]string) error {
	if err := t.header(rows[0]); err != nil {
		return err
	}
	return t.write(out, func(do func(row []string) error) error {
		for i, row := range rows[1:] {
			if err := errors.Join(ctx.Err(), do(row)); err != nil {
				return fmt.Errorf("row %d: %w", i+2, err)
			}
		}
		return nil
	})
}

// rows are those of a sheet that hold something, all of one length: numbers and days as a CSV file has them, "" for an
// empty cell and for one whose formula fails.
func (w *workbook) rows(sheet string) (out [][]string, err error) {
	rows, err := w.GetRows(sheet, excelize.Options{RawCellValue: true})
	if err != nil {
		return nil, err
	}
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	for r, row := range rows {
		cells, some := make([]string, width), false
		for c, cell := range row {
			if cells[c], err = w.text(sheet, c+1, r+1, cell); err != nil {
				return nil, err
			}
			some = some || cells[c] != ""
		}
		if some {
			out = append(out, cells)
		}
	}
	return out, nil
}

// text is a cell as a CSV file has it.
func (w *workbook) text(sheet string, column, row int, cell string) (string, error) {
	cell = strings.TrimSpace(cell)
	n, err := strconv.ParseFloat(cell, 64)
	if cell == "" || err != nil && !strings.HasPrefix(cell, "#") {
		return cell, nil
	}
	name, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		return "", err
	}
	kind, err := w.GetCellType(sheet, name)
	switch {
	case err != nil:
		return "", err
	case kind == excelize.CellTypeError:
		return "", nil
	case kind != excelize.CellTypeUnset && kind != excelize.CellTypeNumber:
		return cell, nil
	}
	style, err := w.GetCellStyle(sheet, name)
	if err != nil {
		return "", err
	}
	date, known := w.dates[style]
	if !known {
		s, err := w.GetStyle(style)
		if err != nil {
			return "", err
		}
		date = isDateFormat(s.NumFmt, s.CustomNumFmt)
		w.dates[style] = date
	}
	if !date {
		return excelNumber(n), nil
	}
	at, err := excelize.ExcelDateToTime(n, w.since)
	switch {
	case err != nil:
		return excelNumber(n), nil
	case n < 1:
		return at.Format("15:04:05"), nil
	case n == float64(int64(n)):
		return at.Format("2006-01-02"), nil
	}
	return at.Format("2006-01-02 15:04:05"), nil
}

// excelNumber has the 15 digits that Excel shows of a number.
func excelNumber(n float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(n, 'g', 15, 64), 64)
	if err != nil {
		short = n
	}
	return strconv.FormatFloat(short, 'f', -1, 64)
}

// isDateFormat reports whether a format of numbers shows days or times: one that is built in, or one of its own with
// the letters of a day, month, year, hour or second. Source: ECMA-376, part 1, 18.8.30.
func isDateFormat(id int, custom *string) bool {
	if custom == nil {
		return id >= 14 && id <= 22 || id >= 27 && id <= 36 || id >= 45 && id <= 47 || id >= 50 && id <= 58
	}
	quoted, bracket := false, false
	for i := 0; i < len(*custom); i++ {
		switch c := (*custom)[i]; {
		case c == '\\' || c == '_' || c == '*':
			i++ // the next one is shown, or is as wide or fills
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == ']':
			bracket = c == '['
		case bracket:
		case strings.ContainsRune("dmyhsDMYHS", rune(c)):
			return true
		}
	}
	return false
}
