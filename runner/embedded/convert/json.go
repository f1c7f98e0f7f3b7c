package convert

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"nl2sql/runner/embedded/xlsx"
)

// jsonFile is a file of records: in one list, one behind the other, or in the lists that its one object has.
type jsonFile struct {
	csvFile
	in          *bufio.Reader
	line, ended int      // the last line that was read, and 1 at its end
	held        int      // bytes since the last record
	listed      bool     // it is a list of them
	list        string   // the path to them in its one object
	header      []string // of a list of lists
}

// jsonField is a column: what leads to it, the last record that has it, and whether one has a value.
type jsonField struct {
	path, name string
	at, row    int
	some       bool
}

// readJSON gives the table of a file's records, or of each list in its one object.
func readJSON(ctx context.Context, s *Source, path string, found func(*grid) error) error {
	f := &jsonFile{csvFile: csvFile{Source: s, ctx: ctx, path: path}}
	var lists, beside []string
	objects, all := 0, 0
	err := f.records(&doubts{}, func(n int, record json.RawMessage) error {
		if f.listed || n > 1 {
			lists, objects = nil, 0
			return errEnough
		}
		all = members(record, func(_ string, v json.RawMessage) { objects += bytes.Count(v[:1], []byte("{")) })
		fields(record, "", func(path string, v json.RawMessage) {
			if path != "" && v[0] == '[' && isJSON.Match(v) {
				lists = append(lists, path)
			} else {
				beside = append(beside, fieldName(path))
			}
		})
		return nil
	})
	switch {
	case len(lists) == 0 && objects > 1 && objects == all:
		return errors.New("it is one object of objects: write them as a list, [{…}, {…}]")
	case len(lists)*len(beside) > 0:
		s.Left = append(s.Left, "what stands beside the lists of "+Name(path)+": "+clip(strings.Join(beside, ", ")))
	}
	for _, f.list = range append(lists, "")[:max(len(lists), 1)] {
		g := &grid{name: tableName(path), doubts: &doubts{}}
		if len(lists) > 1 {
			g.name = tableName(fieldName(f.list))
		}
		if err == nil || errors.Is(err, errEnough) {
			err = f.grid(g)
		}
		if err == nil {
			err = found(g)
		}
	}
	return err
}

// records calls do with each of the list, and its number. The first one is the header where it is a list of texts.
func (f *jsonFile) records(d *doubts, do func(n int, record json.RawMessage) error) error {
	return f.lines(func(l *lines) (err error) {
		first, _ := l.in.Peek(1 << 12)
		f.in, f.line, f.ended, f.header = l.in, 1, 0, nil
		f.listed = bytes.HasPrefix(bytes.TrimSpace(first), []byte("["))
		in, n, open := json.NewDecoder(f), 0, false
		give := func(_ string, v json.RawMessage) {
			if !utf8.Valid(v) {
				d.add("encoding", "row %d is not UTF-8: read as windows-1252", n+1)
				v, _ = charmap.Windows1252.NewDecoder().Bytes(v)
			}
			switch n++; {
			case err != nil:
			case v[0] != '{' && v[0] != '[':
				d.add("none", "row %d is %s, which is no record: it is left out", n, clip(string(v)))
			case n > 1 || v[0] == '{' || json.Unmarshal(v, &f.header) != nil:
				if n == 1 {
					f.header = nil // a part of it
				}
				err = do(n, v)
			}
		}
		for err == nil {
			var v json.RawMessage
			var t json.Token
			switch f.held = 0; {
			case f.listed != open || !in.More():
				if t, err = in.Token(); err == nil && t != json.Delim('[') && t != json.Delim(']') {
					return fmt.Errorf("line %d: a value follows the list: write [{…}, {…}]", f.line)
				}
				open = err != nil && open || t == json.Delim('[')
			default:
				if err = in.Decode(&v); err == nil && f.list == "" {
					give("", v)
				} else if err == nil {
					fields(v, "", func(path string, v json.RawMessage) {
						if path == f.list {
							members(v, give)
						}
					})
				}
			}
		}
		switch {
		case err == io.EOF && !open:
			return nil
		case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, new(*json.SyntaxError)):
			return fmt.Errorf("line %d is no JSON: %w: mend it there, or write the file anew", f.line, err)
		}
		return err
	})
}

