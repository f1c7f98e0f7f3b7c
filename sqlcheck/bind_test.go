package sqlcheck

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
)

// shopDDL is the schema of the statements in testdata.
//
//go:embed testdata/shop.sql
var shopDDL string

// TestCheckLikeMySQL compares verdicts with the error numbers that MySQL 8.0.15 gave for the same statements.
func TestCheckLikeMySQL(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	lines := statements(t, "verdicts.txt")
	must.Be(t, len(lines) >= 124, len(lines), "statements")
	for _, line := range lines {
		part := strings.SplitN(line, "\t", 3)
		_, v, err := Check(part[2], s)
		must.Do(t, err, part[2])
		must.Equal(t, fmt.Sprintf("%d\t%s", v.Code, v), part[0]+"\t"+part[1], part[2], v.Hint)
	}
}

// A common table expression hides the bare name of a table, and the database's name in front of it reaches the table:
// what runs keeps it.
func TestQualifiedBehindCommonTable(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	for sql, want := range map[string]string{
		"SELECT COUNT(*) FROM shop.city":                                                                  "SELECT COUNT(1) FROM `city`",
		"WITH city AS (SELECT 1 AS id) SELECT COUNT(*) FROM Shop.City":                                    "WITH `city` AS (SELECT 1 AS `id`) SELECT COUNT(1) FROM `shop`.`city`",
		"WITH city AS (SELECT id FROM shop.city) SELECT city.id FROM city":                                "WITH `city` AS (SELECT `id` FROM `city`) SELECT `city`.`id` FROM `city`",
		"WITH city AS (SELECT 1 AS id) SELECT city.name FROM shop.city WHERE EXISTS (SELECT 1 FROM city)": "WITH `city` AS (SELECT 1 AS `id`) SELECT `city`.`name` FROM `shop`.`city` WHERE EXISTS (SELECT 1 FROM `city`)",
	} {
		if q, v, err := Check(sql, s); err != nil || q.SQL() != want {
			t.Errorf("%s\ngot  %s, %v, %v\nwant %s", sql, q.SQL(), v, err, want)
		}
	}
}
