package desk_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/tools"
)

// held is a model whose replies wait to be let.
type held struct {
	*llm.Replay
	asked, let chan struct{}
}

func (m held) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	m.asked <- struct{}{}
	<-m.let
	return m.Replay.Generate(ctx, msgs, p)
}

// client is one of the interface of lines.
type client struct {
	t  *testing.T
	to net.Conn
	in *bufio.Scanner
}

func (c client) send(line string) { must.Get(c.to.Write([]byte(line + "\n")))(c.t) }

// next is the next line; answer the next that is no step.
func (c client) next() string {
	must.Have(c.t, c.in.Scan(), "the server went away", c.in.Err())
	return c.in.Text()
}

func (c client) answer() (out map[string]any) {
	for line := c.next(); ; line = c.next() {
		if strings.HasPrefix(line, "{") {
			must.Do(c.t, json.Unmarshal([]byte(line), &out), line)
			return out
		}
	}
}

func (c client) call(line string) map[string]any {
	c.t.Helper()
	c.send(line)
	return c.answer()
}

// A new interface needs its protocol alone: queue, limits, history, follow-ups, readings and pairs are the desk's.
func TestNewInterface(t *testing.T) {
	const question = "How many orders are from 2004?"
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{}))(t)
	must.Close(t, db)
	schema := must.Get(db.Schema(t.Context()))(t)
	book, _, err := tools.NewBook(nil, schema)
	must.Do(t, err)
	model := held{llm.NewReplay("SELECT COUNT(*) FROM orders WHERE YEAR(orderDate) = 2004\n===\n" +
		"SELECT COUNT(*) FROM orders WHERE YEAR(orderDate) = 2003"), make(chan struct{}, 9), make(chan struct{}, 9)}
	method := must.Get(answer.Settings{Agent: "loop"}.Method())(t)
	history := must.Get(desk.OpenHistory(filepath.Join(t.TempDir(), "history")))(t)
	must.Close(t, history)
	var kept []tools.Pair
	d := &desk.Desk{
		Asker:    must.Get(answer.New(method.On("default", false), model, nil))(t),
		Together: 1, Waiting: 1, History: history,
		Keep: func(p tools.Pair, _ bool) error { kept = append(kept, p); return nil },
	}
	d.Databases = []desk.Database{{Name: "shop", Backend: db.Backend(),
		Database: answer.Database{DB: db, Schema: schema, Pairs: book}}}
	socket := filepath.Join(t.TempDir(), "s")
	l := must.Get(net.Listen("unix", socket))(t)
	must.Close(t, l)
	go lines{d}.serve(l)
	connect := func() client {
		conn := must.Get(net.Dial("unix", socket))(t)
		t.Cleanup(func() { conn.Close() }) // the server may have done so
		return client{t, conn, bufio.NewScanner(conn)}
	}
	first, second, third := connect(), connect(), connect()

	// one is answered, one waits, and there is no place for more
	first.send(`{"ask":{"id":"a","question":"` + question + `"}}`)
	<-model.asked
	second.send(`{"ask":{"question":"And in 2003?","behind":{"question":"` + question +
		`","sql":"SELECT COUNT(*) FROM orders WHERE YEAR(orderDate) = 2004"}}}`)
	must.Equal(t, second.next(), `"waiting, place 1"`)
	full := third.call(`{"ask":{"question":"hello"}}`)
	must.Be(t, full["Code"] == "queue_full" && full["Retry"] != 0.0, full)
	model.let <- struct{}{}
	is := first.answer()
	must.Be(t, is["id"] == "a" && is["asks"] == "which date: order date, or required date?" &&
		len(is["readings"].([]any)) == 1, is)
	model.let <- struct{}{}
	is = second.answer()
	must.Be(t, is["question"] == question+" And in 2003?" && is["taken_as"] != "", is)

	// what was right answers what repeats it, until it is taken back, also where it does not run any more
	const pair = `"question":"How many customers are in France?","sql":"SELECT COUNT(*) FROM customers WHERE country = 'France'"`
	must.Be(t, first.call(`{"judge":{` + pair + `,"right":true}}`)["date"] != nil, "it was not kept")
	is = third.call(`{"ask":{"question":"How many customers are in Spain?"}}`)
	must.Be(t, is["pair"] != nil, is)
	first.call(`{"judge":{` + pair + `,"right":false}}`)
	is = first.call(`{"judge":{"question":"How many boats?","sql":"SELECT COUNT(*) FROM boats","right":false}}`)
	must.Be(t, len(kept) == 3 && book.Len() == 0 && is["date"] != nil, kept, is)

	// statements are checked, and errors are in words
	is = first.call(`{"run":{"sql":"SELECT COUNT(*) FROM customers"}}`)
	must.Be(t, is["ok"] == true && is["result"] != nil, is)
	is = first.call(`{"run":{"sql":"DELETE FROM customers"}}`)
	must.Be(t, is["ok"] == false && is["result"] == nil, is)
	is = first.call(`{"run":{"sql":"SELECT 1","database":"shp"}}`)
	must.Equal(t, is["Text"], any(`there is no database "shp"; did you mean shop?`))
	first.send(`{"past":"shop"}`)
	past := first.next()
	must.Be(t, strings.Count(past, `"outcome":"answered"`) == 3 && strings.Contains(past, "Spain"), past)
}
