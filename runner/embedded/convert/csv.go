package convert

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
)

// csvFile is a file of values with signs between them.
type csvFile struct {
	*Source
	dialect
	ctx    context.Context
	path   string
	skip   bool // the first line, which is sep=;
	doubts doubts
	width  int // how many values a row has; 0 before it is known
	fits   []fit
	headed bool // the first row of that many names them
	mended int
	pairs  int // rows of a name and a value above the table, which are not mended
	ends   int // the line with which the table ends; 0: the last
}

// readCSV finds how a file is written, and gives its one table.
func readCSV(ctx context.Context, s *Source, path string, found func(*grid) error) error {
	f := &csvFile{Source: s, ctx: ctx, path: path}
	sample, err := f.begin()
	if err != nil {
		return err
	}
	if err := f.sniff(sample); err != nil {
		return err
	}
	g := &grid{name: tableName(path), read: f.String(), each: f.each, doubts: &f.doubts}
	if f.between == ',' {
		g.comma = '.'
	}
	return found(g)
}

// sniffed is how many bytes of a file show how it is written, and of a line.
const (
	sniffed     = 1 << 18
	sniffedLine = 1 << 22
)

// encodingOf is the one of a name; without a name it is UTF-8.
func encodingOf(name string) (encoding.Encoding, error) {
	found, err := htmlindex.Get(cmp.Or(name, "utf-8"))
	if err != nil {
		found, err = ianaindex.IANA.Encoding(name)
	}
	if err != nil || found == nil {
		return nil, fmt.Errorf("no encoding is named %q: --encoding takes windows-1252, utf-16le and the like", name)
	}
	return found, nil
}

// begin reads the first lines, and finds how texts are encoded.
func (f *csvFile) begin() ([]string, error) {
	var sample []string
	bytes := 0
	err := f.lines(func(l *lines) error {
		for bytes < sniffed {
			line, _, err := l.next()
			if err != nil {
				return err
			}
			line = line[:min(len(line), sniffedLine)]
			sample, bytes = append(sample, line), bytes+len(line)
		}
		return errEnough
	})
	if errors.Is(err, io.EOF) || errors.Is(err, errEnough) {
		err = nil
	}
	if len(sample) > 0 && (strings.HasPrefix(sample[0], `"EXTF";`) || strings.HasPrefix(sample[0], `"DTVF";`)) {
		f.doubts.add("", "left out above the header: what DATEV says of the file")
		f.skip, sample = true, sample[1:]
	} else if len(sample) > 0 && len(f.Options.Delimiter) == 0 {
		if sep := strings.Trim(sample[0], "\"\r\n"); len(sep) == 5 && strings.EqualFold(sep[:4], "sep=") {
			f.Options.Delimiter, f.skip = sep[4:], true
			sample = sample[1:]
		}
	}
	return sample, err
}

// lines opens the file for do. It is read several times, and each tells anew of lines that are not UTF-8.
func (f *csvFile) lines(do func(*lines) error) error {
	f.doubts = slices.DeleteFunc(f.doubts, func(d doubt) bool { return d.kind == "encoding" })
	return f.unpacked(f.ctx, f.path, 1, func(plain io.Reader) error { return f.decoded(plain, do) })
}

// decoded is lines of what is unpacked.
func (f *csvFile) decoded(plain io.Reader, do func(*lines) error) error {
	in := bufio.NewReaderSize(plain, 1<<16)
	first, err := in.Peek(1 << 16)
	if err != nil && err != io.EOF {
		return err
	}
	decode, err := encodingOf(f.Options.Encoding)
	if err != nil {
		return err
	}
	if decode == unicode.UTF8 || bytes.IndexByte(first, 0) < 0 &&
		strings.HasPrefix(strings.ToLower(f.Options.Encoding), "utf-16") {
		decode = nil // a byte order mark said so already
	}
	if decode == nil {
		if decode = utf16(first); decode == nil && bytes.IndexByte(first, 0) >= 0 {
			return errors.New("the file holds zero bytes: it is no CSV text")
		}
	}
	if decode != nil {
		in = bufio.NewReaderSize(decode.NewDecoder().Reader(in), 1<<16)
		if first, err = in.Peek(1 << 16); err != nil && err != io.EOF {
			return err
		}
	}
	l := &lines{in: in, file: f, end: '\n'}
	if bytes.IndexByte(first, '\n') < 0 && bytes.IndexByte(first, '\r') >= 0 {
		l.end = '\r'
	}
	return do(l)
}

// utf16 is UTF-16 where a text is that: it has a byte order mark, or a zero in half of its bytes.
func utf16(first []byte) encoding.Encoding {
	little, big := 0, 0
	for i, b := range first {
		if b == 0 && i%2 == 1 {
			little++
		} else if b == 0 {
			big++
		}
	}
	switch n := len(first); {
	case bytes.HasPrefix(first, []byte("\xff\xfe")), 3*little > n && big == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case bytes.HasPrefix(first, []byte("\xfe\xff")), 3*big > n && little == 0:
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	}
	return nil
}

