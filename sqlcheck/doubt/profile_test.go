package doubt

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
)

// What a profile says of columns speaks against conditions that keep every row, or none, and against joins of what
// never meets; where the profile says nothing, nothing is doubted.
func TestProfile(t *testing.T) {
	plain, s := shop(t), shop(t)
	for at, has := range map[string][2]string{
		"client.age": {"18", "72"}, "client.id": {"1", "9"}, "bill.id": {"100", "900"}, "bill.client_id": {"1", "8"},
		"client.credit": {"-5.50", "100.00"}, "bill.day": {"2024-01-02", "2024-12-30"},
		"parcel.sent": {"2024-01-02 10:00:00", "2024-02-03 11:00:00"}, "bill.kilos": {"5", "5"},
	} {
		table, column, _ := strings.Cut(at, ".")
		tab, _ := s.Table(table)
		c, _ := tab.Column(column)
		c.Least, c.Most, c.SomeNull = has[0], has[1], column == "credit"
	}
	for _, tt := range []struct{ sql, want string }{
		{"SELECT name FROM client WHERE age > 17", "all_or_none: every row has age > 17: the profile has 18 to 72"},
		{"SELECT name FROM client WHERE age >= 18", "all_or_none: every row has age >= 18: the profile has 18 to 72"},
		{"SELECT name FROM client WHERE age > 18", ""},
		{"SELECT name FROM client WHERE age < 18", "all_or_none: no row has age < 18: the profile has 18 to 72"},
		{"SELECT name FROM client WHERE age <= 18", ""},
		{"SELECT name FROM client WHERE age <= 72", "all_or_none: every row has age <= 72: the profile has 18 to 72"},
		{"SELECT name FROM client WHERE age > 72", "all_or_none: no row has age > 72: the profile has 18 to 72"},
		{"SELECT name FROM client WHERE age = 80", "all_or_none: no row has age = 80: the profile has 18 to 72"},
		{"SELECT name FROM client WHERE age <> 80", "all_or_none: every row has age != 80: the profile has 18 to 72"},
		{"SELECT name FROM client WHERE age = 20", ""},
		{"SELECT name FROM client WHERE credit < 1000", ""}, // a NULL is not
		{"SELECT name FROM client WHERE credit > 100", "all_or_none: no row has credit > 100: the profile has -5.50 to 100.00"},
		{"SELECT kilos FROM bill WHERE kilos <> 5", "all_or_none: no row has kilos != 5: the profile has 5 to 5"},
		{"SELECT id FROM bill WHERE kilos = 5", "all_or_none: every row has kilos = 5: the profile has 5 to 5"},
		{"SELECT id FROM bill WHERE day > '2025-01-01'",
			"all_or_none: no row has day > '2025-01-01': the profile has 2024-01-02 to 2024-12-30"},
		{"SELECT id FROM bill WHERE day > '2025'", ""},
		{"SELECT id FROM bill WHERE day BETWEEN '2023-01-01' AND '2023-12-31'",
			"all_or_none: no row has day <= '2023-12-31': the profile has 2024-01-02 to 2024-12-30"},
		{"SELECT id FROM bill WHERE day >= '2024-12-01' AND day < '2025-01-01'", ""}, // one of two ends
		{"SELECT id FROM bill WHERE day BETWEEN '2024-12-01' AND '2024-12-31'", ""},
		{"SELECT name FROM client WHERE age IN (20, 90)", "all_or_none: no row has age = 90: the profile has 18 to 72"},
		{"SELECT id FROM parcel WHERE sent >= '2024-01-02'", // before the first hour of it
			"all_or_none: every row has sent >= '2024-01-02': the profile has 2024-01-02 10:00:00 to 2024-02-03 11:00:00"},
		{"SELECT c.name FROM client AS c LEFT JOIN bill AS b ON b.client_id = c.id WHERE b.day > '2020-01-01'", ""},
		{"SELECT name FROM client JOIN bill ON bill.id = client.id", "never_meets: bill.id and client.id have no value " +
			"in common: the profile has the first from 100, the second up to 9"},
		{"SELECT name FROM client JOIN bill ON bill.client_id = client.id", ""},
		{"SELECT name FROM client WHERE id IN (SELECT id FROM bill)", "never_meets: client.id and bill.id have no value " +
			"in common: the profile has the first up to 9, the second from 100"},
		{"SELECT c.name FROM client AS c JOIN town AS t ON t.country = c.name",
			"never_meets: town.country and client.name have no value in common: all of both are known"},
	} {
		got := ""
		for _, d := range told(Case{SQL: tt.sql, Schema: s}) {
			if d.Name == "all_or_none" || d.Name == "never_meets" {
				got += string(d.Name) + ": " + d.Text
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", tt.sql, diff)
		}
		for _, d := range told(Case{SQL: tt.sql, Schema: plain}) {
			if d.Name == "all_or_none" {
				t.Errorf("%s: %s, and there is no profile", tt.sql, d.Text)
			}
		}
	}
	stale := Case{SQL: "SELECT name FROM client WHERE age > 72", Schema: s, Ran: true, Rows: [][]any{{"Ann"}}}
	for _, d := range told(stale) {
		if d.Name == "all_or_none" {
			t.Errorf("%s, and rows were found", d.Text)
		}
	}
}

// Of a value that is called otherwise in the column the doubt says how.
func TestAlias(t *testing.T) {
	s := shop(t)
	bill, _ := s.Table("bill")
	bill.Columns[3].Values = []string{"F", "M"}
	got := told(Case{SQL: "SELECT id FROM bill WHERE stat = 'Female'", Schema: s})
	want := []Doubt{{"unknown_value", "stat has no 'Female'; did you mean 'F'?", true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Conditions that no row can pass are told, whatever the data are; those that a row may pass are not.
func TestTwoValues(t *testing.T) {
	for where, want := range map[string]string{
		"day BETWEEN '2023-12-31' AND '2023-01-01'":            "day BETWEEN '2023-12-31' AND '2023-01-01'",
		"kilos BETWEEN 1900 AND 1800 AND stat = 'OP'":          "kilos BETWEEN 1900 AND 1800",
		"kilos BETWEEN 9 AND 10":                               "",
		"kilos NOT BETWEEN 10 AND 9":                           "",
		"kilos BETWEEN 5 AND 5":                                "",
		"day BETWEEN '2023-01-01' AND '2023-12-31'":            "",
		"zip BETWEEN '9000' AND '0123'":                        "",
		"kilos > 1950 AND kilos < 1900":                        "kilos > 1950 AND kilos < 1900",
		"kilos > 5 AND kilos < 6.5 AND kilos <= 5":             "kilos > 5 AND kilos <= 5",
		"kilos >= 5 AND kilos <= 5":                            "",
		"kilos = 7 AND bill.kilos < 7":                         "kilos = 7 AND bill.kilos < 7",
		"kilos > 1950 OR kilos < 1900":                         "",
		"stat <> 'OP' OR bill.stat <> 'PD'":                    "OR bill.stat != 'PD'",
		"stat <> 'OP' OR kilos <> 3":                           "",
		"stat <> 'OP' AND stat <> 'PD'":                        "",
		"day BETWEEN '18:00' AND '06:00:00'":                   "day BETWEEN '18:00' AND '06:00:00'",
		"YEAR(day) > 2020 AND YEAR(day) < 2010":                "YEAR(day) > 2020 AND YEAR(day) < 2010",
		"day > '2024-05-01' AND day < '2024-03-01'":            "day > '2024-05-01' AND day < '2024-03-01'",
		"kilos IS NULL AND kilos > 3":                          "kilos IS NULL AND kilos > 3",
		"kilos IS NOT NULL AND kilos > 3":                      "",
		"kilos <> 3 AND kilos <> 4":                            "",
		"kilos IS NULL AND stat <> 'OP'":                       "",
		"kilos = 3 AND kilos = 3.0":                            "",
		"kilos = 3 AND kilos = 4":                              "kilos = 3 AND kilos = 4",
		"kilos < (SELECT MAX(kilos) FROM bill) AND kilos > 90": "",
	} {
		got := ""
		for _, f := range Inspect("SELECT id FROM bill WHERE "+where, nil, shop(t)).Issues {
			if f.Reason == "two_values" {
				got += f.Message
			}
		}
		if strings.HasPrefix(want, "OR ") {
			want = "every row with a value has stat != 'OP' " + want
		} else if want != "" {
			want = "no row has " + want
		}
		must.Equal(t, got, want, where)
	}
	outer := "SELECT name FROM client LEFT JOIN bill ON client_id = client.id AND kilos > 3 WHERE kilos IS NULL"
	must.Be(t, len(Inspect(outer, nil, shop(t)).Issues) == 0, outer)
}

// A list with a NULL, as the profile says, is told behind NOT IN, where the query keeps it.
func TestNullLists(t *testing.T) {
	s := shop(t)
	bill, _ := s.Table("bill")
	kilos, _ := bill.Column("kilos")
	for _, some := range []bool{true, false} {
		kilos.SomeNull = some
		for where, want := range map[string]bool{
			"id NOT IN (SELECT kilos FROM bill)":                         true,
			"NOT (id IN (SELECT kilos FROM bill WHERE stat = 'OP'))":     true,
			"id IN (SELECT kilos FROM bill)":                             false,
			"id NOT IN (SELECT client_id FROM bill)":                     false,
			"id NOT IN (SELECT kilos FROM bill WHERE kilos > 2)":         false,
			"id NOT IN (SELECT kilos FROM bill WHERE kilos IS NOT NULL)": false,
			"id NOT IN (1, 2)":                                           false,
		} {
			told := slices.ContainsFunc(Inspect("SELECT COUNT(*) FROM client WHERE "+where, nil, s).Issues,
				func(f sqlcheck.Finding) bool { return f.Reason == "null_in_list" })
			must.Equal(t, told, want && some, where)
		}
	}
}
