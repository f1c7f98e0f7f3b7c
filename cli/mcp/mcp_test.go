package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nl2sql/assets"
	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
	"nl2sql/sqlcheck"
	"nl2sql/tools"
)

const (
	asking  = "How many orders were shipped?"
	counted = "SELECT COUNT(*) FROM orders WHERE status = 'Shipped'"
	endless = "SELECT COUNT(*) FROM orderdetails a JOIN orderdetails b ON a.productCode = b.productCode JOIN orderdetails c ON " +
		"b.productCode = c.productCode JOIN orderdetails d ON c.productCode = d.productCode JOIN orderdetails e ON d.productCode = e.productCode"
)

// demo is the demo database, opened once.
var demo = sync.OnceValues(func() (desk.Database, error) {
	db, err := embedded.Open(context.Background(), "", runner.Limits{})
	if err != nil {
		return desk.Database{}, err
	}
	notes, err := tools.ParseNotes(strings.NewReader(assets.DemoNotes))
	if err != nil {
		return desk.Database{}, err
	}
	s, err := db.Schema(context.Background())
	return desk.Database{Name: "classicmodels", Backend: runner.Backend{Database: "classicmodels"},
		Database: answer.Database{DB: db, Schema: s, Notes: notes}}, err
})

// serverOf serves the demo database, with a model unless it is nil.
func serverOf(t *testing.T, model llm.Generator) Server {
	t.Helper()
	s := Server{Desk: &desk.Desk{Databases: []desk.Database{must.Get(demo())(t)}}, Version: "test"}
	if model == nil {
		return s
	}
	method := must.Get(answer.Settings{Agent: "loop"}.Method())(t)
	s.Asker = must.Get(answer.New(method.On("default", false), model, nil))(t)
	return s
}

// connect has a client talk with a server as over stdin and stdout.
func connect(t *testing.T, s Server, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	theirs, out := io.Pipe()
	in, ours := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- s.Serve(context.Background(), in, out)
		out.Close() // a pipe's error is nil
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o)
	session := must.Get(client.Connect(t.Context(), &sdk.IOTransport{Reader: theirs, Writer: ours}, nil))(t)
	t.Cleanup(func() {
		must.Do(t, session.Close())
		must.Do(t, <-ended) // the client went away
	})
	return session
}

// object is a value of JSON.
type object = map[string]any

// call calls a tool and returns its text, and its value, which is what the tool says that it gives.
func call(t *testing.T, c *sdk.ClientSession, name string, arguments object) (text string, value object, failed bool) {
	t.Helper()
	res := must.Get(c.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments}))(t)
	for _, part := range res.Content {
		text += part.(*sdk.TextContent).Text
	}
	if res.StructuredContent == nil {
		return text, nil, res.IsError
	}
	for tool, err := range c.Tools(t.Context(), nil) {
		must.Do(t, err)
		if tool.Name != name {
			continue
		}
		var is *jsonschema.Schema
		must.Do(t, json.Unmarshal(must.Get(json.Marshal(tool.OutputSchema))(t), &is))
		must.Succeed(t, must.Get(is.Resolve(nil))(t).Validate(res.StructuredContent),
			name, "gives what it does not say")
	}
	return text, res.StructuredContent.(object), res.IsError
}

