// Package dump reads a script as mysqldump writes it, statement by statement, into an empty SQLite database. It knows MySQL's CREATE
// TABLE and INSERT and what columns hold; it knows no query, and of databases only the connection that it is given.
package dump

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Loaded says what a script has made.
type Loaded struct {
	Schema  *schema.Schema
	Tables  map[string]*types.Table // by lower-case name
	DDL     string                  // the statements that made them
	Skipped map[string][]string     // what was passed over, by its kind: "view": their names
	Spatial []string                // columns of shapes, which became texts: "address.location"
	Bytes   int64                   // of the script
}

// Script is what is loaded.
type Script struct {
	io.Reader
	Name     string // of the database that it makes
	Database string // which one of those that it holds is loaded; "" means that there must be one only
	Progress func() // is called after every statement; may be nil
}

// Load runs a script, against an empty database. What cannot be loaded is an error with the line where it stands.
func Load(ctx context.Context, conn *sql.Conn, s Script) (Loaded, error) {
	l := &loader{ctx: ctx, conn: conn, name: s.Name, only: s.Database, progress: s.Progress}
	schema, err := l.load(s)
	if err != nil {
		return Loaded{}, err
	}
	return Loaded{Schema: schema, Tables: l.tables, DDL: l.definition(), Skipped: l.skipped, Spatial: l.spatial, Bytes: l.script.read}, nil
}

// loader runs a MySQL script against an empty SQLite database.
type loader struct {
	ctx      context.Context
	conn     *sql.Conn
	name     string   // of the database
	only     string   // the one that is loaded, "" for the only one
	used     []string // the databases that the script names with USE, each once
	passing  bool     // what comes is of another database
	script   *script
	parser   *parser.Parser
	charset  string // of the database, "" for the server's
	tables   map[string]*types.Table
	ddl      strings.Builder // the statements that define tables, on the lines where they stand in the script
	ddlLine  int
	rows     map[string]int64
	skipped  map[string][]string // names of what was passed over, by its kind
	spatial  []string
	progress func()
}

// kinds of statements, by their beginning. The first that matches decides.
var statementKinds = []struct {
	pattern *regexp.Regexp
	kind    string
}{
	{regexp.MustCompile(`(?i)^(INSERT|REPLACE)\b`), "insert"},
	{regexp.MustCompile(`(?i)^CREATE\s+(TEMPORARY\s+)?TABLE\b`), "create"},
	{spatialIndex, "spatial key"},
	{regexp.MustCompile(`(?i)^(ALTER\s+(IGNORE\s+)?TABLE|CREATE\s+((UNIQUE|FULLTEXT|SPATIAL)\s+)?INDEX)\b`), "alter"},
	{regexp.MustCompile(`(?i)^DROP\s+(TEMPORARY\s+)?TABLE\b`), "drop"},
	{regexp.MustCompile(`(?i)^(CREATE|ALTER)\s+(DATABASE|SCHEMA)\b`), "database"},
	{regexp.MustCompile(`(?is)^(CREATE|ALTER|DROP)\s.{0,200}?\bVIEW\b`), "view"},
	{regexp.MustCompile(`(?is)^(CREATE|DROP)\s.{0,200}?\bTRIGGER\b`), "trigger"},
	{regexp.MustCompile(`(?is)^(CREATE|DROP)\s.{0,200}?\b(PROCEDURE|FUNCTION)\b`), "routine"},
	{regexp.MustCompile(`(?is)^(CREATE|DROP)\s.{0,200}?\bEVENT\b`), "event"},
	{useStatement, "use"},
	{regexp.MustCompile(`(?i)^(SET|LOCK|UNLOCK|START|BEGIN|COMMIT|ANALYZE|OPTIMIZE|FLUSH|DROP\s+(DATABASE|SCHEMA)|GRANT|CREATE\s+USER|DROP\s+USER|SELECT|SHOW|CHANGE\s+MASTER|CHANGE\s+REPLICATION)\b`), ""},
}

