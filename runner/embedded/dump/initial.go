package dump

import (
	"cmp"
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

// filling is what is known of a table while its rows are loaded.
type filling struct {
	def      *ast.CreateTableStmt
	key      []string // the primary one that SQLite knows
	count    *counter // nil without AUTO_INCREMENT
	enforced bool     // SQLite knows its keys
}

// counter is the AUTO_INCREMENT of a table.
type counter struct {
	column int
	next   int64
	fixed  bool // it gives none
}

// startCounter reads AUTO_INCREMENT=n.
func (f *filling) startCounter(options []*ast.TableOption) {
	for _, o := range options {
		if o.Tp == ast.TableOptionAutoIncrement && f.count != nil {
			f.count.next = max(f.count.next, int64(o.UintValue))
		}
	}
}

// isNext says that a value stands for the next number.
func isNext(v literal, zeroIsOne bool) bool {
	f, err := strconv.ParseFloat(v.Text, 64)
	return v.null || v.def || zeroIsOne && err == nil && f == 0
}

// moveOn takes the numbers away that InnoDB sets aside for a statement of so many rows that took any: one a row, and
// for INSERT … SELECT, whose rows it does not count, 1, 2, 4 and so on.
func (in *inserting) moveOn(rows int64) {
	if in.first == 0 {
		return
	}
	in.last = cmp.Or(in.given, in.last)
	aside := rows
	if in.insert.query != "" {
		for aside = 1; aside <= in.tried-in.first; {
			aside = 2*aside + 1
		}
	}
	in.count.next = max(in.count.next, in.first+aside, in.tried+1)
}

// initial is the value of a column that an INSERT leaves out.
func (l *loader) initial(t *types.Table, column int) (literal, error) {
	text := t.Columns[column].Initial
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
	if err != nil {
		return literal{}, err
	}
	l.initials[text] = row[0]
	return row[0], nil
}

// absent is what a column holds that an INSERT leaves out: without a default, what MySQL has for one that is NOT NULL
// where it is not strict. ok is false for NULL, and for what is computed.
func (l *loader) absent(t *types.Table, column int) (v literal, ok bool, err error) {
	if v, err = l.initial(t, column); err != nil || !v.null {
		return v, true, err
	}
	c := t.Columns[column]
	if count := l.filling[strings.ToLower(t.Name)].count; count != nil && count.column == column {
		return v, true, nil
	}
	if !c.NotNull || c.Computed != "" || c.Spatial {
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

// enforce makes SQLite know the keys that REPLACE and INSERT IGNORE look at.
func (l *loader) enforce(t *types.Table) error {
	f := l.filling[strings.ToLower(t.Name)]
	if f.enforced {
		return nil
	}
	f.enforced = true
	declared, err := schema.TableOf(f.def)
	if err != nil {
		return err
	}
	for n, key := range slices.Concat(declared.Unique, [][]string{declared.PrimaryKey}) {
		if len(key) == 0 || noIndex(t.Name) {
			continue
		}
		if at, _ := pick(t, key); slices.ContainsFunc(at, func(i int) bool { return t.Columns[i].Computed != "" }) {
			return fmt.Errorf("rows of %s, which has a key of generated columns, cannot be replaced or ignored", t.Name)
		}
		index := runner.QuoteName(fmt.Sprintf("u%d of %s", n, t.Name))
		if _, err := l.conn.ExecContext(l.ctx, fmt.Sprintf("CREATE UNIQUE INDEX %s ON %s (%s)", index,
			runner.QuoteName(t.Name), QuoteNames(key))); err != nil {
			return err
		}
	}
	return nil
}