// Each tool says that it only reads; ask is there where there is a model, and a database may be named.
func TestTools(t *testing.T) {
	two := serverOf(t, nil)
	two.Databases = append(two.Databases, desk.Database{Name: "other", Database: two.Databases[0].Database})
	keeps, _ := keeping(t)
	for name, test := range map[string]struct {
		s    Server
		want string
	}{
		"no model":      {serverOf(t, nil), "check query samples schema"},
		"a model":       {serverOf(t, llm.NewReplay("")), "ask check query samples schema"},
		"two databases": {two, "check query samples schema"},
		"a file":        {keeps, "check learn pairs query samples schema"},
	} {
		t.Run(name, func(t *testing.T) {
			var names []string
			for tool, err := range connect(t, test.s, nil).Tools(t.Context(), nil) {
				must.Do(t, err)
				names = append(names, tool.Name)
				a := tool.Annotations
				reads := tool.Name != "learn"
				if a.ReadOnlyHint != reads || *a.DestructiveHint || *a.OpenWorldHint || !a.IdempotentHint {
					t.Errorf("%s: %+v", tool.Name, a)
				}
				if !strings.Contains(tool.Description, dataMark) || tool.OutputSchema == nil {
					t.Errorf("%s does not say that texts are data, or what it gives", tool.Name)
				}
				in := tool.InputSchema.(object)["properties"].(object)
				database, has := in["database"].(object)
				all := []any{"classicmodels", "other"}[:len(test.s.Databases)]
				must.Be(t, has && cmp.Equal(database["enum"], all), tool.Name, "database is", database)
			}
			must.Equal(t, strings.Join(names, " "), test.want)
		})
	}
}

// A session as an agent has it: it looks at what the question is about, writes a wrong query, reads the error, and
// mends it.
func TestSession(t *testing.T) {
	c := connect(t, serverOf(t, nil), nil)
	const question = "Which customers in France have late orders?"
	text, value, failed := call(t, c, "schema", object{"question": question})
	if failed || !strings.Contains(text, "orders.customerNumber = customers.customerNumber\n") ||
		!strings.Contains(text, "customers.country = 'France'; late: orders.shippedDate > orders.requiredDate\n") {
		t.Fatal(text)
	}
	must.Equal(t, len(value["hints"].([]any)), 2)
	wrong := "SELECT DISTINCT c.customerNam FROM customers c JOIN orders o ON o.customerNumber = c.customerNumber WHERE " +
		"c.country = 'France' AND o.shipped > o.requiredDate"
	text, value, failed = call(t, c, "query", object{"sql": wrong, "question": question})
	if !failed || value["ok"] != false || value["result"] != nil ||
		!strings.Contains(text, "unknown_column:c.customerNam. c (customers) has no column customerNam; did you mean customerName?") ||
		!strings.Contains(text, "unknown_column:o.shipped. o (orders) has no column shipped; did you mean shippedDate?") {
		t.Fatal(text)
	}
	for _, said := range value["problems"].([]any) { // what a program that mends by itself does
		for _, found := range didYouMean.FindAllStringSubmatch(said.(string), -1) {
			wrong = strings.Replace(wrong, found[1]+" ", strings.Split(found[1], ".")[0]+"."+found[2]+" ", 1)
		}
	}
	text, value, failed = call(t, c, "query", object{"sql": wrong, "question": question})
	must.Have(t, !failed && value["ok"] == true, text)
	rows := value["result"].(object)["rows"].([]any)
	want := must.Get(must.Get(demo())(t).Find(t.Context(), wrong))(t)
	must.Be(t, len(rows) != 0 && len(rows) == len(want.Rows) && rows[0].([]any)[0] == want.Rows[0][0], rows, want.Rows)
	text, _, failed = call(t, c, "check", object{"sql": wrong})
	must.Be(t, !failed && strings.HasPrefix(text, "It may run: SELECT ") && strings.Contains(text, "\nOnly where "),
		text)
	columns := []any{"amount", "checknumber"}
	text, _, failed = call(t, c, "samples", object{"table": "payments", "columns": columns, "rows": 2})
	if lines := strings.Split(text, "\n"); failed || len(lines) != 4 || lines[1] != `["amount","checkNumber"]` {
		t.Error(text)
	}
}