// Read implements io.Reader. It gives no more than the rest of a line: what is wrong is in the last one.
func (f *jsonFile) Read(b []byte) (n int, err error) {
	_, err = f.in.Peek(1)
	b = b[:min(len(b), f.in.Buffered())]
	next, _ := f.in.Peek(len(b))
	f.line, f.ended = f.line+f.ended, 0
	if end := bytes.IndexByte(next, '\n'); end >= 0 {
		next, f.ended = next[:end+1], 1
	}
	n, _ = f.in.Read(b[:len(next)])
	if f.held += n; f.held > maxRow {
		err = fmt.Errorf("line %d: %w", f.line, errLongRow)
	}
	return n, err
}

// members calls do with the names, or numbers, and the values of an object or a list, and says how many there are.
func members(v json.RawMessage, do func(key string, v json.RawMessage)) (n int) {
	in := json.NewDecoder(bytes.NewReader(v)) // it was read: there is no error
	open, _ := in.Token()
	for ; in.More(); n++ {
		var key json.Token = strconv.Itoa(n)
		if open == json.Delim('{') {
			key, _ = in.Token()
		}
		var v json.RawMessage
		_ = in.Decode(&v)
		do(key.(string), v)
	}
	return n
}

// fields calls do with the values of a record and of objects in it, and the names that lead there.
func fields(v json.RawMessage, path string, do func(path string, v json.RawMessage)) int {
	return members(v, func(key string, v json.RawMessage) {
		if key = path + key; v[0] != '{' || strings.Count(key, "\x00") > 2 {
			do(key, v)
		} else if fields(v, key+"\x00", do) == 0 {
			do(key, json.RawMessage("null"))
		}
	})
}

// fieldName is the name of a column.
func fieldName(path string) string { return strings.ReplaceAll(path, "\x00", "_") }

// grid finds the columns of the list, which are the fields of all its records.
func (f *jsonFile) grid(g *grid) error {
	known, rows := map[string]*jsonField{}, 0
	var columns []*jsonField
	err := f.records(g.doubts, func(row int, record json.RawMessage) error {
		rows = row
		fields(record, "", func(path string, v json.RawMessage) {
			c := known[path]
			switch {
			case c == nil && len(columns) > xlsx.MaxColumns:
				return // it is refused
			case c == nil:
				c = &jsonField{path: path, name: fieldName(path)}
				if n, err := strconv.Atoi(path); err == nil && record[0] == '[' {
					c.name = append(slices.Clip(f.header), make([]string, n+1)...)[n]
				}
				known[path], columns = c, append(columns, c)
			case c.row == row:
				g.doubts.add("doubled", "row %d has %q twice: the last one counts", row, c.name)
			}
			if c.row, c.some = row, c.some || v[0] != 'n'; v[0] == '{' || v[0] == '[' {
				g.doubts.add("lists "+path, "%s: row %d has a list or an object, which is kept as a JSON text", c.name, row)
			}
		})
		return nil
	})
	columns = slices.DeleteFunc(columns, func(c *jsonField) bool { // it is NULL where others have an object
		within := func(o *jsonField) bool { return strings.HasPrefix(o.path, c.path+"\x00") }
		return !c.some && slices.ContainsFunc(columns, within)
	})
	clear(known)
	for i, c := range columns {
		c.at, known[c.path], g.columns = i, c, append(g.columns, c.name)
	}
	g.texts, g.floats = make([]bool, len(columns)), make([]bool, len(columns))
	g.each = func(do func(int, []cell) error) error {
		row := make([]cell, len(columns))
		return f.records(&doubts{}, func(n int, record json.RawMessage) error {
			for i := range row {
				row[i] = cell{mark: none}
			}
			fields(record, "", func(path string, v json.RawMessage) {
				if c := known[path]; c != nil {
					row[c.at] = jsonCell(v)
				}
			})
			return do(n, row)
		})
	}
	if err == nil && len(columns) == 0 {
		err = errors.New("it holds no records: [{…}, {…}], or an object a line")
	}
	return cmp.Or(err, fewRows(int64(rows), max(len(columns), 1), f.Size))
}

// jsonCell is a value as a cell.
func jsonCell(v json.RawMessage) (c cell) {
	switch v[0] {
	case 'n':
		return cell{mark: none}
	case '"':
		_ = json.Unmarshal(v, &c.text)
		return cell{c.text, typed}
	case '{', '[':
		var b bytes.Buffer
		_ = json.Compact(&b, v)
		return cell{b.String(), typed}
	case 't', 'f':
		return cell{string(v), truth}
	}
	return cell{string(v), exact}
}
