package syntax

import (
	"iter"
	"regexp"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

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
			if m := laterComment.FindStringSubmatch(stmt[from:]); m != nil && number(m[1]) > 80099 {
				i, from = skipNested(stmt, i), len(stmt)
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

// number is that of a few digits.
func number(digits string) (n int) {
	for _, d := range digits {
		n = 10*n + int(d-'0')
	}
	return n
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
	text, err := Restore(view.Select)
	if err != nil {
		return ""
	}
	return text
}
