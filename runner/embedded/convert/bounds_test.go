package convert

import (
	"database/sql"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"nl2sql/scripts/must"
)

// failure is why a path cannot be written as a script.
func failure(t *testing.T, path string) string {
	t.Helper()
	s, ok, err := Open(path, plain)
	if err != nil {
		return err.Error()
	}
	if !ok {
		return "no source"
	}
	in := s.Script(t.Context())
	defer in.Close()
	if _, err := io.Copy(io.Discard, in); err != nil {
		return err.Error()
	}
	return ""
}

// A file that would be held in memory whole is refused before it is.
func TestLongRows(t *testing.T) {
	dir := t.TempDir()
	long := filepath.Join(dir, "long.csv")
	must.Do(t, os.WriteFile(long, []byte("a,b\n1,x\n2,"+strings.Repeat("x", maxRow+1)), 0o600))
	if got := failure(t, long); !strings.HasPrefix(got, "line 3: a row has more than 64 MiB") {
		t.Errorf("CSV: %.200s", got)
	}
	for name, script := range map[string]string{
		"value":     "CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB); INSERT INTO t VALUES (1, zeroblob(70000000))",
		"generated": "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT AS (hex(zeroblob(a)))); INSERT INTO t VALUES (40000000)",
		"row":       "CREATE TABLE t (a INTEGER PRIMARY KEY, b, c); INSERT INTO t VALUES (1, zeroblob(40000000), zeroblob(40000000))",
	} {
		path := filepath.Join(dir, name+".db")
		db := must.Get(sql.Open("sqlite", path))(t)
		must.Get(db.Exec(script))(t)
		must.Do(t, db.Close())
		must.Has(t, failure(t, path), "table t: a row has more than 64 MiB", name)
	}
}

// Long rows come in statements of their own.
func TestStatementsAreShort(t *testing.T) {
	text := must.Get(script(t, "t.csv", "a,b\n"+strings.Repeat("1,"+strings.Repeat("x", 300_000)+"\n", 20)))(t)
	for stmt := range strings.SplitSeq(text, ";\n") {
		must.Be(t, len(stmt) <= 2<<20, "a statement of", len(stmt), "bytes")
	}
	must.Equal(t, strings.Count(text, "xx'"), 20, "rows")
}

// A folder's files are those in it, and regular ones.
func TestFolderLinks(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.csv")
	must.Do(t, os.WriteFile(outside, []byte("user,password\nann,x\n"), 0o600))
	folder := func(make func(path string) error) string {
		dir := t.TempDir()
		must.Do(t, os.WriteFile(filepath.Join(dir, "kept"), []byte("name,town\nann,Ulm\n"), 0o600))
		must.Do(t, make(filepath.Join(dir, "people.csv")))
		return dir
	}
	if got := failure(t, folder(func(path string) error { return os.Symlink(outside, path) })); !strings.Contains(got,
		"is a link that leads nowhere or out of the folder") {
		t.Errorf("a link out of the folder: %q", got)
	}
	if got := failure(t, folder(func(path string) error { return os.Symlink("kept", path) })); got != "" {
		t.Errorf("a link inside it: %q", got)
	}
	must.Has(t, failure(t, folder(func(path string) error { return syscall.Mkfifo(path, 0o600) })), "no regular file",
		"a pipe")
}
