package report

import (
	"strings"
	"testing"

	"nl2sql/evaluation/record"
	"nl2sql/evaluation/score"
	"nl2sql/scripts/must"
)

// marks makes a run of one letter an item: "." does not run, "x" runs and is wrong, "e" is wrong on a replica only,
// "o" is right; "O" is right and was never run on replicas.
func marks(name, condition, seed, items string) record.Run {
	run := record.Run{Name: name, Card: record.Card{Condition: condition, Seed: seed, Shots: 3}}
	for i, mark := range items {
		s := score.Score{VA: mark != '.', EX: strings.ContainsRune("eoO", mark)}
		if same := mark == 'o'; strings.ContainsRune("xeo", mark) {
			s.TS = &same
		}
		run.Records = append(run.Records, record.Record{ID: string(rune('a' + i)),
			Scores: map[string]score.Score{"p": s}})
	}
	return run
}

func TestConditions(t *testing.T) {
	other := marks("other", "c", "17", "oo")
	other.Records[0].Question = "another question"
	first := marks("first", "c", "7", "oo")
	first.Records[0].Question = "a question"
	hashed := func(r record.Run, hash string) record.Run { r.Card.Items = hash; return r }
	for _, tt := range []struct {
		name    string
		runs    []record.Run
		want    string // conditions and their runs
		wantErr string
	}{
		{"none", nil, "", "no runs"},
		{"no records", []record.Run{marks("empty", "c", "7", "")}, "", "run empty has no records"},
		{"by condition, in seed order", []record.Run{marks("x", "b", "7", "o"), marks("c", "a", "17", "o"),
			marks("b", "a", "7", "o"), marks("d", "a", "best", "o")}, "b(x) a(b c d)", ""},
		{"no condition", []record.Run{marks("x", "", "7", "o"), marks("y", "", "7", "o")}, "x(x) y(y)", ""},
		{"seed twice", []record.Run{marks("x", "a", "7", "o"), marks("y", "a", "7", "o")}, "",
			"runs x and y are both condition a, seed 7: give one of them"},
		{"lengths", []record.Run{marks("x", "a", "7", "oo"), marks("y", "a", "8", "o")}, "",
			"run x has 2 items, run y has 1: finish the shorter one or report them apart"},
		{"longer", []record.Run{marks("x", "a", "7", "o"), marks("y", "a", "8", "oo")}, "",
			"item b is in run y and not in x: report them apart"},
		{"items", []record.Run{first, other}, "",
			"item a asks one thing in run first and another in other: report them apart"},
		{"hashes", []record.Run{hashed(first, "0123456789abcdef"), hashed(marks("z", "c", "9", "oo"), "ffff")}, "",
			"answered different item files (0123456789ab and ffff)"},
	} {
		got, err := Conditions(tt.runs)
		var names []string
		for _, c := range got {
			var runs []string
			for _, r := range c.Runs {
				runs = append(runs, r.Name)
			}
			names = append(names, c.Name+"("+strings.Join(runs, " ")+")")
		}
		if s := strings.Join(names, " "); s != tt.want || (err == nil) != (tt.wantErr == "") || err != nil &&
			!strings.Contains(err.Error(), tt.wantErr) {
			t.Errorf("%s: %q, %v; want %q, %q", tt.name, s, err, tt.want, tt.wantErr)
		}
	}
}

// The original's names say more than its records: the model's tag and the method.
func TestConditionOf(t *testing.T) {
	for _, tt := range []struct {
		card record.Card
		want Condition
	}{
		{record.Card{Condition: "llama_base_k3", Model: "meta-llama/8B", Agent: "baseline", Shots: 3},
			Condition{Name: "llama_base_k3", Model: "llama", Method: "base", Shots: 3}},
		{record.Card{Condition: "llama_base_k3", Model: "m", Agent: "loop", Shots: 5}, Condition{Name: "llama_base_k3",
			Model: "m", Method: "loop", Shots: 5}},
		{record.Card{Condition: "mine", Model: "m", Agent: "loop"},
			Condition{Name: "mine", Model: "m", Method: "loop"}},
		{record.Card{Model: "m", Agent: "loop"}, Condition{Name: "run", Model: "m", Method: "loop"}},
	} {
		must.Same(t, conditionOf(record.Run{Name: "run", Card: tt.card}), tt.want)
	}
}
