// Package convert writes other files as MySQL scripts, so that what reads dumps reads them too: CSV, JSON and Parquet
// files, a table each, Excel's workbooks, a table a sheet, folders of dumps, and SQLite databases. It guesses the type
// of a column from all of its values. It runs nothing but SELECT on a SQLite file. Begin with [Open].
package convert

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"nl2sql/sqlcheck/syntax"
)

// maxRow is how many bytes a row of a file may have: it is held in memory, a few times.
const maxRow = 64 << 20

// Source is what can be written as a script.
type Source struct {
	within string   // the folder of the files, out of which no link leads; "" where a file was named
	paths  []string // tables, those of a folder of dumps, or one SQLite database
	write  func(ctx context.Context, s *Source, out *bufio.Writer) error

	Options  Options
	DryRun   bool        // the script has no rows
	Tables   []*Table    // what was read of each table of a file; complete when all was written
	Dumps    bool        // it is a folder of dumps, which may hold several databases
	Size     int64       // of all files, in bytes
	Progress func(int64) // is told how many bytes have been read twice, the second time for their rows; may be nil
	Left     []string    // what the script leaves out, with the reason: "view v: …"; complete when all was written
	unpack   Unpacker
	read     int64
}

// Unpacker opens what may be compressed, without a byte order mark.
type Unpacker func(io.Reader) (io.ReadCloser, error)

// readers are those of files that hold tables, by how the files' names end, or how the files begin.
var readers = map[string]reader{
	".csv": readCSV, ".tsv": readCSV, ".tab": readCSV, ".psv": readCSV,
	".xlsx": readWorkbook, ".xlsm": readWorkbook, ".xls": readWorkbook, ".parquet": readParquet,
	".json": readJSON, ".jsonl": readJSON, ".ndjson": readJSON, ".geojson": readJSON,
	"PK\x03\x04": readWorkbook, "\xd0\xcf\x11\xe0": readWorkbook, "PAR1": readParquet,
}

// reader is the one of a file by how it begins, whatever its name: programs name texts and pages .xls.
func (s *Source) reader(path string) (reader, error) {
	first, err := s.head(path)
	read := readers[string(first[:min(len(first), 4)])]
	text := utf16(first) != nil || bytes.IndexByte(first, 0) < 0 && bytes.ContainsAny(first, "\r\n")
	begins := bytes.TrimLeft(first, "\ufeff \t\r\n")
	switch {
	case foreign.Match(begins):
		return nil, errors.New("it holds HTML, XML or a PDF, whatever its name: " + saveAs)
	case isJSON.Match(begins):
		read = readJSON
	case read == nil && (!text || strings.Contains(strings.ToLower(filepath.Ext(path)), "json")):
		read = readerOf(path)
	}
	if read == nil {
		read = readCSV
	}
	return read, err
}

var (
	foreign = regexp.MustCompile(`(?i)^(<(\?xml|!doctype|html|head|meta|body|table)|%pdf-)`)
	isJSON  = regexp.MustCompile(`^(\{\s*"|\[\s*[{[])`)
)

// head is how a file begins.
func (s *Source) head(path string) ([]byte, error) {
	f, _, err := s.open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	first, _ := bufio.NewReaderSize(f, 1<<16).Peek(1 << 16) // what cannot be read is told by who reads it
	return first, nil
}

const saveAs = "save it as .xlsx or .csv"

// notTable says what to do with a file that people try, by how its name ends; "" of others.
func notTable(path string) string {
	ending := strings.ToLower(filepath.Ext(path))
	for do, endings := range known {
		if endings[ending] && len(ending) > 1 {
			return do
		}
	}
	return ""
}

// writeTables writes those of all files.
func writeTables(ctx context.Context, s *Source, out *bufio.Writer) error {
	if d := s.Options.Decimal; d != "" && d != "," && d != "." {
		return fmt.Errorf("--decimal is a comma or a point, not %q", d)
	}
	for _, path := range s.paths {
		begun, left := len(s.Tables), len(s.Left)
		err := s.file(ctx, out, path)
		switch {
		case err == nil:
		case ctx.Err() != nil || len(s.paths) == 1:
			return err
		default: // one bad file costs a line, and not the folder
			for _, t := range s.Tables[begun:] {
				fmt.Fprintf(out, "DROP TABLE %s;\n", syntax.QuoteName(t.Name))
			}
			s.Tables, s.Left = s.Tables[:begun], append(s.Left[:left], fmt.Sprintf("%s: %v", filepath.Base(path), err))
		}
	}
	if len(s.Tables) == 0 {
		return fmt.Errorf("no file of it can be read: %s", strings.Join(s.Left, "; "))
	}
	return nil
}

