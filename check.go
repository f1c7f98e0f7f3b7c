package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"nl2sql/assets"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck"
)

type checkCmd struct {
	SQL      string `arg:"" optional:"" name:"sql" help:"Statement, or - for stdin."`
	File     string `help:"Check many: JSON lines {sql, question?, database?}, - for stdin; a line out for each line in." placeholder:"FILE"`
	Format   string `help:"text, json or ndjson (the same, a line each); auto is text for one statement, ndjson for a file." enum:"auto,text,json,ndjson" default:"auto" placeholder:"FORMAT"`
	Schema   string `help:"Schema to check against: a file of CREATE TABLE statements; the demo database's if absent." xor:"schema" placeholder:"FILE"`
	Schemas  string `help:"Folder of DATABASE/schema.sql; a line's database chooses." xor:"schema" placeholder:"DIR"`
	Guards   string `help:"Rules to apply first: a set (default, seed, final, none) or names; -NAME takes one out." default:"none" placeholder:"SET"`
	Question string `help:"Question that the guards may read." placeholder:"TEXT"`
	Database string `help:"Database of the statement, with --schemas." placeholder:"NAME"`
	Strict   bool   `help:"All errors at once, warnings, and the tables and fields used."`
}

// Validate makes wrong values usage errors.
func (c *checkCmd) Validate() error {
	if (c.SQL == "") == (c.File == "") {
		return errors.New("give either a statement or --file")
	}
	if _, err := sqlcheck.GuardSet(c.Guards); err != nil {
		return fmt.Errorf("--guards: %w", err)
	}
	return nil
}

// checked is the outcome for one statement. Its JSON is an interface.
type checked struct {
	sqlcheck.Verdict
	SQL     string            `json:"sql,omitempty"`     // what would run, restored from the checked tree
	Changes []sqlcheck.Change `json:"changes,omitempty"` // what the guards did
	Report  *sqlcheck.Report  `json:"report,omitempty"`  // of --strict
}

// request is one line of --file. Other fields may be there.
type request struct {
	SQL      *string `json:"sql"`
	Question string  `json:"question"`
	Database string  `json:"database"`
}

// Run checks one statement or a file of them.
func (c *checkCmd) Run(ctx context.Context, con *console) error {
	guards, err := sqlcheck.GuardSet(c.Guards)
	if err != nil {
		return err
	}
	schemas, err := c.schemas(ctx)
	if err != nil {
		return err
	}
	ck := checker{guards, schemas, c.Strict}
	if c.File != "" {
		return c.runFile(ctx, con, ck)
	}
	sql, err := readInput(ctx, con, "statement", c.SQL, maxSQL)
	if err != nil {
		return err
	}
	res := ck.check(request{&sql, c.Question, c.Database})
	if c.Format == "auto" || c.Format == "text" {
		res.text(con)
	} else if err := checkedJSON(con).Encode(res); err != nil {
		return err
	}
	if !res.OK {
		return failure{code: exitNo}
	}
	return nil
}

