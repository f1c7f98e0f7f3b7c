package serve

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"nl2sql/loop/desk"
	"nl2sql/scripts/must"
)

// versions are those of the protocol: the last with sessions, and the first without.
const withBatches = "2025-03-26"

var versions = []string{"2025-11-25", "2026-07-28"}

// bearing is a client that brings a token with each request.
type bearing string

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// agent connects an agent; lines gets what it is told of calls.
func agent(t *testing.T, url, version string, token bearing, lines chan<- string) (*sdk.ClientSession, error) {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			lines <- r.Params.Message
		},
	})
	at := &sdk.StreamableClientTransport{
		Endpoint: url + "/mcp", HTTPClient: &http.Client{Transport: token}, MaxRetries: -1,
		DisableStandaloneSSE: true, // a server that ends would cut it, and a client gives up the call with it
	}
	c, err := client.Connect(t.Context(), at, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err == nil {
		t.Cleanup(func() { c.Close() }) // a session that the server ended is an error
	}
	return c, err
}

// asks is a call of the tool ask.
func asks() *sdk.CallToolParams {
	p := &sdk.CallToolParams{Name: "ask", Arguments: map[string]any{"question": asked, "database": "other"}}
	p.SetProgressToken("asks")
	return p
}

// Agents have the tools over HTTP too, behind the same checks.
func TestAgents(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			s := serverOf(t, replay(counted))
			s.Tokens = []string{"0123456789abcdef", "fedcba9876543210"}
			s.History = must.Get(desk.OpenHistory(t.TempDir() + "/history"))(t)
			must.Close(t, s.History)
			url, lines := start(t, s).URL, make(chan string, 99)
			_, err := agent(t, url, version, "wrong", lines)
			if err == nil || !strings.Contains(err.Error(), "Unauthorized") {
				t.Errorf("a wrong token: %v", err)
			}
			c := must.Get(agent(t, url, version, "0123456789abcdef", lines))(t)
			res := must.Get(c.CallTool(t.Context(), asks()))(t)
			if text := res.Content[0].(*sdk.TextContent).Text; res.IsError || !strings.Contains(text, "\n[293]\n") {
				t.Error(text)
			}
			if line := <-lines; line != "finding tables and values" {
				t.Errorf("the first line of progress is %q", line)
			}
			res = must.Get(c.CallTool(t.Context(), &sdk.CallToolParams{Name: "query", Arguments: map[string]any{
				"sql": "DELETE FROM orders",
			}}))(t)
			if text := res.Content[0].(*sdk.TextContent).Text; !res.IsError || !strings.Contains(text, "not_select") {
				t.Error(text)
			}
			schema := &sdk.ReadResourceParams{URI: "nl2sql:///other/table/offices"}
			text := must.Get(c.ReadResource(t.Context(), schema))(t).Contents[0].Text
			if !strings.HasPrefix(text, "CREATE TABLE") {
				t.Error(text)
			}
			for token, want := range map[string]bool{"0123456789abcdef": true, "fedcba9876543210": false} {
				_, got := call(t, "GET", url+"/api/history", "", "Authorization", "Bearer "+token)
				if strings.Contains(got, asked) != want {
					t.Errorf("the history of %s: %s", token, got)
				}
			}
		})
	}
}

const beginning = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
	`"clientInfo":{"name":"test","version":"1"}}}`

// What the server sends away, it sends away here too; and nobody has another's session.
func TestAgentsAccess(t *testing.T) {
	s := serverOf(t, replay(counted))
	s.Tokens = []string{"0123456789abcdef", "fedcba9876543210"}
	url := start(t, s).URL
	first, second := "Bearer "+s.Tokens[0], "Bearer "+s.Tokens[1]
	reads := []string{"Accept", "application/json, text/event-stream"}
	resp, got := call(t, "POST", url+"/mcp", beginning, append(reads, "Authorization", first)...)
	session := resp.Header.Get("Mcp-Session-Id")
	if resp.StatusCode != 200 || session == "" {
		t.Fatal(resp.Status, got)
	}
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	for _, tt := range []struct {
		name, method, body string
		header             []string
		want               int
	}{
		{"no token", "POST", beginning, nil, 401},
		{"no token of a session", "DELETE", "", []string{"Mcp-Session-Id", session}, 401},
		{"rebound", "POST", beginning, []string{"Authorization", first, "Host", "evil.example"}, 421},
		{"origin", "POST", beginning, []string{"Authorization", first, "Origin", "https://evil.example"}, 403},
		{"another's session", "POST", list, []string{"Authorization", second, "Mcp-Session-Id", session}, 403},
		{"to end another's session", "DELETE", "", []string{"Authorization", second, "Mcp-Session-Id", session}, 403},
		{"no such session", "POST", list, []string{"Authorization", first, "Mcp-Session-Id", "x"}, 404},
		{"too long", "POST", `{"x":"` + strings.Repeat("x", maxBody) + `"}`, []string{"Authorization", first}, 413},
		{"no JSON", "POST", "{", []string{"Authorization", first}, 400},
		{"method", "PUT", "", []string{"Authorization", first}, 405},
		{"own session", "POST", list, []string{"Authorization", first, "Mcp-Session-Id", session}, 200},
		{"its end", "DELETE", "", []string{"Authorization", first, "Mcp-Session-Id", session}, 204},
		{"after its end", "POST", list, []string{"Authorization", first, "Mcp-Session-Id", session}, 404},
	} {
		resp, got := call(t, tt.method, url+"/mcp", tt.body, append(tt.header, reads...)...)
		if resp.StatusCode != tt.want {
			t.Errorf("%s: %s, %s, want %d", tt.name, resp.Status, got, tt.want)
		}
	}
}

