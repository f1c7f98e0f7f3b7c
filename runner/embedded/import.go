package embedded

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite"
	"modernc.org/sqlite/vfs"

	"nl2sql/runner"
	"nl2sql/runner/embedded/convert"
	"nl2sql/runner/embedded/dump"
	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/translate"
	"nl2sql/runner/embedded/types"
	"nl2sql/runner/files"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// An imported database is a folder databases/NAME in the cache folder: database.sqlite, which is opened read-only and
// never changed, and schema.json. A folder is made beside its place and moved there when it is whole.
const (
	imageFile  = "database.sqlite"
	schemaFile = "schema.json"
	// of the folder; one of another number must be imported again: 2 had other collations, in which its keys are sorted
	importFormat = 3
)

// ImportReport says what an import did.
type ImportReport struct {
	Name    string
	Tables  int // without views
	Views   int
	Rows    int64
	Bytes   int64               // of the script
	Skipped map[string][]string // what was passed over, by its kind: "trigger": their names
	Left    []string            // what was left out, with the reason: "view v: …"
	Spatial []string            // columns of shapes, which became texts
	Read    []*convert.Table    // how the tables of CSV, Excel, JSON and Parquet files were read
	// collations that compare otherwise than on their server: "latin2_czech_cs as utf8mb4_bin"
	Near []string
	Took time.Duration
}

// Doubts are what to look at, a line each: what is doubtful of each table, and what was left out.
func (r ImportReport) Doubts() (lines []string) {
	for _, t := range r.Read {
		for _, doubt := range t.Doubts {
			lines = append(lines, t.Name+": "+doubt)
		}
	}
	for _, left := range r.Left {
		lines = append(lines, "left out: "+left)
	}
	return lines
}

// stored is the content of schema.json.
type stored struct {
	Format int            `json:"format"`
	Schema *schema.Schema `json:"schema"`
	Tables []storedTable  `json:"tables"`
	Views  []storedView   `json:"views,omitempty"`
	DDL    string         `json:"ddl"`
	Texts  runner.Texts   `json:"texts,omitempty"`
}

type storedTable struct {
	Name    string         `json:"name"`
	Columns []storedColumn `json:"columns"`
}

type storedColumn struct {
	Name      string          `json:"name"`
	Type      string          `json:"type"`
	Collation types.Collation `json:"collation,omitempty"`
	Enum      []string        `json:"enum,omitempty"`
}

var databaseName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)

func checkName(name string) error {
	if !databaseName.MatchString(name) {
		return fmt.Errorf("%q is no name for a database: use lower-case letters, digits, _ and -", mysqlfn.Clip(name))
	}
	return nil
}

// folder is databases/NAME in the cache folder.
func folder(name string) (string, error) {
	dir, err := runner.CacheFolder() // absolute: SQLite's URIs know no relative paths
	return filepath.Join(dir, "databases", name), err
}

// ReadOptions are [convert.Options].
type ReadOptions = convert.Options

// ImportOptions say how a script is imported. The zero value is good.
type ImportOptions struct {
	Replace  bool        // a database that has the same name
	Database string      // which one of those in the script; "" means that there must be one only
	Read     ReadOptions // of CSV and Excel files
	DryRun   bool        // say what would be read of CSV, Excel, JSON and Parquet files, and import nothing
	// is told how many bytes of the file have been read, as it is; of is 0 where nobody knows; may be nil
	Progress func(read, of int64)

	size int64
	made bool
}

// NameOf is the name that a file gives its database: of other characters than a name may have, one _ is made.
func NameOf(path string) string {
	name := PlainName(path)
	made := strings.Trim(unnamed.ReplaceAllString(name, "_"), "_-")
	if databaseName.MatchString(name) || !databaseName.MatchString(made) {
		return name
	}
	return made
}

// PlainName is a file's name in lower-case letters, without its ending.
func PlainName(path string) string { return strings.ToLower(convert.Name(path)) }

var unnamed = regexp.MustCompile(`[^a-z0-9_-]+`)

