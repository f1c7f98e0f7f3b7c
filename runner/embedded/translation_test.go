package embedded

import (
	"strings"
	"testing"

	"nl2sql/runner"
	"nl2sql/runner/embedded/translate"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

// What translations write, one construct a line. {s} stands for the text's collation.
func TestTranslation(t *testing.T) {
	const script = "CREATE TABLE t (i INT PRIMARY KEY, u INT UNSIGNED, m DECIMAL(10,2), f DOUBLE, s VARCHAR(20), d DATE, ts DATETIME);" +
		"CREATE TABLE w (i INT, s VARCHAR(20) COLLATE utf8mb4_bin);"
	db := must.Get(OpenDump(t.Context(), "x", strings.NewReader(script), runner.Limits{}))(t)
	defer db.Close()
	for _, tt := range []struct{ in, want string }{
		{"SELECT i + 1 FROM t", "SELECT (t1.`i` + 1) AS c1 FROM `t` AS t1"},
		{"SELECT m * 2 AS x FROM t ORDER BY x",
			"SELECT round((t1.`m` * 2), 2) AS c1 FROM `t` AS t1 ORDER BY round((t1.`m` * 2), 2)"},
		{"SELECT i / 2 FROM t", "SELECT my_dec_round(my_dec_div(t1.`i`, 0, 2, 0, 9), 0, 4) AS c1 FROM `t` AS t1"},
		{"SELECT i DIV 2, i % 2, f / 2 FROM t",
			"SELECT (t1.`i` / 2) AS c1, (t1.`i` % 2) AS c2, (CAST(t1.`f` AS REAL) / 2) AS c3 FROM `t` AS t1"},
		{"SELECT u - i FROM t", "SELECT my_unsigned(t1.`u` - t1.`i`) AS c1 FROM `t` AS t1"},
		{"SELECT i FROM t WHERE s = 'a'", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (t1.`s` = 'a')"},
		{"SELECT i FROM t WHERE UPPER(s) = 'a'",
			"SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (my_upper(t1.`s`) COLLATE my_ai = 'a')"},
		{"SELECT t.i FROM t JOIN w ON t.s = w.s",
			"SELECT t1.`i` AS c1 FROM `t` AS t1 JOIN `w` AS t2 ON (t1.`s` COLLATE my_bin = t2.`s`)"},
		{"SELECT i FROM t WHERE s = 5", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (my_number(t1.`s`) = 5)"},
		{"SELECT i FROM t WHERE i = '5x'", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (t1.`i` = 5.0)"},
		{"SELECT i FROM t WHERE d > '2004/1/2'", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (t1.`d` > '2004-01-02')"},
		{"SELECT i FROM t WHERE ts > '2004-1-2'",
			"SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (t1.`ts` > '2004-01-02 00:00:00')"},
		{"SELECT i FROM t WHERE d = ts", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (my_datetime(t1.`d`, 0) = t1.`ts`)"},
		{"SELECT i FROM t WHERE NOT i <=> NULL", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (NOT (t1.`i` IS NULL))"},
		{"SELECT i FROM t WHERE s LIKE 'a%'",
			"SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (my_like(t1.`s`, 'a%', 92, 'my_ai', 0))"},
		{"SELECT i FROM t WHERE (i, s) IN ((1, 'a'))",
			"SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE ((((t1.`i` = 1) AND (t1.`s` = 'a'))))"},
		{"SELECT (SELECT s FROM w) FROM t",
			"SELECT ((SELECT my_only(COUNT(*), MIN(c1)) FROM (SELECT * FROM (SELECT t2.`s` AS c1 FROM `w` AS t2) LIMIT 2)) COLLATE my_bin) AS c1 FROM `t` AS t1"},
		{"SELECT i FROM t WHERE i > ALL (SELECT i FROM w)",
			"SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (SELECT CASE WHEN SUM(NOT (t1.`i` > t3.c1)) > 0 THEN 0 WHEN COUNT(*) > COUNT((t1.`i` > t3.c1)) THEN NULL ELSE 1 END FROM (SELECT t2.`i` AS c1 FROM `w` AS t2) AS t3)"},
		{"SELECT SUM(m), COUNT(DISTINCT s) FROM t",
			"SELECT my_round(SUM(t1.`m`), 2) AS c1, COUNT(DISTINCT t1.`s`) AS c2 FROM `t` AS t1"},
		{"SELECT i FROM t JOIN w USING (i)", "SELECT t1.`i` AS c1 FROM `t` AS t1 JOIN `w` AS t2 ON (t1.`i` = t2.`i`)"},
		{"SELECT i FROM t LIMIT 3, 4", "SELECT t1.`i` AS c1 FROM `t` AS t1 LIMIT 4 OFFSET 3"},
		{"SELECT CONCAT(i, s, m) FROM t",
			"SELECT (my_concat(CAST(t1.`i` AS TEXT), t1.`s`, my_decimal_text(t1.`m`, 2)) COLLATE my_ai) AS c1 FROM `t` AS t1"},
		{"SELECT d + INTERVAL 1 MONTH FROM t", "SELECT my_date_add(t1.`d`, 1, 'MONTH', 1, 7, 0) AS c1 FROM `t` AS t1"},
		{"SELECT 'it''s'", "SELECT ('it''s' COLLATE my_ai) AS c1"},
	} {
		q, v, err := sqlcheck.Check(tt.in, db.schema)
		if err != nil || !v.OK {
			t.Errorf("%s: %v, %v", tt.in, v, err)
			continue
		}
		got, err := translate.Statement(q.Stmt(), translate.Options{Tables: db.tables, Database: "x"})
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		must.Same(t, got.SQL, tt.want, tt.in)
		if _, err := db.Query(t.Context(), q); err != nil {
			t.Errorf("%s: %v", tt.in, err)
		}
	}
}
