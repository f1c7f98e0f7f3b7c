package serve

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"nl2sql/assets"
	"nl2sql/loop/answer"
	"nl2sql/loop/desk"
	"nl2sql/runner/render"
	"nl2sql/sqlcheck/batch"
	"nl2sql/sqlcheck/schema"
	"nl2sql/sqlcheck/syntax"
	"nl2sql/tools"
)

// route is a way to ask.
type route struct {
	method, path string
	open         bool // without a token
	in           any  // what the body is read into; nil without one
	out          any  // what an answer in JSON is; nil where it is text
	streams      bool // the answer is a stream of events where that is asked for
	do           func(h *handler, w http.ResponseWriter, r *http.Request) error
}

// routes are all that there are.
var routes = []route{
	{method: "POST", path: "/api/ask", in: askRequest{}, out: answer.JSON{}, streams: true, do: (*handler).ask},
	{method: "POST", path: "/api/check", in: desk.Statement{}, out: batch.Checked{}, do: takes(checked(
		func(c batch.Checked) any { return c }))},
	{method: "POST", path: "/api/explain", in: desk.Statement{}, out: batch.Explained{}, do: takes(checked(
		func(c batch.Checked) any { return c.Explain() }))},
	{method: "POST", path: "/api/query", in: desk.Statement{}, out: desk.Queried{}, do: takes((*handler).query)},
	{method: "POST", path: "/api/pairs", in: desk.Judged{}, out: tools.Pair{}, do: takes((*handler).judge)},
	{method: "GET", path: "/api/schema", out: schema.Schema{}, do: (*handler).schema},
	{method: "GET", path: "/api/history", out: histories{}, do: (*handler).history},
	{method: "GET", path: "/api/databases", out: databases{}, do: (*handler).databases},
	{method: "GET", path: "/v1/models", out: models{}, do: (*handler).models},
	{method: "GET", path: "/v1/models/{id}", out: model{}, do: (*handler).oneModel},
	{method: "POST", path: "/v1/chat/completions", in: chatRequest{}, out: chat{}, streams: true, do: (*handler).chat},
	{method: "POST", path: "/mcp", in: json.RawMessage{}, out: json.RawMessage{}, streams: true, do: (*handler).agents},
	{method: "GET", path: "/mcp", do: (*handler).agents},
	{method: "DELETE", path: "/mcp", do: (*handler).agents},
	{method: "GET", path: "/metrics", do: (*handler).showMetrics},
	{method: "GET", path: "/api/openapi.json", open: true, out: map[string]any{}, do: (*handler).describe},
	{method: "GET", path: "/healthz", open: true, out: health{}, do: (*handler).health},
}

// takes makes a route of what is made of its body, about a database: "" is the first.
func takes[In any](make func(h *handler, r *http.Request, in In) (out any, database string, err error)) func(
	h *handler, w http.ResponseWriter, r *http.Request) error {
	return func(h *handler, w http.ResponseWriter, r *http.Request) error {
		var in In
		if err := read(w, r, &in, true); err != nil {
			return err
		}
		out, database, err := make(h, r, in)
		note(w, "database", cmp.Or(database, h.Databases[0].Name))
		if err != nil {
			return err
		}
		return write(w, http.StatusOK, out)
	}
}

// pages are the routes of the page.
var pages = []route{
	{method: "GET", path: "/", open: true, do: (*handler).page},
	{method: "GET", path: "/page/{file}", open: true, do: (*handler).page},
}

func (r route) pattern() string {
	if r.path == "/" {
		return r.method + " /{$}"
	}
	return r.method + " " + r.path
}

// anyName has a path with names as [path.Match] takes it.
var anyName = strings.NewReplacer("{id}", "?*", "{file}", "?*")

// nowhere says so of paths that lead nowhere.
func (h *handler) nowhere(w http.ResponseWriter, r *http.Request) error {
	var methods []string
	for _, known := range slices.Concat(routes, pages) {
		if is, _ := path.Match(anyName.Replace(known.path), r.URL.Path); is {
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
	_ = control.SetReadDeadline(time.Now().Add(bodyTime)) // tests have none, and who is gone sends nothing
	var body bytes.Buffer
	_, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody))
	text := bytes.TrimPrefix(body.Bytes(), []byte("\uFEFF"))
	dec := json.NewDecoder(bytes.NewReader(text))
	if strict {
		dec.DisallowUnknownFields()
	}
	if err == nil {
		err = dec.Decode(v)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("it ends too early")
	} else if _, more := dec.Token(); err == nil && more != io.EOF {
		err = errors.New("more than one value")
	} else if err == nil && strict {
		err = missing(text, v)
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return problem("too_large", "the body is longer than %d bytes", maxBody)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return problem("slow", "the body took longer than %v to come: send it faster", bodyTime)
	case err != nil:
		return problem("bad_json", "the body is no JSON object that is expected here: %v", syntax.InWords(err))
	}
	_ = control.SetReadDeadline(time.Time{}) // without one the server notices when the client goes away
	return nil
}

// missing says which field that is never left out of a *v the JSON object has not, or as null.
func missing(text []byte, v any) error {
	var has map[string]any
	_ = json.Unmarshal(text, &has) // it was read into v
	for _, f := range reflect.VisibleFields(reflect.TypeOf(v).Elem()) {
		if name := f.Tag.Get("json"); name != "" && !strings.ContainsAny(name, ",-") && has[name] == nil {
			return errors.New(name + " is missing")
		}
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

// policy lets the page load what this server sends and nothing else: no text in it can become script or style.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// kinds are what the files of the page are, whatever this machine thinks of their names.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

// page serves /, and the files of the page.
func (h *handler) page(w http.ResponseWriter, r *http.Request) error {
	files, err := assets.Page()
	if err != nil {
		return err
	}
	name := cmp.Or(r.PathValue("file"), "index.html")
	kind := kinds[path.Ext(name)]
	text, err := fs.ReadFile(files, name)
	if err != nil || kind == "" {
		return problem("not_found", "the page has no file %q", name)
	}
	if err := hurry(w); err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("Content-Security-Policy", policy)
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
	return nil
}
