package schema

import (
	"encoding/json"
	"strings"
	"testing"

	"nl2sql/scripts/must"
)

func TestParse(t *testing.T) {
	want, err := Parse([]byte("CREATE TABLE a (id INT PRIMARY KEY, b_id INT, FOREIGN KEY (b_id) REFERENCES b (id)); CREATE TABLE b (id INT PRIMARY KEY);"))
	must.Do(t, err)
	text := must.Get(json.MarshalIndent(want, "", "  "))(t)
	got := must.Get(Parse(append([]byte("\uFEFF\n"), text...)))(t)
	must.Same(t, got, want, "JSON is another schema")
	for in, want := range map[string]string{
		"":                       "there is no table in it",
		"a(id, b)\nb(id)\n":      "there is no table in it",
		`{"tables": []}`:         "there is no table in it",
		`{"tables": [{}]}`:       "table 1 has no name or no columns",
		`{"tables": `:            "unexpected end of JSON input",
		`CREATE TABLE a (id IN`:  "line 1: ",
		`{"tables": "a, b, c" }`: "cannot unmarshal",
	} {
		if _, err := Parse([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}
