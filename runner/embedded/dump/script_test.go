package dump

import (
	"io"
	"strings"
	"testing"

	"nl2sql/runner"
	"nl2sql/scripts/must"
)

// A script is cut into the statements that the mysql client would send.
func TestScript(t *testing.T) {
	for name, tt := range map[string]struct {
		script string
		want   []string
		err    string
	}{
		"plain":              {"SELECT 1;\nSELECT 2", []string{"SELECT 1", "SELECT 2"}, ""},
		"CRLF":               {"SELECT\r\n'a\r\nb\r';\r\n", []string{"SELECT\n'a\nb\r'"}, ""},
		"delimiter":          {"DELIMITER ;;\nA; B ;;\nDELIMITER ;\nC;", []string{"A; B", "C"}, ""},
		"delimiter of words": {"DELIMITER // ;\nA; B //\nDELIMITER ; //\nC;\n", []string{"A; B", "C"}, ""},
		"delimiter at the end": {"DELIMITER //\nCREATE PROCEDURE p() BEGIN A; B; END",
			[]string{"CREATE PROCEDURE p() BEGIN A; B; END"}, ""},
		"delimiter never comes": {"DELIMITER //\nA; B;\nDELIMITER ;;\nCREATE TABLE c (n int);\n", nil,
			"nothing ends it with the delimiter //, which is set on line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			s := runner.NewScript(strings.NewReader(tt.script))
			for {
				text, _, err := s.Next()
				if err == io.EOF && tt.err == "" {
					break
				}
				if err != nil {
					must.Be(t, tt.err != "" && strings.Contains(err.Error(), tt.err), "error", err, tt.err)
					break
				}
				got = append(got, string(text))
			}
			must.Same(t, got, tt.want)
		})
	}
}
