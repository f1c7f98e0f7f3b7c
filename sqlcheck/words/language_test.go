package words

import (
	"slices"
	"testing"

	"nl2sql/scripts/must"
)

func TestLanguageOf(t *testing.T) {
	for text, want := range map[string]Lang{
		"How many orders are there in Los Angeles?": English, "List the songs by Los Lobos": English,
		"orders 2023 total": English, "Show the product \"Die Hard\" and its price": English,
		"top 3 customers": English, "": English,
		"Wie viele Kunden gibt es?": German, "Anzahl der Bestellungen je Land": German,
		"Welche orders sind offen?": German,
		"¿Cuántos clientes hay?":    Spanish, "Cuantos pedidos tiene cada cliente": Spanish,
		"clientes con más de 3 pedidos": Spanish,
		"Combien de clients y a-t-il ?": French, "Quelles commandes sont ouvertes ?": French,
		"nombre de clients par pays": French,
	} {
		must.Equal(t, LanguageOf(text), want, "LanguageOf", text)
	}
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"köln", "koeln", true}, {"köln", "koln", true}, {"straße", "strasse", true}, {"medellín", "medellin", true},
		{"größe", "groesse", true}, {"blue", "blu", false}, {"does", "dos", false}, {"müller", "moller", false},
	} {
		must.Equal(t, Alike(c.a, c.b), c.want, "Alike", c.a, c.b)
	}
}

func TestHolds(t *testing.T) {
	for _, c := range []struct{ text, holds, not string }{
		{"Wie viele Bestellungen haben die Kunden?", "order", "invoice"},
		{"¿Qué pedidos están abiertos?", "open", "closed"},
		{"Wie viele offene Rechnungen gibt es?", "offen", "geschlossen"},
		{"factures non payées des clients", "customer", "order"},
		{"How many orders are open?", "open", "offen"},
	} {
		b := NewBag(c.text)
		if !b.Holds(c.holds) || b.Holds(c.not) {
			t.Errorf("%s: holds %s: %v, %s: %v", c.text, c.holds, b.Holds(c.holds), c.not, b.Holds(c.not))
		}
	}
}

func TestMeaningsOfEnglish(t *testing.T) {
	if got := Meanings(English, "order"); got != nil {
		t.Errorf("an English word means %v", got)
	}
	if got := Meanings(French, "Allemagne"); !slices.Contains(got, "germany") {
		t.Errorf("Allemagne means %v", got)
	}
}
