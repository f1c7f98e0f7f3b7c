package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"nl2sql/assets"
	"nl2sql/evaluation"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/local"
	"nl2sql/runner/render"
	"nl2sql/tools"
)

type dbDiffCmd struct {
	Against   string `required:"" help:"The other database: as --db, or local:mysql and local:mariadb for one kind of private server." placeholder:"DB"`
	Items     string `required:"" help:"Questions with gold queries: JSON, JSON lines or CSV." placeholder:"FILE" type:"existingfile"`
	Databases string `help:"Folder of DATABASE/schema.sql and DATABASE/data/TABLE.csv: each item's database is loaded on both sides, which are embedded or local." placeholder:"DIR" type:"existingdir"`
	Examples  int    `help:"Queries shown of each kind of difference (${default})." default:"3" placeholder:"N"`
	Format    string `help:"table, or ndjson: a line for each item." enum:"table,ndjson" default:"table" placeholder:"FORMAT"`
}

// Run compares the gold queries' answers on two databases. Differences are an answer: exit code 2.
func (c *dbDiffCmd) Run(ctx context.Context, con *console, app *cli) (err error) {
	if app.DB == c.Against {
		return failure{exitUsage, errors.New("--db and --against name the same database")}
	}
	items, err := evaluation.LoadItems(c.Items)
	if err != nil {
		return brief(err)
	}
	limits := runner.Limits{Rows: max(app.MaxRows, 100_000), Bytes: 256 << 20, TrustViews: app.TrustViews} // a cut result cannot be compared
	here, there := &side{name: app.DB, limits: limits}, &side{name: c.Against, limits: limits}
	defer func() { err = errors.Join(err, here.close(), there.close()) }()

	bar := con.progress()
	defer bar.clear()
	var diffs []evaluation.Diff
	databases := byDatabase(items)
	for _, group := range databases {
		if c.Databases == "" && len(databases) > 1 {
			return failure{exitUsage, fmt.Errorf("the items belong to %d databases: name the folder that holds them with --databases", len(databases))}
		}
		part, err := c.diff(ctx, group, here, there, func() {
			bar.show("%d databases, %d of %d queries", len(databases), len(diffs), len(items))
		})
		if err != nil {
			return err
		}
		diffs = append(diffs, part...)
	}
	if c.Format == "ndjson" {
		err = writeDiffs(con, diffs)
	} else {
		err = c.report(con, diffs, len(databases), here, there)
	}
	if err == nil && slices.ContainsFunc(diffs, func(d evaluation.Diff) bool { return !d.Kind.OK() }) {
		return failure{code: exitNo}
	}
	return err
}

// byDatabase groups items, the first database first.
func byDatabase(items []evaluation.Item) [][]evaluation.Item {
	var groups [][]evaluation.Item
	place := map[string]int{}
	for _, it := range items {
		i, ok := place[it.Database]
		if !ok {
			i = len(groups)
			place[it.Database] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], it)
	}
	return groups
}

// diff compares the items of one database.
func (c *dbDiffCmd) diff(ctx context.Context, items []evaluation.Item, here, there *side, progress func()) (diffs []evaluation.Diff, err error) {
	var script string
	name := items[0].Database
	if c.Databases != "" {
		if !folderName.MatchString(name) {
			return nil, fmt.Errorf("%q of the items is no name of a folder in %s", name, c.Databases)
		}
		if script, err = runner.FolderScript(filepath.Join(c.Databases, name)); err != nil {
			return nil, err
		}
	}
	var executors []*evaluation.Executor
	for _, s := range []*side{here, there} {
		db, openErr := s.open(ctx, name, script)
		if openErr == nil {
			defer func() { err = errors.Join(err, db.Close()) }()
			var x *evaluation.Executor
			x, openErr = evaluation.NewExecutor(ctx, db)
			executors = append(executors, x)
		}
		if openErr != nil {
			if script != "" {
				openErr = fmt.Errorf("database %s: %w", name, openErr)
			}
			return nil, fmt.Errorf("%s: %w", s.label(), openErr)
		}
	}
	progress()
	return evaluation.DiffGolds(ctx, items, executors[0], executors[1], min(runtime.NumCPU(), 8), nil)
}