// file writes the tables of one.
func (s *Source) file(ctx context.Context, out *bufio.Writer, path string) (err error) {
	defer damaged(&err)
	read, err := s.reader(path)
	if err != nil {
		return err
	}
	return read(ctx, s, path, func(g *grid) error { return s.table(ctx, out, path, g) })
}

// damaged is the error of a library that panics: it says no more than that the file is broken.
func damaged(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the file is damaged: %v", r)
	}
}

// readerOf is nil for what holds no tables by its name.
func readerOf(path string) reader {
	path = strings.ToLower(path)
	ending := filepath.Ext(path)
	if plain := strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".zst"); plain != path {
		if ending = filepath.Ext(plain); ending != ".csv" && ending != ".tsv" && !strings.Contains(ending, "json") {
			return nil
		}
	}
	return readers[ending]
}

// Open says what is to be converted of a path: ok is false for anything but a file that holds tables, a folder of such
// or of dumps, or a SQLite database.
func Open(path string, unpack Unpacker) (s *Source, ok bool, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, false, err
	}
	s = &Source{paths: []string{path}, Size: info.Size(), unpack: unpack, write: writeTables}
	switch {
	case info.IsDir():
		return s, true, s.folder(path)
	case !info.Mode().IsRegular():
		return nil, false, nil // a dump may come through a pipe
	case readerOf(path) != nil:
		return s, true, nil
	case notTable(path) != "":
		return nil, false, fmt.Errorf("it is not a table file: %s", notTable(path))
	}
	first, err := s.head(path)
	if err != nil {
		return nil, false, err
	}
	if bytes.HasPrefix(first, []byte(sqliteMagic)) {
		s.write = writeSQLite
		return s, true, nil
	}
	ending := strings.ToLower(filepath.Ext(path))
	text := ending == ".txt" || (ending == ".dat" || ending == "") && bytes.IndexByte(first, 0) < 0
	return s, text && (isJSON.Match(first) || !statement.Match(first)), nil
}

// statement begins a dump, which may be kept as a text; creates makes a table in one, or says that it is packed.
var (
	statement = regexp.MustCompile(`(?i)^\W*(--\s+\w|/\*|(create|insert|drop|set|use|begin|start|lock|mysqldump)\s)`)
	creates   = regexp.MustCompile(`(?i)\bcreate\s+table\b|\x00|^\x1f|^\(\x{FFFD}/`)
)

// folder takes the files of a folder that hold tables.
func (s *Source) folder(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	s.within, s.paths, s.Size = path, nil, 0
	dump := func(e os.DirEntry) bool {
		if e.IsDir() || !strings.HasSuffix(uncompressed(e.Name()), ".sql") {
			return false
		}
		first, err := s.head(e.Name())
		return err != nil || creates.Match(first)
	}
	if slices.ContainsFunc(entries, dump) {
		return s.dumps(entries)
	}
	for _, e := range entries {
		switch {
		case strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "~$"): // Excel's locks
			continue
		case e.IsDir():
			s.Left = append(s.Left, e.Name()+": it is a folder")
			continue
		case readerOf(e.Name()) == nil:
			do := cmp.Or(notTable(e.Name()), "tables are in .csv, .tsv, .json, .xlsx and .parquet files")
			s.Left = append(s.Left, e.Name()+": it is not a table file: "+do)
			continue
		}
		if err := s.add(e.Name()); err != nil {
			s.Left = append(s.Left, fmt.Sprintf("%s: %v", e.Name(), err))
		}
	}
	if len(s.paths) == 0 {
		return errors.New(strings.Join(append([]string{"it holds no .csv, .tsv, .json, .xlsx, .parquet or .sql file"},
			s.Left...), "; "))
	}
	return nil
}

// add takes a file of the folder.
func (s *Source) add(name string) error {
	f, size, err := s.open(name)
	if err != nil {
		return err
	}
	s.paths, s.Size = append(s.paths, name), s.Size+size
	return f.Close()
}