// lines are those of a file, with their ends.
type lines struct {
	in     *bufio.Reader
	file   *csvFile
	end    byte
	number int      // of the last one
	rows   int      // that were read and are not blank
	queue  []string // those that were given back, the next one last
	back   int      // their bytes
}

// next is the next line, and its number. The error is io.EOF behind the last one.
func (l *lines) next() (string, int, error) {
	l.number++
	if last := len(l.queue) - 1; last >= 0 {
		line := l.queue[last]
		l.queue = l.queue[:last]
		return line, l.number, nil
	}
	if l.in == nil { // a sample
		return "", l.number, io.EOF
	}
	raw, err := l.in.ReadSlice(l.end)
	if err == bufio.ErrBufferFull {
		var long []byte
		for err == bufio.ErrBufferFull {
			if long = append(long, raw...); len(long) > maxRow {
				break
			}
			raw, err = l.in.ReadSlice(l.end)
		}
		if raw = append(long, raw...); len(raw) > maxRow {
			return "", 0, fmt.Errorf("line %d: %w", l.number, errLongRow)
		}
	}
	if err != nil && (err != io.EOF || len(raw) == 0) {
		return "", l.number, err
	}
	line := string(raw)
	if !utf8.ValidString(line) {
		if line, err = charmap.Windows1252.NewDecoder().String(line); err != nil {
			return "", l.number, err
		}
		l.file.doubts.add("encoding", "line %d is not UTF-8: read as windows-1252; --encoding says what it is", l.number)
	}
	if strings.IndexByte(line, 0) >= 0 {
		return "", l.number, fmt.Errorf("line %d holds zero bytes: it is no CSV text", l.number)
	}
	if body := strings.TrimRight(line, "\r\n"); l.end == '\n' && strings.IndexByte(body, '\r') >= 0 {
		parts := strings.SplitAfter(body, "\r") // a quote holds them together again
		parts[len(parts)-1] += line[len(body):]
		line = parts[0]
		l.push(parts[1:])
	}
	return line, l.number, nil
}

func (l *lines) push(next []string) {
	for _, line := range slices.Backward(next) {
		l.queue = append(l.queue, line)
	}
}

// giveBack makes the last lines the next ones again.
func (l *lines) giveBack(given []string) {
	l.push(given)
	l.number -= len(given)
	for _, line := range given {
		l.back += len(line)
	}
}

// errLongRow is that of a row that would be held in memory.
var errLongRow = fmt.Errorf("a row has more than %d MiB", maxRow>>20)

// Bounds on a row of several lines, which a quote that is never closed would make of a whole file.
const (
	maxSpan      = 16 << 20 // bytes
	maxSpanSmall = 64 << 10 // when maxBack bytes were read in vain
	maxBack      = 64 << 20
	maxQuotes    = 2000 // lines with quotes

	maxQuotesSmall = 20
)

// maxCells is how many values of a line are told apart.
const maxCells = 1 << 20

