package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"nl2sql/assets"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/files"
	"nl2sql/runner/profile"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

type schemaCmd struct {
	Question []string `arg:"" optional:"" help:"Question: instead of the schema, print what a model would see with it."`
	Format   string   `help:"text, ddl (CREATE TABLE statements) or json." enum:"text,ddl,json" default:"text" placeholder:"FORMAT"`
	Raw      bool     `help:"Of ddl: leave ESC and other characters that a terminal would obey as they are; else they become \\x1b and the like."`
	Prompts  string   `help:"Prompt set of what is printed for a question: ${enum}. Built-in adapters read ${default}." enum:"default,typed,dissertation" default:"typed" placeholder:"SET"`
	Notes    string   `help:"Glossary of the database, for a question; the demo database brings its own; none leaves it out. Named, it is checked, and shown with the words that each line and each comment catches: all of them, or those that the question holds." placeholder:"FILE"`
	ProfileFlag
	DatabaseFlags
}

// Run prints the schema that checks, prompts and guards see, or the prompt that asks for SQL.
func (c *schemaCmd) Run(ctx context.Context, con *console, db runner.DB) error {
	s, err := readSchema(ctx, db)
	if err != nil {
		return err
	}
	found, err := profile.Of(ctx, db, s)
	if err != nil {
		return err
	}
	s = found.On(s)
	notes, err := readNotes(c.Notes, c.DB, "")
	if err == nil {
		notes, err = c.notes(c.Notes, notes, s)
	}
	asked := strings.Join(c.Question, " ")
	switch {
	case err != nil:
		return err
	case asked != "":
		return c.prompt(con, asked, s, notes)
	case c.Notes != "" && c.Format == "text":
		return listNotes(con, slices.Concat(notes, tools.CommentNotes(s)), "")
	}
	switch c.Format {
	case "json":
		return writeObject(con, s)
	case "ddl":
		for i := range s.Tables {
			ddl := s.Tables[i].DDL()
			if !c.Raw {
				ddl = render.Disarmed(ddl)
			}
			fmt.Fprintln(con, ddl)
		}
		return nil
	}
	var b bytes.Buffer
	for i := range s.Tables {
		if i > 0 {
			b.WriteByte('\n')
		}
		if err := describe(con, &b, &s.Tables[i]); err != nil {
			return err
		}
	}
	return con.page(b.Bytes())
}

// prompt prints what generate_sql sends to a model.
func (c *schemaCmd) prompt(con *console, asked string, s *schema.Schema, notes tools.Notes) error {
	prompts, err := tools.NewPrompts(c.Prompts, notes)
	if err != nil {
		return err
	}
	env := tools.Env{Asked: question.Read(asked, s), Schema: s}
	env.Focus, _ = prompts.Focus(env.Asked, s)
	msgs, err := prompts.Generate(env)
	if err != nil {
		return err
	}
	printPrompt(con, msgs)
	if c.Notes == "" {
		return nil
	}
	fmt.Fprintln(con, "-- notes --")
	return listNotes(con, slices.Concat(notes, tools.CommentNotes(s)), asked)
}

// listNotes prints which words of a question each note catches, and its meaning; of one question those that it holds.
func listNotes(con *console, notes tools.Notes, asked string) error {
	res := runner.Result{Columns: []string{"note", "catches", "meaning"}}
	for _, n := range notes {
		line, words := "comment", strings.Join(n.Terms, ", ")
		if n.Line > 0 {
			line = fmt.Sprintf("line %d", n.Line)
		}
		if asked != "" {
			words = n.Catches(asked)
		}
		if words != "" {
			res.Rows = append(res.Rows, []any{line, words, n.Meaning})
		}
	}
	return con.table(res, con.format("auto"))
}

