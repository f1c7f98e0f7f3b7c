package dump

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner"
	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// MarkKeys notes the primary keys, which columns an index starts with, and which are NOT NULL.
func MarkKeys(tables map[string]*types.Table, s *schema.Schema) {
	for _, declared := range s.Tables {
		t := tables[strings.ToLower(declared.Name)]
		if t == nil {
			continue
		}
		t.Key = declared.PrimaryKey
		for i := range t.Columns {
			c, ok := declared.Column(t.Columns[i].Name)
			starts := func(key []string) bool { return len(key) > 0 && key[0] == c.Name }
			t.Columns[i].NotNull = ok && !c.Nullable
			t.Columns[i].Lead = ok && (c.Key == "MUL" || c.Key == "UNI" || starts(declared.PrimaryKey) ||
				slices.ContainsFunc(declared.ForeignKeys,
					func(fk schema.ForeignKey) bool { return starts(fk.Columns) }))
		}
	}
}

// What MySQL takes. Source: MySQL 8.0 Reference Manual, "Limits on Table Column Count and Row Size", "The ENUM Type".
const (
	maxColumns = 4096   // of a table
	maxMembers = 65_535 // of an ENUM
)

// size refuses a table that no server would make.
func size(stmt *ast.CreateTableStmt) error {
	if n := len(stmt.Cols); n > maxColumns {
		return fmt.Errorf("table %s has %d columns, and MySQL takes at most %d", stmt.Table.Name.O, n, maxColumns)
	}
	for _, col := range stmt.Cols {
		if n := len(col.Tp.GetElems()); n > maxMembers {
			return fmt.Errorf("table %s, column %s: its type has %d members, and MySQL takes at most %d",
				stmt.Table.Name.O, col.Name.Name.O, n, maxMembers)
		}
	}
	return nil
}

// create makes a table; spatial are those of its columns that hold shapes, defaults are expressions by their column.
func (l *loader) create(text string, spatial []string, defaults map[string]string) error {
	node, err := l.parse(text)
	if err != nil {
		return err
	}
	stmt, ok := node.(*ast.CreateTableStmt)
	if !ok {
		return errors.New("this CREATE TABLE cannot be loaded")
	}
	if stmt.ReferTable != nil {
		return l.createLike(stmt)
	}
	if err := size(stmt); err != nil { // first, as what follows takes more than a line for each
		return err
	}
	s, err := schema.ParseDDL(l.Name, text)
	if err != nil {
		return err
	}
	if len(s.Tables) != 1 || stmt.Select != nil {
		return errors.New("only CREATE TABLE with a list of columns can be loaded")
	}
	declared := s.Tables[0]
	if _, dup := l.Tables[strings.ToLower(declared.Name)]; dup {
		if stmt.IfNotExists {
			return nil
		}
		return fmt.Errorf("table %s is created twice", declared.Name)
	}
	t, f := &types.Table{Name: declared.Name}, &filling{}
	l.filling[strings.ToLower(t.Name)] = f
	charset, coll := l.setOf(stmt.Options)
	tableColl, near := types.FindCollation(charset, coll, types.CollAI)
	l.noteNear(near)
	for i, col := range declared.Columns {
		if err := l.column(t, col, stmt.Cols[i], tableColl, l.columnCharset(stmt, stmt.Cols[i])); err != nil {
			return err
		}
	}
	for i, col := range t.Columns {
		if expr := defaults[col.Name]; expr != "" {
			f.defaults[i] = expr
		}
	}
	l.Tables[strings.ToLower(t.Name)] = t
	l.startCounter(strings.ToLower(t.Name), stmt.Options)
	l.markSpatial(t, spatial)
	if _, err := l.conn.ExecContext(l.ctx, CreateTable(t, declared.PrimaryKey)); err != nil {
		return fmt.Errorf("table %s: %w", t.Name, err)
	}
	return nil
}