// ImportFile is [Import] of a dump, a folder of one, a CSV file, a folder of those, a zip file, or a SQLite database.
func ImportFile(ctx context.Context, name, path string, o ImportOptions) (ImportReport, error) {
	setup() // comes before the first SQLite connection
	var left []string
	if strings.EqualFold(filepath.Ext(path), ".zip") {
		dir, err := os.MkdirTemp("", "nl2sql-*")
		if err != nil {
			return ImportReport{}, err
		}
		defer os.RemoveAll(dir)
		if left, err = unzip(ctx, path, dir); err != nil {
			return ImportReport{}, err
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*"))
		if path = dir; len(files) == 1 {
			path = files[0]
		}
	}
	source, ok, err := convert.Open(path, unpack)
	if err != nil {
		return ImportReport{}, err
	}
	if !ok {
		report, err := importDump(ctx, name, path, o)
		report.Left = append(left, report.Left...)
		return report, err
	}
	source.Options, source.DryRun = o.Read, o.DryRun
	if o.Database != "" && !source.Dumps {
		return ImportReport{}, errors.New("only a dump may hold several databases: leave --database out")
	}
	if progress := o.Progress; progress != nil {
		source.Progress = func(read int64) { progress(read, source.Size) }
	}
	o.Progress, o.made = nil, true
	in := source.Script(ctx)
	var report ImportReport
	if o.DryRun {
		report.Name = name
		report.Bytes, err = io.Copy(io.Discard, in)
	} else {
		report, err = Import(ctx, name, in, o)
	}
	if err := errors.Join(err, in.Close()); err != nil {
		return ImportReport{}, err
	}
	if report.Read = source.Tables; o.DryRun && len(report.Read) == 0 {
		return ImportReport{}, errNoDryRun
	}
	report.Left = append(append(left, source.Left...), report.Left...)
	if lines := report.Doubts(); len(lines) > 0 && !o.DryRun {
		err = keepDoubts(name, lines)
	}
	return report, err
}

var errNoDryRun = errors.New("--dry-run is of CSV, Excel, JSON and Parquet files")

func importDump(ctx context.Context, name, path string, o ImportOptions) (ImportReport, error) {
	f, err := files.Open(path)
	if err != nil {
		return ImportReport{}, err
	}
	defer f.Close()
	defer context.AfterFunc(ctx, func() { f.Close() })() // ends a read that waits for who writes a pipe
	if info, err := os.Stat(path); err == nil {
		o.size = info.Size()
	}
	return Import(ctx, name, f, o)
}

// Import loads a mysqldump-like script of any size, which may be compressed by gzip or zstd, into the cache folder as
// a database for Open. What cannot be loaded is an error with the line where it stands, and changes nothing.
func Import(ctx context.Context, name string, r io.Reader, o ImportOptions) (ImportReport, error) {
	start := time.Now()
	if o.DryRun {
		return ImportReport{}, errNoDryRun
	}
	if err := checkName(name); err != nil {
		return ImportReport{}, err
	}
	place, err := folder(name)
	if err != nil {
		return ImportReport{}, err
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return ImportReport{}, err
	}
	if err := removeStale(filepath.Dir(place)); err != nil {
		return ImportReport{}, err
	}
	taken := fmt.Errorf("there is a database %s already: take it out with --replace, or choose another --name", name)
	if _, err := os.Stat(place); err == nil && !o.Replace {
		return ImportReport{}, taken
	}
	made, unlock, err := newFolder(filepath.Dir(place), name)
	if err != nil {
		return ImportReport{}, err
	}
	defer unlock()
	report, err := importInto(ctx, made, name, r, o)
	if err == nil {
		err = takeNotes(made, name)
	}
	if err == nil && o.made && o.Replace {
		err = loses(name, made)
	}
	if err == nil {
		err = replaceFolder(place, made, o.Replace)
	}
	if errors.Is(err, fs.ErrExist) {
		err = taken // by an import that came first
	}
	if err != nil {
		return ImportReport{}, errors.Join(err, os.RemoveAll(made))
	}
	report.Took = time.Since(start)
	return report, nil
}

func importInto(ctx context.Context, dir, name string, r io.Reader, o ImportOptions) (ImportReport, error) {
	packed := &counter{Reader: r}
	in, err := unpack(packed)
	if err != nil {
		return ImportReport{}, err
	}
	columns := &computed{}
	ends := &ending{Reader: in}
	script := dump.Script{Reader: ends, Name: name, Database: o.Database, Made: o.made,
		Compute: columns.fill, Select: selected}
	if o.Progress != nil {
		script.Progress = func() { o.Progress(packed.n, o.size) }
	}
	loaded, err := importRows(ctx, dir, script)
	if what := ends.foreign(); err != nil && what != "" {
		err = errors.New(what)
	}
	if err := errors.Join(err, in.Close()); err != nil {
		return ImportReport{}, err
	}
	views, left := addViews(&loaded, name)
	if ends.cut() {
		left = append(left, "what may have followed: the dump does not end with \"Dump completed\", as whole ones do")
	}
	schema := loaded.Schema
	report := ImportReport{Name: name, Tables: len(loaded.Tables), Views: len(views), Bytes: loaded.Bytes,
		Skipped: loaded.Skipped, Left: append(columns.left, left...), Near: loaded.Near, Spatial: loaded.Spatial}
	for _, t := range schema.Tables {
		report.Rows += t.Rows
	}
	image := fileURI(filepath.Join(dir, imageFile), "ro", true)
	db, err := openImage(ctx, image, name, schema, loaded.Tables, runner.Limits{})
	if err != nil {
		return ImportReport{}, err
	}
	if err := errors.Join(runner.MeasureTexts(ctx, schema, db.run), runner.ProfileValues(ctx, schema, db.run),
		runner.ReadTexts(ctx, schema, db.run), db.Close()); err != nil {
		return ImportReport{}, err
	}
	return report, writeSchema(filepath.Join(dir, schemaFile), loaded, views)
}

func importRows(ctx context.Context, dir string, script dump.Script) (loaded dump.Loaded, err error) {
	setup()
	base, err := sqlite.NewConnector(fileURI(filepath.Join(dir, imageFile), "rwc", false))
	if err != nil {
		return dump.Loaded{}, err
	}
	pool := sql.OpenDB(base)
	defer func() { err = errors.Join(err, pool.Close()) }()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return dump.Loaded{}, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA writable_schema=ON"); err != nil {
		return dump.Loaded{}, err
	}
	if err := os.Chmod(filepath.Join(dir, imageFile), 0o600); err != nil {
		return dump.Loaded{}, err
	}
	return dump.Load(ctx, conn, script)
}

