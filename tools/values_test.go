package tools

import (
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/question"
)

func TestLinkValues(t *testing.T) {
	s := shop(t)
	halls, _ := s.Table("halls")
	hallName, _ := halls.Column("hallName")
	hallName.Values = []string{"Old Mill", "Porto", "Riverside Arena"}
	hallName.Complete = true
	staff, _ := s.Table("staff")
	first, _ := staff.Column("first_name")
	// the padded one is the most frequent
	first.Values = []string{"Porto", "Mill", "7", "x", "Norway  ", "Norway", "norway"}
	tests := []struct {
		question string
		want     []string
	}{
		{"Which halls are in porto?", []string{"halls.hallName = 'Porto'"}},
		{"Staff called Porto", []string{"staff.first_name = 'Porto'"}},
		{"What plays at the Old Mill", []string{"halls.hallName = 'Old Mill'"}},
		{"Halls in New Town or in Porto", []string{"halls.hallName = 'Porto'", "halls.town = 'New Town'"}},
		{"Staff called Norway", []string{"staff.first_name = 'Norway'"}},
		{"Staff called 'Norway  '", []string{"staff.first_name = 'Norway  '"}},
		{"Staff called norway", []string{"staff.first_name = 'norway'"}},
		{"Staff called NORWAY", []string{"staff.first_name = 'Norway  '"}},
		{"row 7 of x", nil},
		{"What plays at the Riverside?", []string{"halls.hallName = 'Riverside Arena' (riverside)"}},
		{"What plays at the riverside?", nil},
		{"Was spielt man am Riverside, und wie viel ist dort die Miete?", nil}, // all nouns have a capital
		{"Portofino", nil},
	}
	for _, tt := range tests {
		var got []string
		for _, v := range LinkValues(question.Read(tt.question, s), s, nil) {
			got = append(got, v.String())
		}
		must.Same(t, got, tt.want, "LinkValues", tt.question)
	}
}
