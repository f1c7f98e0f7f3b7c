package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nl2sql/assets"
	"nl2sql/evaluation/dissertation"
	"nl2sql/evaluation/score"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/local"
	"nl2sql/runner/render"
)

// DBFlag is of commands that are about a database.
type DBFlag struct {
	DB string `name:"db" help:"embedded (the demo database), embedded:NAME (an imported one), local (a private server), author:DUMP (what the dissertation's runs saw), or a DSN: user:password@tcp(host:3306)/name." env:"NL2SQL_DB" default:"embedded" placeholder:"DB" group:"Database:"`
}

// Validate lets an empty NL2SQL_DB mean the same as none.
func (f *DBFlag) Validate() error {
	if f.DB == "" {
		f.DB = "embedded"
	}
	return nil
}

// DatabaseFlags are of commands that open the database.
type DatabaseFlags struct {
	DBFlag
	TrustViews bool `help:"Also take in views that call stored functions: they may do whatever their makers may." group:"Database:"`
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

// maxScoredRows is how many rows of a result are compared; one that has more equals nothing (dissertation.md §5.3).
const maxScoredRows = 10000

// databases are those of items: in a folder, or all items are about --db where folder is "".
func (f *DatabaseFlags) databases(folder string, limits runner.Limits) *score.Databases {
	limits.TrustViews = f.TrustViews
	return &score.Databases{Open: func(ctx context.Context, name string) (runner.DB, error) {
		if folder != "" {
			return embedded.OpenFolder(ctx, folder, name, limits)
		}
		return openDB(ctx, f.DB, limits)
	}}
}

// scored are the databases on which predictions are scored.
func (f *DatabaseFlags) scored(folder string) *score.Databases {
	return f.databases(folder, runner.Limits{Rows: maxScoredRows})
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
		return nil, fmt.Errorf("no database %q: use embedded, embedded:NAME, local, author:DUMP or a DSN such as user:password@tcp(host:3306)/name", runner.Redact(spec))
	}
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	b := db.Backend()
	slog.Debug("database open", "engine", b.Engine, "version", b.Version, "database", b.Database, "source", b.Source)
	return db, nil
}

// authorEngines are those that the author's database can be made on, the nearest to the recorded one first.
var authorEngines = []string{"mysql", "mariadb", "embedded"}

// authorSettings let a server break ties as the recorded one did: grouped rows go to a temporary table on disk, and of
// rows that tie those come first that were grouped first.
var authorSettings = map[string]string{"mysql": "big_tables=1"}

// dumpName is the stock dump in the cache folder.
const dumpName = "classicmodels.sql"

// openAuthor makes the database that the dissertation's recorded runs saw. rest is what follows "author" in --db:
// "", ":ENGINE", ":DUMP" or ":ENGINE:DUMP".
func openAuthor(ctx context.Context, rest string, limits runner.Limits) (runner.DB, error) {
	engine, file := authorEngines[0], strings.TrimPrefix(rest, ":")
	if name, after, _ := strings.Cut(file, ":"); slices.Contains(authorEngines, name) {
		engine, file = name, after
	}
	dump, err := stockDump(file)
	if err != nil {
		return nil, err
	}
	if engine == "embedded" {
		script, err := dissertation.StockScript(bytes.NewReader(dump), engine)
		if err != nil {
			return nil, err
		}
		stock, err := embedded.OpenDump(ctx, assets.DemoName, bytes.NewReader(script), limits)
		if err != nil {
			return nil, err
		}
		db, err := stock.Clone(ctx, dissertation.AuthorRows)
		return db, errors.Join(err, stock.Close())
	}
	script, err := dissertation.AuthorScript(bytes.NewReader(dump), engine)
	if err != nil {
		return nil, err
	}
	return local.OpenWith(ctx, local.Options{
		Engine: engine, Database: assets.DemoName, Load: bytes.NewReader(script), Log: func(line string) { slog.Warn(line) },
	}, authorSettings[engine], limits)
}

// stockDump reads the dump of the stock sample; "" takes the one in the cache folder.
func stockDump(file string) ([]byte, error) {
	if file != "" {
		dump, err := os.ReadFile(file)
		return dump, brief(err)
	}
	cache, err := runner.CacheFolder()
	if err != nil {
		return nil, err
	}
	file = filepath.Join(cache, dumpName)
	dump, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the stock ClassicModels dump is not part of nl2sql: name it (--db author:FILE) or put it at %s; "+
			"it is mysqlsampledatabase.sql of github.com/hhorak/mysql-sample-db", file)
	}
	return dump, brief(err)
}
