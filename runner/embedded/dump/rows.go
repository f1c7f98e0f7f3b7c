package dump

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"nl2sql/runner"
	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
)

// inserting is an INSERT on its way into a table.
type inserting struct {
	*loader
	*insert
	t      *types.Table
	into   []int // the columns of its rows, and behind them those that it leaves out and that have a default
	args   []any
	absent []literal // of those
	stmt   *sql.Stmt
	at     string // ", column c" while a value is stored
}

// insert runs one INSERT or REPLACE.
func (l *loader) insert(text string) (err error) {
	ins, err := parseInsert([]byte(text))
	if err != nil {
		return err
	}
	t := l.tables[strings.ToLower(ins.table)]
	if t == nil {
		return fmt.Errorf("INSERT into %s, which is not created before", mysqlfn.Clip(ins.table))
	}
	in := &inserting{loader: l, insert: ins, t: t}
	if in.into, err = pick(t, ins.columns); err != nil {
		return err
	}
	listed := len(in.into)
	for i := range t.Columns {
		if v, err := in.initial(i); ins.columns != nil && err == nil && !v.null && !slices.Contains(in.into, i) {
			in.into, in.absent = append(in.into, i), append(in.absent, v)
		}
	}
	names := make([]string, len(in.into))
	for i, c := range in.into {
		names[i] = t.Columns[c].Name
	}
	in.args = make([]any, len(in.into))
	if in.stmt, err = l.conn.PrepareContext(l.ctx, InsertInto(ins.verb, t.Name, names)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.stmt.Close()) }()
	var row []literal
	for n := 1; ; n++ {
		row, err = ins.row(row[:0])
		if err == io.EOF {
			return nil
		}
		if err == nil && len(row) != listed {
			err = fmt.Errorf("%d values for %d columns", len(row), listed)
		}
		if err == nil {
			err = in.add(append(row, in.absent...))
		}
		if err != nil {
			return fmt.Errorf("table %s%s, row %d of the INSERT: %w", t.Name, in.at, n, err)
		}
	}
}

// initial is the value of a column that an INSERT leaves out.
func (in *inserting) initial(column int) (literal, error) {
	text := in.defaults[strings.ToLower(in.t.Name)][column]
	if text == "" {
		return literal{null: true}, nil
	}
	return (&lexer{s: text}).value()
}

func (in *inserting) add(row []literal) (err error) {
	for i, v := range row {
		col := in.t.Columns[in.into[i]]
		in.at = ", column " + col.Name
		if v.def {
			if v, err = in.initial(in.into[i]); err != nil {
				return fmt.Errorf("its default: %w", err)
			}
		}
		switch {
		case v.null:
			in.args[i] = nil
		case col.Spatial:
			in.args[i], err = shape(v.Text)
		default:
			v.Hex = v.Hex || v.Quoted && strings.HasPrefix(col.Declared, "bit")
			in.args[i], err = mysqlfn.Store(col.Type, v.Literal)
			if err != nil && unsigned64(col, v.Text) {
				in.args[i], err = in.widen(in.into[i], v)
			}
		}
		if err != nil {
			return err
		}
	}
	in.at = ""
	res, err := in.stmt.ExecContext(in.ctx, in.args...)
	if err != nil {
		return err
	}
	if in.verb != "INSERT" { // rows may be left out or replaced
		if n, err := res.RowsAffected(); err == nil && n == 0 {
			return nil
		}
	}
	in.rows[strings.ToLower(in.t.Name)]++
	return nil
}

// unsigned64 says that a value of a whole number is larger than SQLite's.
func unsigned64(col types.Column, text string) bool {
	_, err := strconv.ParseUint(text, 10, 64)
	return err == nil && col.Type.Kind == types.Int && col.Type.Unsigned
}

// widen makes DECIMALs of the whole numbers of a column, one of which is beyond SQLite's, and gives that one.
func (in *inserting) widen(column int, v literal) (any, error) {
	col := &in.t.Columns[column]
	name := runner.QuoteName(col.Name)
	if _, err := in.conn.ExecContext(in.ctx, fmt.Sprintf("UPDATE %s SET %s = my_dec(%s, 0)", runner.QuoteName(in.t.Name), name, name)); err != nil {
		return nil, err
	}
	col.Declared = "decimal(20,0)"
	col.Type = types.Type{Kind: types.Decimal, Wide: true}
	return mysqlfn.Store(col.Type, v.Literal)
}