// A call ends where its client cancels it, and where that goes away.
func TestAgentsCancel(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			model := newSlow(counted)
			url, lines := start(t, serverOf(t, model)).URL, make(chan string, 99)
			c := must.Get(agent(t, url, version, "", lines))(t)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-model.asked
				cancel()
			}()
			if res, err := c.CallTool(ctx, asks()); err == nil {
				t.Errorf("not cancelled: %v", res)
			}
			<-model.ended
		})
	}
	t.Run("gone", func(t *testing.T) {
		model := newSlow(counted)
		url := start(t, serverOf(t, model)).URL
		reads := []string{"Accept", "application/json, text/event-stream"}
		resp, _ := call(t, "POST", url+"/mcp", beginning, reads...)
		reads = append(reads, "Mcp-Session-Id", resp.Header.Get("Mcp-Session-Id"), "Content-Type", "application/json")
		call(t, "POST", url+"/mcp", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, reads...)
		ctx, cancel := context.WithCancel(t.Context())
		body := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ask","arguments":{"question":"` + asked + `"}}}`
		req := must.Get(http.NewRequestWithContext(ctx, "POST", url+"/mcp", strings.NewReader(body)))(t)
		for i := 0; i < len(reads); i += 2 {
			req.Header.Set(reads[i], reads[i+1])
		}
		go func() {
			<-model.asked
			cancel()
		}()
		if resp, err := http.DefaultClient.Do(req); err == nil {
			io.Copy(io.Discard, resp.Body) // until it breaks off
			resp.Body.Close()
		}
		<-model.ended
	})
}

// A server that is asked to end answers what is being answered, and waits for no session.
func TestAgentsEnd(t *testing.T) {
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			model := newSlow(counted)
			l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- serverOf(t, model).Serve(ctx, l) }()
			c := must.Get(agent(t, "http://"+l.Addr().String(), version, "", make(chan string, 99)))(t)
			answers := make(chan string, 1)
			go func() {
				res, err := c.CallTool(t.Context(), asks())
				if err != nil {
					answers <- err.Error()
					return
				}
				answers <- res.Content[0].(*sdk.TextContent).Text
			}()
			<-model.asked
			stop()
			model.let <- struct{}{}
			if got := <-answers; !strings.Contains(got, "\n[293]\n") {
				t.Error(got)
			}
			must.Do(t, <-ended)
		})
	}
}

// Each user has a share of the sessions; beyond it the one of its own ends that was idle for longest.
func TestAgentsSessions(t *testing.T) {
	s := serverOf(t, replay())
	s.Tokens = []string{"0123456789abcdef", "123456789abcdef0"}
	url := start(t, s).URL + "/mcp"
	by := func(token int) []string {
		return []string{"Accept", "application/json, text/event-stream", "Authorization", "Bearer " + s.Tokens[token]}
	}
	begin := func(token int) string {
		t.Helper()
		resp, got := call(t, "POST", url, beginning, by(token)...)
		must.Be(t, resp.Header.Get("Mcp-Session-Id") != "", resp.Status, got)
		return resp.Header.Get("Mcp-Session-Id")
	}
	pings := func(token int, session string) int {
		resp, _ := call(t, "POST", url, `{"jsonrpc":"2.0","id":2,"method":"ping"}`,
			append(by(token), "Mcp-Session-Id", session)...)
		return resp.StatusCode
	}
	other, first, second := begin(1), begin(0), begin(0)
	for range 128 - 2 {
		begin(0)
	}
	must.Be(t, pings(0, first) == 200) // so that the second is the idlest
	last := begin(0)
	for session, want := range map[string]int{first: 200, second: 404, last: 200} {
		must.Same(t, pings(0, session), want)
	}
	must.Same(t, pings(1, other), 200)
}

