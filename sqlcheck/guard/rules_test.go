package guard

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

// TestRules holds guards to the queries of testdata: what each makes of them, that it does so once, and what it
// leaves alone. A file says its schema, then cases under a header with the guard: "? question", the query, and "→
// what comes out", if anything changes. What has line breaks or blanks at its ends is quoted as Go has it.
func TestRules(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	must.Have(t, err == nil && len(files) != 0, files, err)
	for _, file := range files {
		s, cases := readRules(t, file)
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) { c.run(t, s) })
		}
	}
}

// A ruleCase is what one guard makes of one text.
type ruleCase struct {
	guard, name   string
	question      string
	before, after string
}

func (c ruleCase) run(t *testing.T, s *schema.Schema) {
	set := guardsOf(t, c.guard)
	in := Input{Question: question.Read(c.question, s), Schema: s}
	got, changes, v := set.Apply(c.before, in)
	if diff := cmp.Diff(c.after, got); diff != "" || !v.OK {
		t.Errorf("%s\n%s\n%v -want +got\n%s", c.question, c.before, v, diff)
	}
	changed := c.after != c.before && c.after != strings.Trim(c.before, "; \n") // its ends are no change worth telling
	must.Equal(t, (len(changes) > 0), changed, c.before, "changes", changes)
	if again, changes, v := set.Apply(got, in); again != got || len(changes) > 0 || !v.OK {
		t.Errorf("%s: a second pass changes it: %v %s", got, changes, v)
	}
	if _, before, err := sqlcheck.Check(c.before, s); err != nil || !before.OK {
		return
	}
	if _, v, err := sqlcheck.Check(got, s); err != nil || !v.OK {
		t.Errorf("%s\npasses Check, and not\n%s\n%v %v", c.before, got, v, err)
	}
}

// guardsOf is a set, or the guard of a name, also one that no set has.
func guardsOf(t *testing.T, spec string) Set {
	all := allGuards()
	if i := slices.IndexFunc(all, func(g Guard) bool { return g.Name == spec }); i >= 0 {
		return all[i : i+1]
	}
	return must.Get(ParseSet(spec))(t)
}

// readRules reads a file of testdata.
func readRules(tb testing.TB, file string) (*schema.Schema, []ruleCase) {
	tb.Helper()
	data := must.Get(os.ReadFile(file))(tb)
	head, rest, _ := strings.Cut(string(data), "\n# ")
	s := schemaOf(tb, strings.TrimSuffix(filepath.Base(file), ".txt"), head)
	var cases []ruleCase
	for _, section := range strings.Split(rest, "\n# ") {
		name, body, _ := strings.Cut(section, "\n")
		guard, _, _ := strings.Cut(name, ": ")
		for _, part := range strings.Split(strings.TrimSpace(body), "\n\n") {
			c := ruleCase{guard: guard, name: s.Name + "/" + name}
			for line := range strings.Lines(part) {
				line = strings.TrimSuffix(line, "\n")
				switch question, asks := strings.CutPrefix(line, "? "); {
				case asks:
					c.question = question
				case strings.HasPrefix(line, "→ "):
					c.after = unquoted(tb, strings.TrimPrefix(line, "→ "))
				default:
					c.before = unquoted(tb, line)
				}
			}
			if c.after == "" {
				c.after = c.before
			}
			cases = append(cases, c)
		}
	}
	return s, cases
}

func unquoted(tb testing.TB, line string) string {
	if !strings.HasPrefix(line, `"`) {
		return line
	}
	text, err := strconv.Unquote(line)
	if err != nil {
		tb.Fatal(line, err)
	}
	return text
}

// schemaOf reads the head of a file: CREATE TABLE statements, or "schema: clinic"; and lines "table.column: value |
// value".
func schemaOf(tb testing.TB, name, head string) *schema.Schema {
	tb.Helper()
	if strings.Contains(head, "schema: clinic") {
		return examples.Clinic(tb)
	}
	_, body, _ := strings.Cut(head, "\n\n")
	end := strings.LastIndex(body, ";") + 1
	s := examples.MustParse(tb, name, body[:end])
	for line := range strings.Lines(strings.TrimSpace(body[end:])) {
		where, values, _ := strings.Cut(strings.TrimSpace(line), ": ")
		table, column, _ := strings.Cut(where, ".")
		t, _ := s.Table(table)
		c, _ := t.Column(column)
		c.Values, c.Complete = strings.Split(values, " | "), true
	}
	return s
}