// What went wrong is told as a result that says what to do, never as an error of the protocol.
func TestMistakes(t *testing.T) {
	s := serverOf(t, llm.NewReplay("SELECT 1 FROM nowhere"))
	s.Databases = append(s.Databases, desk.Database{Name: "other", Database: s.Databases[0].Database})
	c := connect(t, s, nil)
	for _, test := range []struct {
		tool      string
		arguments object
		want      string
	}{
		{"query", object{"sql": "DELETE FROM orders"}, "It may not run: not_select. write one SELECT statement"},
		{"query", object{"sql": "SELECT 1; SELECT 2"}, "It may not run: "},
		{"query", object{"sql": " "}, "the statement is empty: write one SELECT"},
		{"query", object{"sql": "SELECT * FROM custmers"}, "there is no table custmers; did you mean customers?"},
		{"query", object{"sql": strings.Repeat("x", maxSQL+1)}, "the statement is longer than 1048576 bytes"},
		{"query", object{"sql": "SELECT 1", "database": "nowhere"}, `database must be {"type":"string",`},
		{"query", object{"sql": "SELECT 1", "max_rows": 0}, `"minimum":1,"maximum":1000}`},
		{"query", object{}, "sql is missing"},
		{"query", object{"query": "SELECT 1"}, `there is no argument "query": there are database, max_rows, question, sql`},
		{"query", object{"sql": "SELECT 1", "maxrows": 1}, `there is no argument "maxrows"; did you mean max_rows?`},
		{"query", object{"sql": "SELECT 1", "max_rows": object{}}, `max_rows must be {"type":"integer",`},
		{"query", object{"sql": "SELECT '\xff'"}, "not_utf8. a letter of it is damaged: save it as UTF-8"},
		{"samples", object{"table": "orders", "columns": []any{nil}}, `columns must be {"type":"array","items":{"type":"string"}`},
		{"samples", object{"table": "orders", "rows": 1e30}, "rows cannot be a JSON number"},
		{"schema", object{"table": "order"}, `classicmodels has no table "order"; did you mean orders?`},
		{"schema", object{"table": "orders", "question": "x"}, "give a table or a question"},
		{"samples", object{"table": "xyz"}, `classicmodels has no table "xyz": there are customers, employees, `},
		{"samples", object{"table": "orders", "columns": []any{"statu"}}, `orders has no column "statu"; did you mean status?`},
		{"ask", object{"question": " "}, "empty question"},
		{"ask", object{"question": "How many orders are there?"}, "replay: all 1 replies are used up"},
	} {
		text, _, failed := call(t, c, test.tool, test.arguments)
		if !failed || !strings.Contains(text, test.want) {
			t.Errorf("%s %v: %.300s, want %s", test.tool, test.arguments, text, test.want)
		}
	}
	text, _, _ := call(t, c, "query", object{"sql": "SELECT nme FROM offices"})
	if want := "\nit reads offices(officeCode, city, "; !strings.Contains(text, want) {
		t.Errorf("%s, want %s", text, want)
	}
	text, value, failed := call(t, c, "check", object{"sql": "SELECT nam FROM customers"})
	must.Be(t, !failed && value["ok"] == false, "a statement that may not run is what check was asked for", text)
}

// A question is answered with its rows, and what happens until then is told as progress.
func TestAsk(t *testing.T) {
	progress := make(chan *sdk.ProgressNotificationParams, 100)
	model := llm.NewReplay(counted + "\n===\n" + counted)
	c := connect(t, serverOf(t, model), &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			progress <- r.Params
		},
	})
	params := &sdk.CallToolParams{Name: "ask", Arguments: object{"question": asking}}
	params.SetProgressToken("one")
	res := must.Get(c.CallTool(t.Context(), params))(t)
	text := res.Content[0].(*sdk.TextContent).Text
	want := counted + "\n\n1 row. " + dataMark + "\n[\"COUNT(*)\"]\n[293]\n\nConfidence: "
	must.Be(t, !res.IsError && strings.HasPrefix(text, want), text, want)
	var lines []string
	var done []float64
	for ran := false; !ran || len(progress) > 0; { // it may come behind the answer
		p := <-progress
		lines, done = append(lines, p.Message), append(done, p.Progress)
		ran = ran || p.Message == "looking at the rows"
	}
	must.Same(t, lines, []string{"finding tables and values", "reading the question", "writing SQL", "checking",
		"checking", "running", "looking at the rows"})
	must.Be(t, slices.IsSorted(done), "progress", done)
	text, value, failed := call(t, c, "ask", object{"question": asking, "dry_run": true})
	must.Be(t, !failed && value["result"] == nil && strings.Contains(text, "It was checked and not run."), text)
}

