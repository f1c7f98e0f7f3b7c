package doubt

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/grammar"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

// shop has few values, and knows all of them.
func shop(t testing.TB) *schema.Schema {
	t.Helper()
	s := examples.MustParse(t, "shop", `
CREATE TABLE town (id int PRIMARY KEY, title varchar(40) NOT NULL, country varchar(40));
CREATE TABLE client (id int PRIMARY KEY, town_id int NOT NULL, name varchar(40), credit decimal(8,2), age int, FOREIGN KEY (town_id) REFERENCES town (id));
CREATE TABLE bill (id int PRIMARY KEY, client_id int NOT NULL, day date, stat char(2), zip varchar(8), kilos int COMMENT 'weight of the parcel', FOREIGN KEY (client_id) REFERENCES client (id));
CREATE TABLE refund (id int PRIMARY KEY, client_id int NOT NULL, weight int, FOREIGN KEY (client_id) REFERENCES client (id));
CREATE TABLE depot (id int PRIMARY KEY, label varchar(40));
CREATE TABLE parcel (id int PRIMARY KEY, depot_id int NOT NULL, sent datetime, due date, size varchar(8), note varchar(8), bin varchar(8), FOREIGN KEY (depot_id) REFERENCES depot (id));
CREATE TABLE tongue (town_id int, spoken varchar(20), PRIMARY KEY (town_id, spoken), FOREIGN KEY (town_id) REFERENCES town (id));`)
	for column, values := range map[string]string{"town.country": "England|France|Perú", "bill.stat": "OP|PD|CX",
		"bill.zip": "0123|9000"} {
		table, name, _ := strings.Cut(column, ".")
		tab, _ := s.Table(table)
		col, _ := tab.Column(name)
		col.Values, col.Complete = strings.Split(values, "|"), true
	}
	for column, texts := range map[string]string{"parcel.size": "9|10|100", "parcel.note": "2:56|3:10", "parcel.bin": "1|2|3"} {
		table, name, _ := strings.Cut(column, ".")
		tab, _ := s.Table(table)
		col, _ := tab.Column(name)
		col.Texts, col.AllTexts = strings.Split(texts, "|"), true
	}
	client, _ := s.Table("client")
	name, _ := client.Column("name")
	name.Texts, name.AllTexts, name.Longest = []string{"Ann", "Munich Tools"}, true, 12
	return s
}

func told(c Case) []Doubt {
	doubts, _ := Of(c)
	return doubts
}

