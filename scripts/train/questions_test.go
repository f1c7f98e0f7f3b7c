package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"nl2sql/loop/item"
	"nl2sql/scripts/must"
)

// generate returns what the generator writes about our own databases, so many questions each.
func generate(t *testing.T, only string, each int, without string) (items, wrong []item.Item, text []byte) {
	t.Helper()
	g := generator{out: t.TempDir(), ofMade: each, ofLocal: min(each/10, 6)}
	must.Do(t, g.run(context.Background(), "", "", without, only))
	text, err := os.ReadFile(filepath.Join(g.out, "items.jsonl"))
	must.Do(t, err)
	if items, err = item.Load(filepath.Join(g.out, "items.jsonl")); err != nil {
		t.Fatal(err)
	}
	if wrong, err = item.Load(filepath.Join(g.out, "repairs.jsonl")); err != nil {
		t.Fatal(err)
	}
	return items, wrong, text
}

// Each pattern finds its roles in one of our own databases at least.
func TestEveryPatternAsks(t *testing.T) {
	items, _, _ := generate(t, "", 150, "")
	asked := map[string]bool{}
	for _, it := range items {
		asked[it.Family] = true
	}
	patterns := must.Get(readPatterns(patternText))(t)
	local := must.Get(readPatterns(languageText))(t)
	for _, p := range append(patterns, local...) {
		must.Be(t, asked[p.name], p.name, "asks nothing")
	}
}

// The same seed gives the same bytes; questions of a file that is to be left out are not asked.
func TestSameBytesAndLeftOut(t *testing.T) {
	items, wrong, first := generate(t, "gym", 60, "")
	_, _, again := generate(t, "gym", 60, "")
	must.Be(t, bytes.Equal(first, again), "two runs differ")
	must.Be(t, len(items) == 60+3*24 && len(wrong) != 0, len(items), "items and", len(wrong), "repairs")
	for _, it := range wrong {
		must.Be(t, it.Wrong != "" && it.Wrong != it.SQL, it.ID, "its wrong query is", it.Wrong)
	}
	file := filepath.Join(t.TempDir(), "known.jsonl")
	must.Do(t, os.WriteFile(file, first, 0o644))
	known := map[string]bool{}
	for _, it := range items {
		known[normal(it.Question)] = true
	}
	others, _, _ := generate(t, "gym", 60, file)
	for _, it := range others {
		must.Be(t, !known[normal(it.Question)], "asked again", it.Question)
	}
}

func TestWords(t *testing.T) {
	for in, want := range map[string]string{"company": "companies", "date of birth": "dates of birth", "box": "boxes",
		"person": "people", "number of seats": "numbers of seats"} {
		must.Equal(t, plural(in), want, "plural of", in)
	}
	for in, want := range map[string]string{"companies": "company", "people": "person",
		"addresses": "address", "bus": "bus"} {
		must.Equal(t, singular(in), want, "singular of", in)
	}
	for in, want := range map[string]string{"were placed": "was placed",
		"are open and were paid": "is open and was paid", "have a fee": "has a fee", "joined": "joined"} {
		must.Equal(t, single(in), want, in)
	}
	for in, want := range map[string]string{"order": "an order", "hours": "hours",
		"number of seats": "a number of seats", "unit": "a unit"} {
		must.Equal(t, article(in), want, "article of", in)
	}
}

func TestForms(t *testing.T) {
	for _, c := range []struct{ lang, noun, attr, want string }{
		{"fr", "order", "du", "de la commande"}, {"fr", "employee", "le", "l'employé"},
		{"fr", "employee", "de", "d'employés"}, {"fr", "address", "du", "de l'adresse"},
		{"es", "price", "du", "del precio"}, {"es", "order line", "Cuántos", "Cuántas"}, {"de", "price", "den", "den"},
		{"de", "age", "r", "s"},
	} {
		if got, _ := lexicon[c.lang][c.noun].form(c.lang, c.attr); got != c.want {
			t.Errorf("%s %s.%s: %q, want %q", c.lang, c.noun, c.attr, got, c.want)
		}
	}
	for in, want := range map[string]string{"customer": "Kunden", "student": "Studenten", "book": "Buch"} {
		must.Equal(t, lexicon["de"][in].dative(false), want, "to the", in)
	}
}
