package dump

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/sqlcheck/syntax"
)

// What a script says of its session, and reads of it: variables, and what they do to the statements behind.

var (
	// setsNames says which character set a script is written in: the parser does not know them all.
	setsNames     = regexp.MustCompile(`(?i)^SET\s+(?:NAMES|CHARACTER\s+SET|CHARSET)\s+['"]?(\w+)`)
	setStatement  = regexp.MustCompile(`(?i)^SET\b`)
	intoVariables = regexp.MustCompile(`(?is)^(SELECT\b.*?)\bINTO\s+(@[\w.$]+(?:\s*,\s*@[\w.$]+)*)\s*(.*)$`)
	// variables are those of a query, and quoted texts, which hold none.
	variables = regexp.MustCompile("(?is)" + quotedText + "|\"(?:[^\"\\\\]|\\\\.)*\"|@{0,2}`[^`]*`|@@?[\\w.$]+|" +
		"\\bLAST_INSERT_ID\\s*\\(\\s*\\)")
	// written is one value or name.
	written = regexp.MustCompile("^(?:'(?:[^'\\\\]|\\\\.|'')*'|[\\w.`+-]+)$")
	scope   = regexp.MustCompile(`^@@(session|local)\.`)
)

// variable is a name as [loader.variables] has it.
func variable(written string) string {
	return scope.ReplaceAllString(strings.ToLower(strings.ReplaceAll(written, "`", "")), "@@")
}

// filled is a query with values in the place of the variables that have one.
func (l *loader) filled(query string) string {
	return variables.ReplaceAllStringFunc(query, func(found string) string {
		if value, set := l.variables[variable(found)]; set {
			return value
		} else if found[0]|0x20 == 'l' {
			return fmt.Sprint(l.last)
		}
		return found
	})
}

// set does what SET and SELECT … INTO @a say. A variable that cannot be computed has no value, and what reads it is
// refused.
func (l *loader) set(text string) error {
	if m := intoVariables.FindStringSubmatch(text); m != nil {
		row, known := l.row(m[1] + m[3])
		for i, name := range strings.Split(m[2], ",") {
			if name = variable(strings.TrimSpace(name)); known && i < len(row) {
				l.variables[name] = row[i]
			} else if !known {
				delete(l.variables, name)
			}
		}
		return nil
	}
	if m := setsNames.FindStringSubmatch(text); m != nil {
		text = "SET character_set_client = '" + m[1] + "'"
	}
	stmts, perr, err := syntax.Parse(text)
	if err != nil || perr != nil || len(stmts) != 1 { // such as SET ROLE, which changes no row
		return err
	}
	set, is := stmts[0].(*ast.SetStmt)
	for i := 0; is && i < len(set.Variables); i++ {
		v := set.Variables[i]
		query, err := syntax.Restore(v.Value)
		if v.IsGlobal {
			continue
		}
		row, known := l.row(query)
		name := "@" + strings.ToLower(v.Name)
		if v.IsSystem {
			name = "@" + name
		}
		if delete(l.variables, name); known && err == nil && len(row) == 1 {
			l.variables[name] = row[0]
		}
		switch value := strings.Trim(l.variables[name], "'\"`"); name {
		case "@@sql_mode":
			l.mode = modeOf(value)
			l.script.Escapes = l.mode.escapes
		case "@@time_zone":
			l.zone = value
		case "@@character_set_client":
			l.names = strings.ToLower(value)
		}
	}
	return nil
}

// row are the values, as SQL, that a query has in its first row, or an expression or name; known is false where that
// cannot be computed.
func (l *loader) row(query string) (row []string, known bool) {
	query = l.filled(query)
	if strange := strings.Contains(query, "@@"); strange || written.MatchString(query) {
		return []string{query}, !strange
	}
	if !strings.HasPrefix(strings.ToUpper(query), "SELECT") {
		query = "SELECT " + query
	}
	_, rows, err := l.selectRows(query)
	if err != nil || len(rows) == 0 {
		return nil, err == nil
	}
	cells, err := literals(rows[0])
	return syntax.Map(cells, literal.sql), err == nil
}

// sql is a value as a query has it.
func (v literal) sql() string {
	switch {
	case v.null:
		return "NULL"
	case v.Hex:
		return fmt.Sprintf("UNHEX('%x')", v.Text)
	case !v.Quoted:
		return v.Text
	}
	text, _ := syntax.Print(syntax.TextExpr(v.Text))
	return text
}
