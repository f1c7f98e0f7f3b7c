package syntax

import (
	"testing"

	"nl2sql/scripts/must"
)

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
		must.Equal(t, PlainValues(in), want, in)
	}
}

func TestJSONTables(t *testing.T) {
	const nested = "SELECT * FROM t JOIN JSON_TABLE(t.doc, '$.a[*]' COLUMNS (n FOR ORDINALITY, `it''s` VARCHAR(5) PATH " +
		`'$."x\\"y"' DEFAULT '"a''b"' ON EMPTY ERROR ON ERROR, ` +
		"has INT UNSIGNED EXISTS PATH '$.z', NESTED PATH '$.b[*]' COLUMNS (m DECIMAL(5, 2) PATH '$', NESTED PATH " +
		"'$.c' COLUMNS (o JSON PATH '$')))) AS j"
	for in, want := range map[string]string{
		nested: nested,
		"SELECT * FROM json_table ( '[1]' , '$' columns(a int path '$') ) j": "SELECT * FROM JSON_TABLE('[1]', '$' COLUMNS (a INT PATH '$')) AS j",
		"SELECT 'JSON_TABLE(a, b)' FROM t":                                   "SELECT 'JSON_TABLE(a, b)' FROM t",
		"SELECT * FROM JSON_TABLE((SELECT MAX(k.a) FROM JSON_TABLE('[]', '$' COLUMNS (a JSON PATH '$')) k), '$' COLUMNS (b INT PATH '$')) j": "SELECT * FROM JSON_TABLE((SELECT MAX(k.a) FROM JSON_TABLE('[]', '$' COLUMNS (a JSON PATH '$')) AS k), '$' " +
			"COLUMNS (b INT PATH '$')) AS j",
		"SELECT * FROM JSON_TABLE('[1]', '$' COLUMNS (a INT PATH \"$\")) j":                           "",
		"SELECT * FROM JSON_TABLE('[1]', '$' COLUMNS (a INT PATH '$' NULL ON ERROR NULL ON EMPTY)) j": "",
		"SELECT * FROM JSON_TABLE('[1]', '$' COLUMNS (a INT)) j":                                      "",
		"SELECT * FROM JSON_TABLE('[1]', '$' COLUMNS ()) j":                                           "",
		"SELECT * FROM JSON_TABLE('[1]', '$' COLUMNS (a INT PATH '$')":                                "",
	} {
		stmt, ok := OneSelect(in)
		if !ok {
			if want != "" {
				t.Errorf("%s: not read: %s", in, JSONTables(in))
			}
			continue
		}
		got, err := Print(stmt)
		if err != nil || got != want {
			t.Errorf("%s\n got %s %v\nwant %s", in, got, err, want)
		}
		if again := JSONTables(JSONTables(in)); again != JSONTables(in) {
			t.Errorf("%s: once more %s", in, again)
		}
	}
}
