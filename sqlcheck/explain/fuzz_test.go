package explain_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

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
	if !ok {
		t.Fatalf("%s passed and is not bound", sql)
	}
	e := explain.Of(b)
	if e.Row == "" || len(e.Lines()) == 0 {
		t.Fatalf("%s has no explanation", sql)
	}
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
		if says(t, examples.Composed(random, s), s) {
			passed++
		}
	}
	if passed < 20 {
		t.Errorf("%d queries passed: too few to tell", passed)
	}
}
