package question

import (
	"cmp"
	"os"
	"strings"
	"testing"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/words"
)

func TestChanges(t *testing.T) {
	n := 0
	for line := range strings.Lines(string(must.Get(os.ReadFile("testdata/changes.txt"))(t))) {
		want, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if ok {
			n++
			got := cmp.Or(words.Fold(strings.ToLower(Read(text, nil).Changes())), "–")
			must.Equal(t, got, want, "Changes", text)
		}
	}
	must.Be(t, n >= 83, n, "questions")
	must.Equal(t, Read("", nil).Changes(), "", "of nothing")
	must.Equal(t, Read("Bitte alle Kunden Löschen!", nil).Changes(), "Löschen", "as written")
}

// Behind a query some changes are of that, and none is of data then.
func TestEdits(t *testing.T) {
	s := examples.MustParse(t, "shop", "CREATE TABLE customers (customerNumber int PRIMARY KEY, customerName varchar(9), "+
		"city varchar(9), creditLimit int, email varchar(9)); CREATE TABLE orders (id int PRIMARY KEY, status varchar(9)); "+
		"CREATE TABLE authors (id int PRIMARY KEY)")
	const before = "SELECT customerName FROM customers WHERE status = 'Shipped' AND YEAR(day) = 2003"
	for text, want := range map[string]bool{
		"Can you add the credit limit to that?": true, "add the email too": true, "remove the city column": true,
		"update it for 2004": true, "insert the customer name before the city": true, "drop the last condition": true,
		"make it 5": true, "make it six": true, "change that to Paris": true, "add Germany": true, "remove Paris": true,
		"add the author": true, "add a total": true, "add their emails": true, "get rid of the filter": true,
		"hide the name column": true, "delete the city column": true, "change the status to open": true,
		"change 2003 to 2004": true, "set the limit to 10": true, "Füge die Stadt hinzu": true, "entferne die Stadt": true,
		"quita la ciudad": true, "ajoute la ville": true, "remove those in Paris": true, "add the fax": true,
		"add a customer named Bob": false, "add the customer Bob": false, "add customer 500": false, "delete order 10100": false,
		"delete them": false, "remove it": false, "remove the customers in Paris": false, "drop the table orders": false,
		"set the credit limit of customer 103 to 0": false, "set all emails to 0": false, "increase the credit limit by 10": false,
		"update orders set status = 1": false, "insert into orders values (9)": false, "cancel all orders": false,
		"Füge einen Kunden hinzu": false, "supprime la commande 5": false, "añade un cliente": false,
		"change the city to Paris": false, "show the orders and delete them": false, "How many orders are there?": false, "": false,
	} {
		must.Equal(t, Read(text, s).Edits(before), want, text)
	}
}
