// Package dump reads a script as mysqldump writes it, statement by statement, into an empty SQLite database. It knows
// MySQL's CREATE TABLE and INSERT and what columns hold; it knows no query, and of databases only the connection that
// it is given. Its tests of whole dumps stand in runner/embedded: dumps_test.go and testdata/dumps.
package dump

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner"
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
	Views   []View                  // with the last definition that each has
	Skipped map[string][]string     // what was passed over, by its kind: "trigger": their names
	Spatial []string                // columns of shapes, which became texts: "address.location"
	// collations that are not known, and what they compare as instead: "latin2_czech_cs as utf8mb4_bin"
	Near  []string
	Bytes int64 // of the script
}

// Script is what is loaded.
type Script struct {
	io.Reader
	Name     string // of the database that it makes
	Made     bool   // it was made of something else: its lines mean nothing to who reads an error
	Database string // which one of those that it holds is loaded; "" means that there must be one only
	Progress func() // is called after every statement; may be nil

	// Select runs a query over what is loaded so far: the columns of its result, and the cells of its rows; nil where
	// a script may hold no queries.
	Select func(ctx context.Context, conn *sql.Conn, so *Loaded, query string) ([]types.Column, [][]any, error)

	// Compute fills the generated columns when all rows are there, before there are keys; may be nil.
	Compute func(context.Context, *sql.Conn, *Loaded) error
}

// Load runs a script, against an empty database. What cannot be loaded is an error with the line where it stands.
func Load(ctx context.Context, conn *sql.Conn, s Script) (Loaded, error) {
	l := &loader{Script: s, ctx: ctx, conn: conn}
	if err := l.load(); err != nil {
		return Loaded{}, err
	}
	l.DDL, l.Bytes = strings.Join(l.ddl, ";\n")+";\n", l.script.Bytes
	if s.Compute != nil {
		if err := s.Compute(ctx, conn, &l.Loaded); err != nil {
			return Loaded{}, err
		}
	}
	if err := l.createKeys(l.Schema); err != nil {
		return Loaded{}, err
	}
	_, err := conn.ExecContext(ctx, "COMMIT")
	return l.Loaded, err
}

// loader runs a MySQL script against an empty SQLite database.
type loader struct {
	Script
	Loaded
	ctx      context.Context
	conn     *sql.Conn
	used     []string       // the databases that the script names with USE, each once
	passing  bool           // what comes is of another database
	own      *regexp.Regexp // quoted texts, and the name of the database before those of its tables; nil if it has none
	script   *runner.Script
	mode     mode
	charset  string              // of the database, "" for the server's
	zone     string              // that TIMESTAMPs are written in, "" for UTC
	names    string              // the character set that the script is written in, "" for UTF-8
	filling  map[string]*filling // of each table
	ddl      []string            // the statements that define tables
	initials map[string]literal  // what defaults come to that are expressions

	variables map[string]string // as SQL: "@a": "1"
	last      int64             // LAST_INSERT_ID()
}

// kinds of statements, by their beginning. The first that matches decides.
var statementKinds = []struct {
	pattern *regexp.Regexp
	kind    string
}{
	{regexp.MustCompile(`(?i)^(INSERT|REPLACE)\b`), "insert"},
	{regexp.MustCompile(`(?i)^CREATE\s+(TEMPORARY\s+)?TABLE\b`), "create"},
	{spatialIndex, "spatial key"},
	{regexp.MustCompile(`(?i)^(ALTER\s+(IGNORE\s+)?TABLE|CREATE\s+((UNIQUE|FULLTEXT|SPATIAL)\s+)?INDEX|DROP\s+((TEMPORARY\s+)?TABLE|INDEX)|` +
		`TRUNCATE|DELETE|UPDATE|WITH\b[^;]*\b(UPDATE|DELETE)|RENAME\s+TABLES?)\b`), "tables"},
	{regexp.MustCompile(`(?i)^(CREATE|ALTER)\s+(DATABASE|SCHEMA)\b`), "database"},
	{regexp.MustCompile(`(?is)^(CREATE|ALTER|DROP)\s.{0,200}?\bVIEW\b`), "view"},
	{regexp.MustCompile(`(?is)^(CREATE|DROP)\s.{0,200}?\bTRIGGER\b`), "trigger"},
	{regexp.MustCompile(`(?is)^(CREATE|DROP)\s.{0,200}?\b(PROCEDURE|FUNCTION)\b`), "routine"},
	{regexp.MustCompile(`(?is)^(CREATE|DROP)\s.{0,200}?\bEVENT\b`), "event"},
	{regexp.MustCompile(`(?i)^(CREATE|DROP|ALTER)\s+(OR\s+REPLACE\s+)?SEQUENCE\b`), "sequence"},
	{useStatement, "use"},
	{regexp.MustCompile(`(?i)^CALL\b`), "CALL of"},
	{intoVariables, "variables"},
	{regexp.MustCompile(`(?i)^(WITH\b|\(\s*SELECT\b|PREPARE|DEALLOCATE|REVOKE|(CREATE|ALTER|DROP|RENAME|SET)\s+(ROLE|USER|SERVER|TABLESPACE|LOGFILE)|ALTER\s+(PROCEDURE|FUNCTION|EVENT)|INSTALL|PURGE|RESET|EXIT|QUIT|STATUS|TEE|NOTEE|LOCK|UNLOCK|START|BEGIN|COMMIT|SAVEPOINT|RELEASE|ANALYZE|OPTIMIZE|CHECK|CHECKSUM|REPAIR|FLUSH|DROP\s+(DATABASE|SCHEMA)|GRANT|DO|SELECT|SHOW|DESC|DESCRIBE|EXPLAIN|HELP|CHANGE\s+MASTER|CHANGE\s+REPLICATION)\b`), ""},
}

