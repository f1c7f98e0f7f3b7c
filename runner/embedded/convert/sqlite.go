package convert

import (
	"bufio"
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"nl2sql/sqlcheck/syntax"
)

// sqliteMagic begins every SQLite database. Source: SQLite's file format, 1.3.1.
const sqliteMagic = "SQLite format 3\x00"

// sqliteFile is a SQLite database that is read; each table's rows twice.
type sqliteFile struct {
	*Source
	ctx  context.Context
	conn *sql.Conn
	out  *bufio.Writer
	keys map[string][]string // primary keys by lower-case table
}

// sqliteTable is one of its tables.
type sqliteTable struct {
	name    string
	columns []*sqliteColumn
	key     []string
}

type sqliteColumn struct {
	column
	blobs      int    // values that are bytes
	declaredAs string // in SQLite
	notNull    bool
	json       bool // all texts are JSON
	keyed      bool // part of the primary key
}

// writeSQLite writes tables with their keys, and views as far as they can be read.
func writeSQLite(ctx context.Context, s *Source, out *bufio.Writer) (err error) {
	path, err := filepath.Abs(s.paths[0])
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(path),
		RawQuery: "mode=ro&_pragma=query_only(1)&_pragma=trusted_schema(0)"}).String())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	f := &sqliteFile{Source: s, ctx: ctx, out: out, keys: map[string][]string{}}
	if f.conn, err = db.Conn(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.conn.Close()) }()
	if _, err := sqlite.Limit(f.conn, lib.SQLITE_LIMIT_LENGTH, maxRow); err != nil { // of a value and of a row
		return err
	}
	return f.write()
}

func (f *sqliteFile) write() error {
	list, err := f.strings(`SELECT l.name, l.type, COALESCE(s.sql, '') FROM pragma_table_list AS l JOIN sqlite_schema AS s ON s.name = l.name AND s.type IN ('table', 'view')
WHERE l.schema = 'main' AND l.name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY l.name`)
	if err != nil {
		return err
	}
	var tables []*sqliteTable
	var views [][]string
	for _, row := range list {
		switch name := row[0]; row[1] {
		case "table":
			t, err := f.table(name)
			if err != nil {
				return fmt.Errorf("table %s: %w", name, err)
			}
			f.keys[strings.ToLower(name)] = t.key
			tables = append(tables, t)
		case "view":
			views = append(views, row)
		case "virtual":
			f.Left = append(f.Left, fmt.Sprintf("table %s: it is a virtual one", name))
		}
	}
	for i, t := range tables {
		if err := f.rows(t); err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
		f.step(int(f.Size*2*int64(i+1)/int64(len(tables)) - f.read))
	}
	for _, v := range views {
		f.view(v[0], v[2])
	}
	return nil
}

// table reads the columns of a table, and the types of their values.
func (f *sqliteFile) table(name string) (*sqliteTable, error) {
	t := &sqliteTable{name: name}
	columns, err := f.strings("SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid", name)
	if err != nil {
		return nil, err
	}
	parts := map[int]string{}
	for _, row := range columns {
		c := &sqliteColumn{declaredAs: strings.ToUpper(row[1]), notNull: row[2] == "1", json: true}
		c.name = row[0]
		if n, err := strconv.Atoi(row[3]); err == nil && n > 0 {
			parts[n], c.keyed = c.name, true
		}
		t.columns = append(t.columns, c)
	}
	for i := 1; i <= len(parts); i++ {
		t.key = append(t.key, parts[i])
	}
	if err := f.fits(t); err != nil {
		return nil, err
	}
	err = f.each(t, func(row []any) {
		for i, v := range row {
			t.columns[i].see(v)
		}
	})
	for _, c := range t.columns {
		c.settle()
	}
	// which only SQLite allows
	if slices.ContainsFunc(t.columns, func(c *sqliteColumn) bool { return c.keyed && c.nulls > 0 }) {
		t.key = nil
	}
	return t, err
}

// see notes a value.
func (c *sqliteColumn) see(v any) {
	switch v := v.(type) {
	case nil:
		c.nulls++
	case int64:
		c.look(cell{strconv.FormatInt(v, 10), exact}, 0, nil)
	case float64:
		c.length(strconv.FormatFloat(v, 'g', -1, 64))
		c.note(pointed|power, "", 0)
	case string:
		c.length(v)
		c.json = c.json && json.Valid([]byte(v))
		c.note(c.timeOf(v), "", 0)
	case []byte:
		c.blobs++
	}
}

// timeOf is what a text is as a date in ISO's form, and nothing else: numbers that are texts stay so.
func (c *sqliteColumn) timeOf(s string) form {
	d, ok := parseDay(s)
	if !ok || !d.named || d.zone != "" || !strings.HasPrefix(d.date(ymd)+" "+d.clock, strings.Replace(s, "T", " ", 1)) {
		return 0
	}
	if d.clock == "" {
		return ymd
	}
	c.clock(d.clock, "")
	return ymd | timed
}

