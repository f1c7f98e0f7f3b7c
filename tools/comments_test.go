package tools

import (
	"slices"
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

// billing is a schema that nobody can read without its comments.
func billing(t testing.TB) *schema.Schema {
	t.Helper()
	s, err := schema.ParseDDL("billing", `
CREATE TABLE re_kopf (id int PRIMARY KEY COMMENT 'id', kd int COMMENT 'customer who pays; see kd', stat char(2) COMMENT 'OP open, PD paid, NP not paid in time',
  art tinyint COMMENT '1 = invoice / 2 = credit note', betrag decimal(8,2) COMMENT 'gross amount\nin "EUR"') COMMENT='invoices sent to clients';
CREATE TABLE kd (id int PRIMARY KEY, name varchar(40) COMMENT 'the name', sperre char(1) COMMENT 'locked (J), free to order (N)', note varchar(200) COMMENT 'at most 200 characters');`)
	must.Do(t, err)
	for column, values := range map[string][]string{"re_kopf.stat": {"OP", "PD", "NP"}, "kd.sperre": {"N", "J"}} {
		name, col, _ := strings.Cut(column, ".")
		table, _ := s.Table(name)
		c, _ := table.Column(col)
		c.Values, c.Complete = values, true
	}
	return s
}

func TestSchemaTextShowsComments(t *testing.T) {
	want := `kd(id int primary key, name text, sperre text in ('N', 'J') "locked (J), free to order (N)", note text "at most 200 characters")
re_kopf(id int primary key, kd int "customer who pays; see kd", stat text in ('OP', 'PD', 'NP') "OP open, PD paid, NP not paid in time", art int "1 = invoice / 2 = credit note", betrag decimal "gross amount in 'EUR'") "invoices sent to clients"
`
	must.Same(t, SchemaText(billing(t), StyleTyped), want)
	if got := SchemaText(billing(t),
		StyleNames); got != "kd(id, name, sperre, note)\nre_kopf(id, kd, stat, art, betrag)\n" {
		t.Errorf("names alone: %s", got)
	}
}

func TestShownComment(t *testing.T) {
	long := strings.Repeat("eighteen bytes and ", 10)
	for _, tt := range []struct{ name, comment, want string }{
		{"stat", "", ""},
		{"customer_name", "Name of the customer", ""},
		{"stat", "state\x1b[31m\r\n\tof it", ` "state [31m of it"`},
		{"x", long, ` "eighteen bytes and eighteen bytes and eighteen bytes and eighteen bytes and…"`},
		{"x", strings.Repeat("ü", 50), ` "` + strings.Repeat("ü", 40) + `…"`},
		{"x", "a" + strings.Repeat("ü", 50), ` "a` + strings.Repeat("ü", 39) + `…"`},
	} {
		must.Same(t, shownComment(tt.name, tt.comment), tt.want, tt.name, tt.comment)
	}
}

// What a comment says of a code is a name of that value.
func TestLinkValuesByComment(t *testing.T) {
	for asked, want := range map[string][]string{
		"Show all open invoices":                    {"re_kopf.stat = 'OP' (open)"},
		"Which invoices were paid?":                 {"re_kopf.stat = 'PD' (paid)"},
		"Which invoices were not paid in time?":     {"re_kopf.stat = 'NP' (not paid in time)"},
		"Sum of all credit notes":                   {"re_kopf.art = 2 (credit note)"},
		"Show open or paid invoices":                nil, // two codes
		"Invoices in state OP":                      {"re_kopf.stat = 'OP'"},
		"Which clients are locked?":                 {"kd.sperre = 'J' (locked)"},
		"Names of free clients":                     {"kd.sperre = 'N' (free to order)"},
		"Clients with notes of many characters":     nil,
		"How many are there?":                       nil,
		"Open invoices of clients that are locked?": {"re_kopf.stat = 'OP' (open)", "kd.sperre = 'J' (locked)"},
	} {
		var got []string
		s := billing(t)
		for _, v := range LinkValues(question.Read(asked, s), s, nil) {
			got = append(got, v.String())
		}
		must.Same(t, got, want, asked)
	}
}

// A comment's words lead to its table.
func TestLinkByComment(t *testing.T) {
	for asked, want := range map[string][]string{
		"How many invoices are there?":    {"re_kopf"},
		"What is the gross amount?":       {"re_kopf"},
		"How many clients are locked?":    {"kd", "re_kopf"},
		"How many kd are there?":          {"kd"},
		"Which are locked?":               {"kd"},
		"How much does the customer pay?": {"re_kopf"},
	} {
		s, max := billing(t), 1
		if asked == "How many clients are locked?" {
			max = 2
		}
		focus, _ := Link(question.Read(asked, s), s, nil, max)
		must.Same(t, focus.TableNames(), want, asked)
	}
}

// Comments are written by whoever may alter a table: whatever they hold, a table stays one line of bounded length.
func FuzzComment(f *testing.F) {
	f.Add("OP open, PD paid", "open")
	f.Add("open (OP), 1=paid\n", "paid")
	f.Add(strings.Repeat("\x80", 100), "")
	f.Fuzz(func(t *testing.T, comment, asked string) {
		s := billing(t)
		for i := range s.Tables {
			s.Tables[i].Comment = comment
			for j := range s.Tables[i].Columns {
				s.Tables[i].Columns[j].Comment = comment
			}
		}
		if text := shownComment("x", comment); len(text) > maxComment+6 || strings.ContainsAny(text, "\r\n\x00\x1b") ||
			strings.Count(text, `"`) > 2 {
			t.Errorf("%q", text)
		}
		for _, v := range LinkValues(question.Read(asked, s), s, nil) {
			table, _ := s.Table(v.Table)
			if c, ok := table.Column(v.Column); !ok || !v.Number && !slices.Contains(c.Values, v.Value) {
				t.Errorf("%q of %q gives %s", asked, comment, v)
			}
		}
	})
}

// What a comment says of NULL, of codes and of units is in the prompt of every set where the question speaks of it.
func TestCommentsInPrompts(t *testing.T) {
	s := must.Get(schema.ParseDDL("power", "CREATE TABLE plant (id int PRIMARY KEY, shut date COMMENT 'NULL while running', "+
		"sold date COMMENT 'day of the sale; NULL: unsold', kind tinyint COMMENT '1 = wind, 2 = solar', cost int COMMENT 'in cents')"))(t)
	for asked, want := range map[string]string{
		"Which plants are running?": "NULL while running", "How many plants are unsold?": "NULL: unsold",
		"List the solar plants": "kind = 2", "How many cents did plant 3 cost?": "in cents",
	} {
		for _, set := range []string{"default", "typed"} {
			env := Env{Asked: question.Read(asked, s), Schema: s}
			all := ""
			for _, m := range must.Get(must.Get(NewPrompts(set, nil))(t).Generate(env))(t) {
				all += m.Content
			}
			must.Be(t, strings.Contains(all, want), set, asked, all)
		}
	}
}
