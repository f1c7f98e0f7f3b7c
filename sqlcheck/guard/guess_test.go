package guard

import "testing"

// A reader is told of every change of what runs, and of every name that the model did not write.
func TestGuess(t *testing.T) {
	s := pairSchema(t)
	for _, tt := range []struct {
		guard, sql string
		touches    Touches
		guess      bool
	}{
		{"clean", "So: SELECT city FROM wards;", Refused, false},
		{"casing", "SELECT CITY FROM WARDS", Refused, false},
		{"columns", "SELECT p.fee FROM patients p JOIN visits v ON p.patientId = v.patientId", Refused, false},
		{"columns", "SELECT visit_date FROM visits", Refused, false},
		{"columns", "SELECT country FROM visits", Refused, true},
		{"names", "SELECT city FROM ward", Refused, true},
		{"names", "SELECT v.visitDat FROM visits v", Refused, true},
		{"aggregate", "SELECT country, COUNT(*) FROM patients", Refused, false},
		{"layers", "SELECT AVG(COUNT(*)) FROM visits GROUP BY patientId", Refused, false},
		{"texts", "SELECT patientName FROM patients WHERE country = 'United Kingdom'", Empty, true},
		{"flags", "SELECT person FROM membership WHERE paid IS NULL", Empty, true},
		{"concat", "SELECT firstName || lastName FROM doctors", Reads, true},
		{"dates", "SELECT endDate - visitDate FROM visits", Reads, true},
		{"years", "SELECT YEAR(year) FROM membership", Reads, true},
		{"datetexts", "SELECT YEAR(opened) FROM club", Meaning, true},
		{"joins", "SELECT w.city FROM wards w JOIN patients p ON p.doctorId = w.wardCode", Meaning, true},
	} {
		_, changes, _ := setNamed(tt.guard).Apply(tt.sql, Input{Schema: s})
		if len(changes) != 1 || changes[0].Touches != tt.touches || changes[0].Guess != tt.guess {
			t.Errorf("%s: %s: %+v, want %s, %v", tt.guard, tt.sql, changes, tt.touches, tt.guess)
		}
	}
}