// describe writes one table: a line with its size, then its columns.
func describe(con *console, w io.Writer, t *schema.Table) error {
	rows := ""
	if t.Rows > 0 {
		rows = fmt.Sprintf(" (%d rows)", t.Rows)
	}
	if t.Comment != "" {
		rows += " " + strconv.Quote(t.Comment)
	}
	fmt.Fprintf(w, "%s%s\n", render.Visible(t.Name), render.Visible(rows))
	res := runner.Result{Columns: []string{"column", "type", "null", "key", "about"}}
	for _, col := range t.Columns {
		null := "not null"
		if col.Nullable {
			null = "null"
		}
		var about []string
		for _, fk := range t.ForeignKeys {
			for i, name := range fk.Columns {
				if strings.EqualFold(name, col.Name) && i < len(fk.RefColumns) {
					text := "→ " + fk.RefTable + "." + fk.RefColumns[i]
					if fk.Inferred {
						text += " (inferred)"
					}
					about = append(about, text)
				}
			}
		}
		if strings.EqualFold(t.InferredKey, col.Name) {
			about = append(about, "a key (inferred)")
		}
		if len(col.Values) > 0 {
			about = append(about, "= "+someValues(col))
		}
		if col.Comment != "" {
			about = append(about, strconv.Quote(col.Comment))
		}
		res.Rows = append(res.Rows, []any{col.Name, col.Type, null, strings.ToLower(col.Key), strings.Join(about, " ")})
	}
	return con.tableTo(w, res, con.format("auto"))
}

// someValues lists the first known values of a column, eight at most and fewer of long ones; json lists all.
func someValues(col schema.Column) string {
	most, long := 0, 0
	for _, v := range col.Values[:min(len(col.Values), 8)] {
		if long += len(v) + 2; most > 0 && long > 80 {
			break
		}
		most++
	}
	text := strings.Join(col.Values[:most], ", ")
	switch n := len(col.Values); {
	case n > most && col.Complete:
		return fmt.Sprintf("%s, … (%d values)", text, n)
	case n > most || !col.Complete:
		return text + ", …"
	}
	return text
}

type dbCmd struct {
	Query   dbQueryCmd   `cmd:"" help:"Check one SELECT and run it."`
	Import  dbImportCmd  `cmd:"" help:"Load a dump, as mysqldump writes it, CSV, Excel, JSON, Parquet or SQLite files into the cache, for --db NAME."`
	Use     dbUseCmd     `cmd:"" help:"Choose the database of commands that are not told --db, in the settings file."`
	Notes   dbNotesCmd   `cmd:"" help:"Keep a glossary with an imported database, or show the one that is kept."`
	Profile dbProfileCmd `cmd:"" help:"Tell what the rows show: gaps, ranges, numbers kept as texts, and keys and references that nobody declared, which questions use."`
	List    dbListCmd    `cmd:"" help:"List the imported databases: tables, rows, size, time of the import."`
	Remove  dbRemoveCmd  `cmd:"" help:"Delete an imported database."`
	Diff    dbDiffCmd    `cmd:"" help:"Run the gold queries of a file on two databases and tell where the answers differ."`
	Init    dbInitCmd    `cmd:"" help:"Create the demo database on the server of --db, in a database that is not there yet, or empty."`
}

type dbQueryCmd struct {
	SQL string `arg:"" name:"sql" help:"Statement, or - for stdin."`
	ProfileFlag
	FormatFlags
	QueryFlags
}

// maxSQL bounds one statement, in bytes.
const maxSQL = 1 << 20

// ProvideStatement reads the statement before a database is opened.
func (c *dbQueryCmd) ProvideStatement(ctx context.Context, con *console) (statement, error) {
	sql, err := readInput(ctx, con, "statement", c.SQL, maxSQL)
	return statement(sql), err
}

type statement string

// Run executes one statement that passed the same check as a model's.
func (c *dbQueryCmd) Run(ctx context.Context, con *console, sql statement, db runner.DB) error {
	s, err := db.Schema(ctx)
	if err != nil {
		return fmt.Errorf("read the schema: %w", err)
	}
	q, v, err := sqlcheck.Check(string(sql), s)
	if err != nil {
		return err
	}
	if !v.OK {
		return failure{exitNo, fmt.Errorf("rejected: %s%s", v, hint(v))}
	}
	res, err := db.Query(ctx, q)
	if err != nil {
		return refused(err)
	}
	return c.rows(con, "", res)
}

func hint(v sqlcheck.Verdict) string {
	if v.Hint == "" {
		return ""
	}
	return " (" + v.Hint + ")"
}

