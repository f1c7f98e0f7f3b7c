package sqlcheck

import (
	"testing"

	"nl2sql/scripts/must"
)

func TestUnsteady(t *testing.T) {
	for sql, want := range map[string][]string{
		"SELECT YEAR('2004-01-01')":                                 nil,
		"SELECT NOW(), curdate(), NOW(3)":                           {"now", "curdate"},
		"SELECT CURRENT_DATE":                                       {"current_date"},
		"SELECT RAND(1), UNIX_TIMESTAMP('2004-01-01')":              nil,
		"SELECT 1 ORDER BY RAND()":                                  {"rand"},
		"SELECT UNIX_TIMESTAMP()":                                   {"unix_timestamp"},
		"SELECT 'NOW()' AS `curdate()`":                             nil,
		"SELECT 1 WHERE '2004-01-01' > UTC_DATE() - INTERVAL 1 DAY": {"utc_date"},
		"WITH a AS (SELECT SYSDATE() AS d) SELECT d FROM a":         {"sysdate"},
	} {
		q, v, err := Check(sql, nil)
		if err != nil || !v.OK {
			t.Errorf("%s: %v %v", sql, v, err)
			continue
		}
		must.Same(t, Unsteady(q), want, sql)
	}
}
