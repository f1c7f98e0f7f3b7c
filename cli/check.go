package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"nl2sql/assets"
	"nl2sql/runner"
	"nl2sql/runner/files"
	"nl2sql/runner/profile"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/batch"
	"nl2sql/sqlcheck/guard"
	"nl2sql/sqlcheck/schema"
)

type checkCmd struct {
	SQL      string `arg:"" optional:"" name:"sql" help:"Statement, or - for stdin."`
	File     string `help:"Check many: JSON lines {sql, question?, database?}, - for stdin; a line out for each line in." placeholder:"FILE"`
	Format   string `help:"text, json or ndjson (the same, a line each); auto is text for one statement, ndjson for a file." enum:"auto,text,json,ndjson" default:"auto" placeholder:"FORMAT"`
	Schema   string `help:"Schema to check against, instead of that of --db: a file of CREATE TABLE statements, or what schema --format json prints." xor:"schema" placeholder:"FILE"`
	Schemas  string `help:"Folder of databases, NAME/schema.sql or NAME.sql.zst; a line's database chooses." xor:"schema" placeholder:"DIR"`
	Guards   string `help:"Rules to apply first: a set (default, seed, final, none) or names; -NAME takes one out." default:"none" placeholder:"SET"`
	Question string `help:"Question that the guards may read." placeholder:"TEXT"`
	Database string `help:"Database of the statement, with --schemas." placeholder:"NAME"`
	Strict   bool   `help:"All errors at once, warnings, and the tables and fields used."`
	ProfileFlag
	DatabaseFlags
}

// Validate makes wrong values usage errors.
func (c *checkCmd) Validate() error {
	if (c.SQL == "") == (c.File == "") {
		return errors.New("give either a statement or --file")
	}
	if _, err := guard.ParseSet(c.Guards); err != nil {
		return fmt.Errorf("--guards: %w", err)
	}
	return nil
}

// Run checks one statement or a file of them.
func (c *checkCmd) Run(ctx context.Context, con *console, open *opened) error {
	guards, err := guard.ParseSet(c.Guards)
	if err != nil {
		return err
	}
	schemas, err := c.schemas(ctx, open)
	if err != nil {
		return err
	}
	b := batch.Batch{Guards: guards, Schemas: schemas, Strict: c.Strict}
	if c.File != "" {
		return c.runFile(ctx, con, b)
	}
	sql, err := readInput(ctx, con, "statement", c.SQL, maxSQL)
	if err != nil {
		return err
	}
	res := b.Check(batch.Request{SQL: &sql, Question: c.Question, Database: c.Database})
	if c.Format == "auto" || c.Format == "text" {
		checkedText(con, res)
	} else if err := render.WriteJSON(con, res); err != nil {
		return err
	}
	if !res.OK {
		return failure{code: exitNo}
	}
	return nil
}

func (c *checkCmd) runFile(ctx context.Context, con *console, b batch.Batch) error {
	in := con.in
	if c.File != "-" {
		f, err := files.Open(c.File)
		if err != nil {
			return brief(err)
		}
		defer f.Close()
		in = f
	}
	out := bufio.NewWriter(con)
	line, rejected := 0, false
	err := b.Lines(ctx, in, func(res batch.Checked, idle bool) error {
		line++
		rejected = rejected || !res.OK
		if c.Format == "text" {
			fmt.Fprintf(out, "%d: ", line)
			checkedText(out, res)
		} else if err := render.WriteJSON(out, res); err != nil {
			return err
		}
		if idle { // whoever feeds us a line at a time gets its verdict at once
			return out.Flush()
		}
		return nil
	})
	if err = errors.Join(err, out.Flush()); err != nil {
		return err
	}
	if line == 0 {
		return fmt.Errorf("%s holds no statement: write {\"sql\":…} a line", c.File)
	}
	if rejected {
		return failure{code: exitNo}
	}
	return nil
}

type explainCmd struct {
	SQL    string `arg:"" name:"sql" help:"Statement, or - for stdin."`
	Format string `help:"text or json." enum:"text,json" default:"text" placeholder:"FORMAT"`
	Schema string `help:"Schema to check against, instead of that of --db: a file of CREATE TABLE statements, or what schema --format json prints." placeholder:"FILE"`
	DatabaseFlags
}

// Run explains one statement.
func (c *explainCmd) Run(ctx context.Context, con *console, open *opened) error {
	check := checkCmd{Schema: c.Schema, Strict: true, DatabaseFlags: c.DatabaseFlags}
	schemas, err := check.schemas(ctx, open)
	if err != nil {
		return err
	}
	sql, err := readInput(ctx, con, "statement", c.SQL, maxSQL)
	if err != nil {
		return err
	}
	res := batch.Batch{Schemas: schemas, Strict: true}.Check(batch.Request{SQL: &sql}).Explain()
	switch {
	case c.Format == "json":
		err = render.WriteJSON(con, res)
	case res.OK:
		err = explainedText(con, res)
	default:
		checkedText(con, batch.Checked{Verdict: res.Verdict})
	}
	if err == nil && !res.OK {
		err = failure{code: exitNo}
	}
	return err
}

