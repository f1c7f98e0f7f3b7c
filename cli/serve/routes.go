package serve

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/batch"
	"nl2sql/sqlcheck/schema"
	"nl2sql/tools"
)

// route is a way to ask, and what its description says of it.
type route struct {
	method, path string
	is           string // in a line
	open         bool   // without a token
	query        string // the parameter behind the ?, and what it means; "" is none
	in           any    // what the body is read into; nil without one
	out          any    // what an answer in JSON is; nil where it is text
	streams      bool   // the answer is a stream of events where that is asked for
	do           func(h *handler, w http.ResponseWriter, r *http.Request) error
}

// routes are all that there are.
var routes = []route{
	{
		method: "POST", path: "/api/ask", in: askRequest{}, out: answer.JSON{}, streams: true, do: (*handler).ask,
		is: "Answer a question: as ask --format json does, or as a stream of all that happens, and the answer last.",
	},
	{
		method: "POST", path: "/api/check", in: desk.Statement{}, out: batch.Checked{}, do: (*handler).check,
		is: "Check a statement without running it, as check --strict --format json does.",
	},
	{
		method: "POST", path: "/api/explain", in: desk.Statement{}, out: batch.Explained{}, do: (*handler).explain,
		is: "Say in plain words what a statement asks, as explain --format json does.",
	},
	{
		method: "POST", path: "/api/query", in: desk.Statement{}, out: desk.Queried{}, do: (*handler).query,
		is: "Check a statement and run it, read-only.",
	},
	{
		method: "POST", path: "/api/pairs", in: desk.Judged{}, out: tools.Pair{}, do: (*handler).judge,
		is: "Say that an answer's SQL is right for its question, or not, where verdicts are kept.",
	},
	{
		method: "GET", path: "/api/schema", out: schema.Schema{}, do: (*handler).schema,
		query: "database: its name; the first without",
		is:    "The tables of a database, with columns, keys and known values, as schema --format json prints them.",
	},
	{
		method: "GET", path: "/api/history", out: histories{}, do: (*handler).history,
		query: "database: its name; all without",
		is:    "What was asked lately, where a history is kept: questions with their SQL, the newest first.",
	},
	{
		method: "GET", path: "/api/databases", out: databases{}, do: (*handler).databases,
		is: "The databases that can be asked, the first is asked where none is named, and the model.",
	},
	{
		method: "GET", path: "/v1/models", out: models{}, do: (*handler).models,
		is: "The databases as models, for OpenAI's clients.",
	},
	{
		method: "GET", path: "/v1/models/{id}", out: model{}, do: (*handler).oneModel,
		is: "A database as a model, for OpenAI's clients.",
	},
	{
		method: "POST", path: "/v1/chat/completions", in: chatRequest{}, out: chat{}, streams: true,
		do: (*handler).chat,
		is: "Answer the last message of a chat, for OpenAI's clients: SQL, rows and doubts as text, and all of it in nl2sql.",
	},
	{
		method: "POST", path: "/mcp", in: json.RawMessage{}, out: json.RawMessage{}, streams: true,
		do: (*handler).agents,
		is: "Call the tools of the Model Context Protocol (streamable HTTP): for agents and editors.",
	},
	{
		method: "GET", path: "/mcp", do: (*handler).agents,
		is: "Hear of what happens in a session of the Model Context Protocol, as a stream of events.",
	},
	{
		method: "DELETE", path: "/mcp", do: (*handler).agents,
		is: "End a session of the Model Context Protocol.",
	},
	{
		method: "GET", path: "/metrics", do: (*handler).showMetrics,
		is: "What was asked and how long it took, for Prometheus.",
	},
	{
		method: "GET", path: "/healthz", open: true, out: health{}, do: (*handler).health,
		is: "Whether questions are taken; 503 when the server is stopping.",
	},
}

// The description lists the routes, so it joins them here.
func init() {
	routes = append(routes, route{
		method: "GET", path: "/api/openapi.json", open: true, out: map[string]any{}, do: (*handler).describe,
		is: "This description.",
	})
}

func (r route) pattern() string { return r.method + " " + r.path }

// nowhere says so of paths that lead nowhere.
func (h *handler) nowhere(w http.ResponseWriter, r *http.Request) error {
	var methods []string
	for _, known := range routes {
		if known.path == r.URL.Path {
			methods = append(methods, known.method)
		}
	}
	if len(methods) > 0 {
		w.Header().Set("Allow", strings.Join(methods, ", "))
		return problem("method", "%s takes %s alone", r.URL.Path, strings.Join(methods, ", "))
	}
	return problem("not_found", "there is nothing here: /api/openapi.json lists what there is")
}

// maxBody bounds what a client sends, in bytes: a statement as JSON, or a chat.
const maxBody = 2 << 20

// read reads the body into v. Fields that v does not have are an error where strict says so: they are misspelt.
func read(w http.ResponseWriter, r *http.Request, v any, strict bool) error {
	control := http.NewResponseController(w)
	if err := control.SetReadDeadline(time.Now().Add(bodyTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	if strict {
		dec.DisallowUnknownFields()
	}
	err := dec.Decode(v)
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			err = errors.New("more than one value")
		}
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return problem("too_large", "the body is longer than %d bytes", maxBody)
	case err != nil:
		return problem("bad_json", "the body is no JSON object that is expected here: %v", err)
	}
	// Without a deadline the server notices when the client goes away.
	if err := control.SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}

// write sends a value as a line of JSON.
func write(w http.ResponseWriter, status int, v any) error {
	text, err := render.JSONText(v)
	if err != nil {
		return err
	}
	if err := hurry(w); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, err = w.Write(append(text, '\n'))
	return err
}

// hurry bounds how long the client may take for what is sent next.
func hurry(w http.ResponseWriter) error {
	err := http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
	if errors.Is(err, http.ErrNotSupported) { // tests without a connection
		return nil
	}
	return err
}

// failed is the body of every problem, as OpenAI's clients read it too.
type failed struct {
	Error struct {
		Message string `json:"message"`
		Type    string `json:"type"`
		Code    string `json:"code"`
	} `json:"error"`
}

func failedBody(e *desk.Error) (f failed) {
	f.Error.Message, f.Error.Type, f.Error.Code = render.Visible(e.Text), "invalid_request_error", e.Code
	if status := statusOf(e); status >= 500 || status == http.StatusTooManyRequests {
		f.Error.Type = "server_error"
	}
	return f
}

// health says whether questions are taken.
type health struct {
	Status string `json:"status"` // "ok"
}

func (h *handler) health(w http.ResponseWriter, _ *http.Request) error {
	if !h.Open() {
		return desk.ErrStopping
	}
	return write(w, http.StatusOK, health{"ok"})
}
