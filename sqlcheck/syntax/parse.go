// Package syntax reads and writes SQL as a text, without a schema. It knows words and quotes, the statements of a
// script, the names that need backquotes, TiDB's parser, and how a tree is written so that MySQL reads what was meant.
// It judges nothing. Begin with Parse and Restore. It imports none of our packages; trees of the parser are held by
// the packages below sqlcheck, by runner/embedded and by evaluation's scores and suites, and by nobody else.
package syntax

import (
	"fmt"
	"iter"
	"regexp"
	"strconv"
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
func Start(text string) string { return Clip(OneLine(text[:min(len(text), 200)]), 60) }

// OneLine is a text with one blank wherever it has some, or begins a line.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Clip shortens s to at most n bytes at a rune boundary and marks the cut.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// Statements splits a script, such as a mysqldump, into its statements: byte offset and text, without the delimiter
// and without leading blanks and comments. It knows quotes, comments and the DELIMITER line of the mysql client,
// and nothing else of SQL: a text that does not lex is one last statement. Executable comments (/*! … */) are kept.
func Statements(script string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		delim, at := ";", 0
		for {
			at = SkipBlank(script, at)
			if at == len(script) {
				return
			}
			if rest := script[at:]; len(rest) >= 9 && strings.EqualFold(rest[:9], "delimiter") {
				line, _, _ := strings.Cut(rest, "\n")
				if words := strings.Fields(line[9:]); len(words) > 0 && isBlank(line[9]) { // the client takes the first
					delim, at = words[0], at+len(line)
					continue
				}
			}
			end := statementEnd(script, at, delim)
			if text := strings.TrimSpace(script[at:end]); text != "" && !yield(at, text) {
				return
			}
			at = min(end+len(delim), len(script))
		}
	}
}

// laterComment begins a comment that MySQL 8.0 does not execute, with the version from which one would.
var laterComment = regexp.MustCompile(`^/\*!([0-9]{5,6})`)

// WithoutLater takes out of a statement the executable comments that MySQL 8.0 passes over: those for later versions,
// such as /*!99999 … */ or MariaDB's /*!100301 … */. They may hold comments.
func WithoutLater(stmt string) string {
	if !strings.Contains(stmt, "/*!") {
		return stmt
	}
	var out strings.Builder
	for i := 0; i < len(stmt); {
		from := i
		switch c := stmt[i]; {
		case c == '\'' || c == '"' || c == '`':
			i = SkipQuoted(stmt, i)
		case strings.HasPrefix(stmt[i:], "/*!"):
			i += 3
			if m := laterComment.FindStringSubmatch(stmt[from:]); m != nil {
				if version, _ := strconv.Atoi(m[1]); version > 80099 { // it is a number
					i, from = skipNested(stmt, i), len(stmt)
				}
			}
		case isComment(stmt, i):
			i = skipComment(stmt, i)
		default:
			i++
		}
		if from < i {
			out.WriteString(stmt[from:i])
		}
	}
	return strings.TrimSpace(out.String())
}

// skipNested is the offset behind a comment that may hold others; i is behind its beginning.
func skipNested(s string, i int) int {
	for depth := 1; i < len(s); {
		switch {
		case strings.HasPrefix(s[i:], "/*"):
			depth++
			i += 2
		case strings.HasPrefix(s[i:], "*/"):
			i += 2
			if depth--; depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return len(s)
}

// statementEnd is the offset of the delimiter that ends the statement at from, or the end of the script.
func statementEnd(s string, from int, delim string) int {
	for i := from; i < len(s); {
		switch c := s[i]; {
		case c == '\'' || c == '"' || c == '`':
			i = SkipQuoted(s, i)
		case isComment(s, i):
			i = skipComment(s, i)
		case c == delim[0] && strings.HasPrefix(s[i:], delim):
			return i
		default:
			i++
		}
	}
	return len(s)
}

var checkOption = regexp.MustCompile(`(?i)\s+WITH\s+(?:CASCADED\s+|LOCAL\s+)?CHECK\s+OPTION\s*$`)

// WithoutCheckOption takes what no reader of a view meets off its definition: the parser does not know it behind GROUP
// BY.
func WithoutCheckOption(create string) string { return checkOption.ReplaceAllString(create, "") }

// ViewQuery is the query of a CREATE VIEW; "" if it cannot be read.
func ViewQuery(create string) string {
	stmts, perr, err := Parse(WithoutCheckOption(create))
	if err != nil || perr != nil || len(stmts) != 1 {
		return ""
	}
	view, is := stmts[0].(*ast.CreateViewStmt)
	if !is {
		return ""
	}
	text, _ := Restore(view.Select) // "" after an error
	return text
}
