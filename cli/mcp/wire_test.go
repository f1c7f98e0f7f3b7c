package mcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

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
	theirs, ours := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := serverOf(t, nil).Serve(t.Context(), io.NopCloser(strings.NewReader(in)), ours)
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
		{"long", "2025-06-18", `{"jsonrpc":"` + strings.Repeat("x", 3<<20), `too long`},
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
	} {
		lines := spoken(t, begins(tt.version)+tt.in+"\n"+fmt.Sprintf(ping, `"last"`))
		must.Have(t, len(lines) == 2, tt.name, lines)
		all := strings.Join(lines, "\n")
		must.Has(t, all, tt.want, tt.name)
		must.Has(t, all, pong(`"last"`), tt.name)
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