// folderName keeps the items' database inside the folder, and out of the DSN's syntax.
var folderName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]*$`)

// side is one of the two databases that are compared, or what loads one database after the other.
type side struct {
	name   string // as --db, or local:ENGINE
	limits runner.Limits

	server  *local.Server // the private one, once it runs
	backend runner.Backend
}

// open gives the database that the side names or, with a script, the one that it makes.
func (s *side) open(ctx context.Context, database, script string) (db runner.DB, err error) {
	engine, isLocal := strings.CutPrefix(s.name, "local")
	switch {
	case isLocal && (engine == "" || engine == ":mysql" || engine == ":mariadb"):
		db, err = s.openLocal(ctx, strings.TrimPrefix(engine, ":"), database, script)
	case script == "":
		db, err = openDB(ctx, s.name, s.limits)
	case s.name == "embedded":
		db, err = embedded.OpenDump(ctx, database, strings.NewReader(script), s.limits)
	default:
		err = errors.New("only embedded and local can load --databases")
	}
	if err == nil {
		s.backend = db.Backend()
	}
	return db, err
}

// scratchDatabase is that of a private server whose real databases come and go.
const scratchDatabase = "scratch"

func (s *side) openLocal(ctx context.Context, engine, database, script string) (runner.DB, error) {
	if s.server == nil {
		o := local.Options{Engine: engine, Database: assets.DemoName, Log: func(line string) { slog.Warn(line) }}
		demo, err := assets.DemoSQL()
		if err != nil {
			return nil, err
		}
		o.Load = bytes.NewReader(demo)
		if script != "" {
			o.Database, o.Load = scratchDatabase, strings.NewReader("SELECT 1;")
		}
		if s.server, err = local.Start(ctx, o); err != nil {
			return nil, err
		}
	}
	if script == "" {
		return runner.Open(ctx, s.server.DSN(), s.limits)
	}
	admin := s.server.AdminDSN()
	dsn := strings.TrimSuffix(admin, scratchDatabase) + database
	if err := dropDatabase(ctx, admin, database); err != nil { // of a run that was killed
		return nil, err
	}
	if err := runner.ExecScript(ctx, dsn, strings.NewReader(script), nil); err != nil {
		return nil, err
	}
	db, err := runner.Open(ctx, dsn, s.limits)
	if err != nil {
		return nil, err
	}
	return dropped{db, func() error { return dropDatabase(context.WithoutCancel(ctx), admin, database) }}, nil
}

// dropped is a database that its Close drops.
type dropped struct {
	runner.DB
	drop func() error
}

func (d dropped) Close() error { return errors.Join(d.DB.Close(), d.drop()) }

func dropDatabase(ctx context.Context, dsn, name string) error {
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "DROP DATABASE IF EXISTS "+runner.QuoteName(name))
	return errors.Join(err, db.Close())
}

func (s *side) close() error {
	if s.server == nil {
		return nil
	}
	return s.server.Close()
}

// label is the name without a DSN's password.
func (s *side) label() string {
	if strings.Contains(s.name, "/") {
		return runner.Redact(s.name)
	}
	return s.name
}

// report prints the counts and some queries of each kind of difference.
func (c *dbDiffCmd) report(con *console, diffs []evaluation.Diff, databases int, here, there *side) error {
	for _, s := range []struct {
		word string
		*side
	}{{"here: ", here}, {"there:", there}} {
		fmt.Fprintf(con, "%s %s (%s %s)\n", s.word, s.label(), s.backend.Engine, s.backend.Version)
	}
	fmt.Fprintf(con, "queries: %d, databases: %d\n\n", len(diffs), databases)
	byKind := map[evaluation.DiffKind][]evaluation.Diff{}
	for _, d := range diffs {
		byKind[d.Kind] = append(byKind[d.Kind], d)
	}
	tw := tabwriter.NewWriter(con, 0, 8, 2, ' ', tabwriter.AlignRight)
	for _, kind := range evaluation.DiffKinds {
		if n := len(byKind[kind]); n > 0 {
			fmt.Fprintf(tw, "%d\t%.2f %%\t  %s\n", n, 100*float64(n)/float64(len(diffs)), kind)
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, kind := range evaluation.DiffKinds {
		list := byKind[kind]
		if kind == evaluation.DiffSame || kind == evaluation.DiffEqual || len(list) == 0 {
			continue
		}
		for _, d := range list[:min(c.Examples, len(list))] {
			where := ""
			if d.Item.Database != "" {
				where = d.Item.Database + ": "
			}
			fmt.Fprintf(con, "\n%s: %s%s\n  here:  %s\n  there: %s\n", kind, render.Visible(where), render.Visible(oneSpace(d.Item.SQL)), outcomeText(d.Here), outcomeText(d.There))
		}
	}
	return nil
}

func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// outcomeText is the error, or the first rows.
func outcomeText(o evaluation.Outcome) string {
	if !o.OK() {
		return render.Visible(o.Error)
	}
	const most = 3
	text := o.Result.RowCount()
	for i, row := range o.Result.Rows[:min(most, len(o.Result.Rows))] {
		cells := make([]string, len(row))
		for j, v := range row {
			cells[j] = tools.Clip(render.Visible(render.CellText(v)), 40)
		}
		text += map[bool]string{true: ": ", false: "; "}[i == 0] + strings.Join(cells, ", ")
	}
	if len(o.Result.Rows) > most {
		text += "; …"
	}
	return text
}

// diffLine is one line of --format ndjson.
type diffLine struct {
	Kind     evaluation.DiffKind `json:"kind"`
	Database string              `json:"database,omitempty"`
	Question string              `json:"question"`
	SQL      string              `json:"sql"`
	Here     diffSide            `json:"here"`
	There    diffSide            `json:"there"`
}

type diffSide struct {
	Rows  *int   `json:"rows"` // null if there is an error
	Error string `json:"error,omitempty"`
	Code  uint16 `json:"code,omitempty"`
	Text  string `json:"first,omitempty"` // the first rows of a result that differs
}

func writeDiffs(con *console, diffs []evaluation.Diff) error {
	enc := json.NewEncoder(con)
	enc.SetEscapeHTML(false)
	for _, d := range diffs {
		part := func(o evaluation.Outcome) diffSide {
			s := diffSide{Error: o.Error, Code: o.Code}
			if o.OK() {
				n := len(o.Result.Rows)
				s.Rows = &n
				if d.Kind != evaluation.DiffSame && d.Kind != evaluation.DiffEqual {
					s.Text = outcomeText(o)
				}
			}
			return s
		}
		if err := enc.Encode(diffLine{d.Kind, d.Item.Database, d.Item.Question, d.Item.SQL, part(d.Here), part(d.There)}); err != nil {
			return err
		}
	}
	return nil
}
