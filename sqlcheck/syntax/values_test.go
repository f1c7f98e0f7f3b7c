package syntax

import "testing"

func TestPlainValues(t *testing.T) {
	for in, want := range map[string]string{
		"SELECT v.a FROM (VALUES ROW(1, 'x,)'), ROW(2, f(3, 4))) AS v (a, `b c`)": "SELECT v.a FROM (SELECT 1 AS `a`, 'x,)' AS `b c` UNION ALL SELECT 2, f(3, 4)) AS v",
		"SELECT * FROM ( values row(1) ) v JOIN t":                                "SELECT * FROM (SELECT 1 AS column_0) v JOIN t",
		"SELECT 'VALUES ROW(1)' FROM t":                                           "SELECT 'VALUES ROW(1)' FROM t",
		"SELECT * FROM (VALUES ROW(1), ROW(1, 2)) v":                              "SELECT * FROM (VALUES ROW(1), ROW(1, 2)) v",
		"SELECT * FROM (VALUES ROW(1)) v (a, b)":                                  "SELECT * FROM (VALUES ROW(1)) v (a, b)",
		"SELECT * FROM (VALUES ROW(1)":                                            "SELECT * FROM (VALUES ROW(1)",
		"VALUES ROW(1)":                                                           "VALUES ROW(1)",
	} {
		if got := PlainValues(in); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}
