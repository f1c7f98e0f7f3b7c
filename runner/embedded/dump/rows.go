package dump

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"nl2sql/runner"
	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
)

// inserting is an INSERT on its way into a table.
type inserting struct {
	*loader
	*insert
	t     *types.Table
	into  []int // the columns of its rows, and behind them those that it leaves out and that have a default
	args  []any
	left  []literal // of those
	count *counter  // nil without AUTO_INCREMENT
	first int64     // number that the statement takes of it, 0 before
	tried int64     // last one of these that a row tried to take
	given int64     // first one that a row has
	stmt  *sql.Stmt
	at    string // ", column c" while a value is stored
}

// behindZero is what is passed over of a text with a zero byte, which SQLite ends there.
const behindZero = "text behind a zero byte"

// insert runs one INSERT or REPLACE.
func (l *loader) insert(text string) error {
	ins, err := parseInsert([]byte(text))
	if err != nil {
		return err
	}
	if ins.query == "" {
		return l.insertRows(ins)
	}
	query, err := decoded(l.names, ins.query)
	if err != nil {
		return err
	}
	_, rows, err := l.selectRows(query)
	if err != nil {
		return err
	}
	return l.insertCells(ins, rows)
}

// insertRows inserts the rows that an INSERT gives.
func (l *loader) insertRows(ins *insert) (err error) {
	t := l.Tables[strings.ToLower(ins.table)]
	if t == nil {
		return fmt.Errorf("INSERT into %s, which is not created before", mysqlfn.Clip(ins.table))
	}
	in := &inserting{loader: l, insert: ins, t: t}
	if in.into, err = pick(t, ins.columns); err != nil {
		return err
	}
	if ins.verb != "INSERT" {
		if err := l.enforce(t); err != nil {
			return err
		}
	}
	listed := len(in.into)
	for i := range t.Columns {
		if slices.Contains(in.into[:listed], i) {
			continue
		}
		if v, ok, err := l.absent(t, i); err != nil {
			return err
		} else if ok {
			in.into, in.left = append(in.into, i), append(in.left, v)
		}
	}
	in.count = l.filling[strings.ToLower(t.Name)].count
	names := syntax.Map(in.into, func(c int) string { return t.Columns[c].Name })
	in.args = make([]any, len(in.into))
	if in.stmt, err = l.conn.PrepareContext(l.ctx, InsertInto(ins.verb, t.Name, names)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.stmt.Close()) }()
	var row []literal
	for n := 1; ; n++ {
		row, err = ins.row(row[:0], l.computedRow)
		if err == errEnd {
			in.moveOn(int64(n - 1))
			return nil
		}
		if err == nil && len(row) != listed {
			err = fmt.Errorf("%d values for %d columns", len(row), listed)
		}
		if err == nil {
			err = in.add(append(row, in.left...))
		}
		if err != nil {
			return fmt.Errorf("table %s%s, row %d of the INSERT: %w", t.Name, in.at, n, err)
		}
	}
}

