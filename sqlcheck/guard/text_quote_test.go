package guard

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/sqlcheck/schema"
)

func TestQuoteNames(t *testing.T) {
	s, err := schema.ParseDDL("law",
		"CREATE TABLE `case` (`case_no` int, `lead` int, `desc` text, `key` int, `left` date, `function` text, `Paid By` text);"+
			"CREATE TABLE `group` (gid int, `Floor Area sqm` int, `Floor Plan` text, `order` int, `Name der Stadt` text);"+
			"CREATE TABLE rate (lid int, `from` date, `to` date, `Valid From` date)")
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"SELECT COUNT(*) FROM case WHERE key = 1":                                   "SELECT COUNT(*) FROM `case` WHERE `key` = 1",
		"SELECT T1.desc FROM case AS T1 LEFT JOIN group AS T2 ON T1.lead = T2.gid":  "SELECT T1.desc FROM `case` AS T1 LEFT JOIN `group` AS T2 ON T1.lead = T2.gid",
		"SELECT desc FROM case ORDER BY case_no DESC":                               "SELECT `desc` FROM `case` ORDER BY case_no DESC",
		"SELECT left FROM case":                                                     "SELECT `left` FROM `case`",
		"SELECT CASE WHEN key = 1 THEN 'a' END FROM case WHERE Paid By = 'card'":    "SELECT CASE WHEN `key` = 1 THEN 'a' END FROM `case` WHERE `Paid By` = 'card'",
		"SELECT T1.Paid By FROM `case` T1":                                          "SELECT T1.`Paid By` FROM `case` T1",
		"SELECT gid FROM group ORDER BY Floor Area DESC":                            "SELECT gid FROM `group` ORDER BY `Floor Area sqm` DESC",
		"SELECT AVG(Floor Area sqm) FROM group GROUP BY name der stadt":             "SELECT AVG(`Floor Area sqm`) FROM `group` GROUP BY `Name der Stadt`",
		"SELECT function FROM `case` WHERE function IS NULL":                        "SELECT `function` FROM `case` WHERE `function` IS NULL",
		"SELECT order FROM group ORDER BY order":                                    "SELECT `order` FROM `group` ORDER BY `order`",
		"SELECT gid FROM `group` WHERE gid IN (SELECT lead FROM case WHERE key = 2": "SELECT gid FROM `group` WHERE gid IN (SELECT `lead` FROM `case` WHERE `key` = 2)",
		"SELECT lid, left FROM rate WHERE left IS NOT NULL":                         "SELECT lid, `left` FROM rate WHERE `left` IS NOT NULL",
		"SELECT from FROM rate WHERE to IS NULL ORDER BY from":                      "SELECT `from` FROM rate WHERE `to` IS NULL ORDER BY `from`",
		"SELECT lid FROM rate WHERE Valid From IS NULL GROUP BY left":               "SELECT lid FROM rate WHERE `Valid From` IS NULL GROUP BY `left`",
		"SELECT gid FROM `group`":                                                   "SELECT gid FROM `group`",
		"SELECT gid gid gid FROM `group`":                                           "SELECT gid gid gid FROM `group`",
	} {
		got, _, v := setNamed("clean").Apply(in, Input{Schema: s})
		if diff := cmp.Diff(want, got); diff != "" || !v.OK {
			t.Errorf("%s: %v %s", in, v, diff)
		}
	}
}

func TestColumnsNameWithBlank(t *testing.T) {
	s, err := schema.ParseDDL("shop",
		"CREATE TABLE item (no int, `Item Category` text, Item text); CREATE TABLE gift (no int, `item category` text, `Gift Aid` text)")
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"SELECT no, Item Category, Gift Aid FROM gift":                        "SELECT no,`item category`,`Gift Aid` FROM gift",
		"SELECT T1.gift aid FROM item AS T2 JOIN gift AS T1 ON T1.no = T2.no": "SELECT T1.`Gift Aid` FROM item AS T2 JOIN gift AS T1 ON T1.no = T2.no",
		// a column of its own
		"SELECT Item Category FROM item": "SELECT Item Category FROM item",
		// an alias
		"SELECT no number FROM item":                                    "SELECT no number FROM item",
		"SELECT Gift Aid FROM gift GROUP BY Aid":                        "SELECT `Gift Aid` FROM gift GROUP BY `Gift Aid`",
		"SELECT Gift Aid, no FROM (SELECT Gift Aid, no FROM gift) AS x": "SELECT `Gift Aid`,no FROM (SELECT `Gift Aid`,no FROM gift) AS x",
		// which was meant?
		"SELECT T2.Gift Aid FROM gift AS T1 JOIN item AS T2 ON T1.no = T2.no": "SELECT T2.Gift Aid FROM gift AS T1 JOIN item AS T2 ON T1.no = T2.no",
	} {
		got, _, v := setNamed("columns").Apply(in, Input{Schema: s})
		if diff := cmp.Diff(want, got); diff != "" || !v.OK {
			t.Errorf("%s: %v %s", in, v, diff)
		}
	}
}