// column adds one to what is known of a table, with the collation and character set that it has if it names none.
func (l *loader) column(t *types.Table, c schema.Column, def *ast.ColumnDef, coll types.Collation, set string) error {
	ct, err := types.ColumnType(c.Type, l.columnCollation(def, coll))
	if name := schema.ParseType(c.Type).Name; name == "enum" || name == "set" {
		ct.Enum = def.Tp.GetElems()
	}
	t.Columns = append(t.Columns,
		types.Column{Name: c.Name, Declared: c.Type, Type: ct, NotNull: !c.Nullable, Charset: set})
	if err == nil {
		err = l.values(t, def)
	}
	if err != nil {
		return fmt.Errorf("table %s, column %s: %w", t.Name, c.Name, err)
	}
	return nil
}

// createLike is CREATE TABLE … LIKE.
func (l *loader) createLike(stmt *ast.CreateTableStmt) error {
	like, name := l.Tables[stmt.ReferTable.Name.L], stmt.Table.Name
	switch {
	case like == nil:
		return fmt.Errorf("table %s is like %s, which is not created before", name.O, stmt.ReferTable.Name.O)
	case l.Tables[name.L] != nil && stmt.IfNotExists:
		return nil
	case l.Tables[name.L] != nil:
		return fmt.Errorf("table %s is created twice", name.O)
	}
	known, err := schema.ParseDDL(l.Name, l.ddl.String()) // with this statement
	if err != nil {
		return err
	}
	declared, _ := known.Table(name.O)
	t := &types.Table{Name: name.O, Columns: slices.Clone(like.Columns)}
	l.Tables[name.L] = t
	from := l.filling[stmt.ReferTable.Name.L]
	l.filling[name.L] = &filling{defaults: slices.Clone(from.defaults)}
	if from.count != nil {
		l.filling[name.L].count = &counter{column: from.count.column, next: 1}
	}
	for _, c := range l.Computed {
		if c.Table == like.Name {
			l.Computed = append(l.Computed, Computed{t.Name, c.Column, c.Expr})
		}
	}
	_, err = l.conn.ExecContext(l.ctx, CreateTable(t, declared.PrimaryKey))
	return err
}

// declaration is a column as SQLite's CREATE TABLE has it.
func declaration(c types.Column) string {
	text := runner.QuoteName(c.Name) + " " + c.Type.Affinity()
	if c.Type.Kind == types.String {
		text += " COLLATE " + string(c.Type.Coll)
	}
	return text
}

// CreateTable is SQLite's CREATE TABLE. A primary key that is declared with the table orders its rows, as in InnoDB.
func CreateTable(t *types.Table, primary []string) string {
	var defs []string
	keyed := len(primary) > 0
	for _, c := range t.Columns {
		def := declaration(c)
		if len(primary) == 1 && primary[0] == c.Name && c.Type.Kind == types.Int &&
			!strings.HasPrefix(c.Declared, "bigint unsigned") { // which may be wider, see widen
			def, keyed = runner.QuoteName(c.Name)+" INTEGER PRIMARY KEY", false
		}
		defs = append(defs, def)
	}
	end := ""
	if keyed {
		defs = append(defs, "PRIMARY KEY ("+QuoteNames(primary)+")")
		end = " WITHOUT ROWID"
	}
	return "CREATE TABLE " + runner.QuoteName(t.Name) + " (" + strings.Join(defs, ", ") + ")" + end
}

// Computed is a generated column.
type Computed struct{ Table, Column, Expr string }

// values notes where the last column of a table has its values from when no INSERT says them.
func (l *loader) values(t *types.Table, def *ast.ColumnDef) error {
	initial, f := "", l.filling[strings.ToLower(t.Name)]
	for _, o := range def.Options {
		text := ""
		if o.Expr != nil {
			var err error
			if text, err = syntax.Restore(o.Expr); err != nil {
				return err
			}
		}
		switch o.Tp {
		case ast.ColumnOptionGenerated:
			l.Computed = append(l.Computed, Computed{t.Name, def.Name.Name.O, text})
		case ast.ColumnOptionDefaultValue:
			initial = text
		case ast.ColumnOptionAutoIncrement:
			f.count = &counter{column: len(t.Columns) - 1, next: 1}
		}
	}
	f.defaults = append(f.defaults, initial)
	return nil
}

func (l *loader) columnCollation(col *ast.ColumnDef, inherited types.Collation) types.Collation {
	found, near := types.FindCollation(strings.ToLower(col.Tp.GetCharset()), collationOf(col), inherited)
	l.noteNear(near)
	return found
}

