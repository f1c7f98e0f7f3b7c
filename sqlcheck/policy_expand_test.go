package sqlcheck

import (
	"fmt"
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/schema"
)

// ladder is a statement whose level i reads level i-1 as often as step does; %[1]d is the level, %[2]d the one below.
func ladder(levels int, first, step, last string) string {
	with := "WITH a0 AS (" + first + ")"
	for i := 1; i <= levels; i++ {
		with += fmt.Sprintf(", a%[1]d AS ("+step+")", i, i-1)
	}
	return with + fmt.Sprintf(" "+last, levels)
}

// Each use of a common table expression or view counts all that is in it.
func TestExpansion(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	view := func(reads int) *schema.Schema {
		s := examples.MustParse(t, "shop", shopDDL)
		s.Tables[0].Reads = reads
		return s
	}
	for name, step := range map[string]string{
		"join":     "SELECT p.x FROM a%[2]d p JOIN a%[2]d q ON p.x = q.x",
		"union":    "SELECT x FROM a%[2]d UNION ALL SELECT x FROM a%[2]d",
		"value":    "SELECT (SELECT MAX(x) FROM a%[2]d) + (SELECT MIN(x) FROM a%[2]d) AS x",
		"exists":   "SELECT 1 AS x FROM a%[2]d WHERE EXISTS (SELECT 1 FROM a%[2]d)",
		"in":       "SELECT x FROM a%[2]d WHERE x IN (SELECT x FROM a%[2]d)",
		"derived":  "SELECT p.x FROM (SELECT x FROM a%[2]d) p, LATERAL (SELECT x FROM a%[2]d) q",
		"own with": "WITH b AS (SELECT x FROM a%[2]d) SELECT b.x FROM b, b AS c",
		"order":    "SELECT x FROM a%[2]d ORDER BY (SELECT MAX(x) FROM a%[2]d)",
		"limit":    "SELECT p.x FROM a%[2]d p, a%[2]d q LIMIT 1",
	} {
		for levels, ok := range map[int]bool{3: true, 12: false, 25: false} {
			for _, last := range []string{"SELECT COUNT(*) FROM a%d",
				"SELECT 1 FROM a0 WHERE EXISTS (SELECT 1 FROM a%d)", "SELECT 1"} {
				sql := strings.SplitN(ladder(levels, "SELECT 1 AS x UNION ALL SELECT 1", step, last), "%!(EXTRA", 2)[0]
				for _, schema := range []*schema.Schema{s, nil} {
					if _, v, err := Check(sql, schema); err != nil || v.OK != ok {
						t.Errorf("%s, %d levels: %v, %v\n%s", name, levels, v, err, sql)
					}
				}
			}
		}
	}
	chain := ladder(20, "SELECT id AS x FROM client", "SELECT a%[2]d.x FROM a%[2]d JOIN client ON client.id = a%[2]d.x",
		"SELECT COUNT(*) FROM a%d")
	if _, v, err := Check(chain, s); err != nil || !v.OK {
		t.Errorf("a chain in which each level is read once: %v, %v", v, err)
	}
	const twenty = "SELECT COUNT(*) FROM bill a, bill b, bill c, bill d WHERE a.no = b.no AND b.no = c.no AND c.no = d.no"
	for reads, ok := range map[int]bool{0: true, 50: true, 100: false} {
		if _, v, err := Check(twenty, view(reads)); err != nil || v.OK != ok {
			t.Errorf("four uses of a view of %d tables: %v, %v", reads, v, err)
		}
	}
	if v := firstVerdict(t, ladder(9, "SELECT 1 AS x", "SELECT x"+strings.Repeat("+1", 900)+
		" AS x FROM a%[2]d UNION SELECT x FROM a%[2]d", "SELECT x FROM a%d")); v.OK {
		t.Error("long expressions, multiplied: accepted")
	}
}

func firstVerdict(t *testing.T, sql string) Verdict {
	t.Helper()
	_, v, err := Check(sql, nil)
	must.Do(t, err)
	return v
}
