package sqlcheck

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
)

// TestRegexpsAreGuarded: what is sent asks REGEXP_REPLACE nothing about an empty text, and REGEXP_SUBSTR may be NULL;
// twice is as once.
func TestRegexpsAreGuarded(t *testing.T) {
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
		"SELECT REGEXP_REPLACE('abc', 'a', 'b')": "SELECT REGEXP_REPLACE('abc', 'a', 'b')",
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
