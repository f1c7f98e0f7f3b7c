package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/files"
	"nl2sql/runner/local"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/role"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// DBFlag is of commands that are about a database.
type DBFlag struct {
	DB string `name:"db" help:"{db}" env:"NL2SQL_DB" default:"embedded" placeholder:"DB" group:"Database:"`
}

// Validate lets an empty NL2SQL_DB mean the same as none.
func (f *DBFlag) Validate() error {
	f.DB = databaseOf(cmp.Or(f.DB, "embedded"))
	return nil
}

// databaseOf is what a --db value means: an imported database goes by its name alone too.
func databaseOf(spec string) string {
	if names, err := embedded.List(); err == nil && spec != "local" && slices.Contains(names, spec) {
		return "embedded:" + spec
	}
	return spec
}

// dbHelp is what --db takes.
const dbHelp = "embedded (the demo database), NAME or embedded:NAME (an imported one), local (a private server), " +
	"author:DUMP (what the dissertation's runs saw), or a DSN: user:password@tcp(host:3306)/name."

// ViewsFlag is of commands that open databases.
type ViewsFlag struct {
	TrustViews bool `help:"Also take in views that call stored functions: they may do whatever their makers may." group:"Database:"`
}

// RoleFlags are of commands that open databases which a person may see a part of.
type RoleFlags struct {
	Role string   `help:"File, YAML or JSON, that says what may be seen of the database; all else does not exist. sqlcheck/README.md tells what it holds." placeholder:"FILE" group:"Database:"`
	As   []string `help:"Value that the role asks for, such as --as me=1165; a flag each." sep:"none" placeholder:"NAME=VALUE" group:"Database:"`
}

// maxRole bounds the file of a role, in bytes.
const maxRole = 1 << 20

// read reads the role; nil if there is none.
func (f *RoleFlags) read() (*role.Role, error) {
	if f.Role == "" && len(f.As) > 0 {
		return nil, failure{exitUsage, errors.New("--as gives values to a role: name its file with --role")}
	} else if f.Role == "" {
		return nil, nil
	}
	given := map[string]string{}
	for pair := range strings.SplitSeq(strings.Join(f.As, "\n"), "\n") { // a grid gives all of them to a cell as one
		if pair == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		if _, twice := given[name]; !ok || name == "" || twice {
			return nil, failure{exitUsage, fmt.Errorf("--as %s: give each value once, as NAME=VALUE", pair)}
		}
		given[name] = value
	}
	file, err := files.Open(f.Role)
	if err != nil {
		return nil, brief(err)
	}
	defer file.Close()
	text, err := files.All(file, maxRole)
	if err != nil {
		return nil, f.wrong(err)
	}
	name := strings.TrimSuffix(filepath.Base(f.Role), filepath.Ext(f.Role))
	r, err := role.Read(name, text, given)
	return r, f.wrong(err)
}

// wrong says whose error it is.
func (f *RoleFlags) wrong(err error) error {
	if err != nil {
		err = fmt.Errorf("role %s: %w", f.Role, err)
	}
	return err
}

// openAs opens what a --db value names, as the role sees it. No command opens it otherwise that takes a role.
func (f *RoleFlags) openAs(ctx context.Context, spec string, limits runner.Limits) (runner.DB, error) {
	r, err := f.read()
	if err != nil {
		return nil, err
	}
	limits.Unread = r != nil
	db, err := openDB(ctx, spec, limits)
	if err != nil {
		return nil, err
	}
	return f.as(ctx, db)
}

// as is an open database as the role sees it.
func (f *RoleFlags) as(ctx context.Context, db runner.DB) (runner.DB, error) {
	r, err := f.read()
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if r == nil {
		return db, nil
	}
	db, err = runner.As(ctx, db, r)
	return db, f.wrong(err)
}

// of is a schema without its database, as the role sees it.
func (f *RoleFlags) of(s *schema.Schema) (*schema.Schema, error) {
	r, err := f.read()
	if err != nil || r == nil {
		return s, err
	}
	sight, err := r.On(s, nil)
	if err != nil {
		return nil, f.wrong(err)
	}
	return sight.Schema, nil
}

// seen are the exemplars that read nothing but what the role sees.
func (f *RoleFlags) seen(items []item.Item, s *schema.Schema) ([]item.Item, error) {
	if f.Role == "" {
		return items, nil
	}
	var out []item.Item
	for _, it := range items {
		_, v, err := sqlcheck.Check(it.SQL, s)
		if err != nil {
			return nil, err
		}
		if v.OK {
			out = append(out, it)
		}
	}
	return out, nil
}

