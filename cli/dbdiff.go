package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"nl2sql/evaluation/score"
	"nl2sql/loop/item"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/local"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/syntax"
)

type dbDiffCmd struct {
	Against   string `required:"" help:"The other database: as --db, or local:mysql and local:mariadb for one kind of private server." placeholder:"DB"`
	Items     string `required:"" help:"Questions with gold queries: JSON, JSON lines or CSV." placeholder:"FILE" type:"existingfile"`
	Databases string `help:"Folder of databases, NAME/schema.sql and NAME/data/TABLE.csv or NAME.sql.zst: each item's database is loaded on both sides, which are embedded, local or a DSN: user@tcp(host)/x makes and drops x_NAME there." placeholder:"DIR" type:"existingdir"`
	Examples  int    `help:"Queries shown of each kind of difference (${default})." default:"3" placeholder:"N" range:"0.."`
	FiguresFlag
	QueryFlags
}

// Run compares the gold queries' answers on two databases. Differences are an answer: exit code 2.
func (c *dbDiffCmd) Run(ctx context.Context, con *console) (err error) {
	if c.Role != "" && c.Databases != "" {
		return failure{exitUsage, errors.New("--role is of one database, --databases are several")}
	}
	if c.DB == c.Against {
		return failure{exitUsage, errors.New("--db and --against name the same database")}
	}
	items, err := item.Load(c.Items)
	if err != nil {
		return brief(err)
	}
	// a cut result cannot be compared
	limits := runner.Limits{Rows: max(c.MaxRows, 100_000), Bytes: 256 << 20, TrustViews: c.TrustViews}
	here := &side{name: c.DB, limits: limits, role: &c.RoleFlags}
	there := &side{name: c.Against, limits: limits, role: &c.RoleFlags}
	defer func() { err = errors.Join(err, here.close(), there.close()) }()

	bar := con.progress()
	defer bar.clear()
	var diffs []score.Diff
	databases, err := byDatabase(items, c.Databases)
	if err != nil {
		return err
	}
	for _, group := range databases {
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
	if err == nil && slices.ContainsFunc(diffs, func(d score.Diff) bool { return !d.Kind.OK() }) {
		return failure{code: exitNo}
	}
	return err
}

// byDatabase groups items, the first database first; several need a folder that holds them.
func byDatabase(items []item.Item, folder string) (groups [][]item.Item, err error) {
	for _, it := range items {
		same := func(group []item.Item) bool { return group[0].Database == it.Database }
		if i := slices.IndexFunc(groups, same); i >= 0 {
			groups[i] = append(groups[i], it)
		} else {
			groups = append(groups, []item.Item{it})
		}
	}
	if folder == "" && len(groups) > 1 {
		return nil, failure{exitUsage,
			fmt.Errorf("the items belong to %d databases: name the folder that holds them with --databases",
				len(groups))}
	}
	return groups, nil
}

// diff compares the items of one database.
func (c *dbDiffCmd) diff(
	ctx context.Context, items []item.Item, here, there *side, progress func(),
) (diffs []score.Diff, err error) {
	var script string
	name := items[0].Database
	if c.Databases != "" {
		if !folderName.MatchString(name) {
			return nil, fmt.Errorf("%q of the items is no name of a database in %s", name, c.Databases)
		}
		if script, err = runner.FolderScript(filepath.Join(c.Databases, name)); err != nil {
			return nil, err
		}
	}
	openSide := func(s *side) opener {
		what := s.label()
		if script != "" {
			what += ": database " + name
		}
		return opener{what, func() (runner.DB, error) { return s.open(ctx, name, script) }}
	}
	return diffGolds(ctx, items, openSide(here), openSide(there), progress)
}

// opener opens a database, which errors call by its name.
type opener struct {
	name string
	open func() (runner.DB, error)
}

// diffGolds opens two databases, compares them and closes them again; progress is called in between.
func diffGolds(
	ctx context.Context, items []item.Item, here, there opener, progress func(),
) (diffs []score.Diff, err error) {
	var executors []*score.Executor
	for _, o := range []opener{here, there} {
		db, openErr := o.open()
		if openErr != nil {
			return nil, fmt.Errorf("%s: %w", o.name, openErr)
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		x, openErr := score.NewExecutor(ctx, db)
		if openErr != nil {
			return nil, fmt.Errorf("%s: %w", o.name, openErr)
		}
		executors = append(executors, x)
	}
	progress()
	return score.DiffGolds(ctx, items, executors[0], executors[1], min(runtime.NumCPU(), 8))
}

// folderName keeps the items' database inside the folder, and out of the DSN's syntax.
var folderName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]*$`)

// side is one of the two databases that are compared, or what loads one database after the other.
type side struct {
	name   string // as --db, or local:ENGINE
	limits runner.Limits
	role   *RoleFlags

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
	case strings.Contains(s.name, "/") && !strings.HasPrefix(s.name, "author:"):
		db, err = runner.Create(ctx, besides(s.name, database), strings.NewReader(script), s.limits)
	default:
		err = errors.New("only embedded, local and a DSN can load --databases")
	}
	if err == nil {
		db, err = s.role.as(ctx, db)
	}
	if err == nil {
		s.backend = db.Backend()
	}
	return db, err
}

// besides is a DSN whose database has another one's name behind its own.
func besides(dsn, name string) string {
	slash := strings.LastIndexByte(dsn, '/')
	database, params, _ := strings.Cut(dsn[slash:], "?")
	return dsn[:slash] + database + "_" + name + strings.TrimRight("?"+params, "?")
}

func (s *side) openLocal(ctx context.Context, engine, database, script string) (runner.DB, error) {
	if s.server == nil {
		o, err := local.Scratch(), error(nil)
		if script == "" {
			if o, err = local.Demo(); err != nil {
				return nil, err
			}
		}
		o.Engine = engine
		if s.server, err = local.Start(ctx, o); err != nil {
			return nil, err
		}
	}
	if script == "" {
		return runner.Open(ctx, s.server.DSN(), s.limits)
	}
	return s.server.Create(ctx, database, strings.NewReader(script), s.limits)
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
func (c *dbDiffCmd) report(con *console, diffs []score.Diff, databases int, here, there *side) error {
	for _, s := range []struct {
		word string
		*side
	}{{"here: ", here}, {"there:", there}} {
		fmt.Fprintf(con, "%s %s (%s %s)\n", s.word, s.label(), s.backend.Engine, s.backend.Version)
	}
	fmt.Fprintf(con, "queries: %d, databases: %d\n\n", len(diffs), databases)
	byKind := map[score.DiffKind][]score.Diff{}
	for _, d := range diffs {
		byKind[d.Kind] = append(byKind[d.Kind], d)
	}
	counts := runner.Result{Columns: []string{"queries", "share", "how they compare"}}
	for _, kind := range score.DiffKinds {
		if n := len(byKind[kind]); n > 0 {
			counts.Rows = append(counts.Rows,
				[]any{int64(n), fmt.Sprintf("%.2f %%", 100*float64(n)/float64(len(diffs))), string(kind)})
		}
	}
	if err := con.table(counts, con.format(c.Format)); err != nil {
		return err
	}
	for _, kind := range score.DiffKinds {
		list := byKind[kind]
		if kind == score.DiffSame || kind == score.DiffEqual || len(list) == 0 {
			continue
		}
		for _, d := range list[:min(c.Examples, len(list))] {
			where := ""
			if d.Item.Database != "" {
				where = d.Item.Database + ": "
			}
			fmt.Fprintf(con, "\n%s: %s%s\n  here:  %s\n  there: %s\n", kind, render.Visible(where),
				render.Visible(syntax.OneLine(d.Item.SQL)), outcomeText(d.Here), outcomeText(d.There))
		}
	}
	return nil
}

// outcomeText is the error, or the first rows.
func outcomeText(o score.Outcome) string {
	if !o.OK() {
		return render.Visible(o.Error)
	}
	const most = 3
	text := o.Result.RowCount()
	for i, row := range o.Result.Rows[:min(most, len(o.Result.Rows))] {
		cells := syntax.Map(row, func(v any) string { return syntax.Clip(render.Visible(render.CellText(v)), 40) })
		text += map[bool]string{true: ": ", false: "; "}[i == 0] + strings.Join(cells, ", ")
	}
	if len(o.Result.Rows) > most {
		text += "; …"
	}
	return text
}

// diffLine is one line of --format ndjson.
type diffLine struct {
	Kind     score.DiffKind `json:"kind"`
	Database string         `json:"database,omitempty"`
	Question string         `json:"question"`
	SQL      string         `json:"sql"`
	Here     diffSide       `json:"here"`
	There    diffSide       `json:"there"`
}

type diffSide struct {
	Rows  *int   `json:"rows"` // null if there is an error
	Error string `json:"error,omitempty"`
	Code  uint16 `json:"code,omitempty"`
	Text  string `json:"first,omitempty"` // the first rows of a result that differs
}

func writeDiffs(con *console, diffs []score.Diff) error {
	for _, d := range diffs {
		part := func(o score.Outcome) diffSide {
			s := diffSide{Error: o.Error, Code: o.Code}
			if o.OK() {
				n := len(o.Result.Rows)
				s.Rows = &n
				if d.Kind != score.DiffSame && d.Kind != score.DiffEqual {
					s.Text = outcomeText(o)
				}
			}
			return s
		}
		if err := render.WriteJSON(con,
			diffLine{d.Kind, d.Item.Database, d.Item.Question, d.Item.SQL, part(d.Here), part(d.There)}); err != nil {
			return err
		}
	}
	return nil
}