// load reads the whole script and creates the keys at the end.
func (l *loader) load(r io.Reader) (*schema.Schema, error) {
	l.script, l.parser = newScript(r), parser.New()
	l.tables, l.rows, l.skipped = map[string]*types.Table{}, map[string]int64{}, map[string][]string{}
	l.ddlLine = 1
	if _, err := l.conn.ExecContext(l.ctx, "BEGIN"); err != nil {
		return nil, err
	}
	for {
		text, line, err := l.script.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = l.ctx.Err()
		}
		if err == nil {
			err = l.statement(string(text), line)
		}
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if l.progress != nil {
			l.progress()
		}
	}
	if err := l.oneDatabase(); err != nil {
		return nil, err
	}
	schema, err := schema.ParseDDL(l.name, l.ddl.String())
	if err != nil {
		return nil, err
	}
	if len(schema.Tables) == 0 {
		return nil, errors.New("the file has no CREATE TABLE statement")
	}
	for i := range schema.Tables {
		schema.Tables[i].Rows = l.rows[strings.ToLower(schema.Tables[i].Name)]
	}
	MarkKeys(l.tables, schema)
	if err := l.createKeys(schema); err != nil {
		return nil, err
	}
	_, err = l.conn.ExecContext(l.ctx, "COMMIT")
	return schema, err
}

// definition is the statements that made the tables.
func (l *loader) definition() string {
	var out strings.Builder
	if l.charset != "" {
		fmt.Fprintf(&out, "ALTER DATABASE CHARACTER SET %s;\n", l.charset)
	}
	for _, text := range syntax.Statements(l.ddl.String()) {
		out.WriteString(text)
		out.WriteString(";\n")
	}
	return out.String()
}

func (l *loader) statement(text string, line int) error {
	if text = syntax.WithoutLater(text); text == "" {
		return nil
	}
	if body, ok := strings.CutPrefix(text, "/*!"); ok {
		body, _ = strings.CutSuffix(betweenExecutable.ReplaceAllString(body, " "), "*/")
		text = strings.TrimSpace(strings.TrimLeft(body, "0123456789"))
	}
	for _, k := range statementKinds {
		if !k.pattern.MatchString(text) || l.passing && k.kind != "use" {
			continue
		}
		switch k.kind {
		case "insert":
			return l.insert(text)
		case "create":
			text, spatial := withoutSpatial(text)
			l.keep(text, line)
			return l.create(text, spatial)
		case "alter":
			l.keep(text, line)
			return l.alter(text)
		case "drop":
			l.keep(text, line)
			return l.drop(text)
		case "use":
			l.use(text)
		case "database":
			if m := databaseCharset.FindStringSubmatch(text); m != nil {
				l.charset = strings.ToLower(m[1])
			}
		case "":
		default:
			l.pass(k.kind, text)
		}
		return nil
	}
	if l.passing {
		return nil
	}
	return fmt.Errorf("a statement that starts with %q cannot be loaded", mysqlfn.Clip(strings.Join(strings.Fields(mysqlfn.Clip(text)), " ")))
}

var passedName = regexp.MustCompile("(?is)\\b(?:VIEW|TRIGGER|PROCEDURE|FUNCTION|EVENT|SPATIAL\\s+(?:KEY|INDEX))\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?(?:" + quotedName + "\\.)?(" + quotedName + "|[^\\s`(]+)")

// pass notes what a statement would make. A view is made twice: it has a stand-in first.
func (l *loader) pass(kind, text string) {
	m := passedName.FindStringSubmatch(text)
	if m == nil || strings.EqualFold(text[:min(len(text), 4)], "DROP") {
		return
	}
	if name := unquoted(m[1]); !slices.Contains(l.skipped[kind], name) {
		l.skipped[kind] = append(l.skipped[kind], name)
	}
}

// unquoted is a name without the backquotes that it may have.
func unquoted(name string) string { return strings.ReplaceAll(strings.Trim(name, "`"), "``", "`") }

var useStatement = regexp.MustCompile("(?i)^USE\\s+(`(?:[^`]|``)+`|\\w+)")

