// Package syntax reads and writes SQL as a text, without a schema. It knows words and quotes, the statements of a
// script, the names that need backquotes, TiDB's parser, and how a tree is written so that MySQL reads what was meant.
// It judges nothing. Begin with Parse and Restore. It imports none of our packages; trees of the parser are held by
// the packages below sqlcheck, by runner/embedded and by evaluation's scores and suites, and by nobody else.
package syntax

import (
	"fmt"
	"strings"
	"sync"

	"github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	_ "github.com/pingcap/tidb/pkg/parser/test_driver" // literal values; no TiDB server code
)

// A tidb Parser keeps its scratch space between calls and is not safe for concurrent use.
var parsers = sync.Pool{New: func() any { return parser.New() }}

// OnParse is called with each text that is parsed, where a test counts; it is set before the first.
var OnParse func(sql string)

// Parse returns the statements in sql, with its [JSONTables] as derived tables. A syntax error is perr; err is
// reserved for a parser that panics on hostile input.
func Parse(sql string) (stmts []ast.StmtNode, perr, err error) {
	if OnParse != nil {
		OnParse(sql)
	}
	p := parsers.Get().(*parser.Parser)
	defer func() {
		if r := recover(); r != nil { // p is not put back: its state is unknown
			err = fmt.Errorf("sqlcheck: parser panic: %v", r)
			return
		}
		p.Reset() // its stack holds nodes of this parse, and the next one would write positions into them
		parsers.Put(p)
	}()
	nodes, _, perr := p.ParseSQL(JSONTables(sql))
	// nodes aliases the parser's own slice, which the next call overwrites (tidb#42230).
	return append([]ast.StmtNode(nil), nodes...), perr, nil
}

// Readable writes what MySQL reads and TiDB's parser does not as what both read: [QuoteFree], [PlainValues] and
// [JSONTables]. A byte order mark is no part of it. Positions in a tree are those of this text.
func Readable(sql string) string {
	return JSONTables(PlainValues(QuoteFree(strings.TrimPrefix(sql, "\uFEFF"))))
}

// Near is the text from the token on that the parser did not expect, as its message has it; "" is the end. found is
// false if it names none.
func Near(perr error) (near string, found bool) {
	_, near, found = strings.Cut(perr.Error(), `near "`)
	return strings.TrimSuffix(strings.TrimSpace(near), `"`), found
}

// OneSelect parses sql and returns its tree if it is exactly one SELECT or set operation.
// Anything else is left for Check to refuse.
func OneSelect(sql string) (ast.StmtNode, bool) {
	stmts, perr, err := Parse(sql)
	if err != nil || perr != nil || len(stmts) != 1 {
		return nil, false
	}
	switch stmts[0].(type) {
	case *ast.SelectStmt, *ast.SetOprStmt:
		return stmts[0], true
	}
	return nil, false
}

// FirstLine is the first line of a message, without blanks around it.
func FirstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return strings.TrimSpace(s)
}

// Start is the beginning of a statement, for messages.
func Start(text string) string {
	text = strings.Join(strings.Fields(text[:min(len(text), 200)]), " ")
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "") + "…"
	}
	return text
}
