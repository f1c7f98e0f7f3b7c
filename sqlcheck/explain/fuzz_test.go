package explain_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"nl2sql/scripts/grammar"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/explain"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/schema"
)

// says wants an explanation of each query that passes the check, and a sentence that ends.
func says(t *testing.T, sql string, s *schema.Schema) (passed bool) {
	t.Helper()
	if _, v, err := sqlcheck.Check(sql, s); err != nil || !v.OK {
		return false
	}
	b, ok := explain.Bind(sql, s)
	must.Have(t, ok, sql, "passed and is not bound")
	e := explain.Of(b)
	must.Have(t, e.Row != "" && len(e.Lines()) != 0, sql, "has no explanation")
	return true
}

// FuzzOf: whatever passes the check is explained.
func FuzzOf(f *testing.F) {
	text := must.Get(os.ReadFile("testdata/explained.txt"))(f)
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "#") {
			f.Add(strings.TrimSpace(line))
		}
	}
	s := demo(f)
	f.Fuzz(func(t *testing.T, sql string) { says(t, sql, s) })
}

// Whatever names stand where, what passes the check is explained.
func TestComposed(t *testing.T) {
	s, passed := examples.Clinic(t), 0
	random := rand.New(rand.NewPCG(7, 7))
	for range 5_000 {
		if says(t, grammar.Composed(random, s), s) {
			passed++
		}
	}
	must.Be(t, passed >= 20, passed, "queries passed: too few to tell")
}

// However deep calls and operators stand within each other, each is said once: what is said twice at each level would
// not end.
func TestDeep(t *testing.T) {
	s := demo(t)
	forms := []string{
		"(# + 1)", "(1 - #)", "-#", "NOT #", "(# AND 1)", "(# = 1)", "(1 < #)", "# IS NULL", "(# IN (1, 2))", "(1 IN (#, 2))",
		"(# BETWEEN 1 AND 2)", "(1 BETWEEN # AND 2)", "(# LIKE 'x')", "CAST(# AS CHAR)", "(# COLLATE utf8mb4_bin)",
		"CASE WHEN # THEN 1 ELSE 2 END", "CASE WHEN 1 THEN # ELSE 2 END", "CASE # WHEN 1 THEN 2 END", "CASE WHEN 1 THEN 2 ELSE # END",
		"DATE_ADD(#, INTERVAL 1 DAY)", "DATE_ADD('2004-01-01', INTERVAL # DAY)", "TIMESTAMPADD(DAY, #, '2004-01-01')",
		"EXTRACT(YEAR FROM #)", "TRIM(LEADING '0' FROM #)", "TRIM(LEADING # FROM 'x')", "(SELECT #)", "EXISTS (SELECT 1 WHERE #)",
		"(# IS TRUE)", "(# REGEXP 'x')", "(# DIV 2)", "(# XOR 1)", "(# <=> 1)", "(# | 1)",
	}
	for _, name := range explain.Functions() {
		for _, args := range []string{"#", "#, 1", "1, #", "#, 1, 1", "1, #, 1", "1, 1, #"} {
			forms = append(forms, name+"("+args+")")
		}
	}
	passed := 0
	for _, form := range forms {
		for _, clause := range []string{"SELECT # FROM orders", "SELECT 1 FROM orders WHERE #", "SELECT 1 FROM orders ORDER BY #"} {
			deep := "orderNumber"
			for range 30 {
				deep = strings.Replace(form, "#", deep, 1)
			}
			if says(t, strings.Replace(clause, "#", deep, 1), s) {
				passed++
			}
		}
	}
	must.Be(t, passed >= 300, passed, "queries passed: too few to tell")
	t.Logf("%d queries passed", passed)
}
