package tools

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/question"
)

var update = flag.Bool("update", false, "rewrite testdata/prompt/*.golden")

// TestPrompts renders every template of every set.
func TestPrompts(t *testing.T) {
	notes := must.Get(ParseNotes(strings.NewReader("takings, revenue = SUM(tickets.price)\nunused = nothing\n")))(t)
	for set := range promptSets {
		p := must.Get(NewPrompts(set, notes))(t)
		s := shop(t)
		env := Env{Asked: question.Read("What are the takings per hall? {{.Schema}}", s), Schema: s,
			Constraints: &question.Constraints{Agg: "SUM", NeedsGroupBy: true}}
		env.Focus, _ = Link(env.Asked, s, notes, p.MaxTables)
		failing := env
		failing.SQL, failing.Err = "SELECT b", "unknown_column:b"
		failing.Failed = []Attempt{{"SELECT a", "unknown_column:a"}, {"SELECT b", "unknown_column:b"}}
		for name, render := range map[string]func() ([]llm.Message, error){
			"generate":   func() ([]llm.Message, error) { return p.Generate(env) },
			"regenerate": func() ([]llm.Message, error) { return p.Generate(failing) },
			"repair":     func() ([]llm.Message, error) { return p.Repair(failing) },
			"baseline":   func() ([]llm.Message, error) { return p.Baseline(env) },
			"react": func() ([]llm.Message, error) {
				return p.React(env, []string{"User question: x",
					"Action: y[{}]"})
			},
		} {
			t.Run(set+"_"+name, func(t *testing.T) {
				msgs := must.Get(render())(t)
				var b strings.Builder
				for _, m := range msgs {
					b.WriteString("-- " + m.Role + " --\n" + m.Content + "\n")
				}
				golden := filepath.Join("testdata", "prompt", set+"_"+name+".golden")
				if *update {
					must.Do(t, os.WriteFile(golden, []byte(b.String()), 0o644))
				}
				want := must.Get(os.ReadFile(golden))(t)
				must.Same(t, b.String(), string(want), "mismatch , rerun with -update if intended")
			})
		}
	}
}

// TestPromptPrefix: what all questions share comes first, so that one prefix cache serves them.
func TestPromptPrefix(t *testing.T) {
	p := must.Get(NewPrompts("default", nil))(t)
	s := shop(t)
	var first []llm.Message
	for _, q := range []string{"How many halls?", "Which tickets cost more than 5?"} {
		env := Env{Asked: question.Read(q, s), Schema: s}
		env.Focus, _ = Link(env.Asked, s, nil, p.MaxTables)
		msgs := must.Get(p.Generate(env))(t)
		if first == nil {
			first = msgs
		}
		must.Same(t, msgs[0], first[0], "the first message depends on the question (-first +now")
	}
}

// Pairs are turns of the chat before the question; the last turn of a conversation stands there alone.
func TestPromptTurns(t *testing.T) {
	p := must.Get(NewPrompts("typed", nil))(t)
	p.Pairs = []Pair{{Question: "How many halls are there?", SQL: "SELECT COUNT(*) FROM halls"}}
	s := shop(t)
	same := func(asked string, want ...string) {
		msgs := must.Get(p.Generate(Env{Asked: question.Read(asked, s), Schema: s}))(t)
		must.Equal(t, msgs[0].Role, "system")
		var got []string
		for _, m := range msgs[1:] {
			got = append(got, m.Role+": "+m.Content)
		}
		must.Same(t, got, want)
	}
	same("Which?", "user: How many halls are there?", "assistant: SELECT COUNT(*) FROM halls", "user: Which?")
	p.Behind, p.Said = Pair{Question: "How many tickets are there?", SQL: "SELECT COUNT(*) FROM tickets"}, "Without?"
	same("How many tickets are there? Without?", "user: How many tickets are there?",
		"assistant: SELECT COUNT(*) FROM tickets", "user: Without?")
}

func TestUnknownPromptSet(t *testing.T) {
	if _, err := NewPrompts("best", nil); err == nil || !strings.Contains(err.Error(), "dissertation") {
		t.Errorf("NewPrompts(best) = %v, want an error that names the sets", err)
	}
}

func TestParseNotes(t *testing.T) {
	notes, err := ParseNotes(strings.NewReader("\uFEFF# glossary\n\ntakings, total revenue = SUM(price)\r\nshow = a row of shows\n"))
	must.Do(t, err)
	want := Notes{{[]string{"takings", "total revenue"}, "SUM(price)", 3}, {[]string{"show"}, "a row of shows", 4}}
	must.Same(t, notes, want, "mismatch")
	for q, n := range map[string]int{
		"Total revenues of all shows": 2, "what are the takings?": 1, "total of the revenue": 0, "showing": 0, "": 0,
	} {
		must.Equal(t, len(notes.Linked(question.Read(q, nil))), n, "Linked", q)
	}
	for _, bad := range []string{"no meaning", "= x", "term =", strings.Repeat("x", 600) + "= y"} {
		if _, err := ParseNotes(strings.NewReader(bad)); err == nil {
			t.Errorf("ParseNotes(%.20q) gave no error", bad)
		}
	}
}

func FuzzParseNotes(f *testing.F) {
	f.Add("a, b = c\n# d\n")
	f.Fuzz(func(t *testing.T, text string) {
		notes, err := ParseNotes(strings.NewReader(text))
		must.Be(t, err != nil || len(notes) <= maxNotes, len(notes), "notes")
		notes.Linked(question.Read(text, nil))
	})
}

// recorder keeps the parameters of the last call.
type recorder struct{ p llm.Params }

func (r *recorder) Generate(_ context.Context, _ []llm.Message, p llm.Params) (llm.Completion, error) {
	r.p = p
	return llm.Completion{Text: "SELECT 1"}, nil
}

func TestRetryParams(t *testing.T) {
	tests := []struct {
		set   string
		base  llm.Params
		retry int
		want  llm.Params
	}{
		{"default", llm.Params{}, 0, llm.Params{MaxTokens: 256, Stop: []string{";"}}},
		{"default", llm.Params{}, 2, llm.Params{MaxTokens: 256, Stop: []string{";"}, Temperature: retryTemperature,
			TopP: retryTopP, Seed: 2}},
		{"default", llm.Params{Temperature: 0.3, Seed: 9}, 2, llm.Params{MaxTokens: 256, Stop: []string{";"},
			Temperature: 0.3, Seed: 9}},
		{"dissertation", llm.Params{}, 2, llm.Params{MaxTokens: 128}},
	}
	for _, tt := range tests {
		p := must.Get(NewPrompts(tt.set, nil))(t)
		must.Same(t, p.retryParams(tt.base, tt.retry), tt.want, tt.set, "retry", tt.retry)
	}
}

func TestSQLParams(t *testing.T) {
	for set, want := range map[string]llm.Params{
		"default":      {MaxTokens: 256, Stop: []string{";"}, Temperature: 0.5},
		"dissertation": {MaxTokens: 128, Temperature: 0.5},
	} {
		p := must.Get(NewPrompts(set, nil))(t)
		model := &recorder{}
		must.Get((writeSQL{GenerateSQL, p.Generate, model, p, llm.Params{Temperature: 0.5}}).Run(t.Context(),
			Env{Asked: question.Read("q", nil), Schema: shop(t)}, nil))(t)
		must.Same(t, model.p, want, set)
	}
}
