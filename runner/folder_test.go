package runner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

func TestFolderScript(t *testing.T) {
	const ddl = "CREATE TABLE `d`.`t` (a INT NOT NULL, b VARCHAR(20), PRIMARY KEY (a));"
	for _, tt := range []struct {
		name, ddl, csv, want, err string
	}{
		{"rows", ddl, "a,b\n1,x\n2,\n3,NULL\n4,\"it's \\ \"\"q\"\"\nnext\"\n",
			"INSERT INTO `t` (`a`,`b`) VALUES ('1','x');\nINSERT INTO `t` (`a`,`b`) VALUES ('2',NULL);\n" +
				"INSERT INTO `t` (`a`,`b`) VALUES ('3',NULL);\n" +
				"INSERT INTO `t` (`a`,`b`) VALUES ('4','it\\'s \\\\ \"q\"\nnext');\n", ""},
		{"no rows", ddl, "a,b\n", "", ""},
		{"empty file", ddl, "", "", ""},
		{"unknown column", ddl, "a,c\n1,2\n", "",
			"database d: table t: the CSV file has a column c, which the table lacks"},
		{"short row", ddl, "a,b\n1\n", "", "database d: table t: record on line 2: wrong number of fields"},
		{"broken schema", "CREATE TABLE t (", "", "", "database d: "},
		{"no schema", "-", "", "", "database d: open "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "d")
			must.Do(t, os.MkdirAll(filepath.Join(dir, "data"), 0o700))
			if tt.ddl != "-" {
				must.Do(t, os.WriteFile(filepath.Join(dir, "schema.sql"), []byte(tt.ddl), 0o600))
			}
			must.Do(t, os.WriteFile(filepath.Join(dir, "data", "t.csv"), []byte(tt.csv), 0o600))
			got, err := runner.FolderScript(dir)
			if tt.err != "" {
				if err == nil || !strings.HasPrefix(err.Error(), tt.err) || strings.Contains(err.Error(), "\n") {
					t.Error(err)
				}
				return
			}
			must.Do(t, err)
			_, rows, _ := strings.Cut(got, ";\n")
			must.Same(t, rows, tt.want)
			must.Be(t, !strings.Contains(got, "`d`."), "the database's name is left in", got)
		})
	}
}

// A database may be one packed script, which is taken as it is.
func TestFolderScriptPacked(t *testing.T) {
	const script = "CREATE TABLE t (a TEXT);\nINSERT INTO t VALUES ('`d`.x');\n"
	w := must.Get(zstd.NewWriter(nil))(t)
	dir := filepath.Join(t.TempDir(), "d")
	packed := w.EncodeAll([]byte(script), nil)
	for _, tt := range []struct {
		name, want, err string
		file            []byte
	}{
		{"whole", script, "", packed},
		{"cut off", "", "database d: read ", packed[:len(packed)-3]},
	} {
		t.Run(tt.name, func(t *testing.T) {
			must.Do(t, os.WriteFile(dir+".sql.zst", tt.file, 0o600))
			got, err := runner.FolderScript(dir)
			must.Same(t, got, tt.want)
			must.Be(t, (err != nil) == (tt.err != "") && (err == nil || strings.HasPrefix(err.Error(), tt.err)), err)
		})
	}
}
