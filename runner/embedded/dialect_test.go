package embedded

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/runner"
	"nl2sql/sqlcheck"
)

// What the dialect writes, one construct a line. {s} stands for the text's collation.
func TestDialect(t *testing.T) {
	const script = "CREATE TABLE t (i INT PRIMARY KEY, u INT UNSIGNED, m DECIMAL(10,2), f DOUBLE, s VARCHAR(20), d DATE, ts DATETIME);" +
		"CREATE TABLE w (i INT, s VARCHAR(20) COLLATE utf8mb4_bin);"
	opened, err := OpenDump(t.Context(), "x", strings.NewReader(script), runner.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	db := opened.(*DB)
	for _, tt := range []struct{ in, want string }{
		{"SELECT i + 1 FROM t", "SELECT (t1.`i` + 1) AS c1 FROM `t` AS t1"},
		{"SELECT m * 2 AS x FROM t ORDER BY x", "SELECT round((t1.`m` * 2), 2) AS c1 FROM `t` AS t1 ORDER BY round((t1.`m` * 2), 2)"},
		{"SELECT i / 2 FROM t", "SELECT my_dec_round(my_dec_div(t1.`i`, 0, 2, 0, 9), 0, 4) AS c1 FROM `t` AS t1"},
		{"SELECT i DIV 2, i % 2, f / 2 FROM t", "SELECT (t1.`i` / 2) AS c1, (t1.`i` % 2) AS c2, (CAST(t1.`f` AS REAL) / 2) AS c3 FROM `t` AS t1"},
		{"SELECT u - i FROM t", "SELECT my_unsigned(t1.`u` - t1.`i`) AS c1 FROM `t` AS t1"},
		{"SELECT i FROM t WHERE s = 'a'", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (t1.`s` = 'a')"},
		{"SELECT i FROM t WHERE UPPER(s) = 'a'", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (my_upper(t1.`s`) COLLATE my_ai = 'a')"},
		{"SELECT t.i FROM t JOIN w ON t.s = w.s", "SELECT t1.`i` AS c1 FROM `t` AS t1 JOIN `w` AS t2 ON (t1.`s` COLLATE my_bin = t2.`s`)"},
		{"SELECT i FROM t WHERE s = 5", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (my_number(t1.`s`) = 5)"},
		{"SELECT i FROM t WHERE i = '5x'", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (t1.`i` = 5.0)"},
		{"SELECT i FROM t WHERE d > '2004/1/2'", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (t1.`d` > '2004-01-02')"},
		{"SELECT i FROM t WHERE ts > '2004-1-2'", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (t1.`ts` > '2004-01-02 00:00:00')"},
		{"SELECT i FROM t WHERE d = ts", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (my_datetime(t1.`d`, 0) = t1.`ts`)"},
		{"SELECT i FROM t WHERE NOT i <=> NULL", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (NOT (t1.`i` IS NULL))"},
		{"SELECT i FROM t WHERE s LIKE 'a%'", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (my_like(t1.`s`, 'a%', 92, 'my_ai', 0))"},
		{"SELECT i FROM t WHERE (i, s) IN ((1, 'a'))", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE ((((t1.`i` = 1) AND (t1.`s` = 'a'))))"},
		{"SELECT (SELECT s FROM w) FROM t", "SELECT ((SELECT my_only(COUNT(*), MIN(c1)) FROM (SELECT * FROM (SELECT t2.`s` AS c1 FROM `w` AS t2) LIMIT 2)) COLLATE my_bin) AS c1 FROM `t` AS t1"},
		{"SELECT i FROM t WHERE i > ALL (SELECT i FROM w)", "SELECT t1.`i` AS c1 FROM `t` AS t1 WHERE (SELECT CASE WHEN SUM(NOT (t1.`i` > t3.c1)) > 0 THEN 0 WHEN COUNT(*) > COUNT((t1.`i` > t3.c1)) THEN NULL ELSE 1 END FROM (SELECT t2.`i` AS c1 FROM `w` AS t2) AS t3)"},
		{"SELECT SUM(m), COUNT(DISTINCT s) FROM t", "SELECT my_round(SUM(t1.`m`), 2) AS c1, COUNT(DISTINCT t1.`s`) AS c2 FROM `t` AS t1"},
		{"SELECT i FROM t JOIN w USING (i)", "SELECT t1.`i` AS c1 FROM `t` AS t1 JOIN `w` AS t2 ON (t1.`i` = t2.`i`)"},
		{"SELECT i FROM t LIMIT 3, 4", "SELECT t1.`i` AS c1 FROM `t` AS t1 LIMIT 4 OFFSET 3"},
		{"SELECT CONCAT(i, s, m) FROM t", "SELECT (my_concat(CAST(t1.`i` AS TEXT), t1.`s`, my_decimal_text(t1.`m`, 2)) COLLATE my_ai) AS c1 FROM `t` AS t1"},
		{"SELECT d + INTERVAL 1 MONTH FROM t", "SELECT my_date_add(t1.`d`, 1, 'MONTH', 1, 7, 0) AS c1 FROM `t` AS t1"},
		{"SELECT 'it''s'", "SELECT ('it''s' COLLATE my_ai) AS c1"},
	} {
		q, v, err := sqlcheck.Check(tt.in, db.schema)
		if err != nil || !v.OK {
			t.Errorf("%s: %v, %v", tt.in, v, err)
			continue
		}
		got, err := translate(q.Stmt(), &dialect{tables: db.tables, database: "x"})
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		if diff := cmp.Diff(tt.want, got.sql); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.in, diff)
		}
		if _, err := db.Query(t.Context(), q); err != nil {
			t.Errorf("%s: %v", tt.in, err)
		}
	}
}

func TestCollations(t *testing.T) {
	for _, tt := range []struct {
		coll collation
		a, b string
		want int
	}{
		{collAI, "abc", "ABC", 0},
		{collAI, "résumé", "RESUME", 0},
		{collAI, "a", "a ", -1},
		{collAI, "straße", "STRASSE", 0},
		{collAI, "øre", "ore", 0},
		{collAI, "a-b", "ab", -1},
		{collAI, "_", "1", -1},
		{collAI, "9", "a", -1},
		{collAI, "", "a", -1},
		{collAI, "a\u0301", "a", 0},
		{collUnicode, "a", "a  ", 0},
		{collUnicode, "ø", "o", 1},
		{collGeneral, "ß", "s", 0},
		{collGeneral, "É", "e", 0},
		{collSwedish, "Norway  ", "norway", 0},
		{collSwedish, "å", "z", 1},
		{collSwedish, "ü", "y", 0},
		{collSwedish, "é", "e", 0},
		{collBin, "a", "a ", 0},
		{collBin, "a", "A", 1},
		{collBytes, "a", "a ", -1},
	} {
		got := tt.coll.compare(tt.a, tt.b)
		if sign(got) != tt.want || sign(tt.coll.compare(tt.b, tt.a)) != -tt.want {
			t.Errorf("%s: compare(%q, %q) = %d, want %d", tt.coll, tt.a, tt.b, got, tt.want)
		}
		if equal := tt.coll.key(tt.a) == tt.coll.key(tt.b); equal != (tt.want == 0) {
			t.Errorf("%s: keys of %q and %q equal: %t", tt.coll, tt.a, tt.b, equal)
		}
	}
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func TestDecimals(t *testing.T) {
	for _, tt := range []struct {
		in    float64
		scale int
		want  string
	}{
		{2.345, 2, "2.35"}, {-2.345, 2, "-2.35"}, {1.005, 2, "1.01"}, {0.5, 0, "1"}, {-0.4, 0, "0"}, {1e14, 0, "100000000000000"},
		{8853839.23, 2, "8853839.23"}, {0.1 + 0.2, 1, "0.3"}, {1234.5, -2, "1200"}, {99.995, 2, "100.00"}, {0, 3, "0.000"}, {1e-7, 9, "0.000000100"},
	} {
		got, ok := formatDecimal(roundTo(tt.in, tt.scale), max(tt.scale, 0))
		if string(got) != tt.want || !ok {
			t.Errorf("%v at %d places: %s %t, want %s", tt.in, tt.scale, got, ok, tt.want)
		}
	}
	if got, ok := formatDecimal(1234567890123.4567, 4); ok {
		t.Errorf("17 digits are printed as %s", got)
	}
	for f, want := range map[float64]string{0.1: "0.1", 1e15: "1e15", 123456789: "123456789", 1e-16: "1e-16", -2.5: "-2.5", 1e100: "1e100"} {
		if got := formatDouble(f, 64); got != want {
			t.Errorf("formatDouble(%v) = %s, want %s", f, got, want)
		}
	}
}

func TestMoments(t *testing.T) {
	for in, want := range map[string]string{
		"2004-01-02": "2004-01-02 00:00:00.000000", "2004-1-2": "2004-01-02 00:00:00.000000", "04/1/2": "2004-01-02 00:00:00.000000",
		"20040102": "2004-01-02 00:00:00.000000", "040102": "2004-01-02 00:00:00.000000", "20040102030405": "2004-01-02 03:04:05.000000",
		"2004-01-02 3:4:5.6": "2004-01-02 03:04:05.600000", "2004-01-02T03:04:05": "2004-01-02 03:04:05.000000", "0000-00-00": "0000-00-00 00:00:00.000000",
		"2004-02-29": "2004-02-29 00:00:00.000000", "2003-02-29": "", "2004-13-01": "", "yesterday": "", "": "", "2004-01": "", "2004-01-02 25:00:00": "",
	} {
		m, ok := parseMoment(in)
		got := ""
		if ok {
			got = m.format(typ{k: kDatetime, scale: 6})
		}
		if got != want {
			t.Errorf("parseMoment(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"10:20:30": "10:20:30", "-1:2:3": "-01:02:03", "1 2:3": "26:03:00", "102030": "10:20:30", "12:60:00": "", "x": "", "100:00:00": "100:00:00"} {
		m, ok := parseClock(in)
		got := ""
		if ok {
			got = m.clockText(0)
		}
		if got != want {
			t.Errorf("parseClock(%q) = %q, want %q", in, got, want)
		}
	}
}
