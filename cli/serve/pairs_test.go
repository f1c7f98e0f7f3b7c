package serve

import (
	"errors"
	"strings"
	"testing"

	"nl2sql/tools"
)

// keeping is a server that keeps verdicts, and what it kept.
func keeping(t *testing.T, replies string) (Server, *[]string) {
	t.Helper()
	s := serverOf(t, replay(replies))
	var kept []string
	s.Keep = func(p tools.Pair, right bool) error {
		if strings.Contains(p.Question, "full") {
			return errors.New("no space left on device")
		}
		verdict := "wrong"
		if right {
			verdict = "right"
		}
		kept = append(kept, verdict+" "+p.Database+" "+p.Question+" "+p.SQL)
		return nil
	}
	for i := range s.Databases {
		book, _, err := tools.NewBook(nil, s.Databases[i].Schema)
		if err != nil {
			t.Fatal(err)
		}
		s.Databases[i].Pairs = book
	}
	return s, &kept
}

// A verdict is kept, and answers what repeats its question, with another value too, until it is taken back.
func TestJudge(t *testing.T) {
	s, kept := keeping(t, "no query")
	url := start(t, s).URL
	post := func(body string, status int, want string) {
		t.Helper()
		resp, text := call(t, "POST", url+"/api/pairs", body)
		if resp.StatusCode != status || !strings.Contains(text, want) {
			t.Errorf("%s: %s %s, want %d %q", body, resp.Status, text, status, want)
		}
	}
	const sql = `"sql":"SELECT COUNT(*) FROM customers WHERE country = 'France'"`
	post(`{"question":"How many customers are in France?",`+sql+`,"right":true}`, 200, `"date":"20`)
	post(`{"question":"",`+sql+`,"right":true}`, 400, "bad_question")
	post(`{"question":"How many customers are in France?",`+sql+`}`, 400, "right is missing")
	post(`{"question":"How many customers are in France?",`+sql+`,"right":null}`, 400, "right is missing")
	post(`{"question":"How many customers are in France?","right":false}`, 400, "sql is missing")
	post(`{"question":"a question","sql":"DELETE FROM customers","right":true}`, 400, "it does not run")
	post(`{"question":"a question",`+sql+`,"right":true,"database":"nowhere"}`, 404, "unknown_database")
	post(`{"question":"a full disk",`+sql+`,"right":true}`, 500, "")
	if len(*kept) != 1 || !strings.HasPrefix((*kept)[0], "right classicmodels How many customers are in France? SELECT") {
		t.Errorf("%q", *kept)
	}
	_, text := call(t, "POST", url+"/api/ask", `{"question":"How many customers are in Spain?"}`)
	if !strings.Contains(text, `"pair":{`) || !strings.Contains(text, "Spain") {
		t.Error(text)
	}
	post(`{"question":"How many customers are in France?",`+sql+`,"right":false}`, 200, "")
	if _, text = call(t, "POST", url+"/api/ask", `{"question":"How many customers are in Spain?"}`); strings.Contains(text,
		`"pair"`) {
		t.Error(text)
	}
	post(`{"question":"How many boats?","sql":"SELECT COUNT(*) FROM boats","right":true}`, 400, "it does not run")
	post(`{"question":"How many boats?","sql":"SELECT COUNT(*) FROM boats","right":false}`, 200, "boats")
	if last := (*kept)[len(*kept)-1]; last != "wrong classicmodels How many boats? SELECT COUNT(*) FROM boats" {
		t.Errorf("%q", last)
	}
	none := start(t, serverOf(t, replay("no query"))).URL
	resp, text := call(t, "POST", none+"/api/pairs", `{"question":"a",`+sql+`,"right":true}`)
	if resp.StatusCode != 404 {
		t.Error(resp.Status, text)
	}
}

// A person says on the page that an answer is right, by a button.
func TestPageJudges(t *testing.T) {
	s, kept := keeping(t, "SELECT COUNT(*) FROM customers WHERE country = 'France'")
	p := openPage(t, start(t, s).URL)
	p.write("#question", "How many customers are in France?")
	p.until(`(document.querySelector("#go").click(), true)`)
	p.until(`document.querySelector("#verdict button") !== null`)
	p.shoot("judge")
	p.until(`(document.querySelector("#verdict button").click(), true)`)
	p.until(`document.querySelector("#status").textContent.startsWith("Kept")`)
	p.write("#question", "How many customers are in Spain?")
	p.until(`(document.querySelector("#go").click(), true)`)
	p.until(`document.querySelector("#verdict").textContent.includes("As verified")`)
	if len(*kept) != 1 {
		t.Errorf("%q", *kept)
	}
	p.shoot("verified")
	p.close()
}
