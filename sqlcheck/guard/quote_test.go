package guard

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"nl2sql/sqlcheck/schema"
)

func TestQuoteNames(t *testing.T) {
	s, err := schema.ParseDDL("law", "CREATE TABLE `case` (`case_no` int, `lead` int, `desc` text, `key` int, `left` date, `function` text, `Paid By` text);"+
		"CREATE TABLE `group` (gid int, `Floor Area sqm` int, `Floor Plan` text, `order` int, `Name der Stadt` text);")
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
		"SELECT gid FROM `group`":                                                   "SELECT gid FROM `group`",
		"SELECT gid gid gid FROM `group`":                                           "SELECT gid gid gid FROM `group`",
	} {
		got, _, v := clean(in, Input{Schema: s})
		if diff := cmp.Diff(want, got); diff != "" || !v.OK {
			t.Errorf("%s: %v %s", in, v, diff)
		}
	}
}
