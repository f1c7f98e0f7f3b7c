package openai

import (
	"context"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"nl2sql/llm"
	"nl2sql/scripts/must"
)

// A server that says that it speaks another protocol from here on has no body that ends.
func TestSwitchingProtocols(t *testing.T) {
	held := make(chan struct{})
	m, _ := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		conn, out, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		out.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
		out.Flush()
		<-held
	})
	defer close(held)
	_, err := m.Generate(context.Background(), question, llm.Params{})
	must.Says(t, err, "101 Switching Protocols")
}

// An answer of many small parts takes about as much memory as its text has, not as much as the parts would.
func TestAnswerOfBraces(t *testing.T) {
	long := func(before, part, after string) string {
		return before + strings.TrimSuffix(strings.Repeat(part+",", (maxAnswer-1000)/(len(part)+1)), ",") + after
	}
	for name, c := range map[string]struct {
		status int
		body   string
		want   string
	}{
		"choices":       {200, long(`{"choices":[`, "{}", `]}`), ""},
		"other fields":  {200, long(`{"choices":[{"message":{"content":"SELECT 1"}}],"x":[`, "[]", `]}`), ""},
		"an error":      {500, long(`{"error":{"message":"broken","code":[`, "{}", `]}}`), "500 Internal Server Error"},
		"no such field": {200, long(`[`, "{}", `]`), "is no JSON of this API"},
	} {
		m, _ := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) { reply(w, c.status, c.body) })
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := m.Generate(context.Background(), question, llm.Params{})
		runtime.ReadMemStats(&after)
		if err != nil && c.want == "" || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
		// all that was ever made, by the server too
		if made := after.TotalAlloc - before.TotalAlloc; made > 4*maxAnswer {
			t.Errorf("%s: %d MiB for an answer of %d", name, made>>20, len(c.body)>>20)
		} else {
			t.Logf("%s: %d MiB for an answer of %d", name, made>>20, len(c.body)>>20)
		}
	}
	m, _ := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		reply(w, 200,
			long(`{"data":[`, "{}", `]}`))
	})
	if _, err := m.only(context.Background()); err == nil ||
		!strings.Contains(err.Error(), "more than 1 MiB") {
		t.Errorf("a list of models: %v", err)
	}
}
