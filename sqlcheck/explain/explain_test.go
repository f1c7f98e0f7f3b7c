package explain_test

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/assets"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/explain"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/schema"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// demo is the schema of the demo database.
func demo(tb testing.TB) *schema.Schema {
	tb.Helper()
	ddl := must.Get(assets.DemoSQL())(tb)
	return examples.MustParse(tb, assets.DemoName, string(ddl))
}

// explained checks a query and explains it.
func explained(tb testing.TB, sql string, s *schema.Schema) explain.Explanation {
	tb.Helper()
	if _, v, err := sqlcheck.Check(sql, s); err != nil || !v.OK {
		tb.Fatalf("%s: %s %v", sql, v, err)
	}
	b, ok := explain.Bind(sql, s)
	if !ok {
		tb.Fatalf("%s is not bound", sql)
	}
	return explain.Of(b)
}

// TestGolden shows explanations over all clauses: each statement of the golden file, with its explanation below it.
func TestGolden(t *testing.T) {
	const file = "testdata/explained.txt"
	text := must.Get(os.ReadFile(file))(t)
	s := demo(t)
	var out strings.Builder
	for _, part := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		sql, _, _ := strings.Cut(part, "\n")
		out.WriteString(sql + "\n")
		if !strings.HasPrefix(sql, "#") {
			for _, line := range explained(t, sql, s).Lines() {
				out.WriteString("\t" + line + "\n")
			}
		}
		out.WriteString("\n")
	}
	got := strings.TrimSpace(out.String()) + "\n"
	if *update {
		must.Do(t, os.WriteFile(file, []byte(got), 0o644))
	}
	if diff := cmp.Diff(string(text), got); diff != "" && !*update {
		t.Errorf("run with -update and read what changed:\n%s", diff)
	}
}

// shown begin the names of functions that are shown as their SQL.
var shown = regexp.MustCompile(`^(json|regexp|st|inet6?|is|bit)_|uuid|^(point|charset|collation|coercibility)$|` +
	`^(ntile|lag|lead|first_value|last_value|nth_value|cume_dist|percent_rank)$`)

// Every function that Check lets queries call has words, or is shown as its SQL, and no other has.
func TestFunctions(t *testing.T) {
	may := slices.DeleteFunc(sqlcheck.Functions(), func(name string) bool {
		return shown.MatchString(name) && name != "bit_count" && name != "bit_length"
	})
	must.Same(t, explain.Functions(), may, "may be called +has words")
}
