package sqlcheck

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
)

// TestRewritten: what is sent asks REGEXP_REPLACE nothing about an empty text, REGEXP_SUBSTR may be NULL, and one row
// is not sorted; twice is as once.
func TestRewritten(t *testing.T) {
	s := growthSchema(t)
	for in, want := range map[string]string{
		"SELECT REGEXP_REPLACE(note, 'a', 'b') FROM doc": "SELECT IF(LENGTH(`note`)=0, `note`, " +
			"REGEXP_REPLACE(`note`, 'a', 'b')) FROM `doc`",
		"SELECT id FROM doc WHERE REGEXP_REPLACE(TRIM(title), 'a', '') = 'x'": "SELECT `id` FROM `doc` WHERE " +
			"IF(LENGTH(TRIM(`title`))=0, TRIM(`title`), REGEXP_REPLACE(TRIM(`title`), 'a', ''))='x'",
		"SELECT id FROM doc ORDER BY REGEXP_SUBSTR(title, 'a', 2), id": "SELECT `id` FROM `doc` ORDER BY " +
			"IF(1, REGEXP_SUBSTR(`title`, 'a', 2), NULL),`id`",
		"SELECT REGEXP_SUBSTR(REGEXP_SUBSTR(title, 'a'), 'b') FROM doc": "SELECT IF(1, REGEXP_SUBSTR(" +
			"IF(1, REGEXP_SUBSTR(`title`, 'a'), NULL), 'b'), NULL) FROM `doc`",
		"SELECT MAX(x) FROM (SELECT (SELECT COUNT(*) FROM tag) AS x FROM doc ORDER BY id) d ORDER BY x LIMIT 1": "SELECT " +
			"MAX(`x`) FROM (SELECT (SELECT COUNT(1) FROM `tag`) AS `x` FROM `doc`) AS `d` LIMIT 1",
		"SELECT (SELECT MAX(d.id)) FROM doc d ORDER BY d.id": "SELECT (SELECT MAX(`d`.`id`)) FROM `doc` AS `d`",
		"SELECT COUNT(*) OVER (), id FROM doc ORDER BY id":   "SELECT COUNT(1) OVER (),`id` FROM `doc` ORDER BY `id`",
		"SELECT REGEXP_REPLACE('abc', 'a', 'b')":             "SELECT REGEXP_REPLACE('abc', 'a', 'b')",
	} {
		for _, sql := range []string{in, want} {
			q, v, err := Check(sql, s)
			must.Do(t, err)
			if diff := cmp.Diff(want, q.SQL()); diff != "" || !v.OK {
				t.Errorf("%v -want +got\n%s", v, diff)
			}
		}
	}
	deep := "SELECT " + strings.Repeat("REGEXP_REPLACE(", 20) + "title" + strings.Repeat(", 'a', 'b')", 20) + " FROM doc"
	if _, v, err := Check(deep, s); err != nil || v.Reason != "too_deep" && v.Reason != "huge_result" {
		t.Errorf("%v %v", v, err)
	}
}
