package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"modernc.org/sqlite"

	"nl2sql/runner"
	"nl2sql/runner/embedded/dump"
	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// Change gives the rows of one table of a clone. It gets all of them, in the order of the primary key where there is
// one, in the cells of [runner.Result], and may keep or change them. nil leaves the table as it is, no rows empty it.
// A value that its column cannot hold, or a primary key that comes twice, fails the clone.
type Change = func(table schema.Table, rows [][]any) ([][]any, error)

// Clone makes a database of its own with the same name, tables and limits, in memory; change, if it is not nil, is
// asked for the rows of every table. db stays as it is, and need not stay open. What the schema knows of the values
// (samples, ranges) stays that of db. A clone of the demo database costs about half a megabyte for each connection
// that is in use at once; one of an imported database that is changed is copied as a whole.
func (db *DB) Clone(ctx context.Context, change Change) (*DB, error) {
	c := &DB{name: db.name, source: "clone of " + strings.TrimPrefix(db.source, "clone of "), schema: db.schema,
		ddl: db.ddl, tables: db.tables, views: db.views, limits: db.limits, version: db.version, from: db.from}
	if change != nil {
		var err error
		if c.from, c.schema, err = db.changed(ctx, change); err != nil {
			return nil, fmt.Errorf("clone %s: %w", db.name, err)
		}
	}
	c.connect(1) // there may be hundreds of clones
	return c, nil
}

// changed makes the image of a database with other rows, and its schema.
func (db *DB) changed(ctx context.Context, change Change) (_ connector, _ *schema.Schema, err error) {
	conn, err := db.pool.Conn(ctx)
	if err != nil {
		return connector{}, nil, err
	}
	image, err := serialize(conn)
	if err := errors.Join(err, conn.Close()); err != nil {
		return connector{}, nil, err
	}
	base, err := sqlite.NewConnector(":memory:")
	if err != nil {
		return connector{}, nil, err
	}
	pool := sql.OpenDB(base)
	defer func() { err = errors.Join(err, pool.Close()) }()
	if conn, err = pool.Conn(ctx); err != nil {
		return connector{}, nil, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	err = conn.Raw(func(c any) error { return c.(interface{ Deserialize([]byte) error }).Deserialize(image) })
	if err != nil {
		return connector{}, nil, err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return connector{}, nil, err
	}
	schema := *db.schema
	schema.Tables = slices.Clone(schema.Tables)
	for i := range schema.Tables {
		if _, isView := db.views[strings.ToLower(schema.Tables[i].Name)]; isView {
			continue
		}
		if schema.Tables[i].Rows, err = db.changeTable(ctx, conn, schema.Tables[i], change); err != nil {
			return connector{}, nil, fmt.Errorf("table %s: %w", schema.Tables[i].Name, err)
		}
	}
	if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
		return connector{}, nil, err
	}
	image, err = serialize(conn)
	return connector{base, image}, &schema, err
}

// changeTable replaces the rows of one table and returns how many there are.
func (db *DB) changeTable(ctx context.Context, conn *sql.Conn, declared schema.Table, change Change) (int64, error) {
	t := db.tables[strings.ToLower(declared.Name)]
	names := syntax.Map(t.Columns, func(c types.Column) string { return c.Name })
	old, err := readAll(conn.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s", dump.QuoteNames(names),
		runner.QuoteName(t.Name))))
	if err != nil {
		return 0, err
	}
	for _, row := range old {
		for i, v := range row {
			if row[i], err = mysqlfn.Cell(t.Columns[i].Type, v); err != nil {
				return 0, fmt.Errorf("column %s: %w", t.Columns[i].Name, err)
			}
		}
	}
	count := int64(len(old))
	rows, err := change(declared, old)
	if err != nil || rows == nil {
		return count, err
	}
	if _, err := conn.ExecContext(ctx, "DELETE FROM "+runner.QuoteName(t.Name)); err != nil {
		return 0, err
	}
	stmt, err := conn.PrepareContext(ctx, dump.InsertInto("INSERT", t.Name, names))
	if err != nil {
		return 0, err
	}
	defer stmt.Close()
	args := make([]any, len(names))
	for n, row := range rows {
		if len(row) != len(names) {
			return 0, fmt.Errorf("row %d: %d values for %d columns", n+1, len(row), len(names))
		}
		for i, v := range row {
			if args[i], err = storeCell(t.Columns[i].Type, v); err != nil {
				return 0, fmt.Errorf("column %s, row %d: %w", names[i], n+1, err)
			}
		}
		if _, err := stmt.ExecContext(ctx, args...); err != nil {
			return 0, fmt.Errorf("row %d: %w", n+1, err)
		}
	}
	return int64(len(rows)), nil
}

// storeCell turns a cell of a result into what a column holds.
func storeCell(t types.Type, v any) (any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case string:
		return mysqlfn.Store(t, mysqlfn.Literal{Text: v, Quoted: true})
	case []byte:
		return mysqlfn.Store(t, mysqlfn.Literal{Text: string(v), Quoted: true})
	case float64:
		return mysqlfn.Store(t, mysqlfn.Literal{Text: mysqlfn.FormatDouble(v, 64)})
	case int64, runner.Decimal:
		return mysqlfn.Store(t, mysqlfn.Literal{Text: fmt.Sprint(v)})
	}
	return nil, fmt.Errorf("a cell cannot be a %T", v)
}

// serialize is the content of a connection's database.
func serialize(conn *sql.Conn) (image []byte, err error) {
	err = conn.Raw(func(c any) error {
		image, err = c.(interface{ Serialize() ([]byte, error) }).Serialize()
		return err
	})
	return image, err
}
