package convert

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

// What a JSON file becomes, and what is told of it; or what is wrong with it, after "!".
func TestJSON(t *testing.T) {
	for _, tt := range []struct{ name, json, want, told string }{
		{"objects", `[{"id":1,"n":"x"},{"id":2,"n":null}]`, "`id` int NOT NULL, `n` varchar(1), PRIMARY KEY (`id`)" +
			"|('1','x'),('2',NULL)", ""},
		{"lines", "{\"a\":1}\r\n\r\n{\"b\":2}\n", "`a` int, `b` int|('1',NULL),(NULL,'2')", ""},
		{"one behind the other", "{\n\"a\":1}{\"a\":2} [", "!line 2 is no JSON", ""},
		{"pages", "[{\"a\":1}]\n[{\"a\":2}]", "`a` int NOT NULL|('1'),('2')", ""},
		{"a member", `{"count":1,"rows":[{"a":1}]}`, "`a` int NOT NULL|('1')", "what stands beside the lists of x: count"},
		{"features", `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":5},"geometry":{"type":` +
			`"Point","coordinates":[1, 2]}}]}`, "`type` varchar(7) NOT NULL, `properties_n` int NOT NULL, `geometry_type` " +
			"varchar(5) NOT NULL, `geometry_coordinates` varchar(5) NOT NULL|('Feature','5','Point','[1,2]')",
			"geometry_coordinates: row 1 has a list or an object, which is kept as a JSON text"},
		{"a member within", `{"data":{"users":[{"id":1}]},"ok":true}`, "`id` int NOT NULL, PRIMARY KEY (`id`)|('1')",
			"what stands beside the lists of x: ok"},
		{"one record in a list", `[{"a":[{"b":1}]}]`, "`a` varchar(9) NOT NULL|('[{\"b\":1}]')", "a: row 1 has a list"},
		{"an object of objects", `{"a":{"b":1},"c":{"b":2}}`, "!it is one object of objects", ""},
		{"a list of lists", `[["id","n"],[1,"x"],[2]]`, "`id` int NOT NULL, `n` varchar(1), PRIMARY KEY (`id`)|('1','x'),('2',NULL)", ""},
		{"without a header", `[[1,"x"]]`, "`column_1` int NOT NULL, `column_2` varchar(1) NOT NULL|('1','x')",
			"column 1 has no name"},
		{"numbers", `[{"a":0.10,"b":12345678901234567890,"c":1e3,"d":true},{"a":2,"b":1,"c":2,"d":false}]`,
			"`a` decimal(3,2) NOT NULL, `b` decimal(20,0) NOT NULL, `c` double NOT NULL, `d` int NOT NULL|" +
				"('0.10','12345678901234567890','1e3','1'),('2','1','2','0')", ""},
		{"beyond a double", `[{"a":1e400},{"a":1}]`, "`a` varchar(5) NOT NULL|('1e400'),('1')", `1 of 2 values are no numbers`},
		{"texts stay texts", `[{"a":"007","b":"12.5","c":"n/a","d":""}]`, "`a` varchar(3) NOT NULL, `b` varchar(4) NOT NULL, " +
			"`c` varchar(3) NOT NULL, `d` varchar(1) NOT NULL|('007','12.5','n/a','')", ""},
		{"numbers in quotes", `[{"a":"12.50","b":"10115"},{"a":"9.00","b":"24103"}]`,
			"`a` varchar(5) NOT NULL, `b` varchar(5) NOT NULL|('12.50','10115'),('9.00','24103')",
			`a: its numbers are in quotes, as "12.50"`},
		{"days", `[{"a":"2024-01-31","b":"2024-01-31T10:00:00.5Z","c":"31.01.2024"},{"a":"","b":null,"c":"01.02.2024"}]`,
			"`a` date, `b` datetime(1), `c` varchar(10) NOT NULL|('2024-01-31','2024-01-31 10:00:00.5','31.01.2024')," +
				"(NULL,NULL,'01.02.2024')", "b: its times have the zone Z"},
		{"a day before all", `[{"a":"2024-01-31T10:00:00"},{"a":"0001-01-01T00:00:00"}]`, "`a` varchar(19) NOT NULL|" +
			"('2024-01-31T10:00:00'),('0001-01-01T00:00:00')", "1 of 2 values are no dates"},
		{"true among texts", `[{"a":true,"b":true},{"a":"x","b":2},{"a":"y","b":3}]`, "`a` varchar(4) NOT NULL, `b` int NOT NULL|" +
			"('true','1'),('x','2'),('y','3')", ""},
		{"several kinds", `[{"a":1},{"a":"x"},{"a":"y"}]`, "`a` varchar(1) NOT NULL|('1'),('x'),('y')", ""},
		{"objects in objects", `[{"a":null,"b":{"c":{"d":{"e":1}}}},{"a":{"x":1,"y":{}},"b":{}}]`, "`b_c_d_e` int, `a_x` int, " +
			"`a_y` varchar(1)|('1',NULL,NULL),(NULL,'1',NULL)", ""},
		{"deep", `[{"a":{"b":{"c":{"d":{"e": 1}}}}}]`, "`a_b_c_d` varchar(7) NOT NULL|('{\"e\":1}')", "a_b_c_d: row 1 has a list"},
		{"names", `[{"":1,"a":2,"A":3,"a_b":4,"a":{"b":5}}]`, "`column_1` int NOT NULL, `a` int NOT NULL, `A_2` int " +
			"NOT NULL, `a_b` int NOT NULL, `a_b_2` int NOT NULL|('1','2','3','4','5')", `two columns are named "A"`},
		{"twice", `[{"a":1,"a":2}]`, "`a` int NOT NULL|('2')", `row 1 has "a" twice: the last one counts`},
		{"no record", `[{"a":1},5,null]`, "`a` int NOT NULL|('1')", "row 2 is 5, which is no record: it is left out (and 1 more)"},
		{"no member", `{}`, "!it holds no records", ""},
		{"nothing", `[]`, "!it holds no records", ""},
		{"values", `[1,2]`, "!it holds no records", ""},
		{"a comma too many", "[{\"a\":1},\n]", "!line 2 is no JSON", ""},
		{"a comment", "{\"a\":1}\n// x\n{\"a\":2}", "!line 2 is no JSON", ""},
		{"no end", "[{\"a\":1},\n{\"a\":2}", "!line 2 is no JSON", ""},
		{"no end within", "{\"a\":1}\n{\"a\":", "!line 2 is no JSON", ""},
		{"a value behind the list", `[{"a":1}] {"a":2}`, "!line 1: a value follows the list", ""},
		{"windows-1252", "[{\"a\":\"M\xfcller\"}]", "`a` varchar(6) NOT NULL|('Müller')", "row 1 is not UTF-8"},
		{"UTF-16", "\xff\xfe[\x00{\x00\"\x00a\x00\"\x00:\x001\x00}\x00]\x00", "`a` int NOT NULL|('1')", ""},
		{"a mark", "\ufeff [ {\"a\":1} ]", "`a` int NOT NULL|('1')", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, name := range []string{"x.json", "x.ndjson"} {
				path := filepath.Join(t.TempDir(), name)
				must.Do(t, os.WriteFile(path, []byte(tt.json), 0o600))
				got, told, err := scriptOf(t, path)
				if wrong, ok := strings.CutPrefix(tt.want, "!"); ok {
					must.Be(t, err != nil && strings.HasPrefix(err.Error(), wrong), err)
					continue
				}
				must.Do(t, err)
				table, values, _ := strings.Cut(tt.want, "|")
				must.Has(t, got, "CREATE TABLE `x` ("+table, "table")
				must.Has(t, got, values, "values")
				must.Has(t, strings.Join(told, "; "), tt.told, "told")
			}
		})
	}
}

