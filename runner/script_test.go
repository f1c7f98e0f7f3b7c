package runner

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
)

func TestSplitScript(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
		err      string
	}{
		{"empty", "", nil, ""},
		{"only blanks and comments", " \r\n-- x;\n# y;\n/* z; */;;", nil, ""},
		{"last one without delimiter", "SELECT 1;\nSELECT 2", []string{"SELECT 1", "SELECT 2"}, ""},
		{"byte order mark and CRLF", "\xef\xbb\xbfSELECT 1;\r\nSELECT\r\n2;\r\n",
			[]string{"SELECT 1", "SELECT\n2"}, ""},
		{"quotes", `INSERT INTO t VALUES ('a;b\'c''d', "e;\"", ` + "`f;``g`" + `);SELECT 2;`,
			[]string{`INSERT INTO t VALUES ('a;b\'c''d', "e;\"", ` + "`f;``g`" + `)`, "SELECT 2"}, ""},
		{"backslash does not escape in names", "SELECT `a\\`;SELECT 2", []string{"SELECT `a\\`", "SELECT 2"}, ""},
		{"escaped backslash closes", `SELECT 'a\\';SELECT 2`, []string{`SELECT 'a\\'`, "SELECT 2"}, ""},
		{"comment marks in strings", "SELECT '/* -- # ', 1;", []string{"SELECT '/* -- # ', 1"}, ""},
		{"quotes in comments", "SELECT 1 -- it's;\n;SELECT /* it's; */ 2; # don't\n",
			[]string{"SELECT 1", "SELECT   2"}, ""},
		{"two minus signs are no comment", "SELECT 1--1;", []string{"SELECT 1--1"}, ""},
		{"conditional comments stay", "/*!40101 SET NAMES utf8 */;\n/*M! SELECT ';' */;SELECT /*+ X() */ 1;",
			[]string{"/*!40101 SET NAMES utf8 */", "/*M! SELECT ';' */", "SELECT /*+ X() */ 1"}, ""},
		{"a conditional comment in another, which both end at once", "/*!40000 CREATE DATABASE x /*!40100 CHARSET y */;SELECT 1;",
			[]string{"/*!40000 CREATE DATABASE x /*!40100 CHARSET y */", "SELECT 1"}, ""},
		{"comment in a conditional comment", "/*!50001 CREATE /* a; */ VIEW v AS SELECT 1 */;",
			[]string{"/*!50001 CREATE  VIEW v AS SELECT 1 */"}, ""},
		{"sandbox line of MariaDB", "/*M!999999\\- enable the sandbox mode */ \nSELECT 1;",
			[]string{"/*M!999999\\- enable the sandbox mode */ \nSELECT 1"}, ""},
		{"delimiter", "DELIMITER ;;\nCREATE TRIGGER x BEGIN a; b; END ;;\ndelimiter ; \nSELECT 1;",
			[]string{"CREATE TRIGGER x BEGIN a; b; END", "SELECT 1"}, ""},
		{"delimiter $$", "DELIMITER $$\r\nA;B$$\r\nDELIMITER ;\r\nC;", []string{"A;B", "C"}, ""},
		{"delimiter is a column", "SELECT\ndelimiter FROM t;", []string{"SELECT\ndelimiter FROM t"}, ""},
		{"open string", "SELECT 1;\n\nSELECT\n'abc;\n", []string{"SELECT 1"},
			"statement at line 3: the string that starts on line 4 is not closed"},
		{"open comment", "SELECT 1;\n/* abc", []string{"SELECT 1"},
			"statement at line 2: the comment that starts on line 2 is not closed"},
		{"delimiter missing", "DELIMITER  \nSELECT 1;", nil,
			"statement at line 1: DELIMITER must be followed by a delimiter"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			err := SplitScript(iotest.HalfReader(strings.NewReader(tt.in)),
				func(s string) error { got = append(got, s); return nil })
			must.Same(t, got, tt.want, "statements")
			must.Equal(t, errText(err), tt.err, "error")
		})
	}
}

func TestSplitScriptErrors(t *testing.T) {
	mine := errors.New("mine")
	err := SplitScript(strings.NewReader("SELECT 1;\n\nSELECT\n2;SELECT 3;"), func(s string) error {
		if strings.Contains(s, "2") {
			return mine
		}
		return nil
	})
	must.Be(t, errors.Is(err, mine) && err.Error() == "statement at line 3: mine", err)
	err = SplitScript(iotest.ErrReader(mine), func(string) error { return nil })
	must.Be(t, errors.Is(err, mine), err)
}

func TestSplitScriptOfRealDump(t *testing.T) {
	f := bytes.NewReader(golds.File(t, golds.ClassicModels))
	count := map[string]int{}
	must.Do(t, SplitScript(f, func(s string) error {
		count[strings.Join(strings.Fields(s)[:2],
			" ")]++
		return nil
	}))
	must.Be(t, count["CREATE TABLE"] == 8 && count["insert into"] == 8, count)
}

// Splitting the statements again must give the same ones: nothing is lost, nothing is cut in two.
func FuzzSplitScript(f *testing.F) {
	for _, s := range []string{"SELECT 'a;''\\'';b", "DELIMITER //\nx;y//\nDELIMITER ;\nz;", "/*!1 a /* ; */ b */;c",
		"a-- \n;# x\n`;`", "a - -- b\n-1", "/", "-", "/*", "'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		var first []string
		if SplitScript(strings.NewReader(in), func(s string) error { first = append(first, s); return nil }) != nil {
			return
		}
		for _, s := range first {
			must.Have(t, strings.TrimSpace(s) != "", "empty statement in", first)
			n := 0
			err := SplitScript(strings.NewReader("DELIMITER \x00\x00\n"+s), func(again string) error {
				n++
				return nil
			})
			if strings.Contains(s, "\x00\x00") || strings.HasPrefix(strings.ToLower(s), "delimiter") ||
				strings.HasSuffix(s, "--") {
				continue
			}
			must.Have(t, err == nil && n == 1, s, "splits into", n, err)
		}
	})
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
