package render

import (
	"slices"
	"strings"

	"nl2sql/sqlcheck/syntax"
)

// widestSQL is as many columns as a line of a statement is read well with.
const widestSQL = 100

// SQL is a statement for people: over lines where it does not fit one, a clause each, with its words, texts and
// numbers in colours. Blanks aside it is the statement. Where there is no terminal it stays as it is.
func SQL(sql string, o Options) string {
	l := laying{width: min(o.Width, widestSQL)}
	if list, ok := pieces(sql); ok && o.Width > 0 {
		l.lay(list, 0)
		sql = strings.Join(l.lines, "\n")
	}
	var b strings.Builder
	before, end := "", 0
	for t, at := syntax.NextToken(sql, 0); t.Kind != syntax.EndToken; t, at = syntax.NextToken(sql, at) {
		b.WriteString(sql[end:t.Pos])
		style := ""
		switch {
		case !o.Color:
		case t.Kind == syntax.StringToken:
			style = green
		case t.Kind == syntax.WordToken && t.Text[0] >= '0' && t.Text[0] <= '9':
			style = cyan
		case t.Kind == syntax.WordToken && before != "." && words[strings.ToUpper(t.Text)]:
			style = bold
		}
		for i, line := range strings.Split(t.Text, "\n") {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(paint(style, Visible(line)))
		}
		before, end = t.Text, at
	}
	return b.String()
}

// words are those of MySQL's SELECT that are shown as such. Source: MySQL 8.0 Reference Manual, "SELECT Statement",
// "Expressions".
var words = syntax.WordSet(`SELECT DISTINCT ALL FROM WHERE GROUP BY HAVING ORDER ASC DESC LIMIT OFFSET AS ON USING JOIN INNER LEFT RIGHT OUTER
		CROSS NATURAL STRAIGHT_JOIN UNION INTERSECT EXCEPT WITH RECURSIVE ROLLUP AND OR XOR NOT IN IS NULL TRUE FALSE LIKE REGEXP RLIKE
		BETWEEN EXISTS ANY CASE WHEN THEN ELSE END INTERVAL DIV MOD CAST CONVERT COLLATE SEPARATOR OVER PARTITION WINDOW ROWS RANGE`)

// piece is a token of a statement, or a bracket with all that is in it.
type piece struct {
	text  string
	blank bool    // one stands before it
	inner []piece // of a bracket
}

// pieces reads a statement. It is not ok for what has comments, or brackets that do not match.
func pieces(sql string) (list []piece, ok bool) {
	stack, end := [][]piece{nil}, 0
	for t, at := syntax.NextToken(sql, 0); t.Kind != syntax.EndToken; t, at = syntax.NextToken(sql, at) {
		p, top := piece{text: t.Text, blank: t.Pos > end}, len(stack)-1
		end = at
		switch {
		case t.Kind == syntax.CommentToken, t.Text == ")" && top == 0:
			return nil, false
		case t.Text == "(":
			stack[top] = append(stack[top], p)
			stack = append(stack, nil)
		case t.Text == ")":
			open := &stack[top-1][len(stack[top-1])-1]
			open.inner = append(stack[top], p)
			stack = stack[:top]
		default:
			stack[top] = append(stack[top], p)
		}
	}
	return stack[0], len(stack) == 1
}

// flat is pieces in one line.
func flat(list []piece) string {
	var b strings.Builder
	for i, p := range list {
		if p.blank && i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p.text + flat(p.inner))
	}
	return b.String()
}

// laying puts a statement into lines.
type laying struct {
	width int
	lines []string
}

// lay writes pieces at an indent: in one line, or a line for each clause and for each join.
func (l *laying) lay(list []piece, indent int) {
	if indent+width(flat(list)) <= l.width {
		l.lines = append(l.lines, strings.Repeat(" ", indent)+flat(list))
		return
	}
	for _, clause := range split(list, func(i int) bool { return beginsClause(list, i) || beginsJoin(list, i) }) {
		at := indent
		if beginsJoin(clause, 0) {
			at += 2
		}
		l.clause(clause, at)
	}
}

// clause writes a clause that may be too long for a line: lists are filled up, conditions have a line each, and a
// bracket that does not fit is laid out inside.
func (l *laying) clause(list []piece, indent int) {
	line, at := strings.Repeat(" ", indent), indent // at is the indent of the line
	fresh := true                                   // nothing but the indent is on the line
	more := indent                                  // the indent of the lines that follow
	if beginsClause(list, 0) || beginsJoin(list, 0) {
		more += 4
	}
	next := func(indent int) {
		l.lines = append(l.lines, line)
		line, at, fresh = strings.Repeat(" ", indent), indent, true
	}
	add := func(p []piece) {
		if !fresh && p[0].blank {
			line += " "
		}
		line, fresh = line+flat(p), false
	}
	for _, part := range split(list, func(i int) bool { return list[i-1].text == "," || beginsCondition(list, i) }) {
		if !fresh && (width(line)+1+width(flat(part)) > l.width || beginsCondition(part, 0) &&
			indent+width(flat(list)) > l.width) {
			next(more)
		}
		if width(line)+width(flat(part)) <= l.width {
			add(part)
			continue
		}
		for _, p := range part {
			if width(line)+1+width(flat([]piece{p})) <= l.width || len(p.inner) < 2 {
				add([]piece{p})
				continue
			}
			add([]piece{{text: p.text, blank: p.blank}})
			l.lines = append(l.lines, line)
			l.lay(p.inner[:len(p.inner)-1], at+4)
			line, fresh = strings.Repeat(" ", at)+")", false
		}
	}
	l.lines = append(l.lines, line)
}

// split cuts a list before each piece, the first aside, that begins something.
func split(list []piece, begins func(i int) bool) (parts [][]piece) {
	from := 0
	for i := 1; i < len(list); i++ {
		if begins(i) {
			parts = append(parts, list[from:i])
			from = i
		}
	}
	return append(parts, list[from:])
}

// word is the i-th piece in capitals; "" for a name behind a dot, and beyond the list.
func word(list []piece, i int) string {
	if i < 0 || i >= len(list) || i > 0 && list[i-1].text == "." {
		return ""
	}
	return strings.ToUpper(list[i].text)
}

func beginsClause(list []piece, i int) bool {
	switch word(list, i) {
	case "SELECT", "FROM", "WHERE", "HAVING", "LIMIT", "UNION", "INTERSECT", "EXCEPT", "WINDOW":
		return true
	case "GROUP", "ORDER":
		return word(list, i+1) == "BY"
	}
	return false
}

var joins = []string{"NATURAL", "LEFT", "RIGHT", "INNER", "CROSS", "OUTER"}

// beginsJoin says that "LEFT OUTER JOIN" and the like begin here.
func beginsJoin(list []piece, i int) bool {
	if slices.Contains(joins, word(list, i-1)) {
		return false
	}
	switch w := word(list, i); {
	case w == "JOIN", w == "STRAIGHT_JOIN":
		return true
	default:
		return slices.Contains(joins, w) && (word(list, i+1) == "JOIN" || slices.Contains(joins, word(list, i+1)))
	}
}

// beginsCondition says that a condition of many begins here; the AND of BETWEEN joins none.
func beginsCondition(list []piece, i int) bool {
	switch word(list, i) {
	case "OR", "XOR", "WHEN", "ELSE":
		return true
	case "AND":
		for j := i - 1; j >= 0; j-- {
			switch word(list, j) {
			case "BETWEEN":
				return false
			case "AND", "OR", "XOR", "WHERE", "ON", "HAVING", "WHEN":
				return true
			}
		}
		return true
	}
	return false
}