func TestOf(t *testing.T) {
	s := shop(t)
	open := []Value{{"bill", "stat", "OP", "open"}}
	for _, tt := range []struct {
		asked, sql string
		values     []Value
		want       []string // name: text
	}{
		{"How many clients are there?", "SELECT COUNT(*) FROM client", nil, nil},
		{"towns of Englnd", "SELECT title FROM town WHERE country = 'Englnd'", nil,
			[]string{"unknown_value: country has no 'Englnd'; did you mean 'England'?"}},
		{"towns of ENGLAND and Peru", "SELECT title FROM town WHERE country = 'ENGLAND' OR country = 'Peru '", nil,
			nil},
		{"bills that are new", "SELECT id FROM bill WHERE stat = 'new'", nil,
			[]string{"unknown_value: stat has no 'new'; it has OP, PD, CX"}},
		{"clients called Munich", "SELECT name FROM client WHERE name = 'Bob' OR name = 'Ann'", nil,
			[]string{"unknown_value: name has no 'Bob'; it has Ann, Munich Tools",
				"invented_value: the query compares name with 'Bob', of which the question does not speak"}},
		{"towns with a client Ann",
			"SELECT title FROM town JOIN client ON client.town_id = town.id WHERE country = 'Ann'", nil,
			[]string{"unknown_value: country has no 'Ann'; client.name has"}},
		{"clients like tool", "SELECT name FROM client WHERE name LIKE '%tool%'", nil, nil},
		{"clients like münich", "SELECT name FROM client WHERE name LIKE 'MÜNICH%'", nil, nil},
		{"clients whose name is empty", "SELECT id FROM client WHERE name = ''", nil, nil},
		{"clients like anything", "SELECT name FROM client WHERE name LIKE '%'", nil, nil},
		{"parcels with a note like fragile", // longer notes are not known
			"SELECT id FROM parcel WHERE note LIKE '%fragile%'", nil, nil},
		{"clients like wood", "SELECT name FROM client WHERE name LIKE '%wood%'", nil,
			[]string{"unknown_pattern: no name is like '%wood%'"}},
		{"bills both OP and PD", "SELECT id FROM bill WHERE stat = 'OP' AND stat = 'PD'", nil,
			[]string{"two_values: no row has stat = 'OP' AND stat = 'PD'"}},
		{"clients without a bill",
			"SELECT name FROM client JOIN bill ON bill.client_id = client.id WHERE bill.id IS NULL", nil,
			[]string{"never_null: id is never NULL"}},
		{"clients without a bill",
			"SELECT name FROM client LEFT JOIN bill ON bill.client_id = client.id WHERE bill.id IS NULL", nil, nil},
		{"open bills", "SELECT id FROM bill", open,
			[]string{`unsaid_value: the question says "open", a value of bill.stat, and the query does not look for it`}},
		{"open bills", "SELECT id FROM bill WHERE stat = 'OP'", open, nil},
		{"clients with more than 1,500 credit, older than 30 percent",
			"SELECT name FROM client WHERE credit >= 1501 AND age > 0.3", nil, nil},
		{"towns with at least three clients", "SELECT town_id FROM client GROUP BY town_id HAVING COUNT(*) > 2", nil,
			nil},
		{"clients who had a refund", "SELECT name FROM client", nil,
			[]string{`missing_words: nothing in the query stands for "refund"`}},
		{"What is the weather tomorrow?", "SELECT name FROM client", nil,
			[]string{"nothing_known: nothing of the question is known to this database"}},
		{"What are the different llamas?", "SELECT DISTINCT name FROM client", nil, nil},
		{"towns that have clients", "SELECT name FROM client", nil, nil}, // clients are of towns
		{"clients and the weight", "SELECT name FROM client", nil,
			[]string{`missing_words: nothing in the query stands for "weight"`}},
		// by the comment
		{"clients with a bill of a weight over 250",
			"SELECT name FROM client JOIN bill ON bill.client_id = client.id WHERE kilos > 250", nil, nil},
		{"clients in towns", "SELECT name FROM client JOIN town ON client.town_id = town.id WHERE country = 'France'",
			nil, []string{"invented_value: the query compares country with 'France', of which the question does not speak"}},
		// a bound may be one off, and no other number
		{"bills before 2023", "SELECT id FROM bill WHERE YEAR(day) <= 2022", nil, nil},
		{"bills of 2023", "SELECT id FROM bill WHERE YEAR(day) = 2023", nil, nil},
		{"bills of 2023", "SELECT id FROM bill WHERE YEAR(day) = 2022", nil,
			[]string{"invented_value: the query compares day with 2022, of which the question does not speak"}},
		// what the question denies is excluded by something
		{"Which clients do not live in Bern?", "SELECT name FROM client JOIN town ON town.id = town_id WHERE title = 'Bern'", nil,
			[]string{`not_denied: the question says "not", and the query excludes nothing`}},
		{"Which clients do not live in Bern?", "SELECT name FROM client JOIN town ON town.id = town_id WHERE title <> 'Bern'", nil, nil},
		{"How many clients without bills are there?",
			"SELECT COUNT(*) FROM client WHERE NOT EXISTS (SELECT 1 FROM bill WHERE client_id = client.id)", nil, nil},
		{"Wie viele Kunden haben keine Rechnung?", "SELECT COUNT(*) FROM client", nil,
			[]string{`not_denied: the question says "keine", and the query excludes nothing`}},
		{"clients no older than 40", "SELECT name FROM client WHERE age < 41", nil, nil},
		{"the bill no 5", "SELECT day FROM bill WHERE id = 5", nil, nil},
		{"the no of bills", "SELECT COUNT(*) FROM bill", nil, nil},
		{"bills in March", "SELECT id FROM bill WHERE MONTH(day) = 3", nil, nil},
		{"bills on Saturdays of the fourth quarter", "SELECT id FROM bill WHERE DAYOFWEEK(day) = 7 AND QUARTER(day) = 4", nil, nil},
		{"clients of the twelfth town", "SELECT name FROM client WHERE town_id = 12", nil, nil},
		{"clients of the twelfth town", "SELECT name FROM client WHERE town_id = 11", nil,
			[]string{"invented_value: the query compares town_id with 11, of which the question does not speak"}},
		{"clients of the age 40", "SELECT name FROM client WHERE age = 41", nil,
			[]string{"invented_value: the query compares age with 41, of which the question does not speak"}},
		{"the youngest client", "SELECT name FROM client ORDER BY age LIMIT 1", nil, nil},
		{"the oldest client of each town", "SELECT town_id, name FROM client ORDER BY age DESC LIMIT 1", nil,
			[]string{"first_of_all: the question asks for the first of each town, and the query keeps the first of all"}},
		{"the oldest client of each town",
			"SELECT town_id, name FROM client AS c WHERE age = (SELECT MAX(age) FROM client WHERE town_id = c.town_id)",
			nil, nil},
		{"the oldest client in any town", "SELECT name FROM client ORDER BY age DESC LIMIT 1", nil, nil},
		{"clients with bills", "SELECT name FROM client WHERE id IN (SELECT name FROM bill)", nil, nil},
		{"clients with more credit than the average",
			"SELECT name FROM client AS c WHERE credit > (SELECT AVG(c.credit) FROM client)", nil, nil},
		{"clients with bills",
			"SELECT name FROM client AS c WHERE EXISTS (SELECT c.id FROM bill WHERE client_id = c.id)", nil, nil},
		{"clients older than the average of their town",
			"SELECT name FROM client WHERE age > (SELECT AVG(age) FROM client WHERE town_id = town_id)", nil,
			[]string{"self_comparison: town_id is compared with itself"}},
		{"clients with bills", "SELECT name FROM client WHERE age IN (SELECT age FROM bill)", nil,
			[]string{"self_comparison: age is compared with itself"}},
		{"clients of the same town",
			"SELECT a.name FROM client AS a JOIN client AS b ON a.town_id = b.town_id WHERE a.id <> b.id", nil, nil},
		{"pairs of clients of the same town",
			"SELECT a.name, b.name FROM client AS a JOIN client AS b ON a.town_id = b.town_id", nil,
			[]string{"self_comparison: each row of client is paired with itself"}},
		{"clients of the town of client 3",
			"SELECT a.name FROM client AS a JOIN client AS b ON a.town_id = b.town_id WHERE b.id = 3", nil, nil},
		{"each client and the number of clients of the same town", "SELECT a.name, COUNT(b.id) FROM client AS a JOIN " +
			"client AS b ON a.town_id = b.town_id GROUP BY a.id, a.name", nil, nil},
		{"clients with more credit than another one",
			"SELECT DISTINCT a.name FROM client AS a JOIN client AS b ON a.credit > b.credit", nil, nil},
		{"the highest credit of a client", "SELECT name FROM client ORDER BY credit LIMIT 1", nil,
			[]string{`other_end: the question says "highest", and the order of credit begins with the other end`}},
		{"the highest credit of a client", "SELECT name FROM client ORDER BY credit DESC LIMIT 1", nil, nil},
		{"the highest credit of a client", "SELECT name FROM client ORDER BY -credit LIMIT 1", nil, nil},
		{"the client with the fewest bills",
			"SELECT client_id FROM bill GROUP BY client_id ORDER BY COUNT(*) DESC LIMIT 1", nil,
			[]string{`other_end: the question says "fewest", and the order of COUNT(*) begins with the other end`}},
		{"the most recent bill", "SELECT id FROM bill ORDER BY day LIMIT 1", nil,
			[]string{`other_end: the question says "recent", and the order of day begins with the other end`}},
		{"die älteste Rechnung", "SELECT id FROM bill ORDER BY day LIMIT 1", nil, nil},
		{"the longest and the shortest kilos", "SELECT id FROM bill ORDER BY kilos LIMIT 1", nil, nil},
		{"la factura con menos kilos", "SELECT id FROM bill ORDER BY kilos LIMIT 1", nil, nil},
		{"la factura más corta", "SELECT id FROM bill ORDER BY kilos LIMIT 1", nil, nil},
		{"open bills of client 3 or 4",
			"SELECT id FROM bill WHERE stat = 'OP' AND client_id = 3 OR client_id = 4", open,
			[]string{"open_or: AND goes before OR, and takes 4 or 3; put the OR in brackets"}},
		{"open bills of client 3 or 4",
			"SELECT id FROM bill WHERE stat = 'OP' AND (client_id = 3 OR client_id = 4)", open, nil},
		{"bills that are open of client 3, or 4 in all states",
			"SELECT id FROM bill WHERE stat = 'OP' AND client_id = 3 OR client_id = 4", open, nil},
		{"towns whose country is known", "SELECT title FROM town WHERE country <> ''", nil, nil},
		{"clients and their bills over 3 kilos, if any",
			"SELECT name, bill.id FROM client LEFT JOIN bill ON client_id = client.id WHERE kilos > 3", nil,
			[]string{"undone_join: the condition on kilos in WHERE drops the rows without bill that the outer join " +
				"keeps; write JOIN, or the condition into ON"}},
		{"clients with bills over 3 kilos",
			"SELECT name, bill.id FROM client LEFT JOIN bill ON client_id = client.id WHERE kilos > 3", nil, nil},
		{"kilos of the bills of each month, also of those without",
			"WITH RECURSIVE m AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM m WHERE n < 12) " +
				"SELECT m.n, SUM(b.kilos) FROM m LEFT JOIN bill AS b ON MONTH(b.day) = m.n GROUP BY m.n", nil, nil},
		{"kilos of the bills of two months", "SELECT m.n, SUM(b.kilos) FROM (SELECT 1 AS n UNION SELECT 2) AS m JOIN " +
			"bill AS b ON MONTH(b.day) = m.n GROUP BY m.n", nil, nil},
		{"Number of bills per client", "SELECT client_id FROM bill", nil, nil},
		{"clients and bills", "SELECT name FROM client JOIN bill ON bill.id = client.id", nil,
			[]string{"other_key: bill.id = client.id is no key between them; bill.client_id = client.id is"}},
		{"clients with bills", "SELECT name FROM client WHERE credit IN (SELECT id FROM bill)", nil,
			[]string{"odd_join: client.credit = bill.id is no key between them; client.id = bill.client_id is"}},
		{"clients with bills", "SELECT name FROM client WHERE id IN (SELECT client_id FROM bill)", nil, nil},
		{"sum of the credit of clients with bills",
			"SELECT SUM(credit) FROM client JOIN bill ON bill.client_id = client.id", nil,
			[]string{"repeated_rows: the join with bill repeats rows of client in SUM(credit)"}},
		{"kilos of the bills of each town", "SELECT t.country, SUM(b.kilos) FROM town AS t LEFT JOIN client AS c ON " +
			"c.town_id = t.id LEFT JOIN bill AS b ON b.client_id = c.id GROUP BY t.country", nil, nil},
		{"kilos of the bills of each age", "SELECT c.age, SUM(b.kilos) FROM client AS c LEFT JOIN bill AS b ON " +
			"b.client_id = c.id LEFT JOIN refund AS r ON r.client_id = c.id GROUP BY c.age", nil,
			[]string{"repeated_rows: the join with r (refund) repeats rows of b (bill) in SUM(kilos)"}},
		{"credit of the clients with bills", "SELECT SUM(c.credit) FROM client AS c JOIN (SELECT DISTINCT client_id FROM " +
			"bill) AS b ON b.client_id = c.id", nil, nil},
		{"credit of the clients with bills", "SELECT SUM(c.credit) FROM client AS c JOIN (SELECT DISTINCT client_id, stat " +
			"FROM bill) AS b ON b.client_id = c.id", nil,
			[]string{"repeated_rows: the join with b repeats rows of c (client) in SUM(credit)"}},
		{"sum of the credit of clients in towns",
			"SELECT SUM(credit) FROM client JOIN town ON client.town_id = town.id", nil, nil},
		{"sum of the credit of clients with open bills",
			"SELECT SUM(credit) FROM client JOIN bill ON bill.client_id = client.id WHERE stat = 'OP'", open,
			[]string{"repeated_rows: the join with bill repeats rows of client in SUM(credit)"}},
		{"average credit of clients with open bills",
			"SELECT AVG(credit) FROM client JOIN bill ON bill.client_id = client.id WHERE stat = 'OP'", open, nil},
		{"sum of the credit of clients for each bill state",
			"SELECT stat, SUM(credit) FROM client JOIN bill ON bill.client_id = client.id GROUP BY stat", nil, nil},
		{"sum of kilos of bills by weight of refunds",
			"SELECT weight, SUM(kilos) FROM bill JOIN refund ON refund.client_id = bill.client_id GROUP BY weight", nil,
			[]string{"repeated_rows: the join with refund repeats rows of bill in SUM(kilos)"}},
		{"sum of kilos of bills for each refund",
			"SELECT refund.id, SUM(kilos) FROM bill JOIN refund ON refund.client_id = bill.client_id GROUP BY refund.id",
			nil, nil},
		{"bills of each client",
			"SELECT name, COUNT(*) FROM client LEFT JOIN bill ON bill.client_id = client.id GROUP BY name", nil,
			[]string{"counts_none: COUNT(*) counts 1 for client without bill; count a column of bill"}},
		{"bills of each client",
			"SELECT name, COUNT(bill.id) FROM client LEFT JOIN bill ON bill.client_id = client.id GROUP BY name", nil, nil},
		{"clients of each country, who have no bill", "SELECT country, COUNT(*) FROM town JOIN client ON town_id = town.id " +
			"LEFT JOIN bill ON client_id = client.id WHERE bill.id IS NULL GROUP BY country", nil, nil},
		{"clients of each age, with their town", "SELECT age, COUNT(*) FROM client LEFT JOIN town ON town_id = town.id GROUP BY age",
			nil, nil},
		{"the average credit of clients", "SELECT AVG(credit) FROM (SELECT client.id, credit FROM client JOIN bill ON " +
			"client_id = client.id) AS x", nil,
			[]string{"repeated_rows: the join with bill repeats rows of client in AVG(credit)"}},
		{"credit of clients", "WITH x AS (SELECT town_id, credit FROM client JOIN bill ON client_id = client.id) " +
			"SELECT town_id, SUM(credit) FROM x GROUP BY town_id", nil,
			[]string{"repeated_rows: the join with bill repeats rows of client in SUM(credit)"}},
		{"credit of clients by the state of their bills", "SELECT stat, SUM(credit) FROM (SELECT credit, stat FROM client JOIN " +
			"bill ON client_id = client.id) AS x GROUP BY stat", nil, nil},
		{"credit of clients", "SELECT SUM(credit) FROM (SELECT DISTINCT client.id, credit FROM client JOIN bill ON " +
			"client_id = client.id) AS x", nil, nil},
		{"credit of the clients of each town", "SELECT town_id, SUM(credit) OVER (PARTITION BY town_id) FROM client JOIN bill " +
			"ON client_id = client.id", nil,
			[]string{"repeated_rows: the join with bill repeats rows of client in SUM(credit)"}},
		{"kilos of the bills of each town", "SELECT town_id, SUM(kilos) OVER (PARTITION BY town_id) FROM client JOIN bill " +
			"ON client_id = client.id", nil, nil},
		{"bills of the first", "SELECT id FROM bill WHERE client_id = 'first'", nil,
			[]string{"unlike_types: client_id is int, compared with 'first'; compare client_id with a number"}},
		{"bills with zip 123", "SELECT id FROM bill WHERE zip = 123", nil, nil},
		{"bills without a day", "SELECT id FROM bill WHERE day = NULL", nil,
			[]string{"null_comparison: a comparison with NULL is never true; write IS NULL or IS NOT NULL"}},
		{"bills of each month", "SELECT m.n, COUNT(b.id) FROM (SELECT DISTINCT age AS n FROM client) AS m " +
			"LEFT JOIN bill AS b ON MONTH(b.day) = m.n GROUP BY m.n", nil, nil},
		{"a client", "SELECT * FROM client", nil, nil}, // for who writes it
	} {
		var got []string
		for _, d := range told(Case{SQL: tt.sql, Schema: s, Question: question.Read(tt.asked, s), Values: tt.values,
			Ran: true, Rows: [][]any{{"x"}}}) {
			got = append(got, string(d.Name)+": "+d.Text)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s\n%s\n-want +got\n%s", tt.asked, tt.sql, diff)
		}
	}
}

