package candidates

import (
	"math"
	"testing"

	"nl2sql/loop"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/question"
)

func TestScorer(t *testing.T) {
	s := demoAgent(t, "default").Schema
	for _, tt := range []struct {
		name, question, sql string
		want                loop.Features
		missing             []string
	}{
		{"a synonym says the table", "List the names of our clients.", "SELECT customerName FROM customers",
			loop.Features{"words": 2, "columns": -0.5}, nil},
		{"a field is missing", "List the city and phone of our customers.", "SELECT city FROM customers",
			loop.Features{"fields": -3, "words": 4, "tokens": 0.2, "columns": -0.5}, []string{"phone"}},
		{"a star shows every field", "List the city and phone of our offices.", "SELECT * FROM offices",
			loop.Features{"words": 2, "tokens": 0.1, "columns": -4.5}, nil},
		{"the value is there", "Which customers are in San Francisco?",
			"SELECT customerName FROM customers WHERE city = 'San Francisco'",
			loop.Features{"words": 2, "tokens": 0.3, "values": 2, "columns": -0.5}, nil},
		{"and here it is not", "Which customers are in San Francisco?", "SELECT customerName FROM customers",
			loop.Features{"words": 2, "tokens": 0.1, "values": -2, "columns": -0.5}, nil},
		{"nobody knows the value", "Which customers are in Ankh Morpork?",
			"SELECT customerName FROM customers WHERE city = 'Ankh Morpork'",
			loop.Features{"words": 2, "tokens": 0.3, "values": 2, "columns": -0.5}, nil},
		{"a sum is wanted", "What is the total of all payments?", "SELECT SUM(amount) FROM payments",
			loop.Features{"words": 4, "tokens": 0.1, "sum": 3, "columns": -0.5}, nil},
		{"and not computed", "What is the total of all payments?", "SELECT amount FROM payments",
			loop.Features{"words": 2, "tokens": 0.1, "sum": -5, "columns": -0.5}, nil},
		{"one value of all", "What is the average payment per customer?", "SELECT AVG(amount) FROM payments",
			loop.Features{"words": 4, "tokens": 0.1, "group": -2, "columns": -0.5}, nil},
		{"no query", "What?", "SELEC", loop.Features{}, nil},
	} {
		got, missing := newScorer(question.Read(tt.question, s), nil).of(tt.sql, 0.5)
		for name := range got {
			if got[name] = math.Round(1000*got[name]) / 1000; got[name] == 0 {
				delete(got, name)
			}
		}
		must.Same(t, got, tt.want, tt.name)
		must.Same(t, missing, tt.missing, tt.name)
	}
}
