package sqlcheck

import "testing"

func TestDerivedInBrackets(t *testing.T) {
	for sql, want := range map[string]bool{
		"SELECT * FROM ((SELECT 1 AS a) AS t)":                                    true,
		"SELECT * FROM ( (SELECT 1 AS a) t ) WHERE a = 1":                         true,
		"SELECT * FROM x JOIN ((WITH q AS (SELECT 1) SELECT * FROM q) AS t) ON 1": true,
		"SELECT * FROM (SELECT 1 AS a) AS t":                                      false,
		"SELECT * FROM ((SELECT 1 AS a)) AS t":                                    false,
		"SELECT * FROM ((SELECT 1 AS a) AS t JOIN (SELECT 2 AS b) AS u)":          false,
		"SELECT * FROM ((SELECT 1 AS a) AS t, (SELECT 2 AS b) AS u)":              false,
		"SELECT * FROM ((SELECT 1 AS a) UNION (SELECT 2)) AS t":                   false,
		"SELECT * FROM (SELECT (SELECT 1) AS a) AS t":                             false,
		"SELECT a FROM t WHERE x IN (((SELECT 1)))":                               false,
		"SELECT * FROM ((SELECT 1 AS a UNION SELECT 2) ORDER BY a LIMIT 1) AS t":  false,
		"SELECT * FROM (client)":                                                  false,
	} {
		if _, got := derivedInBrackets(sql); got != want {
			t.Errorf("%s: %t", sql, got)
		}
	}
}
