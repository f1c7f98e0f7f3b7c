package item

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"nl2sql/runner/files"
	"nl2sql/sqlcheck/syntax"
)

// ReadGolds reads the gold side of a prediction file: items as [Load] reads them, or, from a file whose name ends
// in .sql or .txt, a query a line with its database behind a tab, as Spider and BIRD have it.
func ReadGolds(file string) ([]Item, error) {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".sql", ".txt":
	default:
		return Load(file)
	}
	lines, err := Lines(file)
	if err != nil {
		return nil, err
	}
	var items []Item
	for _, line := range lines {
		if line == "" { // between the dialogues of SParC and CoSQL
			continue
		}
		sql, database := CutDatabase(line)
		items = append(items, Item{ID: strconv.Itoa(len(items) + 1), SQL: sql, Database: database})
	}
	if len(items) == 0 {
		return nil, fmt.Errorf("%s: no gold queries", file)
	}
	return items, nil
}

// CutDatabase splits off what Spider and BIRD put behind a query: a tab and its database.
func CutDatabase(line string) (sql, database string) {
	sql = strings.TrimSpace(line)
	if i := strings.LastIndexByte(sql, '\t'); i >= 0 && databaseName.MatchString(sql[i+1:]) {
		sql, database = sql[:i], sql[i+1:]
	}
	return strings.TrimSpace(strings.TrimSuffix(sql, "\t----- bird -----")), database
}

var databaseName = regexp.MustCompile(`^[\w$-]+$`)

// WithoutDatabase is CutDatabase's query.
func WithoutDatabase(line string) string {
	sql, _ := CutDatabase(line)
	return sql
}

// Lines are the lines of a text file, without the blanks at their ends.
func Lines(file string) ([]string, error) {
	data, err := files.Read(file, files.Large)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%s: %w", file, notUTF8(data))
	}
	text := strings.TrimPrefix(string(data), "\uFEFF")
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	lines := strings.SplitN(text, "\n", maxItems+1)
	if len(lines) > maxItems {
		return nil, fmt.Errorf("%s: more than %d lines, the most that is read", file, maxItems)
	}
	return syntax.Map(lines, func(line string) string { return strings.TrimRight(line, " ") }), nil
}

var blanks = regexp.MustCompile(`\s+`)

// ExactText is what EM compares: blanks and case do not count, not even in literals, nor does a last semicolon.
func ExactText(sql string) string {
	sql = blanks.ReplaceAllString(strings.TrimSpace(sql), " ")
	return strings.ToLower(strings.TrimSuffix(sql, ";"))
}

// normalQuestion is what makes two questions the same: blanks and case do not count.
func normalQuestion(q string) string { return strings.ToLower(strings.Join(strings.Fields(q), " ")) }
