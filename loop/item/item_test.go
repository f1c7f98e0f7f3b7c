package item

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"nl2sql/scripts/must"
	"nl2sql/sqlcheck/syntax"
)

const sharedData = "../../../shared/data/"

func TestReadItems(t *testing.T) {
	full := Item{ID: "a1", Database: "d", Family: "f", Difficulty: "easy", Tags: []string{"null", "date"},
		Question: "q", SQL: "s", Accept: []string{"t"}}
	plain := []Item{{ID: "1", Question: "q", SQL: "s"}, {ID: "2", Question: "r", SQL: "t"}}
	for _, tt := range []struct {
		name, in string
		want     []Item
	}{
		{"all fields", `{"id":"a1","database":"d","family":"f","difficulty":"easy","tags":["null","date"],` +
			`"nlq":"q","sql":"s","accept":["t"]}`, []Item{full}},
		{"lines", "{\"nlq\":\"q\",\"sql\":\"s\"}\n{\"nlq\":\"r\",\"sql\":\"t\"}\n", plain},
		{"CRLF, BOM, empty lines, no end of line",
			"\uFEFF\r\n{\"nlq\":\"q\",\"sql\":\"s\"}\r\n\r\n{\"nlq\":\"r\",\"sql\":\"t\"}", plain},
		{"array", "[{\"nlq\":\"q\",\n\"sql\":\"s\"},\n{\"nlq\":\"r\",\"sql\":\"t\"}]\n", plain},
		{"the dissertation's i", `[{"i":0,"nlq":"q","sql":"s"},{"i":2,"nlq":"r","sql":"t"}]`,
			[]Item{{ID: "0", Question: "q", SQL: "s"}, {ID: "2", Question: "r", SQL: "t"}}},
		{"a number as id", `{"id":17,"nlq":"q","sql":"s"}`, []Item{{ID: "17", Question: "q", SQL: "s"}}},
		{"Spider's names and its parsed tree", `[{"question":"q","query":"s","db_id":"d","sql":{"from":[]}}]`,
			[]Item{{ID: "1", Database: "d", Question: "q", SQL: "s"}}},
		{"BIRD's names", `[{"question":"q","SQL":"s","db_id":"d","difficulty":"simple","evidence":"e"}]`,
			[]Item{{ID: "1", Database: "d", Difficulty: "simple", Question: "q", SQL: "s"}}},
		{"gold_sql", `[{"nlq":"q","gold_sql":"s"},{"question":"r","gold_sql":"t"}]`, plain},
		{"CSV", "question,sql\nq,s\nr,t\n", plain},
		{"CSV with gold_sql", "nlq,gold_sql\nq,s\nr,t\n", plain},
		{"CSV with BOM and CRLF", "\uFEFFquestion,sql\r\nq,s\r\nr,t\r\n", plain},
		{"CSV with other names, quotes and a column too many", "db_id, NLQ,query,note\nd,\"q, or\n\"\"r\"\"\",s,x\n",
			[]Item{{ID: "1", Database: "d", Question: "q, or\n\"r\"", SQL: "s"}}},
		{"CSV with all columns", "id,family,difficulty,database,question,sql\n9,f,hard,d,q,s\n",
			[]Item{{ID: "9", Family: "f", Difficulty: "hard", Database: "d", Question: "q", SQL: "s"}}},
		{"a large item", `{"nlq":"` + strings.Repeat("q", maxItem-100) + `","sql":"s"}`,
			[]Item{{ID: "1", Question: strings.Repeat("q", maxItem-100), SQL: "s"}}},
	} {
		got, err := Read(strings.NewReader(tt.in))
		must.Succeed(t, err, tt.name)
		must.Same(t, got, tt.want, tt.name)
	}
}

