package convert

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"nl2sql/sqlcheck/syntax"
)

// csvFile is a CSV file that is read twice: once for its types, once for its rows.
type csvFile struct {
	*Source
	ctx     context.Context
	path    string
	comma   rune
	columns []*column
	keyed   map[string]bool // the values of the first column so far; nil if one came twice
}

// writeCSV writes a table per file.
func writeCSV(ctx context.Context, s *Source, out *bufio.Writer) error {
	for _, path := range s.paths {
		f := &csvFile{Source: s, ctx: ctx, path: path, keyed: map[string]bool{}}
		if err := f.each(f.look); err != nil {
			return f.about(err)
		}
		f.define(out)
		rows := &inserts{out: out, table: syntax.QuoteName(tableName(path))}
		err := f.each(func(row []string) error {
			rows.row(len(f.columns), func(i int) int { return f.cell(out, i, row[i]) })
			return nil
		})
		rows.end()
		if err != nil {
			return f.about(err)
		}
	}
	return nil
}

// about names the file where there are several.
func (f *csvFile) about(err error) error {
	if len(f.paths) > 1 && f.ctx.Err() == nil {
		return fmt.Errorf("%s: %w", filepath.Base(f.path), err)
	}
	return err
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
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = f.comma, -1, true
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
	if f.comma == 0 {
		f.comma = separator(string(first))
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

// header names the columns.
func (f *csvFile) header(row []string) error {
	known, numbers := map[string]bool{}, 0
	for i, name := range row {
		name = strings.TrimSpace(name)
		switch {
		case name == "":
			name = fmt.Sprintf("column_%d", i+1)
		case !utf8.ValidString(name):
			return errNotUTF8
		case utf8.RuneCountInString(name) > 64:
			return fmt.Errorf("%q is too long to name a column: the first line should name the columns",
				string([]rune(name)[:20])+"…")
		case known[strings.ToLower(name)]:
			return fmt.Errorf("two columns are named %q", name)
		}
		known[strings.ToLower(name)] = true
		c := &column{name: name, comma: f.comma == ';'}
		c.number(name)
		numbers += c.seen[whole] + c.seen[fixed] + c.seen[date]
		f.columns = append(f.columns, &column{name: name, comma: c.comma})
	}
	if numbers == len(row) {
		return errors.New("it holds values only: the first line should name the columns")
	}
	return nil
}

var errNotUTF8 = errors.New("a text is not UTF-8: save the file as UTF-8")

// maxKeys is how many values of a column are held against each other.
const maxKeys = 2_000_000

// look notes the types of a row.
func (f *csvFile) look(row []string) error {
	for i, cell := range row {
		c := f.columns[i]
		switch {
		case isNull(cell):
			c.nulls++
		case !utf8.ValidString(cell):
			return errNotUTF8
		default:
			c.number(cell)
		}
	}
	if f.keyed != nil {
		if f.keyed[row[0]] || len(f.keyed) == maxKeys {
			f.keyed = nil
			return nil
		}
		f.keyed[strings.Clone(row[0])] = true
	}
	return nil
}

// isNull says that a value is none.
func isNull(cell string) bool { return cell == "" || cell == `\N` }

// define writes the CREATE TABLE. The first column is the key if it is a whole number named id, or something that ends
// with it, and never comes twice.
func (f *csvFile) define(out *bufio.Writer) {
	var defs []string
	for _, c := range f.columns {
		def := syntax.QuoteName(c.name) + " " + c.declared()
		if c.nulls == 0 && f.columns[0].seen != [kinds]int{} {
			def += " NOT NULL"
		}
		defs = append(defs, def)
	}
	if first := f.columns[0]; f.keyed != nil && first.only(whole) && first.nulls == 0 &&
		strings.HasSuffix(strings.ToLower(first.name), "id") {
		defs = append(defs, "PRIMARY KEY ("+syntax.QuoteName(first.name)+")")
	}
	fmt.Fprintf(out, "CREATE TABLE %s (%s);\n", syntax.QuoteName(tableName(f.path)), strings.Join(defs, ", "))
}

// cell writes a value as its column's type has it, and says how long it is.
func (f *csvFile) cell(out *bufio.Writer, i int, cell string) (bytes int) {
	c := f.columns[i]
	if isNull(cell) {
		out.WriteString("NULL")
		return 4
	}
	switch c.kind() {
	case fixed, double, whole:
		if c.comma {
			cell = strings.Replace(cell, ",", ".", 1)
		}
	case datetime:
		cell = strings.Replace(cell, "T", " ", 1)
	}
	writeText(out, cell)
	return len(cell)
}