// Agents wait for their turn as all others do, and are told so.
func TestAgentsWait(t *testing.T) {
	model := newSlow(counted, counted)
	s := serverOf(t, model)
	s.Together, s.Waiting = 1, 0
	url, lines := start(t, s).URL, make(chan string, 99)
	c := must.Get(agent(t, url, versions[0], "", lines))(t)
	first := make(chan error, 1)
	go func() {
		_, err := c.CallTool(t.Context(), asks())
		first <- err
	}()
	<-model.asked
	res := must.Get(c.CallTool(t.Context(), asks()))(t)
	text := res.Content[0].(*sdk.TextContent).Text
	if !res.IsError || text != "0 questions wait already: ask again later" {
		t.Error(text)
	}
	model.let <- struct{}{}
	must.Do(t, <-first)
}

// Over HTTP IDs come back as they were written, and what is no message has its error, as over stdio.
func TestAgentsLines(t *testing.T) {
	url := start(t, serverOf(t, replay(counted))).URL + "/mcp"
	const ping = `{"jsonrpc":"2.0","id":%s,"method":"ping"}`
	failed := func(id, code string) string {
		return `^{"jsonrpc":"2.0","id":` + id + `,"error":{"code":` + code + `,"message":"[a-z]`
	}
	reads := []string{"Accept", "application/json, text/event-stream"}
	for _, version := range []string{"2025-06-18", withBatches} {
		resp, _ := call(t, "POST", url, strings.ReplaceAll(beginning, versions[0], version), reads...)
		header := append(reads, "Mcp-Session-Id", resp.Header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version", version)
		for _, tt := range []struct {
			in, want, batched string // batched where batches are; "" is want
			status            int
		}{
			{fmt.Sprintf(ping, "9007199254740993"), `"id":9007199254740993,"result":{}}`, "", 200},
			{fmt.Sprintf(ping, "1.50"), `"id":1.50,"result":{}}`, "", 200},
			{fmt.Sprintf(ping, "1e400"), `"id":1e400,"result":{}}`, "", 200},
			{fmt.Sprintf(ping, `"\u00e4<1>"`), `"id":"\\u00e4<1>","result":{}}`, "", 200},
			{fmt.Sprintf(ping, "null"), failed("null", "-32600"), "", 400},
			{fmt.Sprintf(ping, "[1]"), failed("null", "-32600"), "", 400},
			{"{not json", failed("null", "-32700"), "", 400},
			{"", failed("null", "-32700"), "", 400},
			{"{} {}", failed("null", "-32700"), "", 400},
			{"42", failed("null", "-32600"), "", 400},
			{"null", failed("null", "-32600"), "", 400},
			{`{"id":7,"method":"ping"}`, failed("7", "-32600"), "", 400},
			{`{"jsonrpc":"2.0","id":7,"method":7}`, failed("7", "-32600"), "", 400},
			{`{"jsonrpc":"2.0","id":7.0,"method":"nosuch"}`, failed("7.0", "-32601"), "", 200},
			{`{"jsonrpc":"2.0","id":7.0,"method":"tools/call","params":[1]}`,
				`"id":7.0,"error":{"code":-32602,"message":"handling 'tools/call': invalid params"}}`, "", 200},
			{"[]", failed("null", "-32600"), "", 400},
			{"[7]", failed("null", "-32600"), "", 400},
			{"[" + fmt.Sprintf(ping, "1.50") + ",7]", failed("null", "-32600"),
				`"id":null,"error":{"code":-32600,(.|\n)*"id":1.50,"result":{}}`, 400},
			{`[{"jsonrpc":"2.0","method":"notifications/initialized"},7]`, failed("null", "-32600"), "", 400},
			{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "^$", "", 202},
			{`{"jsonrpc":"2.0","method":"notifications/nosuch"}`, "^$", "", 202},
			{`{"jsonrpc":"2.0","method":"nosuch"}`, "^$", "", 202},
			{`{"jsonrpc":"2.0","id":5}`, failed("5", "-32600"), "", 400},
			{`{"jsonrpc":"2.0","id":5,"method":""}`, failed("5", "-32600"), "", 400},
			{fmt.Sprintf(ping, strings.Repeat("7", 3<<20)), failed("null", "-32600"), "", 413},
			{"[" + fmt.Sprintf(ping, "5") + "," + fmt.Sprintf(ping, "5") + "]", failed("null", "-32600"),
				`"id":5,"error":{"code":-32600,(.|\n)*"id":5,"result":{}}`, 400},
			{`[{"jsonrpc":"2.0","id":2,"method":"nosuch"},` + fmt.Sprintf(ping, "1.50") + `]`, failed("null", "-32600"),
				`"id":2,"error":{"code":-32601,(.|\n)*"id":1.50,"result":{}}`, 400},
		} {
			resp, got := call(t, "POST", url, tt.in, header...)
			if version == withBatches && tt.batched != "" {
				tt.want, tt.status = tt.batched, 200
			}
			must.Be(t, resp.StatusCode == tt.status, version, tt.in, resp.Status, got)
			must.Be(t, regexp.MustCompile(tt.want).MatchString(got), version, tt.in, got)
		}
	}
}
