package question

import (
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
)

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
		{"Wie hoch ist das durchschnittliche Gehalt pro doctor?", Constraints{Agg: "AVG", NeedsGroupBy: true,
			Sure: "group_by"}},
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
		must.Same(t, Read(tt.question, s).Constraints(), tt.want, tt.question)
	}
}

func TestDigits(t *testing.T) {
	q := Read("Wie viele Kunden haben mehr als 1.500 Euro und 2.5 Prozent?", nil)
	must.Be(t, q.HasNumber(1500) && !q.HasNumber(25), "numbers of", q.Words)
}
