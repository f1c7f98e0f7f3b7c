package sqlcheck

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
)

// TestRecordedNumbers compares verdicts with recorded answers of MySQL 8.0.15: what ran is accepted, what failed is
// refused, and its error is among those that Inspect tells (a statement may have several).
func TestRecordedNumbers(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	for i := range s.Tables {
		s.Tables[i].Rows = 10 // the budget of joins is not what is tested
	}
	lines := statements(t, "mysql8.txt")
	for _, line := range lines {
		number, sql, _ := strings.Cut(line, "\t")
		want := must.Get(strconv.ParseUint(number, 10, 16))(t, line)
		if _, v, err := Check(sql, s); err != nil || v.OK != (want == 0) {
			t.Errorf("MySQL %d, check %v (%d) %v: %s", want, v, v.Code, err, sql)
			continue
		}
		told := func(f Finding) bool { return f.Type == "error" && uint64(f.Code) == want }
		if r := Inspect(sql, s); want != 0 && !slices.ContainsFunc(r.Issues, told) {
			t.Errorf("MySQL %d, told %+v: %s", want, r.Issues, sql)
		}
	}
	must.Equal(t, len(lines), 420, "statements")
}