// voted answers as a vote leaves it that was split.
type voted struct{}

const other = "SELECT COUNT(*) FROM customers"

func (voted) Within(ctx context.Context, _ time.Duration, d answer.Database, q answer.Question,
	_ func(loop.Event)) (answer.Answer, error) {
	ans := loop.Answer{Question: q.Text, SQL: counted, Confidence: 0.5}
	for _, sql := range []string{counted, counted, other, other, "SELECT 1"} {
		ans.Trace = append(ans.Trace, loop.Event{Kind: loop.KindCandidate, OK: true, SQL: sql, Digest: sql})
	}
	ans.Trace = append(ans.Trace, loop.Event{Kind: loop.KindVote, OK: true, Digest: counted, SQL: counted})
	var err error
	if ans.Result, err = d.Find(ctx, counted); err != nil {
		return answer.Answer{Answer: ans}, err
	}
	found, err := d.Readings(ctx, ans)
	return answer.Answer{Answer: ans, Asks: found.Asks, Readings: found.Others}, err
}

// Where candidates were split over what was asked, the other readings are told, with their SQL.
func TestAskReadings(t *testing.T) {
	s := serverOf(t, llm.NewReplay(""))
	s.Asker = voted{}
	text, value, failed := call(t, connect(t, s, nil), "ask", object{"question": asking})
	must.Be(t, !failed && strings.Contains(text, "\n\nAnother possible reading: ") &&
		strings.Contains(text, "\n"+other+"\n"), text)
	if readings, _ := value["readings"].([]any); len(readings) != 1 || readings[0].(object)["sql"] != other {
		t.Errorf("%v", value["readings"])
	}
}

// A word that fits several things is a question for the user, with its choices; a question that goes on is taken
// together with the last one, and comes back in whole. Without one it gets no answer.
func TestAskGoesOn(t *testing.T) {
	const before = "SELECT COUNT(*) FROM orders WHERE YEAR(orderDate) = 2004"
	const question = "How many orders are from 2004?"
	model := llm.NewReplay(before + "\n===\nSELECT COUNT(*) FROM orders WHERE YEAR(orderDate) = 2003")
	c := connect(t, serverOf(t, model), nil)
	text, value, failed := call(t, c, "ask", object{"question": question})
	asks := "which date: order date, or required date?"
	if failed || value["asks"] != asks || value["taken_as"] != nil ||
		!strings.Contains(text, "\n\nAsk the user: "+asks+"\n\nAnother possible reading: required date\nSELECT ") {
		t.Errorf("%v: %s", value["asks"], text)
	}
	behind := object{"question": question, "sql": before}
	for said, want := range map[string]string{"hello": "Hello. Ask for what the database holds.",
		"how do you know?": "The last answer is what this finds: " + before} {
		text, _, _ = call(t, c, "ask", object{"question": said, "behind": behind})
		must.Be(t, strings.HasPrefix(text, want), said, text)
	}
	text, value, failed = call(t, c, "ask", object{"question": "And in 2003?", "behind": behind})
	if failed || value["question"] != question+" And in 2003?" || !strings.HasPrefix(text, "Taken as: ") ||
		!strings.Contains(text, "\n[126]\n") {
		t.Errorf("%v: %s", value["question"], text)
	}
	for want, wrong := range map[string]object{
		"goes on from another question": nil, "behind: its question has": {"question": strings.Repeat("x", 9000), "sql": before},
	} {
		text, _, failed = call(t, c, "ask", object{"question": "And in 2003?", "behind": wrong})
		if !failed || !strings.Contains(text, want) {
			t.Error(text)
		}
	}
}

