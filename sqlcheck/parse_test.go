package sqlcheck

import (
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

func TestSyntaxErrors(t *testing.T) {
	for _, test := range []struct{ sql, at, want, hint string }{
		{"SELECT name FORM client", "client", "syntax:near client", ""},
		{"SELECT a\nFROM t WHERE", "", "syntax:end", "the statement is not complete"},
		{"SELECT o.a FROM t of WHERE of.a = 1", "of WHERE", "syntax:near of WHERE of.a = 1", "OF is a reserved word"},
		{"There is no such table.", "There", "syntax:near There is no such table.", ""},
		{"SELECT 'open FROM t", "", "syntax", ""},
		{"", "", "empty_sql", "the statement is empty"},
		{"-- a remark", "", "empty_sql", "the statement is empty"},
		{"\ufeffSELECT a FROM", "", "syntax:end", "the statement is not complete"},
	} {
		_, v, err := Check(test.sql, nil)
		if err != nil || !strings.HasPrefix(v.String(), test.want) || !strings.HasPrefix(v.Hint, test.hint) ||
			v.Check != "parse" {
			t.Errorf("%q: %+v, %v; want %s", test.sql, v, err, test.want)
		}
		must.Be(t, strings.HasPrefix(test.sql[min(v.Pos, len(test.sql)):], test.at),
			test.sql, "position", v.Pos, "want that of", test.at)
	}
}

// What TiDB's parser reserves and MySQL does not is a name, wherever it stands as one.
func TestWordsThatOnlyTheParserReserves(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT ends AS until FROM t ORDER BY UNTIL":       "SELECT `ends` AS `until` FROM `t` ORDER BY `UNTIL`",
		"SELECT until.ends FROM t until /* until */":       "SELECT `until`.`ends` FROM `t` AS `until`",
		"SELECT array FROM t WHERE current_role = 'until'": "SELECT `array` FROM `t` WHERE `current_role`='until'",
		"SELECT `until` FROM t":                            "SELECT `until` FROM `t`",
		"SELECT 1 FROM t FULL JOIN u USING (a)":            "parse syntax:FULL JOIN",
		"SELECT 1 FROM (SELECT 1) t ANTI JOIN u USING (a)": "parse syntax:ANTI JOIN",
		"SELECT until(1)":                                  "parse syntax:near until(1)",
		"SELECT CURRENT_ROLE()":                            "policy forbidden_function:current_role",
		"SELECT 1 AS intersect":                            "parse syntax:near intersect",
	} {
		q, v, err := Check(sql, nil)
		got := q.SQL()
		if !v.OK {
			got = v.Check + " " + v.String()
		}
		must.Be(t, err == nil && got == want, sql, got, err, want)
	}
}
