package role

import (
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/internal/examples"
)

// What a role costs: a check alone, and what comes behind it before the query runs.
//
//	go test ./sqlcheck/role -run - -bench . -count 10
func BenchmarkRole(b *testing.B) {
	r := must.Get(Read("clerk", []byte(clerkRole), given()))(b)
	s := must.Get(r.On(examples.MustParse(b, "shop", shop), shopViews))(b)
	const sql = "SELECT c.name, COUNT(*) FROM client c JOIN bill b ON b.client = c.id WHERE b.day > '2024-01-01' GROUP BY c.id ORDER BY 2 DESC LIMIT 5"
	q, v, err := sqlcheck.Check(sql, s.Schema)
	must.Have(b, err == nil && v.OK, v, err)
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			if _, v, err := sqlcheck.Check(sql, s.Schema); err != nil || !v.OK {
				b.Fatal(v, err)
			}
		}
	})
	b.Run("rewrite", func(b *testing.B) {
		for b.Loop() {
			if _, v, err := s.Rewrite(q); err != nil || !v.OK {
				b.Fatal(v, err)
			}
		}
	})
}