type dbImportCmd struct {
	File     string `arg:"" help:"Dump, CSV or JSON file, also compressed by gzip or zstd; Excel workbook, a table a sheet; Parquet file; folder or zip file of such, a table each; SQLite database; or - for a dump on stdin."`
	Name     string `help:"Name of the database: lower-case letters, digits, _ and -; the file's name if absent." placeholder:"NAME"`
	Database string `help:"Of a dump of several databases: the one to load." placeholder:"NAME"`
	Notes    string `help:"Glossary to keep with the database, as nl2sql db notes does." placeholder:"FILE"`
	Replace  bool   `help:"Replace a database of the same name; the glossary that is kept with it stays."`
	Strict   bool   `help:"Exit with 1 if anything was left out; what was read is imported."`
	DryRun   bool   `help:"Say what would be read of CSV, Excel, JSON and Parquet files: how, columns, types, values, doubts. Nothing is imported."`
	Format   string `help:"text or json: the report." enum:"text,json" default:"text" placeholder:"FORMAT"`

	Read embedded.ReadOptions `embed:""`
}

// Run makes the database aside, so a failure changes nothing.
func (c *dbImportCmd) Run(ctx context.Context, con *console) error {
	name := cmp.Or(c.Name, embedded.NameOf(c.File))
	if name == "embedded" || name == "local" {
		return failure{exitUsage, fmt.Errorf("--db %s means another database: choose a --name", name)}
	}
	if c.Notes != "" {
		if _, err := readNotes(c.Notes, "", ""); err != nil { // before the work
			return err
		}
	}
	bar := con.progress()
	o := embedded.ImportOptions{Replace: c.Replace, Database: c.Database, Read: c.Read, DryRun: c.DryRun}
	o.Progress = func(read, of int64) {
		if of > 0 {
			bar.show("importing %3d %%", 100*read/of)
		} else {
			bar.show("importing, %d MB read", read>>20)
		}
	}
	var report embedded.ImportReport
	var err error
	if c.File == "-" {
		report, err = embedded.Import(ctx, name, con.in, o)
	} else {
		report, err = embedded.ImportFile(ctx, name, c.File, o)
	}
	bar.clear()
	if missing, ok := errors.AsType[*fs.PathError](err); ok && missing.Path == c.File {
		return brief(err)
	}
	if err != nil {
		return fmt.Errorf("import %s: %w", c.File, err)
	}
	if c.Notes != "" && !c.DryRun {
		if err := keepNotes(ctx, con, name, c.Notes); err != nil {
			return fmt.Errorf("%s is imported, without its notes: %w", name, err)
		}
	}
	if c.Name == "" && c.File != "-" && name != embedded.PlainName(c.File) {
		con.note("the database is named " + name)
	}
	switch {
	case c.Format == "json":
		err = writeObject(con, report)
	case c.DryRun:
		err = dryRun(con, report)
	default:
		imported(con, report)
	}
	if c.Strict && len(report.Left) > 0 && err == nil {
		err = fmt.Errorf("import %s: --strict, and %d were left out: %s", c.File, len(report.Left), report.Left[0])
	}
	return err
}

// imported prints what an import did.
func imported(con *console, report embedded.ImportReport) {
	views := ""
	if report.Views > 0 {
		views = fmt.Sprintf(", %d views", report.Views)
	}
	fmt.Fprintf(con, "imported %d tables%s and %d rows: --db %s, or nl2sql db use %[4]s\n", report.Tables, views, report.Rows,
		report.Name)
	for _, line := range report.Doubts() {
		fmt.Fprintln(con, render.Visible(line))
	}
	for _, what := range slices.Sorted(maps.Keys(report.Skipped)) {
		fmt.Fprintf(con, "passed over: %s %s\n", what, strings.Join(report.Skipped[what], ", "))
	}
	if len(report.Spatial) > 0 {
		fmt.Fprintf(con, "shapes as texts, without functions on them: %s\n", strings.Join(report.Spatial, ", "))
	}
	if len(report.Near) > 0 {
		fmt.Fprintf(con, "texts compare otherwise: %s\n", strings.Join(report.Near, ", "))
	}
}

// dryRun prints what would be imported: a table with its columns after the other.
func dryRun(con *console, report embedded.ImportReport) error {
	for _, t := range report.Read {
		fmt.Fprintf(con, "%s, %d rows of %s", render.Visible(t.Name), t.Rows, render.Visible(t.File))
		if t.Read != "" {
			fmt.Fprintf(con, " (%s)", t.Read)
		}
		fmt.Fprintln(con)
		res := runner.Result{Columns: []string{"column", "type", "first values"}}
		for _, c := range t.Columns {
			res.Rows = append(res.Rows, []any{c.Name, c.Type, strings.Join(c.Values, " | ")})
		}
		if err := con.table(res, con.format("auto")); err != nil {
			return err
		}
		for _, doubt := range t.Doubts {
			fmt.Fprintln(con, render.Visible(doubt))
		}
	}
	for _, line := range report.Left {
		fmt.Fprintf(con, "left out: %s\n", render.Visible(line))
	}
	return nil
}

