package dump

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
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

// create makes a table; spatial are those of its columns that hold shapes, defaults are expressions by their column.
func (l *loader) create(text string, spatial []string, defaults map[string]string) error {
	node, err := schema.Statement(text)
	if err != nil {
		return err
	}
	stmt, ok := node.(*ast.CreateTableStmt)
	if !ok {
		return errors.New("this CREATE TABLE cannot be loaded")
	}
	if l.Tables[stmt.Table.Name.L] != nil {
		if stmt.IfNotExists {
			return nil
		}
		return fmt.Errorf("table %s is created twice", stmt.Table.Name.O)
	}
	if stmt.Select != nil {
		return l.createAs(stmt)
	}
	like := ""
	if of := stmt.ReferTable; of != nil {
		if like = of.Name.L; l.filling[like] == nil {
			return fmt.Errorf("table %s is like %s, which is not created before", stmt.Table.Name.O, of.Name.O)
		}
		stmt = schema.Like(l.filling[like].def, stmt.Table)
	}
	t, f, err := l.table(stmt, like)
	if err != nil {
		return err
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		c.Spatial = c.Spatial || slices.Contains(spatial, c.Name)
		c.Initial = cmp.Or(defaults[c.Name], c.Initial)
	}
	f.startCounter(stmt.Options)
	l.ddl = append(l.ddl, text)
	return l.add(t, f)
}

// table is what a definition makes. Columns that one table, by its lower-case name, has by the same definition are as
// they are there; "" is none.
func (l *loader) table(def *ast.CreateTableStmt, like string) (*types.Table, *filling, error) {
	declared, err := schema.TableOf(def)
	if err != nil {
		return nil, nil, err
	}
	t, f := &types.Table{Name: declared.Name}, &filling{def: def, key: declared.PrimaryKey}
	charset, coll := l.setOf(def.Options)
	tableColl, near := types.FindCollation(charset, coll, types.CollAI)
	l.noteNear(near)
	for i, c := range declared.Columns {
		d := def.Cols[i]
		coll, near := types.FindCollation(strings.ToLower(d.Tp.GetCharset()), collationOf(d), tableColl)
		l.noteNear(near)
		col := types.Column{Name: c.Name, Declared: c.Type, NotNull: !c.Nullable, Charset: l.columnCharset(def, d)}
		col.Type, err = types.ColumnType(c.Type, coll)
		if name := schema.ParseType(c.Type).Name; name == "enum" || name == "set" {
			col.Type.Enum = d.Tp.GetElems()
		}
		for _, o := range d.Options {
			switch {
			case err != nil:
			case o.Tp == ast.ColumnOptionAutoIncrement:
				f.count = &counter{column: i, next: 1}
			case o.Tp == ast.ColumnOptionGenerated:
				col.Computed, err = syntax.Restore(o.Expr)
			case o.Tp == ast.ColumnOptionDefaultValue:
				col.Initial, err = syntax.Restore(o.Expr)
			}
		}
		if err != nil {
			return nil, nil, fmt.Errorf("table %s, column %s: %w", t.Name, c.Name, err)
		}
		if was := l.filling[like]; was != nil {
			if at := slices.IndexFunc(was.def.Cols, func(o *ast.ColumnDef) bool {
				return o.Tp == d.Tp || o.Name == d.Name
			}); at >= 0 {
				old := l.Tables[like].Columns[at]
				col.Initial, col.Spatial = old.Initial, old.Spatial
				if was.def.Cols[at].Tp == d.Tp {
					col.Type, col.Declared, col.Charset = old.Type, old.Declared, old.Charset
				}
			}
		}
		if col.Computed != "" && slices.Contains(f.key, col.Name) {
			f.key = nil // its values come at the end
		}
		t.Columns = append(t.Columns, col)
	}
	return t, f, nil
}

