package convert

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

func plain(r io.Reader) (io.ReadCloser, error) {
	in := bufio.NewReader(r)
	if first, _ := in.Peek(3); string(first) == "\ufeff" {
		_, _ = in.Discard(3)
	}
	return io.NopCloser(in), nil
}

// script is what a file with this content becomes.
func script(t testing.TB, name, content string) (string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, []byte(content), 0o600))
	s, ok, err := Open(path, plain)
	if err != nil || !ok {
		t.Fatalf("open: %t, %v", ok, err)
	}
	in := s.Script(t.Context())
	defer in.Close()
	text, err := io.ReadAll(in)
	return string(text), err
}

// The types that values have, and how they are written.
func TestCSV(t *testing.T) {
	for _, tt := range []struct{ name, csv, table, values string }{
		{"whole", "id,n\n1,-5\n2,2147483648\n", "`id` int NOT NULL, `n` bigint NOT NULL, PRIMARY KEY (`id`)",
			"('1','-5'),('2','2147483648')"},
		{"days above numbers", "a,01.01.2024,01.02.2024\nx,1,2\ny,3,4\n",
			"`a` varchar(1) NOT NULL, `01.01.2024` int NOT NULL, `01.02.2024` int NOT NULL", "('x','1','2'),('y','3','4')"},
		{"twice", "id\n1\n1\n", "`id` int NOT NULL", "('1'),('1')"},
		{"decimals", "a,b,c\n1.50,0.5,1e3\n-22,.125,2\n",
			"`a` decimal(4,2) NOT NULL, `b` decimal(4,3) NOT NULL, `c` double NOT NULL",
			"('1.50','0.5','1e3'),('-22','.125','2')"},
		{"leading zeros are texts", "zip,phone\n00123,+49 1\n10115,2\n",
			"`zip` varchar(5) NOT NULL, `phone` varchar(5) NOT NULL", "('00123','+49 1'),('10115','2')"},
		{"times", "d,t,u,v\n,2024-01-31,,\n2024-02-29,2024-01-31 10:00,2024-01-31T10:00:00.125,2024-02-30\n",
			"`d` date, `t` datetime NOT NULL, `u` datetime(3), `v` varchar(10)",
			"(NULL,'2024-01-31',NULL,NULL),('2024-02-29','2024-01-31 10:00:00','2024-01-31 10:00:00.125','2024-02-30')"},
		{"true or false", "a,b,c\n1,TRUE,NA\n2,NA,x\n", "`a` int NOT NULL, `b` varchar(4), `c` varchar(2) NOT NULL",
			"('1','TRUE','NA'),('2',NULL,'x')"},
		{"a zone of hours", "a,b\n1,2024-01-31 10:00:00+00\n2,2024-01-31 10:00:00.5-03\n",
			"`a` int NOT NULL, `b` datetime(1) NOT NULL", "('1','2024-01-31 10:00:00'),('2','2024-01-31 10:00:00.5')"},
		{"semicolons", "\xef\xbb\xbfname;price\r\nMüller;1,5\r\n\"a;b\";2\r\n",
			"`name` varchar(6) NOT NULL, `price` decimal(2,1) NOT NULL", "('Müller','1.5'),('a;b','2')"},
		{"tabs", "a\tb, c\n1\t\"x\"\"y\nz\"\n", "`a` int NOT NULL, `b, c` varchar(5) NOT NULL", "('1','x\"y\nz')"},
		{"one column", "word\nit's a \\ \n", "`word` varchar(9) NOT NULL", `('it\'s a \\ ')`},
		{"no rows", "a,,c\n", "`a` varchar(1), `c` varchar(1)", ""},
		{"null", "a,b\n\\N,1\n2,\n", "`a` int, `b` int", "(NULL,'1'),('2',NULL)"},
		{"too large", "a\n9223372036854775808\n", "`a` varchar(19) NOT NULL", "('9223372036854775808')"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := must.Get(script(t, "My (table).csv", tt.csv))(t)
			want := "CREATE TABLE `my_table` (" + tt.table + ");\n"
			if tt.values != "" {
				want += "INSERT INTO `my_table` VALUES " + tt.values + ";\n"
			}
			must.Same(t, got, want)
		})
	}
}

