package doubt

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/question"
)

// What SQL means beside what was asked, and conditions of a question without a trace.
func TestOfMeaning(t *testing.T) {
	s := shop(t)
	twice := [][]any{{"Ann"}, {"Bob"}, {"Ann"}}
	for _, tt := range []struct {
		asked, sql string
		rows       [][]any
		beside     Case // what is known of the question
		want       []string
	}{
		{"parcels by size", "SELECT id FROM parcel ORDER BY size", nil, Case{},
			[]string{"numbers_as_texts: size holds numbers as texts, where '10' comes before '9'; size + 0 is the number"}},
		{"largest size of a parcel", "SELECT MAX(size) FROM parcel", nil, Case{},
			[]string{"numbers_as_texts: size holds numbers as texts, where '10' comes before '9'; size + 0 is the number"}},
		{"parcels with a size of more than 9", "SELECT id FROM parcel WHERE size > '9'", nil, Case{},
			[]string{"numbers_as_texts: size holds numbers as texts, where '10' comes before '9'; size + 0 is the number"}},
		{"parcels with a size between 9 and 50", "SELECT id FROM parcel WHERE size BETWEEN '9' AND '50'", nil, Case{},
			[]string{"numbers_as_texts: size holds numbers as texts, where '10' comes before '9'; size + 0 is the number"}},
		{"parcels with a size of more than 9", "SELECT id FROM parcel WHERE size > 9", nil, Case{}, nil},
		{"parcels by size", "SELECT id FROM parcel ORDER BY size + 0", nil, Case{}, nil},
		{"parcels by bin", "SELECT id FROM parcel ORDER BY bin", nil, Case{}, nil}, // in the same order
		{"sum of the note of parcels", "SELECT SUM(note) FROM parcel", nil, Case{},
			[]string{"sum_of_texts: note holds texts as '2:56', and numbers are added up"}},
		{"sum of the size of parcels", "SELECT SUM(size) FROM parcel", nil, Case{}, nil},
		{"the average due of parcels", "SELECT AVG(due) FROM parcel", nil, Case{},
			[]string{"digits_of_dates: due is a date, of which the digits count; " +
				"TIMESTAMPDIFF and TIME_TO_SEC make numbers"}},
		{"the range of due of parcels", "SELECT MAX(due) - MIN(due) FROM parcel", nil, Case{},
			[]string{"digits_of_dates: due is a date, of which the digits count; " +
				"TIMESTAMPDIFF and TIME_TO_SEC make numbers"}},
		{"the average year of due of parcels", "SELECT AVG(YEAR(due)) FROM parcel", nil, Case{}, nil},

		{"parcels sent between 2024-03-01 and 2024-03-31",
			"SELECT id FROM parcel WHERE sent BETWEEN '2024-03-01' AND '2024-03-31'", nil, Case{},
			[]string{"last_day: sent has times: of '2024-03-31' nothing but midnight is within; write sent < '2024-04-01'"}},
		{"parcels sent up to 2024-12-31", "SELECT id FROM parcel WHERE sent <= '2024-12-31'", nil, Case{},
			[]string{"last_day: sent has times: of '2024-12-31' nothing but midnight is within; write sent < '2025-01-01'"}},
		{"parcels sent up to 2024-12-31", "SELECT id FROM parcel WHERE DATE(sent) <= '2024-12-31'", nil, Case{}, nil},
		{"parcels sent up to 2024-12-31", "SELECT id FROM parcel WHERE sent <= '2024-12-31 23:59:59'", nil, Case{}, nil},
		{"parcels sent in February 2024", "SELECT id FROM parcel WHERE sent BETWEEN '2024-02-01' AND LAST_DAY('2024-02-01')",
			nil, Case{}, []string{"last_day: sent has times: of LAST_DAY('2024-02-01') nothing but midnight is within; " +
				"write sent < DATE_ADD(LAST_DAY('2024-02-01'), INTERVAL 1 DAY)"}},
		{"parcels sent up to 2024-12-31", "SELECT id FROM parcel WHERE DATE '2024-12-31' >= sent", nil, Case{},
			[]string{"last_day: sent has times: of DATE '2024-12-31' nothing but midnight is within; write sent < '2025-01-01'"}},
		{"parcels sent on 2024-12-31", "SELECT id FROM parcel WHERE sent = '2024-12-31'", nil, Case{},
			[]string{"last_day: sent has times: of '2024-12-31' nothing but midnight is within; compare DATE(sent) with it"}},
		{"parcels sent on 2024-12-31", "SELECT id FROM parcel WHERE DATE(sent) = '2024-12-31'", nil, Case{}, nil},
		{"parcels sent since 2024-12-31", "SELECT id FROM parcel WHERE sent >= '2024-12-31'", nil, Case{}, nil},
		{"parcels due up to 2024-12-31", "SELECT id FROM parcel WHERE due <= '2024-12-31'", nil, Case{}, nil},
		{"parcels sent before 2024-12-31", "SELECT id FROM parcel WHERE sent < '2024-12-31'", nil, Case{}, nil},

		{"bills of (", "SELECT id FROM bill WHERE DATE_FORMAT(day, '%(') = '('", nil, Case{}, nil},
		{"bills of May", `SELECT id FROM bill WHERE DATE_FORMAT(day, '%m [%\\ %*%)') = '5 [x'`, nil, Case{},
			[]string{`no_such_part: DATE_FORMAT(day, '%m [%\\ %*%)') is never '5 [x'`}},
		{"bills in May", "SELECT id FROM bill WHERE MONTH(day) = 'May'", nil, Case{},
			[]string{"no_such_part: MONTH(day) is never 'May'"}},
		{"bills in May", "SELECT id FROM bill WHERE EXTRACT(MONTH FROM day) IN ('5th')", nil, Case{},
			[]string{"no_such_part: EXTRACT(MONTH FROM day) is never '5th'"}},
		{"bills in May 2024", "SELECT id FROM bill WHERE DATE_FORMAT(day, '%Y-%m') = '2024-5'", nil, Case{},
			[]string{"no_such_part: DATE_FORMAT(day, '%Y-%m') is never '2024-5'"}},
		{"bills on Mondays", "SELECT id FROM bill WHERE DAYNAME(day) = 'Mon' OR WEEKDAY(day) = 7", nil, Case{},
			[]string{"no_such_part: DAYNAME(day) is never 'Mon'"}},
		{"bills in May 2024", "SELECT id FROM bill WHERE DATE_FORMAT(day, '%Y-%m') = '2024-05' AND MONTH(day) = '05' AND " +
			"MONTHNAME(day) = 'may' AND DATE_FORMAT(day, '%e.(%c)') <> '1.(5)'", nil, Case{}, nil},
		{"bills in May", "SELECT id FROM bill WHERE MONTH(day) = 5.0", nil, Case{}, nil},

		{"clients with a bill over 3 kilos",
			"SELECT name FROM client WHERE EXISTS (SELECT 1 FROM bill WHERE kilos > 3)", nil, Case{},
			[]string{"always_so: EXISTS (SELECT 1 FROM bill WHERE kilos > 3) is the same for all rows; " +
				"compare it with the row around it"}},
		{"clients with a bill over 3 kilos",
			"SELECT name FROM client AS c WHERE EXISTS (SELECT 1 FROM bill WHERE kilos > 3 AND client_id = c.id)",
			nil, Case{}, nil},
		{"Is there a bill over 3 kilos?", "SELECT EXISTS (SELECT 1 FROM bill WHERE kilos > 3)", nil, Case{}, nil},
		{"the sum of kilos", "SELECT SUM(DISTINCT kilos) FROM bill", nil, Case{},
			[]string{"always_so: SUM(DISTINCT kilos) takes equal values once; leave DISTINCT out"}},
		{"the sum of the different kilos", "SELECT SUM(DISTINCT kilos) FROM bill", nil, Case{}, nil},
		{"the average kilos of a bill",
			"SELECT AVG(k) FROM (SELECT client_id, AVG(kilos) AS k FROM bill GROUP BY client_id) AS x", nil, Case{},
			[]string{"always_so: AVG(k) is an average of averages; take it of all rows"}},
		{"the average of the average kilos of each client",
			"SELECT AVG(k) FROM (SELECT client_id, AVG(kilos) AS k FROM bill GROUP BY client_id) AS x",
			nil, Case{}, nil},
		{"the average number of bills of a client",
			"SELECT AVG(n) FROM (SELECT client_id, COUNT(*) AS n FROM bill GROUP BY client_id) AS x", nil, Case{}, nil},
		{"the share of bills that are OP",
			"SELECT SUM(stat = 'OP') / COUNT(*) FROM bill WHERE stat = 'OP'", nil, Case{},
			[]string{"always_so: SUM(stat = 'OP') / COUNT(*) is a share of what WHERE keeps; " +
				"take the condition out of WHERE"}},
		{"the share of bills over 3 kilos that are OP",
			"SELECT SUM(stat = 'OP') / COUNT(*) FROM bill WHERE kilos > 3", nil, Case{}, nil},

		{"the share of bills that are OP", "SELECT COUNT(CASE WHEN stat = 'OP' THEN 1 ELSE 0 END) / COUNT(*) FROM bill", nil,
			Case{}, []string{"always_so: COUNT(CASE WHEN stat = 'OP' THEN 1 ELSE 0 END) counts where it is 0, too; " +
				"SUM counts where it is 1"}},
		{"bills that are OP", "SELECT COUNT(IF(stat = 'OP', 1, 0)) FROM bill", nil, Case{},
			[]string{"always_so: COUNT(IF(stat = 'OP', 1, 0)) counts where it is 0, too; SUM counts where it is 1"}},
		{"bills that are OP", "SELECT COUNT(stat = 'OP') FROM bill", nil, Case{},
			[]string{"always_so: COUNT(stat = 'OP') counts where it is 0, too; SUM counts where it is 1"}},
		{"bills that are OP", "SELECT COUNT(CASE WHEN stat = 'OP' THEN id END), COUNT(IF(stat = 'OP', 1, NULL)), " +
			"COUNT(CASE WHEN stat = 'OP' THEN 1 ELSE NULL END), SUM(stat = 'OP'), COUNT(stat = 'OP' OR NULL) FROM bill", nil, Case{}, nil},
		{"percentage of bills of each client", "SELECT client_id, ROUND(COUNT(*) * 100 / COUNT(*), 1) FROM bill GROUP BY client_id",
			nil, Case{}, []string{"always_so: COUNT(*) * 100 / COUNT(*) divides by what it multiplies; " +
				"divide by what all rows have"}},
		{"percentage of bills of each client", "SELECT client_id, 100 * COUNT(*) / SUM(COUNT(*)) OVER () FROM bill " +
			"GROUP BY client_id", nil, Case{}, nil},
		{"last stat of each client", "SELECT client_id, LAST_VALUE(stat) OVER (PARTITION BY client_id ORDER BY day) FROM bill",
			nil, Case{}, []string{"always_so: LAST_VALUE(stat) OVER (PARTITION BY client_id ORDER BY day) ends at the row itself; " +
				"add ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"}},
		{"last stat of each client", "SELECT client_id, LAST_VALUE(stat) OVER (PARTITION BY client_id ORDER BY day " +
			"ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM bill", nil, Case{}, nil},

		{"towns that do not speak English",
			"SELECT title FROM town JOIN tongue ON tongue.town_id = town.id WHERE spoken <> 'English'", nil, Case{},
			[]string{"some_other: a row of town that has another spoken, too, is kept; " +
				"NOT IN (SELECT …) keeps those that have none"}},
		{"towns that don't speak English",
			"SELECT title FROM town JOIN tongue ON tongue.town_id = town.id WHERE spoken NOT IN ('English', 'Welsh')", nil,
			Case{}, []string{
				"invented_value: the query compares spoken with 'Welsh', of which the question does not speak",
				"some_other: a row of town that has another spoken, too, is kept; " +
					"NOT IN (SELECT …) keeps those that have none"}},
		{"towns that speak other tongues than English",
			"SELECT title FROM town JOIN tongue ON tongue.town_id = town.id WHERE spoken <> 'English'", nil, Case{}, nil},
		{"towns that do not speak English",
			"SELECT title FROM town WHERE id NOT IN (SELECT town_id FROM tongue WHERE spoken = 'English')", nil, Case{}, nil},
		{"clients not of England",
			"SELECT name FROM client JOIN town ON town.id = client.town_id WHERE country <> 'England'", nil, Case{}, nil},

		{"bills that are OP or PD", "SELECT id FROM bill WHERE stat = 'OP' OR 'PD'", nil, Case{},
			[]string{"bare_text: 'PD' alone is no condition; compare a column with it"}},
		{"bills of 3 or 4", "SELECT id FROM bill WHERE client_id = 3 OR 4", nil, Case{},
			[]string{"bare_text: '4' alone is no condition; compare a column with it"}},
		{"bills of 3 to 9 kilos", "SELECT id FROM bill WHERE 3 < kilos < 9", nil, Case{},
			[]string{"bare_text: what is compared is a comparison, 0 or 1; join two comparisons with AND"}},
		{"bills that are OP or PD", "SELECT COUNT(*) FROM bill GROUP BY id HAVING ('PD') AND COUNT(*) > 1", nil, Case{},
			[]string{"bare_text: 'PD' alone is no condition; compare a column with it"}},
		{"bills that are OP or PD", "SELECT id FROM bill WHERE stat = 'OP' OR stat = 'PD'", nil, Case{}, nil},
		{"bills that are between OP and PD", "SELECT id FROM bill WHERE stat BETWEEN 'OP' AND 'PD'", nil, Case{}, nil},
		{"bills by day", "SELECT id FROM bill ORDER BY 'day' DESC", nil, Case{},
			[]string{"bare_text: 'day' is a text, the same for all rows; names stand in backquotes"}},
		{"bills by day", "SELECT day, COUNT(*) FROM bill GROUP BY day ORDER BY `day`, 2", nil, Case{}, nil},

		{"clients with bills", "SELECT name FROM client JOIN bill ON bill.client_id = client.id", twice, Case{},
			[]string{"repeated_output: the join with bill shows rows of client several times; add DISTINCT"}},
		{"clients with bills", "SELECT name FROM client JOIN bill ON bill.client_id = client.id", twice[:2], Case{}, nil},
		{"clients with bills", "SELECT DISTINCT name FROM client JOIN bill ON bill.client_id = client.id", twice, Case{},
			nil},
		{"clients with the day of their bills", "SELECT name, day FROM client JOIN bill ON bill.client_id = client.id",
			twice, Case{}, nil},
		{"names of clients", "SELECT name FROM client", twice, Case{}, nil},

		{"and their days", "SELECT day FROM bill", nil, Case{Before: "SELECT id FROM bill WHERE client_id = 3 AND day IS NULL"},
			[]string{"dropped_condition: the query before wanted client_id = 3, and this one does not"}},
		{"and their days", "SELECT day FROM bill WHERE client_id IS NOT NULL AND NOT day IS NULL", nil,
			Case{Before: "SELECT id FROM bill WHERE client_id = 3 AND day IS NULL"}, nil},
		{"and their days", "SELECT day FROM bill", nil, Case{Before: "SELECT id FROM bill; DROP TABLE bill"}, nil},
		{"bills of client 3. Drop the last condition", "SELECT id FROM bill", nil, Case{
			Before: "SELECT id FROM bill WHERE client_id = 3", Said: question.Read("drop the last condition", s)}, nil},
		{"only those of 3", "SELECT id FROM bill WHERE client_id = 3", nil, Case{Before: "SELECT id FROM bill WHERE YEAR(day) = 2024"},
			[]string{"dropped_condition: the query before wanted YEAR(day) = 2024, and this one does not"}},

		{"How many parcels were lost?", "SELECT COUNT(*) FROM parcel WHERE note = '2:56'", nil, Case{},
			[]string{"invented_value: the query compares note with '2:56', of which the question does not speak"}},
		{"How many parcels are there?", "SELECT COUNT(*) FROM parcel", nil, Case{}, nil},

		{"How many depots are there?", "SELECT COUNT(*) FROM depot", nil, Case{}, nil},
		{"How many depots did we open each year?",
			"SELECT YEAR(day), COUNT(*) FROM bill WHERE stat = 'OP' GROUP BY YEAR(day)", nil,
			Case{Values: []Value{{"bill", "stat", "OP", "open"}}},
			[]string{`missing_words: nothing in the query stands for "depots"`}},

		{"How many late bills are there?", "SELECT COUNT(*) FROM bill WHERE kilos > 2", nil,
			Case{Glossary: []string{"bill.stat = 'CX'"}},
			[]string{"other_meaning: the glossary says bill.stat = 'CX', and the query asks nothing of stat"}},
		{"How many parcels were noted?", "SELECT COUNT(*) FROM parcel WHERE note IS NOT NULL", nil,
			Case{Glossary: []string{"parcel.note IS NOT NULL"}}, nil},
		{"How many heavy bills are there?", "SELECT COUNT(*) FROM bill WHERE kilos > 2", nil,
			Case{Glossary: []string{"kilos > 2", "a bill of more than two kilos"}}, nil},
	} {
		c := tt.beside
		c.SQL, c.Schema, c.Question, c.Ran, c.Rows = tt.sql, s, question.Read(tt.asked, s), true, tt.rows
		if c.Rows == nil {
			c.Rows = [][]any{{"x"}}
		}
		var got []string
		for _, d := range told(c) {
			got = append(got, string(d.Name)+": "+d.Text)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s\n%s\n-want +got\n%s", tt.asked, tt.sql, diff)
		}
	}
}

