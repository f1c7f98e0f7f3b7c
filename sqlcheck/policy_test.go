package sqlcheck

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/schema"
)

// statements reads a file of testdata: one statement a line.
func statements(tb testing.TB, file string) []string {
	tb.Helper()
	data := must.Get(os.ReadFile("testdata/" + file))(tb)
	var out []string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && !strings.HasPrefix(line, "# ") {
			out = append(out, strings.NewReplacer("⏎", "\n", "␀", "\x00").Replace(line))
		}
	}
	return out
}

func TestAttacksAreRefused(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	attacks := statements(t, "attacks.txt")
	for _, sql := range attacks {
		for _, schema := range []*schema.Schema{s, nil} {
			if schema == nil && strings.Contains(sql, "bill") {
				continue // the budget of joins needs a schema
			}
			_, v, err := Check(sql, schema)
			if err != nil {
				t.Errorf("%s: %v", sql, err)
			} else if v.OK {
				t.Errorf("accepted with schema %v: %s", schema != nil, sql)
			}
		}
	}
	must.Be(t, len(attacks) >= 200, len(attacks), "attacks, want at least 200")
}

func TestLookalikesPass(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	harmless := statements(t, "lookalikes.txt")
	for _, sql := range harmless {
		q, v, err := Check(sql, s)
		if err != nil || !v.OK {
			t.Errorf("%s: %s (%d) %s %v", sql, v, v.Code, v.Hint, err)
			continue
		}
		again, v, err := Check(q.SQL(), s)
		if err != nil || !v.OK || again.SQL() != q.SQL() {
			t.Errorf("%s\nrestored %s\nagain    %s: %s %v", sql, q.SQL(), again.SQL(), v, err)
		}
	}
	must.Be(t, len(harmless) >= 100, len(harmless), "look-alikes, want at least 100")
}

func TestCaps(t *testing.T) {
	for why, sql := range map[string]string{
		"too_long": "SELECT '" + strings.Repeat("a", maxLength) + "'",
		"too_deep": "SELECT " + strings.Repeat("(", maxNested+1) + "1" + strings.Repeat(")", maxNested+1),
		"not_utf8": "SELECT '\xff'",
		"nul_byte": "SELECT 1\x00",
	} {
		if _, v, err := Check(sql, nil); err != nil || string(v.Reason) != why || v.Hint == "" {
			t.Errorf("%s: %v, %v", why, v, err)
		}
	}
	if _, v, err := Check("SELECT '\ufffd'", nil); err != nil || v.Reason != "not_utf8" {
		t.Errorf("what a reader took for no letter: %v, %v", v, err)
	}
	for _, sql := range []string{
		"SELECT " + strings.Repeat("NOT ", 8000) + "1",
		"SELECT " + strings.Repeat("- ", 20000) + "1",
		"SELECT 1" + strings.Repeat("+1", 20000),
	} {
		if _, v, err := Check(sql, nil); err != nil || v.Reason != "too_deep" {
			t.Errorf("%.20s…: %v, %v", sql, v, err)
		}
	}
}

func TestBudgetUsesRows(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	const sql = "SELECT COUNT(*) FROM bill_line a, bill_line b"
	if _, v, _ := Check(sql, s); !v.OK {
		t.Errorf("unknown sizes: %v", v)
	}
	line, _ := s.Table("bill_line")
	line.Rows = 50_000
	if _, v, _ := Check(sql, s); v.Reason != "cartesian_product" {
		t.Errorf("2.5e9 rows: %v", v)
	}
	line.Rows = 500_000_000
	for _, sql := range []string{
		sql + " WHERE a.no = b.no",
		"SELECT COUNT(*) FROM bill_line",
		"SELECT COUNT(*) FROM bill_line l JOIN (SELECT AVG(price) p FROM bill_line) x WHERE l.price > x.p",
	} {
		if _, v, _ := Check(sql, s); !v.OK {
			t.Errorf("%s: %v", sql, v)
		}
	}
}

func TestCopies(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	for levels, want := range map[int]Reason{3: "", 12: "huge_result", 40: "huge_result"} {
		text, sum, with := "SELECT name AS x FROM client", "SELECT id AS x FROM client",
			"WITH c0 AS (SELECT name AS x FROM client)"
		for i := range levels {
			n := strconv.Itoa(i)
			text = "SELECT CONCAT(x, x, x, x, x) AS x FROM (" + text + ") t" + n
			sum = "SELECT x + x + x + x AS x FROM (SELECT * FROM (" + sum + " UNION SELECT 1) u" + n + ") t" + n
			with += ", c" + strconv.Itoa(i+1) + " AS (SELECT CASE WHEN x = 'a' THEN x ELSE UPPER(x) END AS x FROM c" +
				n + ")"
		}
		with += " SELECT x FROM c" + strconv.Itoa(levels)
		for _, sql := range []string{text, sum, with} {
			if _, v, err := Check(sql, s); err != nil || v.Reason != want && v.Reason != "too_deep" {
				t.Errorf("%d levels: %v, %v; want %q: %.90s", levels, v, err, want, sql)
			}
		}
	}
}

// TestHostileSizes: within the caps on length and depth nothing makes the check itself slow.
func TestHostileSizes(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	deep := "SELECT id, name FROM client"
	for range maxNested - 2 {
		deep = "SELECT id, name FROM (" + deep + " GROUP BY id, name) x"
	}
	joins := make([]string, maxTables)
	for i := range joins {
		joins[i] = "bill_line t" + strconv.Itoa(i)
	}
	from := " FROM " + strings.Join(joins, " NATURAL JOIN ")
	for name, sql := range map[string]string{
		"tables": "SELECT 1 FROM client" + strings.Repeat(",client", 8000),
		"stars":  "SELECT c.*" + strings.Repeat(",c.*", 14000) + " FROM client c",
		"star order": "SELECT *" + strings.Repeat(",c.*", 250) + " FROM client c ORDER BY name" +
			strings.Repeat(",name", 60),
		"order":      "SELECT name FROM client ORDER BY name" + strings.Repeat(",name", 12000),
		"unknown":    "SELECT x" + strings.Repeat(",x", 1000) + " FROM client WHERE foo" + strings.Repeat("+foo", 900),
		"deep":       deep,
		"deep group": deep + " GROUP BY id",
		"natural":    "SELECT *" + from,
		"facts": "SELECT t0.no, COUNT(*)" + from + " WHERE t1.no = t2.no" +
			strings.Repeat(" AND t1.pieces = t2.pieces", 900) + " GROUP BY t60.no",
		"in list": "SELECT name FROM client WHERE id IN (1" + strings.Repeat(",1", 32000) + ")",
		"unions":  "SELECT 1" + strings.Repeat(" UNION SELECT 1", 900),
		"windows": "SELECT 1" + strings.Repeat(", RANK() OVER (ORDER BY id)", 1000) + " FROM client",
	} {
		start := time.Now()
		if _, _, err := Check(sql, s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		Inspect(sql, s)
		if took := time.Since(start); took > 5*time.Second { // milliseconds on a quiet machine
			t.Errorf("%s took %v", name, took)
		} else if testing.Verbose() {
			t.Logf("%s took %v", name, took)
		}
	}
}
