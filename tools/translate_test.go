package tools

import (
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

// An English question about a database in another language is told what its words are called there; where names are
// English it is told nothing.
func TestPromptTranslates(t *testing.T) {
	s := must.Get(schema.ParseDDL("haus", `CREATE TABLE wohnungen (id int PRIMARY KEY, zimmer int, stadt varchar(20));
CREATE TABLE mietvertraege (id int PRIMARY KEY, wohnung_id int, beginn date, status varchar(12));`))(t)
	leases, _ := s.Table("mietvertraege")
	c, _ := leases.Column("status")
	c.Values, c.Complete = []string{"laufend", "beendet"}, true
	for _, set := range []string{"default", "typed", "dissertation"} {
		p, err := NewPrompts(set, nil)
		must.Do(t, err)
		msgs, err := p.Generate(Env{Asked: question.Read("How many running leases are there by town?", s), Schema: s})
		must.Do(t, err)
		text := msgs[len(msgs)-1].Content
		hints := " mietvertraege.status = 'laufend' (running); lease: mietvertraege; town: stadt;"
		must.Equal(t, strings.Contains(text, hints), set != "dissertation", set, text)
		p.NoValues = true
		if msgs, err = p.Generate(Env{Asked: question.Read("How many running leases are there by town?", s),
			Schema: s}); err != nil || strings.Contains(msgs[len(msgs)-1].Content, "stadt;") {
			t.Errorf("%s: %v %v", set, msgs, err)
		}
	}
}

// A word that names nothing is shown with the name that means it, unless a hint says it already, or it is switched off.
func TestPromptSynonyms(t *testing.T) {
	s := must.Get(schema.ParseDDL("stage", `CREATE TABLE singer (id int PRIMARY KEY, last_name varchar(20), country varchar(20));
CREATE TABLE concert (id int PRIMARY KEY, singer_id int, city varchar(20));`))(t)
	const asked = "How many vocalists of each nation are there?"
	for _, set := range []string{"default", "typed", "dissertation"} {
		for _, tt := range []struct {
			notes Notes
			off   bool
			hints string // of the sets that have them
		}{
			{nil, false, "\nHints: vocalists: singer; nation: country;"},
			{Notes{{Terms: []string{"vocalist"}, Meaning: "singer.id > 9"}}, false,
				"\nHints: vocalist: singer.id > 9; nation: country;"},
			{nil, true, ""},
		} {
			p := must.Get(NewPrompts(set, tt.notes))(t)
			p.NoSynonyms = tt.off
			msgs := must.Get(p.Generate(Env{Asked: question.Read(asked, s), Schema: s}))(t)
			if text := msgs[len(msgs)-1].Content; set != "dissertation" && text != asked+tt.hints ||
				set == "dissertation" && strings.Contains(text, "vocalists:") {
				t.Errorf("%s: %q, want %q", set, text, tt.hints)
			}
		}
	}
}
