package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

// Follow-ups of questions about a database of ours: the same seed gives the same bytes, each has the turn before, and
// all kinds of changes that this database offers are among them, each with wordings enough.
func TestFollowups(t *testing.T) {
	dir := t.TempDir()
	make := func(name string, more ...string) []item.Item {
		out := filepath.Join(dir, name)
		must.Do(t, makeFollowups(t.Context(), append([]string{"-fit", "written/two.jsonl",
			"-only", "vet", "-databases", "written/databases", "-out", out, "-each", "300"}, more...)))
		return must.Get(item.Load(out))(t)
	}
	items := make("a.jsonl")
	make("b.jsonl")
	read := func(name string) string { return string(must.Get(os.ReadFile(filepath.Join(dir, name)))(t)) }
	must.Equal(t, read("a.jsonl"), read("b.jsonl"), "two runs differ")
	seen := map[string]int{}
	for _, it := range items {
		seen[it.Family]++
		if it.Behind.SQL == "" || it.Behind.Question == "" || it.Behind.SQL == it.SQL ||
			strings.Contains(it.Question, "{") {
			t.Errorf("%s: %+v", it.ID, it)
		}
	}
	for _, kind := range strings.Fields("value more group detail count not add parent whole back") {
		must.Be(t, seen[kind] != 0, "no", kind, "among", seen)
	}
	for kind, wordings := range readWordings(followupText) {
		must.Be(t, len(wordings) >= 8, kind, "has", len(wordings), "wordings")
	}
}

// A query that is split and put together is what it was; what is no plain SELECT about tables is not split.
func TestSplit(t *testing.T) {
	db := must.Get(schema.ParseDDL("d", "CREATE TABLE t (a INT, b DATE, c VARCHAR(9)); CREATE TABLE u (a INT)"))(t)
	for _, sql := range []string{
		"SELECT a, YEAR(b) FROM t WHERE c = 'x FROM y, z' AND (a > 1 OR a < 0) ORDER BY a DESC LIMIT 1",
		"SELECT DISTINCT T1.a FROM t AS T1 JOIN u AS T2 ON T1.a = T2.a WHERE T1.a BETWEEN 1 AND 2",
		"SELECT c, COUNT(*) FROM t WHERE a IN (SELECT a FROM u WHERE a > 1) GROUP BY c HAVING COUNT(*) > 1",
	} {
		q, ok := split(sql, db)
		must.Be(t, ok, sql)
		must.Equal(t, q.String(), sql)
	}
	for _, sql := range []string{"SELECT 1", "SELECT a FROM (SELECT a FROM t) d", "SELECT a FROM t UNION SELECT a FROM u",
		"SELECT nothing FROM t"} {
		_, ok := split(sql, db)
		must.Be(t, !ok, sql)
	}
}