// settle finds what the values are.
func (c *sqliteColumn) settle() {
	switch all := c.seenAll() + c.blobs; {
	case all == 0:
	case all == c.count(pointed) && c.count(power) > 0:
		c.kind = double
	case all == c.count(pointed):
		c.kind = whole
	case all == c.count(ymd) && c.count(timed) > 0:
		c.kind = datetime
	case all == c.count(ymd):
		c.kind = date
	case c.blobs > 0:
		c.kind = blob
	}
}

var withPlaces = regexp.MustCompile(`^(?:DECIMAL|NUMERIC)\s*\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)$`)

var withLength = regexp.MustCompile(`CHAR[A-Z ]*\(\s*(\d+)\s*\)$`)

// mysqlType is the declared type where the values fit it, else what they fit.
func (c *sqliteColumn) mysqlType() string {
	numeric := c.kind == whole || c.kind == double
	if m := withPlaces.FindStringSubmatch(c.declaredAs); m != nil && (numeric || c.empty()) {
		digits, _ := strconv.Atoi(m[1])
		places, _ := strconv.Atoi("0" + m[2])
		if digits <= 65 && places <= 30 && places <= digits && c.plain.digits <= digits-places {
			return fmt.Sprintf("decimal(%d,%d)", digits, places)
		}
	}
	switch declared := c.declaredAs; {
	case strings.HasPrefix(declared, "BOOL") && (c.empty() || c.kind == whole && c.plain.low >= 0 && c.plain.high <= 1):
		return "tinyint(1)"
	case declared == "JSON" && c.json && !c.empty() && c.count(^form(0)) == 0 && c.blobs == 0:
		return "json"
	case c.kind == text && !c.empty():
		if m := withLength.FindStringSubmatch(declared); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil && n >= c.chars && n <= 16383 {
				return fmt.Sprintf("varchar(%d)", n)
			}
		}
	case !c.empty():
	case strings.Contains(declared, "INT"):
		return "bigint"
	case strings.Contains(declared, "REAL"), strings.Contains(declared, "FLOA"), strings.Contains(declared, "DOUB"):
		return "double"
	case declared == "DATE", declared == "DATETIME":
		return declared
	case declared == "BLOB":
		return "longblob"
	default:
		return "text"
	}
	return c.declared()
}

// empty says that there is no value.
func (c *sqliteColumn) empty() bool { return c.seenAll()+c.blobs == 0 }

// rows writes a table and its rows.
func (f *sqliteFile) rows(t *sqliteTable) error {
	var defs []string
	types := make([]string, len(t.columns))
	for i, c := range t.columns {
		types[i] = c.mysqlType()
		def := syntax.QuoteName(c.name) + " " + types[i]
		if c.keyed && c.kind == text {
			def += " COLLATE utf8mb4_0900_bin" // SQLite tells keys apart by their bytes
		}
		if c.notNull && c.nulls == 0 {
			def += " NOT NULL"
		}
		defs = append(defs, def)
	}
	if t.key != nil {
		defs = append(defs, "PRIMARY KEY "+syntax.QuoteNames(t.key))
	}
	keys, err := f.otherKeys(t)
	if err != nil {
		return err
	}
	fmt.Fprintf(f.out, "CREATE TABLE %s (%s);\n", syntax.QuoteName(t.name), strings.Join(append(defs, keys...), ", "))
	w := &inserts{out: f.out, table: syntax.QuoteName(t.name)}
	err = f.each(t, func(row []any) {
		w.row(len(row), func(i int) int { return f.cell(types[i], row[i]) })
	})
	w.end()
	return err
}

// quotedNames is an expression that lists names of a group as MySQL has them.
func quotedNames(name, order string) string {
	return fmt.Sprintf("group_concat('`' || replace(%s, '`', '``') || '`', ', ' ORDER BY %s)", name, order)
}

// otherKeys are the unique and the foreign keys; an expression in one has no name.
func (f *sqliteFile) otherKeys(t *sqliteTable) (defs []string, err error) {
	unique, err := f.strings("SELECT "+quotedNames("i.name", "i.seqno")+` FROM pragma_index_list(?) AS l,
pragma_index_info(l.name) AS i WHERE l."unique" AND NOT l.partial AND l.origin <> 'pk' GROUP BY l.seq HAVING COUNT(i.name) = COUNT(*)`,
		t.name)
	if err != nil {
		return nil, err
	}
	defs = syntax.Map(unique, func(key []string) string { return "UNIQUE KEY (" + key[0] + ")" })
	foreign, err := f.strings("SELECT "+quotedNames(`"from"`, "seq")+`, "table", COUNT(*), `+quotedNames(`"to"`, "seq")+
		" FROM pragma_foreign_key_list(?) GROUP BY id", t.name)
	if err != nil {
		return nil, err
	}
	for _, key := range foreign {
		primary, known := f.keys[strings.ToLower(key[1])]
		to := "(" + key[3] + ")"
		if key[3] == "" {
			to, known = syntax.QuoteNames(primary), known && fmt.Sprint(len(primary)) == key[2]
		}
		if known {
			defs = append(defs, fmt.Sprintf("FOREIGN KEY (%s) REFERENCES %s %s", key[0], syntax.QuoteName(key[1]), to))
		}
	}
	return defs, nil
}

