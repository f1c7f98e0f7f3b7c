package xlsx

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
	"github.com/xuri/nfp"
)

// MaxColumns is how many a sheet may have that hold something: as many as a table of MySQL.
const MaxColumns = 4096

// Cell is one of a row.
type Cell struct {
	Text   string // as a CSV file has it: 1234.5, 2024-02-29, 1 for true; "" if it is empty
	Kind   Kind
	Number float64 // of a number, or a moment: days
}

// Kind is what a cell holds.
type Kind byte

const (
	Empty Kind = iota
	Text
	Number
	Bool
	Moment  // a date, a time of a day, a duration, or a date with a time
	Error   // #N/A and the like
	Formula // nobody has computed it
)

// Row is one that is in the file; others are empty.
type Row struct {
	Number int // from 1
	Hidden bool
	Cells  []Cell // from column A on; they are the reader's again when the next row comes
}

// Area is a block of cells, from 1 on, the last ones included.
type Area struct{ FirstRow, FirstColumn, LastRow, LastColumn int }

// maxMerged bounds how many blocks of merged cells are held.
const maxMerged = 200_000

// Rows calls do with each row that is in the file, in their order, and says which cells are merged. Broken XML is an
// error that names the row.
func (s *Sheet) Rows(do func(Row) error) (merged []Area, err error) {
	row := Row{}
	end := func() error {
		if row.Number == 0 {
			return nil
		}
		return do(row)
	}
	err = s.book.part(s.part, maxItem, func(d *xml.Decoder, left *int64) error {
		column := 0
		if err := elements(d, func(e xml.StartElement) error {
			switch e.Name.Local {
			case "row":
				if err := end(); err != nil {
					return err
				}
				*left, column = maxItem, 0
				row.Number, row.Hidden, row.Cells = row.Number+1, isTrue(attribute(e, "hidden")), row.Cells[:0]
				if n, err := strconv.Atoi(attribute(e, "r")); err == nil && n >= row.Number {
					row.Number = n
				}
				if row.Number > maxRows {
					return fmt.Errorf("a sheet has at most %d rows", maxRows)
				}
			case "c":
				column++
				if n, _, err := excelize.CellNameToCoordinates(attribute(e, "r")); err == nil && n >= column {
					column = n
				}
				cell, err := s.cell(d, e, [2]int{row.Number, column})
				if err != nil {
					return fmt.Errorf("row %d: %w", row.Number, err)
				}
				if cell.Kind == Empty {
					return nil
				}
				if column > MaxColumns {
					return fmt.Errorf("row %d: a value stands in column %d, and a table has at most %d", row.Number, column,
						MaxColumns)
				}
				for len(row.Cells) < column-1 {
					row.Cells = append(row.Cells, Cell{})
				}
				row.Cells = append(row.Cells, cell)
			case "mergeCell":
				if a, ok := areaOf(attribute(e, "ref")); ok && len(merged) < maxMerged {
					merged = append(merged, a)
				}
			}
			return nil
		}); err != nil {
			return err
		}
		return end()
	})
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return nil, fmt.Errorf("its XML is broken behind row %d: %s", row.Number, syntax.Msg)
	}
	return merged, err
}

// cell reads a cell whose start was read.
func (s *Sheet) cell(d *xml.Decoder, start xml.StartElement, at [2]int) (cell Cell, err error) {
	var value, said, between []byte
	kind, into, empty := attribute(start, "t"), &between, true // empty: there is no value, not even an empty text
	for {
		token, err := d.Token()
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "is":
				var inside text
				err = d.DecodeElement(&inside, &e)
				value = []byte(inside.String())
			case "f":
				into, said = &said, []byte("=")
			case "v":
				into, empty = &value, kind != "str"
			default:
				err = d.Skip()
			}
		case xml.CharData:
			*into = append(*into, e...)
		case xml.EndElement:
			into = &between
		}
		if err != nil {
			return cell, unexpected(err)
		}
		if end, ok := token.(xml.EndElement); ok && end.Name == start.Name {
			break
		}
	}
	// XlsxWriter writes 0 where it computes nothing
	if said != nil && (len(value) == 0 && empty || s.book.stale && string(value) == "0") {
		f, _ := s.cells[at].(*formula)
		if f == nil || f.kind == "" {
			return Cell{Text: string(said), Kind: Formula}, nil
		}
		value, kind = []byte(f.value), f.kind
	}
	if len(value) == 0 {
		return cell, nil
	}
	cell.Text, cell.Kind = string(value), Text
	switch kind {
	case "s":
		cell.Text, err = s.book.shared(cell.Text)
	case "str":
		cell.Text = escaped.ReplaceAllStringFunc(cell.Text, unescape)
	case "inlineStr", "t", "?":
	case "b":
		cell.Kind = Bool
	case "e":
		cell.Kind = Error
	case "d":
		cell.Kind, cell.Text = Moment, strings.TrimSuffix(strings.Replace(cell.Text, "T", " ", 1), "Z")
	default:
		n, bad := strconv.ParseFloat(strings.TrimSpace(cell.Text), 64)
		if bad != nil {
			break
		}
		style, _ := strconv.Atoi(attribute(start, "s")) // the first one where none is said
		cell.Number = n
		text := strings.TrimSpace(cell.Text)
		if cell.Kind, cell.Text = s.book.number(n, style); cell.Kind == Number && !strings.ContainsAny(text, ".eE") {
			cell.Text = text // programs write more digits than Excel shows
		}
	}
	if cell.Text == "" {
		cell.Kind = Empty
	}
	return cell, err
}

