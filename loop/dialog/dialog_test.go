package dialog

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/loop/internal/stories"
	"nl2sql/scripts/golds"
)

// A question that goes on is the last query with a change, where that is plain; else "" stands for the query.
func TestTake(t *testing.T) {
	_, s := stories.Demo(t)
	const (
		spain   = "SELECT customerName FROM customers WHERE country = 'Spain'"
		shipped = "SELECT COUNT(*) FROM orders WHERE status = 'Shipped'"
		in2003  = "SELECT COUNT(*) FROM orders WHERE YEAR(orderDate) = 2003"
		byCity  = "SELECT city, COUNT(*) FROM customers GROUP BY city"
	)
	for _, tt := range []struct{ before, sql, text, want, asked string }{
		{"Which customers are in Spain?", spain, "And in France?",
			"SELECT customerName FROM customers WHERE country = 'France'", "Which customers are in France?"},
		{"Which customers are in Spain?", spain, "what about France and Germany?",
			"SELECT customerName FROM customers WHERE country IN ('France','Germany')", ""},
		{"Which customers are in Spain?", spain, "Only those in Madrid",
			"SELECT customerName FROM customers WHERE country = 'Spain' AND city = 'Madrid'", ""},
		{"Which customers are in Spain?", spain, "without Madrid",
			"SELECT customerName FROM customers WHERE country = 'Spain' AND city != 'Madrid'", ""},
		{"Which customers are in Spain?", spain, "How many of them are in Madrid?",
			"SELECT COUNT(*) FROM customers WHERE country = 'Spain' AND city = 'Madrid'", ""},
		{"Which customers are in Spain?", spain, "how many are they?",
			"SELECT COUNT(*) FROM customers WHERE country = 'Spain'", ""},
		{"Which customers are in Spain?", spain, "also show their city",
			"SELECT customerName,city FROM customers WHERE country = 'Spain'", ""},
		{"Which customers are in Spain?", spain, "sort them by credit limit, highest first",
			"SELECT customerName FROM customers WHERE country = 'Spain' ORDER BY creditLimit DESC", ""},
		{"Which customers are in Spain?", spain, "just the top 3",
			"SELECT customerName FROM customers WHERE country = 'Spain' LIMIT 3", ""},
		{"Which customers are in Spain?", spain, "And in the moonlight?", "", ""},
		{"Which customers are in Spain?", spain, "by postal district", "", ""},
		{"How many orders were shipped?", shipped, "How many without?", "", ""}, // nothing would change
		{"Which customers are in Spain?", spain, "Show me their phone numbers as well", "", ""},
		{"How many orders were shipped?", shipped, "And cancelled?",
			"SELECT COUNT(*) FROM orders WHERE status = 'Cancelled'", ""},
		{"How many orders were shipped?", shipped, "for Spain",
			"SELECT COUNT(*) FROM orders JOIN customers ON orders.customerNumber = customers.customerNumber " +
				"WHERE status = 'Shipped' AND customers.country = 'Spain'", ""},
		{"How many orders were shipped?", shipped, "by customer number",
			"SELECT customerNumber,COUNT(*) FROM orders WHERE status = 'Shipped' GROUP BY customerNumber", ""},
		{"How many orders were there in 2003?", in2003, "And in 2004?",
			"SELECT COUNT(*) FROM orders WHERE YEAR(orderDate) = 2004", "How many orders were there in 2004?"},
		{"How many orders were there in 2003?", in2003, "by status",
			"SELECT status,COUNT(*) FROM orders WHERE YEAR(orderDate) = 2003 GROUP BY status", ""},
		{"How many orders were there in 2003?", in2003, "by moon", "", ""},
		{"What was paid in all?", "SELECT SUM(amount) FROM payments", "in 2004?",
			"SELECT SUM(amount) FROM payments WHERE YEAR(paymentDate) = 2004", ""},
		{"What was paid in all?", "SELECT SUM(amount) FROM payments", "And the largest?",
			"SELECT MAX(amount) FROM payments", ""},
		{"How many orders were shipped?", shipped, "in 2004?", "", ""}, // of three dates
		{"How many orders were shipped?", shipped, "How many of them are on hold?", "", ""},
		{"How many orders were shipped?", shipped, "per status", "SELECT status,COUNT(*) FROM orders GROUP BY status", ""},
		{"How many customers are in Spain?", "SELECT COUNT(*) FROM customers WHERE country = 'Spain'",
			"How many of them are in Madrid?",
			"SELECT COUNT(*) FROM customers WHERE country = 'Spain' AND city = 'Madrid'", ""},
		{"Which customers are in Spain?", spain, "only those in the city Madrid",
			"SELECT customerName FROM customers WHERE country = 'Spain' AND city = 'Madrid'", ""},
		{"Which customers are in Spain?", spain, "Add their moods", "",
			"Which customers are in Spain? Also show their moods"},
		{"How many customers are in each city?", byCity, "Now by country instead",
			"SELECT country,COUNT(*) FROM customers GROUP BY country", ""},
		{"How many customers are in each city?", byCity, "and by country", "", ""},
		{"How many customers are in each city?", byCity, "the highest first please",
			"SELECT city,COUNT(*) FROM customers GROUP BY city ORDER BY COUNT(*) DESC", ""},
		{"Which products cost more than 50?", "SELECT productName FROM products WHERE buyPrice > 50", "And more than 90?",
			"SELECT productName FROM products WHERE buyPrice > 90", "Which products cost more than 90?"},
		{"Wie viele Kunden gibt es in Spanien?", "SELECT COUNT(*) FROM customers WHERE country = 'Spain'",
			"Und in France?", "SELECT COUNT(*) FROM customers WHERE country = 'France'", ""},
	} {
		got := Take(tt.text, Turn{tt.before, tt.sql}, s)
		if diff := cmp.Diff(tt.want, got.SQL); diff != "" || !got.GoesOn {
			t.Errorf("%s %s: %v %s", tt.before, tt.text, got, diff)
		}
		if tt.asked != "" && got.Question != tt.asked {
			t.Errorf("%s %s: %s", tt.before, tt.text, got.Question)
		}
	}
}

// A question that stands alone is taken as it is, whatever was asked before: of Spider's that are not kept for scoring
// at most 3 in 100 go on.
func TestTakeAlone(t *testing.T) {
	last := Turn{"How many singers are there?", "SELECT COUNT(*) FROM singer"}
	n, on := 0, 0
	for _, it := range golds.Fit(t) {
		if n++; Take(it.Question, last, nil).GoesOn {
			on++
			t.Logf("%s", it.Question)
		}
	}
	if n < 4000 || on*100 > 3*n {
		t.Errorf("%d of %d", on, n)
	}
	if got := Take("And in Spain?", Turn{}, nil); got.GoesOn {
		t.Error("it goes on from nothing")
	}
}
