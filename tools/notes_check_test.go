package tools

import (
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/question"
)

// A note that names what the schema does not have is refused; plain words, terms, aliases and texts are no names.
func TestNotesCheck(t *testing.T) {
	for _, tt := range []struct{ meaning, want string }{
		{"SUM(re_kopf.betrag)", ""},
		{"SUM(re_kopf.betrg)", "line 3: re_kopf has no column betrg; did you mean betrag?"},
		{"SUM(re_kof.betrag)", "line 3: there is no table re_kof; did you mean re_kopf?"},
		{"re_kopf.sperre = 'J'", "line 3: re_kopf has no column sperre; kd has"},
		{"RE_KOPF.BETRAG * 1.19", ""},
		{"SUM(betrag)", ""},
		{"SUM(betrg)", "line 3: there is no table or column betrg; did you mean betrag?"},
		{"betrag * kurs", "line 3: there is no table or column kurs"},
		{"the client whose stat = 'OP'", ""},
		{"the client whose state = 'OP'", "line 3: there is no table or column state; did you mean stat?"},
		{"COUNT(*) of kd", ""},
		{"stat = open, e.g. 'kd.foo', see www.example.com (as above)", ""},
		{"turnover > 100", ""}, // a term of line 2
		{"id IN (SELECT r.kd FROM re_kopf r WHERE r.art = 2)", ""},
		{"id IN (SELECT r.kd FROM re_kopf AS r WHERE r.arg = 2)",
			"line 3: re_kopf has no column arg; did you mean art?"},
		{"`re_kopf`.`betrag`", ""},
		{"other.re_kopf.betrag", ""},
		{"kd.*", ""},
	} {
		notes, err := ParseNotes(strings.NewReader("# words\nturnover = SUM(betrag)\nterm = " + tt.meaning + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := notes.Check(billing(t)); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.meaning, got, tt.want)
		}
	}
}

// Comments hint where a prompt shows names alone; what is taught to read comments keeps its bytes.
func TestCommentNotes(t *testing.T) {
	s := billing(t)
	for set, want := range map[string]string{
		"default": "Hints: re_kopf.betrag: \"gross amount in 'EUR'\";",
		"typed":   "",
	} {
		p := must.Get(NewPrompts(set, nil))(t)
		msgs := must.Get(p.Generate(Env{Asked: question.Read("What is the highest gross figure?", s), Schema: s}))(t)
		_, got, _ := strings.Cut(msgs[len(msgs)-1].Content, "\n")
		if got != want {
			t.Errorf("%s: got %q, want %q", set, got, want)
		}
	}
}
