package question

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/sqlcheck/internal/examples"
)

func TestLanguageOf(t *testing.T) {
	for text, want := range map[string]string{
		"How many orders are there in Los Angeles?": "", "List the songs by Los Lobos": "", "orders 2023 total": "", "Show the product \"Die Hard\" and its price": "", "top 3 customers": "", "": "",
		"Wie viele Kunden gibt es?": "de", "Anzahl der Bestellungen je Land": "de", "Welche orders sind offen?": "de",
		"¿Cuántos clientes hay?": "es", "Cuantos pedidos tiene cada cliente": "es", "clientes con más de 3 pedidos": "es",
		"Combien de clients y a-t-il ?": "fr", "Quelles commandes sont ouvertes ?": "fr", "nombre de clients par pays": "fr",
	} {
		if got := LanguageOf(text); got != want {
			t.Errorf("LanguageOf(%q) = %q, want %q", text, got, want)
		}
	}
}

// The clinic has English names; patients, doctors, wards, visits.
func TestConstraintsInOtherLanguages(t *testing.T) {
	s := examples.Clinic(t)
	for _, tt := range []struct {
		question string
		want     Constraints
	}{
		{"Zeige alle Patienten.", Constraints{}},
		{"Wie viele Patienten gibt es?", Constraints{Agg: "COUNT"}},
		{"Patienten mit mindestens 3 Besuchen, die höchstens 40 sind", Constraints{}},
		{"Wie hoch ist das durchschnittliche Gehalt pro doctor?", Constraints{Agg: "AVG", NeedsGroupBy: true, Sure: "group_by"}},
		{"Zeige die drei Ärzte mit dem höchsten Gehalt", Constraints{Agg: "MAX", Limit: 3, NeedsOrderBy: true}},
		{"Welche Besuche gab es im letzten Jahr?", Constraints{}},
		{"Alle Ärzte, die mit dem höchsten Gehalt zuerst", Constraints{NeedsOrderBy: true}},
		{"Anzahl der Besuche nach Patient", Constraints{Agg: "COUNT", NeedsGroupBy: true}},
		{"¿Cuántos pacientes hay por país?", Constraints{Agg: "COUNT", NeedsGroupBy: true}},
		{"¿Qué pacientes tienen al menos 2 visitas? Muestra nombre y número.", Constraints{}},
		{"Muestra los pacientes de mayor a menor peso", Constraints{NeedsOrderBy: true}},
		{"¿Qué médico tiene más visitas?", Constraints{Agg: "MAX", NeedsOrderBy: true}},
		{"Combien de visites y a-t-il par patient ?", Constraints{Agg: "COUNT", NeedsGroupBy: true}},
		{"Combien d'euros ont été payés ?", Constraints{}},
		{"Affiche le nom et le nombre de visites", Constraints{}},
		{"Les 5 médecins avec le salaire maximal", Constraints{Agg: "MAX", NeedsOrderBy: true}},
	} {
		if d := cmp.Diff(tt.want, ExtractConstraints(tt.question, s)); d != "" {
			t.Errorf("%s: -want +got\n%s", tt.question, d)
		}
	}
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"köln", "koeln", true}, {"köln", "koln", true}, {"straße", "strasse", true}, {"medellín", "medellin", true}, {"größe", "groesse", true}, {"blue", "blu", false}, {"does", "dos", false}, {"müller", "moller", false},
	} {
		if got := alike(c.a, c.b); got != c.want {
			t.Errorf("alike(%s, %s) = %v", c.a, c.b, got)
		}
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
	if got := Meanings("", "order"); got != nil {
		t.Errorf("an English word means %v", got)
	}
	if got := Meanings("fr", "Allemagne"); !slices.Contains(got, "germany") {
		t.Errorf("Allemagne means %v", got)
	}
}

func TestDigits(t *testing.T) {
	q := Read("Wie viele Kunden haben mehr als 1.500 Euro und 2.5 Prozent?", nil)
	if !q.HasNumber(1500) || q.HasNumber(25) {
		t.Errorf("numbers of %v", q.Words)
	}
}
