package embedded

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

// pausing is a script that waits before its end.
type pausing struct {
	io.Reader
	begun, on chan struct{}
}

// Read implements io.Reader.
func (p *pausing) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if err == io.EOF && p.begun != nil {
		close(p.begun)
		<-p.on
		p.begun = nil
	}
	return n, err
}

// Of two imports of one name at once the first one wins and the other is told, and nothing is left of it.
func TestImportsAtOnce(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("NL2SQL_CACHE", dir)
	const script = "CREATE TABLE t (a INT); INSERT INTO t VALUES (1);"
	slow := &pausing{strings.NewReader(strings.ReplaceAll(script, "(1)", "(2)")), make(chan struct{}),
		make(chan struct{})}
	begun, ended := slow.begun, make(chan error)
	go func() {
		_, err := Import(t.Context(), "x", slow, ImportOptions{})
		ended <- err
	}()
	<-begun
	if _, err := Import(t.Context(), "x", strings.NewReader(script), ImportOptions{}); err != nil {
		t.Error(err)
	}
	close(slow.on)
	must.Says(t, <-ended, "there is a database x already", "the slower one")
	db := must.Get(Open(t.Context(), "x", runner.Limits{}))(t)
	defer db.Close()
	if r, err := ask(t.Context(), db, "SELECT a FROM t"); err != nil || len(r.Rows) != 1 || r.Rows[0][0] != int64(1) {
		t.Errorf("%v, %v", r.Rows, err)
	}
	must.Equal(t, len(must.Get(os.ReadDir(filepath.Join(dir, "databases")))(t)), 1)
}

// What a killed import left is removed at the next one, and a database comes back that made place for one that never
// came.
func TestKilledImport(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("NL2SQL_CACHE", dir)
	const script = "CREATE TABLE t (a INT); INSERT INTO t VALUES (1);"
	must.Get(Import(t.Context(), "x", strings.NewReader(script), ImportOptions{}))(t)
	at := func(name string) string { return filepath.Join(dir, "databases", name) }
	must.Do(t, os.Rename(at("x"), at(".x.new-1.old")))
	must.Do(t, os.Mkdir(at(".x.new-1"), 0o700))
	must.Get(Import(t.Context(), "y", strings.NewReader(script), ImportOptions{}))(t)
	must.Equal(t, strings.Join(must.Get(List())(t), " "), "x y")
	must.Equal(t, len(must.Get(os.ReadDir(filepath.Join(dir, "databases")))(t)), 2)
}

// A dump that ends between two statements is told.
func TestCutDump(t *testing.T) {
	t.Setenv("NL2SQL_CACHE", t.TempDir())
	const head = "-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)\n--\n"
	const table = "CREATE TABLE t (a INT);\nINSERT INTO t VALUES (1);\n"
	for name, tt := range map[string]struct {
		script string
		told   bool
	}{
		"whole": {head + table + "\n-- Dump completed on 2026-11-25  3:00:00\n", false},
		"cut":   {head + table, true},
		"cut MariaDB": {"/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19-11.8.9-MariaDB\n" + table,
			true},
		"no comments": {table, false},
	} {
		report, err := Import(t.Context(), "x", strings.NewReader(tt.script), ImportOptions{Replace: true})
		must.Do(t, err, name)
		if told := strings.Contains(strings.Join(report.Left, "\n"), "Dump completed"); told != tt.told {
			t.Errorf("%s: %q", name, report.Left)
		}
	}
}

// A compressed file that grows beyond measure is refused.
func TestCompressedBomb(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for line := []byte(strings.Repeat("-- "+strings.Repeat("x", 1<<16)+"\n", 16)); packed.Len() < 2<<20; {
		must.Get(z.Write(line))(t)
	}
	must.Do(t, z.Close())
	in := must.Get(unpack(&packed))(t)
	n, err := io.Copy(io.Discard, in)
	must.Be(t, err != nil && strings.Contains(err.Error(), "unpack it first") && n <= 1100<<20, n>>20, "MiB", err)
}

// What no server would make is refused before it takes minutes.
func TestLargeDefinitions(t *testing.T) {
	t.Setenv("NL2SQL_CACHE", t.TempDir())
	for script, want := range map[string]string{
		"CREATE TABLE t (e ENUM('a'" + strings.Repeat(",'v'", 200_000) + "));":                        "has at most 524288 bytes",
		"CREATE TABLE t (a INT" + strings.Repeat(", c INT", 5000) + ");":                              "table t has 5001 columns",
		"CREATE TABLE t (a INT); ALTER TABLE t ADD b INT" + strings.Repeat(", ADD c INT", 5000) + ";": "table t has 5002 columns",
		"CREATE TABLE t (a INT); UPDATE t SET a = 1" + strings.Repeat("+1", 300_000) + ";":            "has at most 524288 bytes",
	} {
		_, err := Import(t.Context(), "x", strings.NewReader(script), ImportOptions{})
		must.Says(t, err, want)
	}
}
