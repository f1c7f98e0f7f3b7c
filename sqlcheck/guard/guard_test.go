package guard

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/guard/dissertation"
	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/question"
	"nl2sql/sqlcheck/schema"
)

func TestGuards(t *testing.T) {
	s := examples.Clinic(t)
	tests := []guardTest{
		{"grouping", "the group is shown", "Number of patients per country",
			"SELECT COUNT(*) FROM patients GROUP BY country", "SELECT country,COUNT(*) FROM patients GROUP BY country"},
		{"grouping", "another group", "Number of patients per country",
			"SELECT COUNT(*) FROM patients GROUP BY status", ""},
		{"grouping", "by column", "Number of patients by status", "SELECT COUNT(*) FROM patients",
			"SELECT status,COUNT(*) FROM patients GROUP BY status"},
		{"grouping", "who did it", "How many patients were admitted by status?", "SELECT COUNT(*) FROM patients", ""},
		{"grouping", "a filter", "Number of patients by status",
			"SELECT COUNT(*) FROM patients WHERE status = 'Open'", ""},
		{"clean", "as it is", "", "SELECT city FROM wards", ""},
		{"clean", "semicolon and blanks", "", " SELECT city FROM wards ; \n", "SELECT city FROM wards"},
		{"clean", "fence", "", "Here's the query:\n```sql\nSELECT city\nFROM wards;\n```\nIt lists the cities.",
			"SELECT city\nFROM wards"},
		{"clean", "open fence", "", "```\nSELECT city FROM wards", "SELECT city FROM wards"},
		{"clean", "prose around", "", "I select the city: SELECT city FROM wards\n\nThis query returns each city.",
			"SELECT city FROM wards"},
		{"clean", "prose on the line", "", "SQL: SELECT city FROM wards. This query returns each city.",
			"SELECT city FROM wards"},
		{"clean", "second statement", "", "SELECT city FROM wards; DROP TABLE wards;", "SELECT city FROM wards"},
		{"clean", "semicolon in a literal", "", "SELECT city FROM wards WHERE city = 'a;b'; SELECT 1",
			"SELECT city FROM wards WHERE city = 'a;b'"},
		{"clean", "repetition", "", "SELECT city FROM wards SELECT city FROM wards SELECT city",
			"SELECT city FROM wards"},
		{"clean", "a bracket is missing", "", "SELECT city FROM wards WHERE wardCode IN (SELECT wardCode FROM doctors",
			"SELECT city FROM wards WHERE wardCode IN (SELECT wardCode FROM doctors)"},
		{"clean", "markdown", "", `SELECT COUNT(\*) FROM visits WHERE visit\_id = 1;`,
			"SELECT COUNT(*) FROM visits WHERE visit_id = 1"},
		{"clean", "an escape in LIKE stays", "", `SELECT city FROM wards WHERE city LIKE 'a\_b';`,
			`SELECT city FROM wards WHERE city LIKE 'a\_b'`},
		{"clean", "typographic quotes", "", "SELECT city FROM wards WHERE city = ‘Leeds’;",
			"SELECT city FROM wards WHERE city = 'Leeds'"},
		{"clean", "CTE", "", "The SQL is\nWITH x AS (SELECT city FROM wards) SELECT * FROM x;",
			"WITH x AS (SELECT city FROM wards) SELECT * FROM x"},
		{"clean", "names that need quotes", "", "SELECT Sent To FROM order ORDER BY id",
			"SELECT `Sent To` FROM `order` ORDER BY id"},
		{"casing", "table, column and alias", "", "SELECT V.FEE FROM VISITS v WHERE Fee > 1 AND v.notes = 'VISITS'",
			"SELECT v.fee FROM visits AS v WHERE fee > 1 AND v.notes = 'VISITS'"},
		{"casing", "an alias is the model's", "", "SELECT fee AS FEE FROM VISITS ORDER BY FEE",
			"SELECT fee AS FEE FROM visits ORDER BY FEE"},
		{"columns", "nothing wrong", "", "SELECT v.fee FROM visits v", ""},
		{"columns", "underscores", "", "SELECT visit_date FROM visits", "SELECT visitDate FROM visits"},
		{"columns", "the table's name before the column's", "", "SELECT AVG(visitFee) FROM visits",
			"SELECT AVG(fee) FROM visits"},
		{"columns", "without the table's name", "", "SELECT p.name FROM patients p",
			"SELECT p.patientName FROM patients AS p"},
		{"columns", "join the owner", "", "SELECT country, AVG(fee) FROM visits GROUP BY country",
			"SELECT patients.country,AVG(fee) FROM visits JOIN patients ON visits.patientId = patients.patientId GROUP BY country"},
		{"columns", "move the qualifier", "",
			"SELECT p.patientName, p.fee FROM patients p JOIN visits v ON p.patientId = v.patientId",
			"SELECT p.patientName,v.fee FROM patients AS p JOIN visits AS v ON p.patientId = v.patientId"},
		{"columns", "a table under its name", "", "SELECT visits.fee FROM visits v", "SELECT v.fee FROM visits AS v"},
		{"columns", "an alias without a table", "", "SELECT p.patientName, p.country FROM visits v",
			"SELECT p.patientName,p.country FROM visits AS v JOIN patients AS p ON v.patientId = p.patientId"},
		{"columns", "a join that would repeat rows", "", "SELECT patientName FROM patients WHERE fee > 100", ""},
		{"names", "the only table that has it", "", "SELECT patientName FROM patients WHERE fee > 100",
			"SELECT patientName FROM patients JOIN visits ON patients.patientId = visits.patientId WHERE visits.fee > 100"},
		{"columns", "a join down, to add up", "", "SELECT patientName, SUM(fee) FROM patients GROUP BY patientName",
			"SELECT patientName,SUM(visits.fee) FROM patients JOIN visits ON patients.patientId = visits.patientId GROUP BY patientName"},
		{"columns", "two steps up", "", "SELECT wardName, COUNT(*) FROM patients GROUP BY wardName",
			"SELECT wards.wardName,COUNT(*) FROM (patients JOIN doctors ON patients.doctorId = doctors.doctorId) JOIN wards ON doctors.wardCode = wards.wardCode GROUP BY wardName"},
		{"columns", "ambiguous but equal", "",
			"SELECT patientId, SUM(fee) FROM patients p JOIN visits v ON p.patientId = v.patientId GROUP BY patientId",
			"SELECT p.patientId,SUM(fee) FROM patients AS p JOIN visits AS v ON p.patientId = v.patientId GROUP BY p.patientId"},
		{"columns", "ambiguous and not equal", "", "SELECT city, doctorId FROM patients, doctors, wards", ""},
		{"columns", "no one owner", "", "SELECT nonsense FROM visits", ""},
		{"columns", "up and down is no way", "",
			"SELECT visitDate, salary FROM visititems GROUP BY salary, price, weight, missing", ""},
		{"columns", "a join without qualifiers", "", "SELECT fee FROM patients JOIN visits ON patientId = patientId",
			"SELECT fee FROM patients JOIN visits ON patients.patientId = visits.patientId"},
		{"columns", "a join on a missing column", "",
			"SELECT v.fee FROM patients p JOIN visits v ON p.visitId = v.visitId",
			"SELECT v.fee FROM patients AS p JOIN visits AS v ON p.patientId = v.patientId"},
		{"names", "a join over the table between", "",
			"SELECT d.lastName, COUNT(*) FROM doctors d JOIN visits v ON v.doctorId = d.doctorId GROUP BY d.doctorId",
			"SELECT d.lastName,COUNT(*) FROM (doctors AS d JOIN patients ON d.doctorId = patients.doctorId) JOIN visits AS v ON patients.patientId = v.patientId GROUP BY d.doctorId"},
		{"names", "the table between is there", "",
			"SELECT d.lastName FROM patients JOIN doctors d ON d.doctorId = patients.doctorId JOIN visits v ON v.doctorId = d.doctorId", "SELECT d.lastName FROM (patients JOIN doctors AS d ON d.doctorId = patients.doctorId) JOIN visits AS v ON patients.patientId = v.patientId"},
		{"names", "a table in the singular", "", "SELECT ward.city, ward.* FROM ward",
			"SELECT wards.city,wards.* FROM wards"},
		{"names", "a table with underscores", "", "SELECT i.price FROM visit_items AS i",
			"SELECT i.price FROM visititems AS i"},
		{"names", "a table that is not like another", "", "SELECT COUNT(*) FROM nurses", ""},
		{"names", "a near table without the columns", "", "SELECT ward.salary FROM ward", ""},
		{"names", "a column's slip", "", "SELECT v.visitDat FROM visits v", "SELECT v.visitDate FROM visits AS v"},
		{"names", "one of two near columns", "", "SELECT d.Name FROM doctors d", ""},
		{"joins", "a key that leads elsewhere", "",
			"SELECT w.city FROM wards w JOIN patients p ON p.doctorId = w.wardCode",
			"SELECT w.city FROM (wards AS w JOIN doctors ON w.wardCode = doctors.wardCode) JOIN patients AS p ON doctors.doctorId = p.doctorId"},
		{"joins", "the other way round", "",
			"SELECT wardName, doctorId FROM patients LEFT JOIN wards ON patients.doctorId = wards.wardCode AND floor = 1", "SELECT wardName,patients.doctorId FROM (patients LEFT JOIN doctors ON patients.doctorId = doctors.doctorId) LEFT JOIN wards ON floor = 1 AND doctors.wardCode = wards.wardCode"},
		{"joins", "in each part", "",
			"SELECT w.city FROM patients p JOIN wards w ON p.doctorId = w.wardCode UNION SELECT w.city FROM patients p JOIN wards w ON p.doctorId = w.wardCode", "SELECT w.city FROM (patients AS p JOIN doctors ON p.doctorId = doctors.doctorId) JOIN wards AS w ON doctors.wardCode = w.wardCode UNION SELECT w.city FROM (patients AS p JOIN doctors ON p.doctorId = doctors.doctorId) JOIN wards AS w ON doctors.wardCode = w.wardCode"},
		{"joins", "the table between is there", "",
			"SELECT w.city FROM doctors d JOIN patients p ON p.doctorId = d.doctorId JOIN wards w ON p.doctorId = w.wardCode", ""},
		{"joins", "keys between them", "", "SELECT v.fee FROM patients p JOIN visits v ON p.patientId = v.patientId",
			""},
		{"joins", "no foreign key", "", "SELECT p.patientName FROM patients p JOIN wards w ON p.country = w.wardCode",
			""},
		{"joins", "a way from one row to many", "",
			"SELECT p.patientName FROM doctors d JOIN patients p ON d.wardCode = p.patientId", ""},
		{"dates", "a column less a column", "",
			"SELECT AVG(endDate - visitDate) FROM visits WHERE (endDate - visitDate) > 7",
			"SELECT AVG(DATEDIFF(endDate, visitDate)) FROM visits WHERE (DATEDIFF(endDate, visitDate)) > 7"},
		{"dates", "today less days", "", "SELECT fee FROM visits WHERE visitDate >= CURDATE() - 30",
			"SELECT fee FROM visits WHERE visitDate >= DATE_SUB(CURDATE(), INTERVAL 30 DAY)"},
		{"dates", "days more", "", "SELECT fee FROM visits WHERE endDate > visitDate + 2 OR endDate > NOW() - 1",
			"SELECT fee FROM visits WHERE endDate > DATE_ADD(visitDate, INTERVAL 2 DAY) OR endDate > DATE_SUB(NOW(), INTERVAL 1 DAY)"},
		{"dates", "a day and a clock", "", "SELECT NOW() - visitDate FROM visits",
			"SELECT DATEDIFF(NOW(), visitDate) FROM visits"},
		{"dates", "right as it is", "",
			"SELECT fee - 1, YEAR(endDate) - YEAR(visitDate), visitDate - INTERVAL 3 DAY, 2024 - fee FROM visits", ""},
		{"dates", "two clocks", "", "SELECT NOW() - CURRENT_TIMESTAMP FROM visits", ""},
		{"layers", "a share of the whole", "",
			"SELECT p.country, 100.0 * SUM(v.fee) / SUM(v.fee) OVER () FROM patients p JOIN visits v ON p.patientId = v.patientId GROUP BY p.country ORDER BY 2",
			"SELECT p.country,100.0 * SUM(v.fee) / SUM(SUM(v.fee)) OVER () FROM patients AS p JOIN visits AS v ON p.patientId = v.patientId GROUP BY p.country ORDER BY 2"},
		{"layers", "an average of counts", "",
			"SELECT ROUND(AVG(COUNT(*)), 1) FROM visits WHERE fee > 9 GROUP BY patientId",
			"SELECT ROUND(AVG(of_each), 1) FROM (SELECT COUNT(*) AS of_each FROM visits WHERE fee > 9 GROUP BY patientId) AS first_of_all"},
		{"layers", "in a subquery, of two", "",
			"SELECT patientId FROM visits GROUP BY patientId HAVING SUM(fee) > (SELECT AVG(SUM(fee) / COUNT(fee)) FROM visits GROUP BY patientId)",
			"SELECT patientId FROM visits GROUP BY patientId HAVING SUM(fee) > (SELECT AVG(of_each / of_each2) FROM (SELECT SUM(fee) AS of_each,COUNT(fee) AS of_each2 FROM visits GROUP BY patientId) AS first_of_all)"},
		{"layers", "no groups", "", "SELECT MAX(COUNT(*)) FROM visits", ""},
		{"layers", "beside the group's name", "", "SELECT country, AVG(COUNT(*)) FROM patients GROUP BY country", ""},
		{"layers", "the first of a list", "",
			"SELECT patientName FROM patients WHERE patientId IN (SELECT v.patientId FROM visits v ORDER BY v.fee DESC LIMIT 3)",
			"SELECT patientName FROM patients WHERE patientId IN (SELECT chosen FROM (SELECT v.patientId AS chosen FROM visits AS v ORDER BY v.fee DESC LIMIT 3) AS first_of_all)"},
		{"layers", "the first of each", "",
			"SELECT patientName FROM patients p WHERE 3 IN (SELECT v.fee FROM visits v WHERE v.patientId = p.patientId ORDER BY v.fee LIMIT 3)",
			"SELECT patientName FROM patients AS p WHERE 3 IN (SELECT chosen FROM (SELECT v.fee AS chosen FROM visits AS v WHERE v.patientId = p.patientId ORDER BY v.fee LIMIT 3) AS first_of_all)"},
		{"layers", "a window that is right", "", "SELECT country, SUM(COUNT(*)) OVER () FROM patients GROUP BY country",
			""},
		{"columns", "correlated", "",
			"SELECT patientName FROM patients p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.patientId = p.patientId AND v.salary > 1)", "SELECT patientName FROM patients AS p WHERE EXISTS (SELECT 1 FROM (visits AS v JOIN patients ON v.patientId = patients.patientId) JOIN doctors ON patients.doctorId = doctors.doctorId WHERE v.patientId = p.patientId AND doctors.salary > 1)"},
		{"columns", "the column that holds the value", "", "SELECT patientName FROM patients WHERE state = 'On Hold'",
			"SELECT patientName FROM patients WHERE status = 'On Hold'"},
		{"columns", "the owner does not hold the value", "", "SELECT visitId FROM visits WHERE status = 'Leeds'", ""},
		{"aggregate", "to HAVING, beside alternatives", "",
			"SELECT patientId FROM visits WHERE (fee > 1 OR fee < 0) AND (patientId = 3 OR patientId = 4) AND SUM(fee) > 10 GROUP BY patientId", "SELECT patientId FROM visits WHERE (fee > 1 OR fee < 0) AND (patientId = 3 OR patientId = 4) GROUP BY patientId HAVING SUM(fee) > 10"},
		{"aggregate", "to HAVING", "",
			"SELECT patientId FROM visits WHERE SUM(fee) > 10 AND endDate IS NULL GROUP BY patientId",
			"SELECT patientId FROM visits WHERE endDate IS NULL GROUP BY patientId HAVING SUM(fee) > 10"},
		{"aggregate", "to HAVING, grouped by what is shown", "",
			"SELECT p.patientName FROM patients p JOIN visits v ON p.patientId = v.patientId WHERE SUM(v.fee) > 10",
			"SELECT p.patientName FROM patients AS p JOIN visits AS v ON p.patientId = v.patientId GROUP BY p.patientName HAVING SUM(v.fee) > 10"},
		{"aggregate", "in a subquery it is right", "",
			"SELECT fee FROM visits WHERE fee = (SELECT MAX(fee) FROM visits)", ""},
		{"aggregate", "missing GROUP BY", "", "SELECT country, COUNT(*) FROM patients",
			"SELECT country,COUNT(*) FROM patients GROUP BY country"},
		{"aggregate", "another column of the table", "",
			"SELECT wardName, city, floor, COUNT(*) FROM wards JOIN doctors USING (wardCode) GROUP BY wardName",
			"SELECT wardName,city,floor,COUNT(*) FROM wards JOIN doctors USING (wardCode) GROUP BY wardName,city,floor"},
		{"aggregate", "a column of another table", "",
			"SELECT p.patientName, MAX(v.visitDate), v.fee FROM patients p JOIN visits v ON p.patientId = v.patientId GROUP BY p.patientName", ""},
		{"aggregate", "different values in the order of another column", "",
			"SELECT DISTINCT city FROM wards ORDER BY floor DESC, city LIMIT 3",
			"SELECT city FROM wards GROUP BY city ORDER BY MAX(floor) DESC,city LIMIT 3"},
		{"aggregate", "in the order of an expression", "", "SELECT DISTINCT city FROM wards ORDER BY floor + 1", ""},
		{"aggregate", "fixed columns need none", "", "SELECT country, COUNT(*) FROM patients WHERE country = 'UK'", ""},
		{"values", "synonym", "", "SELECT patientName FROM patients WHERE country = 'United Kingdom'",
			"SELECT patientName FROM patients WHERE country = 'UK'"},
		{"values", "blanks and punctuation", "", "SELECT patientName FROM patients WHERE status IN ('on-hold', 'Open')",
			"SELECT patientName FROM patients WHERE status IN ('On Hold','Open')"},
		{"texts", "synonym", "", "SELECT patientName FROM patients WHERE country = 'United Kingdom'",
			"SELECT patientName FROM patients WHERE country = 'UK'"},
		{"texts", "a slip of the model", "Patients in France?",
			"SELECT patientName FROM patients WHERE country = 'Frence'",
			"SELECT patientName FROM patients WHERE country = 'France'"},
		{"texts", "a word of the user", "Patients in Frence?",
			"SELECT patientName FROM patients WHERE country = 'Frence'", ""},
		{"texts", "a list finds some", "", "SELECT patientName FROM patients WHERE status IN ('on-hold', 'Open')", ""},
		{"texts", "a number is no name", "", "SELECT floor FROM wards WHERE floor = 'North'", ""},
		{"values", "a slip of the model", "Patients in France?",
			"SELECT patientName FROM patients WHERE country = 'Frence'",
			"SELECT patientName FROM patients WHERE country = 'France'"},
		{"values", "a word of the user", "Patients in Frence?",
			"SELECT patientName FROM patients WHERE country = 'Frence'", ""},
		{"values", "case alone is MySQL's business", "", "SELECT patientName FROM patients WHERE country = 'france'",
			""},
		{"values", "unknown", "", "SELECT patientName FROM patients WHERE country = 'Peru'", ""},
		{"values", "between text columns nothing moves", "",
			"SELECT patientName FROM patients WHERE country = 'open'", ""},
		{"values", "a number is no name", "", "SELECT floor FROM wards WHERE floor = 'North'",
			"SELECT floor FROM wards WHERE wardName = 'North'"},
		{"values", "a value in the neighbour", "Which visits were for surgery?",
			"SELECT v.visitId FROM visititems v WHERE v.visitType LIKE '%Surgery%'", ""},
		{"concat", "bars", "", "SELECT firstName || ' ' || lastName AS name FROM doctors",
			"SELECT CONCAT(firstName, ' ', lastName) AS name FROM doctors"},
		{"concat", "a condition", "",
			"SELECT salary > 1 OR doctorId > 2 FROM doctors WHERE firstName = 'a' OR lastName = 'b'", ""},
		{"postprocess", "one row", "How many visits?", "SELECT COUNT(*) FROM visits ORDER BY 1 LIMIT 1",
			"SELECT COUNT(*) FROM visits"},
		{"postprocess", "an order stays", "Which patients are from France?",
			"SELECT patientName FROM patients ORDER BY patientName", ""},
		{"postprocess", "rows cut at random", "Which patients are from France?",
			"SELECT patientName FROM patients LIMIT 10", "SELECT patientName FROM patients"},
		{"postprocess", "a limit that is asked for", "Show the first 10 patients.",
			"SELECT patientName FROM patients LIMIT 10", ""},
		{"postprocess", "a subquery's order", "",
			"SELECT patientName FROM patients WHERE patientId IN (SELECT patientId FROM visits ORDER BY fee)",
			"SELECT patientName FROM patients WHERE patientId IN (SELECT patientId FROM visits)"},
		{"postprocess", "a subquery's top", "",
			"SELECT patientName FROM patients WHERE patientId = (SELECT patientId FROM visits ORDER BY fee LIMIT 1)",
			""},
		{"default", "what the model shows is shown", "Which patients have visits, and for how much?",
			"SELECT p.patientId, p.patientName, p.country, SUM(v.fee) FROM patients p JOIN visits v ON p.patientId = v.patientId GROUP BY p.patientId, p.patientName, p.country", ""},
		{"default", "a star stays", "List patients in France.", "SELECT * FROM patients WHERE country = 'France'", ""},
		{"default", "a bound is shown", "Patients with more than 3 visits.",
			"SELECT patientId, COUNT(*) FROM visits GROUP BY patientId HAVING COUNT(*) > 3", ""},
		{"projection", "the name and not the key", "Which patients are from France?",
			"SELECT patientId, patientName, country FROM patients WHERE country = 'France' ORDER BY patientId",
			"SELECT patientName FROM patients WHERE country = 'France' ORDER BY patientId"},
		{"projection", "the filter is not asked for", "Which patients in France have a weight above 80?",
			"SELECT patientName, weight FROM patients WHERE country = 'France' AND weight > 80",
			"SELECT patientName FROM patients WHERE country = 'France' AND weight > 80"},
		{"projection", "a key that is asked for", "List the ids and names of all patients.",
			"SELECT patientId, patientName FROM patients", ""},
		{"projection", "a listed field", "List patients with their weight.",
			"SELECT patientId, patientName, weight, country FROM patients", "SELECT patientName,weight FROM patients"},
		{"projection", "first and last names", "Show all doctors.",
			"SELECT doctorId, firstName, lastName, salary FROM doctors", "SELECT firstName,lastName FROM doctors"},
		{"projection", "star", "List patients in France.", "SELECT * FROM patients WHERE country = 'France'",
			"SELECT patientName FROM patients WHERE country = 'France'"},
		{"projection", "all information", "Show all information of patients in France.",
			"SELECT * FROM patients WHERE country = 'France'", ""},
		{"projection", "a bound is not asked for", "Patients with more than 3 visits.",
			"SELECT p.patientName, COUNT(*) AS n FROM patients p JOIN visits v ON p.patientId = v.patientId GROUP BY p.patientId, p.patientName HAVING COUNT(*) > 3", "SELECT p.patientName FROM patients AS p JOIN visits AS v ON p.patientId = v.patientId GROUP BY p.patientId,p.patientName HAVING COUNT(*) > 3"},
		{"projection", "the key groups unseen", "Show the top 5 patients by fees.",
			"SELECT p.patientId, p.patientName, SUM(v.fee) AS total FROM patients p JOIN visits v ON p.patientId = v.patientId GROUP BY p.patientId, p.patientName ORDER BY total DESC LIMIT 5", "SELECT p.patientName,SUM(v.fee) AS total FROM patients AS p JOIN visits AS v ON p.patientId = v.patientId GROUP BY p.patientId,p.patientName ORDER BY total DESC LIMIT 5"},
		{"projection", "the name in place of the key", "Which patients are from France?",
			"SELECT patientId FROM patients WHERE country = 'France'",
			"SELECT patientName FROM patients WHERE country = 'France'"},
		{"projection", "two names in place of the key", "Which doctors work in the north ward?",
			"SELECT d.doctorId FROM doctors d WHERE d.wardCode = 'N'",
			"SELECT firstName,lastName FROM doctors AS d WHERE d.wardCode = 'N'"},
		{"projection", "a number before the rows", "Which five patients have the highest weight?",
			"SELECT patientId, patientName, country FROM patients ORDER BY weight DESC LIMIT 5",
			"SELECT patientName FROM patients ORDER BY weight DESC LIMIT 5"},
		{"projection", "no name: the key stays", "Which visits ended in 2020?",
			"SELECT visitId, notes FROM visits WHERE endDate > '2020-01-01'",
			"SELECT visitId FROM visits WHERE endDate > '2020-01-01'"},
		{"projection", "a number is asked for", "How many patients are from France?",
			"SELECT patientId, patientName FROM patients", ""},
		{"projection", "any other column is no answer to which", "Which patient has the highest weight?",
			"SELECT country FROM patients ORDER BY weight DESC LIMIT 1",
			"SELECT patientName FROM patients ORDER BY weight DESC LIMIT 1"},
		{"projection", "names that are a join away", "What are the names of patients with a visit in 2020?",
			"SELECT patientId FROM visits WHERE visitDate LIKE '2020%'",
			"SELECT patients.patientName FROM visits JOIN patients ON visits.patientId = patients.patientId WHERE visits.visitDate LIKE '2020%'"},
		{"projection", "first name first", "Show all doctors.", "SELECT lastName, firstName FROM doctors",
			"SELECT firstName,lastName FROM doctors"},
		{"projection", "the order that is asked for", "Show the last and first names of all doctors.",
			"SELECT lastName, firstName FROM doctors", ""},
		{"grouping", "per column of the table", "Number of patients per country", "SELECT COUNT(*) FROM patients",
			"SELECT country,COUNT(*) FROM patients GROUP BY country"},
		{"grouping", "per column a join away", "Average fee per status", "SELECT AVG(fee) FROM visits",
			"SELECT patients.status,AVG(fee) FROM visits JOIN patients ON visits.patientId = patients.patientId GROUP BY status"},
		{"grouping", "per thing is not settled", "Total fee per patient", "SELECT SUM(fee) FROM visits", ""},
		{"grouping", "grouped already", "Total fee per status", "SELECT SUM(fee) FROM visits GROUP BY patientId", ""},
		{"postprocess", "an order of all rows", "Weights of patients, highest first.",
			"SELECT weight FROM patients ORDER BY weight DESC LIMIT 1",
			"SELECT weight FROM patients ORDER BY weight DESC"},
		{"projection", "no question", "", "SELECT patientId, patientName FROM patients", ""},
		{"projection", "a set operation is left alone", "Which patients are from France?",
			"SELECT patientId, patientName FROM patients UNION SELECT doctorId, lastName FROM doctors", ""},
	}
	mend(t, s, tests)
}

