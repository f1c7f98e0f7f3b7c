package convert

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// scriptOf is what a file becomes, and what is left out of it.
func scriptOf(t testing.TB, path string) (text string, left []string, err error) {
	t.Helper()
	s, ok, err := Open(path, plain)
	if err != nil || !ok {
		t.Fatalf("open: %t, %v", ok, err)
	}
	in := s.Script(t.Context())
	defer in.Close()
	b, err := io.ReadAll(in)
	left = s.Left
	for _, table := range s.Tables {
		left = append(left, table.Doubts...)
	}
	return string(b), left, err
}

// A workbook as openpyxl 3.1 writes it, and a Parquet file of pyarrow 22.
func TestTables(t *testing.T) {
	for _, tt := range []struct{ file, want, left string }{
		{"hire.xlsx", "CREATE TABLE `Rides` (`ride_id` int NOT NULL, `Started` datetime, `day` date, " +
			"`km` decimal(10,2) NOT NULL, `fee €` decimal(3,1), `note` varchar(15), `zip` varchar(5) NOT NULL, " +
			"`ok` int NOT NULL, `at` time, PRIMARY KEY (`ride_id`));\n" +
			"INSERT INTO `Rides` VALUES ('1','2024-02-29 08:30:00','2024-02-29','0.3','12.5'," +
			`'it\'s ; a "test"','00123','1','07:05:00'),` +
			"('2','2024-03-01 17:45:10','2024-03-01','10000000','3',NULL,'10115','0','23:59:01')," +
			"('3',NULL,NULL,'-2.25',NULL,'Ærø','2','1',NULL);\n" +
			"CREATE TABLE `Bikes` (`bike` int NOT NULL, `brand` varchar(5) NOT NULL, `column_3` varchar(4));\n" +
			"INSERT INTO `Bikes` VALUES ('7','Cube',NULL),('8','Giant','wide');\n",
			"sheet Empty: it is empty; sheet Rides: 2 formulas were never computed: 1 are now, " +
				"1 are NULL (the first: =1/0: it gives #DIV/0!); open and save the file in Excel; column 3 has no name: it is column_3"},
		{"rides.parquet", "CREATE TABLE `rides` (`ride_id` int NOT NULL, `code` varchar(3), `day` date, " +
			"`started` datetime(3), `ms` datetime, `fee` decimal(4,2), `km` double, `f` double, " +
			"`ok` int, `big` decimal(19,0), `at` time, PRIMARY KEY (`ride_id`));\n" +
			"INSERT INTO `rides` VALUES ('1','001','2024-02-29','2024-02-29 08:30:00.125','2300-01-01 00:00:00'," +
			"'12.50','0.5','0.1','1','9223372036854775809','07:05:01')," +
			"('2','2',NULL,'1960-01-01 00:00:00','2024-01-01 00:00:00','-0.05','1e+20','2.5','0','0',NULL)," +
			"('3',NULL,'1969-12-31',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);\n",
			"column tags: it holds lists or structures"},
	} {
		t.Run(tt.file, func(t *testing.T) {
			got, left, err := scriptOf(t, filepath.Join("testdata", tt.file))
			must.Do(t, err)
			must.Same(t, got, tt.want)
			must.Same(t, strings.Join(left, "; "), tt.left)
		})
	}
}

// A file that is cut off or has other bytes in it is an error of one line, or is read: it never ends the program.
func TestDamagedTables(t *testing.T) {
	for _, name := range []string{"hire.xlsx", "rides.parquet"} {
		whole := must.Get(os.ReadFile(filepath.Join("testdata", name)))(t)
		path, failed := filepath.Join(t.TempDir(), name), 0
		for at := 0; at < len(whole); at += 61 {
			cut, other := whole[:at], append([]byte(nil), whole...)
			other[at] ^= 0xFF
			for _, text := range [][]byte{cut, other} {
				must.Do(t, os.WriteFile(path, text, 0o600))
				_, _, err := scriptOf(t, path)
				if err == nil {
					continue
				}
				if failed++; strings.Contains(err.Error(), "\n") {
					t.Errorf("%s, byte %d: %q", name, at, err)
				}
			}
		}
		must.Be(t, failed != 0, name, "no damage is told")
	}
}

// Other names of text files, and what a folder takes: what it leaves out is told.
func TestFileNames(t *testing.T) {
	book := string(must.Get(os.ReadFile(filepath.Join("testdata", "hire.xlsx")))(t))
	const table = "CREATE TABLE `t` (`id` int NOT NULL, `n` int NOT NULL, PRIMARY KEY (`id`));\nINSERT INTO `t` VALUES ('1','2');\n"
	write := func(files map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		}
		return dir
	}
	for name, text := range map[string]string{"t.tab": "id\tn\n1\t2\n", "t.psv": "id|n\n1|2\n", "t.dat": "id;n\n1;2\n",
		"t": "id,n\n1,2\n", "t.xlsx": "id,n\n1,2\n", "t.xls": "id\tn\n1\t2\n", "T.XLS": utf16le("id\tn\n1\t2\n"),
		"t.parquet": "id;n\r1;2\r"} {
		got, _, err := scriptOf(t, filepath.Join(write(map[string]string{name: text}), name))
		must.Do(t, err, name)
		must.Same(t, strings.ReplaceAll(got, "`T`", "`t`"), table, name)
	}
	got, _, err := scriptOf(t, filepath.Join(write(map[string]string{"t.csv": book}), "t.csv"))
	must.Do(t, err)
	must.Has(t, got, "CREATE TABLE `Bikes`", "a workbook")
	for _, text := range []string{"<html>\n<table>", "\ufeff<?xml version=\"1.0\"?>\n", "%PDF-1.4\nx\n"} {
		page := filepath.Join(write(map[string]string{"t.csv": text}), "t.csv")
		must.Same(t, failure(t, page), "it holds HTML, XML or a PDF, whatever its name: save it as .xlsx or .csv")
	}
	for _, tt := range []struct {
		files      map[string]string
		want, left string
	}{
		{map[string]string{"a.csv": "id\n1\n", "b.sql": "CREATE TABLE b (id INT);"}, "CREATE TABLE b", "a.csv: the folder is a dump: import it by itself"},
		{map[string]string{"a.csv": "id\n1\n", "b.sql": "SELECT 1;"}, "CREATE TABLE `a`", "b.sql: it is not a table file"},
		{map[string]string{"a.csv": "id\n1\n", "b.jsonl": `{"id":2}`, "c.json": "{"}, "CREATE TABLE `b`", "c.json: line 1 is no JSON"},
		{map[string]string{"part-0001.csv": "id,n\n1,2\n", "part-0002.csv": "id,n\n3,4\n"}, "CREATE TABLE `part_0002`",
			"it has the columns of part_0001: if both are one table, join the files"},
		{map[string]string{"a.xlsx": book, "b.xlsx": book}, "CREATE TABLE `Bikes_2`", "another table is named Bikes already: this one of b.xlsx is Bikes_2"},
	} {
		got, left, err := scriptOf(t, write(tt.files))
		must.Do(t, err)
		must.Has(t, got, tt.want, "script")
		must.Has(t, strings.Join(left, "; "), tt.left, "told")
	}
}
