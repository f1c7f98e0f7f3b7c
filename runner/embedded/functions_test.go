package embedded

import (
	"regexp"
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

// How statements write the functions that have no call of their name.
var otherForms = map[string]string{
	"'tidb`.(dateliteral": `\bDATE '`, "'tidb`.(timeliteral": `\bTIME '`, "'tidb`.(timestampliteral": `\bTIMESTAMP '`,
	"json_memberof": `\bMEMBER OF\s*\(`, "char_func": `\bCHAR\(`, "insert_func": `\bINSERT\(`,
	"get_format": `\bGET_FORMAT\(`,
}

// Every function that the checker lets through stands in a statement of testdata/statements, so it is known to answer
// as MySQL does, or to be refused.
func TestEveryFunction(t *testing.T) {
	same, _, refused := statements(t)
	all := strings.Join(append(same, refused...), "\n")
	for _, name := range sqlcheck.Functions() {
		pattern := otherForms[name]
		if pattern == "" {
			pattern = `\b` + regexp.QuoteMeta(name) + `\s*\(`
		}
		must.Be(t, regexp.MustCompile(`(?i)`+pattern).MatchString(all), "no statement calls", name)
	}
}
