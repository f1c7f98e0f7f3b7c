package sqlcheck

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
)

// Caps on a text, before any parser sees it.
const (
	maxLength = 64 << 10 // bytes
	maxNested = 64       // open parentheses
)

// lexical refuses what must not reach the parser, or what it would read otherwise than a server does.
func lexical(sql string) Verdict {
	switch {
	case len(sql) > maxLength:
		return forbid("too_long", strconv.Itoa(len(sql))+" bytes", 0)
	case strings.IndexByte(sql, 0) >= 0:
		return forbid("nul_byte", "", 0)
	case strings.ContainsRune(sql, utf8.RuneError): // or any byte that a reader took for none
		return forbid("not_utf8", "", 0)
	case strings.TrimSpace(sql) == "":
		return empty
	}
	nested := 0
	var before [2]syntax.Token // comments aside, the last one first
	for t, at := syntax.NextToken(sql, 0); t.Kind != syntax.EndToken; t, at = syntax.NextToken(sql, at) {
		if t.Kind != syntax.CommentToken {
			if what, hint := readOtherwise(sql, t, before); what != "" {
				v := placed(Reject("parse", "syntax", syntax.Start(what)), t.Pos)
				v.Code, v.Hint = 1064, hint
				return v
			}
			before = [2]syntax.Token{t, before[0]}
		}
		switch t.Kind {
		case syntax.CommentToken:
			for _, mark := range []string{"/*!", "/*M!", "/*T!", "/*+"} {
				if strings.HasPrefix(t.Text, mark) {
					return forbid("executable_comment", mark, t.Pos)
				}
			}
			if t.Text[0] == '/' && !strings.HasSuffix(t.Text[2:], "*/") {
				return placed(Reject("parse", "open_comment", ""), t.Pos)
			}
		case syntax.WordToken:
			if v := checkWord(sql, t); !v.OK {
				return v
			}
		case syntax.OtherToken:
			switch t.Text {
			case "(":
				if nested++; nested > maxNested {
					return forbid("too_deep", strconv.Itoa(maxNested)+" parentheses", t.Pos)
				}
			case ")":
				nested--
			}
		}
	}
	if pos, found := derivedInBrackets(sql); found {
		v := placed(Reject("parse", "syntax", "near AS"), pos)
		v.Code, v.Hint = 1064, "take away the brackets around the derived table and its alias"
		return v
	}
	return Pass("policy")
}

// derivedInBrackets finds a derived table that stands in brackets alone, FROM ((SELECT …) AS t), which MySQL does not
// read: it takes brackets around joins and around names of tables only.
func derivedInBrackets(sql string) (pos int, found bool) {
	if !bracketInBracket(sql) {
		return 0, false
	}
	var open []int // the brackets around; below 0 those that no derived table can stand in alone
	var before syntax.Token
	for t, at := syntax.NextToken(sql, 0); t.Kind != syntax.EndToken; t, at = syntax.NextToken(sql, at) {
		switch t.Text {
		case "(":
			place := strings.ToUpper(before.Text)
			if place == "FROM" || place == "JOIN" || place == "STRAIGHT_JOIN" {
				open = append(open, t.Pos)
			} else if n := len(open); place == "(" && n > 0 && open[n-1] == before.Pos {
				open = append(open, -2) // perhaps the query
			} else {
				open = append(open, -1)
			}
		case ")":
			n := len(open) - 1
			if n < 0 {
				return 0, false
			}
			query := open[n] == -2
			if open = open[:n]; query && closesNamed(sql, at) {
				return open[n-1], true
			}
		}
		if t.Kind != syntax.CommentToken {
			before = t
		}
	}
	return 0, false
}

// bracketInBracket says that one bracket opens right behind another, if only in a text.
func bracketInBracket(sql string) bool {
	for i := strings.IndexByte(sql, '('); i >= 0; {
		if next := syntax.SkipBlank(sql, i+1); next < len(sql) && sql[next] == '(' {
			return true
		}
		more := strings.IndexByte(sql[i+1:], '(')
		if more < 0 {
			return false
		}
		i += 1 + more
	}
	return false
}