type dbUseCmd struct {
	Name string `arg:"" help:"Name of an imported database, or what else --db takes."`
	ProfileFlag
}

// Run opens the database first, but for a server that would have to be started.
func (c *dbUseCmd) Run(ctx context.Context, con *console, open *opened, set *set) error {
	spec := databaseOf(c.Name)
	if spec != "local" {
		if _, err := (&DatabaseFlags{DBFlag: DBFlag{spec}}).open(ctx, open, 0); err != nil {
			return errors.New(strings.ReplaceAll(err.Error(), c.Name, runner.Redact(c.Name)))
		}
	}
	if name := strings.TrimPrefix(spec, "embedded:"); databaseOf(name) == spec {
		spec = name
	}
	return set.keep(con, "db", spec)
}

type dbNotesCmd struct {
	Name string `arg:"" help:"Name of an imported database."`
	File string `arg:"" optional:"" help:"Glossary, a line each: term, synonym = meaning in SQL; none removes the one that is kept. Without it, that is shown."`
}

// Run keeps a glossary that fits the database.
func (c *dbNotesCmd) Run(ctx context.Context, con *console) error {
	name := strings.TrimPrefix(c.Name, "embedded:")
	switch c.File {
	case "":
		_, err := embedded.Describe(name)
		if err != nil {
			return err
		}
		text, err := embedded.Notes(name)
		if text == "" && err == nil {
			con.note("no notes are kept with " + name)
		}
		fmt.Fprint(con, render.VisibleLines(text))
		return err
	case "none":
		con.note("no notes are kept with " + name + " any more")
		return embedded.KeepNotes(name, "")
	}
	return keepNotes(ctx, con, name, c.File)
}

