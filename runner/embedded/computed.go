package embedded

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner"
	"nl2sql/runner/embedded/dump"
	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/translate"
	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// computed fills the generated columns of a script's tables, of which a dump has no values: their expressions are
// checked and translated as queries are. A column whose expression cannot be run is left out of its table; left says
// why.
type computed struct {
	ctx    context.Context
	conn   *sql.Conn
	loaded *dump.Loaded
	left   []string
}

// fill fills those of every table. They may use those that stand before them.
func (c *computed) fill(ctx context.Context, conn *sql.Conn, loaded *dump.Loaded) error {
	c.ctx, c.conn, c.loaded = ctx, conn, loaded
	for _, name := range slices.Sorted(maps.Keys(loaded.Tables)) {
		t := loaded.Tables[name]
		list := slices.DeleteFunc(slices.Clone(t.Columns), func(tc types.Column) bool { return tc.Computed == "" })
		for n := 1; len(list) > 0; n = 1 {
			for n < len(list) && !uses(list[n], list[:n]) {
				n++
			}
			if err := c.columns(t, list[:n]); err != nil {
				return fmt.Errorf("generated columns of %s: %w", t.Name, err)
			}
			list = list[n:]
		}
	}
	return nil
}

// uses says that an expression names one of these columns.
func uses(c types.Column, earlier []types.Column) (found bool) {
	stmt, ok := syntax.OneSelect("SELECT " + c.Computed)
	return ok && slices.ContainsFunc(syntax.ColumnNames(stmt), func(name *ast.ColumnName) bool {
		return slices.ContainsFunc(earlier, func(e types.Column) bool { return strings.EqualFold(e.Name, name.Name.O) })
	})
}

// columns fills columns of one table, which do not use each other.
func (c *computed) columns(t *types.Table, list []types.Column) error {
	exprs := map[string]string{}
	for _, col := range list {
		expr := col.Computed
		if col.Type.Kind == types.Decimal {
			precision, _ := schema.ParseType(col.Declared).Length()
			expr = fmt.Sprintf("CAST(%s AS DECIMAL(%d,%d))", expr, precision, col.Type.Scale)
		}
		if _, err := c.query(t, []string{expr}, false); err != nil {
			c.left = append(c.left, fmt.Sprintf("generated column %s.%s: %v", t.Name, col.Name, err))
			c.remove(t, col.Name)
			continue
		}
		exprs[col.Name] = expr
	}
	if len(exprs) == 0 {
		return nil
	}
	items := syntax.Map(t.Columns, func(tc types.Column) string {
		return cmp.Or(exprs[tc.Name], runner.QuoteName(tc.Name))
	})
	err := c.rewrite(t, items, false)
	if mysqlfn.NeedsWide(err) {
		err = c.rewrite(t, items, true)
	}
	return err
}

// selected runs a query of a script over what is loaded so far.
func selected(ctx context.Context, conn *sql.Conn, so *dump.Loaded, text string) ([]types.Column, [][]any, error) {
	q, err := checked(text, so.Schema)
	if err != nil {
		return nil, nil, err
	}
	on := translate.Options{Tables: so.Tables, Database: so.Schema.Name, Kept: true,
		Now: mysqlfn.FromTime(time.Now().UTC())}
	columns, rows, err := selectedRows(ctx, conn, q, on)
	if mysqlfn.NeedsWide(err) {
		on.Wide = true
		columns, rows, err = selectedRows(ctx, conn, q, on)
	}
	return columns, rows, err
}

// maxSelected is how many rows a query of a script may give.
const maxSelected = 1_000_000

func selectedRows(ctx context.Context, conn *sql.Conn, q sqlcheck.Query,
	on translate.Options) ([]types.Column, [][]any, error) {
	t, err := translate.Statement(q.Stmt(), on)
	if err != nil {
		return nil, nil, err
	}
	var columns []types.Column
	var cells []string
	for i, c := range t.Columns {
		name := c.Name
		if labels := q.Labels(); len(labels) == len(t.Columns) {
			name = labels[i]
		}
		columns = append(columns, types.Column{Name: name, Declared: declared(c), Type: c.Type})
		cells = append(cells, c.SQL)
	}
	found, err := readAll(conn.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM (%s) LIMIT %d", strings.Join(cells, ", "),
		t.SQL, maxSelected+1)))
	if err != nil {
		if qe, ok := mysqlfn.ParseRuntimeError(err.Error()); ok {
			err = qe
		}
		return nil, nil, err
	}
	if len(found) > maxSelected {
		return nil, nil, fmt.Errorf("a query of the script gives more than %d rows", maxSelected)
	}
	for _, row := range found {
		for i, v := range row {
			if row[i], err = mysqlfn.Cell(t.Columns[i].Kept, v); err != nil {
				return nil, nil, err
			}
		}
	}
	return columns, found, nil
}

