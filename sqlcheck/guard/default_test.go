package guard

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/sqlcheck/internal/examples"
)

// The default set leaves queries as they are that run and may be right, however near they are to what models get wrong.
func TestDefaultLeavesWhatRuns(t *testing.T) {
	s := examples.MustParse(t, "club", clubDDL)
	club, _ := s.Table("club")
	opened, _ := club.Column("opened")
	opened.Values, opened.Complete = []string{"by Mayor Lee", "by Mayor Ames"}, true
	set, err := ParseSet("default")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, question, sql string }{
		{"an unknown number is in no sum", "Which clubs cost at most 9 with 5 on top?",
			"SELECT title FROM club WHERE fee + 5 <= 9"},
		{"an unknown number is in no average", "What is the average extra plus one?",
			"SELECT AVG(extra + 1) FROM club"},
		{"the order of another table", "the last five memberships of our oldest person",
			"SELECT m.since FROM membership AS m JOIN person AS p ON m.person = p.id ORDER BY m.since DESC LIMIT 5"},
		{"the order of another table, opened late", "the last opened club of the oldest person",
			"SELECT c.title FROM club AS c JOIN membership AS m ON m.club = c.id JOIN person AS p ON m.person = p.id ORDER BY m.came DESC LIMIT 1"},
		{"one row of those that are equal", "one person of each kin",
			"SELECT name FROM (SELECT name,ROW_NUMBER() OVER (PARTITION BY kin ORDER BY age) AS n FROM person) AS r WHERE n = 1"},
		{"rows without a partner", "persons without a membership",
			"SELECT p.name FROM person AS p LEFT JOIN membership AS m ON m.person = p.id WHERE m.active IS NULL"},
		{"a mayor is no month", "clubs opened in May", "SELECT title FROM club WHERE MONTH(opened) = 5"},
	} {
		got, changes, v := set.Apply(tt.sql, Input{Question: tt.question, Schema: s})
		if diff := cmp.Diff(tt.sql, got); diff != "" || !v.OK {
			t.Errorf("%s: %s %v %v", tt.name, diff, changes, v)
		}
	}
}

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
		{"years", "SELECT YEAR(opened) FROM club", Reads, true},
		{"joins", "SELECT w.city FROM wards w JOIN patients p ON p.doctorId = w.wardCode", Meaning, true},
	} {
		_, changes, _ := setNamed(tt.guard).Apply(tt.sql, Input{Schema: s})
		if len(changes) != 1 || changes[0].Touches != tt.touches || changes[0].Guess != tt.guess {
			t.Errorf("%s: %s: %+v, want %s, %v", tt.guard, tt.sql, changes, tt.touches, tt.guess)
		}
	}
}