// keepNotes keeps the glossary of a file with an imported database, whose names it must know, and says what is new.
func keepNotes(ctx context.Context, con *console, name, file string) error {
	notes, err := readNotes(file, "", "")
	if err != nil {
		return err
	}
	db, err := openDB(ctx, "embedded:"+name, runner.Limits{})
	if err != nil {
		return err
	}
	s, err := db.Schema(ctx)
	if err == nil {
		err = checkNotes(file, notes, s)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	text, err := files.Read(file, maxNotes)
	if err != nil {
		return brief(err)
	}
	before, err := embedded.Notes(name)
	if err == nil {
		err = embedded.KeepNotes(name, string(text))
	}
	if err != nil {
		return err
	}
	there, _ := tools.ParseNotes(strings.NewReader(before)) // what cannot be read had none
	fresh := slices.DeleteFunc(slices.Clone(notes), func(n tools.Note) bool {
		return slices.ContainsFunc(there, func(t tools.Note) bool { return t.String() == n.String() })
	})
	con.note(fmt.Sprintf("kept %d notes with %s, %d of them new", len(notes), name, len(fresh)))
	return nil
}

type dbListCmd struct{}

// Run prints a database a line.
func (*dbListCmd) Run(con *console) error {
	names, err := embedded.List()
	if err != nil {
		return err
	}
	res := runner.Result{Columns: []string{"name", "tables", "views", "rows", "MB", "imported"}}
	for _, name := range names {
		s, err := embedded.Describe(name)
		if err != nil {
			res.Rows = append(res.Rows, []any{name, nil, nil, nil, nil, err.Error()})
			continue
		}
		size := runner.Decimal(fmt.Sprintf("%.1f", float64(s.Bytes)/1e6))
		res.Rows = append(res.Rows,
			[]any{name, int64(s.Tables), int64(s.Views), int64(s.Rows), size, s.Time.Format(time.DateTime)})
	}
	if len(names) == 0 {
		con.note("no database has been imported: nl2sql db import --help tells how")
		return nil
	}
	return con.table(res, con.format("auto"))
}

type dbRemoveCmd struct {
	Name string `arg:"" help:"Its name, without embedded:."`
}

// Run deletes one database.
func (c *dbRemoveCmd) Run(con *console) error {
	if err := embedded.Remove(strings.TrimPrefix(c.Name, "embedded:")); err != nil {
		return err
	}
	fmt.Fprintf(con, "removed %s\n", c.Name)
	return nil
}

type dbInitCmd struct{ DBFlag }

// Run needs a DSN: every other kind of --db has its data already.
func (c *dbInitCmd) Run(ctx context.Context, con *console) error {
	if !strings.Contains(c.DB, "/") || strings.HasPrefix(c.DB, inBundle+":") {
		return failure{exitUsage,
			errors.New("--db must be a DSN such as user:password@tcp(host:3306)/" + assets.DemoName)}
	}
	script, err := assets.DemoSQL()
	if err != nil {
		return err
	}
	bar := con.progress()
	err = runner.ExecScript(ctx, c.DB, bytes.NewReader(script), func(done int64) {
		bar.show("loading %3d %%", 100*done/int64(len(script)))
	})
	bar.clear()
	if err != nil {
		return fmt.Errorf("create the demo database: %w", err)
	}
	fmt.Fprintf(con, "created the demo database: %s\n", runner.Redact(c.DB))
	return nil
}

type dbProfileCmd struct {
	Time   time.Duration `help:"Longest time for what columns hold, and again for keys and references (${default})." default:"1m" placeholder:"TIME" range:"0.."`
	Format string        `help:"text or json." enum:"text,json" default:"text" placeholder:"FORMAT"`
	DatabaseFlags
}

// Run reads the rows of every table, and tells of each column what they show.
func (c *dbProfileCmd) Run(ctx context.Context, con *console, db runner.DB) error {
	s, err := readSchema(ctx, db)
	if err != nil {
		return err
	}
	bar := con.progress()
	p, err := profile.Full(ctx, db, s, c.Time, func(done, of int) { bar.show("read %d of %d tables", done, of) })
	bar.clear()
	if err != nil {
		return err
	}
	if p.Cut {
		con.warn("keys and references may be missing: a look took more than a third of --time, or than a query may")
	}
	if c.Format == "json" {
		return writeObject(con, p)
	}
	var b bytes.Buffer
	format := con.format("auto")
	for _, t := range p.Tables {
		size := fmt.Sprintf("%d rows", t.Rows)
		if t.More && t.Refused == "" {
			size = fmt.Sprintf("the first %d rows", t.Rows)
		}
		if t.Refused != "" {
			size = "not read: " + t.Refused
		}
		fmt.Fprintf(&b, "%s, %s\n", render.Visible(t.Name), render.Visible(size))
		if err := con.tableTo(&b, columnsOf(t), format); err != nil {
			return err
		}
		b.WriteByte('\n')
	}
	found := runner.Result{Columns: []string{"inferred", "values", "no key", "confidence", "why"}}
	for _, k := range p.Keys {
		found.Rows = append(found.Rows, []any{k.Table + "." + k.Column + " is a key", k.Rows, int64(0),
			runner.Decimal(fmt.Sprintf("%.2f", k.Confidence)), "each row has a value of its own"})
	}
	for _, r := range p.References {
		found.Rows = append(found.Rows, []any{r.Table + "." + r.Column + " = " + r.RefTable + "." + r.RefColumn,
			r.Values, r.Missing, runner.Decimal(fmt.Sprintf("%.2f", r.Confidence)), r.Evidence})
	}
	if len(found.Rows) == 0 {
		fmt.Fprintln(&b, "No key or reference was found that is not declared.")
	} else if err := con.tableTo(&b, found, format); err != nil {
		return err
	}
	return con.page(b.Bytes())
}

// columnsOf is a line for each column.
func columnsOf(t profile.Table) runner.Result {
	res := runner.Result{Columns: []string{"column", "type", "null", "distinct", "least", "most", "about"}}
	for _, col := range t.Columns {
		null, distinct := any(""), any("")
		if col.Nulls > 0 {
			null = runner.Decimal(fmt.Sprintf("%.0f %%", 100*float64(col.Nulls)/float64(t.Rows)))
		}
		if col.Distinct > 0 {
			distinct = col.Distinct
		}
		var about []string
		if col.Distinct > 1 && col.Distinct == t.Rows {
			about = append(about, "unique")
		}
		if col.Holds != "" {
			about = append(about, "texts that hold "+col.Holds)
		}
		if col.Unit != "" {
			about = append(about, "in "+col.Unit)
		}
		res.Rows = append(res.Rows, []any{col.Name, col.Type, null, distinct, col.Least, col.Most,
			strings.Join(about, ", ")})
	}
	return res
}
