package syntax

import (
	"testing"

	"nl2sql/scripts/must"
)

func TestWithoutLater(t *testing.T) {
	tests := []struct{ in, want string }{
		{"SELECT 1", "SELECT 1"},
		{"/*!40101 SET NAMES utf8 */", "/*!40101 SET NAMES utf8 */"},
		{"/*!80023 SELECT 1 */", "/*!80023 SELECT 1 */"},
		{"/*! SELECT 1 */", "/*! SELECT 1 */"},
		{"/*!40 SELECT 1 */", "/*!40 SELECT 1 */"}, // no version has two digits
		{"/*!99999 DROP TABLE t */", ""},
		{"/*!80100 DROP TABLE t */", ""},
		{"/*!100301 DROP TABLE t */", ""},
		{"/*!080015 SELECT 1 */", "/*!080015 SELECT 1 */"},
		{"INSERT INTO t VALUES (1)/*!99999 ,(2)*/", "INSERT INTO t VALUES (1)"},
		{"INSERT INTO t VALUES ('/*!99999 a */'),(\"/*!99999 b */\")",
			"INSERT INTO t VALUES ('/*!99999 a */'),(\"/*!99999 b */\")"},
		{"SELECT 1 /* /*!99999 */ + 2", "SELECT 1 /* /*!99999 */ + 2"},
		{"SELECT 1 /*!99999 + 2 /* + 3 */ + 4 */ + 5", "SELECT 1  + 5"},
		{"/*!40101 a /*!99999 b */ c */", "/*!40101 a  c */"},
		{"SELECT 1 /*!99999 + 2", "SELECT 1"},
	}
	for _, tt := range tests {
		must.Equal(t, WithoutLater(tt.in), tt.want, tt.in)
	}
}
