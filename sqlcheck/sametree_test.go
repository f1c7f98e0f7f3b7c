package sqlcheck

import (
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/syntax"
)

// What is restored means to MySQL what the text meant.
func TestRestoredForms(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	for sql, want := range map[string]string{
		"SELECT ! ! (id = 1) FROM client":                                       "SELECT !(!(`id`=1)) FROM `client`",
		"SELECT 1 = ! (id = 1) FROM client":                                     "SELECT 1=(!(`id`=1)) FROM `client`",
		"SELECT id < !id, id > !id, id != !id FROM client":                      "SELECT `id`<(!`id`),`id`>(!`id`),`id`!=(!`id`) FROM `client`",
		"SELECT - !id, ~ !id, !id + 1 FROM client":                              "SELECT -(!`id`),~(!`id`),!`id`+1 FROM `client`",
		"SELECT _utf8'abc' COLLATE utf8_bin":                                    "SELECT _UTF8'abc' COLLATE utf8_bin",
		"SELECT _utf8mb4'abc' COLLATE utf8mb4_bin":                              "SELECT _UTF8MB4'abc' COLLATE utf8mb4_bin",
		"SELECT _utf8mb4 0x41, _utf8 x'41'":                                     "SELECT _UTF8MB4 x'41',_UTF8 x'41'",
		"SELECT 5., .5, - 5./.50 FROM client WHERE id IN (5., .25) AND id = .5": "SELECT (5.),.5,-(5.)/.50 FROM `client` WHERE `id` IN ((5.),.25) AND `id`=.5",
		"SELECT N'x', 'x'":                                                      "SELECT _UTF8'x','x'",
		"SELECT day + INTERVAL 1 DAY > '2004-06-01' FROM bill":                  "SELECT DATE_ADD(`day`, INTERVAL 1 DAY)>'2004-06-01' FROM `bill`",
	} {
		q, v, err := Check(sql, s)
		if err != nil || q.SQL() != want {
			t.Errorf("%s\ngot  %s\nwant %s\n%v, %v", sql, q.SQL(), want, v, err)
		}
		if again, _, _ := Check(q.SQL(), s); again.SQL() != q.SQL() {
			t.Errorf("%s\nagain %s", q.SQL(), again.SQL())
		}
	}
}

func TestIntervalFirstIsRefused(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	for sql, want := range map[string]Reason{
		"SELECT no FROM bill WHERE INTERVAL 1 DAY + day > '2004-06-01'":                "restored_otherwise",
		"SELECT INTERVAL 1 DAY + day, (INTERVAL 1 DAY + day) = 1 FROM bill":            "",
		"SELECT INTERVAL 1 DAY + day IS NULL FROM bill":                                "restored_otherwise",
		"SELECT 1, interval 1 DAY + day + INTERVAL 1 MONTH FROM bill":                  "restored_otherwise",
		"SELECT DATE_ADD(INTERVAL 1 DAY + day, INTERVAL 1 DAY) FROM bill":              "restored_otherwise",
		"SELECT (/* x */ INTERVAL /* y */ 1 DAY + day + 1) FROM bill":                  "restored_otherwise",
		"SELECT day + INTERVAL 1 DAY + INTERVAL 2 DAY - INTERVAL 3 DAY FROM bill":      "",
		"SELECT DATE_ADD(day, INTERVAL 1 DAY), SUBDATE(day, INTERVAL 1 DAY) FROM bill": "",
		"SELECT INTERVAL(no, 1, 10) + 1 FROM bill":                                     "",
	} {
		if _, v, err := Check(sql, s); err != nil || v.Reason != want {
			t.Errorf("%s: %v, %v; want %q", sql, v, err, want)
		}
	}
}