// open opens a file, which must be a regular one: to open a pipe would wait. It says how many bytes it has.
func (s *Source) open(path string) (*os.File, int64, error) {
	stat, open := os.Stat, os.Open
	if s.within != "" {
		root, err := os.OpenRoot(s.within)
		if err != nil {
			return nil, 0, err
		}
		defer root.Close()
		stat, open = root.Stat, root.Open
	}
	info, err := stat(path)
	link, _ := os.Lstat(filepath.Join(s.within, path))
	if err != nil && link != nil && link.Mode()&os.ModeSymlink != 0 {
		return nil, 0, fmt.Errorf("%s is a link that leads nowhere or out of the folder: put the file itself there (%w)", path, err)
	}
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is no regular file", path)
	}
	f, err := open(path)
	return f, info.Size(), err
}

// unpacked opens a file for do, and tells the source of what is read of it, so many times.
func (s *Source) unpacked(ctx context.Context, path string, times int, do func(io.Reader) error) (err error) {
	file, _, err := s.open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	plain, err := s.unpack(counted{file, s, ctx, times})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plain.Close()) }()
	return do(plain)
}

// counted tells a source what is read, so many times, and ends with a context.
type counted struct {
	io.Reader
	s     *Source
	ctx   context.Context
	times int
}

// Read implements io.Reader.
func (c counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.s.step(c.times * n)
	return n, cmp.Or(c.ctx.Err(), err)
}

// Name is a path's last part without the endings that say how it is kept.
func Name(path string) string {
	name := filepath.Base(filepath.Clean(path))
	for _, ending := range strings.Fields(".gz .zst .zip .sql .sqlite3 .sqlite .db .csv .tsv .tab .psv .dat " +
		".txt .xlsx .xlsm .xls .parquet .json .jsonl .ndjson .geojson") {
		if n := len(name) - len(ending); n > 0 && strings.EqualFold(name[n:], ending) {
			name = name[:n]
		}
	}
	return name
}

// tableName is the name of a file's table: what nobody would write in a statement is _.
func tableName(path string) string {
	name := Name(path)
	made := strings.Trim(unnamed.ReplaceAllString(name, "_"), "_")
	if made == "" || made == name {
		return name
	}
	return strings.ToLower(made)
}

var unnamed = regexp.MustCompile(`[^\p{L}\p{N}_]+`)

// Script is the script. Its errors name the file and line. Close ends it early.
func (s *Source) Script(ctx context.Context) io.ReadCloser {
	in, out := io.Pipe()
	go func() {
		w := bufio.NewWriterSize(out, 1<<16)
		err := func() (err error) {
			defer damaged(&err)
			return s.write(ctx, s, w)
		}()
		if err == nil {
			err = w.Flush()
		}
		out.CloseWithError(err) // nil is the end
	}()
	return in
}

// step counts bytes that were read.
func (s *Source) step(n int) {
	if s.read += int64(n); s.Progress != nil {
		s.Progress(min(s.read/2, s.Size))
	}
}

// How many rows one statement of the script holds, and how many bytes at least where they are long.
const (
	rowsPerInsert  = 200
	bytesPerInsert = 1 << 20
)

// inserts writes rows as INSERT statements.
type inserts struct {
	out   *bufio.Writer
	table string // quoted
	rows  int    // of the statement that is begun
	bytes int    // of its values, about
}

// row writes one; cell writes the i-th value and says how long it is.
func (w *inserts) row(columns int, cell func(i int) (bytes int)) {
	if w.rows == rowsPerInsert || w.bytes >= bytesPerInsert {
		w.end()
	}
	if w.rows == 0 {
		w.out.WriteString("INSERT INTO " + w.table + " VALUES (")
	} else {
		w.out.WriteString(",(")
	}
	for i := range columns {
		if i > 0 {
			w.out.WriteByte(',')
		}
		w.bytes += cell(i)
	}
	w.out.WriteByte(')')
	w.rows++
}

func (w *inserts) end() {
	if w.rows > 0 {
		w.out.WriteString(";\n")
	}
	w.rows, w.bytes = 0, 0
}

var quoting = strings.NewReplacer("\\", "\\\\", "'", "\\'", "\r", "\\r")

// writeText writes a value as a string. The error stays in out until it is flushed.
func writeText(out *bufio.Writer, text string) {
	out.WriteByte('\'')
	quoting.WriteString(out, strings.ToValidUTF8(text, "\uFFFD"))
	out.WriteByte('\'')
}