// areaOf reads the name of a block: B2, $B$2:C9, or whole columns, B:C.
func areaOf(ref string) (a Area, ok bool) {
	first, last, many := strings.Cut(ref, ":")
	if last = cmp.Or(last, first); many && !strings.ContainsAny(ref, "0123456789") {
		first, last = first+"1", last+strconv.Itoa(maxRows)
	}
	var err, other error
	a.FirstColumn, a.FirstRow, err = excelize.CellNameToCoordinates(first)
	a.LastColumn, a.LastRow, other = excelize.CellNameToCoordinates(last)
	return a, cmp.Or(err, other) == nil && a.FirstRow <= a.LastRow && a.FirstColumn <= a.LastColumn
}

// format is what one of numbers shows.
type format byte

const (
	plain    format = iota
	days            // a date, with a time where there is one
	clock           // hours and minutes only
	duration        // hours that go on behind 24
	padded          // and above: a code, as many digits at least
)

// maxFormat is how many bytes of a format are read: Excel's have no more.
const maxFormat = 255

// formatOf reads a format of numbers: one that is built in, or one of its own.
// Source: ECMA-376, part 1, 18.8.30 and 18.8.31.
func formatOf(id, own string) (show format) {
	if n := len(own); n > 1 && n <= 15 && strings.Trim(own, "0") == "" {
		return padded + format(n)
	}
	parser := nfp.NumberFormatParser()
	sections := parser.Parse(own[:min(len(own), maxFormat)])
	if len(sections) == 0 {
		switch n, _ := strconv.Atoi(id); {
		case n == 46:
			return duration
		case n >= 18 && n <= 21, n == 45, n == 47:
			return clock
		case n >= 14 && n <= 22, n >= 27 && n <= 36, n >= 50 && n <= 58:
			return days
		}
		return plain
	}
	for _, t := range sections[0].Items { // what follows is for other numbers
		switch letter := strings.ToLower(t.TValue + " ")[0]; {
		case t.TType == nfp.TokenTypeElapsedDateTimes:
			return duration
		case t.TType != nfp.TokenTypeDateTimes:
		case letter == 'd' || letter == 'y' || letter == 'm' && show != clock && !strings.ContainsAny(own, "sS:"):
			return days
		case letter == 'h' || letter == 's':
			show = clock // minutes may follow
		}
	}
	return show
}

// Span is a number of units of time as hours, minutes and seconds: 30:00:00.5.
func Span(n int64, unit time.Duration) string {
	sign, per := "", int64(time.Second/unit)
	if n < 0 {
		sign = "-"
	}
	s, rest := max(n/per, -(n/per)), max(n%per, -(n%per))
	text := fmt.Sprintf("%s%02d:%02d:%02d.%06d", sign, s/3600, s/60%60, s%60, rest*int64(unit)/1000)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// number is one as its style shows it.
func (b *Book) number(n float64, style int) (Kind, string) {
	show := plain
	if style >= 0 && style < len(b.formats) {
		show = b.formats[style]
	}
	whole := math.Floor(n)
	switch {
	case show == duration, show == clock && math.Abs(n) < 60: // a clock that shows days has gone on for some
		return Moment, Span(int64(math.Round(n*86_400_000)), time.Millisecond)
	case show > padded && whole == n && n >= 0:
		return Text, fmt.Sprintf("%0*.0f", int(show-padded), n)
	case show == plain, show > padded, n < 1 && !b.since, n < 0, n >= 2_958_466, whole == 60 && !b.since:
		// no day, such as 1900-02-29
		return Number, shortest(n)
	}
	from := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case b.since:
		from = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case n < 60: // Excel has a 29 February 1900
		from = from.AddDate(0, 0, 1)
	}
	if from = from.AddDate(0, 0, int(whole)); n == whole {
		return Moment, from.Format(time.DateOnly)
	}
	ms := time.Duration(math.Round((n-whole)*86_400_000)) * time.Millisecond
	return Moment, from.Add(ms).Format("2006-01-02 15:04:05.999")
}

// shortest has the 15 digits that Excel shows of a number.
func shortest(n float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(n, 'g', 15, 64), 64)
	if err != nil {
		short = n
	}
	if math.Abs(short) >= 1e20 {
		return strconv.FormatFloat(short, 'e', -1, 64)
	}
	return strconv.FormatFloat(short, 'f', -1, 64)
}
