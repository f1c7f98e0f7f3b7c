// Package sqlcheck decides, without a database, model, clock or file, whether a SQL text may run,
// and mends what can be mended deterministically.
package sqlcheck

import (
	"fmt"
	"sync"

	"github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	_ "github.com/pingcap/tidb/pkg/parser/test_driver" // literal values; no TiDB server code
)

// A tidb Parser keeps its scratch space between calls and is not safe for concurrent use.
var parsers = sync.Pool{New: func() any { return parser.New() }}

// parse returns the statements in sql. A syntax error is perr; err is reserved for a
// parser that panics on hostile input.
func parse(sql string) (stmts []ast.StmtNode, perr, err error) {
	p := parsers.Get().(*parser.Parser)
	defer func() {
		if r := recover(); r != nil { // p is not put back: its state is unknown
			err = fmt.Errorf("sqlcheck: parser panic: %v", r)
			return
		}
		parsers.Put(p)
	}()
	nodes, _, perr := p.ParseSQL(sql)
	// nodes aliases the parser's own slice, which the next call overwrites (tidb#42230).
	return append([]ast.StmtNode(nil), nodes...), perr, nil
}

// parseOne parses a text that must be one SELECT or set operation that MySQL takes as well.
func parseOne(sql string) (ast.StmtNode, Verdict) {
	if v := lexical(sql); !v.OK {
		return nil, v
	}
	stmts, perr, err := parse(sql)
	switch {
	case err != nil:
		return nil, Reject("parse", "parser_failed", firstLine(err.Error()))
	case perr != nil:
		v := Reject("parse", "syntax", perr.Error())
		v.Code = 1064
		return nil, v
	case len(stmts) != 1:
		return nil, Reject("policy", "multiple_statements", "")
	}
	switch stmts[0].(type) {
	case *ast.SelectStmt, *ast.SetOprStmt:
		return stmts[0], Pass("parse")
	}
	return nil, Reject("policy", "not_select", "")
}
