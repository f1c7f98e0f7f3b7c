package ambiguity

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

const ddl = `CREATE TABLE claims (claim_id INT PRIMARY KEY, date_made DATE, date_settled DATE, amount_claimed INT,
	amount_settled INT, origin VARCHAR(20), destination VARCHAR(20));
CREATE TABLE customers (customer_id INT PRIMARY KEY, first_name VARCHAR(20), last_name VARCHAR(20), manager_name VARCHAR(20),
	vice_manager_name VARCHAR(20));
CREATE TABLE staff (staff_id INT PRIMARY KEY, first_name VARCHAR(20), last_name VARCHAR(20), date_from DATE, date_to DATE)`

// What a question leaves open gives other queries, and what it says gives none. Each of these passes the check.
func TestOf(t *testing.T) {
	s := must.Get(schema.ParseDDL("test", ddl))(t)
	for _, name := range []string{"origin", "destination"} {
		c, _ := s.Tables[0].Column(name)
		c.Values = []string{"Chicago", "New York"}
	}
	for _, tt := range []struct{ question, sql, want string }{
		{"What is the total amount of the claims?", "SELECT SUM(amount_claimed) FROM claims",
			"column amount: amount claimed, or amount settled: SELECT SUM(amount_settled) FROM claims"},
		{"What is the total amount settled?", "SELECT SUM(amount_claimed) FROM claims", ""},
		{"Show both amounts.", "SELECT amount_claimed, amount_settled FROM claims", ""},
		{"How many claims are from 2017?", "SELECT COUNT(*) FROM claims AS c WHERE YEAR(c.date_made) = 2017",
			"date : date made, or date settled: SELECT COUNT(*) FROM claims AS c WHERE YEAR(c.date_settled) = 2017"},
		{"How many claims were made in 2017?", "SELECT COUNT(*) FROM claims WHERE YEAR(date_made) = 2017", ""},
		{"Which staff started in 2017?", "SELECT first_name FROM staff WHERE YEAR(date_from) = 2017", ""},
		{"Which staff left in 2017?", "SELECT first_name FROM staff WHERE YEAR(date_to) = 2017", ""},
		{"Which claims are there for Chicago?", "SELECT claim_id FROM claims WHERE origin = 'Chicago'",
			"value Chicago: origin, or destination: SELECT claim_id FROM claims WHERE destination = 'Chicago'"},
		{"Which claims are there from Chicago?", "SELECT claim_id FROM claims WHERE origin = 'Chicago'", ""},
		{"Which claims have the origin Chicago?", "SELECT claim_id FROM claims WHERE origin = 'Chicago'", ""},
		{"List all last names.", "SELECT customers.last_name FROM customers ORDER BY last_name",
			"table last names: of customers, or of staff: SELECT staff.last_name FROM staff ORDER BY last_name"},
		{"List the last names of the staff.", "SELECT last_name FROM staff", ""},
		{"List the manager names.", "SELECT manager_name FROM customers", ""},
		{"List names.", "SELECT first_name FROM customers", ""},
		{"What is the highest amount claimed?", "SELECT amount_claimed AS a FROM claims ORDER BY a DESC LIMIT 1",
			"tie 1: the first, or all that tie: SELECT a FROM (SELECT amount_claimed AS a,RANK() OVER " +
				"(ORDER BY amount_claimed DESC) AS place FROM claims) AS ranked WHERE place <= 1 ORDER BY place"},
		{"Who is first?", "SELECT first_name, COUNT(*) FROM staff GROUP BY first_name ORDER BY 2 DESC LIMIT 2",
			"tie 2: the first, or all that tie: SELECT first_name,c2 AS `COUNT(*)` FROM (SELECT first_name,COUNT(*) AS c2," +
				"RANK() OVER (ORDER BY COUNT(*) DESC) AS place FROM staff GROUP BY first_name) AS ranked WHERE place <= 2 ORDER BY place"},
		{"Who is second?", "SELECT first_name FROM staff ORDER BY staff_id LIMIT 1 OFFSET 1", ""},
		{"Nothing", "no query", ""},
	} {
		got := ""
		for _, a := range Of(question.Read(tt.question, s), tt.sql) {
			got += string(a.Kind) + " " + a.Word + ": " + a.Taken + ", or " + a.Other + ": " + a.SQL
			if _, v, err := sqlcheck.Check(a.SQL, s); err != nil || !v.OK {
				t.Errorf("%s: %v %v", a.SQL, v, err)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.question, diff)
		}
	}
}