// A guardTest is what one guard makes of a query.
type guardTest struct {
	guard, name, question, in string
	want                      string // "" if nothing changes
}

// mend holds guards to what they should make of queries, and to leave that alone.
func mend(t *testing.T, s *schema.Schema, tests []guardTest) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.guard+"/"+tt.name, func(t *testing.T) {
			set, err := ParseSet(tt.guard)
			if err != nil {
				t.Fatal(err)
			}
			want := tt.want
			if want == "" {
				want = tt.in
			}
			got, changes, v := set.Apply(tt.in, Input{Question: tt.question, Schema: s})
			if !v.OK {
				t.Fatalf("rejected: %s", v)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			if trimmed := strings.Trim(tt.in, "; \n") == got; (tt.want != "" && !trimmed) != (len(changes) == 1) {
				t.Errorf("changes: %v", changes)
			}
			again, changes, v := set.Apply(got, Input{Question: tt.question, Schema: s})
			if again != got || len(changes) > 0 || !v.OK {
				t.Errorf("a second pass changes it: %v %s", changes, v)
			}
		})
	}
}

func TestCleanRejects(t *testing.T) {
	s := examples.Clinic(t)
	tests := []struct {
		raw, question string
		want          sqlcheck.Reason
	}{
		{"", "", "empty"},
		{" \n", "", "empty"},
		{"I cannot answer that.", "", "no_select"},
		{"You should select a ward first.", "", "no_from"},
		{"SELECT 42;", "How many patients are there?", "no_from"},
		{"SELECT 42", "What is six times seven?", ""},
		{"SELECT 42", "", ""},
		{"SELECT (SELECT COUNT(*) FROM patients) - 1", "How many patients are there but one?", ""},
	}
	for _, tt := range tests {
		_, _, v := setNamed("clean").Apply(tt.raw, Input{Question: tt.question, Schema: s})
		if v.Reason != tt.want {
			t.Errorf("%q: %q, want %q", tt.raw, v.Reason, tt.want)
		}
	}
}

