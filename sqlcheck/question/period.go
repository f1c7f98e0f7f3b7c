package question

import "strconv"

// ThisMonth reports whether the question speaks of the month that today is in, and not of what comes back each year.
func (q *Question) ThisMonth() bool {
	if q.Has("birthday", "birthdays", "anniversary", "anniversaries", "every", "each", "geburtstag", "geburtstage") {
		return false
	}
	for i := range q.Words {
		if q.Is(i, "month", "monat", "mes", "mois") && q.Is(i-1, "this", "current", "diesem", "diesen", "aktuellen", "este", "ce") {
			return true
		}
	}
	return false
}

// Decade reports whether the question speaks of the ten years from year on: "the 1980s".
func (q *Question) Decade(year int) bool {
	n := strconv.Itoa(year)
	return q.Has(n+"s", n+"er")
}