// add makes a table that is known by then.
func (l *loader) add(t *types.Table, f *filling) error {
	l.Tables[strings.ToLower(t.Name)], l.filling[strings.ToLower(t.Name)] = t, f
	if _, err := l.conn.ExecContext(l.ctx, CreateTable(t, f.key)); err != nil {
		return fmt.Errorf("table %s: %w", t.Name, err)
	}
	return nil
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

// tables runs a statement that changes tables which are there, or their rows.
func (l *loader) tables(text string) error {
	node, err := schema.Statement(text)
	if err != nil {
		return err
	}
	switch stmt := node.(type) {
	case *ast.AlterTableStmt, *ast.CreateIndexStmt, *ast.DropIndexStmt, *ast.RenameTableStmt:
		l.ddl = append(l.ddl, text)
		for _, one := range schema.Alters(stmt) {
			if err := l.alter(one); err != nil {
				return err
			}
		}
		return nil
	case *ast.DropTableStmt:
		l.ddl = append(l.ddl, text)
		return l.drop(stmt)
	case *ast.TruncateTableStmt:
		if f := l.filling[stmt.Table.Name.L]; f != nil && f.count != nil {
			f.count.next = 1
		}
		of := &ast.Join{Left: &ast.TableSource{Source: stmt.Table}}
		return l.change(&ast.UpdateStmt{TableRefs: &ast.TableRefsClause{TableRefs: of}}, "")
	case *ast.DeleteStmt:
		target := ""
		if list := stmt.Tables; list != nil && len(list.Tables) == 1 {
			target = list.Tables[0].Name.L
		}
		return l.change(&ast.UpdateStmt{With: stmt.With, TableRefs: stmt.TableRefs, Where: stmt.Where,
			Order: stmt.Order, Limit: stmt.Limit}, target)
	case *ast.UpdateStmt:
		if stmt.IgnoreErr {
			return errors.New("an UPDATE IGNORE, which may leave rows as they are, cannot be loaded")
		}
		return l.change(stmt, stmt.List[0].Column.Table.L)
	}
	return errors.New("this statement cannot be loaded")
}

// alter makes a table anew as an ALTER TABLE leaves it; where that has the same columns, its rows stay where they are.
func (l *loader) alter(stmt *ast.AlterTableStmt) error {
	name := stmt.Table.Name.L
	old, was := l.Tables[name], l.filling[name]
	if old == nil {
		return fmt.Errorf("table %s is not created before", stmt.Table.Name.O)
	}
	for _, spec := range stmt.Specs {
		switch spec.Tp {
		case ast.AlterTableAlterColumn: // its default
			at, err := pick(old, []string{spec.NewColumns[0].Name.Name.O})
			if err != nil {
				return err
			}
			old.Columns[at[0]].Initial = ""
			for _, o := range spec.NewColumns[0].Options {
				old.Columns[at[0]].Initial, _ = syntax.Restore(o.Expr)
			}
		case ast.AlterTableDropPartition, ast.AlterTableTruncatePartition,
			ast.AlterTableExchangePartition, ast.AlterTableImportPartitionTablespace, ast.AlterTableImportTablespace:
			return errors.New("this ALTER TABLE cannot be loaded")
		}
	}
	def, before, err := schema.Alter(was.def, stmt)
	if err != nil {
		return err
	}
	t, f, err := l.table(def, name)
	if err != nil {
		return err
	}
	same := slices.EqualFunc(t.Columns, old.Columns, func(a, b types.Column) bool {
		return a.Name == b.Name && a.Computed == b.Computed && reflect.DeepEqual(a.Type, b.Type)
	}) && (was.key == nil || slices.Equal(was.key, f.key))
	ins, rows := &insert{table: t.Name, verb: "INSERT"}, [][]any(nil)
	if !same {
		var items []string
		for i, c := range t.Columns {
			from := before[i]
			if at, err := pick(old, []string{from}); err == nil && c.Computed+old.Columns[at[0]].Computed == "" {
				ins.columns, items = append(ins.columns, c.Name), append(items, runner.QuoteName(from))
			}
		}
		_, rows, err = l.selectRows("SELECT " + strings.Join(items, ", ") + " FROM " + runner.QuoteName(old.Name))
		if err != nil {
			return err
		}
	}
	delete(l.Tables, name)
	delete(l.filling, name)
	if same {
		l.Tables[strings.ToLower(t.Name)], l.filling[strings.ToLower(t.Name)] = t, f
		if f.enforced, f.key = was.enforced, was.key; t.Name != old.Name {
			_, err = l.conn.ExecContext(l.ctx, fmt.Sprintf("ALTER TABLE %s RENAME TO %s", runner.QuoteName(old.Name),
				runner.QuoteName(t.Name)))
		}
	} else if _, err = l.conn.ExecContext(l.ctx, "DROP TABLE "+runner.QuoteName(old.Name)); err == nil {
		err = l.add(t, f)
	}
	count := f.count
	if err == nil && len(rows) > 0 {
		if count != nil && slices.Contains(ins.columns, t.Columns[count.column].Name) {
			f.count = nil // no row gets another number
		}
		err = l.insertCells(ins, rows)
	}
	if f.count = count; err != nil || count == nil {
		return err
	}
	err = l.conn.QueryRowContext(l.ctx, fmt.Sprintf("SELECT CAST(MAX(IFNULL(MAX(%s), 0), 0) + 1 AS INTEGER) FROM %s",
		runner.QuoteName(t.Columns[count.column].Name), runner.QuoteName(t.Name))).Scan(&count.next)
	if was.count != nil {
		count.next = max(count.next, was.count.next)
	}
	for _, spec := range stmt.Specs {
		f.startCounter(spec.Options)
	}
	return err
}

func (l *loader) drop(stmt *ast.DropTableStmt) error {
	for _, name := range stmt.Tables {
		if t := l.Tables[name.Name.L]; t != nil {
			delete(l.Tables, name.Name.L)
			delete(l.filling, name.Name.L)
			if _, err := l.conn.ExecContext(l.ctx, "DROP TABLE "+runner.QuoteName(t.Name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// change runs an UPDATE, or a DELETE, which sets nothing, of the rows of one table, which may have a name of its own
// and be joined with others: a query over them gives its rows. target is its name; "" is the only one.
func (l *loader) change(c *ast.UpdateStmt, target string) (err error) {
	var t *types.Table
	as, sources := "", syntax.All[*ast.TableSource](c.TableRefs)
	alone := len(sources) == 1
	for _, s := range sources {
		name, ok := s.Source.(*ast.TableName)
		if ok && len(name.PartitionNames) == 0 && (alone && target == "" || cmp.Or(s.AsName, name.Name).L == target) {
			as, t = cmp.Or(s.AsName, name.Name).O, l.Tables[name.Name.L]
		}
	}
	if t == nil {
		return errors.New("the table whose rows change is not named, has PARTITION, or is not created before")
	}
	l.noteActions(t, c.List != nil)
	f := l.filling[strings.ToLower(t.Name)]
	key := f.key // of the rows that are changed; if nil all are, or the table is written anew
	if alone && c.Where == nil && c.Limit == nil {
		key = nil
	} else if key == nil && (!alone || c.Limit != nil) {
		return fmt.Errorf("rows of %s, which has no primary key, cannot be changed by others' or with LIMIT", t.Name)
	}
	text := func(n ast.Node) (text string) {
		if v := reflect.ValueOf(n); err == nil && v.IsValid() && !v.IsNil() {
			text, err = syntax.Restore(n)
			text += " "
		}
		return text
	}
	own := func(column string) string { return runner.QuoteName(as) + "." + runner.QuoteName(column) }
	set, into, items, cond := map[string]string{}, []string(nil), []string(nil), cmp.Or(text(c.Where), "TRUE ")
	for _, one := range c.List {
		at, failed := pick(t, []string{one.Column.Name.O})
		if of := one.Column.Table.O; of != "" && !strings.EqualFold(of, as) {
			return errors.New("an UPDATE that sets into of several tables cannot be loaded")
		}
		if failed != nil {
			return failed
		}
		for _, name := range syntax.ColumnNames(one.Expr) {
			if set[name.Name.L] != "" && (name.Table.L == "" || strings.EqualFold(name.Table.O, as)) {
				return fmt.Errorf("an UPDATE that reads %s behind setting it cannot be loaded", name.Name.O)
			}
		}
		value := text(one.Expr)
		if def, ok := one.Expr.(*ast.DefaultExpr); ok && def.Name == nil {
			v, failed := l.initial(t, at[0])
			value, err = v.sql(), cmp.Or(err, failed)
		}
		if key == nil && c.Where != nil {
			value = fmt.Sprintf("IF(%s, %s, %s)", cond, value, own(one.Column.Name.O))
		}
		set[one.Column.Name.L] = value
	}
	query := " FROM " + text(c.TableRefs)
	if key != nil {
		query += "WHERE " + cond
	} else if c.List == nil { // the rows that stay
		query += "WHERE (" + cond + ") IS NOT TRUE"
	}
	for _, tc := range t.Columns {
		if tc.Computed == "" && (c.List != nil || key == nil && c.Where != nil) {
			into, items = append(into, tc.Name), append(items, cmp.Or(set[strings.ToLower(tc.Name)], own(tc.Name)))
		}
	}
	items = append(items, syntax.Map(key, own)...)
	distinct := map[bool]string{false: "DISTINCT "}[alone] // a row may meet several of another table
	query = text(c.With) + "SELECT " + distinct + strings.Join(items, ", ") + query + text(c.Order) + text(c.Limit)
	var rows [][]any
	if len(items) > 0 && err == nil {
		_, rows, err = l.selectRows(query)
	}
	gone := "DELETE FROM " + runner.QuoteName(t.Name)
	if key == nil && err == nil {
		_, err = l.conn.ExecContext(l.ctx, gone)
	} else if err == nil {
		rows, err = l.taken(t, key, gone+" WHERE ("+QuoteNames(key)+") = (?"+strings.Repeat(",?", len(key)-1)+")", rows)
	}
	if err != nil || len(into) == 0 {
		return err
	}
	if f.count != nil {
		f.count.fixed = true // no row gets another number
		defer func() { f.count.fixed = false }()
	}
	return l.insertCells(&insert{table: t.Name, verb: "INSERT", columns: into}, rows)
}

// noteActions notes the tables whose rows follow those of one that are deleted or updated.
func (l *loader) noteActions(t *types.Table, update bool) {
	for _, f := range l.filling {
		for _, c := range f.def.Constraints {
			if c.Refer == nil || !strings.EqualFold(c.Refer.Table.Name.O, t.Name) {
				continue
			}
			does := c.Refer.OnDelete.ReferOpt
			if update {
				does = c.Refer.OnUpdate.ReferOpt
			}
			if does == ast.ReferOptionCascade || does == ast.ReferOptionSetNull {
				l.skip("ON DELETE and ON UPDATE of", f.def.Table.Name.O)
			}
		}
	}
}

// taken deletes the rows whose keys stand behind the values of these, and leaves the values.
func (l *loader) taken(t *types.Table, key []string, gone string, rows [][]any) ([][]any, error) {
	at, err := pick(t, key)
	for i, row := range rows {
		n, args := len(row)-len(key), make([]any, len(key))
		cells, failed := literals(row[n:])
		for j := 0; j < len(args) && failed == nil; j++ {
			args[j], failed = mysqlfn.Store(t.Columns[at[j]].Type, cells[j].Literal)
		}
		if failed == nil {
			_, failed = l.conn.ExecContext(l.ctx, gone, args...)
		}
		rows[i], err = row[:n], cmp.Or(err, failed)
	}
	return rows, err
}

// InsertInto is SQLite's INSERT of one row.
func InsertInto(verb, table string, columns []string) string {
	return fmt.Sprintf("%s INTO %s (%s) VALUES (%s)", verb, runner.QuoteName(table), QuoteNames(columns),
		strings.TrimSuffix(strings.Repeat("?,", len(columns)), ","))
}

// pick finds the columns of an INSERT's list; nil means all.
func pick(t *types.Table, names []string) (out []int, err error) {
	if names == nil {
		names = syntax.Map(t.Columns, func(c types.Column) string { return c.Name })
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
// what a key forbids is the server's business that wrote the dump. No table has a name as long as theirs.
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
			if _, err := l.conn.ExecContext(l.ctx, fmt.Sprintf("CREATE INDEX k%064d ON %s (%s)", n,
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