func TestGuardSet(t *testing.T) {
	names := func(g Set) []string {
		var out []string
		for _, x := range g {
			out = append(out, x.Name)
		}
		return out
	}
	tests := []struct {
		spec string
		want []string
	}{
		{"default", []string{"clean", "slips", "columns", "names", "joins", "casing", "layers", "aggregate", "texts",
			"flags", "concat", "dates", "years", "ages"}},
		{"dissertation", []string{"clean", "columns", "grouping", "casing", "aggregate", "values", "concat",
			"postprocess", "projection"}},
		{"none", nil},
		{"default,-concat", []string{"clean", "slips", "columns", "names", "joins", "casing", "layers", "aggregate",
			"texts", "flags", "dates", "years", "ages"}},
		{"default,grouping", []string{"clean", "slips", "columns", "names", "joins", "casing", "layers", "aggregate",
			"texts", "flags", "concat", "dates", "years", "ages", "grouping"}},
		{"clean, values", []string{"clean", "values"}},
		{"seed", []string{"seed_clean", "seed_postprocess", "seed_projection", "seed_casing"}},
	}
	for _, tt := range tests {
		g, err := ParseSet(tt.spec)
		if err != nil {
			t.Errorf("%s: %v", tt.spec, err)
		}
		if d := cmp.Diff(tt.want, names(g)); d != "" {
			t.Errorf("%s: -want +got\n%s", tt.spec, d)
		}
	}
	for _, bad := range []string{"", "nope", "default,-nope", "default,-grouping"} {
		if _, err := ParseSet(bad); err == nil || !strings.Contains(err.Error(), "projection") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestSeedGuards(t *testing.T) {
	s := examples.Clinic(t)
	tests := []struct{ name, question, in, want string }{
		{"order goes", "Which customers are in Spain?",
			"SELECT customerNumber, customerName FROM customers ORDER BY customerName LIMIT 3",
			"SELECT customerName FROM customers;"},
		{"a cue keeps it", "Top customers", "SELECT city FROM customers order by city LIMIT 3;",
			"SELECT city FROM customers order by city LIMIT 3;"},
		{"list all keeps one field", "List all products", "SELECT productName, MSRP FROM products;",
			"SELECT productName FROM products;"},
		{"fields in the question's order", "Show city and phone of offices",
			"SELECT phone, city, country FROM offices;", "SELECT city, phone FROM offices;"},
		{"table casing", "", "SELECT a FROM WARDS;", "SELECT a FROM wards;"},
	}
	for _, tt := range tests {
		got, _, v := setNamed("seed").Apply(tt.in, Input{Question: tt.question, Schema: s})
		if !v.OK || got != tt.want {
			t.Errorf("%s: %q (%s), want %q", tt.name, got, v, tt.want)
		}
	}
	for raw, want := range map[string]sqlcheck.Reason{"": "empty", "no": "no_select", "SELECT a": "no_from",
		"SELECT distinct FROM t": "no_select_fields", "select select from where": "no_select_fields",
		"SELECT a FROM select x": "no_from_table", "SELECT a FROM t WHERE b = 'explanation'": "bad_phrase",
		"SELECT a FROM t)": "no_from"} {
		if _, v := dissertation.SeedClean(raw); v.Reason != want {
			t.Errorf("%q: %q, want %q", raw, v.Reason, want)
		}
	}
}

func FuzzGuards(f *testing.F) {
	s := examples.Clinic(f)
	for _, seed := range []struct{ q, raw string }{
		{"Which patients are from France?", "SELECT patientId, patientName FROM patients WHERE country = 'Frence'"},
		{"", "```sql\nWITH x AS (SELECT 1 FROM wards) SELECT * FROM x UNION SELECT 2;```"},
		{"Top 3 \"wards\" by fee", "SELECT city, SUM(fee) FROM visits WHERE SUM(fee) > 1 LIMIT 3"},
		{"", "SELECT p.a, COUNT(*) FROM visits v JOIN (SELECT patientId FROM visits ORDER BY 1) p USING (patientId)"},
		{"How many?", "select \\* from `order` natural join wards where city like '%a\\_%' ; drop table x"},
	} {
		f.Add(seed.q, seed.raw)
	}
	f.Fuzz(func(t *testing.T, asked, raw string) {
		for _, set := range []Set{setNamed("default"), setNamed("dissertation"), setNamed("seed")} {
			sql, _, v := set.Apply(raw, Input{Question: asked, Schema: s})
			if !v.OK || set[0].Name != "clean" {
				continue
			}
			again, changes, v := set.Apply(sql, Input{Question: asked, Schema: s})
			if !v.OK || again != sql {
				t.Errorf("not idempotent\nraw   %q\nonce  %q\ntwice %q\n%v %s", raw, sql, again, changes, v)
			}
		}
		c := question.ExtractConstraints(asked, s)
		question.CheckConstraints(raw, c)
		question.CheckIntent(asked, raw, s)
	})
}

func BenchmarkGuards(b *testing.B) {
	s := examples.Clinic(b)
	in := Input{Question: "Show the top 5 patients in France by total fees.", Schema: s}
	const sql = "SELECT p.patientId, p.patientName, SUM(v.fee) AS total FROM patients p JOIN visits v ON p.patientId = v.patientId WHERE p.country = 'France' GROUP BY p.patientId, p.patientName ORDER BY total DESC LIMIT 5;"
	for b.Loop() {
		setNamed("dissertation").Apply(sql, in)
	}
}

// TestNamesOverTables has tables that two others share, and tables that link two others.
func TestNamesOverTables(t *testing.T) {
	s := examples.MustParse(t, "inn", `
		CREATE TABLE guests (guestId INT PRIMARY KEY, name VARCHAR(20));
		CREATE TABLE stays (stayId INT PRIMARY KEY, guestId INT, arrival DATE, FOREIGN KEY (guestId) REFERENCES guests (guestId));
		CREATE TABLE bills (billId INT PRIMARY KEY, guestId INT, amount INT, FOREIGN KEY (guestId) REFERENCES guests (guestId));
		CREATE TABLE rooms (roomId INT PRIMARY KEY, view VARCHAR(20));
		CREATE TABLE lets (stayId INT, roomId INT, PRIMARY KEY (stayId, roomId),
			FOREIGN KEY (stayId) REFERENCES stays (stayId), FOREIGN KEY (roomId) REFERENCES rooms (roomId));`)
	for _, tt := range []struct{ name, in, want string }{
		{"what only shares a parent",
			"SELECT s.stayId, SUM(b.amount) FROM stays s JOIN bills b ON b.stayId = s.stayId GROUP BY s.stayId", ""},
		{"nor is its table joined", "SELECT stayId FROM stays WHERE amount > 9", ""},
		{"over a link", "SELECT s.stayId, r.view FROM stays s JOIN rooms r ON r.stayId = s.stayId",
			"SELECT s.stayId,r.view FROM (stays AS s JOIN lets ON s.stayId = lets.stayId) JOIN rooms AS r ON lets.roomId = r.roomId"},
		{"the only table beyond a link", "SELECT stayId FROM stays WHERE view = 'sea'",
			"SELECT stays.stayId FROM (stays JOIN lets ON stays.stayId = lets.stayId) JOIN rooms ON lets.roomId = rooms.roomId WHERE rooms.view = 'sea'"},
		{"kept on the left", "SELECT g.name, r.view FROM guests g LEFT JOIN rooms r ON r.guestId = g.guestId",
			"SELECT g.name,r.view FROM ((guests AS g LEFT JOIN stays ON g.guestId = stays.guestId) LEFT JOIN lets ON stays.stayId = lets.stayId) LEFT JOIN rooms AS r ON lets.roomId = r.roomId"},
		{"a condition beside",
			"SELECT r.view FROM stays s JOIN rooms r ON r.stayId = s.stayId AND s.arrival > '2024-01-01'",
			"SELECT r.view FROM (stays AS s JOIN lets ON s.stayId = lets.stayId) JOIN rooms AS r ON s.arrival > '2024-01-01' AND lets.roomId = r.roomId"},
	} {
		want := tt.want
		if want == "" {
			want = tt.in
		}
		if got, _, _ := setNamed("names").Apply(tt.in, Input{Schema: s}); got != want {
			t.Errorf("%s:\n%s\n%s, want\n%s", tt.name, tt.in, got, want)
		}
	}
}

// Whatever names stand where, guards give text or a verdict, and doubts a list.
func TestGuardsComposed(t *testing.T) {
	s := examples.Clinic(t)
	random := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		sql := examples.Composed(random, s)
		for _, name := range setNames {
			if _, _, v := setNamed(name).Apply(sql, Input{Question: "Which patients of the 2 largest wards paid most?",
				Schema: s}); !v.OK && name == "default" {
				t.Fatalf("%q: %v", sql, v)
			}
		}
	}
}
