package convert

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

func plain(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(r), nil }

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
		{"twice", "id\n1\n1\n", "`id` int NOT NULL", "('1'),('1')"},
		{"decimals", "a,b,c\n1.50,0.5,1e3\n-22,.125,2\n",
			"`a` decimal(4,2) NOT NULL, `b` decimal(4,3) NOT NULL, `c` double NOT NULL",
			"('1.50','0.5','1e3'),('-22','.125','2')"},
		{"leading zeros are texts", "zip,phone\n00123,+49 1\n10115,2\n",
			"`zip` varchar(5) NOT NULL, `phone` varchar(5) NOT NULL", "('00123','+49 1'),('10115','2')"},
		{"times", "d,t,u,v\n2024-02-29,2024-01-31 10:00,2024-01-31T10:00:00.125,2024-02-30\n,2024-01-31,,\n",
			"`d` date, `t` datetime NOT NULL, `u` datetime(3), `v` varchar(10)",
			"('2024-02-29','2024-01-31 10:00','2024-01-31 10:00:00.125','2024-02-30'),(NULL,'2024-01-31',NULL,NULL)"},
		{"semicolons", "\xef\xbb\xbfname;price\r\nMüller;1,5\r\n\"a;b\";2\r\n",
			"`name` varchar(6) NOT NULL, `price` decimal(2,1) NOT NULL", "('Müller','1.5'),('a;b','2')"},
		{"tabs", "a\tb, c\n1\t\"x\"\"y\nz\"\n", "`a` int NOT NULL, `b, c` varchar(5) NOT NULL", "('1','x\"y\nz')"},
		{"one column", "word\nit's a \\ \n", "`word` varchar(9) NOT NULL", `('it\'s a \\ ')`},
		{"no rows", "a,,c\n", "`a` varchar(1), `column_2` varchar(1), `c` varchar(1)", ""},
		{"null", "a,b\n\\N,1\n2,\n", "`a` int, `b` int", "(NULL,'1'),('2',NULL)"},
		{"too large", "a\n9223372036854775808\n", "`a` varchar(19) NOT NULL", "('9223372036854775808')"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := must.Get(script(t, "My table.csv", tt.csv))(t)
			want := "CREATE TABLE `My table` (" + tt.table + ");\n"
			if tt.values != "" {
				want += "INSERT INTO `My table` VALUES " + tt.values + ";\n"
			}
			must.Same(t, got, want)
		})
	}
}

// What cannot be read is one line that says where.
func TestCSVErrors(t *testing.T) {
	for _, tt := range []struct{ name, csv, want string }{
		{"empty", "", "the file is empty: its first line should name the columns"},
		{"values only", "1,2024-01-01\n2,2024-01-02\n",
			"line 1: it holds values only: the first line should name the columns"},
		{"twice", "a,A\n", `line 1: two columns are named "A"`},
		{"ragged", "a,b\n1,2\n\n\"x\ny\",3,4\n", "line 4: 3 values for 2 columns"},
		{"quote", "a,b\n1,x\"y\"\n", `line 2: bare " in non-quoted-field`},
		{"open", "a,b\n1,\"x\n", `line 2: extraneous or missing " in quoted-field`},
		{"latin1", "a\nM\xfcller\n", "line 2: a text is not UTF-8: save the file as UTF-8"},
		{"utf16", "\xff\xfea\x00\n\x00", "the file is UTF-16: save it as UTF-8"},
		{"binary", "a\x00b\n", "the file holds zero bytes: it is no CSV text"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := script(t, "x.csv", tt.csv)
			must.Be(t, err != nil && err.Error() == tt.want, err, tt.want)
		})
	}
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