// Who writes a query is told of NULLs that come first, unless the profile knows that the column has none; for who reads
// an answer they were taken out.
func TestInspectNullsFirst(t *testing.T) {
	s := shop(t)
	client, _ := s.Table("client")
	age, _ := client.Column("age")
	credit, _ := client.Column("credit")
	age.Least, age.SomeNull, credit.Least = "18", true, "0"
	for sql, want := range map[string]bool{
		"SELECT name FROM client ORDER BY age LIMIT 1":                                                    true,
		"SELECT name FROM client ORDER BY age DESC LIMIT 1":                                               false,
		"SELECT name FROM client ORDER BY age":                                                            false,
		"SELECT name FROM client ORDER BY id LIMIT 1":                                                     false,
		"SELECT name FROM client ORDER BY credit LIMIT 1":                                                 false,
		"SELECT id FROM bill ORDER BY kilos LIMIT 1":                                                      true,
		"SELECT name FROM client WHERE age IS NOT NULL ORDER BY age LIMIT 1":                              false,
		"SELECT name FROM client WHERE age > 3 ORDER BY age LIMIT 1":                                      false,
		"SELECT client.name FROM client LEFT JOIN bill ON client_id = client.id ORDER BY bill.id LIMIT 1": true,
	} {
		is := func(f sqlcheck.Finding) bool { return f.Reason == "nulls_first" }
		got := slices.ContainsFunc(Inspect(sql, nil, s).Issues, is)
		must.Equal(t, got, want, sql)
	}
}

