package embedded

import (
	"os"
	"strings"
	"testing"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

// A database opened in a file system answers as it does in the cache, and without it.
func TestOpenFS(t *testing.T) {
	t.Setenv("NL2SQL_CACHE", t.TempDir())
	dump := "CREATE TABLE goods (id INT PRIMARY KEY, name VARCHAR(20), price DECIMAL(6,2));\n" +
		"INSERT INTO goods VALUES (1,'tea',2.50),(2,'coffee',4.00);\nCREATE VIEW dear AS SELECT name FROM goods WHERE price > 3;\n"
	must.Get(Import(t.Context(), "shop", strings.NewReader(dump), ImportOptions{}))(t)
	files := must.Get(Files("shop"))(t)
	copied := map[string]string{}
	for name, path := range files {
		copied[name] = string(must.Get(os.ReadFile(path))(t))
	}
	rows := func(db *DB, err error) runner.Result {
		t.Helper()
		must.Do(t, err)
		defer db.Close()
		res := must.Get(ask(t.Context(), db, "SELECT g.name, price FROM goods AS g JOIN dear AS d ON d.name = g.name"))(t)
		res.Took = 0
		return res
	}
	want := rows(Open(t.Context(), "shop", runner.Limits{}))
	dir := t.TempDir()
	for name, text := range copied {
		must.Do(t, os.WriteFile(dir+"/"+name, []byte(text), 0o600))
	}
	must.Do(t, Remove("shop"))
	must.Same(t, rows(OpenFS(t.Context(), os.DirFS(dir), "shop", runner.Limits{})), want)
	for damaged, text := range map[string]string{schemaFile: "{", imageFile: "hi"} {
		kept := copied[damaged]
		must.Do(t, os.WriteFile(dir+"/"+damaged, []byte(text), 0o600))
		_, err := OpenFS(t.Context(), os.DirFS(dir), "shop", runner.Limits{})
		must.Says(t, err, "database shop is damaged: import it again, with nl2sql db import --replace")
		must.Do(t, os.WriteFile(dir+"/"+damaged, []byte(kept), 0o600))
	}
	_, err := OpenFS(t.Context(), os.DirFS(t.TempDir()), "shop", runner.Limits{})
	must.Says(t, err, "database shop is damaged")
	if _, err := Files("shop"); err == nil {
		t.Error("a database that was removed has files")
	}
}
