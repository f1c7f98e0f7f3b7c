package sqlcheck

import (
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
)

// TestLabels: the labels are those that MySQL 8.0.15 gave, and a derived table keeps them when it is restored.
func TestLabels(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	for _, test := range []struct {
		sql  string
		want []string
	}{
		{"SELECT NAME, c.Credit, (name), COUNT( * ), 'abc', 1+1, true, null, -1, 1.50, (2.5), +5, 1 + /* c */ 2 FROM client c GROUP BY name, credit",
			[]string{"NAME", "Credit", "name", "COUNT( * )", "abc", "1+1", "TRUE", "NULL", "-1", "1.50", "2.5", "5",
				"1 + /* c */ 2"}},
		{"SELECT *, c.* FROM city c", []string{"id", "name", "land", "id", "name", "land"}},
		{"SELECT * FROM bill JOIN bill_line USING (no)", []string{"no", "client_id", "day", "state", "line", "item",
			"pieces", "price"}},
		{"SELECT * FROM city RIGHT JOIN client USING (id)", []string{"id", "name", "city_id",
			"credit", "name", "land"}},
		{"SELECT name AS `a b`, credit 'c' FROM client", []string{"a b", "c"}},
		{"SELECT * FROM (SELECT COUNT(*), MAX(id)+1 m FROM client) x", []string{"COUNT(*)", "m"}},
		{"SELECT name FROM client UNION SELECT land FROM city", []string{"name"}},
		{"WITH x(a, b) AS (SELECT id, name FROM city) SELECT b, a FROM x", []string{"b", "a"}},
	} {
		q, v, err := Check(test.sql, s)
		if err != nil || !v.OK {
			t.Errorf("%s: %v, %v", test.sql, v, err)
			continue
		}
		must.Same(t, q.Labels(), test.want, test.sql)
	}
}

// TestRestored: what runs spells names as the schema and the aliases do.
func TestRestored(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	for sql, want := range map[string]string{
		"select C.NAME from SHOP.Client c where C.id=1;":           "SELECT `c`.`NAME` FROM `client` AS `c` WHERE `c`.`id`=1",
		"SELECT x.`COUNT(*)` FROM (SELECT COUNT(*) FROM client) X": "SELECT `X`.`COUNT(*)` FROM (SELECT COUNT(1) AS `COUNT(*)` FROM `client`) AS `X`",
		"SELECT shop.client.name, Client.* FROM client -- comment": "SELECT `client`.`name`,`client`.* FROM `client`",
		`SELECT 'a\\', "it's", 'a\_b' FROM client`: `SELECT 'a\\','it''s','a\\_b' FROM ` +
			"`client`",
		"WITH X AS (SELECT 1 a) SELECT x.A FROM x":                       "WITH `X` AS (SELECT 1 AS `a`) SELECT `X`.`A` FROM `X`",
		"SELECT INSERT(name, 1, 2, 'x'), CHAR(65) FROM client LIMIT 1,2": "SELECT INSERT(`name`, 1, 2, 'x'),CHAR(65) FROM `client` LIMIT 1,2",
	} {
		q, v, err := Check(sql, s)
		if err != nil || !v.OK || q.SQL() != want {
			t.Errorf("%s\n got %s %v %v\nwant %s", sql, q.SQL(), v, err, want)
		}
	}
	q, _, _ := Check("SELECT b.no FROM Bill b WHERE b.client_id IN (SELECT id FROM client) UNION SELECT no FROM bill",
		s)
	must.Same(t, q.Tables(), []string{"bill", "client"}, "tables")
}