// each implements grid.each.
func (f *csvFile) each(do func(line int, row []cell) error) error {
	err := f.lines(func(l *lines) error {
		if f.skip {
			if _, _, err := l.next(); err != nil {
				return err
			}
		}
		row, number, err := []cell(nil), 0, error(nil)
		for err == nil {
			if row, number, err = f.row(l, row[:0]); err == nil && f.ends > 0 && number > f.ends {
				return nil
			}
			if err = cmp.Or(err, f.ctx.Err()); err == nil {
				err = do(number, row)
			}
		}
		return err
	})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// row reads the next row, which has several lines where a quote holds their ends.
func (f *csvFile) row(l *lines, row []cell) (_ []cell, number int, err error) {
	raw, number, err := l.next()
	for err == nil && strings.Contains(raw, "---") && strings.Trim(raw, "-+|:\t \r\n") == "" { // drawn below a header
		raw, number, err = l.next()
	}
	if err != nil {
		return nil, 0, err
	}
	text := strings.TrimRight(raw, "\r\n")
	if strings.TrimSpace(text) == "" && (f.between != '\t' || text == "") {
		return row, number, nil
	}
	if f.framed {
		text = strings.TrimPrefix(text, "|")
	}
	row, bad, open := f.cut(row, text)
	unclosed := open >= 0
	if l.rows++; l.rows <= f.pairs && !unclosed {
		return row, number, nil
	}
	if !unclosed && (f.width == 0 || len(row) == f.width && !bad) {
		return row, number, nil
	}
	if unclosed {
		whole, given, most, tries, work := strings.Builder{}, []string(nil), maxSpan, 0, 0
		if l.back > maxBack {
			most, tries = maxSpanSmall, maxQuotes-maxQuotesSmall
		}
		if l.back > 2*maxBack {
			tries = maxQuotes - 2
		}
		whole.WriteString(raw)
		for unclosed && whole.Len() < most && tries < maxQuotes {
			next, _, err := l.next()
			if err == io.EOF {
				l.number--
				break
			}
			if err != nil {
				return nil, 0, err
			}
			given = append(given, next)
			whole.WriteString(next)
			if strings.IndexByte(next, f.around) >= 0 {
				tries, work = tries+1, work+whole.Len()
				if err := f.ctx.Err(); err != nil {
					return nil, 0, err
				}
				row, bad, open = f.cut(row[:0], strings.TrimRight(whole.String(), "\r\n"))
				unclosed = open >= 0
			}
		}
		if !unclosed && !bad && (f.width == 0 || len(row) == f.width) {
			return row, number, nil
		}
		if f.width == 0 || f.mendable(text) || unclosed {
			l.giveBack(given)
			l.back += work
			row = f.literal(row[:0], text)
		}
	}
	if f.width > 0 && len(row) != f.width || unclosed || bad {
		n := len(row)
		if mended, ok := f.mend(text); ok {
			row = append(row[:0], mended...)
		}
		if bad && n == f.width {
			f.doubts.add("quotes", "row %d has a quote inside a value: it is kept", number)
		} else if len(row) == f.width && n != f.width {
			f.doubts.add("mended", "row %d has %d values for %d columns: it is read as those that fit best", number, n, f.width)
		}
	}
	return row, number, nil
}

// dialect is how values are written in lines.
type dialect struct {
	between byte // values
	around  byte // values; 0: nothing
	escape  byte // before a quote within quotes: \ or 0, where it is doubled
	blanks  bool // behind the sign between values
	framed  bool // each line begins with the sign, as a drawn table's do
}

// String is the dialect for the report.
func (d dialect) String() string {
	text := fmt.Sprintf("%q between values", string(d.between))
	if d.between == 0 {
		text = "one value a line"
	}
	if d.around != 0 {
		text += fmt.Sprintf(", %s around them", string(d.around))
	}
	if d.escape != 0 {
		text += `, \ before a quote`
	}
	return text
}

// cut cuts a line into its values. bad: a quote stands where it should not. open is where the last value begins, which
// goes on; -1 where it is closed.
func (d *dialect) cut(row []cell, s string) (_ []cell, bad bool, open int) {
	simple, all := d.around == 0 || strings.IndexByte(s, d.around) < 0, len(s)
	for {
		if len(row) == maxCells {
			return append(row, cell{text: s}), bad, -1
		}
		if d.blanks {
			s = strings.TrimLeft(s, " ")
		}
		if !simple && s != "" && s[0] == d.around {
			text, end, wrong := d.quoted(s)
			bad = bad || wrong
			if end < 0 {
				return append(row, cell{text, quoted}), bad, all - len(s)
			}
			row = append(row, cell{text, quoted})
			if end == len(s) {
				return row, bad, -1
			}
			s = s[end+1:]
			continue
		}
		end := -1
		if d.between != 0 {
			end = strings.IndexByte(s, d.between)
		}
		text := s
		if end >= 0 {
			text = s[:end]
		}
		if d.framed {
			text = strings.TrimSpace(text)
		}
		if n := len(text); n > 3 && d.around == '"' && text[:2] == `="` && text[n-1] == '"' { // as Excel keeps zeros
			text = text[2 : n-1]
		}
		c := cell{text: text}
		if text == "" {
			c.mark = none
		}
		bad = bad || !simple && strings.IndexByte(text, d.around) >= 0 && d.around == '"'
		row = append(row, c)
		if end < 0 {
			return row, bad, -1
		}
		s = s[end+1:]
	}
}

// quoted reads a value in quotes, up to one that a sign or the end of the line follows: end is behind it, or -1.
func (d *dialect) quoted(s string) (text string, end int, bad bool) {
	var b strings.Builder
	from := 1
	for i := 1; ; {
		at := strings.IndexByte(s[i:], d.around)
		if at < 0 {
			b.WriteString(s[from:])
			return b.String(), -1, bad
		}
		at += i
		next := byte(0)
		if at+1 < len(s) {
			next = s[at+1]
		}
		switch {
		case d.escape != 0 && at > i-1 && s[at-1] == d.escape && at > 1 && !(at > 2 && s[at-2] == d.escape):
			b.WriteString(s[from : at-1])
			from = at
			i = at + 1
		case at+1 == len(s) || next == d.between && d.between != 0:
			if b.Len() == 0 {
				text = s[from:at]
			} else {
				b.WriteString(s[from:at])
				text = b.String()
			}
			if d.around == '\'' {
				text = strings.ReplaceAll(text, `""`, `"`)
			}
			return text, at + 1, bad
		case next == d.around:
			b.WriteString(s[from : at+1])
			from = at + 2
			i = at + 2
		default:
			if rest := strings.TrimLeft(s[at+1:], " "); d.between != ' ' && len(rest) < len(s)-at-1 &&
				(rest == "" || rest[0] == d.between) { // blanks behind it
				b.WriteString(s[from:at])
				return b.String(), len(s) - len(rest), bad
			}
			bad = true
			i = at + 1
		}
		i = min(i, len(s))
	}
}

// literal cuts a line with quotes that are never closed: those stand for themselves.
func (d *dialect) literal(row []cell, s string) []cell {
	for {
		cells, _, open := d.cut(row, s)
		if open < 0 {
			return cells
		}
		text, rest, more := strings.Cut(s[open:], string(d.between))
		if row = append(cells[:len(cells)-1], cell{text: text}); !more {
			return row
		}
		s = rest
	}
}
