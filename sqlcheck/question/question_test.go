package question

import (
	"fmt"
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/schema"
)

// What Read makes of a text: words in lower case; masked ones in brackets, those with a capital with one, what follows.
func TestRead(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"List the wards.", "List the wards."},
		{"Show ratingDate and rating_dates, please: 3.5 of 1.000", "Show rating date and rating date, please. 3.5 of 1.000"},
		{`"Red Oak" or 'it is' of the doctors' wards`, "[red] [oak] or [it] [is] of the doctors wards"},
		{"the 'Red Oak's size", "the Red Oak s size"},
		{"how many Kidneys (or lungs)?", "how many Kidneys. or lungs."},
		{"caf\u0065\u0301 _id", "caf\u0065\u0301 id"},
		{"", ""},
	} {
		var got []string
		for _, w := range Read(tt.text, examples.Clinic(t)).Words {
			s := w.Low
			if w.upper {
				s = strings.ToUpper(s[:1]) + s[1:]
			}
			if w.Masked {
				s = "[" + w.Low + "]"
			}
			if w.comma {
				s += ","
			}
			if w.stop {
				s += "."
			}
			got = append(got, s)
		}
		must.Same(t, strings.Join(got, " "), tt.want, tt.text)
	}
}

// A question that is tied to a part of its schema is read as if it had been read for that part.
func TestIn(t *testing.T) {
	whole := examples.Clinic(t)
	part := &schema.Schema{Tables: whole.Tables[:1]}
	text := "How many patients of the largest wards did Dr Grey see in 2003?"
	q := Read(text, whole)
	must.Be(t, q.In(whole) == q, "it is tied to its own schema again")
	must.Same(t, fmt.Sprint(q.In(part).Words), fmt.Sprint(Read(text, part).Words))
}

func TestSpelled(t *testing.T) {
	for text, want := range map[string]string{
		"Which customers are in San Francisco?": `[] ["San Francisco"]`, "Alpha Cognac's orders": `[] ["Cognac"]`,
		`the "pH Meter" of 'Cour d'appel', or of ‘it’`: `["pH Meter" "Cour d'appel" "it"] ["Meter" "Cour"]`,
		"orders of AT&T and of Rolls-Royce.":           `[] ["AT&T" "Rolls-Royce"]`, "": `[] []`,
	} {
		quoted, capitals := Read(text, nil).Spelled()
		must.Equal(t, fmt.Sprintf("%q %q", quoted, capitals), want, text)
	}
}

func BenchmarkRead(b *testing.B) {
	s := examples.Clinic(b)
	b.ReportAllocs()
	for b.Loop() {
		Read("What are the names of the doctors who saw more than 3 patients of the largest ward in 2003?", s)
	}
}
