package guard

import (
	"testing"

	"nl2sql/sqlcheck/internal/examples"
)

// clubDDL has two keys from one table to another, a key of a table to itself, flags, and times of day.
const clubDDL = `
CREATE TABLE person (id int NOT NULL, name varchar(40), born date, age int, boss int, kin varchar(20), PRIMARY KEY (id), FOREIGN KEY (boss) REFERENCES person (id));
CREATE TABLE club (id int NOT NULL, title varchar(40), town varchar(20), opened varchar(20), season varchar(20), fee decimal(8,2), extra decimal(8,2), PRIMARY KEY (id));
CREATE TABLE membership (club int NOT NULL, person int NOT NULL, sponsor int NOT NULL, came datetime, left_at datetime, since date, paid char(1) NOT NULL, active tinyint(1) NOT NULL, year int, ` + "`#`" + ` int,
  PRIMARY KEY (club, person), FOREIGN KEY (club) REFERENCES club (id), FOREIGN KEY (person) REFERENCES person (id), FOREIGN KEY (sponsor) REFERENCES person (id));
`

// Guards that hold a query against its question mend what they are for, once, and leave alone what is near to it.
func TestGuardsOnQuestions(t *testing.T) {
	s := examples.MustParse(t, "club", clubDDL)
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
	const joined = " FROM person AS p JOIN membership AS m ON m.person = p.id"
	mend(t, s, []guardTest{
		{"slips", "a number as an alias", "", "SELECT SUM(fee) AS 2025, COUNT(*) AS all FROM club", "SELECT SUM(fee) AS `2025`, COUNT(*) AS `all` FROM club"},
		{"slips", "a bracket that FROM comes before", "Share of free clubs, one decimal", "SELECT ROUND(100.0 * SUM(fee = 0) / COUNT(*) FROM club", "SELECT ROUND(100.0 * SUM(fee = 0) / COUNT(*), 1) FROM club"},
		{"slips", "the table twice", "Share of free clubs", "SELECT ROUND(SUM(fee = 0) / COUNT(*) FROM club) FROM club WHERE id > 1", "SELECT ROUND(SUM(fee = 0) / COUNT(*)) FROM club WHERE id > 1"},
		{"slips", "the bracket at the end", "", "SELECT town, ROUND(AVG(fee) FROM club GROUP BY town) AS mean FROM club", "SELECT town, ROUND(AVG(fee)) FROM club GROUP BY town"},
		{"slips", "a rank without its order", "", "SELECT RANK(), town FROM club GROUP BY town ORDER BY COUNT(*) DESC LIMIT 3", "SELECT RANK() OVER (ORDER BY COUNT(*) DESC), town FROM club GROUP BY town ORDER BY COUNT(*) DESC LIMIT 3"},
		{"slips", "days", "", "SELECT club FROM membership WHERE DATEDIFF(left_at, came) > INTERVAL 30 DAY", "SELECT club FROM membership WHERE DATEDIFF(left_at, came) > 30"},
		{"slips", "WHERE twice, not in and a limit", "", "SELECT id FROM club WHERE fee > 1 WHERE id IS NOT IN (2, 3) ORDER BY fee LIMIT (SELECT 1)", "SELECT id FROM club WHERE fee > 1 AND id NOT IN (2, 3) ORDER BY fee"},
		{"slips", "SQL", "", "SELECT EXTRACT(YEAR FROM came), COUNT(*) AS n FROM membership GROUP BY 1", ""},
		{"slips", "nothing that is mended", "", "SELECT FROM WHERE", ""},
		{"own", "the rows of the subquery", "", "SELECT c.title FROM club c WHERE c.fee > (SELECT AVG(c.fee) FROM club)", "SELECT c.title FROM club AS c WHERE c.fee > (SELECT AVG(club.fee) FROM club)"},
		{"own", "of one name", "", "SELECT title FROM club WHERE fee > (SELECT AVG(club.fee) FROM club AS c WHERE c.town = club.town)", "SELECT title FROM club WHERE fee > (SELECT AVG(c.fee) FROM club AS c WHERE c.town = club.town)"},
		{"own", "another table's", "", "SELECT c.title FROM club c GROUP BY c.title HAVING SUM(c.fee) > (SELECT SUM(c.fee) FROM membership)", ""},
		{"layers", "what WHERE compares with", "", "SELECT title FROM club WHERE fee > 2 * AVG(fee)", "SELECT title FROM club WHERE fee > 2 * (SELECT AVG(T2.fee) FROM club AS T2)"},
		{"layers", "and of the same town", "", "SELECT c.title FROM club c WHERE c.fee > AVG(c.fee) OVER (PARTITION BY c.town)", "SELECT c.title FROM club AS c WHERE c.fee > (SELECT AVG(T2.fee) FROM club AS T2 WHERE T2.town = c.town)"},
		{"correlate", "the same table", "", "SELECT name FROM person WHERE age > (SELECT AVG(age) FROM person WHERE kin = kin)", "SELECT name FROM person WHERE age > (SELECT AVG(T2.age) FROM person AS T2 WHERE T2.kin = person.kin)"},
		{"correlate", "the key between two", "", "SELECT p.name FROM person p WHERE NOT EXISTS (SELECT 1 FROM club c JOIN membership m ON m.club = c.id WHERE c.id = c.id)", ""},
		{"correlate", "by the only key", "", "SELECT c.title FROM club c WHERE EXISTS (SELECT 1 FROM membership m WHERE m.year = m.year AND m.year > 2000)", "SELECT c.title FROM club AS c WHERE EXISTS (SELECT 1 FROM membership AS m WHERE m.club = c.id AND m.year > 2000)"},
		{"correlate", "two keys", "", "SELECT p.name FROM person p WHERE EXISTS (SELECT 1 FROM membership m WHERE m.year = m.year)", ""},
		{"correlate", "correlated", "", "SELECT name FROM person AS a WHERE age > (SELECT AVG(b.age) FROM person AS b WHERE b.kin = a.kin)", ""},
		{"twins", "a column twice", "Each person and the sponsor", "SELECT p.name, p.name" + joined, "SELECT p.name,T3.name FROM (person AS p JOIN membership AS m ON m.person = p.id) JOIN person AS T3 ON m.sponsor = T3.id"},
		{"twins", "what WHERE says", "Who is the sponsor of Ann?", "SELECT name FROM person JOIN membership ON person = id WHERE name = 'Ann'", "SELECT T3.name FROM (person JOIN membership ON person = person.id) JOIN person AS T3 ON membership.sponsor = T3.id WHERE person.name = 'Ann'"},
		{"twins", "the key of a table to itself", "everybody and the boss", "SELECT name, name FROM person", "SELECT person.name,T2.name FROM person JOIN person AS T2 ON person.boss = T2.id"},
		{"twins", "one table and one name", "Is there an Ann?", "SELECT name FROM person WHERE name = 'Ann'", ""},
		{"twins", "all keys are tied", "Each person and the sponsor", "SELECT p.name, p.name FROM person p JOIN membership m ON m.person = p.id AND m.sponsor = p.id AND p.boss = p.id", ""},
		{"twins", "another column too", "Ann's clubs", "SELECT p.name, m.club" + joined + " WHERE p.name = 'Ann'", ""},
		{"parts", "of one value", "members of Chess and of old town", "SELECT id FROM club WHERE title = 'old town'", "SELECT id FROM club WHERE title = 'Old Town Rowers'"},
		{"parts", "in a subquery", "members of Old Town", "SELECT name FROM person WHERE id IN (SELECT person FROM membership JOIN club ON club.id = club WHERE title = 'old town')",
			"SELECT name FROM person WHERE id IN (SELECT person FROM membership JOIN club ON club.id = club WHERE title = 'Old Town Rowers')"},
		{"parts", "of two", "clubs of Rowers in York", "SELECT id FROM club WHERE title <> 'Rowers' AND town = 'York'", "SELECT id FROM club WHERE title NOT LIKE '%Rowers%' AND town = 'York'"},
		{"parts", "no whole word", "clubs like Row", "SELECT id FROM club WHERE title = 'Row'", ""},
		{"parts", "a text that the question has not", "clubs", "SELECT id FROM club WHERE title = 'Harbour'", ""},
		{"flags", "no NULL", "who has not paid", "SELECT person FROM membership WHERE paid IS NULL AND active IS NOT NULL", "SELECT person FROM membership WHERE paid = 'n' AND active = 1"},
		{"flags", "numbers", "who has paid", "SELECT person FROM membership WHERE paid = 1 AND active = 1", "SELECT person FROM membership WHERE paid = 'y' AND active = 1"},
		{"flags", "in a subquery", "who has not paid", "SELECT name FROM person WHERE EXISTS (SELECT 1 FROM membership WHERE person = person.id AND paid = 0)", "SELECT name FROM person WHERE EXISTS (SELECT 1 FROM membership WHERE person = person.id AND paid = 'n')"},
		{"flags", "no flag", "", "SELECT person FROM membership WHERE left_at IS NULL AND sponsor IS NOT NULL AND year = 1", ""},
		{"periods", "this month", "memberships since this month", "SELECT COUNT(*) FROM membership WHERE MONTH(since) = MONTH(CURDATE())", "SELECT COUNT(*) FROM membership WHERE MONTH(since) = MONTH(CURDATE()) AND YEAR(since) = YEAR(CURDATE())"},
		{"periods", "the year is there", "memberships since this month", "SELECT COUNT(*) FROM membership WHERE MONTH(since) = MONTH(CURDATE()) AND YEAR(since) = 2024", ""},
		{"periods", "each year", "whose birthday is this month?", "SELECT name FROM person WHERE MONTH(born) = MONTH(CURDATE())", ""},
		{"periods", "a decade", "born in the 1980s", "SELECT name FROM person WHERE YEAR(born) = 1980", "SELECT name FROM person WHERE YEAR(born) BETWEEN 1980 AND 1989"},
		{"periods", "a year", "born in 1980", "SELECT name FROM person WHERE YEAR(born) = 1980", ""},
		{"years", "a name without a letter", "the oldest", "SELECT YEAR(`#`) FROM membership ORDER BY `#` LIMIT 1", ""},
		{"ages", "a name without a letter", "the oldest", "SELECT club FROM membership ORDER BY `#` LIMIT 1", ""},
		{"years", "a column of years", "", "SELECT person FROM membership WHERE YEAR(year) = 2019 AND YEAR(since) = 2020", "SELECT person FROM membership WHERE year = 2019 AND YEAR(since) = 2020"},
		{"years", "texts with a year", "", "SELECT YEAR(opened), YEAR(season), COUNT(*) FROM club GROUP BY YEAR(opened), YEAR(season)", "SELECT RIGHT(opened, 4),LEFT(season, 4),COUNT(*) FROM club GROUP BY RIGHT(opened, 4),LEFT(season, 4)"},
		{"years", "and the name of a month", "", "SELECT title FROM club WHERE MONTH(opened) = 5 AND MONTH(season) = 5", "SELECT title FROM club WHERE opened LIKE '%May%' AND MONTH(season) = 5"},
		{"dates", "hours of days", "average stay in hours", "SELECT club, AVG(DATEDIFF(left_at, came)) / 3600 FROM membership GROUP BY club", "SELECT club,AVG(TIMESTAMPDIFF(MINUTE, came, left_at) / 60) FROM membership GROUP BY club"},
		{"dates", "minutes", "how many minutes did each stay?", "SELECT person, DATEDIFF(left_at, came) * 1440 FROM membership", "SELECT person,TIMESTAMPDIFF(MINUTE, came, left_at) FROM membership"},
		{"dates", "days", "how many days did each stay?", "SELECT person, DATEDIFF(left_at, came) / 24 FROM membership", ""},
		{"dates", "an age", "how old are they on average", "SELECT AVG(born) FROM person", "SELECT AVG(TIMESTAMPDIFF(YEAR, born, CURDATE())) FROM person"},
		{"ages", "the youngest for the oldest", "the three oldest people", "SELECT name FROM person ORDER BY born DESC LIMIT 3", "SELECT name FROM person ORDER BY born LIMIT 3"},
		{"ages", "by age", "the youngest person", "SELECT name FROM person ORDER BY age DESC LIMIT 1", "SELECT name FROM person ORDER BY age LIMIT 1"},
		{"ages", "right", "the youngest person", "SELECT name FROM person ORDER BY born DESC LIMIT 1", ""},
		{"idle", "rows again and again", "names of all persons", "SELECT p.name" + joined, "SELECT p.name FROM person AS p"},
		{"idle", "the first table", "names of all persons", "SELECT p.name FROM membership m JOIN person p ON m.person = p.id", "SELECT p.name FROM person AS p"},
		{"idle", "the question speaks of it", "names of people with a membership", "SELECT p.name" + joined, ""},
		{"idle", "and of what it has", "names of people who have a sponsor", "SELECT p.name" + joined, ""},
		{"idle", "nobody knows of what it speaks", "names of people who jumped", "SELECT p.name" + joined, ""},
		{"idle", "a condition", "names of all people", "SELECT p.name" + joined + " WHERE m.active = 1", ""},
		{"idle", "one row for each", "persons in memberships", "SELECT m.since FROM membership m JOIN club c ON m.club = c.id", ""},
		{"groups", "a row for each town", "number of members per town", "SELECT c.town, COUNT(*) FROM club c JOIN membership m ON m.club = c.id GROUP BY c.id", "SELECT c.town,COUNT(*) FROM club AS c JOIN membership AS m ON m.club = c.id GROUP BY c.town"},
		{"groups", "a name stands for its row", "number of members per title", "SELECT c.title, COUNT(*) FROM club c JOIN membership m ON m.club = c.id GROUP BY c.id", ""},
		{"groups", "clubs and their towns", "number of members of each club, with its town", "SELECT c.town, COUNT(*) FROM club c JOIN membership m ON m.club = c.id GROUP BY c.id", ""},
		{"addends", "a sum with nothing", "fee plus extra of each club", "SELECT title, SUM(2 * fee + extra) FROM club GROUP BY title", "SELECT title,SUM(2 * fee + COALESCE(extra, 0)) FROM club GROUP BY title"},
		{"addends", "two that may be nothing", "fee plus extra", "SELECT fee + extra, fee - extra, id + 1 FROM club", ""},
		{"once", "each once", "towns of our clubs, each once", "SELECT town FROM club WHERE fee > 3", "SELECT DISTINCT town FROM club WHERE fee > 3"},
		{"once", "a pair once", "pairs of clubs of one town, each pair once", "SELECT a.title, b.title FROM club a JOIN club b ON a.town = b.town AND a.id < b.id", ""},
		{"details", "everything", "Show me everything about the club Chess", "SELECT title, town FROM club WHERE title = 'Chess'", "SELECT * FROM club WHERE title = 'Chess'"},
		{"details", "in Spanish", "todos los datos del club Chess", "SELECT title FROM club WHERE title = 'Chess'", "SELECT * FROM club WHERE title = 'Chess'"},
		{"details", "not everything", "towns of everything about Chess", "SELECT town FROM club WHERE title = 'Chess'", ""},
		{"details", "a number", "everything about Chess", "SELECT COUNT(*) FROM club WHERE title = 'Chess'", ""},
		{"tops", "a group of rows that differ", "the two dearest clubs of each town: title, fee", "SELECT title, fee FROM club GROUP BY town ORDER BY fee DESC LIMIT 2",
			"SELECT title,fee FROM (SELECT title AS title,fee AS fee,RANK() OVER (PARTITION BY town ORDER BY fee DESC) AS place FROM club) AS ranked WHERE place <= 2"},
		{"tops", "no first of each", "clubs of each town: title, fee", "SELECT title, fee FROM club GROUP BY town ORDER BY fee DESC LIMIT 2", ""},
		{"ties", "the first of a group", "", "SELECT name FROM (SELECT name, ROW_NUMBER() OVER (PARTITION BY kin ORDER BY age) AS n FROM person) AS r WHERE n <= 2", "SELECT name FROM (SELECT name,RANK() OVER (PARTITION BY kin ORDER BY age) AS n FROM person) AS r WHERE n <= 2"},
		{"ties", "the second", "", "SELECT name FROM (SELECT name, ROW_NUMBER() OVER (ORDER BY age) AS n FROM person) AS r WHERE n = 2", ""},
		{"ties", "all that are first", "the town or towns with the most clubs", "SELECT town FROM club GROUP BY town ORDER BY COUNT(*) DESC LIMIT 1", "SELECT town FROM (SELECT town AS town,RANK() OVER (ORDER BY COUNT(*) DESC) AS place FROM club GROUP BY town) AS ranked WHERE place <= 1"},
		{"ties", "one is wanted", "the town with the most clubs", "SELECT town FROM club GROUP BY town ORDER BY COUNT(*) DESC LIMIT 1", ""},
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