// What the result and the loop say, without a question.
func TestOfResult(t *testing.T) {
	s := shop(t)
	for _, tt := range []struct {
		c    Case
		want string
	}{
		{Case{}, ""},
		{Case{Ran: true}, "the query found nothing"},
		{Case{Ran: true, Rows: [][]any{{nil, nil}}}, "the query found nothing but NULL"},
		{Case{Ran: true, Rows: [][]any{{int64(0)}}}, "the query found nothing: it is 0"},
		{Case{Ran: true, Rows: [][]any{{nil}, {"x"}}}, ""},
		{Case{Ran: true, SQL: "SELECT COUNT(*) FROM bill WHERE day >= CURDATE()", Rows: [][]any{{int64(0)}}}, ""},
		{Case{Unfinished: "the steps ran out"}, "the steps ran out"},
		{Case{Agree: 2, Tries: 5}, "only 2 of 5 tries agreed on this result"},
		{Case{Agree: 3, Tries: 5}, ""},
	} {
		if tt.c.Schema = s; tt.c.SQL == "" {
			tt.c.SQL = "SELECT name FROM client"
		}
		q, _, err := sqlcheck.Check(tt.c.SQL, s)
		got := ""
		if tt.c.Query = &q; err != nil {
			t.Fatal(err)
		}
		for _, d := range told(tt.c) {
			got += d.Text
		}
		if got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.c, got, tt.want)
		}
	}
}

