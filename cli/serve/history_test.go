package serve

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/loop/desk"
)

// A history has what was asked, each bearer's own, in a file that this user alone may read.
func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "asked.jsonl")
	if err := os.WriteFile(path, []byte(`{"time":"2026-01-02T03:04:05Z","database":"other","question":"old"}`+"\n"+
		`{"time":"2026-01-02T03:0`), 0o644); err != nil { // as a killed server leaves it
		t.Fatal(err)
	}
	s := serverOf(t, replay(counted))
	s.Tokens = []string{"0123456789abcdef", "fedcba9876543210"}
	var err error
	if s.History, err = desk.OpenHistory(path); err != nil {
		t.Fatal(err)
	}
	if _, err := desk.OpenHistory(path); err == nil || !strings.Contains(err.Error(), "another server has "+path) {
		t.Error(err)
	}
	url := start(t, s).URL
	bearers := []string{"Bearer " + s.Tokens[0], "Bearer " + s.Tokens[1]}
	call(t, "POST", url+"/api/ask", askBody(asked), "Authorization", bearers[0])
	call(t, "POST", url+"/api/ask", askBody("hello"), "Authorization", bearers[1])
	list := func(bearer, database string) (all []desk.Asked) {
		t.Helper()
		resp, text := call(t, "GET", url+"/api/history"+database, "", "Authorization", bearer)
		var got histories
		if err := json.Unmarshal([]byte(text), &got); err != nil || resp.StatusCode != 200 {
			t.Fatalf("%s %v: %s", resp.Status, err, text)
		}
		return got.Questions
	}
	mine := list(bearers[0], "")
	if len(mine) != 1 || mine[0].Question != asked || mine[0].SQL != counted || mine[0].Outcome != "answered" ||
		mine[0].Rows != 1 || mine[0].Confidence <= 0 || mine[0].Database != "classicmodels" || mine[0].Time.IsZero() {
		t.Errorf("%+v", mine)
	}
	if hers := list(bearers[1], "?database=classicmodels"); len(hers) != 1 || hers[0].Outcome != "refused" {
		t.Errorf("%+v", hers)
	}
	if none := list(bearers[1], "?database=other"); len(none) != 0 {
		t.Errorf("%+v", none)
	}
	resp, _ := call(t, "GET", url+"/api/history?database=no", "", "Authorization", bearers[0])
	if resp.StatusCode != 404 {
		t.Error(resp.Status)
	}
	resp, text := call(t, "GET", url+"/api/history?db=other", "", "Authorization", bearers[0])
	if resp.StatusCode != 400 || !strings.Contains(text, "?db=other: write ?database=NAME") {
		t.Error(resp.Status, text)
	}
	if err := s.History.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	again, err := desk.OpenHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if resp, got := call(t, "GET", start(t, serverOf(t, replay())).URL+"/api/history", ""); resp.StatusCode != 404 ||
		!strings.Contains(got, "--history FILE") {
		t.Errorf("%s: %s", resp.Status, got)
	}
	if all := again.Of("", ""); len(all) != 3 || all[2].Question != "old" {
		t.Errorf("%+v", all)
	}
}
