package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/syntax"
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

func TestWrittenAsGolds(t *testing.T) {
	for in, want := range map[string]string{
		"SELECT a,b FROM t JOIN u ON t.i = u.i JOIN v ON u.j = v.j": "SELECT a, b FROM t JOIN u ON t.i = u.i " +
			"JOIN v ON u.j = v.j",
		"SELECT x FROM (SELECT x FROM t) AS d WHERE x != ',(b'": "SELECT x FROM (SELECT x FROM t) AS d WHERE x <> ',(b'",
		"SELECT x FROM a, b, c, d":                              "SELECT x FROM a JOIN b JOIN c JOIN d",
		"SELECT x FROM t ORDER BY x LIMIT 1 OFFSET 1":           "SELECT x FROM t ORDER BY x LIMIT 1 OFFSET 1",
	} {
		stmt, _ := syntax.OneSelect(in)
		must.Equal(t, must.Get(written(stmt))(t), want, in)
	}
}
