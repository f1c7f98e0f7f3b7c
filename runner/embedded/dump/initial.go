package dump

import (
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner"
	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/schema"
)

// What a column holds where an INSERT does not say it: its default, the next number, or what MySQL has for NOT NULL.

// counter is the AUTO_INCREMENT of a table.
type counter struct {
	column int
	next   int64
}

// startCounter reads AUTO_INCREMENT=n.
func (l *loader) startCounter(table string, options []*ast.TableOption) {
	for _, o := range options {
		if o.Tp != ast.TableOptionAutoIncrement {
			continue
		}
		if c := l.counted[table]; c != nil {
			c.next = max(c.next, int64(o.UintValue))
		}
	}
}

// countRows makes a column with rows count on.
func (l *loader) countRows(table string, column int) error {
	t := l.tables[table]
	var last sql.NullInt64
	if err := l.conn.QueryRowContext(l.ctx, fmt.Sprintf("SELECT MAX(%s) FROM %s",
		runner.QuoteName(t.Columns[column].Name), runner.QuoteName(t.Name))).Scan(&last); err != nil {
		return err
	}
	l.counted[table] = &counter{column: column, next: max(1, last.Int64+1)}
	return nil
}

// counts says that a value stands for the next number.
func (c *counter) counts(v literal, zeroIsOne bool) bool {
	f, err := strconv.ParseFloat(v.Text, 64)
	return v.null || v.def || zeroIsOne && err == nil && f == 0
}

// moveOn takes the numbers away that InnoDB sets aside for a statement of so many rows that took any: one a row, and
// for INSERT … SELECT, whose rows it does not count, 1, 2, 4 and so on.
func (in *inserting) moveOn(rows int64) {
	if in.first == 0 {
		return
	}
	aside := rows
	if in.insert.query != "" {
		for aside = 1; aside < rows; {
			aside = 2*aside + 1
		}
	}
	in.count.next = max(in.count.next, in.first+aside)
}

// initial is the value of a column that an INSERT leaves out.
func (l *loader) initial(t *types.Table, column int) (literal, error) {
	text := l.defaults[strings.ToLower(t.Name)][column]
	if text == "" {
		return literal{null: true}, nil
	}
	in := &lexer{s: text}
	if v, err := in.value(); err == nil && in.at == len(in.s) {
		return v, nil
	}
	if v, ok := l.initials[text]; ok {
		return v, nil
	}
	_, rows, err := l.selectRows("SELECT " + text)
	if err != nil {
		return literal{}, fmt.Errorf("the default of column %s: %w", t.Columns[column].Name, err)
	}
	row, err := literals(rows[0])
	if err == nil {
		l.initials[text] = row[0]
	}
	return row[0], err
}

// absent is what a column holds that an INSERT leaves out: without a default, what MySQL has for one that is NOT NULL
// where it is not strict. ok is false for NULL, and for what is computed.
func (l *loader) absent(t *types.Table, column int) (v literal, ok bool, err error) {
	if v, err = l.initial(t, column); err != nil || !v.null {
		return v, true, err
	}
	c := t.Columns[column]
	if count := l.counted[strings.ToLower(t.Name)]; count != nil && count.column == column {
		return v, true, nil
	}
	if !c.NotNull || l.isComputed(t, column) || c.Spatial {
		return v, false, nil
	}
	v = literal{Literal: mysqlfn.Literal{Quoted: true}}
	switch {
	case c.Type.Numeric():
		v = plain("0")
	case c.Type.Kind == types.Date || c.Type.Kind == types.Datetime:
		v.Text = "0000-00-00"
	case c.Type.Kind == types.Time:
		v.Text = "00:00:00"
	case c.Type.Kind == types.JSON:
		v.Text = "null"
	case c.Type.Listed() && !c.Type.Set:
		v.Text = c.Type.Enum[0]
	}
	return v, true, nil
}

// isComputed says that a column is generated.
func (l *loader) isComputed(t *types.Table, column int) bool {
	return slices.ContainsFunc(l.computed,
		func(c Computed) bool { return c.Table == t.Name && c.Column == t.Columns[column].Name })
}

// enforce makes SQLite know the keys that REPLACE and INSERT IGNORE look at.
func (l *loader) enforce(t *types.Table) error {
	name := strings.ToLower(t.Name)
	if l.enforced[name] {
		return nil
	}
	l.enforced[name] = true
	known, err := schema.ParseDDL(l.name, l.ddl.String())
	if err != nil {
		return err
	}
	declared, _ := known.Table(t.Name)
	for n, key := range slices.Concat(declared.Unique, [][]string{declared.PrimaryKey}) {
		if len(key) == 0 {
			continue
		}
		index := runner.QuoteName(fmt.Sprintf("u%d of %s", n, t.Name))
		if _, err := l.conn.ExecContext(l.ctx, fmt.Sprintf("CREATE UNIQUE INDEX %s ON %s (%s)", index,
			runner.QuoteName(t.Name), QuoteNames(key))); err != nil {
			return err
		}
	}
	return nil
}

// recount counts the rows of those tables where REPLACE has taken some away.
func (l *loader) recount() error {
	for name := range l.enforced {
		t := l.tables[name]
		if t == nil {
			continue
		}
		var n int64
		if err := l.conn.QueryRowContext(l.ctx, "SELECT COUNT(*) FROM "+runner.QuoteName(t.Name)).Scan(&n); err != nil {
			return err
		}
		l.rows[name] = n
	}
	return nil
}