// fileURI names a database file for SQLite.
func fileURI(path, mode string, immutable bool) string {
	q := "mode=" + mode
	if immutable {
		q += "&immutable=1"
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: q}).String()
}

func writeSchema(path string, loaded dump.Loaded, views map[string]translate.View) error {
	out := stored{Format: importFormat, Schema: loaded.Schema, DDL: loaded.DDL, Texts: runner.TextsOf(loaded.Schema)}
	for _, t := range loaded.Tables {
		out.Tables = append(out.Tables, storedTable{t.Name, syntax.Map(t.Columns, func(c types.Column) storedColumn {
			return storedColumn{c.Name, c.Declared, c.Type.Coll, c.Type.Enum}
		})})
	}
	var err error
	if out.Views, err = storeViews(views); err != nil {
		return err
	}
	slices.SortFunc(out.Tables, func(a, b storedTable) int { return strings.Compare(a.Name, b.Name) })
	text, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// loses is an error where a database has a table that the one to take its place lacks: a file of it may be damaged.
func loses(name, made string) error {
	before, err := folder(name)
	if err != nil {
		return err
	}
	old, _ := readStored(os.DirFS(before), name) // without a table where there is none, or it cannot be read
	now, err := readStored(os.DirFS(made), name)
	for _, t := range now.Tables {
		same := func(o storedTable) bool { return strings.EqualFold(o.Name, t.Name) }
		old.Tables = slices.DeleteFunc(old.Tables, same)
	}
	if err == nil && len(old.Tables) > 0 {
		err = fmt.Errorf("the table %s would be lost, so %s stays as it is: nl2sql db remove %[2]s, and import it then",
			old.Tables[0].Name, name)
	}
	return err
}

// readStored is what the file beside the image of a database holds.
func readStored(files fs.FS, name string) (s stored, err error) {
	text, err := fs.ReadFile(files, schemaFile)
	_, lost := fs.Stat(files, imageFile)
	switch {
	case errors.Is(errors.Join(err, lost), fs.ErrNotExist), err == nil && !json.Valid(text):
		err = fmt.Errorf("database %s is damaged: import it again, with nl2sql db import --replace", name)
	case err == nil && (json.Unmarshal(text, &s) != nil || s.Format != importFormat):
		err = fmt.Errorf("database %s was imported by another version of nl2sql: import it again, with nl2sql db import", name)
	}
	return s, err
}

// newFolder makes a folder for a database to come, and holds it until that is in its place, so that no other import
// takes it for one that was left behind.
func newFolder(dir, name string) (made string, unlock func() error, err error) {
	for {
		if made, err = os.MkdirTemp(dir, "."+name+".new-*"); err != nil {
			return "", nil, err
		}
		lock, err := files.LockFolder(made)
		if err == nil {
			if _, err = os.Stat(made); err == nil {
				return made, lock.Close, nil
			}
			err = errors.Join(err, lock.Close())
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, files.ErrLocked) {
			return "", nil, errors.Join(err, os.RemoveAll(made))
		} // else another import was faster to take it for stale
	}
}

// removeStale removes what imports left behind that were killed: the folders that nobody holds. One that stood in the
// place of a new one goes back there, where the new one did not come.
func removeStale(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, ".*.new-*"))
	if err != nil {
		return err
	}
	for _, path := range left {
		lock, err := files.LockFolder(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, files.ErrLocked) {
			continue
		}
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, oldFolder) {
			name, _, _ := strings.Cut(filepath.Base(path)[1:], ".new-")
			if err := os.Rename(path, filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrExist) {
				return errors.Join(err, lock.Close())
			}
		}
		if err := errors.Join(os.RemoveAll(path), lock.Close()); err != nil {
			return err
		}
	}
	return nil
}