// cell writes a value, and says how long it is.
func (f *sqliteFile) cell(declared string, v any) (bytes int) {
	switch v := v.(type) {
	case int64:
		n, _ := f.out.WriteString(strconv.FormatInt(v, 10)) // the error stays in out
		return n
	case float64:
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			n, _ := f.out.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
			return n
		}
	case string:
		if strings.HasPrefix(declared, "datetime") {
			v = strings.Replace(v, "T", " ", 1)
		}
		return f.cell("", []byte(v))
	case []byte:
		if declared == "longblob" {
			f.out.WriteString("x'")
			hex.NewEncoder(f.out).Write(v)
			f.out.WriteByte('\'')
			return 2 * len(v)
		}
		writeText(f.out, string(v))
		return len(v)
	}
	n, _ := f.out.WriteString("NULL")
	return n
}

// each calls do with every row of a table; of some types the driver would make times of bare columns.
func (f *sqliteFile) each(t *sqliteTable, do func(row []any)) error {
	items := syntax.Map(t.columns, func(c *sqliteColumn) string { return "+" + sqliteName(c.name) })
	return f.query("SELECT "+strings.Join(items, ", ")+" FROM "+sqliteName(t.name), nil, do)
}

// query calls do with every row of a query's.
func (f *sqliteFile) query(query string, args []any, do func(row []any)) (err error) {
	rows, err := f.conn.QueryContext(f.ctx, query, args...)
	if err != nil {
		return tooLong(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	columns, err := rows.Columns()
	row, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range row {
		into[i] = &row[i]
	}
	for err == nil && rows.Next() {
		if err = rows.Scan(into...); err == nil {
			do(row)
		}
	}
	return cmp.Or(err, tooLong(rows.Err()))
}

// fits refuses a table that has a row beyond the bound, before such a row is held.
func (f *sqliteFile) fits(t *sqliteTable) error {
	var sums []string
	for some := range slices.Chunk(t.columns, 500) { // SQLite takes expressions of 1,000 levels
		lengths := syntax.Map(some, func(c *sqliteColumn) string {
			return "COALESCE(octet_length(" + sqliteName(c.name) + "), 0)"
		})
		sums = append(sums, "("+strings.Join(lengths, " + ")+")")
	}
	if len(sums) == 0 {
		return nil
	}
	found, err := f.strings(fmt.Sprintf("SELECT 1 FROM %s WHERE %s > %d LIMIT 1", sqliteName(t.name),
		strings.Join(sums, " + "), maxRow))
	if err == nil && len(found) > 0 {
		err = errLongRow
	}
	return tooLong(err)
}

// tooLong says what SQLite means where a value or row is beyond the bound.
func tooLong(err error) error {
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code() == lib.SQLITE_TOOBIG {
		return errLongRow
	}
	return err
}

func sqliteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// strings runs a query about the schema.
func (f *sqliteFile) strings(query string, args ...any) (out [][]string, err error) {
	err = f.query(query, args, func(row []any) {
		out = append(out, syntax.Map(row, func(v any) string { return fmt.Sprint(cmp.Or[any](v, "")) }))
	})
	return out, err
}

// view writes a view if MySQL would read it as SQLite does: names may stand in double quotes, and || joins texts.
func (f *sqliteFile) view(name, definition string) {
	p := parser.New()
	p.SetSQLMode(mysql.ModeANSIQuotes | mysql.ModePipesAsConcat)
	node, err := p.ParseOneStmt(definition, "", "")
	if err != nil {
		f.Left = append(f.Left, fmt.Sprintf("view %s: %s", name, syntax.FirstLine(err.Error())))
		return
	}
	divides := slices.ContainsFunc(syntax.All[*ast.BinaryOperationExpr](node),
		func(n *ast.BinaryOperationExpr) bool { return n.Op == opcode.Div })
	text, err := syntax.Restore(node)
	if divides {
		err = errors.New("it divides, which SQLite does otherwise than MySQL")
	} else if err == nil {
		_, err = f.out.WriteString(text + ";\n")
	}
	if err != nil {
		f.Left = append(f.Left, fmt.Sprintf("view %s: %v", name, err))
	}
}
