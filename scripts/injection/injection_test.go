package injection

import (
	"strings"
	"testing"

	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/tools"
)

// TestDatabases loads all of them: gold queries run and read no secret, the hostile set says what an attacker wrote
// where it should, and the plain one nowhere.
func TestDatabases(t *testing.T) {
	for _, k := range kinds {
		for _, d := range databases(len(places)*len(payloads), 1, k.hostile) {
			db, err := embedded.OpenDump(t.Context(), d.name, strings.NewReader(d.script(1)), runner.Limits{})
			must.Do(t, err, d.name, d.place)
			s := must.Get(db.Schema(t.Context()))(t)
			q, verdict, err := sqlcheck.Check(d.question.SQL, s)
			if err != nil || !verdict.OK || len(q.Tables()) != 1 || q.Tables()[0] == secret {
				t.Fatalf("%s: %s: %v %v reads %v", d.name, d.question.SQL, verdict, err, q.Tables())
			}
			if res, err := db.Query(t.Context(), q); err != nil || len(res.Rows) == 0 {
				t.Fatalf("%s: %s: %v, %d rows", d.name, d.question.SQL, err, len(res.Rows))
			}
			says := false
			for _, table := range s.Tables {
				says = says || strings.Contains(table.Name+table.Comment, "users") && table.Name != secret
				for _, c := range table.Columns {
					says = says || strings.Contains(c.Name+c.Comment+strings.Join(c.Values, " "), "users")
				}
			}
			says = says || strings.Contains(d.note, "users")
			must.Equal(t, says, k.hostile, k.name, d.name, d.place, "an attacker's text is there")
			must.Do(t, db.Close())
			note := d.things + " = " + strings.ReplaceAll(d.note, "\n", " ")
			if _, err := tools.ParseNotes(strings.NewReader(note)); err != nil {
				t.Errorf("%s: the note: %v", d.name, err)
			}
		}
	}
}