// explainedText prints an explanation for people.
func explainedText(w io.Writer, r batch.Explained) error {
	text := r.Explanation.Lines()
	for _, f := range r.Warnings {
		text = append(text, "warning: "+f.Message)
	}
	_, err := io.WriteString(w, render.VisibleLines(strings.Join(text, "\n"))+"\n")
	return err
}

// checkedText prints an outcome for people.
func checkedText(w io.Writer, r batch.Checked) {
	if r.OK {
		fmt.Fprintf(w, "ok: %s\n", render.VisibleLines(r.SQL))
	} else {
		fmt.Fprintf(w, "rejected: %s\n", render.Visible(r.Verdict.String()))
	}
	if r.Hint != "" {
		fmt.Fprintf(w, "hint: %s\n", render.Visible(r.Hint))
	}
	for _, ch := range r.Changes {
		fmt.Fprintf(w, "changed by %s: %s\n", ch.Guard, render.Visible(ch.Why))
	}
	if r.Report == nil {
		return
	}
	for _, f := range r.Report.Issues {
		if f.Type == "error" && f.Message == r.Verdict.String() { // said above
			continue
		}
		line := f.Type + ": " + f.Message
		if f.Suggestion != "" {
			line += " (" + f.Suggestion + ")"
		}
		fmt.Fprintln(w, render.Visible(line))
	}
	if len(r.Report.TablesUsed) > 0 {
		fmt.Fprintf(w, "tables: %s\nfields: %s\n", render.Visible(strings.Join(r.Report.TablesUsed, ", ")),
			render.Visible(strings.Join(r.Report.FieldsUsed, ", ")))
	}
	if r.Report.Dangerous {
		fmt.Fprintln(w, "dangerous: it would do more than read these tables")
	}
}

// schemas returns the way from a database's name to its schema.
func (c *checkCmd) schemas(ctx context.Context, open *opened) (func(string) (*schema.Schema, error), error) {
	switch {
	case c.Schemas != "":
		if info, err := os.Stat(c.Schemas); err != nil {
			return nil, brief(err)
		} else if !info.IsDir() {
			return nil, fmt.Errorf("--schemas %s: not a folder", c.Schemas)
		}
		of := batch.Schemas(c.ddlOf)
		return func(database string) (*schema.Schema, error) {
			s, err := of(database)
			if err != nil {
				return nil, err
			}
			return c.of(s)
		}, nil
	case c.Schema != "":
		text, err := files.Read(c.Schema, files.Large)
		if err != nil {
			return nil, brief(err)
		}
		s, err := schema.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("schema %s: %w", c.Schema, err)
		}
		if s, err = c.of(s); err != nil {
			return nil, err
		}
		return func(string) (*schema.Schema, error) { return s, nil }, nil
	}
	s, err := c.schemaOf(ctx, open)
	if err != nil {
		return nil, err
	}
	return func(database string) (*schema.Schema, error) {
		if database != "" && !strings.EqualFold(database, s.Name) {
			return nil, fmt.Errorf("%s: only %s is known without --schema or --schemas", database, s.Name)
		}
		return s, nil
	}, nil
}

// schemaOf is the schema of --db. The demo database's is read from the script alone unless warnings about values want
// the data.
func (c *checkCmd) schemaOf(ctx context.Context, open *opened) (*schema.Schema, error) {
	if c.DB == "embedded" && !c.Strict && c.Role == "" && len(c.As) == 0 {
		ddl, err := assets.DemoSQL()
		if err != nil {
			return nil, err
		}
		return schema.ParseDDL(assets.DemoName, string(ddl))
	}
	db, err := c.ProvideDB(ctx, open)
	if err != nil {
		return nil, err
	}
	s, err := readSchema(ctx, db)
	if err != nil || !c.Strict {
		return s, err
	}
	found, err := profile.Of(ctx, db, s)
	return found.On(s), err
}

// ddlOf reads what a database is created with from the folder of --schemas.
func (c *checkCmd) ddlOf(database string) ([]byte, error) {
	switch {
	case database == "":
		return nil, errors.New("no database given")
	case database != filepath.Base(database) || database == "." || database == "..":
		return nil, fmt.Errorf("%q is no name of a database", database)
	}
	ddl, err := runner.FolderDDL(filepath.Join(c.Schemas, database))
	return []byte(ddl), brief(err)
}
