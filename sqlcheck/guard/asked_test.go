package guard

import (
	"testing"

	"nl2sql/sqlcheck/internal/examples"
	"nl2sql/sqlcheck/schema"
)

// clubDDL has two keys from one table to another, a key of a table to itself, flags, and times of day.
const clubDDL = `
CREATE TABLE person (id int NOT NULL, name varchar(40), born date, age int, boss int, kin varchar(20), PRIMARY KEY (id), FOREIGN KEY (boss) REFERENCES person (id));
CREATE TABLE club (id int NOT NULL, title varchar(40), town varchar(20), opened varchar(20), season varchar(20), fee decimal(8,2), extra decimal(8,2), PRIMARY KEY (id));
CREATE TABLE membership (club int NOT NULL, person int NOT NULL, sponsor int NOT NULL, came datetime, left_at datetime, since date, paid char(1) NOT NULL, active tinyint(1) NOT NULL, year int, ` + "`#`" + ` int,
  PRIMARY KEY (club, person), FOREIGN KEY (club) REFERENCES club (id), FOREIGN KEY (person) REFERENCES person (id), FOREIGN KEY (sponsor) REFERENCES person (id));
`

// clubValues says what the columns of the club hold.
func clubValues(tb testing.TB, s *schema.Schema) {
	tb.Helper()
	for table, columns := range map[string]map[string][]string{
		"club":       {"title": {"Old Town Rowers", "Harbour Rowers", "Chess"}, "town": {"Leeds", "York"}, "opened": {"May 1, 1963", "June 3, 1970"}, "season": {"2019-spring", "2020-autumn"}},
		"membership": {"paid": {"y", "n"}},
	} {
		of, _ := s.Table(table)
		for name, values := range columns {
			c, _ := of.Column(name)
			c.Values, c.Complete = values, true
		}
	}
}