func (c *checkCmd) runFile(ctx context.Context, con *console, ck checker) error {
	in := con.in
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return brief(err)
		}
		defer f.Close()
		in = f
	}
	out := bufio.NewWriter(con)
	enc, line := checkedJSON(out), 0
	rejected := false
	err := eachLine(ctx, in, ck.checkLine, func(res checked, idle bool) error {
		line++
		rejected = rejected || !res.OK
		if c.Format == "text" {
			fmt.Fprintf(out, "%d: ", line)
			res.text(out)
		} else if err := enc.Encode(res); err != nil {
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
	if rejected {
		return failure{code: exitNo}
	}
	return nil
}

func checkedJSON(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}

func (r checked) text(w io.Writer) {
	if r.OK {
		fmt.Fprintf(w, "ok: %s\n", lines(r.SQL))
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
		fmt.Fprintf(w, "tables: %s\nfields: %s\n", render.Visible(strings.Join(r.Report.TablesUsed, ", ")), render.Visible(strings.Join(r.Report.FieldsUsed, ", ")))
	}
	if r.Report.Dangerous {
		fmt.Fprintln(w, "dangerous: it would do more than read these tables")
	}
}

// checker is safe for concurrent use.
type checker struct {
	guards  sqlcheck.Guards
	schemas func(database string) (*sqlcheck.Schema, error)
	strict  bool
}

// checkLine checks one line of --file. A line that is no request is rejected in its place.
func (ck checker) checkLine(line []byte, tooLong bool) checked {
	if tooLong {
		return checked{Verdict: sqlcheck.Reject("input", "bad_json", fmt.Sprintf("line longer than %d bytes", maxLine))}
	}
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return checked{Verdict: sqlcheck.Reject("input", "bad_json", err.Error())}
	}
	if r.SQL == nil {
		return checked{Verdict: sqlcheck.Reject("input", "bad_json", `no "sql"`)}
	}
	return ck.check(r)
}

// check fails closed: a check that could not run rejects.
func (ck checker) check(r request) checked {
	schema, err := ck.schemas(r.Database)
	if err != nil {
		v := sqlcheck.Reject("input", "unknown_database", err.Error())
		v.Code = 1049
		return checked{Verdict: v}
	}
	var res checked
	sql := *r.SQL
	if len(ck.guards) > 0 {
		var v sqlcheck.Verdict
		sql, res.Changes, v = ck.guards.Apply(sql, sqlcheck.Input{Question: r.Question, Schema: schema})
		if !v.OK {
			res.Verdict = v
			return res
		}
	}
	q, v, err := sqlcheck.Check(sql, schema)
	if err != nil {
		v = sqlcheck.Reject("input", "check_failed", err.Error())
	}
	res.Verdict = v
	if v.OK {
		res.SQL = q.SQL()
	}
	if ck.strict {
		report := sqlcheck.Inspect(sql, schema)
		res.Report = &report
	}
	return res
}

// schemas returns the way from a database's name to its schema.
func (c *checkCmd) schemas(ctx context.Context) (func(string) (*sqlcheck.Schema, error), error) {
	switch {
	case c.Schemas != "":
		if info, err := os.Stat(c.Schemas); err != nil {
			return nil, brief(err)
		} else if !info.IsDir() {
			return nil, fmt.Errorf("--schemas %s: not a folder", c.Schemas)
		}
		return c.schemaDir(), nil
	case c.Schema != "":
		ddl, err := os.ReadFile(c.Schema)
		if err != nil {
			return nil, brief(err)
		}
		s, err := sqlcheck.ParseDDL("", string(ddl))
		if err != nil {
			return nil, fmt.Errorf("schema %s: %w", c.Schema, err)
		}
		return func(string) (*sqlcheck.Schema, error) { return s, nil }, nil
	default:
		s, err := c.demoSchema(ctx)
		if err != nil {
			return nil, err
		}
		return func(database string) (*sqlcheck.Schema, error) {
			if database != "" && !strings.EqualFold(database, assets.DemoName) {
				return nil, fmt.Errorf("%s: only the demo database is known without --schema or --schemas", database)
			}
			return s, nil
		}, nil
	}
}

// demoSchema is read from the script alone unless warnings about values want the data.
func (c *checkCmd) demoSchema(ctx context.Context) (*sqlcheck.Schema, error) {
	if c.Strict {
		db, err := embedded.Open(ctx, "", runner.Limits{})
		if err != nil {
			return nil, err
		}
		s, err := db.Schema(ctx)
		return s, errors.Join(err, db.Close())
	}
	ddl, err := assets.DemoSQL()
	if err != nil {
		return nil, err
	}
	return sqlcheck.ParseDDL(assets.DemoName, string(ddl))
}

// schemaDir reads each schema of --schemas once.
func (c *checkCmd) schemaDir() func(string) (*sqlcheck.Schema, error) {
	type entry struct {
		once   sync.Once
		schema *sqlcheck.Schema
		err    error
	}
	var known sync.Map
	return func(database string) (*sqlcheck.Schema, error) {
		if database == "" {
			return nil, errors.New("no database given")
		}
		if database != filepath.Base(database) || database == "." || database == ".." {
			return nil, fmt.Errorf("%q is no name of a database", database)
		}
		v, _ := known.LoadOrStore(database, new(entry))
		e := v.(*entry)
		e.once.Do(func() {
			ddl, err := os.ReadFile(filepath.Join(c.Schemas, database, "schema.sql"))
			if err != nil {
				e.err = brief(err)
				return
			}
			e.schema, e.err = sqlcheck.ParseDDL(database, string(ddl))
		})
		return e.schema, e.err
	}
}

// maxLine bounds one line of --file, in bytes.
const maxLine = 2 * maxSQL

// eachLine sends every line of in through do, on all cores, and the outcomes to emit, in order. idle says
// that no further line waits. It stops at the first error of in, of emit or of ctx.
func eachLine(ctx context.Context, in io.Reader, do func(line []byte, tooLong bool) checked, emit func(res checked, idle bool) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	slots := make(chan struct{}, workers)
	order := make(chan chan checked, 16*workers)
	var readErr error // set before order is closed
	go func() {
		defer close(order)
		r := bufio.NewReaderSize(in, 64<<10)
		for {
			line, tooLong, err := readLine(r)
			if err != nil {
				if err != io.EOF {
					readErr = fmt.Errorf("read the statements: %w", err)
				}
				return
			}
			done := make(chan checked, 1)
			select {
			case order <- done:
			case <-ctx.Done():
				return
			}
			slots <- struct{}{}
			go func() {
				done <- do(line, tooLong)
				<-slots
			}()
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case done, more := <-order:
			if !more {
				return readErr
			}
			if err := emit(<-done, len(order) == 0); err != nil {
				return err
			}
		}
	}
}

// readLine returns the next line without its end. Of a line beyond maxLine only tooLong is left.
func readLine(r *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			line, tooLong = nil, true
		} else if !tooLong {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && (len(line) > 0 || tooLong):
			return line, tooLong, nil
		case err != nil:
			return nil, false, err
		}
		return bytes.TrimSuffix(line, []byte("\n")), tooLong, nil
	}
}