// ofProgram is a line of what mysqldump says on a terminal, which was written into the file, too.
var ofProgram = regexp.MustCompile(`(?i)^(?:mysqldump|mysqlpump|mysql|mariadb-dump|mariadb|enter password|warning|deprecated program name)\b[^\n]*[:.][^\n]*(?:\n\s*|$)`)

// load reads the whole script, inside a transaction that stays open.
func (l *loader) load() error {
	l.script = runner.NewScript(l.Reader)
	l.Tables, l.filling = map[string]*types.Table{}, map[string]*filling{}
	l.Skipped, l.initials = map[string][]string{}, map[string]literal{}
	l.variables = map[string]string{"@@sql_mode": "''", "@@time_zone": "''", "@@character_set_client": "''"}
	if _, err := l.conn.ExecContext(l.ctx, "BEGIN"); err != nil {
		return err
	}
	for {
		text, line, err := l.script.Next()
		if err == io.EOF {
			break
		}
		if err = cmp.Or(err, l.ctx.Err()); err == nil {
			err = l.statement(string(text))
		}
		if err != nil && (l.Made || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)) {
			return err
		} else if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if l.Progress != nil {
			l.Progress()
		}
	}
	err := l.oneDatabase()
	if err == nil {
		l.Schema, err = l.known()
	}
	if err != nil {
		return err
	}
	if len(l.Schema.Tables) == 0 {
		return errors.New("the file has no CREATE TABLE statement")
	}
	for i := range l.Schema.Tables {
		name := strings.ToLower(l.Schema.Tables[i].Name)
		if err := l.conn.QueryRowContext(l.ctx, "SELECT COUNT(*) FROM "+
			runner.QuoteName(l.Schema.Tables[i].Name)).Scan(&l.Schema.Tables[i].Rows); err != nil {
			return err
		}
		for _, c := range l.Tables[name].Columns {
			if c.Spatial {
				l.Spatial = append(l.Spatial, l.Tables[name].Name+"."+c.Name)
			}
		}
	}
	MarkKeys(l.Tables, l.Schema)
	return nil
}

// known is the schema of the tables that there are.
func (l *loader) known() (*schema.Schema, error) {
	var defs []*ast.CreateTableStmt
	for _, f := range l.filling {
		defs = append(defs, f.def)
	}
	return schema.Of(l.Name, defs)
}

func (l *loader) statement(text string) error {
	if text = syntax.WithoutLater(l.mode.plain(text)); text == "" {
		return nil
	}
	if said := ofProgram.FindString(text); said != "" {
		l.skip("what a program said", strings.TrimSpace(said))
		return l.statement(text[len(said):])
	}
	if strings.HasPrefix(text, "/*!") {
		text = unwrapped(text)
	}
	if setStatement.MatchString(text) {
		text, err := decoded(l.names, text)
		return cmp.Or(err, l.set(text))
	}
	if m := qualified.FindStringSubmatch(text); m != nil {
		defer func(own *regexp.Regexp, passing bool) { l.own, l.passing = own, passing }(l.own, l.passing)
		l.use("USE " + m[1])
	}
	for _, k := range statementKinds {
		if !k.pattern.MatchString(text) || l.passing && k.kind != "use" {
			continue
		}
		concats := l.mode.concats(text)
		switch {
		case concats && k.kind == "view":
			l.pass(k.kind, text)
			return nil
		case concats && (k.kind == "insert" || k.kind == "create" || k.kind == "tables"):
			return errors.New("texts that are joined with || cannot be loaded: write CONCAT")
		}
		if k.kind == "insert" {
			return l.insert(text)
		}
		text, err := decoded(l.names, l.unqualified(text))
		if err != nil {
			return err
		}
		switch k.kind {
		case "create":
			text, spatial := withoutSpatial(text)
			text, near, defaults := schema.Plain(text)
			l.noteNear(near...)
			return l.create(text, spatial, defaults)
		case "tables":
			if text = spatialAdded.ReplaceAllString(text, ""); nothingAdded.MatchString(text) {
				return nil
			}
			return l.tables(text)
		case "use":
			l.use(text)
		case "database":
			if m := databaseCharset.FindStringSubmatch(text); m != nil {
				l.charset = strings.ToLower(m[1])
				l.ddl = append(l.ddl, "ALTER DATABASE CHARACTER SET "+l.charset)
			}
		case "view":
			l.view(text)
		case "variables":
			return l.set(text)
		case "":
		default:
			l.pass(k.kind, text)
		}
		return nil
	}
	if l.passing {
		return nil
	}
	return fmt.Errorf("a statement that starts with %q cannot be loaded",
		mysqlfn.Clip(strings.Join(strings.Fields(mysqlfn.Clip(text)), " ")))
}