// Guards that hold a query against its question mend what they are for, once, and leave alone what is near to it.
func TestGuardsOnQuestions(t *testing.T) {
	s := examples.MustParse(t, "club", clubDDL)
	clubValues(t, s)
	mend(t, s, []guardTest{
		{"slips", "a number as an alias", "", "SELECT SUM(fee) AS 2025, COUNT(*) AS all FROM club", "SELECT SUM(fee) AS `2025`, COUNT(*) AS `all` FROM club"},
		{"slips", "a bracket that FROM comes before", "Share of free clubs, one decimal", "SELECT ROUND(100.0 * SUM(fee = 0) / COUNT(*) FROM club", "SELECT ROUND(100.0 * SUM(fee = 0) / COUNT(*), 1) FROM club"},
		{"slips", "the table twice", "Share of free clubs", "SELECT ROUND(SUM(fee = 0) / COUNT(*) FROM club) FROM club WHERE id > 1", "SELECT ROUND(SUM(fee = 0) / COUNT(*)) FROM club WHERE id > 1"},
		{"slips", "the bracket at the end", "", "SELECT town, ROUND(AVG(fee) FROM club GROUP BY town) AS mean FROM club", "SELECT town, ROUND(AVG(fee)) FROM club GROUP BY town"},
		{"slips", "a rank without its order", "", "SELECT RANK(), town FROM club GROUP BY town ORDER BY COUNT(*) DESC LIMIT 3", "SELECT RANK() OVER (ORDER BY COUNT(*) DESC), town FROM club GROUP BY town ORDER BY COUNT(*) DESC LIMIT 3"},
		{"slips", "WHERE twice", "", "SELECT id FROM club WHERE fee > 1 WHERE id NOT IN (2, 3)", "SELECT id FROM club WHERE fee > 1 AND id NOT IN (2, 3)"},
		{"slips", "SQL", "", "SELECT EXTRACT(YEAR FROM came), COUNT(*) AS n FROM membership GROUP BY 1", ""},
		{"slips", "nothing that is mended", "", "SELECT FROM WHERE", ""},
		{"layers", "what WHERE compares with", "", "SELECT title FROM club WHERE fee > 2 * AVG(fee)", "SELECT title FROM club WHERE fee > 2 * (SELECT AVG(T2.fee) FROM club AS T2)"},
		{"layers", "and of the same town", "", "SELECT c.title FROM club c WHERE c.fee > AVG(c.fee) OVER (PARTITION BY c.town)", "SELECT c.title FROM club AS c WHERE c.fee > (SELECT AVG(T2.fee) FROM club AS T2 WHERE T2.town = c.town)"},
		{"texts", "as a part of one value", "members of Chess and of old town", "SELECT id FROM club WHERE title = 'old town'", "SELECT id FROM club WHERE title = 'Old Town Rowers'"},
		{"texts", "in a subquery", "members of Old Town", "SELECT name FROM person WHERE id IN (SELECT person FROM membership JOIN club ON club.id = club WHERE title = 'old town')",
			"SELECT name FROM person WHERE id IN (SELECT person FROM membership JOIN club ON club.id = club WHERE title = 'Old Town Rowers')"},
		{"texts", "of two", "clubs of Rowers in York", "SELECT id FROM club WHERE title = 'Rowers' AND town = 'York'", "SELECT id FROM club WHERE title LIKE '%Rowers%' AND town = 'York'"},
		{"texts", "a pattern that some have", "clubs like Rowers", "SELECT id FROM club WHERE title LIKE '%Rowers%'", ""},
		{"texts", "a pattern that another column has", "clubs in York", "SELECT c.id FROM club AS c WHERE c.title LIKE '%york%'", "SELECT c.id FROM club AS c WHERE c.town = 'York'"},
		{"texts", "all but those", "clubs not in York", "SELECT id FROM club WHERE title NOT LIKE '%York%'", ""},
		{"texts", "a slip of the model", "clubs in Leeds", "SELECT id FROM club WHERE 'Leds' = town", ""},
		{"texts", "one letter off", "chess clubs", "SELECT COUNT(*) FROM club WHERE title = 'Chess!'", "SELECT COUNT(*) FROM club WHERE title = 'Chess'"},
		{"texts", "rows are found without it", "clubs of Rowers or in York", "SELECT id FROM club WHERE title = 'Rowers' OR town = 'York'", ""},
		{"texts", "all others are found", "clubs that are no Rowers", "SELECT id FROM club WHERE title <> 'Rowers' AND NOT town = 'Leeds!'", ""},
		{"texts", "an outer join keeps the rows", "persons and Old Town", "SELECT p.name FROM membership AS m LEFT JOIN club AS c ON c.id = m.club AND c.title = 'Old Town' JOIN person AS p ON p.id = m.person", ""},
		{"texts", "a count that is made more of", "is there an Old Town?", "SELECT IF(COUNT(*) > 0, 'yes', 'no') FROM club WHERE title = 'Old Town'", ""},
		{"texts", "in a subquery that counts", "clubs like Old Town", "SELECT id FROM person WHERE age > (SELECT COUNT(*) FROM club WHERE title = 'Old Town')", ""},
		{"texts", "in a derived table", "Old Town in York", "SELECT town FROM (SELECT town FROM club WHERE title = 'Old Town') AS x", "SELECT town FROM (SELECT town FROM club WHERE title = 'Old Town Rowers') AS x"},
		{"texts", "no whole word", "clubs like Row", "SELECT id FROM club WHERE title = 'Row'", ""},
		{"texts", "a text that the question has not", "clubs", "SELECT id FROM club WHERE title = 'Harbour'", ""},
		{"flags", "no NULL", "who has not paid", "SELECT person FROM membership WHERE paid IS NULL AND active IS NULL", "SELECT person FROM membership WHERE paid = 'n' AND active = 0"},
		{"flags", "all of them", "who has paid", "SELECT person FROM membership WHERE paid IS NOT NULL", ""},
		{"flags", "rows without a partner", "persons without a membership", "SELECT p.name FROM person AS p LEFT JOIN membership AS m ON m.person = p.id WHERE m.active IS NULL", ""},
		{"flags", "numbers", "who has paid", "SELECT person FROM membership WHERE paid = 1 AND active = 1", "SELECT person FROM membership WHERE paid = 'y' AND active = 1"},
		{"flags", "in a subquery", "who has paid", "SELECT name FROM person WHERE EXISTS (SELECT 1 FROM membership WHERE person = person.id AND paid = 1)", "SELECT name FROM person WHERE EXISTS (SELECT 1 FROM membership WHERE person = person.id AND paid = 'y')"},
		{"flags", "who is not there", "who has not paid", "SELECT name FROM person WHERE NOT EXISTS (SELECT 1 FROM membership WHERE person = person.id AND paid = 1)", ""},
		{"flags", "no flag", "", "SELECT person FROM membership WHERE left_at IS NULL AND sponsor IS NOT NULL AND year = 1", ""},
		{"years", "a name without a letter", "the oldest", "SELECT YEAR(`#`) FROM membership ORDER BY `#` LIMIT 1", ""},
		{"ages", "a name without a letter", "the oldest", "SELECT club FROM membership ORDER BY `#` LIMIT 1", ""},
		{"years", "a column of years", "", "SELECT person FROM membership WHERE YEAR(year) = 2019 AND YEAR(since) = 2020", "SELECT person FROM membership WHERE year = 2019 AND YEAR(since) = 2020"},
		{"years", "texts with a year", "", "SELECT YEAR(opened), YEAR(season), COUNT(*) FROM club GROUP BY YEAR(opened), YEAR(season)", "SELECT RIGHT(opened, 4),LEFT(season, 4),COUNT(*) FROM club GROUP BY RIGHT(opened, 4),LEFT(season, 4)"},
		{"ages", "the youngest for the oldest", "the three oldest people", "SELECT name FROM person ORDER BY born DESC LIMIT 3", "SELECT name FROM person ORDER BY born LIMIT 3"},
		{"ages", "by age", "the youngest person", "SELECT name FROM person ORDER BY age DESC LIMIT 1", "SELECT name FROM person ORDER BY age LIMIT 1"},
		{"ages", "of the table that is named", "the club of the youngest person", "SELECT c.title FROM club c JOIN membership m ON m.club = c.id JOIN person p ON m.person = p.id ORDER BY p.born LIMIT 1", "SELECT c.title FROM (club AS c JOIN membership AS m ON m.club = c.id) JOIN person AS p ON m.person = p.id ORDER BY p.born DESC LIMIT 1"},
		{"ages", "a word that names nothing", "the youngest member", "SELECT name FROM person ORDER BY born LIMIT 1", "SELECT name FROM person ORDER BY born DESC LIMIT 1"},
		{"ages", "a column that says no age", "the oldest membership", "SELECT club FROM membership ORDER BY since DESC LIMIT 1", ""},
		{"ages", "of another column's rows", "the last person of the oldest kin", "SELECT name FROM person ORDER BY born DESC LIMIT 1", ""},
		{"ages", "both ends", "the oldest person and the youngest", "SELECT name FROM person ORDER BY born DESC LIMIT 1", ""},
		{"ages", "right", "the youngest person", "SELECT name FROM person ORDER BY born DESC LIMIT 1", ""},
	})
}

// In a database in another language a name may be taken for one that means the same.
func TestNamesByMeaning(t *testing.T) {
	s := examples.MustParse(t, "congreso", `CREATE TABLE congresos (id int PRIMARY KEY, nombre varchar(20), ciudad varchar(20), inicio date);
CREATE TABLE ponentes (id int PRIMARY KEY, nombre varchar(20), apellido varchar(20), pais varchar(20));`)
	set, err := ParseSet("names")
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"SELECT nombre FROM conferencias": "SELECT nombre FROM congresos",
		"SELECT apellido FROM speakers":   "SELECT apellido FROM ponentes",
		"SELECT country FROM ponentes":    "SELECT pais FROM ponentes",
		"SELECT nombre FROM hotels":       "SELECT nombre FROM hotels",
	} {
		if got, _, _ := set.Apply(in, Input{Schema: s}); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
