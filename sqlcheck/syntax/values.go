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
	if !containsFold(sql, "VALUES") {
		return sql
	}
	var b strings.Builder
	from := 0
	for t, next := NextToken(sql, 0); t.Kind != EndToken; t, next = NextToken(sql, next) {
		if t.Text != "(" {
			continue
		}
		if text, end, ok := plainValues(sql, next); ok {
			b.WriteString(sql[from:t.Pos] + text)
			from, next = end, end
		}
	}
	if from == 0 {
		return sql
	}
	return b.String() + sql[from:]
}

// containsFold says that a word of capitals stands in a text in any case.
func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if c := s[i] &^ 0x20; c == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// plainValues reads a table of values behind its first bracket; ok is false if it is anything else.
func plainValues(sql string, at int) (text string, end int, ok bool) {
	word := func(w string) bool {
		t, next := NextToken(sql, at)
		if !strings.EqualFold(t.Text, w) {
			return false
		}
		at = next
		return true
	}
	if !word("VALUES") {
		return "", 0, false
	}
	var rows [][]string
	for {
		if !word("ROW") || !word("(") {
			return "", 0, false
		}
		var row []string
		row, at, ok = listed(sql, at)
		if !ok || len(row) == 0 || len(rows) > 0 && len(row) != len(rows[0]) {
			return "", 0, false
		}
		rows = append(rows, row)
		if !word(",") {
			break
		}
	}
	if !word(")") {
		return "", 0, false
	}
	as := ""
	if word("AS") {
		as = " AS"
	}
	name, next := NextToken(sql, at)
	if name.Name() == "" {
		return "", 0, false
	}
	at = next
	var names []string
	if word("(") {
		names, at, ok = listed(sql, at)
		if !ok || len(names) != len(rows[0]) {
			return "", 0, false
		}
		for i, n := range names {
			t, rest := NextToken(n, 0)
			if t.Name() == "" || strings.TrimSpace(n[rest:]) != "" {
				return "", 0, false
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
	return "(" + strings.Join(selects, " UNION ALL ") + ")" + as + " " + name.Text, at, true
}

// listed reads the parts between commas up to the bracket that closes a list, and where it goes on.
func listed(sql string, at int) (parts []string, end int, ok bool) {
	depth, from := 1, at
	for {
		t, next := NextToken(sql, at)
		at = next
		switch {
		case t.Kind == EndToken:
			return nil, 0, false
		case t.Text == "(":
			depth++
		case t.Text == ")":
			if depth--; depth == 0 {
				return append(parts, strings.TrimSpace(sql[from:t.Pos])), next, true
			}
		case t.Text == "," && depth == 1:
			parts = append(parts, strings.TrimSpace(sql[from:t.Pos]))
			from = next
		}
	}
}