// Several lists of one object are tables with their names; a text that is JSON is read as such, whatever its name.
func TestJSONLists(t *testing.T) {
	for _, name := range []string{"shop.json", "shop.csv", "shop.txt"} {
		got := must.Get(script(t, name, "{\"users\":[{\"id\":1}],\n\"Orders\":[{\"id\":2}],\"page\":1}"))(t)
		must.Same(t, got, "CREATE TABLE `users` (`id` int NOT NULL, PRIMARY KEY (`id`));\nINSERT INTO `users` VALUES ('1');\n"+
			"CREATE TABLE `Orders` (`id` int NOT NULL, PRIMARY KEY (`id`));\nINSERT INTO `Orders` VALUES ('2');\n")
	}
}

// Reading a file of an object a line, and one of a list in one line.
func BenchmarkJSON(b *testing.B) {
	object := `{"id":1,"name":"a name of some length","at":"2024-01-31T10:00:00Z","who":{"town":"Kiel","n":12.5}}`
	for name, text := range map[string]string{"lines": strings.Repeat(object+"\n", 5000),
		"list": "[" + strings.Repeat(object+",", 5000) + object + "]"} {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "x.json")
			must.Do(b, os.WriteFile(path, []byte(text), 0o600))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				_, _, err := scriptOf(b, path)
				must.Do(b, err)
			}
		})
	}
}

func FuzzJSON(f *testing.F) {
	for _, text := range []string{`[{"a":1,"b":{"c":[null]}}]`, "{\"a\":\"2024-01-31\"}\n{\"a\":\"\"}", `{"a":[{"b":1e5}],"c":2}`,
		`[["a"],[true]]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { reads(t, ".json", text) })
}