// notes compares a glossary with the database. Of one that nobody named, which goes with the whole database, the notes
// are left out that speak of what the role does not have.
func (f *RoleFlags) notes(name string, notes tools.Notes, s *schema.Schema) (tools.Notes, error) {
	if f.Role == "" || name != "" {
		return notes, checkNotes(name, notes, s)
	}
	return slices.DeleteFunc(notes, func(n tools.Note) bool { return tools.Notes{n}.Check(s) != nil }), nil
}

// DatabaseFlags are of commands that open the database.
type DatabaseFlags struct {
	DBFlag
	ViewsFlag
	RoleFlags
}

// RowsFlag is of commands that show or compare rows.
type RowsFlag struct {
	MaxRows int `help:"Most rows that a query may return (${default})." default:"1000" placeholder:"N" range:"1..10000000" group:"Database:"`
}

// FormatFlags are of commands that show rows of data.
type FormatFlags struct {
	Format     string `help:"table, plain (tab-separated), json, ndjson, csv or markdown; auto, the default, is table on a terminal, else plain. ndjson and csv hold the rows alone." enum:"auto,table,plain,json,ndjson,csv,markdown" default:"auto" placeholder:"FORMAT"`
	Expanded   bool   `short:"x" help:"Of table: the columns of a row below each other, whole, as where a table does not fit the terminal."`
	NoFormulas bool   `help:"Of csv: put an apostrophe before texts that a spreadsheet would take for a formula (= + - @)."`
	Raw        bool   `help:"Of csv: leave ESC and other characters that a terminal would obey as they are; else they become \\x1b and the like."`
}

// Validate makes wrong values usage errors.
func (f *FormatFlags) Validate() error {
	if f.Expanded && f.Format != "auto" && f.Format != "table" {
		return errors.New("--expanded is of --format table")
	}
	return nil
}

// on is the format for a terminal or a pipe.
func (f *FormatFlags) on(con *console) render.Format {
	if f.Expanded {
		return render.Expanded
	}
	return con.format(f.Format)
}

// rows prints rows of data below a text.
func (f *FormatFlags) rows(con *console, above string, res runner.Result) error {
	if f.NoFormulas && f.on(con) == render.CSV {
		res = render.NoFormulas(res)
	}
	con.screen.Raw = f.Raw
	return con.rows(above, res, f.on(con))
}

// QueryFlags are of commands that run queries one by one.
type QueryFlags struct {
	DatabaseFlags
	RowsFlag
}

// DoorFlags are of commands that answer whoever asks, about one database or several.
type DoorFlags struct {
	Timeout time.Duration `help:"Longest time for an answer, its wait excluded (${default}); 0 is unbounded." default:"10m" placeholder:"TIME" range:"0.."`
	PairsFlag
	ProfileFlag
	MethodFlags
	ModelFlags
	DB []string `name:"db" help:"{db}" env:"NL2SQL_DB" sep:"none" default:"embedded" placeholder:"DB" group:"Database:"`
	ViewsFlag
	RoleFlags
	RowsFlag
}

// Validate makes wrong values usage errors.
func (f *DoorFlags) Validate(given *kong.Context) error {
	if err := f.MethodFlags.Validate(given); err != nil { // kong would ask it after this
		return err
	}
	// An empty NL2SQL_DB means the same as none.
	f.DB = slices.DeleteFunc(f.DB, func(db string) bool { return db == "" })
	if len(f.DB) == 0 {
		f.DB = []string{"embedded"}
	}
	switch {
	case f.Role != "" && len(f.DB) > 1:
		return errors.New("--role is of one database: give one --db, and a server for each role")
	case f.Notes != "" && f.Notes != "none" && len(f.DB) > 1:
		return errors.New("--notes is of one database: give one --db, or none for the notes")
	}
	return nil
}

// named is NAME=DB; a DSN has an = behind its ? alone.
var named = regexp.MustCompile(`^([A-Za-z0-9_.-]+)=(.+)$`)

// prepared looks at the model, of which no weights are loaded, and settles by what method it answers.
func (f *DoorFlags) prepared(ctx context.Context, con *console, open *opened) (source, answer.Method, error) {
	src, err := f.source(ctx, con, open, f.remote())
	if err != nil {
		return src, f.method, err
	}
	if src.replay != nil && f.Parallel > 1 {
		return src, f.method, failure{exitUsage, errors.New("scripted replies have one order: --parallel must be 1")}
	}
	src, prompts, err := f.withPrompts(ctx, src, f.Prompts, f.method.Taught())
	return src, f.method.On(prompts, src.inProcess()), err
}

// desk opens the databases of --db, each by its name.
func (f *DoorFlags) desk(ctx context.Context, con *console, open *opened) (*desk.Desk, error) {
	d := &desk.Desk{Longest: f.Timeout, Keep: f.keeper()}
	if err := f.made(); err != nil {
		return nil, err
	}
	for _, spec := range f.DB {
		at, err := f.database(ctx, con, open, spec)
		if err != nil {
			return nil, err
		}
		if slices.Contains(d.Names(), at.Name) {
			return nil, failure{exitUsage,
				fmt.Errorf("two databases are called %s: give each a name, --db NAME=DB", at.Name)}
		}
		d.Databases = append(d.Databases, at)
	}
	return d, nil
}

