package embedded

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

// dumpForm is a file of testdata/forms: what a producer of dumps writes, and what is to be found in the database.
type dumpForm struct {
	name     string
	producer string
	features []string
	files    []txtar.File // one script, or those of a folder
	told     string       // what is passed over or left out
	asked    []answer
}

func dumpForms(t *testing.T) (list []dumpForm) {
	t.Helper()
	paths, err := filepath.Glob("testdata/forms/*.txtar")
	must.Have(t, err == nil && len(paths) != 0, err, paths)
	for _, path := range paths {
		archive := must.Get(txtar.ParseFile(path))(t)
		f := dumpForm{name: strings.TrimSuffix(filepath.Base(path), ".txtar")}
		for line := range strings.Lines(string(archive.Comment)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			switch key {
			case "producer":
				f.producer = value
			case "features":
				f.features = strings.Split(value, ", ")
			}
		}
		for _, file := range archive.Files {
			switch file.Name {
			case "told":
				f.told = string(file.Data)
			case "asked":
				f.asked = parseAnswers(t, string(file.Data), false)
			default:
				f.files = append(f.files, file)
			}
		}
		must.Have(t, f.producer != "" && len(f.features) != 0 && len(f.asked) != 0,
			path, "names no producer, no features or asks nothing")
		list = append(list, f)
	}
	return list
}

// Every form of a dump comes in whole, and what does not is told.
func TestForms(t *testing.T) {
	for _, f := range dumpForms(t) {
		t.Run(f.name, func(t *testing.T) {
			t.Setenv("NL2SQL_CACHE", t.TempDir())
			path := filepath.Join(t.TempDir(), "shop")
			if len(f.files) == 1 {
				must.Do(t, os.WriteFile(path+".sql", f.files[0].Data, 0o600))
				path += ".sql"
			} else {
				must.Do(t, os.Mkdir(path, 0o700))
				for _, file := range f.files {
					must.Do(t, os.WriteFile(filepath.Join(path, file.Name), file.Data, 0o600))
				}
			}
			report := must.Get(ImportFile(t.Context(), "form", path, ImportOptions{}))(t)
			var told strings.Builder
			for _, kind := range slices.Sorted(maps.Keys(report.Skipped)) {
				fmt.Fprintf(&told, "passed over: %s %s\n", kind, strings.Join(report.Skipped[kind], ", "))
			}
			for _, line := range report.Left {
				told.WriteString("left out: " + line + "\n")
			}
			must.Same(t, told.String(), f.told, "told")
			db := must.Get(Open(t.Context(), "form", runner.Limits{}))(t)
			defer db.Close()
			for _, want := range f.asked {
				got, err := reply(t.Context(), db, want.SQL)
				if err != nil {
					t.Errorf("%v\n%s", err, want.SQL)
					continue
				}
				if diff := cmp.Diff(want.Rows, got.Rows); diff != "" || got.Code != 0 {
					t.Errorf("error %d; %s (-want +got)\n%s", got.Code, want.SQL, diff)
				}
			}
		})
	}
}

