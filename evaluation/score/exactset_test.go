package score

import (
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
)

func TestExactSet(t *testing.T) {
	s := must.Get(schema.ParseDDL("d", `
CREATE TABLE address (id INT PRIMARY KEY, city VARCHAR(20));
CREATE TABLE student (id INT PRIMARY KEY, name VARCHAR(20), age INT, value INT, home INT, now_at INT,
 FOREIGN KEY (home) REFERENCES address(id), FOREIGN KEY (now_at) REFERENCES address(id));
CREATE TABLE flight (id INT PRIMARY KEY, source VARCHAR(5), dest VARCHAR(5));`))(t)
	form := func(sql string) string {
		t.Helper()
		q, v, err := sqlcheck.Check(sql, s)
		must.Have(t, err == nil && v.OK, sql, v, err)
		return ExactSet(q, s)
	}
	for _, tt := range []struct {
		name, a, b string
		same       bool
	}{
		{"aliases and literals", "SELECT s.name FROM student s WHERE s.age > 20",
			"SELECT name FROM student AS x WHERE age > 30", true},
		{"order of parts", "SELECT name, age FROM student WHERE age > 1 AND name = 'a' GROUP BY name, age",
			"SELECT age, name FROM student WHERE 'b' = name AND age > 2 GROUP BY age, name", true},
		// test-suite-sql-eval#7
		{"another column", "SELECT name FROM student WHERE home != now_at",
			"SELECT name FROM student WHERE now_at != now_at", false},
		{"columns that refer to one table", "SELECT COUNT(*) FROM flight WHERE source = 'APG'",
			"SELECT COUNT(*) FROM flight WHERE dest = 'APG'", false},
		// #21
		{"a column called value", "SELECT value FROM student WHERE value > 3",
			"SELECT age FROM student WHERE age > 3", false},
		{"a key and what it refers to", "SELECT a.id FROM student s JOIN address a ON s.home = a.id",
			"SELECT s.home FROM student s JOIN address a ON s.home = a.id", true},
		{"a key that is not joined", "SELECT a.id FROM student s JOIN address a ON s.home = a.id",
			"SELECT s.now_at FROM student s JOIN address a ON s.home = a.id", false},
		{"operators", "SELECT name FROM student WHERE age > 1", "SELECT name FROM student WHERE age >= 1", false},
		{"and is not or", "SELECT name FROM student WHERE age > 1 AND id > 1",
			"SELECT name FROM student WHERE age > 1 OR id > 1", false},
		{"aggregates", "SELECT MAX(age) FROM student", "SELECT MIN(age) FROM student", false},
		{"DISTINCT is left out", "SELECT COUNT(DISTINCT name) FROM student", "SELECT COUNT(name) FROM student", true},
		{"order has an order", "SELECT name FROM student ORDER BY name, age",
			"SELECT name FROM student ORDER BY age, name", false},
		{"direction", "SELECT name FROM student ORDER BY name DESC", "SELECT name FROM student ORDER BY name", false},
		{"limit or none", "SELECT name FROM student ORDER BY name LIMIT 1",
			"SELECT name FROM student ORDER BY name", false},
		{"limit of another number", "SELECT name FROM student ORDER BY name LIMIT 1",
			"SELECT name FROM student ORDER BY name LIMIT 3", true},
		{"nested", "SELECT name FROM student WHERE home IN (SELECT id FROM address WHERE city = 'a')",
			"SELECT t.name FROM student t WHERE t.home IN (SELECT x.id FROM address x WHERE x.city = 'b')", true},
		{"nested, other", "SELECT name FROM student WHERE home IN (SELECT id FROM address WHERE city = 'a')",
			"SELECT name FROM student WHERE home IN (SELECT id FROM address WHERE id = 1)", false},
		{"not", "SELECT name FROM student WHERE home NOT IN (SELECT id FROM address)",
			"SELECT name FROM student WHERE home IN (SELECT id FROM address)", false},
		{"set operation", "SELECT name FROM student UNION SELECT city FROM address",
			"SELECT s.name FROM student s UNION SELECT a.city FROM address a", true},
		{"aliases over a set operation", "SELECT name AS n FROM student UNION SELECT city FROM address ORDER BY n",
			"SELECT name AS m FROM student UNION SELECT city FROM address ORDER BY m", true},
		{"an alias in ORDER BY", "SELECT home, COUNT(*) AS c FROM student GROUP BY home HAVING c > 1 ORDER BY c DESC",
			"SELECT home, COUNT(*) FROM student GROUP BY home HAVING COUNT(*) > 2 ORDER BY COUNT(*) DESC", true},
		{"common table expression", "WITH t AS (SELECT name FROM student WHERE age > 1) SELECT name FROM t",
			"WITH t AS (SELECT s.name FROM student s WHERE s.age > 2) SELECT x.name FROM t x", true},
		{"common table expression, other", "WITH t AS (SELECT name FROM student WHERE age > 1) SELECT name FROM t",
			"WITH t AS (SELECT name FROM student WHERE id > 1) SELECT name FROM t", false},
		{"common table expression of a set operation",
			"WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n UNION SELECT 0", "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i <= 9) SELECT i FROM n UNION SELECT 0", false},
		{"tables", "SELECT 1 FROM student", "SELECT 1 FROM address", false},
		{"a table more", "SELECT s.name FROM student s JOIN address a ON s.home = a.id",
			"SELECT name FROM student", false},
		{"having", "SELECT home FROM student GROUP BY home HAVING COUNT(*) > 2",
			"SELECT home FROM student GROUP BY home HAVING COUNT(*) > 3", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := form(tt.a), form(tt.b)
			must.Be(t, a != "" && (a == b) == tt.same, "same", a == b, tt.same, a, b)
		})
	}
}
