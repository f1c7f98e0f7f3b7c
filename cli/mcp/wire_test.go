package mcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
)

// begins is how a session begins in a version of the protocol.
func begins(version string) string {
	return `{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"` + version +
		`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
}

// spoken are those that a server answers to a text, without the answer to its first line.
func spoken(t *testing.T, in string) (lines []string) {
	t.Helper()
	return spokenBy(t, serverOf(t, nil), in)
}

func spokenBy(t *testing.T, s Server, in string) (lines []string) {
	t.Helper()
	theirs, ours := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := s.Serve(t.Context(), io.NopCloser(strings.NewReader(in)), ours)
		ours.Close()
		ended <- err
	}()
	for sc := bufio.NewScanner(theirs); sc.Scan(); {
		must.Be(t, json.Valid(sc.Bytes()), sc.Text())
		if !strings.Contains(sc.Text(), `"id":"begin"`) {
			lines = append(lines, sc.Text())
		}
	}
	must.Do(t, <-ended)
	return lines
}

// What is no message is answered with its error, all else as it was asked, also when the input ends at once.
func TestLines(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":%s,"method":"ping"}`
	pong := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` }
	for _, tt := range []struct{ name, version, in, want string }{
		{"not JSON", "2025-06-18", "{not json", `"code":-32700`},
		{"a number", "2025-06-18", "42", `"code":-32600`},
		{"a mark", "2025-06-18", "\ufeff" + fmt.Sprintf(ping, "1"), `"code":-32700`},
		{"cut", "2025-06-18", `{"jsonrpc":"2.0","id":1,"meth`, `"code":-32700`},
		{"long", "2025-06-18", `{"jsonrpc":"` + strings.Repeat("x", 3<<20), `the message is longer than 2097152 bytes`},
		{"no version", "2025-06-18", `{"id":7,"method":"ping"}`, `"id":7`},
		{"an id of another kind", "2025-06-18", fmt.Sprintf(ping, "[1]"), `"code":-32600`},
		{"no id", "2025-06-18", fmt.Sprintf(ping, "null"), `"code":-32600`},
		{"a large id", "2025-06-18", fmt.Sprintf(ping, "9007199254740993"), pong("9007199254740993")},
		{"a fraction", "2025-06-18", fmt.Sprintf(ping, "1.50"), pong("1.50")},
		{"a text", "2025-06-18", fmt.Sprintf(ping, `"\u00e4<1>"`), pong(`"\u00e4<1>"`)},
		{"a batch", "2025-06-18", "[" + fmt.Sprintf(ping, "1") + "]", `"code":-32600`},
		{"a batch of old", "2025-03-26", "[" + fmt.Sprintf(ping, "1") + `,7]`, "[{"},
		{"an empty batch", "2025-03-26", "[]", `"code":-32600`},
		{"an odd URI", "2025-06-18", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"schema://\u0000/\u001b"}}`,
			`"id":1,"error"`},
		{"a second beginning", "2025-06-18", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":` +
			`"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`, `"code":-32600`},
		{"a list of arguments", "2025-06-18", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query",` +
			`"arguments":[]}}`, `"code":-32602`},
		{"no parameters", "2025-06-18", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, `"code":-32602`},
		{"null", "2025-06-18", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":` +
			`{"sql":"SELECT 1","question":null,"max_rows":"3"}}}`, `"rows":[[1]]`},
		{"neither", "2025-06-18", `{"jsonrpc":"2.0","id":5}`, `"id":5,"error":{"code":-32600`},
		{"no method", "2025-06-18", `{"jsonrpc":"2.0","id":5,"method":null}`, `"id":5,"error":{"code":-32600`},
		{"an empty method", "2025-06-18", `{"jsonrpc":"2.0","id":5,"method":""}`, `"id":5,"error":{"code":-32600`},
		{"an unknown method", "2025-06-18", `{"jsonrpc":"2.0","id":5,"method":"x"}`, `"id":5,"error":{"code":-32601`},
		{"not UTF-8", "2025-06-18", fmt.Sprintf(ping, "\"\xff\""), `"id":null,"error":{"code":-32700`},
		{"deep", "2025-06-18", fmt.Sprintf(ping, `5,"params":`+strings.Repeat("[", 2000)+strings.Repeat("]", 2000)), "in 1000 levels at most"},
		{"deeper", "2025-06-18", strings.Repeat("[", 20000) + strings.Repeat("]", 20000), "or too deep"},
		{"an unknown resource", "2025-06-18", `{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"x:y"}}`,
			`"id":5,"error":{"code":-32002`},
		{"an unknown prompt", "2025-06-18", `{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"x"}}`,
			`"id":5,"error":{"code":-32602`},
		{"a prompt's argument", "2025-06-18", `{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"answer"}}`,
			`"id":5,"error":{"code":-32602`},
		{"a beginning of other kinds", "2025-06-18", `{"jsonrpc":"2.0","id":5,"method":"initialize","params":[]}`,
			`"id":5,"error":{"code":-32602`},
	} {
		lines := spoken(t, begins(tt.version)+tt.in+"\n"+fmt.Sprintf(ping, `"last"`))
		must.Have(t, len(lines) == 2, tt.name, lines)
		all := strings.Join(lines, "\n")
		must.Has(t, all, tt.want, tt.name)
		must.Has(t, all, pong(`"last"`), tt.name)
	}
}

