package item

import (
	"regexp"
	"strings"
)

var blanks = regexp.MustCompile(`\s+`)

// ExactText is what EM compares: blanks and case do not count, not even in literals, nor does a last semicolon.
func ExactText(sql string) string {
	sql = blanks.ReplaceAllString(strings.TrimSpace(sql), " ")
	return strings.ToLower(strings.TrimSuffix(sql, ";"))
}

// normalQuestion is what makes two questions the same: blanks and case do not count.
func normalQuestion(q string) string { return strings.ToLower(strings.Join(strings.Fields(q), " ")) }