var passedName = regexp.MustCompile("(?is)\\b(?:VIEW|TRIGGER|PROCEDURE|FUNCTION|EVENT|SEQUENCE|SPATIAL\\s+(?:KEY|INDEX)|CALL)\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?(?:" + quotedName + "\\.)?(" + quotedName + "|[^\\s`(]+)")

// pass notes what a statement would make.
func (l *loader) pass(kind, text string) {
	m := passedName.FindStringSubmatch(text)
	if m == nil || strings.EqualFold(text[:min(len(text), 4)], "DROP") {
		return
	}
	l.skip(kind, unquoted(m[1]))
}

// skip notes what is passed over, once.
func (l *loader) skip(kind, name string) {
	if !slices.Contains(l.Skipped[kind], name) {
		l.Skipped[kind] = append(l.Skipped[kind], name)
	}
}

// unquoted is a name without the backquotes that it may have.
func unquoted(name string) string { return strings.ReplaceAll(strings.Trim(name, "`"), "``", "`") }

// qualified is the beginning of a statement that names the database of its table.
var qualified = regexp.MustCompile(`(?i)^(?:CREATE\s+TABLE|INSERT|REPLACE)\b` +
	`(?:\s|/\*!\d*|\*/|IF\s+NOT\s+EXISTS\b|IGNORE\b|INTO\b)*(` + anyName + `)\s*\.`)

var useStatement = regexp.MustCompile("(?i)^USE\\s+(`(?:[^`]|``)+`|[^\\s;`]+)")

// use goes over to another database of the script. From the second one on, where none was chosen, only their names are
// of interest.
func (l *loader) use(text string) {
	m := useStatement.FindStringSubmatch(text)
	name := unquoted(m[1])
	if !slices.ContainsFunc(l.used, func(u string) bool { return strings.EqualFold(u, name) }) {
		l.used = append(l.used, name)
	}
	quoted := regexp.QuoteMeta(name)
	l.own = regexp.MustCompile("(" + quotedText + ")|(?i:`" + quoted + "`|\\b" + quoted + ")\\s*\\.\\s*")
	l.passing = l.Database != "" && name != l.Database || l.Database == "" && len(l.used) > 1
}

// unqualified is a statement without the name of its own database before those of tables, unless a table is called so.
func (l *loader) unqualified(text string) string {
	if l.own == nil || l.Tables[strings.ToLower(l.used[len(l.used)-1])] != nil {
		return text
	}
	return l.own.ReplaceAllString(text, "$1")
}

// oneDatabase is an error unless the script held the one that is wanted.
func (l *loader) oneDatabase() error {
	switch list := strings.Join(l.used, ", "); {
	case l.Database == "" && len(l.used) > 1:
		return fmt.Errorf("the file holds %d databases: choose one of them with --database: %s", len(l.used), list)
	case l.Database != "" && len(l.used) == 0:
		return errors.New("the file names no database: leave --database out")
	case l.Database != "" && !slices.Contains(l.used, l.Database):
		return fmt.Errorf("the file holds no database %s; it holds: %s", l.Database, list)
	}
	return nil
}

var databaseCharset = regexp.MustCompile(`(?i)\b(?:CHARACTER\s+SET|CHARSET)\s*=?\s*(\w+)`)

// noteNear notes collations that compare otherwise than their server's, each once.
func (l *loader) noteNear(near ...string) {
	for _, n := range near {
		if n != "" && !slices.Contains(l.Near, n) {
			l.Near = append(l.Near, n)
		}
	}
}