// tables runs a statement that changes tables which are there, or their rows.
func (l *loader) tables(text string, line int) error {
	node, err := l.parse(text)
	if err != nil {
		return err
	}
	switch stmt := node.(type) {
	case *ast.AlterTableStmt:
		l.keep(text, line)
		return l.alter(stmt)
	case *ast.CreateIndexStmt:
		l.keep(text, line)
		return nil
	case *ast.DropTableStmt:
		l.keep(text, line)
		return l.drop(stmt)
	case *ast.RenameTableStmt:
		return l.rename(stmt, line)
	case *ast.TruncateTableStmt:
		if f := l.filling[stmt.Table.Name.L]; f != nil && f.count != nil {
			f.count.next = 1
		}
		return l.change(stmt.Table, nil, nil)
	case *ast.DeleteStmt:
		if stmt.Limit == nil && stmt.With == nil {
			return l.change(stmt.TableRefs, stmt.Where, nil)
		}
	case *ast.UpdateStmt:
		if stmt.Limit == nil && stmt.With == nil {
			return l.change(stmt.TableRefs, stmt.Where, stmt.List)
		}
	}
	return errors.New("this statement cannot be loaded: of those that change rows, a DELETE or UPDATE without LIMIT and WITH can")
}

func (l *loader) alter(stmt *ast.AlterTableStmt) error {
	for _, spec := range stmt.Specs {
		switch spec.Tp {
		case ast.AlterTableAddConstraint, ast.AlterTableDisableKeys, ast.AlterTableEnableKeys:
		case ast.AlterTableOption:
			if slices.ContainsFunc(spec.Options, func(o *ast.TableOption) bool {
				return o.Tp == ast.TableOptionCharset && o.UintValue == ast.TableOptionCharsetWithConvertTo
			}) {
				return errors.New("a table whose texts are converted to another character set cannot be loaded")
			}
			l.startCounter(stmt.Table.Name.L, spec.Options)
		case ast.AlterTableAddColumns:
			for _, col := range spec.NewColumns {
				if err := l.addColumn(stmt.Table.Name.L, col, spec.Position); err != nil {
					return err
				}
			}
		case ast.AlterTableRenameTable:
			if err := l.renameTable(stmt.Table.Name.L, spec.NewTable.Name.O); err != nil {
				return err
			}
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

// addColumn adds a column behind the others. The rows that there are get its default.
func (l *loader) addColumn(tableName string, def *ast.ColumnDef, at *ast.ColumnPosition) error {
	t, name := l.Tables[tableName], def.Name.Name.O
	switch {
	case t == nil:
		return fmt.Errorf("table %s is not known", tableName)
	case at != nil && at.Tp != ast.ColumnPositionNone:
		return fmt.Errorf("adding column %s between others is not supported", name)
	}
	known, err := schema.ParseDDL(l.Name, l.ddl.String()) // with this statement
	if err != nil {
		return err
	}
	declared, _ := known.Table(t.Name)
	c, _ := declared.Column(name)
	coll := types.CollAI
	for _, other := range t.Columns {
		if other.Type.Kind == types.String {
			coll = other.Type.Coll
		}
	}
	if err := l.column(t, *c, def, coll, ""); err != nil {
		return err
	}
	added := t.Columns[len(t.Columns)-1]
	if _, err := l.conn.ExecContext(l.ctx, "ALTER TABLE "+runner.QuoteName(t.Name)+" ADD COLUMN "+
		declaration(added)); err != nil {
		return err
	}
	initial, ok, err := l.absent(t, len(t.Columns)-1)
	switch {
	case err != nil:
		return fmt.Errorf("its default: %w", err)
	case ok && initial.null: // AUTO_INCREMENT
		return fmt.Errorf("adding the numbered column %s is not supported", name)
	case !ok || initial.null:
		return nil
	}
	value, err := mysqlfn.Store(added.Type, initial.Literal)
	if err != nil {
		return err
	}
	_, err = l.conn.ExecContext(l.ctx, fmt.Sprintf("UPDATE %s SET %s = ?", runner.QuoteName(t.Name),
		runner.QuoteName(c.Name)), value)
	return err
}

// sameType refuses an ALTER TABLE that would change the values of a column.
func (l *loader) sameType(tableName string, def *ast.ColumnDef) error {
	t := l.Tables[tableName]
	if t == nil {
		return fmt.Errorf("table %s is not known", tableName)
	}
	i := slices.IndexFunc(t.Columns, func(c types.Column) bool { return strings.EqualFold(c.Name, def.Name.Name.O) })
	if i < 0 {
		return fmt.Errorf("table %s has no column %s", t.Name, def.Name.Name.O)
	}
	was := t.Columns[i].Type
	now, err := types.ColumnType(strings.ToLower(def.Tp.CompactStr()), l.columnCollation(def, was.Coll))
	if err != nil || now.Kind != was.Kind || now.Scale != was.Scale || now.Coll != was.Coll || now.Char != was.Char ||
		now.Year != was.Year || now.Bit != was.Bit || !slices.Equal(def.Tp.GetElems(), was.Enum) {
		return fmt.Errorf("changing the type of column %s is not supported", def.Name.Name.O)
	}
	if slices.ContainsFunc(def.Options,
		func(o *ast.ColumnOption) bool { return o.Tp == ast.ColumnOptionAutoIncrement }) {
		return l.countRows(tableName, i)
	}
	return nil
}

func (l *loader) drop(stmt *ast.DropTableStmt) error {
	for _, name := range stmt.Tables {
		if t := l.Tables[name.Name.L]; t != nil {
			delete(l.Tables, name.Name.L)
			delete(l.filling, name.Name.L)
			l.Computed = slices.DeleteFunc(l.Computed,
				func(c Computed) bool { return strings.EqualFold(c.Table, t.Name) })
			if _, err := l.conn.ExecContext(l.ctx, "DROP TABLE "+runner.QuoteName(t.Name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// change runs a DELETE, which sets nothing, or an UPDATE of one table: a query over it gives its rows.
func (l *loader) change(of ast.Node, where ast.ExprNode, set []*ast.Assignment) error {
	names := syntax.All[*ast.TableName](of)
	if len(names) != 1 {
		return errors.New("only a DELETE or UPDATE of one table can be loaded")
	}
	t := l.Tables[names[0].Name.L]
	if t == nil {
		return errors.New("rows of a table are deleted or updated that is not created before")
	}
	columns, rows, err := l.changed(t, of, where, set)
	if err != nil {
		return err
	}
	f := l.filling[names[0].Name.L]
	defer func(count *counter) { f.count = count }(f.count)
	f.rows, f.count = 0, nil // no row gets another number
	if _, err := l.conn.ExecContext(l.ctx, "DELETE FROM "+runner.QuoteName(t.Name)); err != nil {
		return err
	}
	return l.insertCells(&insert{table: t.Name, verb: "INSERT", columns: columns}, rows)
}

// changed are the rows of a table behind a DELETE or UPDATE, and their columns; nil without a condition: all rows go.
func (l *loader) changed(t *types.Table, of ast.Node, where ast.ExprNode,
	set []*ast.Assignment) (columns []string, rows [][]any, err error) {
	if where == nil && set == nil {
		return nil, nil, nil
	}
	restore := func(n ast.Node) (text string) {
		if err == nil {
			text, err = syntax.Restore(n)
		}
		return text
	}
	cond, values := "TRUE", map[string]string{}
	if where != nil {
		cond = restore(where)
	}
	for _, one := range set {
		if _, err := pick(t, []string{one.Column.Name.O}); err != nil {
			return nil, nil, err
		}
		for _, name := range syntax.ColumnNames(one.Expr) {
			if values[name.Name.L] != "" {
				return nil, nil, fmt.Errorf("an UPDATE that reads %s behind setting it cannot be loaded", name.Name.O)
			}
		}
		values[one.Column.Name.L] = fmt.Sprintf("IF(%s, %s, %s)", cond, restore(one.Expr), restore(one.Column))
	}
	var items []string
	for i, c := range t.Columns {
		if !l.isComputed(t, i) {
			columns = append(columns, c.Name)
			items = append(items, cmp.Or(values[strings.ToLower(c.Name)], runner.QuoteName(c.Name)))
		}
	}
	query := "SELECT " + strings.Join(items, ", ") + " FROM " + restore(of)
	if set == nil {
		query += " WHERE (" + cond + ") IS NOT TRUE"
	}
	if err == nil {
		_, rows, err = l.selectRows(query)
	}
	return columns, rows, err
}

// rename gives tables other names.
func (l *loader) rename(stmt *ast.RenameTableStmt, line int) error {
	for _, pair := range stmt.TableToTables {
		if err := l.renameTable(pair.OldTable.Name.L, pair.NewTable.Name.O); err != nil {
			return err
		}
		l.keep("ALTER TABLE "+runner.QuoteName(pair.OldTable.Name.O)+" RENAME TO "+
			runner.QuoteName(pair.NewTable.Name.O), line)
	}
	return nil
}

func (l *loader) renameTable(from, to string) error {
	t := l.Tables[from]
	if t == nil {
		return fmt.Errorf("table %s is renamed, which is not created before", from)
	}
	old, name := t.Name, strings.ToLower(to)
	if l.Tables[name] != nil && name != from {
		return fmt.Errorf("there is a table %s already", to)
	}
	if _, err := l.conn.ExecContext(l.ctx, fmt.Sprintf("ALTER TABLE %s RENAME TO %s", runner.QuoteName(old),
		runner.QuoteName(to))); err != nil {
		return err
	}
	f := l.filling[from]
	delete(l.Tables, from)
	delete(l.filling, from)
	t.Name = to
	l.Tables[name], l.filling[name] = t, f
	for i := range l.Computed {
		if l.Computed[i].Table == old {
			l.Computed[i].Table = to
		}
	}
	for i, column := range l.Spatial {
		if rest, ok := strings.CutPrefix(column, old+"."); ok {
			l.Spatial[i] = to + "." + rest
		}
	}
	return nil
}

// InsertInto is SQLite's INSERT of one row.
func InsertInto(verb, table string, columns []string) string {
	return fmt.Sprintf("%s INTO %s (%s) VALUES (%s)", verb, runner.QuoteName(table), QuoteNames(columns),
		strings.TrimSuffix(strings.Repeat("?,", len(columns)), ","))
}

// pick finds the columns of an INSERT's list; nil means all.
func pick(t *types.Table, names []string) (out []int, err error) {
	for i := range t.Columns {
		if names == nil {
			out = append(out, i)
		}
	}
	for _, name := range names {
		i := slices.IndexFunc(t.Columns, func(c types.Column) bool { return strings.EqualFold(c.Name, name) })
		if i < 0 {
			return nil, fmt.Errorf("table %s has no column %s", t.Name, mysqlfn.Clip(name))
		}
		out = append(out, i)
	}
	return out, nil
}

// createKeys creates an index for every key that CREATE TABLE has not made. They only make queries faster:
// what a key forbids is the server's business that wrote the dump.
func (l *loader) createKeys(s *schema.Schema) error {
	n := 0
	for _, t := range s.Tables {
		if noIndex(t.Name) {
			continue
		}
		keys := slices.Clone(t.Unique)
		if len(t.PrimaryKey) > 0 {
			keys = append(keys, t.PrimaryKey)
		}
		for _, fk := range t.ForeignKeys {
			keys = append(keys, fk.Columns)
		}
		seen := map[string]bool{}
		for _, key := range keys {
			text := QuoteNames(key)
			if seen[text] || len(key) == 0 {
				continue
			}
			seen[text] = true
			n++
			if _, err := l.conn.ExecContext(l.ctx, fmt.Sprintf("CREATE INDEX k%d ON %s (%s)", n,
				runner.QuoteName(t.Name), text)); err != nil {
				return fmt.Errorf("key of table %s: %w", t.Name, err)
			}
		}
	}
	return nil
}

// noIndex says that SQLite makes no index of a table of such a name: it keeps it for itself.
func noIndex(table string) bool { return strings.HasPrefix(strings.ToLower(table), "sqlite_") }

// QuoteNames writes a list of names as identifiers.
func QuoteNames(names []string) string {
	return strings.Join(syntax.Map(names, runner.QuoteName), ", ")
}
