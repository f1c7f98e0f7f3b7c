package embedded

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

	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// table is a loaded table: what the dialect needs to know beyond the schema.
type table struct {
	name string
	cols []column
	key  []string // the primary key
}

// column is a column of a table, a derived table or a common table expression.
type column struct {
	name    string
	decl    string // the declared type, as in sqlcheck.Column
	typ     typ
	lead    bool // an index starts with it
	notNull bool // declared NOT NULL
}

// markKeys notes the primary keys, which columns an index starts with, and which are NOT NULL.
func markKeys(tables map[string]*table, s *schema.Schema) {
	for _, declared := range s.Tables {
		t := tables[strings.ToLower(declared.Name)]
		if t == nil {
			continue
		}
		t.key = declared.PrimaryKey
		for i := range t.cols {
			c, ok := declared.Column(t.cols[i].name)
			starts := func(key []string) bool { return len(key) > 0 && key[0] == c.Name }
			t.cols[i].notNull = ok && !c.Nullable
			t.cols[i].lead = ok && (c.Key == "MUL" || c.Key == "UNI" || starts(declared.PrimaryKey) || slices.ContainsFunc(declared.ForeignKeys,
				func(fk schema.ForeignKey) bool { return starts(fk.Columns) }))
		}
	}
}

// loader runs a MySQL script against an empty SQLite database.
type loader struct {
	ctx      context.Context
	conn     *sql.Conn
	name     string // of the database
	script   *script
	parser   *parser.Parser
	charset  string // of the database, "" for the server's
	tables   map[string]*table
	ddl      strings.Builder // the statements that define tables, on the lines where they stand in the script
	ddlLine  int
	rows     map[string]int64
	skipped  map[string]int // statements that were passed over, by what they are
	progress func(bytes int64)
}

// kinds of statements, by their beginning. The first that matches decides.
var statementKinds = []struct {
	pattern *regexp.Regexp
	kind    string
}{
	{regexp.MustCompile(`(?i)^(INSERT|REPLACE)\b`), "insert"},
	{regexp.MustCompile(`(?i)^CREATE\s+(TEMPORARY\s+)?TABLE\b`), "create"},
	{regexp.MustCompile(`(?i)^(ALTER\s+(IGNORE\s+)?TABLE|CREATE\s+((UNIQUE|FULLTEXT|SPATIAL)\s+)?INDEX)\b`), "alter"},
	{regexp.MustCompile(`(?i)^DROP\s+(TEMPORARY\s+)?TABLE\b`), "drop"},
	{regexp.MustCompile(`(?i)^(CREATE|ALTER)\s+(DATABASE|SCHEMA)\b`), "database"},
	{regexp.MustCompile(`(?is)^(CREATE|ALTER|DROP)\s.{0,200}?\bVIEW\b`), "view"},
	{regexp.MustCompile(`(?is)^(CREATE|DROP)\s.{0,200}?\bTRIGGER\b`), "trigger"},
	{regexp.MustCompile(`(?is)^(CREATE|DROP)\s.{0,200}?\b(PROCEDURE|FUNCTION)\b`), "routine"},
	{regexp.MustCompile(`(?is)^(CREATE|DROP)\s.{0,200}?\bEVENT\b`), "event"},
	{regexp.MustCompile(`(?i)^(SET|USE|LOCK|UNLOCK|START|BEGIN|COMMIT|ANALYZE|OPTIMIZE|FLUSH|DROP\s+(DATABASE|SCHEMA)|GRANT|CREATE\s+USER|DROP\s+USER|SELECT|SHOW|CHANGE\s+MASTER|CHANGE\s+REPLICATION)\b`), ""},
}

// load reads the whole script and creates the keys at the end.
func (l *loader) load(r io.Reader) (*schema.Schema, error) {
	l.script, l.parser = newScript(r), parser.New()
	l.tables, l.rows, l.skipped = map[string]*table{}, map[string]int64{}, map[string]int{}
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
			l.progress(l.script.read)
		}
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
	markKeys(l.tables, schema)
	if err := l.createKeys(schema); err != nil {
		return nil, err
	}
	_, err = l.conn.ExecContext(l.ctx, "COMMIT")
	return schema, err
}

func (l *loader) statement(text string, line int) error {
	if text = syntax.WithoutLater(text); text == "" {
		return nil
	}
	if body, ok := strings.CutPrefix(text, "/*!"); ok {
		body, _ = strings.CutSuffix(body, "*/")
		text = strings.TrimSpace(strings.TrimLeft(body, "0123456789"))
	}
	for _, k := range statementKinds {
		if !k.pattern.MatchString(text) {
			continue
		}
		switch k.kind {
		case "insert":
			return l.insert(text)
		case "create":
			l.keep(text, line)
			return l.create(text)
		case "alter":
			l.keep(text, line)
			return l.alter(text)
		case "drop":
			l.keep(text, line)
			return l.drop(text)
		case "database":
			if m := databaseCharset.FindStringSubmatch(text); m != nil {
				l.charset = strings.ToLower(m[1])
			}
		case "":
		default:
			l.skipped[k.kind]++
		}
		return nil
	}
	return fmt.Errorf("a statement that starts with %q cannot be loaded", clip(strings.Join(strings.Fields(clip(text)), " ")))
}

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