// What a client answers is never answered, whatever is wrong with it.
func TestAnswers(t *testing.T) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`, `{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}`,
		`{"jsonrpc":"2.0","id":{},"result":{}}`, `{"id":7,"result":{}}`, `{"jsonrpc":"2.0","id":7,"error":7}`,
		`{"jsonrpc":"2.0","id":7,"result":{}}`,
	} {
		lines := spoken(t, begins("2025-06-18")+line+"\n"+`{"jsonrpc":"2.0","id":"last","method":"ping"}`)
		must.Same(t, lines, []string{`{"jsonrpc":"2.0","id":"last","result":{}}`})
	}
}

// A beginning that is refused changes nothing: the session has no batches.
func TestSecondBeginning(t *testing.T) {
	lines := spoken(t, begins("2025-06-18")+strings.Replace(begins("2025-03-26"), `"begin"`, "7", 1)+"[]\n")
	must.Has(t, strings.Join(lines, "\n"), "this version of the protocol has no batches")
}

// No text that leaves has what a reader would not see; the value of a tool has it as JSON escapes.
func TestTextsAreSeen(t *testing.T) {
	const bad, unseen = "\u202eX\U000e0041Y\u3164Z\uffa0", "\u202e\U000e0041\u3164\uffa0"
	dump := strings.ReplaceAll("CREATE TABLE `t?` (a INT COMMENT '?', `n?` ENUM('?')) COMMENT='?';", "?", bad)
	db := must.Get(embedded.OpenDump(t.Context(), "d", strings.NewReader(dump), runner.Limits{}))(t)
	must.Close(t, db)
	s := serverOf(t, nil)
	d := answer.Database{DB: db, Schema: must.Get(db.Schema(t.Context()))(t)}
	s.Databases = []desk.Database{{Name: "d", Database: d}}
	tool := func(name, key, value string) string {
		return `tools/call","params":{"name":"` + name + `","arguments":{"` + key + `":"` + value + `"}}`
	}
	in, asked := begins("2025-06-18"), []string{
		tool("schema", "question", "n"+bad), tool("schema", "table", "t"+bad), tool("schema", "table", bad),
		tool("check", "sql", "SELECT `n"+bad+"`, '"+bad+"' FROM `t"+bad+"`"),
		tool("query", "sql", "SELECT * FROM `t"+bad+"`"),
		tool("query", "sql", "SELECT `"+bad+"` FROM `t"+bad+"`"), tool("samples", "table", "t"+bad),
		tool(bad, "a", bad),
		tool("query", bad, bad), `resources/list"`, `resources/read","params":{"uri":"nl2sql:///d/schema"}`,
		`resources/read","params":{"uri":"` + bad + `"}`, `prompts/get","params":{"name":"` + bad + `"}`, bad + `"`,
		`prompts/get","params":{"name":"answer","arguments":{"question":"` + bad + `"}}`,
		`completion/complete","params":{"ref":{"type":"ref/prompt","name":"table"},"argument":{"name":"table","value":""}}`,
	}
	for i, method := range asked {
		in += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s}`+"\n", i, method)
	}
	lines := spokenBy(t, s, in)
	must.Same(t, len(lines), len(asked))
	for _, line := range lines {
		var said struct {
			Error  any
			Result map[string]any
		}
		must.Do(t, json.Unmarshal([]byte(line), &said))
		delete(said.Result, "structuredContent")
		if said.Error != nil {
			delete(said.Error.(map[string]any), "data")
		}
		must.Be(t, !strings.ContainsAny(line+fmt.Sprint(said), unseen), line)
	}
}

// A call that is cancelled is not answered.
func TestCancelledCall(t *testing.T) {
	lines := spoken(t, begins("2025-06-18")+`{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":`+
		`"query","arguments":{"sql":"`+endless+`"}}}`+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9007199254740993}}`+"\n")
	must.Be(t, len(lines) == 0, lines)
}

// Whatever lines come, the session goes on and answers what it can read.
func TestRandomLines(t *testing.T) {
	n := must.Long(900, 100_000)
	parts := []string{`{`, `}`, `[`, `]`, `"jsonrpc":"2.0"`, `"id":1`, `"id":"x"`, `"id":null`, `"id":{}`, `,`, `:`,
		`"method":"ping"`, `"method":"tools/call"`, `"method":"tools/list"`, `"method":7`,
		`"method":"notifications/cancelled"`,
		`"params":{"name":"check","arguments":{"sql":"SELECT 1"}}`, `"params":null`, `"params":{"requestId":1}`,
		`"params":[1]`, `"result":{}`, `"error":{"code":1}`, `"error":7`, "\x00", "\xff", "\ufeff", "\r", `\u`, `"`, "42",
		`"method":"resources/read"`, `"params":{"uri":"schema://\u0000\ud800"}`, `"method":"completion/complete"`, `"method":"prompts/get"`, `"method":"initialize"`}
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 0))
		var b strings.Builder
		b.WriteString(begins([]string{"2025-06-18", "2025-03-26", "2024-11-05"}[seed]))
		for range n / 3 {
			whole := r.IntN(2) == 0
			if whole {
				b.WriteString(`{"jsonrpc":"2.0"`)
			}
			for range 1 + r.IntN(6) {
				if whole {
					b.WriteByte(',')
				}
				b.WriteString(parts[r.IntN(len(parts))])
			}
			if whole {
				b.WriteByte('}')
			}
			b.WriteByte('\n')
		}
		b.WriteString(`{"jsonrpc":"2.0","id":"last","method":"ping"}`)
		all := strings.Join(spoken(t, b.String()), "\n")
		must.Has(t, all, `{"jsonrpc":"2.0","id":"last","result":{}}`, "seed", seed)
	}
}