// database opens one of --db.
func (f *DoorFlags) database(
	ctx context.Context, con *console, open *opened, spec string,
) (d desk.Database, err error) {
	name := ""
	if m := named.FindStringSubmatch(spec); m != nil {
		name, spec = m[1], m[2]
	}
	spec = databaseOf(spec)
	notes, err := readNotes(f.Notes, spec, "")
	if err != nil {
		return d, err
	}
	one := QueryFlags{DatabaseFlags{DBFlag{spec}, f.ViewsFlag, f.RoleFlags}, f.RowsFlag}
	if d.Database, d.Backend, err = one.database(ctx, open, f.Notes, notes); err == nil {
		d.Pairs, err = f.book(con, f.Agent, d.Backend.Database, d.Schema)
	}
	d.Name = cmp.Or(name, d.Backend.Database)
	return d, err
}

// ProvideDB opens the database, and only for commands whose Run asks for one.
func (f *DatabaseFlags) ProvideDB(ctx context.Context, open *opened) (runner.DB, error) {
	return f.open(ctx, open, 0)
}

// ProvideDB opens the database for queries of at most so many rows.
func (f *QueryFlags) ProvideDB(ctx context.Context, open *opened) (runner.DB, error) {
	return f.open(ctx, open, f.MaxRows)
}

func (f *DatabaseFlags) open(ctx context.Context, open *opened, rows int) (runner.DB, error) {
	db, err := f.openAs(ctx, f.DB, runner.Limits{Rows: rows, TrustViews: f.TrustViews})
	if err != nil {
		return nil, err
	}
	open.add(db.Close)
	return db, nil
}

// database opens the database for questions, with the notes that --notes names, or that belong to it.
func (f *QueryFlags) database(
	ctx context.Context, open *opened, named string, notes tools.Notes,
) (d answer.Database, is runner.Backend, err error) {
	db, err := f.open(ctx, open, f.MaxRows)
	if err != nil {
		return d, is, err
	}
	d, is = answer.Database{DB: db}, db.Backend()
	if d.Schema, err = readSchema(ctx, db); err == nil {
		d.Notes, err = f.notes(named, notes, d.Schema)
	}
	return d, is, err
}

// openDB opens what a --db value names.
func openDB(ctx context.Context, spec string, limits runner.Limits) (runner.DB, error) {
	var db runner.DB
	var err error
	engine, name, named := strings.Cut(spec, ":")
	switch {
	case named && name == "":
		return nil, failure{exitUsage, fmt.Errorf("--db %s names no database: nl2sql db list shows them", spec)}
	case engine == "embedded":
		db, err = embedded.Open(ctx, name, limits)
	case engine == inBundle:
		db, err = openBundled(ctx, name, limits)
	case engine == "author":
		db, err = openAuthor(ctx, strings.TrimPrefix(spec, engine), limits)
	case spec == "local":
		db, err = local.Open(ctx, limits)
	case isThere(spec):
		return nil, errors.New("--db names a file or a folder: nl2sql db import FILE makes a database of it")
	case strings.Contains(spec, "/"):
		db, err = runner.Open(ctx, spec, limits)
	default:
		return nil, noDatabase(spec)
	}
	if err != nil {
		return nil, fmt.Errorf("open database: %w", brief(err))
	}
	b := db.Backend()
	slog.Debug("database open", "engine", b.Engine, "version", b.Version, "database", b.Database, "source", b.Source)
	return db, nil
}

func isThere(path string) bool { _, err := os.Stat(path); return err == nil }

// noDatabase is the error of a --db value that means nothing.
func noDatabase(spec string) error {
	names, err := embedded.List()
	if err != nil {
		return err
	}
	there := ":"
	if len(names) > 0 {
		if there = desk.Meant(spec, names); !strings.HasSuffix(there, "?") {
			there += ";"
		}
	}
	return fmt.Errorf("no database %q%s nl2sql db import FILE makes one of a dump; else use embedded, local, "+
		"author:DUMP or a DSN such as user:password@tcp(host:3306)/name", runner.Redact(spec), there)
}

// readSchema is the schema of a database in which something can be asked.
func readSchema(ctx context.Context, db runner.DB) (*schema.Schema, error) {
	s, err := db.Schema(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	if len(s.Tables) == 0 {
		name := db.Backend().Database
		return nil, fmt.Errorf("the database %s has no table that this user may read: GRANT SELECT, or name another "+
			"with --db", name)
	}
	return s, nil
}