func (l *loader) create(text string) error {
	node, err := l.parse(text)
	if err != nil {
		return err
	}
	stmt, ok := node.(*ast.CreateTableStmt)
	if !ok {
		return errors.New("this CREATE TABLE cannot be loaded")
	}
	schema, err := schema.ParseDDL(l.name, text)
	if err != nil {
		return err
	}
	if len(schema.Tables) != 1 || stmt.ReferTable != nil || stmt.Select != nil {
		return errors.New("only CREATE TABLE with a list of columns can be loaded")
	}
	declared := schema.Tables[0]
	if _, dup := l.tables[strings.ToLower(declared.Name)]; dup {
		if stmt.IfNotExists {
			return nil
		}
		return fmt.Errorf("table %s is created twice", declared.Name)
	}
	t := &table{name: declared.Name}
	tableColl, err := l.tableCollation(stmt)
	if err != nil {
		return err
	}
	for i, col := range declared.Columns {
		coll, err := columnCollation(stmt.Cols[i], tableColl)
		if err != nil {
			return err
		}
		ct, err := columnType(col.Type, coll)
		if err != nil {
			return fmt.Errorf("table %s, column %s: %w", t.name, col.Name, err)
		}
		if strings.HasPrefix(col.Type, "enum") {
			ct.enum = stmt.Cols[i].Tp.GetElems()
		}
		t.cols = append(t.cols, column{name: col.Name, decl: col.Type, typ: ct})
	}
	l.tables[strings.ToLower(t.name)] = t
	if _, err := l.conn.ExecContext(l.ctx, createTable(t, declared.PrimaryKey)); err != nil {
		return fmt.Errorf("table %s: %w", t.name, err)
	}
	return nil
}

// createTable is SQLite's CREATE TABLE. A primary key that is declared with the table orders its rows, as in InnoDB.
func createTable(t *table, primary []string) string {
	var defs []string
	keyed := len(primary) > 0
	for _, c := range t.cols {
		def := quoteName(c.name) + " " + c.typ.affinity()
		if c.typ.k == kString {
			def += " COLLATE " + string(c.typ.coll)
		}
		if len(primary) == 1 && primary[0] == c.name && c.typ.k == kInt {
			def, keyed = quoteName(c.name)+" INTEGER PRIMARY KEY", false
		}
		defs = append(defs, def)
	}
	end := ""
	if keyed {
		defs = append(defs, "PRIMARY KEY ("+quoteNames(primary)+")")
		end = " WITHOUT ROWID"
	}
	return "CREATE TABLE " + quoteName(t.name) + " (" + strings.Join(defs, ", ") + ")" + end
}

func (l *loader) tableCollation(stmt *ast.CreateTableStmt) (collation, error) {
	charset, coll := l.charset, ""
	for _, o := range stmt.Options {
		switch o.Tp {
		case ast.TableOptionCharset:
			charset, coll = strings.ToLower(o.StrValue), ""
		case ast.TableOptionCollate:
			coll = strings.ToLower(o.StrValue)
		}
	}
	return findCollation(charset, coll, collAI)
}

func columnCollation(col *ast.ColumnDef, inherited collation) (collation, error) {
	coll := strings.ToLower(col.Tp.GetCollate())
	for _, o := range col.Options {
		if o.Tp == ast.ColumnOptionCollate {
			coll = strings.ToLower(o.StrValue)
		}
	}
	return findCollation(strings.ToLower(col.Tp.GetCharset()), coll, inherited)
}

func findCollation(charset, name string, inherited collation) (collation, error) {
	if name == "" && charset == "" {
		return inherited, nil
	}
	if name == "" {
		name = charsetDefault[charset]
	}
	c, ok := collations[name]
	if !ok {
		return "", fmt.Errorf("the embedded database does not know the collation %s%s", name, charset)
	}
	return c, nil
}

func (l *loader) alter(text string) error {
	node, err := l.parse(text)
	if err != nil {
		return err
	}
	stmt, ok := node.(*ast.AlterTableStmt)
	if !ok {
		return nil // CREATE INDEX
	}
	for _, spec := range stmt.Specs {
		switch spec.Tp {
		case ast.AlterTableAddConstraint, ast.AlterTableOption, ast.AlterTableDisableKeys, ast.AlterTableEnableKeys:
		case ast.AlterTableModifyColumn, ast.AlterTableChangeColumn: // phpMyAdmin adds AUTO_INCREMENT this way
			if err := l.sameType(stmt.Table.Name.L, spec.NewColumns[0]); err != nil {
				return err
			}
		default:
			return errors.New("this ALTER TABLE cannot be loaded")
		}
	}
	return nil
}