func (in *inserting) add(row []literal) (err error) {
	taken, number := false, int64(0) // a number, and which
	for i, v := range row {
		col := in.t.Columns[in.into[i]]
		in.at = ", column " + col.Name
		if v.def {
			if v, err = in.initial(in.t, in.into[i]); err != nil {
				return fmt.Errorf("its default: %w", err)
			}
		}
		counts := in.count != nil && in.count.column == in.into[i]
		if counts && !in.count.fixed && isNext(v, !in.mode.zero) {
			v, taken = plain(strconv.FormatInt(in.count.next, 10)), true
			in.first, in.tried = cmp.Or(in.first, in.count.next), in.count.next
		}
		switch {
		case v.null && col.NotNull && col.Computed == "":
			return errors.New("NULL in a column that is NOT NULL")
		case v.null:
			in.args[i] = nil
		case col.Spatial && !v.computed:
			in.args[i], err = shape(v.Text)
		default:
			if col.Type.Kind == types.String || col.Type.Kind == types.JSON {
				if v.Text, err = in.textOf(v, col.Charset); err != nil {
					return err
				}
				if strings.Contains(v.Text, "\x00") {
					in.skip(behindZero, in.t.Name+"."+col.Name)
				}
			}
			v.Hex = v.Hex || v.Quoted && col.Type.Bit > 0
			in.args[i], err = mysqlfn.Store(col.Type, v.Literal)
			if err == nil && strings.HasPrefix(col.Declared, "timestamp") && !v.computed {
				in.args[i], err = in.inUTC(in.args[i], col.Type)
				v.Text, _ = in.args[i].(string)
			}
			if v.Hex && col.Type.Kind == types.Int { // of 64 bits
				v.Literal = plain(new(big.Int).SetBytes([]byte(v.Text)).String()).Literal // big-endian bytes
			}
			if err != nil && col.Type.Kind == types.Int && col.Type.Unsigned { // it may be larger than SQLite's
				if _, larger := strconv.ParseUint(v.Text, 10, 64); larger == nil {
					v.Hex = false
					in.args[i], err = in.widen(in.into[i], v)
				}
			}
		}
		if row[i] = v; err != nil {
			return err
		}
		if n, ok := in.args[i].(int64); ok && counts {
			number = n
		}
	}
	in.at = ""
	res, err := in.stmt.ExecContext(in.ctx, in.args...)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if n > 0 && in.count != nil { // else the next row of the statement has it
		in.count.next = max(in.count.next, number+1)
	}
	if n > 0 && taken {
		in.given = cmp.Or(in.given, number)
	}
	if n == 0 && in.becomes != "" && err == nil {
		err = in.update(row)
	}
	return err
}

// update does what ON DUPLICATE KEY UPDATE says to the first row that has a key of this one.
func (in *inserting) update(row []literal) error {
	declared, err := schema.TableOf(in.filling[strings.ToLower(in.t.Name)].def)
	becomes, failed := decoded(in.names, in.becomes)
	err = cmp.Or(err, failed)
	values := map[string]string{}
	for i, v := range row {
		values[strings.ToLower(in.t.Columns[in.into[i]].Name)] = v.sql()
	}
	value := func(column string) string { return cmp.Or(values[strings.ToLower(unquoted(column))], "NULL") }
	set := in.ofNew.ReplaceAllStringFunc(becomes, func(found string) string {
		if name := strings.Join(in.ofNew.FindStringSubmatch(found)[1:], ""); name != "" {
			return value(name)
		}
		return found
	})
	name, found := runner.QuoteName(in.t.Name), [][]any(nil)
	for _, key := range slices.Concat([][]string{declared.PrimaryKey}, declared.Unique) {
		where := " WHERE TRUE"
		for _, column := range key {
			where += " AND " + runner.QuoteName(column) + " = " + value(column)
		}
		if len(key) > 0 && len(found) == 0 && err == nil {
			if _, found, err = in.selectRows("SELECT 1 FROM " + name + where); len(found) > 0 {
				err = in.tables("UPDATE " + name + " SET " + set + where)
			}
		}
	}
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("a row of %s is like one that is there, and none has its key", in.t.Name)
	}
	return err
}

// widen makes DECIMALs of the whole numbers of a column, one of which is beyond SQLite's, and gives that one.
func (in *inserting) widen(column int, v literal) (any, error) {
	col := &in.t.Columns[column]
	name := runner.QuoteName(col.Name)
	if _, err := in.conn.ExecContext(in.ctx, fmt.Sprintf("UPDATE %s SET %s = my_dec(%s, 0)",
		runner.QuoteName(in.t.Name), name, name)); err != nil {
		return nil, err
	}
	col.Declared = "decimal(20,0)"
	col.Type = types.Type{Kind: types.Decimal, Wide: true, Bit: col.Type.Bit}
	return mysqlfn.Store(col.Type, v.Literal)
}
