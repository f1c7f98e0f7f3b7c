package embedded

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

// What comes of the forms that dumps have, by version: the files of MySQL 5.7 and 8.4 are written by hand in their
// documented form.
func TestDumpsOfVersions(t *testing.T) {
	for _, tt := range []struct {
		file   string
		left   []string
		near   []string
		tables string // with their columns
		asked  map[string]string
	}{
		{
			"mysql57.sql", nil, []string{"latin1_german1_ci as utf8mb4_unicode_ci"},
			"a_open_jobs(label text, cost decimal(8,2)) job(id int(10) unsigned zerofill, name varchar(40), done bit(1), cost decimal(8,2), with_tax decimal(10,2), made year, started timestamp) z_job(name varchar(40), cost decimal(8,2), done bigint)",
			map[string]string{
				"SELECT label, cost FROM a_open_jobs":                      "[Böcke! 10.00]",
				"SELECT id, done + 0, with_tax FROM job ORDER BY id":       "[1 0 11.90] [2 1 <nil>]",
				"SELECT name FROM job WHERE done = b'1'":                   `[saw; it's "old"]`,
				"SELECT name FROM z_job z WHERE done ORDER BY z.name":      `[saw; it's "old"]`,
				"SELECT j.id FROM job j JOIN z_job z USING (name) LIMIT 1": "[1]",
			},
		},
		{
			"mysql84.sql",
			[]string{"generated column job.dice: the embedded database cannot run the function ST_X; use --db local or a server",
				"view me: forbidden_function:user", "view itself: it reads itself"},
			[]string{"utf8mb4_0900_as_cs as utf8mb4_bin"},
			"job(id bigint unsigned, name varchar(40), hidden int, tag char(36), more json, state enum('open','done'), flags set('x','y','z'), serial bigint unsigned, mask bit(4), place longtext, upper_name varchar(40)) state_count(state enum('open','done'), n bigint)",
			map[string]string{
				"SELECT * FROM state_count ORDER BY state":                 "[open 1] [done 1]",
				"SELECT id FROM job ORDER BY flags":                        "[2] [1]",
				"SELECT serial, mask + 0, upper_name FROM job ORDER BY id": "[18446744073709551615 10 SAW] [3 1 SAW]",
				"SELECT MAX(serial) FROM job WHERE name = 'saw'":           "[3]",
				"SELECT place FROM job WHERE id = 1":                       "[POINT(1 2)]",
			},
		},
		{
			"mariadb11.sql", nil, []string{"utf8mb4_uca1400_swedish_ai_ci as utf8mb4_unicode_520_ci"},
			"job(id bigint unsigned, key char(36), ip varchar(39), name varchar(40), plain varchar(40), doc longtext, made datetime(3), twice decimal(12,1), since timestamp(6), until timestamp(6)) names(name varchar(40), size bigint, text text)",
			map[string]string{
				"SELECT * FROM names ORDER BY text":            "[Åsa 10 1] [<nil> <nil> 2]",
				"SELECT id, twice, plain FROM job ORDER BY id": "[1 2.1 x] [2 4.1 a (b), 'c']",
			},
		},
	} {
		t.Run(tt.file, func(t *testing.T) {
			t.Setenv("NL2SQL_CACHE", t.TempDir())
			report, err := ImportFile(t.Context(), "dump", filepath.Join("testdata", "dumps", tt.file), ImportOptions{})
			must.Do(t, err)
			must.Same(t, [][]string{report.Left, report.Near}, [][]string{tt.left, tt.near}, "left out, near")
			db := must.Get(Open(t.Context(), "dump", runner.Limits{}))(t)
			defer db.Close()
			must.Same(t, tablesText(db), tt.tables, "tables")
			clone := must.Get(db.Clone(t.Context(), nil))(t)
			defer clone.Close()
			for sql, want := range tt.asked {
				for _, db := range []*DB{db, clone} {
					res, err := ask(t.Context(), db, sql)
					if err != nil {
						t.Errorf("%s: %v", sql, err)
						continue
					}
					must.Same(t, rowsText(res), want, sql)
				}
			}
		})
	}
}

func tablesText(db *DB) string {
	var out []string
	for _, table := range db.schema.Tables {
		var columns []string
		for _, c := range table.Columns {
			columns = append(columns, c.Name+" "+c.Type)
		}
		out = append(out, table.Name+"("+strings.Join(columns, ", ")+")")
	}
	return strings.Join(out, " ")
}

func rowsText(res runner.Result) string {
	var out []string
	for _, row := range res.Rows {
		out = append(out, fmt.Sprint(row))
	}
	return strings.Join(out, " ")
}

// Views that multiply when they are written out are left out before anybody writes them out.
func TestViewsThatMultiply(t *testing.T) {
	t.Setenv("NL2SQL_CACHE", t.TempDir())
	var b strings.Builder
	b.WriteString("CREATE TABLE t (a int);\nCREATE VIEW v0 AS SELECT a FROM t;\n")
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&b, "CREATE VIEW v%d AS SELECT x.a FROM v%d x JOIN v%d y USING (a);\n", i, i-1, i-1)
	}
	report := must.Get(Import(t.Context(), "many", strings.NewReader(b.String()), ImportOptions{}))(t)
	if report.Views != 7 || len(report.Left) != 33 || !strings.HasPrefix(report.Left[0], "view v7: too_many_tables") ||
		report.Left[1] != "view v8: it reads v7, which is left out" {
		t.Errorf("%d views; left out: %q", report.Views, report.Left)
	}
}

// Whatever a dump holds, it is loaded or refused.
func FuzzDump(f *testing.F) {
	files, _ := filepath.Glob("testdata/dumps/*.sql")
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(f)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, script string) {
		db, err := OpenDump(t.Context(), "fuzz", strings.NewReader(script), runner.Limits{})
		if err != nil {
			return
		}
		defer db.Close()
		for _, table := range db.schema.Tables {
			_, err := ask(t.Context(), db, "SELECT * FROM "+runner.QuoteName(table.Name)+" LIMIT 1")
			must.Be(t, err == nil || !strings.Contains(err.Error(), "no such"), "table", table.Name, err)
		}
	})
}