// sameType refuses an ALTER TABLE that would change the values of a column.
func (l *loader) sameType(tableName string, def *ast.ColumnDef) error {
	t := l.tables[tableName]
	if t == nil {
		return fmt.Errorf("table %s is not known", tableName)
	}
	i := slices.IndexFunc(t.cols, func(c column) bool { return strings.EqualFold(c.name, def.Name.Name.O) })
	if i < 0 {
		return fmt.Errorf("table %s has no column %s", t.name, def.Name.Name.O)
	}
	now, err := columnType(strings.ToLower(def.Tp.CompactStr()), t.cols[i].typ.coll)
	if err != nil || now.k != t.cols[i].typ.k || now.scale != t.cols[i].typ.scale {
		return fmt.Errorf("changing the type of column %s is not supported", def.Name.Name.O)
	}
	return nil
}

func (l *loader) drop(text string) error {
	node, err := l.parse(text)
	if err != nil {
		return err
	}
	stmt, ok := node.(*ast.DropTableStmt)
	if !ok {
		return errors.New("this DROP TABLE cannot be loaded")
	}
	for _, name := range stmt.Tables {
		if t := l.tables[name.Name.L]; t != nil {
			delete(l.tables, name.Name.L)
			delete(l.rows, name.Name.L)
			if _, err := l.conn.ExecContext(l.ctx, "DROP TABLE "+quoteName(t.name)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loader) insert(text string) error {
	ins, err := parseInsert([]byte(text))
	if err != nil {
		return err
	}
	t := l.tables[strings.ToLower(ins.table)]
	if t == nil {
		return fmt.Errorf("INSERT into %s, which is not created before", clip(ins.table))
	}
	into, err := t.pick(ins.columns)
	if err != nil {
		return err
	}
	names := make([]string, len(into))
	for i, c := range into {
		names[i] = c.name
	}
	stmt, err := l.conn.PrepareContext(l.ctx, insertInto(ins.verb, t.name, names))
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
			return fmt.Errorf("table %s, row %d of the INSERT: %w", t.name, n, err)
		}
		if len(row) != len(into) {
			return fmt.Errorf("table %s, row %d of the INSERT: %d values for %d columns", t.name, n, len(row), len(into))
		}
		for i, v := range row {
			switch {
			case v.def:
				return fmt.Errorf("table %s, row %d of the INSERT: DEFAULT is not supported", t.name, n)
			case v.null:
				args[i] = nil
			default:
				if args[i], err = into[i].typ.store(v); err != nil {
					return fmt.Errorf("table %s, column %s, row %d of the INSERT: %w", t.name, into[i].name, n, err)
				}
			}
		}
		res, err := stmt.ExecContext(l.ctx, args...)
		if err != nil {
			return fmt.Errorf("table %s, row %d of the INSERT: %w", t.name, n, err)
		}
		if ins.verb != "INSERT" { // rows may be left out or replaced
			if n, err := res.RowsAffected(); err == nil && n == 0 {
				continue
			}
		}
		l.rows[strings.ToLower(t.name)]++
	}
}

// insertInto is SQLite's INSERT of one row.
func insertInto(verb, table string, columns []string) string {
	return fmt.Sprintf("%s INTO %s (%s) VALUES (%s)", verb, quoteName(table), quoteNames(columns), strings.TrimSuffix(strings.Repeat("?,", len(columns)), ","))
}

// pick finds the columns of an INSERT's list; nil means all.
func (t *table) pick(names []string) ([]column, error) {
	if names == nil {
		return t.cols, nil
	}
	var out []column
	for _, name := range names {
		i := slices.IndexFunc(t.cols, func(c column) bool { return strings.EqualFold(c.name, name) })
		if i < 0 {
			return nil, fmt.Errorf("table %s has no column %s", t.name, clip(name))
		}
		out = append(out, t.cols[i])
	}
	return out, nil
}

// createKeys creates an index for every key that CREATE TABLE has not made. They only make queries faster:
// what a key forbids is the server's business that wrote the dump.
func (l *loader) createKeys(s *schema.Schema) error {
	n := 0
	for _, t := range s.Tables {
		keys := slices.Clone(t.Unique)
		if len(t.PrimaryKey) > 0 {
			keys = append(keys, t.PrimaryKey)
		}
		for _, fk := range t.ForeignKeys {
			keys = append(keys, fk.Columns)
		}
		seen := map[string]bool{}
		for _, key := range keys {
			text := quoteNames(key)
			if seen[text] || len(key) == 0 {
				continue
			}
			seen[text] = true
			n++
			if _, err := l.conn.ExecContext(l.ctx, fmt.Sprintf("CREATE INDEX k%d ON %s (%s)", n, quoteName(t.Name), text)); err != nil {
				return fmt.Errorf("key of table %s: %w", t.Name, err)
			}
		}
	}
	return nil
}

func quoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

func quoteNames(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, quoteName(n))
	}
	return strings.Join(out, ", ")
}