// query is what reads expressions over a table.
func (c *computed) query(t *types.Table, items []string, wide bool) (translate.Query, error) {
	q, err := checked("SELECT "+strings.Join(items, ", ")+" FROM "+runner.QuoteName(t.Name), c.loaded.Schema)
	if err != nil {
		return translate.Query{}, err
	}
	return translated(q, translate.Options{Tables: c.loaded.Tables, Database: c.loaded.Schema.Name,
		Now: mysqlfn.FromTime(time.Now().UTC()), Wide: wide, Kept: true})
}

// translated is a query as SQLite has it, with wide DECIMALs where it needs them.
func translated(q sqlcheck.Query, on translate.Options) (translate.Query, error) {
	t, err := translate.Statement(q.Stmt(), on)
	if mysqlfn.NeedsWide(err) {
		on.Wide = true
		t, err = translate.Statement(q.Stmt(), on)
	}
	return t, err
}

// rewrite gives a table the rows that these expressions over it make.
func (c *computed) rewrite(t *types.Table, items []string, wide bool) error {
	q, err := c.query(t, items, wide)
	if err != nil {
		return err
	}
	declared, _ := c.loaded.Schema.Table(t.Name)
	made := &types.Table{Name: "made of " + t.Name, Columns: t.Columns}
	if _, err := c.conn.ExecContext(c.ctx, "DROP TABLE IF EXISTS "+runner.QuoteName(made.Name)+"; "+
		dump.CreateTable(made, declared.PrimaryKey)); err != nil {
		return err
	}
	if err := c.copy(t, made, q); err != nil {
		return err
	}
	_, err = c.conn.ExecContext(c.ctx, fmt.Sprintf("DROP TABLE %s; ALTER TABLE %s RENAME TO %s",
		runner.QuoteName(t.Name), runner.QuoteName(made.Name), runner.QuoteName(t.Name)))
	return err
}

// copy writes the rows of a query into a table.
func (c *computed) copy(t, made *types.Table, q translate.Query) (err error) {
	var names, cells []string
	for i, col := range t.Columns {
		names = append(names, col.Name)
		cells = append(cells, q.Columns[i].SQL)
	}
	stmt, err := c.conn.PrepareContext(c.ctx, dump.InsertInto("INSERT", made.Name, names))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stmt.Close()) }()
	rows, err := c.conn.QueryContext(c.ctx, "SELECT "+strings.Join(cells, ", ")+" FROM ("+q.SQL+")")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	values, into := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	for n := 1; rows.Next(); n++ {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, v := range values {
			cell, err := mysqlfn.Cell(q.Columns[i].Kept, v)
			if err == nil {
				values[i], err = storeCell(t.Columns[i].Type, cell)
			}
			if err != nil {
				return fmt.Errorf("row %d, column %s: %w", n, names[i], err)
			}
		}
		if _, err := stmt.ExecContext(c.ctx, values...); err != nil {
			return fmt.Errorf("row %d: %w", n, err)
		}
	}
	return rows.Err()
}

// remove takes a column out of what is known of its table; its keys go with it.
func (c *computed) remove(t *types.Table, column string) {
	known, _ := c.loaded.Schema.Table(t.Name)
	has := func(key []string) bool { return slices.Contains(key, column) }
	t.Columns = slices.DeleteFunc(t.Columns, func(tc types.Column) bool { return tc.Name == column })
	known.Columns = slices.DeleteFunc(known.Columns, func(sc schema.Column) bool { return sc.Name == column })
	known.Unique = slices.DeleteFunc(known.Unique, has)
	known.ForeignKeys = slices.DeleteFunc(known.ForeignKeys, func(fk schema.ForeignKey) bool { return has(fk.Columns) })
}