// telling tells of the one query that ends only when it is stopped.
type telling struct {
	tools.Querier
	begun chan struct{}
	ended chan error
}

func (d telling) Query(ctx context.Context, q sqlcheck.Query) (runner.Result, error) {
	if strings.Count(q.SQL(), "JOIN") < 3 {
		return d.Querier.Query(ctx, q)
	}
	d.begun <- struct{}{}
	res, err := d.Querier.Query(ctx, q)
	d.ended <- err
	return res, err
}

// A call that its client gives up ends: the model is stopped, and so is the query on the database.
func TestCancel(t *testing.T) {
	model := newSlow(counted)
	s := serverOf(t, model)
	begun, ended := make(chan struct{}, 1), make(chan error, 1)
	watched := s.Databases[0]
	watched.DB = telling{watched.DB, begun, ended}
	s.Databases = []desk.Database{watched}
	c := connect(t, s, nil)
	for _, test := range []struct {
		tool      string
		arguments object
		begun     chan struct{}
		ended     func() error
	}{
		{"ask", object{"question": asking}, model.asked, func() error { <-model.ended; return context.Canceled }},
		{"query", object{"sql": endless}, begun, func() error { return <-ended }},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-test.begun
			cancel()
		}()
		if res, err := c.CallTool(ctx, &sdk.CallToolParams{Name: test.tool, Arguments: test.arguments}); err == nil {
			t.Errorf("%s was not cancelled: %v", test.tool, res)
		}
		must.Be(t, test.ended() != nil, test.tool, "went on to its end")
	}
	if text, _, failed := call(t, c, "samples", object{"table": "orders"}); failed { // the session goes on
		t.Error(text)
	}
}

// A server that ends has the calls end that are at work.
func TestEnd(t *testing.T) {
	model := newSlow(counted)
	s := serverOf(t, model)
	theirs, out := io.Pipe()
	in, ours := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, in, out) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	c := must.Get(client.Connect(t.Context(), &sdk.IOTransport{Reader: theirs, Writer: ours}, nil))(t)
	defer c.Close() // the connection is gone already
	failed := make(chan bool, 1)
	go func() {
		res, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "ask", Arguments: object{"question": asking}})
		failed <- err != nil || res.IsError
	}()
	<-model.asked
	stop()
	<-model.ended
	must.Do(t, <-ended)
	out.Close()
	must.Be(t, <-failed, "the call was answered")
}

// A database that went away is an error that says so, and the session goes on.
func TestDatabaseGone(t *testing.T) {
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{}))(t)
	s := serverOf(t, nil)
	s.Databases[0].DB = db
	c := connect(t, s, nil)
	if text, _, failed := call(t, c, "query", object{"sql": counted}); failed {
		t.Fatal(text)
	}
	must.Do(t, db.Close())
	text, value, failed := call(t, c, "query", object{"sql": counted})
	must.Be(t, failed && value == nil && strings.Contains(text, "closed"), text)
	if text, _, failed := call(t, c, "check", object{"sql": counted}); failed { // which needs none
		t.Error(text)
	}
}

// slow is a model that answers when it is let, and tells when it is asked and when its question has ended before.
type slow struct {
	llm.Generator
	asked, let, ended chan struct{}
}

func newSlow(replies ...string) slow {
	text := strings.Join(replies, "\n===\n")
	return slow{llm.NewReplay(text), make(chan struct{}, 99), make(chan struct{}, 99), make(chan struct{}, 99)}
}

func (s slow) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	s.asked <- struct{}{}
	select {
	case <-s.let:
		return s.Generator.Generate(ctx, msgs, p)
	case <-ctx.Done():
		s.ended <- struct{}{}
		return llm.Completion{}, fmt.Errorf("the model: %w", ctx.Err())
	}
}
