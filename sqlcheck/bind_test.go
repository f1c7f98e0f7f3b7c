package sqlcheck

import (
	_ "embed"
	"testing"

	"nl2sql/sqlcheck/internal/examples"
)

// shopDDL is the schema of the statements in testdata.
//
//go:embed testdata/shop.sql
var shopDDL string

// TestCheckLikeMySQL holds verdicts against the error numbers that MySQL 8.0.15 gave for the same statements.
func TestCheckLikeMySQL(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	for _, test := range []struct {
		sql  string
		code uint16
		want string
	}{
		{"SELECT name FROM client", 0, "ok"},
		{"SELECT clients.name FROM client", 1054, "unknown_column:clients.name"},
		{"SELECT x.* FROM client", 1051, "unknown_table:x"},
		{"SELECT name FROM clients", 1146, "unknown_table:clients"},
		{"SELECT c.foo FROM client c", 1054, "unknown_column:c.foo"},
		{"SELECT name FROM client c JOIN city t ON c.city_id = t.id", 1052, "ambiguous_column:name"},
		{"SELECT a.name FROM client a, client a", 1066, "duplicate_alias:a"},
		{"SELECT c.name, t.name FROM client c JOIN city t ON c.city_id = t.id ORDER BY name", 1052,
			"ambiguous_column:name"},
		{"SELECT c.name FROM client c JOIN city t ON c.city_id = t.id ORDER BY name", 0, "ok"},
		{"SELECT c.name FROM client c JOIN city t ON c.city_id = t.id GROUP BY name", 0, "ok"},
		{"SELECT c.name, t.land FROM client c JOIN city t ON c.city_id = t.id GROUP BY name", 1055,
			"not_grouped:t.land"},
		{"SELECT * FROM city t, client c JOIN bill b ON t.id = c.city_id", 1054, "unknown_column:t.id"},
		{"SELECT name, COUNT(*) FROM client", 1140, "not_grouped:name"},
		{"SELECT name, COUNT(*) FROM client WHERE name = 'x'", 0, "ok"},
		{"SELECT name, COUNT(*) FROM client WHERE name = UPPER('x')", 0, "ok"},
		{"SELECT name, COUNT(*) FROM client WHERE name IN ('x')", 0, "ok"},
		{"SELECT name, COUNT(*) FROM client WHERE name = (SELECT MAX(name) FROM city)", 1140, "not_grouped:name"},
		{"SELECT name FROM client GROUP BY id", 0, "ok"},
		{"SELECT name FROM client GROUP BY city_id", 1055, "not_grouped:name"},
		{"SELECT c.name, MAX(b.day) FROM client c LEFT JOIN bill b ON c.id = b.client_id GROUP BY c.id", 0, "ok"},
		{"SELECT c.name FROM client c JOIN bill b ON c.id = b.client_id GROUP BY b.client_id", 0, "ok"},
		{"SELECT c.name, t.name n FROM client c LEFT JOIN city t ON c.city_id = t.id GROUP BY c.id", 0, "ok"},
		{"SELECT c.name, t.name n FROM client c LEFT JOIN city t ON c.city_id = t.id GROUP BY t.id", 1055,
			"not_grouped:c.name"},
		{"SELECT b.day, x.t FROM bill b JOIN (SELECT no, SUM(price) t FROM bill_line GROUP BY no) x ON x.no = b.no GROUP BY b.no", 0, "ok"},
		{"SELECT item, pieces FROM bill_line GROUP BY no, line", 0, "ok"},
		{"SELECT item, pieces FROM bill_line GROUP BY no", 1055, "not_grouped:item"},
		{"SELECT (SELECT MAX(day) FROM bill b WHERE b.client_id = c.id) FROM client c GROUP BY c.name", 1055,
			"not_grouped:id"},
		{"SELECT YEAR(b.day), COUNT(*) FROM bill b GROUP BY YEAR(day)", 0, "ok"},
		{"SELECT YEAR(day) + 1 FROM bill GROUP BY YEAR(day)", 1055, "not_grouped:day"},
		{"SELECT YEAR(day) y FROM bill GROUP BY y HAVING y > 2003", 0, "ok"},
		{"SELECT YEAR(day) y FROM bill GROUP BY y HAVING YEAR(day) > 2003", 1054, "unknown_column:day"},
		{"SELECT name FROM client GROUP BY name HAVING credit > 1", 1054, "unknown_column:credit"},
		{"SELECT UPPER(name) FROM client GROUP BY name HAVING name = 'x'", 0, "ok"},
		{"SELECT name c FROM client HAVING name = 'x'", 0, "ok"},
		{"SELECT name, SUM(credit) s FROM client GROUP BY name HAVING SUM(s) > 1", 0, "ok"},
		{"SELECT name FROM client t GROUP BY name HAVING COUNT(*) > (SELECT COUNT(*) FROM city c WHERE c.name = t.name)", 0, "ok"},
		{"SELECT city_id, name AS n FROM client GROUP BY city_id, n HAVING COUNT(*) > (SELECT COUNT(*) FROM bill GROUP BY n)", 0, "ok"},
		{"SELECT city_id, name AS n FROM client GROUP BY city_id, n HAVING COUNT(*) > (SELECT day FROM bill GROUP BY n)", 1055, "not_grouped:day"},
		{"SELECT city_id, name AS n FROM client GROUP BY city_id, n ORDER BY (SELECT COUNT(*) FROM bill GROUP BY n)", 0,
			"ok"},
		{"SELECT city_id, UPPER(name) AS u FROM client GROUP BY city_id, u HAVING COUNT(*) > (SELECT COUNT(*) FROM (SELECT no FROM bill GROUP BY no) AS t GROUP BY u)", 0, "ok"},
		{"SELECT city_id, UPPER(name) AS u FROM client HAVING EXISTS (SELECT day FROM bill GROUP BY no, u)", 0, "ok"},
		{"SELECT name FROM client t GROUP BY name HAVING COUNT(*) > (SELECT COUNT(*) FROM city c WHERE c.id = t.city_id)", 1054, "unknown_column:t.city_id"},
		{"SELECT state, COUNT(*) n FROM bill WHERE n > 1 GROUP BY state", 1054, "unknown_column:n"},
		{"SELECT name FROM client WHERE COUNT(*) > 1", 1111, "bad_aggregate:COUNT"},
		{"SELECT MAX(SUM(credit)) FROM client GROUP BY name", 1111, "bad_aggregate:SUM"},
		{"SELECT SUM(COUNT(*)) OVER () FROM bill GROUP BY state", 0, "ok"},
		{"SELECT COUNT(*) n FROM client GROUP BY n", 1056, "bad_aggregate:n"},
		{"SELECT name FROM client GROUP BY COUNT(*)", 1111, "bad_aggregate:COUNT"},
		{"SELECT name FROM client ORDER BY COUNT(*)", 3029, "bad_aggregate:ORDER BY"},
		{"SELECT state FROM bill GROUP BY state ORDER BY COUNT(*)", 0, "ok"},
		{"SELECT MAX(no) FROM bill ORDER BY day", 0, "ok"},
		{"SELECT COUNT(*), day FROM bill GROUP BY day ORDER BY state", 1055, "not_grouped:state"},
		{"SELECT name FROM client c WHERE EXISTS (SELECT 1 FROM bill b WHERE b.client_id = c.id AND COUNT(*) > 1)",
			1111, "bad_aggregate:COUNT"},
		{"SELECT DISTINCT name FROM client ORDER BY credit", 3065, "distinct_order:client.credit"},
		{"SELECT DISTINCT name, credit FROM client ORDER BY ABS(credit)", 0, "ok"},
		{"SELECT DISTINCT name FROM client GROUP BY name ORDER BY COUNT(*)", 0, "ok"},
		{"SELECT DISTINCT name FROM client GROUP BY name, credit ORDER BY COUNT(*)", 3066, "distinct_order"},
		{"SELECT DISTINCT YEAR(day) FROM bill ORDER BY YEAR(day)", 0, "ok"},
		{"SELECT DISTINCT YEAR(day) y FROM bill ORDER BY y + 1", 0, "ok"},
		{"SELECT name FROM client ORDER BY 2", 1054, "unknown_column:2"},
		{"SELECT name FROM client GROUP BY 2", 1054, "unknown_column:2"},
		{"SELECT state, COUNT(*) FROM bill GROUP BY 1 ORDER BY 2 DESC", 0, "ok"},
		{"SELECT * FROM (SELECT name, name FROM client) x", 1060, "duplicate_column:name"},
		{"SELECT * FROM (SELECT name FROM client)", 1248, "derived_without_alias"},
		{"SELECT (SELECT id, name FROM client LIMIT 1)", 1241, "operand_columns"},
		{"SELECT name FROM client WHERE name IN (SELECT id, name FROM city)", 1241, "operand_columns"},
		{"SELECT (id, name) IN (SELECT id, name FROM city) FROM client", 0, "ok"},
		{"SELECT (1, 2) = (1, 2, 3)", 1241, "operand_columns"},
		{"SELECT name FROM client UNION SELECT id, name FROM city", 1222, "column_count"},
		{"SELECT name FROM client UNION SELECT land FROM city ORDER BY client.name", 1250,
			"unknown_column:client.name"},
		{"SELECT name FROM client UNION SELECT land FROM city ORDER BY land", 1054, "unknown_column:land"},
		{"SELECT name FROM client UNION SELECT land FROM city ORDER BY UPPER(name)", 0, "ok"},
		{"SELECT RANK() OVER (ORDER BY name) FROM client WHERE RANK() OVER (ORDER BY name) = 1", 3593,
			"bad_window:RANK"},
		{"SELECT RANK() OVER (ORDER BY name) r FROM client HAVING r = 1", 3594, "bad_window:r"},
		{"SELECT name, COUNT(*) n, RANK() OVER (ORDER BY n) FROM client GROUP BY name", 1054, "unknown_column:n"},
		{"SELECT name, COUNT(*) n, RANK() OVER (ORDER BY COUNT(*)) FROM client GROUP BY name", 0, "ok"},
		{"SELECT state, MAX(day) OVER (PARTITION BY state) FROM bill GROUP BY state", 1055, "not_grouped:day"},
		{"SELECT YEAR(day) y, MONTH(day) m, SUM(SUM(no)) OVER (PARTITION BY YEAR(day) ORDER BY MONTH(day)) FROM bill GROUP BY y, m", 0, "ok"},
		{"SELECT YEAR(day), RANK() OVER (ORDER BY YEAR(day) + 1) FROM bill GROUP BY YEAR(day)", 1055,
			"not_grouped:day"},
		{"SELECT YEAR(day) y, SUM(SUM(no)) OVER (PARTITION BY YEAR(day) ORDER BY MONTH(day)) FROM bill GROUP BY y",
			1055, "not_grouped:day"},
		{"SELECT YEAR(day) y, SUM(MONTH(day)) OVER (ORDER BY YEAR(day)) FROM bill GROUP BY y", 1055, "not_grouped:day"},
		{"SELECT ROW_NUMBER() OVER w2 FROM bill WINDOW w AS (ORDER BY day)", 3579, "unknown_window:w2"},
		{"SELECT 1 AS a, (SELECT a)", 0, "ok"},
		{"SELECT name AS x FROM client WHERE (SELECT x) = 'y'", 1054, "unknown_column:x"},
		{"SELECT name FROM city JOIN (SELECT id AS c, city_id FROM client) x ON x.city_id = city.id", 0, "ok"},
		{"SELECT city_id FROM client JOIN city USING (id)", 0, "ok"},
		{"SELECT id FROM client JOIN city USING (id)", 0, "ok"},
		{"SELECT id FROM client NATURAL JOIN city", 0, "ok"},
		{"SELECT * FROM client JOIN city USING (nothere)", 1054, "unknown_column:nothere"},
		{"SELECT * FROM client a JOIN client b ON a.id = b.id JOIN client c USING (id)", 1052, "ambiguous_column:id"},
		{"WITH x AS (SELECT name, COUNT(*) n FROM client GROUP BY name) SELECT x.name, x.n, SUM(x.n) FROM x GROUP BY x.name", 0, "ok"},
		{"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<5) SELECT i FROM n", 0, "ok"},
		{"WITH n AS (SELECT 1 AS i UNION ALL SELECT i+1 FROM n WHERE i<5) SELECT i FROM n", 1146, "unknown_table:n"},
		{"WITH x AS (SELECT 1 a), x AS (SELECT 2 a) SELECT * FROM x", 1066, "duplicate_alias:x"},
		{"SELECT b.no FROM bill b, LATERAL (SELECT * FROM bill_line l WHERE l.no = b.no) x", 0, "ok"},
		{"SELECT b.no FROM bill b, (SELECT * FROM bill_line l WHERE l.no = b.no) x", 1054, "unknown_column:b.no"},
		{"SELECT shop.client.name FROM shop.client", 0, "ok"},
		{"SELECT x.m, COUNT(*) FROM (SELECT MAX(no) m FROM bill) x", 1140, "not_grouped:m"},
		{"SELECT a.name AS land FROM client a, city b GROUP BY name", 1052, "ambiguous_column:name"},
		{"SELECT a.name AS land FROM client a, city b ORDER BY name", 1052, "ambiguous_column:name"},
		{"SELECT a.name AS land FROM client a, city b HAVING name > 'x'", 0, "ok"},
		{"SELECT c.name FROM client c JOIN bill b ON b.client_id = c.id NATURAL JOIN city t", 0, "ok"},
		{"SELECT 1 FROM city a JOIN city b ON a.id = b.id NATURAL JOIN client c", 1052, "ambiguous_column:id"},
		{"SELECT SUM((SELECT MAX(c.credit) FROM bill)) FROM client c", 1111, "bad_aggregate:MAX"},
		{"SELECT RANK() OVER (ORDER BY 1) FROM client", 3592, "bad_window:1"},
		{"SELECT CASE WHEN EXISTS (SELECT 1 FROM bill) THEN name END FROM client GROUP BY CASE WHEN EXISTS (SELECT 1 FROM bill) THEN name END", 1055, "not_grouped:name"},
		{"SELECT (SELECT MAX(no) FROM bill b WHERE b.client_id = c.id) m FROM client c GROUP BY m", 0, "ok"},
		{"SELECT name FROM client WHERE credit > (SELECT AVG(credit) FROM bill)", 0, "ok"},
		{"SELECT no FROM bill WHERE no IN (SELECT no FROM bill_line LIMIT 1)", 1235, "limit_in_subquery"},
		{"SELECT no FROM bill WHERE no = (SELECT no FROM bill_line LIMIT 1)", 0, "ok"},
		{"SELECT no FROM bill LIMIT 1 UNION SELECT no FROM bill_line", 1064,
			"syntax:ORDER BY or LIMIT before a set operator"},
		{"(SELECT no FROM bill LIMIT 1) UNION SELECT no FROM bill_line", 0, "ok"},
		{"SELECT no, * FROM bill", 1064, "syntax:, *"},
		{"SELECT no FROM bill GROUP BY no DESC", 1064, "syntax:GROUP BY … DESC"},
		{"SELECT name FROM client WHERE name ILIKE 'x'", 1064, "reserved_word:ILIKE"},
		{"SELECT name FROM client FETCH FIRST 1 ROWS ONLY", 1064, "reserved_word:FETCH"},
		{"SELECT name AS condition FROM client", 1064, "reserved_word:condition"},
		{"SELECT b.no, t.name FROM city t RIGHT JOIN client c ON t.name = 'x' RIGHT JOIN bill b ON b.day = c.credit GROUP BY b.no", 1055, "not_grouped:t.name"},
		{"SELECT c.id, t.name FROM city t RIGHT JOIN client c ON t.name = 'x' GROUP BY c.id", 0, "ok"},
		{"SELECT JSON_OBJECT(1) FROM client", 1582, "argument_count:JSON_OBJECT"},
		{"SELECT VARIANCE(DISTINCT id) FROM client", 1064, "syntax:VAR_POP(DISTINCT …)"},
		{"SELECT SUM(id) OVER (GROUPS 1 PRECEDING) FROM client", 1235, "syntax:GROUPS"},
		{"SELECT foo(name) FROM client", 1305, "no_such_function:foo"},
		{"SELECT IFNULL(name) FROM client", 1582, "argument_count:IFNULL"},
	} {
		_, v, err := Check(test.sql, s)
		if err != nil {
			t.Errorf("%s: %v", test.sql, err)
		} else if v.String() != test.want || v.Code != test.code {
			t.Errorf("%s:\n got %s (%d) %s\nwant %s (%d)", test.sql, v, v.Code, v.Hint, test.want, test.code)
		}
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