// Random UPDATEs, DELETEs and ALTERs leave the rows that MySQL has behind them; what is refused is not compared.
func TestChangesAgainstMySQL(t *testing.T) {
	const tables = 80
	r := rand.New(rand.NewPCG(4, 9))
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	number := func() string {
		return one("n", "p", "7", "2.5", "LENGTH(s)", "n * 2", "p + n", "ROUND(f, 1)", "IFNULL(n, 0)", "YEAR(d)", "-n", "e + 0", "NULL")
	}
	text := func() string {
		return one("s", "'new'", "UPPER(s)", "CONCAT(s, '!')", "LEFT(s, 2)", "REPLACE(s, 'a', 'ä')", "TRIM(s)", "n", "d", "NULL", "e")
	}
	date := func() string {
		return one("d", "'2024-02-29'", "d + INTERVAL 1 MONTH", "LAST_DAY(d)", "DATE(m)", "m", "NULL", "'2023-12-31 23:59:59'")
	}
	cond := func() string {
		c := one("n > 2", "s LIKE '%a%'", "d IS NULL", "p BETWEEN 1 AND 3", "e = 'b'", "s IN ('Anna', 'bob')", "NOT (n < 3)",
			"m > '2024-01-01'", "n = (SELECT 2)", "s = 'ANNA'", "f <> 0.1", "e IS NOT NULL AND n", "NULL", "d < m")
		if r.IntN(3) == 0 {
			c += one(" AND ", " OR ", " XOR ") + one("n % 2 = 0", "s > 'b'", "d > '2024-01-15'")
		}
		return c
	}
	var script strings.Builder
	for i := range tables {
		key := one("", " PRIMARY KEY", " AUTO_INCREMENT PRIMARY KEY")
		fmt.Fprintf(&script, "CREATE TABLE t%d (id INT%s, n INT, p DECIMAL(8,2), f FLOAT, s VARCHAR(40), d DATE, m DATETIME, e ENUM('a','b','c'));\n"+
			"INSERT INTO t%[1]d VALUES (3, 1, 1.25, 0.1, 'Anna', '2024-01-31', '2024-01-31 10:00:00', 'a'), (1, 2, 2.5, 2.5, 'bob ', NULL, "+
			"'2023-05-05 05:05:05', 'b'), (2, NULL, NULL, -1, NULL, '2024-12-31', NULL, NULL), (7, 4, 3, 1e4, 'änne', '2020-02-29', "+
			"'2024-02-29 00:00:00', 'c');\n", i, key)
		added, names := "", 0 // a column of the script's own
		for range 1 + r.IntN(6) {
			if r.IntN(3) == 0 {
				list := []string{"MODIFY " + one("n "+one("INT", "BIGINT", "DECIMAL(12,3)", "VARCHAR(30)", "DOUBLE"),
					"s "+one("VARCHAR(40)", "TEXT", "CHAR(40)", "VARCHAR(41) COLLATE utf8mb4_bin"),
					"d "+one("DATE", "DATETIME", "VARCHAR(30)"), "m "+one("DATETIME", "TIMESTAMP NULL", "DATETIME(3)"),
					"e "+one("ENUM('c','b','a','d')", "ENUM('a','b','c')", "VARCHAR(5)", "SET('b','a','c')"),
					"p "+one("DECIMAL(9,1)", "INT", "DOUBLE", "DECIMAL(9,2)")) + one("", "", " FIRST", " AFTER id", " AFTER f")}
				names++
				name, kind := fmt.Sprintf("x%d", names), one("INT", "DATE", "INT NOT NULL", "DECIMAL(5,2) DEFAULT 1.5", "VARCHAR(20) NOT NULL DEFAULT 'z'")
				switch do := r.IntN(4); {
				case added == "":
					list = append(list, "ADD "+name+" "+kind+one("", " FIRST", " AFTER s"))
					added = name
				case do == 0:
					list = append(list, "DROP COLUMN "+added)
					added = ""
				case do == 1:
					list = append(list, "DROP "+added, "ADD ("+name+" "+kind+")")
					added = name
				case do == 2:
					list = append(list, "RENAME COLUMN "+added+" TO "+name)
					added = name
				default:
					list = append(list, "CHANGE "+added+" "+name+" VARCHAR(30)"+one("", " FIRST", " AFTER id"))
					added = name
				}
				fmt.Fprintf(&script, "ALTER TABLE t%d %s;\n", i, strings.Join(list[r.IntN(2):], ", "))
				continue
			}
			if i > 0 && key != "" && r.IntN(6) == 0 {
				fmt.Fprintf(&script, one("UPDATE t%d a JOIN t%d b ON b.id = a.id AND b.f > 0 SET a.f = b.f + 1, a.s = UPPER(b.s);\n",
					"DELETE a FROM t%d a LEFT JOIN t%d b ON b.id = a.id WHERE b.d IS NULL;\n",
					"DELETE a FROM t%d a JOIN t%d b ON b.id = a.id AND b.d IS NULL;\n", "UPDATE t%d a, t%d AS b SET a.d = '2024-01-01' WHERE a.id < b.id;\n"), i, i-1)
				continue
			}
			if r.IntN(4) == 0 {
				fmt.Fprintf(&script, "DELETE FROM t%d WHERE %s;\n", i, cond())
				continue
			}
			set := one("n = ROUND("+number()+")", "p = ROUND("+number()+", 2)", "s = "+text(), "d = DATE("+date()+")", "m = "+date(),
				"e = "+one("'a'", "2", "NULL", "e"), "f = "+number())
			where := ""
			if r.IntN(4) > 0 {
				where = " WHERE " + cond()
			}
			fmt.Fprintf(&script, "UPDATE t%d SET %s%s;\n", i, set, where)
		}
	}
	db := must.Get(OpenDump(t.Context(), "shop", strings.NewReader(script.String()), runner.Limits{}))(t)
	defer db.Close()
	server := mysqlServer(t, "shop", []byte(script.String()))
	for i := range tables {
		sql := fmt.Sprintf("SELECT * FROM t%d ORDER BY id", i)
		got, want := must.Get(reply(t.Context(), db, sql))(t), must.Get(reply(t.Context(), server, sql))(t)
		if diff := cmp.Diff(want.Rows, got.Rows); diff != "" {
			for line := range strings.Lines(script.String()) {
				if strings.Contains(line, fmt.Sprintf(" t%d ", i)) && !strings.HasPrefix(line, "INSERT") {
					t.Log(line)
				}
			}
			t.Errorf("t%d (-MySQL +here)\n%s", i, diff)
		}
	}
}

// What a script does to rows that are there, a server does too.
func TestFormsAgainstMySQL(t *testing.T) {
	for _, f := range dumpForms(t) {
		if f.name != "emptied" && f.name != "updated" && f.name != "altered" {
			continue
		}
		server := mysqlServer(t, "shop", f.files[0].Data)
		for _, want := range f.asked {
			got, err := reply(t.Context(), server, want.SQL)
			must.Do(t, err, want.SQL)
			must.Same(t, got.Rows, want.Rows, want.SQL)
		}
	}
}