// use goes over to another database of the script. From the second one on, where none was chosen, only their names are of interest.
func (l *loader) use(text string) {
	m := useStatement.FindStringSubmatch(text)
	name := unquoted(m[1])
	if !slices.Contains(l.used, name) {
		l.used = append(l.used, name)
	}
	l.passing = l.only != "" && name != l.only || l.only == "" && len(l.used) > 1
}

// oneDatabase is an error unless the script held the one that is wanted.
func (l *loader) oneDatabase() error {
	switch list := strings.Join(l.used, ", "); {
	case l.only == "" && len(l.used) > 1:
		return fmt.Errorf("the file holds %d databases: choose one of them with --database: %s", len(l.used), list)
	case l.only != "" && len(l.used) == 0:
		return errors.New("the file names no database: leave --database out")
	case l.only != "" && !slices.Contains(l.used, l.only):
		return fmt.Errorf("the file holds no database %s; it holds: %s", l.only, list)
	}
	return nil
}

// betweenExecutable stands between parts of a statement that are executable comments: CREATE*/ /*!50017 DEFINER=…*/ /*!50003 TRIGGER …
var betweenExecutable = regexp.MustCompile(`\*/\s*/\*!\d*`)

var databaseCharset = regexp.MustCompile(`(?i)\b(?:CHARACTER\s+SET|CHARSET)\s*=?\s*(\w+)`)

// keep adds a statement to the script that the schema is read from, on its own line.
func (l *loader) keep(text string, line int) {
	if line > l.ddlLine {
		l.ddl.WriteString(strings.Repeat("\n", line-l.ddlLine))
		l.ddlLine = line
	}
	l.ddl.WriteString(text)
	l.ddl.WriteByte(';')
	l.ddlLine += strings.Count(text, "\n")
}

func (l *loader) parse(text string) (ast.StmtNode, error) {
	node, err := l.parser.ParseOneStmt(text, "", "")
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
		return nil, errors.New(first)
	}
	return node, nil
}

func (l *loader) insert(text string) error {
	ins, err := parseInsert([]byte(text))
	if err != nil {
		return err
	}
	t := l.tables[strings.ToLower(ins.table)]
	if t == nil {
		return fmt.Errorf("INSERT into %s, which is not created before", mysqlfn.Clip(ins.table))
	}
	into, err := pick(t, ins.columns)
	if err != nil {
		return err
	}
	names := make([]string, len(into))
	for i, c := range into {
		names[i] = c.Name
	}
	stmt, err := l.conn.PrepareContext(l.ctx, InsertInto(ins.verb, t.Name, names))
	if err != nil {
		return err
	}
	defer stmt.Close()
	var row []literal
	args := make([]any, len(into))
	for n := 1; ; n++ {
		row, err = ins.row(row[:0])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("table %s, row %d of the INSERT: %w", t.Name, n, err)
		}
		if len(row) != len(into) {
			return fmt.Errorf("table %s, row %d of the INSERT: %d values for %d columns", t.Name, n, len(row), len(into))
		}
		for i, v := range row {
			switch {
			case v.def:
				return fmt.Errorf("table %s, row %d of the INSERT: DEFAULT is not supported", t.Name, n)
			case v.null:
				args[i] = nil
			case into[i].Spatial:
				args[i], err = shape(v.Text)
			default:
				args[i], err = mysqlfn.Store(into[i].Type, v.Literal)
			}
			if err != nil {
				return fmt.Errorf("table %s, column %s, row %d of the INSERT: %w", t.Name, into[i].Name, n, err)
			}
		}
		res, err := stmt.ExecContext(l.ctx, args...)
		if err != nil {
			return fmt.Errorf("table %s, row %d of the INSERT: %w", t.Name, n, err)
		}
		if ins.verb != "INSERT" { // rows may be left out or replaced
			if n, err := res.RowsAffected(); err == nil && n == 0 {
				continue
			}
		}
		l.rows[strings.ToLower(t.Name)]++
	}
}