func TestReadItemsErrors(t *testing.T) {
	huge := strings.Repeat("q", maxItem)
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", "there are none"},
		{"blank", "\uFEFF \r\n\n", "there are none"},
		{"an empty array", "[]", "there are none"},
		{"CSV without rows", "question,sql\n", "there are none"},
		{"a broken line", "{\"nlq\":\"q\",\"sql\":\"s\"}\n\n{\"nlq\":\"q\",\"sql\":\n",
			"line 3: the object does not end"},
		{"a broken object", "{\"nlq\":\"q\",\"sql\":\"s\"}\n{nlq}\n",
			"line 2: invalid character 'n' looking for beginning of object key string"},
		{"a list among lines", "{\"nlq\":\"q\",\"sql\":\"s\"}\n[]\n",
			"line 2: an item must be an object, not of type array"},
		{"two on a line", `{"nlq":"q","sql":"s"} {"nlq":"q","sql":"s"}`, "line 1: there is more after the object"},
		{"no question", "{\"nlq\":\"q\",\"sql\":\"s\"}\n{\"nlq\":\" \",\"sql\":\"s\"}\n",
			"line 2: an item needs a question: nlq or question"},
		{"no query", `{"nlq":"q"}`,
			"line 1: an item needs a gold query: sql, query, gold_sql; or \"refuse\": true, and none"},
		{"nothing in an object", `{}`, "line 1: an item needs a question: nlq or question"},
		{"duplicate ids", "{\"id\":\"a\",\"nlq\":\"q\",\"sql\":\"s\"}\n{\"id\":\"b\",\"nlq\":\"q\",\"sql\":\"s\"}\n" +
			"{\"id\":\"a\",\"nlq\":\"q\",\"sql\":\"s\"}\n",
			"line 3: id a is taken by the item on line 1"},
		{"some ids", "{\"id\":\"a\",\"nlq\":\"q\",\"sql\":\"s\"}\n{\"nlq\":\"q\",\"sql\":\"s\"}\n",
			"line 2: some items have an id and some have none"},
		{"a question that is a number", `{"nlq":5,"sql":"s"}`, "line 1: nlq must not be of type number"},
		{"a query that is a list", `{"nlq":"q","sql":["s"]}`, "line 1: sql must be text"},
		{"tags that are text", `{"nlq":"q","sql":"s","tags":"join"}`, "line 1: tags must not be of type string"},
		{"an id that is a list", `{"id":[1],"nlq":"q","sql":"s"}`, "line 1: id must be text or a number"},
		{"a huge line", "{\"nlq\":\"q\",\"sql\":\"s\"}\n{\"nlq\":\"" + huge + "\",\"sql\":\"s\"}\n",
			"line 2: an item of more than 1 MiB"},
		{"a huge cell", "question,sql\nq," + huge + "s\n", "line 2: an item of more than 1 MiB"},
		{"an array that does not end", "[{\"nlq\":\"q\",\"sql\":\"s\"},\n", "line 2: the array does not end"},
		{"a broken array", "[{\"nlq\":\"q\",\"sql\":\"s\"},\n\n{\"nlq\" 5}]",
			"line 3: invalid character '5' after object key"},
		{"an item of an array", "[\n{\"nlq\":\"q\",\"sql\":\"s\"},\n{\"nlq\":\n\"q\"}]",
			"line 3: an item needs a gold query: sql, query, gold_sql; or \"refuse\": true, and none"},
		{"more after an array", "[{\"nlq\":\"q\",\"sql\":\"s\"}]\n[]", "line 2: there is more after the array"},
		{"no known format", "question;sql\nq;s\n",
			"neither JSON nor CSV whose first line names a column with questions (nlq or question) and one with gold " +
				"queries (sql, query, gold_sql)"},
		{"a ragged row", "question,sql\nq,s\nq\n", "line 3: wrong number of fields"},
		{"a quote that does not end", "question,sql\nq,\"s\n", "line 2: extraneous or missing \" in quoted-field"},
		{"not UTF-8", "{\"nlq\":\"ä\",\"sql\":\"s\"}\n{\"nlq\":\"\xff\"}", "the file is not UTF-8: see line 2"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "the file is not UTF-8: see line 1"},
	} {
		items, err := Read(strings.NewReader(tt.in))
		if err == nil {
			t.Errorf("%s: no error, %d items", tt.name, len(items))
		} else if diff := cmp.Diff("read items: "+tt.want, err.Error()); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestQuestions(t *testing.T) {
	two := []Item{{ID: "1", Question: "How many?"}, {ID: "2", Question: "Which, where?"}}
	for _, tt := range []struct {
		name, in string
		want     []Item
	}{
		{"a line each", "How many?\r\n\n  Which, where?", two},
		{"a word that columns are called by, in a question", "Which, where?\nHow many?\n",
			[]Item{{ID: "1", Question: "Which, where?"}, {ID: "2", Question: "How many?"}}},
		{"lines of JSON, with a gold query or without",
			"{\"nlq\":\"How many?\"}\n{\"question\":\"Which, where?\",\"gold_sql\":\"s\"}\n",
			[]Item{two[0], {ID: "2", Question: "Which, where?", SQL: "s"}}},
		{"an array with ids", `[{"id":"a","nlq":"How many?"}]`, []Item{{ID: "a", Question: "How many?"}}},
		{"CSV", "id,Question\n1,How many?\n2,\"Which, where?\"\n", two},
	} {
		got, err := Questions(strings.NewReader(tt.in))
		must.Succeed(t, err, tt.name)
		must.Same(t, got, tt.want, tt.name)
	}
	for in, want := range map[string]string{
		"\n \n":                           "there are none",
		"{\"sql\":\"s\"}":                 "line 1: an item needs a question: nlq or question",
		"{\"nlq\":\"q\"}\nHow many?\n":    "line 2: invalid character 'H' looking for beginning of value",
		"\xff":                            "the file is not UTF-8: see line 1",
		strings.Repeat("q\n", maxItems+1): "line 100001: a file has at most 100000 items; split it",
	} {
		if _, err := Questions(strings.NewReader(in)); err == nil || err.Error() != "read items: "+want {
			t.Errorf("%.80q: %v, want %s", in, err, want)
		}
	}
}

func TestLoadItems(t *testing.T) {
	if _, err := Load("testdata/nope.jsonl"); err == nil || !strings.Contains(err.Error(), "nope.jsonl: no such file") {
		t.Errorf("a missing file: %v", err)
	}
	for _, tt := range []struct {
		file string
		n    int
		last Item
	}{
		{"dissertation/items.json", 122,
			Item{ID: "176", Family: "Z", Question: "Find orders where the customer has never made a payment.",
				SQL: "SELECT DISTINCT o.orderNumber FROM orders o WHERE NOT EXISTS (SELECT 1 FROM payments p WHERE " +
					"p.customerNumber = o.customerNumber);"}},
		{"dissertation/train_200.jsonl", 200, Item{ID: "200"}},
		{"spider-mysql/items.csv", 6079, Item{ID: "6079", Database: "wrestler"}},
	} {
		if _, err := os.Stat(sharedData + tt.file); err != nil {
			t.Skipf("needs ../shared/data/%s beside the checkout", tt.file)
		}
		items, err := Load(sharedData + tt.file)
		must.Have(t, err == nil && len(items) == tt.n, tt.file, len(items), "items", tt.n, err)
		last := items[len(items)-1]
		if tt.last.Question == "" {
			last.Question, last.SQL = "", ""
		}
		must.Same(t, last, tt.last, tt.file)
	}
}

// What is read can be written and read again, whatever it was.
func FuzzReadItems(f *testing.F) {
	for _, file := range []string{"dissertation/items.json", "dissertation/train_200.jsonl", "spider-mysql/items.csv"} {
		if data, err := os.ReadFile(sharedData + file); err == nil {
			f.Add(data[:min(len(data), 2000)])
		}
	}
	f.Add([]byte("\uFEFF[{\"i\":1,\"question\":\"q\",\"query\":\"s\",\"sql\":{}}]"))
	f.Add([]byte("question,sql\r\nq,\"s\"\r\n"))
	f.Add([]byte("{\"id\":1e3,\"nlq\":\"q\",\"sql\":\"s\",\"accept\":[\"t\"]}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		items, err := Read(bytes.NewReader(data))
		if err != nil {
			must.Be(t, !strings.Contains(err.Error(), "\n"), "an error of several lines", err)
			return
		}
		var out bytes.Buffer
		for _, it := range items {
			line := must.Get(syntax.JSONLine(it))(t)
			out.Write(line)
		}
		again := must.Get(Read(&out))(t)
		if diff := cmp.Diff(items, again, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	})
}

// What is asked comes as soon as its line is there, and what is no list of lines comes too.
func TestAsked(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"questions", "\uFEFFone?\n\n two?", "1 one? 2 two?"},
		{"objects between them", "one?\n{\"question\": \"two?\"}\n", "1 one? 2 two?"},
		{"an id here and none there", "one?\n{\"id\": 9, \"question\": \"two?\"}\n",
			"1 one? read items: line 2: some items have an id and some have none"},
		{"an array", "\n[{\"nlq\": \"one?\"},\n{\"nlq\": \"two?\"}]", "1 one? 2 two?"},
		{"CSV", "id,question\na,one?\n", "a one?"},
		{"a slip", "one?\n{\"id\": 9}\n", "1 one? read items: line 2: an item needs a question: nlq or question"},
		{"the same id", "{\"id\": 1, \"nlq\": \"one?\"}\n{\"id\": 1, \"nlq\": \"two?\"}\n",
			"1 one? read items: line 2: id 1 is taken by the item on line 1"},
		{"no text", "\xff\n", "read items: line 1: this is not UTF-8"},
		{"nothing", "", ""},
		{"an array in one long line", `[{"nlq": "one?"},` + strings.Repeat(" ", maxItem) + `{"nlq": "two?"}]`, "1 one? 2 two?"},
		{"a long line", "one?\n" + strings.Repeat("x", maxItem+1), "1 one? read items: line 2: an item of more than 1 MiB"},
	} {
		var got []string
		for it, err := range Asked(iotest.OneByteReader(strings.NewReader(tt.text))) {
			if err != nil {
				got = append(got, err.Error())
			} else {
				got = append(got, it.ID, it.Question)
			}
		}
		must.Equal(t, strings.Join(got, " "), tt.want, tt.name)
	}
}
