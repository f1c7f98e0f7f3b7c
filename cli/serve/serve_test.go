package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/google/go-cmp/cmp"

	"nl2sql/llm"
	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
)

const (
	asked   = "How many orders were shipped?"
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
	s, err := db.Schema(context.Background())
	d := answer.Database{DB: db, Schema: s}
	return desk.Database{Name: "classicmodels", Backend: db.Backend(), Database: d}, err
})

// slow is a model that answers when it is let, and tells when it is asked and when its question has ended before.
type slow struct {
	llm.Generator
	asked, let, ended chan struct{}
}

func newSlow(replies ...string) slow {
	return slow{replay(replies...), make(chan struct{}, 99), make(chan struct{}, 99), make(chan struct{}, 99)}
}

func (s slow) Generate(ctx context.Context, msgs []llm.Message, p llm.Params) (llm.Completion, error) {
	s.asked <- struct{}{}
	select {
	case <-s.let:
		return s.Generator.Generate(ctx, msgs, p)
	case <-ctx.Done():
		s.ended <- struct{}{}
		return llm.Completion{}, ctx.Err()
	}
}

func serverOf(t *testing.T, model llm.Generator) Server {
	t.Helper()
	d, err := demo()
	if err != nil {
		t.Fatal(err)
	}
	other := d
	other.Name = "other"
	method, err := answer.Settings{Agent: "loop"}.Method()
	if err != nil {
		t.Fatal(err)
	}
	asker, err := answer.New(method.On("default", false), model, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Server{Desk: &desk.Desk{Asker: asker, Databases: []desk.Database{d, other}}, Model: "replay", Version: "test"}
}

func start(t *testing.T, s Server) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	return server
}

func replay(replies ...string) *llm.Replay { return llm.NewReplay(strings.Join(replies, "\n===\n")) }

// described is the description, which every request and response of these tests is compared with.
var described = sync.OnceValues(func() (routers.Router, error) {
	for _, r := range routes {
		if said(r.method+r.path) == "" {
			return nil, errors.New(r.pattern() + " has no line in routes.txt")
		}
	}
	doc, err := openapi3.NewLoader().LoadFromData(openapi)
	if err == nil {
		err = doc.Validate(context.Background())
	}
	if err != nil {
		return nil, err
	}
	return gorillamux.NewRouter(doc)
})

// call sends a request and returns the response with its body. Both are what the description says.
func call(t *testing.T, method, url, body string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		} else {
			req.Header.Set(header[i], header[i+1])
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	router, err := described()
	if err != nil {
		t.Fatal(err)
	}
	req.Host, req.URL.Host, req.URL.Scheme, req.GetBody = "", "", "", nil
	req.Body = io.NopCloser(strings.NewReader(strings.TrimPrefix(body, "\ufeff")))
	at, vars, err := router.FindRoute(req)
	if err != nil {
		return resp, string(text) // a path that there is not
	}
	in := &openapi3filter.RequestValidationInput{
		Request: req, PathParams: vars, Route: at,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
			IncludeResponseStatus: true},
	}
	if err := openapi3filter.ValidateRequest(t.Context(), in); err != nil && resp.StatusCode == http.StatusOK {
		t.Errorf("%s %s was taken, and the description would not: %v", method, url, err)
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		out := &openapi3filter.ResponseValidationInput{
			RequestValidationInput: in, Status: resp.StatusCode, Header: resp.Header, Options: in.Options,
		}
		if err := openapi3filter.ValidateResponse(t.Context(), out.SetBodyBytes(text)); err != nil {
			t.Errorf("%s %s: %v\n%s", method, url, err, text)
		}
	}
	return resp, string(text)
}

