package suite

import (
	"slices"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/schema"
)

const neighbourDDL = `CREATE TABLE a (id int PRIMARY KEY, n int, m int NOT NULL, name varchar(9) NOT NULL, note varchar(9), day date);
CREATE TABLE b (id int PRIMARY KEY, a int NOT NULL, price decimal(8,2) NOT NULL, FOREIGN KEY (a) REFERENCES a (id));`

func TestNeighbours(t *testing.T) {
	s := must.Get(schema.ParseDDL("x", neighbourDDL))(t)
	note, _ := s.Tables[0].Column("note")
	note.Values, note.Complete = []string{"new", "old"}, true
	for _, c := range []struct {
		sql  string
		want []string
	}{
		{"SELECT name FROM a WHERE n > 5", []string{
			"SELECT name FROM a WHERE n >= 5", "SELECT name FROM a WHERE n < 5", "SELECT name FROM a WHERE n > 4",
			"SELECT name FROM a WHERE n > 6",
			"SELECT name FROM a", "SELECT a.note FROM a WHERE n > 5", "SELECT name FROM a WHERE a.m > 5",
			"SELECT DISTINCT name FROM a WHERE n > 5"}},
		{"SELECT DISTINCT name FROM a WHERE n = 1 AND m = 2", []string{
			"SELECT name FROM a WHERE n = 1 AND m = 2", "SELECT DISTINCT name FROM a WHERE n = 1 OR m = 2",
			"SELECT DISTINCT name FROM a WHERE n = 1", "SELECT DISTINCT name FROM a WHERE m = 2"}},
		{"SELECT id FROM a WHERE note = 'new' AND day >= '2024-02-29'", []string{
			"SELECT id FROM a WHERE note = 'old' AND day >= '2024-02-29'",
			"SELECT id FROM a WHERE note = 'new' AND day >= '2024-02-28'",
			"SELECT id FROM a WHERE note = 'new' AND day >= '2024-03-01'"}},
		{"SELECT COUNT(*) FROM a", []string{"SELECT COUNT(a.n) FROM a", "SELECT COUNT(a.note) FROM a"}},
		{"SELECT COUNT(n) FROM a", []string{"SELECT COUNT(*) FROM a", "SELECT COUNT(DISTINCT n) FROM a",
			"SELECT SUM(n) FROM a", "SELECT COUNT(a.m) FROM a"}},
		{"SELECT n, SUM(m) FROM a GROUP BY n HAVING SUM(m) > 1.50 ORDER BY n, SUM(m) DESC LIMIT 3", []string{
			"SELECT n, AVG(m) FROM a GROUP BY n HAVING SUM(m) > 1.50 ORDER BY n, SUM(m) DESC LIMIT 3",
			"SELECT n, SUM(m) FROM a GROUP BY n ORDER BY n, SUM(m) DESC LIMIT 3",
			"SELECT n, SUM(m) FROM a GROUP BY n HAVING SUM(m) > 0.50 ORDER BY n, SUM(m) DESC LIMIT 3",
			"SELECT n, SUM(m) FROM a GROUP BY n HAVING SUM(m) > 1.50 ORDER BY n DESC, SUM(m) DESC LIMIT 3",
			"SELECT n, SUM(m) FROM a GROUP BY n HAVING SUM(m) > 1.50 ORDER BY SUM(m) DESC LIMIT 3",
			"SELECT n, SUM(m) FROM a GROUP BY n HAVING SUM(m) > 1.50 ORDER BY n, SUM(m) DESC LIMIT 2",
			"SELECT n, SUM(m) FROM a GROUP BY n HAVING SUM(m) > 1.50 ORDER BY n, SUM(m) DESC LIMIT 4",
			"SELECT n, SUM(m) FROM a GROUP BY n HAVING SUM(m) > 1.50 ORDER BY n, SUM(m) DESC LIMIT 1,3"}},
		{"SELECT a.name FROM a JOIN b ON b.a = a.id", []string{"SELECT a.name FROM a LEFT JOIN b ON b.a = a.id",
			"SELECT a.name FROM a RIGHT JOIN b ON b.a = a.id", "SELECT a.name FROM a JOIN b ON b.id = a.id"}},
		{"SELECT a.name, COUNT(*) FROM a LEFT JOIN b ON b.a = a.id GROUP BY a.name, a.id", []string{
			"SELECT a.name, COUNT(*) FROM a JOIN b ON b.a = a.id GROUP BY a.name, a.id",
			"SELECT a.name, COUNT(b.id) FROM a LEFT JOIN b ON b.a = a.id GROUP BY a.name, a.id",
			"SELECT a.name, COUNT(*) FROM a LEFT JOIN b ON b.a = a.id GROUP BY a.name"}},
		{"SELECT id FROM a WHERE name LIKE '%x%' AND n BETWEEN 1 AND 3", []string{
			"SELECT id FROM a WHERE name LIKE 'x%' AND n BETWEEN 1 AND 3",
			"SELECT id FROM a WHERE name NOT LIKE '%x%' AND n BETWEEN 1 AND 3",
			"SELECT id FROM a WHERE name LIKE '%x%' AND n >= 1",
			"SELECT id FROM a WHERE name LIKE '%x%' AND (n > 1 AND n <= 3)"}},
		{"SELECT id FROM a WHERE n IN (1, 2) AND note IS NOT NULL AND NOT EXISTS (SELECT 1 FROM b WHERE b.a = a.id)",
			[]string{
				"SELECT id FROM a WHERE n IN (2) AND note IS NOT NULL AND NOT EXISTS (SELECT 1 FROM b WHERE b.a = a.id)",
				"SELECT id FROM a WHERE n NOT IN (1, 2) AND note IS NOT NULL AND NOT EXISTS (SELECT 1 FROM b WHERE b.a = a.id)",
				"SELECT id FROM a WHERE n IN (1, 2) AND note IS NULL AND NOT EXISTS (SELECT 1 FROM b WHERE b.a = a.id)",
				"SELECT id FROM a WHERE n IN (1, 2) AND note IS NOT NULL AND EXISTS (SELECT 1 FROM b WHERE b.a = a.id)"}},
		{"SELECT name FROM a UNION SELECT note FROM a", []string{"SELECT name FROM a UNION ALL SELECT note FROM a"}},
		{"SELECT ROUND(price, 1), YEAR(day), price * 2 FROM a JOIN b USING (id)", []string{
			"SELECT price, YEAR(day), price * 2 FROM a JOIN b USING (id)",
			"SELECT ROUND(price, 2), YEAR(day), price * 2 FROM a JOIN b USING (id)",
			"SELECT ROUND(price, 1), MONTH(day), price * 2 FROM a JOIN b USING (id)",
			"SELECT ROUND(price, 1), YEAR(day), price + 2 FROM a JOIN b USING (id)"}},
	} {
		q, v, err := sqlcheck.Check(c.sql, s)
		must.Have(t, err == nil && v.OK, c.sql, v, err)
		got := neighboursOf(q, s)
		must.Be(t, slices.Equal(got, neighboursOf(q, s)), c.sql, "not the same twice")
		for _, text := range got {
			if near, v, err := sqlcheck.Check(text, s); err != nil || !v.OK || near.SQL() == q.SQL() {
				t.Errorf("%s: neighbour %s: %v %v", c.sql, text, v, err)
			}
		}
		for _, want := range c.want {
			w, v, err := sqlcheck.Check(want, s)
			must.Have(t, err == nil && v.OK, want, v, err)
			if !slices.Contains(got, w.SQL()) {
				t.Errorf("%s: %s is missing in\n%q", c.sql, w.SQL(), got)
			}
		}
	}
}
