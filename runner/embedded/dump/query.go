package dump

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner"
	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
	"nl2sql/sqlcheck/syntax"
)

// Statements of a script whose values are computed: CREATE TABLE … AS SELECT, INSERT … SELECT, and expressions among
// the values of a row.

// selectRows runs a query of the script over what is loaded so far.
func (l *loader) selectRows(query string) ([]types.Column, [][]any, error) {
	if l.Select == nil {
		return nil, nil, errors.New("a query cannot be loaded")
	}
	query = l.filled(l.unqualified(query))
	star := func() bool {
		stmt, ok := syntax.OneSelect(query)
		return !ok || len(syntax.All[*ast.WildCardField](stmt)) > 0
	}
	named := func(name string) bool {
		found, _ := regexp.MatchString(`(?i)\b`+regexp.QuoteMeta(name)+`\b`, query)
		return found
	}
	for _, t := range l.Tables {
		for _, c := range t.Columns {
			if c.Computed != "" && named(t.Name) && (named(c.Name) || star()) {
				return nil, nil, fmt.Errorf("a query of the generated column %s.%s, which has no values yet, cannot be loaded",
					t.Name, c.Name)
			}
		}
	}
	known, err := l.known()
	if err != nil {
		return nil, nil, err
	}
	MarkKeys(l.Tables, known)
	return l.Select(l.ctx, l.conn, &Loaded{Schema: known, Tables: l.Tables}, query)
}

// createAs makes a table of a query's rows.
func (l *loader) createAs(stmt *ast.CreateTableStmt) error {
	if len(stmt.Cols) > 0 || len(stmt.Constraints) > 0 {
		return errors.New("a table that is made from a query cannot declare columns beside it")
	}
	query, err := syntax.Restore(stmt.Select)
	if err != nil {
		return err
	}
	columns, rows, err := l.selectRows(query)
	if err != nil {
		return err
	}
	defs := syntax.Map(columns, func(c types.Column) string { return runner.QuoteName(c.Name) + " " + c.Declared })
	name := stmt.Table.Name.O
	made := "CREATE TABLE " + runner.QuoteName(name) + " (" + strings.Join(defs, ", ") + ")"
	if err := l.create(made, nil, nil); err != nil {
		return err
	}
	return l.insertCells(&insert{table: name, verb: "INSERT"}, rows)
}

// insertCells inserts the rows of a query.
func (l *loader) insertCells(ins *insert, rows [][]any) error {
	i := 0
	ins.next = func() ([]literal, error) {
		if i == len(rows) {
			return nil, errEnd
		}
		i++
		return literals(rows[i-1])
	}
	return l.insertRows(ins)
}

// literals are the cells of a result as a script would write them.
func literals(cells []any) ([]literal, error) {
	var out []literal
	for _, cell := range cells {
		switch v := cell.(type) {
		case nil:
			out = append(out, literal{null: true})
		case string, []byte:
			text := mysqlfn.Literal{Text: fmt.Sprintf("%s", v), Quoted: true}
			out = append(out, literal{Literal: text, computed: true})
		case float64:
			text := mysqlfn.FormatDouble(v, 64)
			if strings.Contains(text, ".") && !strings.Contains(text, "e") {
				text += "e0" // it is rounded as a DOUBLE is
			}
			out = append(out, plain(text))
		case int64, uint64, runner.Decimal:
			out = append(out, plain(fmt.Sprint(v)))
		default:
			return nil, fmt.Errorf("a value cannot be a %T", v)
		}
	}
	return out, nil
}

// computedRow reads a row whose values are not all literals: the lexer stands behind its first bracket.
func (l *loader) computedRow(in *lexer) (row []literal, err error) {
	if rest := in.s[in.at:]; strings.Contains(rest, "/*!") {
		in.s = in.s[:in.at] + unwrapped(rest)
	}
	var items []string
	var places []int
	for more := true; more; more = in.sign(',') {
		text := in.until(",)")
		one := &lexer{s: text}
		v, failed := one.value()
		if one.blank(); failed != nil || one.at < len(text) {
			items, places = append(items, text), append(places, len(row))
		}
		row = append(row, v)
	}
	if !in.sign(')') {
		return nil, errInRow
	} else if len(items) == 0 {
		return row, nil
	}
	query, err := decoded(l.names, "SELECT "+strings.Join(items, ", "))
	if err != nil {
		return nil, err
	}
	_, rows, err := l.selectRows(query)
	if err != nil {
		return nil, err
	}
	cells, err := literals(rows[0])
	for i, v := range cells {
		row[places[i]] = v
	}
	return row, err
}
