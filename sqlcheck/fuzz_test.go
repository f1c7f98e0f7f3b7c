package sqlcheck

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pingcap/tidb/pkg/parser/ast"

	"nl2sql/scripts/grammar"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/schema"
)

// FuzzCheck: what is accepted restores to a text that parses to one SELECT and is accepted again, unchanged.
func FuzzCheck(f *testing.F) {
	for _, file := range []string{"attacks.txt", "lookalikes.txt"} {
		for _, sql := range statements(f, file) {
			f.Add(sql)
		}
	}
	s := examples.MustParse(f, "shop", shopDDL)
	f.Fuzz(func(t *testing.T, sql string) {
		for _, schema := range []*schema.Schema{s, nil} {
			q, v, err := Check(sql, schema)
			must.Do(t, err, sql)
			if v.OK != (v.Reason == "") || v.OK != (q.SQL() != "") {
				t.Fatalf("%q: verdict %+v with query %q", sql, v, q.SQL())
			}
			if !v.OK {
				continue
			}
			switch q.Stmt().(type) {
			case *ast.SelectStmt, *ast.SetOprStmt:
			default:
				t.Fatalf("%q: accepted %T", sql, q.Stmt())
			}
			again, v, err := Check(q.SQL(), schema)
			if err != nil || !v.OK {
				t.Fatalf("%q\nrestored %q: %v, %v", sql, q.SQL(), v, err)
			}
			if again.SQL() != q.SQL() {
				t.Fatalf("%q\nrestored %q\nthen     %q", sql, q.SQL(), again.SQL())
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	s := examples.MustParse(b, "shop", shopDDL)
	const sql = `SELECT c.name, SUM(l.pieces * l.price) AS total FROM client c JOIN bill b ON b.client_id = c.id
JOIN bill_line l ON l.no = b.no WHERE b.state = 'sent' GROUP BY c.id HAVING total > 1000 ORDER BY total DESC LIMIT 10`
	b.ReportAllocs()
	for b.Loop() {
		if _, v, err := Check(sql, s); err != nil || !v.OK {
			b.Fatal(v, err)
		}
	}
}

// Whatever names stand where, Check has a verdict, and what it lets through reads back as itself.
func TestCheckComposed(t *testing.T) {
	s := examples.MustParse(t, "shop", shopDDL)
	random, passed := rand.New(rand.NewPCG(7, 7)), 0
	for range 5_000 {
		sql := grammar.Composed(random, s)
		q, v, err := Check(sql, s)
		must.Do(t, err, sql)
		must.Have(t, v.Check != "parse" || v.Reason != "syntax" || !strings.Contains(v.Hint, "near"),
			sql, "is no test", v)
		if !v.OK {
			continue
		}
		passed++
		if again, v, err := Check(q.SQL(), s); err != nil || !v.OK || again.SQL() != q.SQL() {
			t.Fatalf("%q\nrestored %q\nthen     %q: %v, %v", sql, q.SQL(), again.SQL(), v, err)
		}
	}
	must.Be(t, passed >= 20, passed, "queries passed: too few to tell")
}
