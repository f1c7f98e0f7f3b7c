package question

import (
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/schema"
)

func TestUnlinked(t *testing.T) {
	s := &schema.Schema{Tables: []schema.Table{
		{Name: "ship", Columns: []schema.Column{{Name: "shipName", Type: "varchar(20)"},
			{Name: "built_year", Type: "int"}, {Name: "type", Type: "varchar(20)",
				Values: []string{"Cargo ship", "Tanker"}}}},
		{Name: "employee", Columns: []schema.Column{{Name: "hire_date", Type: "date"},
			{Name: "nationality", Type: "varchar(20)"}}},
	}}
	for _, tt := range []struct {
		asked  string
		beside []string
		want   []string
	}{
		{"How many ships are there?", nil, nil},
		{"List the names of all tankers built before 1990.", nil, nil},
		{"Which employees have never built anything, and did nobody ask everyone about somebody?",
			nil, []string{"ask"}},
		{"Show the nation of each employed person.", nil, nil},
		{"What is the average salary of each employee?", nil, []string{"salary"}},
		{"Which captain commands the ship 'Queen Mary'?", nil, []string{"captain", "command"}},
		{"Which captain commands the ship 'Queen Mary'?", []string{"captain, skipper", "commands"}, nil},
		{"Which employees smoke in Rotterdam?", nil, []string{"smoke"}}, // a name is a value
	} {
		got := Read(tt.asked, s).Unlinked(tt.beside...)
		if len(got) == 0 {
			got = nil
		}
		must.Same(t, got, tt.want, tt.asked)
	}
}