// closesNamed says that an alias and a closing bracket come next.
func closesNamed(sql string, at int) bool {
	t, at := syntax.NextToken(sql, at)
	if strings.EqualFold(t.Text, "AS") {
		t, at = syntax.NextToken(sql, at)
	}
	end, _ := syntax.NextToken(sql, at)
	return t.Name() != "" && end.Text == ")"
}

// readOtherwise refuses what MySQL's lexer reads otherwise than TiDB's: signs that run together, \N, and a second text
// behind one with an introducer, which is a part of it and no alias.
func readOtherwise(sql string, t syntax.Token, before [2]syntax.Token) (what, hint string) {
	switch {
	case t.Kind == syntax.OtherToken && t.Text == `\`:
		return `\`, "MySQL knows no backslash here; write NULL for \\N"
	case t.Kind == syntax.OtherToken && strings.IndexByte(compareSigns, t.Text[0]) >= 0 &&
		(t.Pos == 0 || strings.IndexByte(compareSigns, sql[t.Pos-1]) < 0):
		if op := signs(sql[t.Pos:]); !comparisons[op] {
			return op, "MySQL takes these signs together; put blanks or brackets between them"
		}
	case t.Kind == syntax.StringToken && before[0].Kind == syntax.StringToken && introduces(before[1], before[0]):
		return t.Text, "write one text in place of two"
	case strings.EqualFold(t.Text, "JOIN") && slices.Contains(otherJoins, strings.ToUpper(before[0].Text)) &&
		(before[1].Text == ")" || before[1].Name() != "") &&
		!slices.Contains(beforeTables, strings.ToUpper(before[1].Text)):
		join := strings.ToUpper(before[0].Text + " JOIN")
		return join, "MySQL has no " + join + " and reads an alias; use LEFT JOIN, or UNION of two of them"
	}
	return "", ""
}

// otherJoins are words before JOIN in other databases, which MySQL takes for an alias; behind beforeTables for a table.
var otherJoins, beforeTables = []string{"FULL", "ANTI", "SEMI", "ASOF"}, []string{"FROM", "JOIN", "AS", "STRAIGHT_JOIN"}

// introduces says that a word belongs to the text behind it: _utf8'…', N'…' or ESCAPE '…'.
func introduces(word, text syntax.Token) bool {
	if word.Kind != syntax.WordToken {
		return false
	}
	return strings.HasPrefix(word.Text, "_") || strings.EqualFold(word.Text, "escape") ||
		strings.EqualFold(word.Text, "n") && word.Pos+1 == text.Pos
}

func placed(v Verdict, pos int) Verdict {
	v.Pos = pos
	return v
}

// checkWord refuses a bare word that MySQL does not take where TiDB's parser does. Behind a dot any word is a name.
func checkWord(sql string, t syntax.Token) Verdict {
	if t.Pos > 0 && sql[t.Pos-1] == '.' {
		return Pass("parse")
	}
	reserved := syntax.OnlyMySQLReserves(t.Text)
	if !reserved && !syntax.NeverMySQL(t.Text) {
		return Pass("parse")
	}
	up := strings.ToUpper(t.Text)
	v := placed(Reject("parse", "reserved_word", t.Text), t.Pos)
	v.Code = 1064
	v.Hint = "MySQL has no " + up + " here"
	if reserved {
		v.Hint = up + " is a reserved word; write `" + t.Text + "` in backquotes to use it as a name"
	}
	return v
}

// namePos finds where a statement first names something, behind FROM, JOIN or a comma if there is such a place:
// TiDB's tree has no positions of tables.
func namePos(sql, name string) int {
	first, before := 0, ""
	for t, at := syntax.NextToken(sql, 0); t.Kind != syntax.EndToken; t, at = syntax.NextToken(sql, at) {
		if t.Kind == syntax.CommentToken {
			continue
		}
		if strings.EqualFold(t.Name(), name) {
			if slices.Contains([]string{"FROM", "JOIN", ",", "("}, before) {
				return t.Pos
			}
			first = cmp.Or(first, t.Pos)
		}
		before = strings.ToUpper(t.Text)
	}
	return first
}

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