// A join by all columns but one of a key is told, unless something is asked of that one.
func TestPartOfKey(t *testing.T) {
	s := examples.MustParse(t, "label", `CREATE TABLE album (id int PRIMARY KEY);
CREATE TABLE track (album int, no int, title varchar(9), PRIMARY KEY (album, no),
  FOREIGN KEY (album) REFERENCES album (id));
CREATE TABLE play (id int PRIMARY KEY, album int, no int, FOREIGN KEY (album, no) REFERENCES track (album, no));
CREATE TABLE text (album int, no int, line int, FOREIGN KEY (album, no) REFERENCES track (album, no));`)
	for sql, want := range map[string]string{
		"SELECT title FROM track t JOIN play p ON p.no = t.no":                        "add play.album = track.album",
		"SELECT title FROM track t JOIN play p ON p.album = t.album":                  "add play.no = track.no",
		"SELECT p.id FROM play AS p JOIN text AS x ON p.album = x.album":              "add play.no = text.no",
		"SELECT title FROM track t JOIN play p ON p.album = t.album WHERE p.no = 3":   "add play.no = track.no",
		"SELECT title FROM track t JOIN play p ON p.no = t.no AND p.album = t.album":  "",
		"SELECT title FROM track t JOIN play p ON p.no = t.no AND p.album <> t.album": "",
		"SELECT p.id FROM play AS p JOIN album AS a ON p.album = a.id":                "",
		"SELECT a.no FROM track a JOIN track b ON a.album = b.album WHERE b.no = 1":   "",
		"SELECT title FROM track WHERE album NOT IN (SELECT album FROM play)":         "",
	} {
		got := ""
		for _, f := range Inspect(sql, nil, s).Issues {
			if f.Reason == "part_of_key" {
				got = f.Suggestion
			}
		}
		must.Equal(t, got, want, sql)
	}
}
