package xlsx

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/xuri/excelize/v2"
)

// Bounds on computing what the writer of a workbook did not.
const (
	maxFormulas  = 10_000          // of a sheet, and in each other
	maxComputing = 2 * time.Second // for a sheet
	maxHeld      = 64 << 20        // bytes of the values of the workbook
	cellBytes    = 120             // of each, beside its text
	maxFormula   = 2000            // bytes of one
	maxRead      = 30_000          // cells that one reads, which takes a moment
	maxText      = 32_767          // bytes of a value
)

var (
	errTooMuch = errors.New("too much is to be computed")
	errStrange = errors.New("it reads an error, or a text that is a number")
	errItself  = errors.New("it refers to itself")
	errUnread  = errors.New("it is left as it is")
)

// formula is a cell that nobody has computed.
type formula struct {
	*Sheet
	name, text  string // of the cell; what it says
	kind, value string // "" while it has none; see formulas.txt; ? is a text that is a number
	err         error  // why it has none
}

// computing computes formulas one by one: what one reads has its value before.
type computing struct {
	*Book
	ctx   context.Context // ends when the time for a sheet is over
	file  *excelize.File
	held  int               // bytes
	depth int               // formulas that are begun
	kinds map[string]string // that steps led to
}

// Compute computes what nobody has computed as Excel would, and Rows has the values from then on.
func (b *Book) Compute(ctx context.Context) error {
	c := &computing{Book: b, file: excelize.NewFile(), kinds: map[string]string{}}
	for _, s := range b.Sheets {
		s.cells = map[[2]int]any{}
		_, err := c.file.NewSheet(s.Name)
		if err == nil {
			_, err = s.Rows(func(row Row) error { return c.hold(s, row) })
		}
		if s.Why = err; err != nil {
			return ctx.Err()
		}
	}
	for _, s := range b.Sheets {
		var end context.CancelFunc
		c.ctx, end = context.WithTimeout(ctx, maxComputing)
		for _, f := range s.formulas {
			if c.compute(f); f.err != nil && s.Why == nil {
				s.Why = fmt.Errorf("=%.60s: %w", f.text, f.err)
			}
		}
		if end(); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// hold gives a row to what computes, and lists its formulas.
func (c *computing) hold(s *Sheet, row Row) (err error) {
	c.held += cellBytes * (row.Number - s.rows + len(row.Cells))
	s.rows = row.Number
	for i, cell := range row.Cells {
		at := [2]int{row.Number, i + 1}
		name, _ := excelize.CoordinatesToCellName(at[1], at[0])
		if c.held += len(cell.Text); c.held > maxHeld {
			return errTooMuch
		}
		_, noNumber := strconv.ParseFloat(cell.Text, 64)
		kind, value := "?", any(cell.Number)
		switch {
		case cell.Kind == Empty:
			continue
		case cell.Kind == Formula:
			f := &formula{Sheet: s, name: name, text: strings.TrimLeft(cell.Text, "=+")}
			f.text = emptyText.ReplaceAllString(f.text, "LEN($1)${2}0$3")
			if s.formulas = append(s.formulas, f); len(s.formulas) > maxFormulas || len(f.text) > maxFormula {
				f.err = errTooMuch
			}
			s.cells[at], err = f, cmp.Or(err, c.file.SetCellFormula(s.Name, name, f.text))
			continue
		case cell.Kind == Number || cell.Number != 0:
			kind = "n"
		case cell.Kind == Bool:
			kind, value = "b", cell.Text == "1"
		case cell.Kind == Text && noNumber != nil && len(cell.Text) <= maxText:
			kind, value = "t", cell.Text
		}
		s.cells[at], err = kind, cmp.Or(err, c.file.SetCellValue(s.Name, name, value))
	}
	return err
}

// compute gives a formula its value, or why it has none.
func (c *computing) compute(f *formula) {
	if f.err != nil || f.kind != "" {
		return
	}
	f.err = errItself // until those that it reads are there
	c.depth++
	defer func() {
		c.depth--
		if why, ok := recover().(error); ok {
			f.err = why
		}
	}()
	kind := c.kind(f)
	f.err = errUnread // a library panics too
	got, err := c.file.CalcCellValue(f.Name, f.name, excelize.Options{RawCellValue: true})
	n, noNumber := strconv.ParseFloat(got, 64)
	switch {
	case err != nil || noNumber == nil && n-n != 0: // infinite
		panic(fmt.Errorf("it gives %s", cmp.Or(got, "an error")))
	case len(got) > maxText:
		panic(errTooMuch)
	case kind == "e": // as Excel shows an empty cell
		got, kind = "0", "n"
	case got == "TRUE" || got == "FALSE":
		got, kind = strconv.Itoa(len("FALSE")-len(got)), "b"
	case noNumber != nil:
		kind = "t"
	case kind == "t":
		kind = "?"
	}
	f.kind, f.value, f.err = kind, got, nil
}

//go:embed formulas.txt
var formulasText string

// steps are those of formulas.txt: which are taken once, and which again and again.
var steps = sync.OnceValue(func() (all [2][]step) {
	once, again, _ := strings.Cut(formulasText, "\n\n")
	for i, text := range []string{once, again} {
		for line := range strings.Lines(text) {
			if from, to, ok := strings.Cut(strings.TrimSpace(line), " "); ok && from != "#" {
				all[i] = append(all[i], step{regexp.MustCompile(from), to})
			}
		}
	}
	return all
})

type step struct {
	from *regexp.Regexp
	to   string
}

// cellName matches the name of a cell or a block.
const cellName = `(?:(?:'[^']+'|[\pL_][\pL\d_.]*)!)?\$?[A-Z]{1,3}(?:\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?|:\$?[A-Z]{1,3})\b`

var (
	words = regexp.MustCompile(`"(?:[^"]|"")*"|\d+(?:\.\d+)?(?:E[-+]?\d+)?|[A-Z][A-Z\d.]*\(|TRUE|FALSE|` + cellName +
		`|[\pL_][\pL\d_.]*`)
	emptyText = regexp.MustCompile(`(` + cellName + `)(=|<>)""([,)]|$)`)
)

// kind says of which kind the value of a formula is, once all that it reads has a value.
func (c *computing) kind(f *formula) string {
	cells, letter, size := 0, 0, [2]int{}
	kinds := words.ReplaceAllStringFunc(f.text, func(w string) string {
		if w[0] <= '9' && w[0] != '\'' && w[0] != '$' || strings.HasSuffix(w, "(") || w == "TRUE" || w == "FALSE" {
			return w
		}
		s, a := c.area(f.Sheet, w)
		now := [2]int{a.LastRow - a.FirstRow + 1, a.LastColumn - a.FirstColumn + 1}
		if cells += now[0] * now[1]; cells > maxRead || c.ctx.Err() != nil || c.depth > maxFormulas {
			panic(errTooMuch)
		}
		kind := c.read(s, a)
		if !strings.Contains(w, ":") {
			return kind
		}
		if now != size {
			letter, size = 1-letter, now
		}
		return string("rs"[letter])
	})
	for _, s := range steps()[0] {
		kinds = s.from.ReplaceAllString(kinds, s.to)
	}
	kind, known := c.kinds[kinds]
	if !known {
		kind = kinds
		for again := true; again && c.ctx.Err() == nil; {
			again = slices.ContainsFunc(steps()[1], func(s step) bool {
				before := kind
				kind = s.from.ReplaceAllString(kind, s.to)
				return kind != before
			})
		}
		c.kinds[kinds] = kind
	}
	if len(kind) != 1 || !strings.Contains("ntbe", kind) {
		panic(errUnread)
	}
	return kind
}

// area is what the name of a cell or a block means.
func (c *computing) area(s *Sheet, name string) (*Sheet, Area) {
	at := strings.LastIndexByte(name, '!')
	a, ok := areaOf(name[at+1:])
	if at >= 0 {
		sheet := strings.Trim(name[:at], "'")
		i := slices.IndexFunc(c.Sheets, func(s *Sheet) bool { return strings.EqualFold(s.Name, sheet) })
		if ok = ok && i >= 0; ok {
			s = c.Sheets[i]
		}
	}
	if !ok {
		panic(errUnread)
	}
	if a.LastRow == maxRows {
		a.LastRow = max(1, s.rows)
	}
	return s, a
}

// read says of which kind a cell is, the last one of a block. All of them are computed.
func (c *computing) read(s *Sheet, a Area) (kind string) {
	for row := a.FirstRow; row <= a.LastRow; row++ {
		for column := a.FirstColumn; column <= a.LastColumn; column++ {
			switch v := s.cells[[2]int{row, column}].(type) {
			case nil:
				kind = "e"
			case string:
				kind = v
			case *formula:
				if c.compute(v); v.err != nil {
					panic(v.err)
				}
				kind = v.kind
			}
			if kind == "?" {
				panic(errStrange)
			}
		}
	}
	return kind
}