// Whatever is wrong with a file is told in one line, and it is read all the same.
func TestDoubts(t *testing.T) {
	for _, tt := range []struct{ name, csv, values, told string }{
		{"empty", "", "", "it holds no values: a table without rows"},
		{"values only", "1,2024-01-01\n2,2024-01-02\n", "('1','2024-01-01'),('2','2024-01-02')",
			"no line names the columns: they are column_1 to column_2"},
		{"named twice", "a,A\nx,1\n", "('x','1')", `two columns are named "A": the second is A_2`},
		{"fewer", "a,b\nx,1\ny,2\nz\nu,4\n", "('x','1'),('y','2'),('z',NULL),('u','4')",
			"row 4 has 1 values for 2 columns: the others are NULL"},
		{"more", "a,b\nx,1\ny,2\nz,3,w\nu,4\n", "('x','1'),('y','2'),('z','3,w'),('u','4')",
			"row 4 has 3 values for 2 columns"},
		{"a quote inside", "a,b\n1,x\"y\"\n2,z\n", "('1','x\"y\"'),('2','z')", "row 2 has a quote inside a value"},
		{"windows-1252", "a,b\nM\xfcller,1\n", "('Müller','1')", "line 2 is not UTF-8: read as windows-1252"},
		{"read twice", "a,b\nCafÃ©,1\n", "('CafÃ©','1')", `a: "CafÃ©" seems to be UTF-8, read as windows-1252`},
		{"utf16", "\xff\xfea\x00,\x00b\x00\n\x00x\x00,\x001\x00\n\x00", "('x','1')", ""},
		{"old Mac", "id,town\r1,Kiel\r2,Oslo\r", "('1','Kiel'),('2','Oslo')", ""},
		{"lines in quotes", "\"id;n\"\n\"1;2\"\n", "('1;2')",
			`it has one column, "id;n": if those are several, --delimiter and --quote say how`},
		{"days in orders", "a,b\n2024-02-01,x\n31/01/2024,y\n", "('2024-02-01','x'),('2024-01-31','y')",
			`a: its days have several orders, as "2024-02-01", "31/01/2024": look at both`},
		{"sep=", "sep=;\na;b\n1;x\n", "('1','x')", ""},
		{"title", "Report of March,,\n,,\nid,town,n\n1,Kiel,5\n2,Oslo,6\n", "('1','Kiel','5'),('2','Oslo','6')",
			`left out above the header, to line 1: "Report of March"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.csv")
			must.Do(t, os.WriteFile(path, []byte(tt.csv), 0o600))
			got, told, err := scriptOf(t, path)
			must.Do(t, err)
			must.Has(t, got, tt.values, "values")
			must.Has(t, strings.Join(told, "; "), tt.told, "told")
		})
	}
	_, err := script(t, "x.csv", "a\x00b\n")
	must.Be(t, err != nil && err.Error() == "the file holds zero bytes: it is no CSV text", err)
}

// Whatever a CSV file holds, a table of it is written with as many values as columns, or the error is one line.
func FuzzCSV(f *testing.F) {
	for _, text := range []string{"id,n\n1,-5\n", "a;b\n1,5;2024-01-01\n", "\xef\xbb\xbfx\ty\n\"a\nb\"\t1e5\n",
		"a,b\n1\n", "\\N\n'\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := script(t, "x.csv", text)
		if err != nil {
			must.Be(t, !strings.Contains(err.Error(), "\n"), err)
			return
		}
		must.Be(t, strings.HasPrefix(got, "CREATE TABLE `x` (`") && strings.HasSuffix(got, ";\n"), got)
	})
}

// A text file is a table unless it begins as a dump does.
func TestOpenText(t *testing.T) {
	for text, table := range map[string]bool{
		"no\tday\n1\t2024-01-01\n": true, "Set;n\na;1\n": true, "name\nuse\n": true, "": true,
		"-- MySQL dump\nCREATE TABLE t (a INT);\n": false, "\n/*!40101 SET a */;\n": false, "create table t (a int);": false,
		"SET NAMES utf8;\n": false, "-----\n|Name |n|\n-----\n|A|1|\n": true, "------\n-- a dump\nCREATE TABLE t (a INT);\n": false,
		`{"set up": 1}`: true,
	} {
		path := filepath.Join(t.TempDir(), "list.txt")
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		_, ok, err := Open(path, nil)
		must.Be(t, err == nil && ok == table, text, ok, err)
	}
	path := filepath.Join(t.TempDir(), "list.xml")
	must.Do(t, os.WriteFile(path, []byte("<a/>"), 0o600))
	_, _, err := Open(path, nil)
	must.Be(t, err != nil && strings.Contains(err.Error(), "save it as"), err)
}