// One number decides: below it all that speaks against the answer is told, behind how sure it is; from it on, or where
// it is not known, only what is nearly always right.
func TestTold(t *testing.T) {
	doubts := told(Case{SQL: "SELECT name FROM client WHERE name = 'Bob' LIMIT 1", Schema: shop(t)})
	for confidence, want := range map[float64][]string{
		0:             {"unknown_value"},
		Unlikely:      {"unknown_value"},
		Unlikely - .1: {"low_confidence", "unknown_value", "limit_without_order"},
	} {
		var got []string
		for _, d := range Told(doubts, confidence, "") {
			got = append(got, string(d.Name))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%.2f: -want +got\n%s", confidence, diff)
		}
	}
	got := Told(nil, 0.04, `"hair" matches nothing in this database`)[0].Text
	want := `probably wrong (4 % sure); "hair" matches nothing in this database`
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A key that the values of a column show keeps a join from repeating rows as a declared one does.
func TestInferredKey(t *testing.T) {
	const sql = "SELECT SUM(amount) FROM sale JOIN branch ON sale.branch = branch.code JOIN area ON area.name = branch.area"
	s := examples.MustParse(t, "office", `CREATE TABLE area (name varchar(9), chief varchar(9));
CREATE TABLE branch (code varchar(3), area varchar(9)); CREATE TABLE sale (branch varchar(3), amount int);`)
	if got := told(Case{SQL: sql, Schema: s}); len(got) != 1 || got[0].Name != "repeated_rows" {
		t.Errorf("without keys: %v", got)
	}
	for table, key := range map[string]string{"area": "name", "branch": "code"} {
		tab, _ := s.Table(table)
		tab.InferredKey = key
	}
	if got := told(Case{SQL: sql, Schema: s}); len(got) > 0 {
		t.Errorf("with the keys that values show: %v", got)
	}
}

// Who writes a query is told more, with what to do, and also of a query with errors.
func TestInspect(t *testing.T) {
	s := shop(t)
	for _, tt := range []struct {
		asked, sql string
		want       []string // type reason suggestion
	}{
		{"", "SELECT name FROM client", nil},
		{"", "SELECT client.id, bill.id FROM client LEFT JOIN bill ON client_id = client.id WHERE kilos > 3", []string{
			"warning undone_join write JOIN, or the condition into ON"}},
		{"", "SELECT client.id, bill.id FROM client LEFT JOIN bill ON client_id = client.id AND kilos > 3 WHERE age > 3", nil},
		{"", "SELECT client.id, bill.id FROM client LEFT JOIN bill ON client_id = client.id WHERE kilos > 3 OR kilos IS NULL", nil},
		{"", "SELECT * FROM bill", []string{"warning select_star name the columns that are asked for"}},
		{"", "SELECT nam FROM client LIMIT 3",
			[]string{"error unknown_column no table in FROM has a column nam; did you mean name?",
				"warning limit_without_order add ORDER BY"}},
		{"", "SELECT c.name FROM client c, bill b", []string{"warning missing_join ON c.id = b.client_id"}},
		{"", "SELECT id FROM bill WHERE day > '01/02/2004'",
			[]string{"warning unlike_types write dates as 'YYYY-MM-DD'"}},
		{"", "SELECT id FROM bill WHERE day BETWEEN '2004-01-01' AND '2004-06-31'",
			[]string{"warning unlike_types write dates as 'YYYY-MM-DD'"}},
		{"", "SELECT id FROM bill WHERE day = ''", []string{"warning unlike_types write dates as 'YYYY-MM-DD'"}},
		{"", "SELECT client.id, bill.id FROM client JOIN bill ON kilos BETWEEN age AND credit", nil},
		{"", "SELECT client.id, bill.id FROM client JOIN bill ON kilos >= age", nil},
		{"", "SELECT client.id, bill.id FROM client JOIN bill WHERE kilos >= age", []string{"warning missing_join ON client.id = bill.client_id"}},
		{"", "SELECT a.id, b.id FROM bill AS a JOIN refund AS b ON b.client_id = a.client_id", nil},
		{"", "SELECT id FROM bill WHERE id = '7' AND day = '2004-01-02'", nil},
		{"", "SELECT b.id FROM bill b JOIN client c ON b.client_id = c.name",
			[]string{"warning odd_join bill.client_id = client.id is", "warning unlike_types "}},
		{"bills of the refund", "SELECT id FROM bill", []string{"warning missing_words "}},
		{"", "DELETE FROM bill", []string{"error not_select write one SELECT statement; nothing else may run"}},
	} {
		var got []string
		for _, f := range Inspect(tt.sql, question.Read(tt.asked, s), s).Issues {
			got = append(got, f.Type+" "+string(f.Reason)+" "+f.Suggestion)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", tt.sql, diff)
		}
	}
}

// What may run has doubts or none, whatever is asked: nothing makes the search fail.
func FuzzOf(f *testing.F) {
	f.Add("How many clients older than 3?",
		"SELECT COUNT(*) FROM client c LEFT JOIN bill b ON b.client_id = c.id AND b.stat = 'OP' GROUP BY c.id HAVING COUNT(*) > 2")
	f.Add("%", "SELECT name FROM client WHERE name LIKE '%' UNION SELECT title FROM town ORDER BY 1 LIMIT 1")
	f.Add("", "WITH x AS (SELECT 1 AS n) SELECT n, (SELECT MAX(id) FROM bill) FROM x WHERE n IN (SELECT id FROM client) OR n = (SELECT 2)")
	s := shop(f)
	f.Fuzz(func(t *testing.T, asked, sql string) {
		c := Case{SQL: sql, Schema: s, Question: question.Read(asked, s), Ran: true}
		for _, d := range told(c) {
			if d.Name == "" || d.Text == "" {
				t.Errorf("%q: %q: empty doubt", asked, sql)
			}
		}
	})
}

// Whatever names stand where, there are doubts or none.
func TestOfComposed(t *testing.T) {
	s := shop(t)
	random := rand.New(rand.NewPCG(7, 7))
	for range 1_000 {
		sql := grammar.Composed(random, s)
		Of(Case{SQL: sql, Schema: s, Question: question.Read("the 2 oldest clients of each town", s), Ran: true})
		Inspect(sql, question.Read("the 2 oldest clients of each town", s), s)
	}
}
