package render

import (
	"encoding/json"
	"strings"
	"testing"

	"nl2sql/assets"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/syntax"
)

func TestSQL(t *testing.T) {
	tests := []struct {
		name, sql string
		o         Options
		want      string
	}{
		{"no terminal", "SELECT customerName, city, country FROM customers WHERE country = 'Spain' AND creditLimit BETWEEN 1 AND 2 ORDER BY city", Options{},
			"SELECT customerName, city, country FROM customers WHERE country = 'Spain' AND creditLimit BETWEEN 1 AND 2 ORDER BY city"},
		{"one line", "SELECT COUNT(*) FROM orders WHERE status = 'Shipped'", Options{Width: 80},
			"SELECT COUNT(*) FROM orders WHERE status = 'Shipped'"},
		{"clauses", "SELECT T1.city, COUNT(*) FROM offices AS T1 LEFT JOIN employees AS T2 ON T2.officeCode = T1.officeCode AND T2.x BETWEEN 1 AND 2 WHERE LEFT(T1.city, 1) = 'P' AND (T1.a IN (SELECT b FROM c WHERE d = 'a long text to fill the line' GROUP BY b HAVING COUNT(*) > 1) OR T1.b = 3) GROUP BY T1.city ORDER BY COUNT(*) DESC LIMIT 3", Options{Width: 80}, `
SELECT T1.city, COUNT(*)
FROM offices AS T1
  LEFT JOIN employees AS T2 ON T2.officeCode = T1.officeCode
      AND T2.x BETWEEN 1 AND 2
WHERE LEFT(T1.city, 1) = 'P'
    AND (
        T1.a IN (
            SELECT b
            FROM c
            WHERE d = 'a long text to fill the line'
            GROUP BY b
            HAVING COUNT(*) > 1
        )
        OR T1.b = 3
    )
GROUP BY T1.city
ORDER BY COUNT(*) DESC
LIMIT 3`},
		{"colours", "SELECT `from`, 12 AS n FROM t.order WHERE a = 'FROM'", Options{Width: 80, Color: true},
			"<1>SELECT<0> `from`, <36>12<0> <1>AS<0> n <1>FROM<0> t.order <1>WHERE<0> a = <32>'FROM'<0>"},
		{"comments stay", "SELECT 1 -- one\nFROM a_table_with_a_long_name", Options{Width: 20},
			"SELECT 1 -- one\nFROM a_table_with_a_long_name"},
		{"what a terminal would obey", "SELECT 'a\x1b[2Jb\nc'", Options{Width: 80}, "SELECT 'a\\x1b[2Jb\nc'"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := strings.NewReplacer("\x1b[", "<", "1m", "1>", "0m", "0>", "36m", "36>", "32m",
				"32>").Replace(SQL(test.sql, test.o))
			if !test.o.Color {
				got = SQL(test.sql, test.o)
			}
			must.Same(t, got, strings.TrimPrefix(test.want, "\n"))
		})
	}
}

// tokens of a statement, without its blanks.
func tokens(sql string) (list []string) {
	for t, at := syntax.NextToken(sql, 0); t.Kind != syntax.EndToken; t, at = syntax.NextToken(sql, at) {
		list = append(list, t.Text)
	}
	return list
}

// Lines change nothing but blanks, and every clause that can be broken fits: on our own queries, and on whatever else
// there is.
func FuzzSQL(f *testing.F) {
	for line := range strings.Lines(assets.Train) {
		var it struct {
			SQL string `json:"sql"`
		}
		must.Do(f, json.Unmarshal([]byte(line), &it))
		f.Add(it.SQL, 60)
	}
	f.Add("SELECT ((a)) FROM (b", 10)
	f.Fuzz(func(t *testing.T, sql string, width int) {
		if width < 1 || strings.ContainsFunc(sql, hidden) {
			return
		}
		got := SQL(sql, Options{Width: width})
		must.Same(t, tokens(got), tokens(sql), sql, "became", got)
		must.Equal(t, withoutColors(SQL(sql, Options{Width: width, Color: true})), got, "in colours is")
	})
}
