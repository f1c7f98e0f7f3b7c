// Package translate writes a checked MySQL query as SQLite's SQL, from its syntax tree, with the types that MySQL
// would infer: what it cannot write so that the answer is MySQL's it refuses. It knows the declared tables and the
// functions of package mysqlfn; it runs nothing and sees no row. Begin with [Statement], then block.go. Its tests
// stand in runner/embedded, where what it writes runs: translation_test.go, differential_test.go and testdata.
package translate

import (
	"fmt"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/runner"
	"nl2sql/runner/embedded/mysqlfn"
	"nl2sql/runner/embedded/types"
)

// Options say where a statement runs.
type Options struct {
	Tables   map[string]*types.Table // by lower-case name
	Views    map[string]View         // the same
	Database string
	Number   int64          // of the statement, from [mysqlfn.Start]: slow functions find its context by it; 0 has none
	Now      mysqlfn.Moment // of NOW and its relatives
	Wide     bool           // every DECIMAL is wide
	Kept     bool           // a table keeps what is found: quotients with all the places that MySQL has computed
}

// View is a query that is read by its name. What it reads must not read it.
type View struct {
	Name    string
	Columns []string
	Query   ast.StmtNode // checked
}

// Query is a statement in SQLite's SQL.
type Query struct {
	SQL     string
	Columns []Column
}

// Column is a column of a query's result.
type Column struct {
	Name string // for people
	SQL  string // in the query
	Type types.Type

	Declared string     // the type of the table's column that it is; "" if it is computed
	Kept     types.Type // of what a table keeps: of a quotient all the places that MySQL has computed
}

// Statement translates a checked statement. The error is a *runner.QueryError.
func Statement(stmt ast.Node, on Options) (out Query, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *runner.QueryError:
			err = e
		default:
			panic(e)
		}
	}()
	d := &draft{Options: on, forms: forms}
	q := d.query(stmt, nil, wanted{place: atTop})
	if out.SQL = q.sql; len(q.sql) > maxQuery {
		refuse("a query that is this long once it is translated")
	}
	for _, c := range q.cols {
		kept := c.val.typ
		kept.Scale = max(kept.Scale, c.val.places)
		out.Columns = append(out.Columns, Column{c.name, c.val.sql, c.val.typ, c.val.declared, kept})
	}
	return out, nil
}

// draft is a statement's translation in the making. Every table gets a name of its own (t1, t2, …) and every derived
// column one (c1, c2, …), so no name of the query can mean something else in the text.
// A node that is not known is refused: see [refuse].
type draft struct {
	Options
	forms map[string]form
	n     int // names given so far
}

// query is one translated SELECT with its columns.
type query struct {
	sql   string
	cols  []sourceColumn // val.sql is c1, c2, …
	loose []string       // the columns behind them: the texts that cols name in val.loose
	limit bool           // has a LIMIT
	one   bool           // never more than one row
	sc    *scope         // of a query block
}

func (d *draft) name(prefix string) string {
	d.n++
	return fmt.Sprintf("%s%d", prefix, d.n)
}

// query translates a SELECT or a set operation inside outer, which is nil for a statement.
func (d *draft) query(node ast.Node, outer *scope, want wanted) query {
	switch n := node.(type) {
	case *ast.SelectStmt:
		return d.selectStmt(n, outer, want)
	case *ast.SetOprStmt:
		return d.setOperation(n.With, n.SelectList.Selects, n.OrderBy, n.Limit, outer, want)
	case *ast.SetOprSelectList:
		return d.setOperation(n.With, n.Selects, n.OrderBy, n.Limit, outer, want)
	case *ast.SubqueryExpr:
		return d.query(n.Query, outer, want)
	}
	refuse("%T", node)
	return query{}
}

// refuse ends a translation: the engine cannot do what, and says so instead of answering something else.
// It panics; [Statement] recovers.
func refuse(format string, args ...any) {
	panic(&runner.QueryError{Message: mysqlfn.Refusal(fmt.Sprintf(format, args...))})
}

// refuseIf is refuse where something is so.
func refuseIf(so bool, format string, args ...any) {
	if so {
		refuse(format, args...)
	}
}

// fail ends a translation with an error that MySQL gives too.
func fail(code uint16, format string, args ...any) {
	panic(&runner.QueryError{Code: code, Message: fmt.Sprintf(format, args...)})
}

// failIf is fail where something is so.
func failIf(so bool, code uint16, format string, args ...any) {
	if so {
		fail(code, format, args...)
	}
}