// oldFolder ends the name of a folder that made place for another one.
const oldFolder = ".old"

// replaceFolder moves a folder to its place, where another one may stand if that may be replaced; else the error is
// [fs.ErrExist].
func replaceFolder(place, made string, replace bool) error {
	if !replace {
		return os.Rename(made, place) // an empty folder would be replaced; a database is none
	}
	old := made + oldFolder
	err := os.Rename(place, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if moved := os.Rename(made, place); moved != nil && err == nil {
		return errors.Join(moved, os.Rename(old, place))
	} else if moved != nil {
		return moved
	}
	return os.RemoveAll(old)
}

// ending is a reader that keeps the beginning and the end of what was read.
type ending struct {
	io.Reader
	first, last []byte
}

// endBytes is how much of either is kept.
const endBytes = 4096

// Read implements io.Reader.
func (e *ending) Read(b []byte) (int, error) {
	n, err := e.Reader.Read(b)
	if room := endBytes - len(e.first); room > 0 {
		e.first = append(e.first, b[:min(n, room)]...)
	}
	e.last = append(e.last, b[max(0, n-endBytes):n]...)
	e.last = e.last[max(0, len(e.last)-endBytes):]
	return n, err
}

var dumpHead = regexp.MustCompile(`(?m)^-- (MySQL|MariaDB) dump `)

// cut says that a script begins as mysqldump's do and does not end like them. Those that are made without comments have
// neither.
func (e *ending) cut() bool {
	return dumpHead.Match(e.first) && !bytes.Contains(e.last, []byte("\n-- Dump completed"))
}

// foreigners are scripts that no MySQL runs, by what they begin with.
var foreigners = []struct {
	pattern *regexp.Regexp
	what    string
}{
	{regexp.MustCompile(`^PGDMP|PostgreSQL database( cluster)? dump|(?m)^SET statement_timeout = `),
		"it is a dump of PostgreSQL, and MySQL's are read: export its tables as CSV, with COPY … TO … CSV HEADER"},
	{regexp.MustCompile(`(?im)^GO\s*$|\[dbo\]|^SET (ANSI_NULLS|QUOTED_IDENTIFIER) ON|^USE \[`),
		"it is a script of SQL Server, and MySQL's are read: export its tables as CSV"},
	{regexp.MustCompile(`(?i)^PRAGMA foreign_keys`), "it is a dump of SQLite, and MySQL's are read: import the database file itself"},
}

// foreign is what to say of a script of another kind of server; "" is of none.
func (e *ending) foreign() string {
	text := bytes.ReplaceAll(bytes.TrimLeft(e.first, "\xef\xbb\xbf\xff\xfe"), []byte{0}, nil) // UTF-16
	for _, f := range foreigners {
		if f.pattern.Match(text) {
			return f.what
		}
	}
	return ""
}

// openImported opens what Import stored.
func openImported(ctx context.Context, name string, l runner.Limits) (*DB, error) {
	dir, err := storedFolder(name)
	if err != nil {
		return nil, err
	}
	return openStored(ctx, os.DirFS(dir), fileURI(filepath.Join(dir, imageFile), "ro", true), name, l)
}

// Files are those of an imported database, by their names: what OpenFS opens, and its notes are not among them.
func Files(name string) (map[string]string, error) {
	dir, err := storedFolder(name)
	return map[string]string{imageFile: filepath.Join(dir, imageFile), schemaFile: filepath.Join(dir, schemaFile)}, err
}

// OpenFS opens an imported database whose files lie in a file system, and reads them there as they are asked for. They
// must be seekable, and stay as they are.
func OpenFS(ctx context.Context, files fs.FS, name string, l runner.Limits) (*DB, error) {
	setup()
	vfsName, _, err := vfs.New(files) // for good: clones outlive the database
	if err != nil {
		return nil, err
	}
	return openStored(ctx, files, "file:"+imageFile+"?mode=ro&immutable=1&vfs="+vfsName, name, l)
}

// openStored opens what Import stored, with the image at an address of SQLite's.
func openStored(ctx context.Context, files fs.FS, image, name string, l runner.Limits) (*DB, error) {
	s, err := readStored(files, name)
	if err != nil {
		return nil, err
	}
	s.Texts.Fill(s.Schema)
	tables := map[string]*types.Table{}
	for _, st := range s.Tables {
		t := &types.Table{Name: st.Name}
		for _, c := range st.Columns {
			ct, err := types.ColumnType(c.Type, c.Collation)
			if err != nil {
				return nil, fmt.Errorf("database %s: %w", name, err)
			}
			ct.Enum = c.Enum
			t.Columns = append(t.Columns, types.Column{Name: c.Name, Declared: c.Type, Type: ct})
		}
		tables[strings.ToLower(t.Name)] = t
	}
	dump.MarkKeys(tables, s.Schema)
	views, err := readViews(s.Views)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", name, err)
	}
	db, err := openImage(ctx, image, name, s.Schema, tables, l)
	if err == nil {
		db.ddl, db.views = s.DDL, views
	} else if ctx.Err() == nil {
		err = fmt.Errorf("database %s is damaged: import it again, with nl2sql db import --replace: %w", name, err)
	}
	return db, err
}

// openImage opens a database file, by its address, that nothing changes any more.
func openImage(ctx context.Context, image, name string, s *schema.Schema, tables map[string]*types.Table,
	l runner.Limits) (*DB, error) {
	setup()
	base, err := sqlite.NewConnector(image)
	if err != nil {
		return nil, err
	}
	db := &DB{name: name, source: "embedded:" + name, from: connector{base: base}, schema: s, tables: tables,
		limits: l.WithDefaults()}
	return db, db.start(ctx)
}