// A text that would mean something else is refused.
func TestReadBack(t *testing.T) {
	for _, pair := range [][2]string{
		{"SELECT !(!a) FROM t", "SELECT !!a FROM t"},
		{"SELECT 1 = (!a) FROM t", "SELECT 1=!a FROM t"},
		{"SELECT a FROM t", "SELECT a FROM u"},
		{"SELECT a FROM t", "SELECT a AS b FROM t"},
		{"SELECT a FROM t WHERE a", "SELECT a FROM t HAVING a"},
		{"SELECT CASE WHEN a THEN 1 ELSE 2 END FROM t", "SELECT CASE a WHEN 1 THEN 2 END FROM t"},
		{"SELECT CASE a WHEN 1 THEN 2 END", "SELECT CASE WHEN a THEN 1 ELSE 2 END"},
		{"SELECT _utf8'a'", "SELECT 'a'"},
		{"SELECT _utf8'a'", "SELECT _utf8mb4'a'"},
		{"SELECT 'a'", "SELECT 'A'"},
		{"SELECT TRUE", "SELECT 1"},
		{"SELECT 1.0", "SELECT 1.00"},
		{"SELECT a FROM t LIMIT 1, 2", "SELECT a FROM t LIMIT 2, 1"},
		{"SELECT a FROM t ORDER BY a", "SELECT a FROM t ORDER BY a DESC"},
		{"SELECT a FROM t JOIN u ON a = b", "SELECT a FROM t LEFT JOIN u ON a = b"},
		{"SELECT a FROM t JOIN (u JOIN v)", "SELECT a FROM t JOIN u JOIN v"},
		{"SELECT a - (b - c) FROM t", "SELECT a - b - c FROM t"},
		{"SELECT a IN (1, 2) FROM t", "SELECT a NOT IN (1, 2) FROM t"},
		{"SELECT SUM(a) FROM t", "SELECT SUM(DISTINCT a) FROM t"},
		{"SELECT 1 UNION SELECT 2", "SELECT 1 UNION ALL SELECT 2"},
		{"SELECT 1 UNION (SELECT 2 UNION ALL SELECT 3)", "SELECT 1 UNION SELECT 2 UNION ALL SELECT 3"},
		{"SELECT SUM(a) OVER (ORDER BY b ROWS 1 PRECEDING) FROM t",
			"SELECT SUM(a) OVER (ORDER BY b ROWS 2 PRECEDING) FROM t"},
		{"SELECT SUM(a) OVER (ORDER BY b ROWS 1 PRECEDING) FROM t",
			"SELECT SUM(a) OVER (ORDER BY b RANGE 1 PRECEDING) FROM t"},
		{"SELECT CAST(a AS CHAR(3)) FROM t", "SELECT CAST(a AS CHAR(4)) FROM t"},
		{"SELECT CAST(a AS CHAR(3)) FROM t", "SELECT CAST(a AS BINARY(3)) FROM t"},
		{"SELECT a + INTERVAL 1 DAY FROM t", "SELECT a + INTERVAL 1 MONTH FROM t"},
		{"SELECT a LIKE 'x' ESCAPE '|' FROM t", "SELECT a LIKE 'x' FROM t"},
		{"SELECT a FROM t", "SELECT a FROM t FOR UPDATE +"},
	} {
		stmt, v := parseOne(pair[0])
		must.Have(t, v.OK, pair[0], v)
		want := must.Get(syntax.RestoreFrom(pair[0], stmt))(t)
		if v, err := readBack(pair[0], stmt, want); err != nil || !v.OK && pair[0] != "SELECT !(!a) FROM t" {
			t.Errorf("the same: %v, %v: %s", v, err, pair[0])
		}
		if v, err := readBack(pair[1], stmt, want); err != nil || v.OK {
			t.Errorf("taken for the same: %v\n%s\n%s", err, pair[0], pair[1])
		}
	}
}

// Signs and texts that MySQL's lexer takes together and TiDB's apart.
func TestReadOtherwise(t *testing.T) {
	for sql, ok := range map[string]bool{
		"SELECT !!1":                              false,
		"SELECT 1=!1":                             false,
		"SELECT 1<>!1":                            false,
		"SELECT 1 < !1, 1 = ! 1, ! ! 1":           true,
		"SELECT 1<=>1, 1<>2, 1!=2, 1<<2, 8>>1":    true,
		`SELECT '{"a": 1}'->>'$.a'`:               false, // MySQL takes columns only
		`SELECT '!!', "=!", 1 /* !! */ -- =!`:     true,
		`SELECT \N`:                               false,
		`SELECT N'a' 'b'`:                         false,
		`SELECT _utf8mb4'a' 'b'`:                  false,
		`SELECT _utf8mb4 'a' /* x */ 'b'`:         false,
		`SELECT 'a' LIKE 'b' ESCAPE '|' 'c'`:      false,
		`SELECT 'a' 'b', N'a' AS 'b', _utf8'a' x`: true,
	} {
		if _, v, err := Check(sql, nil); err != nil || v.OK != ok {
			t.Errorf("%v, %v; want %t: %s", v, err, ok, sql)
		}
	}
}
