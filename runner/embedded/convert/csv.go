package convert

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// csvFile is a CSV file that is read twice: once for its types, once for its rows.
type csvFile struct {
	*Source
	*table
	ctx  context.Context
	path string
	sign rune // between values
}

func writeCSV(ctx context.Context, s *Source, out *bufio.Writer, path string) error {
	f := &csvFile{Source: s, table: newTable(tableName(path)), ctx: ctx, path: path}
	return f.table.write(out, f.each)
}

// each reads the file and calls do with each row behind the header. Errors name the line.
func (f *csvFile) each(do func(row []string) error) (err error) {
	file, err := f.open(f.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	plain, err := f.unpack(counting{file, f.Source})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plain.Close()) }()
	room := &room{Reader: plain, left: maxRow}
	in := bufio.NewReaderSize(room, 1<<16)
	if err := f.begin(in); err != nil {
		return err
	}
	r := csv.NewReader(in)
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = f.sign, -1, true
	last := 0
	for n := 0; ; n++ {
		row, err := r.Read()
		room.left = maxRow
		if errors.Is(err, errLongRow) {
			return fmt.Errorf("line %d: %w: a quotation mark may be missing", last+1, err)
		}
		if err == io.EOF {
			if n == 0 {
				return errors.New("the file is empty: its first line should name the columns")
			}
			return nil
		}
		if err == nil {
			err = f.ctx.Err()
		}
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
			return fmt.Errorf("line %d: %w", parse.Line, parse.Err)
		}
		if err != nil {
			return err
		}
		line, _ := r.FieldPos(0)
		last = line
		switch {
		case n == 0 && f.columns == nil:
			err = f.header(row)
		case n == 0:
		case len(row) != len(f.columns):
			err = fmt.Errorf("%d values for %d columns", len(row), len(f.columns))
		default:
			err = do(row)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// room is a reader of a file that fails in a row that has too many bytes, before they are held.
type room struct {
	io.Reader
	left int // bytes of a row
}

var errLongRow = fmt.Errorf("a row has more than %d MiB", maxRow>>20)

// Read implements io.Reader.
func (r *room) Read(b []byte) (int, error) {
	if r.left <= 0 {
		return 0, errLongRow
	}
	n, err := r.Reader.Read(b)
	r.left -= n
	return n, err
}

// counting tells a source what is read.
type counting struct {
	io.Reader
	s *Source
}

// Read implements io.Reader.
func (c counting) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.s.step(n)
	return n, err
}

// begin passes a byte order mark, and finds the sign between values when the file is read first.
func (f *csvFile) begin(in *bufio.Reader) error {
	first, err := in.Peek(1 << 16)
	if err != nil && err != io.EOF {
		return err
	}
	switch {
	case bytes.HasPrefix(first, []byte("\xef\xbb\xbf")):
		if _, err := in.Discard(3); err != nil {
			return err
		}
		first = first[3:]
	case bytes.HasPrefix(first, []byte("\xff\xfe")), bytes.HasPrefix(first, []byte("\xfe\xff")):
		return errors.New("the file is UTF-16: save it as UTF-8")
	case bytes.IndexByte(first, 0) >= 0:
		return errors.New("the file holds zero bytes: it is no CSV text")
	}
	if f.sign == 0 {
		f.sign = separator(string(first))
		f.comma = f.sign == ';'
	}
	return nil
}

// separator is the sign of a comma, semicolon or tab that cuts the first rows into the most columns, the same number
// in all of them.
func separator(first string) rune {
	best, most := ',', 1
	for _, sign := range ",;\t" {
		r := csv.NewReader(strings.NewReader(first))
		r.Comma, r.FieldsPerRecord = sign, 0 // all as many as the first
		columns := 0
		for range 20 {
			row, err := r.Read()
			if err != nil {
				if errors.Is(err, csv.ErrFieldCount) || errors.Is(err, csv.ErrBareQuote) {
					columns = 1
				}
				break
			}
			columns = len(row)
		}
		if columns > most {
			best, most = sign, columns
		}
	}
	if most == 1 { // some row is wrong: then what the header has most of
		line, _, _ := strings.Cut(first, "\n")
		for _, sign := range ",;\t" {
			if strings.Count(line, string(sign)) > strings.Count(line, string(best)) {
				best = sign
			}
		}
	}
	return best
}
