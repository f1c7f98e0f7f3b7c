package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/local"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// DBFlag is of commands that are about a database.
type DBFlag struct {
	DB string `name:"db" help:"${db}" env:"NL2SQL_DB" default:"embedded" placeholder:"DB" group:"Database:"`
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

// DatabaseFlags are of commands that open the database.
type DatabaseFlags struct {
	DBFlag
	ViewsFlag
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

// ProvideDB opens the database, and only for commands whose Run asks for one.
func (f *DatabaseFlags) ProvideDB(ctx context.Context, open *opened) (runner.DB, error) {
	return f.open(ctx, open, 0)
}

// ProvideDB opens the database for queries of at most so many rows.
func (f *QueryFlags) ProvideDB(ctx context.Context, open *opened) (runner.DB, error) {
	return f.open(ctx, open, f.MaxRows)
}

func (f *DatabaseFlags) open(ctx context.Context, open *opened, rows int) (runner.DB, error) {
	db, err := openDB(ctx, f.DB, runner.Limits{Rows: rows, TrustViews: f.TrustViews})
	if err != nil {
		return nil, err
	}
	open.add(db.Close)
	return db, nil
}

// openDB opens what a --db value names.
func openDB(ctx context.Context, spec string, limits runner.Limits) (runner.DB, error) {
	var db runner.DB
	var err error
	engine, name, _ := strings.Cut(spec, ":")
	switch {
	case engine == "embedded":
		db, err = embedded.Open(ctx, name, limits)
	case engine == "author":
		db, err = openAuthor(ctx, strings.TrimPrefix(spec, engine), limits)
	case spec == "local":
		db, err = local.Open(ctx, limits)
	case strings.Contains(spec, "/"):
		db, err = runner.Open(ctx, spec, limits)
	default:
		return nil, noDatabase(spec)
	}
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	b := db.Backend()
	slog.Debug("database open", "engine", b.Engine, "version", b.Version, "database", b.Database, "source", b.Source)
	return db, nil
}

// noDatabase is the error of a --db value that means nothing.
func noDatabase(spec string) error {
	names, err := embedded.List()
	if err != nil {
		return err
	}
	for i, near := range syntax.NearNames(spec, names) {
		if i == 0 {
			return fmt.Errorf("no database %q: did you mean %s? nl2sql db list shows the imported ones",
				runner.Redact(spec), near)
		}
	}
	return fmt.Errorf("no database %q: nl2sql db import FILE makes one of a dump; else use embedded, local, "+
		"author:DUMP or a DSN such as user:password@tcp(host:3306)/name", runner.Redact(spec))
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
