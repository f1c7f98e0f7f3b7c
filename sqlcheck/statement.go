package sqlcheck

import (
	"strings"

	"github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
)

// parseOne parses a text that must be one SELECT or set operation that MySQL takes as well.
func parseOne(sql string) (ast.StmtNode, Verdict) {
	if v := lexical(sql); !v.OK {
		return nil, v
	}
	stmts, perr, err := syntax.Parse(sql)
	switch {
	case err != nil:
		return nil, Reject("parse", "parser_failed", syntax.FirstLine(err.Error()))
	case perr != nil:
		return nil, syntaxVerdict(sql, perr)
	case len(stmts) == 0: // remarks alone
		return nil, empty
	case len(stmts) != 1:
		return nil, forbid("multiple_statements", "", 0)
	}
	switch stmts[0].(type) {
	case *ast.SelectStmt, *ast.SetOprStmt:
		return stmts[0], Pass("parse")
	}
	return nil, forbid("not_select", "", 0)
}

// empty is the verdict of a text that says nothing.
var empty = Verdict{Check: "parse", Reason: "empty_sql", Hint: "the statement is empty: write one SELECT"}

// syntaxVerdict places a syntax error: the parser's message ends with the text from the offending token on.
func syntaxVerdict(sql string, perr error) Verdict {
	v := Reject("parse", "syntax", "")
	v.Code = 1064
	if parser.ErrWrongArguments.Equal(perr) { // ESCAPE with more than one character
		v.Code = 1210
	}
	near, found := syntax.Near(perr)
	switch {
	case !found:
		v.Detail = syntax.FirstLine(perr.Error())
		return v
	case near == "":
		v.Detail, v.Pos, v.Hint = "end", len(sql), "the statement is not complete"
		return v
	}
	v.Pos = max(0, strings.LastIndex(sql, near))
	v.Detail = "near " + syntax.Start(near)
	if t, _ := syntax.NextToken(near, 0); t.Kind == syntax.WordToken && syntax.Reserved(t.Text) &&
		!clauseWords[strings.ToUpper(t.Text)] {
		v.Hint = strings.ToUpper(t.Text) +
			" is a reserved word and cannot stand here; use another alias, or backquotes for a name"
	}
	return v
}

// clauseWords begin a part of a query: where they are the offender, no name was meant.
var clauseWords = syntax.WordSet(`SELECT FROM WHERE GROUP ORDER HAVING LIMIT UNION EXCEPT INTERSECT JOIN LEFT RIGHT INNER CROSS NATURAL ON
	USING AND OR NOT BY AS IN IS LIKE BETWEEN OVER DISTINCT WHEN THEN ELSE ASC DESC INTO FOR WITH NULL VALUES SET`)