// alone is what the asker answers without a server, as a line of JSON.
func alone(t *testing.T, s Server, question string) string {
	t.Helper()
	ans, err := s.Asker.Within(t.Context(), 0, s.Databases[0].Database, answer.Question{
		Text: question, Show: answer.Show{Words: true, Readings: true}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := answer.AsJSON("", ans).Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func askBody(question string) string { return fmt.Sprintf(`{"question":%q}`, question) }

// An answer has the bytes that it has alone.
func TestAsk(t *testing.T) {
	s := serverOf(t, replay(counted, counted, counted))
	want := alone(t, s, asked)
	url := start(t, s).URL + "/api/ask"
	resp, got := call(t, "POST", url, askBody(asked))
	if resp.StatusCode != 200 || got != want {
		t.Errorf("%s: %s", resp.Status, cmp.Diff(want, got))
	}
	if _, got := call(t, "POST", url, `{"question":"`+asked+`","id":"7","database":"other"}`); got != `{"id":"7",`+
		want[1:] {
		t.Error(got)
	}
	if _, got := call(t, "POST", url, askBody("hello")); !strings.Contains(got, `"refused":"\"hello\" asks nothing`) {
		t.Error(got)
	}
	resp, got = call(t, "POST", url, askBody(asked))
	if resp.StatusCode != 500 || !strings.Contains(got, "replies are used up") {
		t.Errorf("%s: %s", resp.Status, got)
	}
}

// A question that goes on is taken behind the answer that comes with it; without one it is declined.
func TestAskBehind(t *testing.T) {
	cancelled := strings.Replace(counted, "Shipped", "Cancelled", 1)
	url := start(t, serverOf(t, replay(cancelled, counted))).URL + "/api/ask"
	behind := `,"behind":{"question":"` + asked + `","sql":"` + counted + `"}}`
	for _, tt := range []struct{ body, want string }{
		{`{"question":"And cancelled?"` + behind, `"asked":"And cancelled?","taken_as":"the number of orders; a row is a ` +
			`single one, about all orders that meet the conditions; where status is 'Cancelled'","sql":"` + cancelled},
		{`{"question":"And cancelled?"}`, "goes on from another question"},
		{`{"question":"And cancelled?","behind":{"question":"` + strings.Repeat("x", 9000) + `","sql":""}}`,
			"behind: its question has 8192 bytes at most"},
		{`{"question":"` + asked + `"` + behind, `"question":"` + asked + `","sql"`},
	} {
		if _, got := call(t, "POST", url, tt.body); !strings.Contains(got, tt.want) {
			t.Errorf("%.80s: %s", tt.body, got)
		}
	}
}

// What was wished and is not possible is refused, and a dry run runs nothing.
func TestAskWishes(t *testing.T) {
	url := start(t, serverOf(t, replay(counted, counted))).URL + "/api/ask"
	if _, got := call(t, "POST", url, `{"question":"`+asked+`","dry_run":true}`); !strings.Contains(got,
		`"how":"not_run"`) {
		t.Error(got)
	}
	if _, got := call(t, "POST", url, `{"question":"`+asked+
		`","min_confidence":1}`); !strings.Contains(got, `"refused":"`) {
		t.Error(got)
	}
	for body, want := range map[string]string{
		`{"question":"x","min_confidence":2}`:                 "min_confidence: 2 is not possible: give a number from 0 to 1",
		`{"question":" "}`:                                    "empty question",
		`{"question":"x","databse":"other"}`:                  `unknown field \"databse\"`,
		`{"question":"x","database":"no"}`:                    `there is no database \"no\": there are classicmodels, other`,
		`{"question":"x"} {}`:                                 "more than one value",
		`question=x`:                                          "the body is no JSON object",
		`{"question":"` + strings.Repeat("x", 9000) + `"}`:    "at most 8192 are allowed",
		`{"question":"` + strings.Repeat("x", maxBody) + `"}`: "the body is longer than",
	} {
		resp, got := call(t, "POST", url, body)
		if resp.StatusCode < 400 || resp.StatusCode > 413 || !strings.Contains(got, want) {
			t.Errorf("%.60s: %s, %s, want %s", body, resp.Status, got, want)
		}
	}
}

// events are those of a stream, until it ends.
func events(t *testing.T, text string) (names []string, data map[string]string) {
	t.Helper()
	data = map[string]string{}
	for part := range strings.SplitSeq(strings.TrimSuffix(text, "\n\n"), "\n\n") {
		name, value, ok := strings.Cut(part, "\ndata: ")
		if name, is := strings.CutPrefix(name, "event: "); ok && is {
			names, data[name] = append(names, name), value
		} else {
			t.Errorf("no event: %q", part)
		}
	}
	return names, data
}

// A stream tells what the trace holds, as it happens, and ends with the answer of the plain response.
func TestStream(t *testing.T) {
	s := serverOf(t, replay(counted, counted, counted))
	want := alone(t, s, asked)
	url := start(t, s).URL + "/api/ask"
	for i, header := range [][]string{{"Accept", "text/event-stream"}, nil} {
		body := askBody(asked)
		if i == 1 {
			body = `{"question":"` + asked + `","stream":true}`
		}
		resp, got := call(t, "POST", url, body, header...)
		if kind := resp.Header.Get("Content-Type"); kind != "text/event-stream" {
			t.Fatalf("%s %s: %s", resp.Status, kind, got)
		}
		names, data := events(t, got)
		if data["answer"]+"\n" != want {
			t.Error(cmp.Diff(want, data["answer"]))
		}
		list := strings.Join(names, " ")
		if !regexp.MustCompile(`^question tool tool .*prompt writing tool guardrails .* confidence answer$`).MatchString(list) {
			t.Errorf("events: %s", list)
		}
		if data["question"] != `{"step":-1,"kind":"question","ok":true,"text":"`+asked+`"}` {
			t.Error(data["question"])
		}
	}
	resp, got := call(t, "POST", url, askBody(asked), "Accept", "text/event-stream")
	names, data := events(t, got)
	if resp.StatusCode != 200 || names[len(names)-1] != "failed" || !strings.Contains(data["failed"],
		"replies are used up") {
		t.Errorf("%s: %s", resp.Status, got)
	}
	if resp, got := call(t, "POST", url, askBody(""), "Accept", "text/event-stream"); resp.StatusCode != 400 {
		t.Errorf("%s: %s", resp.Status, got)
	}
}

// Checks and queries go through the gates, and what is refused says why.
func TestCheckAndQuery(t *testing.T) {
	url := start(t, serverOf(t, replay())).URL
	for _, tt := range []struct{ path, body, want string }{
		{"/api/check", `{"sql":"select count(*) from orders"}`,
			"{\"check\":\"refs\",\"ok\":true,\"sql\":\"SELECT COUNT(1) FROM `orders`\","},
		{"/api/check", `{"sql":"SELECT nosuch FROM orders"}`, `"reason":"unknown_column","detail":"nosuch"`},
		{"/api/check", `{"sql":"DELETE FROM orders"}`, `"ok":false`},
		{"/api/check", `{}`, "expected here: sql is missing"},
		{"/api/check", `{"sql":" "}`, `"hint":"the statement is empty: write one SELECT"`},
		{"/api/check", `{"sql":"-- a remark"}`, `"hint":"the statement is empty: write one SELECT"`},
		{"/api/check", `{"sql":5}`, "expected here: sql cannot be a JSON number"},
		{"/api/check", `[]`, "expected here: it cannot be a JSON array"},
		{"/api/explain", `{"sql":"SELECT COUNT(*) FROM orders"}`, `"shows":["the number of orders"]`},
		{"/api/explain", `{"sql":"SELECT nosuch FROM orders"}`, `"reason":"unknown_column"`},
		{"/api/explain", `{"sql":null}`, "expected here: sql is missing"},
		{"/api/query", `{"sql":"select count(*) from orders"}`,
			`"result":{"columns":["count(*)"],"rows":[[326]],"truncated":false}}`},
		{"/api/query", `{"sql":"select count(*) from orders","database":"other"}`, `"rows":[[326]]`},
		{"/api/query", `{"sql":"DROP TABLE orders"}`, `"result":null}`},
		{"/api/query", `{"sql":"SELECT 1","database":"no"}`, `there is no database`},
		{"/api/query", "\ufeff" + `{"sql":"\ufeffSELECT COUNT(*) FROM orders"}`, `"rows":[[326]]`},
		{"/api/query", `{"sql":"SELECT COUNT(*) FROM customers WHERE city = 'M\ud800nchen'"}`, `"reason":"not_utf8"`},
		{"/api/query", "{\"sql\":\"SELECT COUNT(*) FROM customers WHERE city = 'M\xfcnchen'\"}", "save it as UTF-8"},
		{"/api/query", `{"sql":"SELECT 1"}` + strings.Repeat(" ", maxBody), "too_large"},
	} {
		if _, got := call(t, "POST", url+tt.path, tt.body); !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: %s\nwant %s", tt.path, tt.body, got, tt.want)
		}
	}
}

func TestLists(t *testing.T) {
	url := start(t, serverOf(t, replay(counted))).URL
	call(t, "POST", url+"/api/ask", askBody(asked))
	for path, want := range map[string]string{
		"/api/databases":             `{"model":"replay","version":"test","databases":[{"name":"classicmodels","engine":"embedded `,
		"/api/schema":                `{"name":"classicmodels","tables":[{"name":"customers",`,
		"/api/schema?database=other": `{"name":"classicmodels","tables":[{"name":"customers",`,
		"/v1/models":                 `{"id":"nl2sql:other","object":"model","created":0,"owned_by":"replay"}`,
		"/healthz":                   `{"status":"ok"}`,
		"/metrics":                   `nl2sql_questions_total{outcome="answered"} 1`,
		"/api/openapi.json":          `"openapi":"3.0.3"`,
	} {
		if resp, got := call(t, "GET", url+path, ""); resp.StatusCode != 200 || !strings.Contains(got, want) {
			t.Errorf("%s: %s, %.300s\nwant %s", path, resp.Status, got, want)
		}
	}
}

// Who names another host, comes from another page or brings no token is sent away.
func TestAccess(t *testing.T) {
	s := serverOf(t, replay())
	s.Tokens, s.Hosts = []string{"0123456789abcdef"}, []string{"sql.example"}
	url, right := start(t, s).URL, []string{"Authorization", "Bearer " + s.Tokens[0]}
	for _, tt := range []struct {
		name, method, path string
		header             []string
		want               int
	}{
		{"none", "GET", "/api/schema", nil, 401},
		{"wrong", "GET", "/api/schema", []string{"Authorization", "Bearer 0123456789abcdeF"}, 401},
		{"right", "GET", "/api/schema", []string{"Authorization", "Bearer 0123456789abcdef"}, 200},
		{"any case", "GET", "/api/schema", []string{"Authorization", "bearer  0123456789abcdef"}, 200},
		{"no scheme", "GET", "/api/schema", []string{"Authorization", "0123456789abcdef"}, 401},
		{"metrics", "GET", "/metrics", nil, 401},
		{"open", "GET", "/healthz", nil, 200},
		{"rebound", "GET", "/healthz", []string{"Host", "evil.example:8765"}, 421},
		{"named", "GET", "/healthz", []string{"Host", "SQL.example:8765"}, 200},
		{"localhost", "GET", "/healthz", []string{"Host", "localhost"}, 200},
		{"IPv6", "GET", "/healthz", []string{"Host", "[::1]:8765"}, 200},
		{"origin", "POST", "/api/query", []string{"Origin", "https://evil.example", "Authorization",
			"Bearer 0123456789abcdef"}, 403},
		{"site", "POST", "/api/query", []string{"Sec-Fetch-Site", "cross-site", "Authorization",
			"Bearer 0123456789abcdef"}, 403},
		{"method", "GET", "/api/ask", nil, 405},
		{"method of a model", "PUT", "/v1/models/nl2sql", nil, 405},
		{"method of the page", "DELETE", "/", nil, 405},
		{"method of a file", "PUT", "/page/page.js", nil, 405},
		{"method of agents", "PUT", "/mcp", nil, 405},
		{"nowhere", "GET", "/api/nosuch", nil, 404},
		{"no model", "GET", "/v1/models/", nil, 404},
		{"no file", "GET", "/page/", nil, 404},
		{"two slashes", "GET", "//api//openapi.json", nil, 200},
		{"another parameter", "GET", "/api/schema?db=other", right, 400},
		{"a parameter of another case", "GET", "/api/schema?Database=other", right, 400},
		{"a broken parameter", "GET", "/api/schema?database=other;", right, 400},
	} {
		if resp, got := call(t, tt.method, url+tt.path, "", tt.header...); resp.StatusCode != tt.want {
			t.Errorf("%s: %s, %s, want %d", tt.name, resp.Status, got, tt.want)
		}
	}
}

// A client that says that it sends no more is not told that all went well.
func TestHalfClosed(t *testing.T) {
	model := newSlow(counted)
	server := start(t, serverOf(t, model))
	conn := must.Get(net.Dial("tcp", server.Listener.Addr().String()))(t)
	must.Close(t, conn)
	body := askBody(asked)
	must.Get(fmt.Fprintf(conn, "POST /api/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", len(body),
		body))(t)
	<-model.asked
	must.Do(t, conn.(*net.TCPConn).CloseWrite())
	must.Has(t, string(must.Get(io.ReadAll(conn))(t)), "HTTP/1.1 499 ", "half closed")
}

// A field of another kind is named as the client named it, and one that there is not.
func TestWrongKinds(t *testing.T) {
	url := start(t, serverOf(t, replay(counted))).URL
	for body, want := range map[string]string{
		`{"question":7}`: "here: question cannot be a JSON number", `{"question":"x","votes":1}`: `here: unknown field \"votes\"`,
		`{"question":"x","behind":{"sql":[]}}`: "here: behind.sql cannot be a JSON array", `{"question":`: "it ends too early",
	} {
		_, got := call(t, "POST", url+"/api/ask", body)
		must.Has(t, got, want, body)
	}
}

// Pages elsewhere may ask that are named, and their browsers are told so; no other is.
func TestOrigins(t *testing.T) {
	s := serverOf(t, replay(counted))
	s.Origins = []string{"https://page.example"}
	url := start(t, s).URL
	ask := []string{"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization,content-type"}
	for _, tt := range []struct {
		method, path, origin string
		status               int
		allowed              bool
	}{
		{"OPTIONS", "/api/ask", "https://page.example", 204, true},
		{"OPTIONS", "/api/ask", "https://evil.example", 405, false},
		{"OPTIONS", "/api/ask", "https://page.example:8443", 405, false},
		{"GET", "/api/databases", "https://page.example", 200, true},
		{"GET", "/api/databases", "https://evil.example", 200, false}, // its page cannot read it
		{"POST", "/api/ask", "https://page.example", 200, true},
		{"POST", "/api/ask", "https://evil.example", 403, false},
		{"POST", "/api/ask", "null", 403, false},
	} {
		body := ""
		if tt.method == "POST" {
			body = askBody(asked)
		}
		resp, text := call(t, tt.method, url+tt.path, body, append(ask, "Origin", tt.origin)...)
		allowed := resp.Header.Get("Access-Control-Allow-Origin")
		if resp.StatusCode != tt.status || (allowed == tt.origin) != tt.allowed || !tt.allowed && allowed != "" {
			t.Errorf("%+v: %s, %q: %s", tt, resp.Status, allowed, text)
		}
		if tt.method == "OPTIONS" && tt.allowed && resp.Header.Get("Access-Control-Allow-Headers") != ask[3] {
			t.Error(resp.Header)
		}
	}
	for origin, ok := range map[string]bool{
		"https://page.example": true, "http://localhost:3000": true, "page.example": false, "*": false, "null": false,
		"https://page.example/": false,
	} {
		if err := CheckOrigin(origin); (err == nil) != ok {
			t.Errorf("%s: %v", origin, err)
		}
	}
}

// A client has so many requests at work and no more, while others get their turn.
func TestClientLimit(t *testing.T) {
	model := newSlow(counted, counted)
	s := serverOf(t, model)
	s.Waiting, s.PerClient, s.Tokens = 9, 1, []string{"0123456789abcdef", "fedcba9876543210"}
	url := start(t, s).URL
	ask := func(token, path, body string) (*http.Response, string) {
		return call(t, "POST", url+path, body, "Authorization", "Bearer "+token)
	}
	var first, other sync.WaitGroup
	first.Go(func() {
		if resp, got := ask(s.Tokens[0], "/api/ask", askBody(asked)); resp.StatusCode != 200 {
			t.Errorf("%s: %s", resp.Status, got)
		}
	})
	<-model.asked
	for path, body := range map[string]string{
		"/api/ask": askBody(asked), "/api/query": `{"sql":"SELECT 1"}`, "/v1/chat/completions": chatBody + "}",
	} {
		resp, got := ask(s.Tokens[0], path, body)
		if resp.StatusCode != 429 || resp.Header.Get("Retry-After") == "" || !strings.Contains(got, `"code":"client_limit"`) {
			t.Errorf("%s: %s: %s", path, resp.Status, got)
		}
	}
	other.Go(func() {
		if resp, got := ask(s.Tokens[1], "/api/ask", askBody(asked)); resp.StatusCode != 200 {
			t.Errorf("%s: %s", resp.Status, got)
		}
	})
	model.let <- struct{}{}
	first.Wait()
	if resp, got := ask(s.Tokens[0], "/api/query", `{"sql":"SELECT 1"}`); resp.StatusCode != 200 {
		t.Errorf("%s: %s", resp.Status, got)
	}
	model.let <- struct{}{}
	other.Wait()
}

// Who counts as one client: the bearer of a token, an address, a network of IPv6, nobody on a socket.
func TestClientIs(t *testing.T) {
	for _, tt := range []struct{ who, remote, want string }{
		{"2", "192.0.2.1:5", "token 2"}, {"", "192.0.2.1:5", "192.0.2.1"}, {"", "@", ""},
		{"", "[2001:db8:1:2:3:4:5:6]:5", "2001:db8:1:2::/64"}, {"", "[::ffff:192.0.2.1]:5", "::ffff:192.0.2.1"},
	} {
		if got := client(tt.who, &http.Request{RemoteAddr: tt.remote}); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

// streaming is a request whose events are read one by one.
func streaming(t *testing.T, ctx context.Context, url, question string) (*http.Response, func() (name, data string)) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(askBody(question)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	return resp, func() (name, data string) {
		for lines.Scan() && lines.Text() != "" {
			if text, is := strings.CutPrefix(lines.Text(), "event: "); is {
				name = text
			} else if text, is := strings.CutPrefix(lines.Text(), "data: "); is {
				data = text
			}
		}
		return name, data
	}
}

// One question at a time, one that waits and sees its place, and the next is told to come again; then the server stops:
// the one that is being answered is answered, the one that waits is sent away.
func TestQueueAndStop(t *testing.T) {
	model := newSlow(counted)
	s := serverOf(t, model)
	s.Waiting = 1
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l) }()
	url := "http://" + l.Addr().String() + "/api/ask"

	_, first := streaming(t, t.Context(), url, asked)
	<-model.asked
	_, second := streaming(t, t.Context(), url, asked)
	if name, data := second(); name != "queue" || data != `{"place":1}` {
		t.Fatalf("%s %s", name, data)
	}
	resp, got := call(t, "POST", url, askBody(asked))
	if resp.StatusCode != 429 || resp.Header.Get("Retry-After") == "" || !strings.Contains(got, `"code":"queue_full"`) {
		t.Errorf("%s %v: %s", resp.Status, resp.Header, got)
	}
	stop()
	if name, data := second(); name != "failed" || !strings.Contains(data, `"code":"stopping"`) {
		t.Errorf("%s %s", name, data)
	}
	model.let <- struct{}{}
	last := ""
	for name, data := first(); name != ""; name, data = first() {
		if last = name; name == "answer" && !strings.Contains(data, "[[303]]") && !strings.Contains(data, "[[293]]") {
			t.Error(data)
		}
	}
	if last != "answer" {
		t.Errorf("the last event is %q", last)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// A client that goes away stops its question on the model, wherever it is, and the next one's turn comes.
func TestClientGone(t *testing.T) {
	model := newSlow(counted)
	s := serverOf(t, model)
	s.Waiting = 2
	url := start(t, s).URL + "/api/ask"
	inside, leave := context.WithCancel(t.Context())
	_, first := streaming(t, inside, url, asked)
	first()
	<-model.asked
	waits, leaveToo := context.WithCancel(t.Context())
	_, second := streaming(t, waits, url, asked)
	second()
	_, third := streaming(t, t.Context(), url, asked)
	if name, data := third(); name != "queue" || data != `{"place":2}` {
		t.Fatalf("%s %s", name, data)
	}
	leaveToo()
	if name, data := third(); name != "queue" || data != `{"place":1}` {
		t.Fatalf("%s %s", name, data)
	}
	leave()
	<-model.ended
	<-model.asked
	model.let <- struct{}{}
	for name, data := third(); name != "answer"; name, data = third() {
		if name == "" || name == "failed" {
			t.Fatalf("%s %s", name, data)
		}
	}
}

// A client that goes away stops the query that runs for it, and so does the longest time.
func TestQueryEnds(t *testing.T) {
	s := serverOf(t, replay(endless, endless))
	s.Longest = 2 * time.Second
	url := start(t, s).URL + "/api/ask"
	ctx, leave := context.WithCancel(t.Context())
	_, next := streaming(t, ctx, url, "How many combinations are there?")
	for name, data := next(); !strings.Contains(data, "validate_constraints"); name, data = next() {
		if name == "" || name == "failed" {
			t.Fatalf("%s %s", name, data)
		}
	}
	leave()
	resp, got := call(t, "POST", url, askBody("How many combinations are there?"))
	for resp.StatusCode == 429 { // until the first is stopped
		resp, got = call(t, "POST", url, askBody("How many combinations are there?"))
	}
	if resp.StatusCode != 504 || !strings.Contains(got, "no answer within 2s") {
		t.Errorf("%s: %s", resp.Status, got)
	}
}

// Sixteen at once have the bytes that one has alone.
func TestSixteenAskers(t *testing.T) {
	replies := make([]string, 17)
	for i := range replies {
		replies[i] = counted
	}
	s := serverOf(t, replay(replies...))
	s.Together, s.Waiting = 4, 16
	want := alone(t, s, asked)
	url := start(t, s).URL + "/api/ask"
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			if i%2 == 0 {
				if resp, got := call(t, "POST", url, askBody(asked)); got != want {
					t.Errorf("%s: %s", resp.Status, cmp.Diff(want, got))
				}
				return
			}
			_, got := call(t, "POST", url, askBody(asked), "Accept", "text/event-stream")
			if _, data := events(t, got); data["answer"]+"\n" != want {
				t.Error(cmp.Diff(want, data["answer"]))
			}
		})
	}
	all.Wait()
}

// The log has no question unless it is asked for.
func TestLog(t *testing.T) {
	for _, texts := range []bool{false, true} {
		s := serverOf(t, replay(counted))
		var b bytes.Buffer
		s.Log, s.LogsTexts = slog.New(slog.NewJSONHandler(&b, nil)), texts
		server := start(t, s)
		call(t, "POST", server.URL+"/api/ask", askBody(asked))
		server.Close() // the log is written
		var line struct {
			Path, Outcome, How, Question, Database string
			Status                                 int
		}
		if err := json.Unmarshal(b.Bytes(), &line); err != nil {
			t.Fatalf("%v: %s", err, b.String())
		}
		if line.Path != "/api/ask" || line.Status != 200 || line.Outcome != "answered" || line.How != "finish" {
			t.Errorf("%s", b.String())
		}
		if line.Database != "classicmodels" || (line.Question == asked) != texts {
			t.Errorf("%s", b.String())
		}
		if strings.Contains(b.String(), "shipped") != texts {
			t.Errorf("%s", b.String())
		}
	}
}
