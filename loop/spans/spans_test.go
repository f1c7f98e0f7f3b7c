package spans

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"nl2sql/llm"
	"nl2sql/loop"
	"nl2sql/loop/answer"
	"nl2sql/runner"
	"nl2sql/runner/embedded"
	"nl2sql/scripts/must"
)

const question, query = "How many orders are there?", "SELECT COUNT(*) FROM orders"

// asked answers a question about the demo database, with spans.
func asked(t *testing.T, target string, texts bool) {
	t.Helper()
	db := must.Get(embedded.Open(t.Context(), "", runner.Limits{}))(t)
	defer db.Close()
	s := must.Get(db.Schema(t.Context()))(t)
	m := must.Get(answer.Settings{Agent: "loop", Votes: 1}.Method())(t)
	asker := must.Get(answer.New(m.On("default", false), llm.NewReplay(query), nil))(t)
	e := must.Get(Open(target, About{Version: "v1", Agent: "loop", Model: "m", Texts: texts}))(t)
	asker.Watcher = e
	told := 0
	ans, err := asker.Ask(t.Context(), answer.Database{DB: db, Schema: s}, answer.Question{Text: question},
		func(loop.Event) { told++ })
	must.Have(t, err == nil && ans.Result != nil && told != 0, ans.Result, err, told, "events")
	must.Succeed(t, e.Close())
}

// A collector gets a span of the question, and within it those of the model and of the actions; texts are not in them
// unless they are wished.
func TestCollector(t *testing.T) {
	var bodies [][]byte
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("%s %v %v", r.URL, r.Header, err)
		}
		bodies = append(bodies, body)
	}))
	defer collector.Close()
	asked(t, collector.URL, false)
	asked(t, collector.URL, true)
	if len(bodies) != 2 || bytes.Contains(bodies[0], []byte("orders")) || !bytes.Contains(bodies[1], []byte(query)) ||
		!bytes.Contains(bodies[1], []byte(question)) {
		t.Fatalf("%d bodies: %q", len(bodies), bodies)
	}
	var data trace.TracesData
	must.Do(t, proto.Unmarshal(bodies[0], &data))
	spans := data.ResourceSpans[0].ScopeSpans[0].Spans
	var names []string
	for i, s := range spans {
		names = append(names, s.Name)
		inside := bytes.Equal(s.ParentSpanId, spans[0].SpanId) && s.StartTimeUnixNano <= s.EndTimeUnixNano
		if len(s.TraceId) != 16 || len(s.SpanId) != 8 || i > 0 && !inside {
			t.Errorf("%v", s)
		}
	}
	got := strings.Join(names, ", ")
	if names[0] != "invoke_agent nl2sql" || !strings.Contains(got, "chat m") ||
		!strings.Contains(got, "execute_tool run_sql") {
		t.Error(got)
	}
}

// A file gets a line of JSON for each question, as collectors read it.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "spans.jsonl")
	asked(t, path, false)
	asked(t, path, true)
	text := must.Get(os.ReadFile(path))(t)
	lines := 0
	for line := range strings.Lines(string(text)) {
		var data struct {
			ResourceSpans []struct {
				ScopeSpans []struct {
					Spans []struct {
						TraceID, Name string
						Kind          int
					}
				}
			}
		}
		must.Do(t, json.Unmarshal([]byte(line), &data))
		s := data.ResourceSpans[0].ScopeSpans[0].Spans[0]
		if len(s.TraceID) != 32 || s.Name != "invoke_agent nl2sql" || s.Kind != 1 {
			t.Errorf("%+v", s)
		}
		lines++
	}
	must.Equal(t, lines, 2, "lines")
}

// A collector that is not there costs a warning, and no answer.
func TestNoCollector(t *testing.T) {
	e := must.Get(Open("http://127.0.0.1:1", About{}))(t)
	_, end := e.Begin(answer.Question{})
	end(loop.Answer{}, nil)
	must.Be(t, e.Close() != nil, "no error")
	for _, target := range []string{"http://", filepath.Join(t.TempDir(), "no", "file")} {
		if _, err := Open(target, About{}); err == nil {
			t.Errorf("%s was opened", target)
		}
	}
}
