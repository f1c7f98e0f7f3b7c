package syntax

import (
	"fmt"
	"strings"
)

// PlainValues writes a derived table of VALUES ROW(…), … as one of SELECTs, which the parser and every MySQL since
// 8.0.14 know:
//
//	(VALUES ROW(1, 'x'), ROW(2, 'y')) AS v (a, b) → (SELECT 1 AS `a`, 'x' AS `b` UNION ALL SELECT 2, 'y') AS v
//
// Columns without a list of names are called column_0, column_1 and so on, as MySQL calls them.
func PlainValues(sql string) string {
	if !ContainsFold(sql, "VALUES") {
		return sql
	}
	var b strings.Builder
	from := 0
	for t, next := NextToken(sql, 0); t.Kind != EndToken; t, next = NextToken(sql, next) {
		if t.Text != "(" {
			continue
		}
		r := &wordReader{sql, next}
		if text, ok := plainValues(r); ok {
			b.WriteString(sql[from:t.Pos] + text)
			from, next = r.at, r.at
		}
	}
	if from == 0 {
		return sql
	}
	return b.String() + sql[from:]
}

// ContainsFold says that a word of capitals stands in a text in any case.
func ContainsFold(s, word string) bool {
	first := word[0]
	for i := range len(s) - len(word) + 1 {
		if s[i]&^0x20 == first && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// plainValues reads a table of values behind its first bracket; ok is false if it is anything else.
func plainValues(r *wordReader) (text string, ok bool) {
	if !r.word("VALUES") {
		return "", false
	}
	var rows [][]string
	for {
		if !r.word("ROW") || !r.word("(") {
			return "", false
		}
		row, ok := r.listed()
		if !ok || len(row) == 0 || len(rows) > 0 && len(row) != len(rows[0]) {
			return "", false
		}
		rows = append(rows, row)
		if !r.word(",") {
			break
		}
	}
	if !r.word(")") {
		return "", false
	}
	as := ""
	if r.word("AS") {
		as = " AS"
	}
	name, next := NextToken(r.sql, r.at)
	if name.Name() == "" {
		return "", false
	}
	r.at = next
	var names []string
	if r.word("(") {
		names, ok = r.listed()
		if !ok || len(names) != len(rows[0]) {
			return "", false
		}
		for i, n := range names {
			t, rest := NextToken(n, 0)
			if t.Name() == "" || strings.TrimSpace(n[rest:]) != "" {
				return "", false
			}
			names[i] = t.Name()
		}
	}
	var selects []string
	for i, row := range rows {
		for j := range row {
			if i == 0 && names != nil {
				row[j] += " AS " + QuoteName(names[j])
			} else if i == 0 {
				row[j] += fmt.Sprintf(" AS column_%d", j)
			}
		}
		selects = append(selects, "SELECT "+strings.Join(row, ", "))
	}
	return "(" + strings.Join(selects, " UNION ALL ") + ")" + as + " " + name.Text, true
}

// wordReader reads a text token by token. What it does not find it leaves.
type wordReader struct {
	sql string
	at  int
}

// word passes a word or sign, in any case.
func (r *wordReader) word(w string) bool {
	t, next := NextToken(r.sql, r.at)
	if !strings.EqualFold(t.Text, w) {
		return false
	}
	r.at = next
	return true
}

// name passes a name; "" if there is none.
func (r *wordReader) name() string {
	t, next := NextToken(r.sql, r.at)
	if t.Name() != "" {
		r.at = next
	}
	return t.Name()
}

// text passes a text in plain quotes, which it gives with them.
func (r *wordReader) text() (quoted string, ok bool) {
	t, next := NextToken(r.sql, r.at)
	if t.Kind != StringToken || t.Text[0] != '\'' || len(t.Text) < 2 || !strings.HasSuffix(t.Text, "'") {
		return "", false
	}
	r.at = next
	return t.Text, true
}

// end says that nothing follows.
func (r *wordReader) end() bool {
	t, _ := NextToken(r.sql, r.at)
	return t.Kind == EndToken
}

// listed passes the parts between commas up to the bracket that closes a list.
func (r *wordReader) listed() (parts []string, ok bool) {
	depth, from := 1, r.at
	for {
		t, next := NextToken(r.sql, r.at)
		r.at = next
		switch {
		case t.Kind == EndToken:
			return nil, false
		case t.Text == "(":
			depth++
		case t.Text == ")":
			if depth--; depth == 0 {
				return append(parts, strings.TrimSpace(r.sql[from:t.Pos])), true
			}
		case t.Text == "," && depth == 1:
			parts = append(parts, strings.TrimSpace(r.sql[from:t.Pos]))
			from = next
		}
	}
}
