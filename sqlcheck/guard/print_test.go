package guard

import (
	"testing"

	"nl2sql/sqlcheck"
	"nl2sql/sqlcheck/internal/examples"
)

// What a guard prints means what it read, and passes Check.
func TestPrintedPasses(t *testing.T) {
	s := examples.MustParse(t, "shop",
		"CREATE TABLE item (id INT PRIMARY KEY, `condition` VARCHAR(10), `Rank` INT, `function` INT, price INT, bits INT);")
	for in, want := range map[string]string{
		"SELECT `CONDITION`, PRICE FROM item":                             "SELECT `condition`,price FROM item",
		"SELECT PRICE FROM item WHERE `function` = 1 AND `rank` = 2":      "SELECT price FROM item WHERE `function` = 1 AND `Rank` = 2",
		"SELECT PRICE AS `system` FROM item `each` WHERE `each`.`id` = 1": "SELECT price AS `system` FROM item AS `each` WHERE `each`.id = 1",
		"SELECT CHAR(65), PRICE FROM item":                                "SELECT CHAR(65),price FROM item",
		"SELECT INSERT('abc', 1, 1, 'x'), PRICE FROM item":                "SELECT INSERT('abc', 1, 1, 'x'),price FROM item",
		"SELECT PRICE FROM item WHERE BIT_COUNT(1) = 1":                   "SELECT price FROM item WHERE BIT_COUNT(1) = 1",
		"SELECT COUNT(1), SUM(PRICE) FROM item":                           "SELECT COUNT(*),SUM(price) FROM item",
		"SELECT COUNT(*) OVER (), COUNT(DISTINCT 1), PRICE FROM item":     "SELECT COUNT(*) OVER (),COUNT(DISTINCT 1),price FROM item",
		"SELECT COUNT(TRUE), COUNT('COUNT(1)'), SUM(PRICE) FROM item":     "SELECT COUNT(TRUE),COUNT('COUNT(1)'),SUM(price) FROM item",
		"SELECT PRICE FROM item WHERE bits = (!id)":                       "SELECT price FROM item WHERE bits = (!id)",
	} {
		got, changes, v := setNamed("casing").Apply(in, Input{Schema: s})
		if got != want || len(changes) != 1 || !v.OK {
			t.Errorf("%s\ngot  %s (%v %v)\nwant %s", in, got, changes, v, want)
		}
		if _, v, err := sqlcheck.Check(got, s); err != nil || !v.OK && v.Reason != "not_grouped" {
			t.Errorf("%s: %v %v", got, v, err)
		}
	}
}
