package question

import (
	_ "embed"
	"strings"
	"testing"

	"nl2sql/scripts/golds"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
)

// followUps are texts that say nothing alone, as people write them.
//
//go:embed testdata/follows.txt
var followUps string

func TestFollowsUp(t *testing.T) {
	n := 0
	for text := range strings.SplitSeq(strings.TrimSpace(followUps), "\n") {
		if n++; !Read(text, nil).FollowsUp() {
			t.Errorf("%q is taken for a question", text)
		}
	}
	must.Be(t, n >= 60, n, "texts")
	for _, text := range []string{"How many orders are there?", "orders", "list all", "top 3", "all customers",
		"What was the average price of those?", "List the names. Sort them by age.", "the first order", "list three customers", "order status", "which customers?",
		"Next question: How many orders are there?", "with the number of orders", "Show those customers who have no order", "List those with more than 3 orders",
		"In which year were most orders made?", "For each city, how many customers are there?",
		"Of all customers, who paid most?", "Which customers are from Spain?", "Without counting Spain, what was sold?",
		"What is the total of orders?", "Only list customers with two or more orders",
		"What is that customer's city whose name is Herkku Gifts?", "sales in 2004", "What are the names of them all?",
		"Order count by month", "count orders by status", "No orders", "Next of kin of patient 4?",
		"In Spain, how many customers are there?", "Show me the sales per month", "Wie heißen die Kunden?",
		"What percentage are women?", "I only want customers from Spain", "Back to school sales", "Show me the names of all products", "Show those with discounts", "No duplicate orders of one day", "Und wie heißt der größte Kunde?"[4:],
		"Von welchen Kunden gibt es keine Bestellung?", "En que ciudad viven mas clientes?"} {
		must.Be(t, !Read(text, nil).FollowsUp(), text, "is taken for a follow-up")
	}
}

// Behind a question more goes on than alone.
func TestGoesOn(t *testing.T) {
	for text, want := range map[string]bool{
		"What was the average price of those?": true, "And in March?": true, "How many orders are there?": false,
		"which customers?": true, "the names?": true, "with the number of orders": true, "by price, ascending": true,
		"which customers placed them": true, "How many order items does each of them have?": true, "cheapest": true,
		"Show the prices of those": true, "Which of the products are cheaper than those of 2003?": false, "": false,
	} {
		must.Equal(t, Read(text, nil).GoesOn(), want, text)
	}
	laden := examples.MustParse(t, "laden", "CREATE TABLE kunden (id int PRIMARY KEY, stadt varchar(9)); CREATE TABLE mitarbeiter (id int PRIMARY KEY, gehalt int)")
	for text, want := range map[string]bool{"List the employees": false, "Which city has the most customers?": false, "How many?": true} {
		must.Equal(t, Read(text, laden).GoesOn(), want, text)
	}
	s := examples.MustParse(t, "shop", "CREATE TABLE products (id int PRIMARY KEY, price int); CREATE TABLE orders (id int PRIMARY KEY)")
	for text, want := range map[string]bool{
		"Welche Produkte kosten mehr?": false, "Wer hat die meisten Bestellungen?": false, "Und in Berlin?": true,
		"¿Qué productos cuestan más de 100?": false, "Quels produits coûtent plus ?": false, "Wie viele?": true, "2004?": true,
	} {
		must.Equal(t, Read(text, s).GoesOn(), want, text)
	}
}

// Of the questions of Spider that are not kept for scoring, at most 1 in 1,000 is taken for a follow-up.
func TestFollowUpsOfSpider(t *testing.T) {
	n, taken := 0, 0
	for _, it := range golds.Fit(t) {
		if n++; Read(it.Question, nil).FollowsUp() {
			taken++
			t.Logf("%s: %q", it.Database, it.Question)
		}
	}
	must.Be(t, n >= 4000 && taken*1000 <= n, taken, n, "questions are taken for follow-ups")
}
