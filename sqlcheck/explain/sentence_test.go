package explain_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/explain"
)

// TestSentences shows the sentence of each of our own gold queries, on what it finds in the demo database.
func TestSentences(t *testing.T) {
	const file = "testdata/sentences.txt"
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{}))(t)
	defer db.Close()
	s := must.Get(db.Schema(t.Context()))(t)
	var out strings.Builder
	for _, g := range ourGolds(t) {
		q, v, err := sqlcheck.Check(g.sql, s)
		must.Have(t, err == nil && v.OK, g.sql, v, err)
		res, err := db.Query(t.Context(), q)
		must.Do(t, err, g.sql)
		b, ok := explain.Bind(g.sql, s)
		must.Have(t, ok, g.sql)
		f := explain.Found{Rows: len(res.Rows), Truncated: res.Truncated}
		if f.Rows > 0 {
			f.First = res.Rows[0]
		}
		fmt.Fprintf(&out, "%s\n\t%s\n", explain.Sentence(b, f), g.sql)
	}
	want, err := os.ReadFile(file)
	must.Have(t, err == nil || os.IsNotExist(err), err)
	if *update {
		must.Do(t, os.WriteFile(file, []byte(out.String()), 0o644))
		return
	}
	must.Same(t, out.String(), string(want), "run with -update and read what changed")
}
